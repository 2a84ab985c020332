/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/table.h"

#include "report/html.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define GAP ((size_t)2)
#define NAME_LEAST ((size_t)8)

/* How a table is laid out on one page. */
struct layout {
    bool two; /* lines of headings */
    bool out[TABLE_COLUMNS_MAX];
    size_t width[TABLE_COLUMNS_MAX];
    size_t name_width;
};

bool table_init_rows(struct table *table, const char *title, char *const *names, size_t rows,
                     bool utf8)
{
    *table = (struct table){.rows = rows, .utf8 = utf8};
    (void)snprintf(table->title, sizeof table->title, "%s", title);
    table->names = calloc(table->rows + 1, sizeof *table->names);
    table->cells = calloc(table->rows * TABLE_COLUMNS_MAX + 1, sizeof *table->cells);
    if (table->names == NULL || table->cells == NULL) {
        return false;
    }
    for (size_t i = 0; i < table->rows; i++) {
        table->names[i] = clean_text(names[i], utf8);
        if (table->names[i] == NULL) {
            return false;
        }
    }
    return true;
}

bool table_init(struct table *table, const char *title, const struct ls_result *result, bool utf8)
{
    char **names = calloc(result->runs_count + 1, sizeof *names);
    bool whole = false;

    for (size_t i = 0; names != NULL && i < result->runs_count; i++) {
        names[i] = result->runs[i].certificate;
    }
    *table = (struct table){0};
    if (names != NULL) {
        whole = table_init_rows(table, title, names, result->runs_count, utf8);
    }
    free(names);
    return whole;
}

void table_free(struct table *table)
{
    for (size_t i = 0; table->names != NULL && i < table->rows; i++) {
        free(table->names[i]);
    }
    free(table->names);
    free(table->cells);
}

struct column *table_column(struct table *table, struct heading heading)
{
    struct column *column = &table->column[table->columns];

    *column = (struct column){heading, table->cells + table->columns * table->rows};
    table->columns++;
    return column;
}

void table_set(struct table *table, struct column *column, size_t row, enum colour colour,
               const char *fmt, ...)
{
    struct cell *cell = &column->cells[row];
    char text[sizeof cell->text], *clean;
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    clean = clean_text(text, table->utf8);
    if (clean != NULL) {
        (void)snprintf(cell->text, sizeof cell->text, "%s", clean);
    } else {
        table->no_memory = true;
    }
    free(clean);
    cell->colour = colour;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static void measure(const struct table *table, struct layout *layout)
{
    layout->name_width = text_width(table->title);
    for (size_t row = 0; row < table->rows; row++) {
        layout->name_width = larger(layout->name_width, text_width(table->names[row]));
    }
    for (size_t i = 0; i < table->columns; i++) {
        const struct column *column = &table->column[i];

        layout->width[i] = layout->two ? larger(text_width(column->heading.top),
                                                text_width(column->heading.bottom))
                                       : text_width(column->heading.wide);
        for (size_t row = 0; row < table->rows; row++) {
            layout->width[i] = larger(layout->width[i], text_width(column->cells[row].text));
        }
    }
}

/* Columns right of the names. */
static size_t total(const struct table *table, const struct layout *layout)
{
    size_t sum = 0;

    for (size_t i = 0; i < table->columns; i++) {
        sum += layout->out[i] ? 0 : GAP + layout->width[i];
    }
    return sum;
}

static bool spare_one(const struct table *table, struct layout *layout)
{
    size_t least = table->columns;

    for (size_t i = 0; i < table->columns; i++) {
        if (table->column[i].heading.spare > 0 && !layout->out[i] &&
            (least == table->columns ||
             table->column[i].heading.spare < table->column[least].heading.spare)) {
            least = i;
        }
    }
    if (least < table->columns) {
        layout->out[least] = true;
    }
    return least < table->columns;
}

static void lay_out(const struct table *table, size_t page_width, struct layout *layout)
{
    measure(table, layout);
    if (layout->name_width + total(table, layout) > page_width) {
        layout->two = true;
        measure(table, layout);
    }
    while (layout->name_width + total(table, layout) > page_width && spare_one(table, layout)) {
    }
    if (layout->name_width + total(table, layout) > page_width) {
        const size_t rest = total(table, layout);

        layout->name_width = page_width > rest + NAME_LEAST ? page_width - rest : NAME_LEAST;
    }
}

/* Blanks are put only before something, so that no line ends in them. */
static size_t put_right(struct page *page, size_t blanks, size_t width, const char *text,
                        enum colour colour)
{
    const size_t taken = text_width(text);

    blanks += GAP + (width > taken ? width - taken : 0);
    if (taken == 0) {
        return blanks;
    }
    (void)fprintf(page->out, "%*s", (int)blanks, "");
    if (colour != PLAIN) {
        page_colour(page, colour);
    }
    (void)fputs(text, page->out);
    if (colour != PLAIN) {
        page_colour(page, PLAIN);
    }
    return 0;
}

enum headings { WIDE, TOP, BOTTOM };

static void put_headings(struct page *page, const struct table *table, const struct layout *layout,
                         enum headings which)
{
    const char *title = which == TOP ? "" : table->title;
    size_t blanks = layout->name_width - text_width(title);

    (void)fputs(title, page->out);
    for (size_t i = 0; i < table->columns; i++) {
        const struct column *column = &table->column[i];

        if (!layout->out[i]) {
            blanks = put_right(page, blanks, layout->width[i],
                               which == WIDE  ? column->heading.wide
                               : which == TOP ? column->heading.top
                                              : column->heading.bottom,
                               PLAIN);
        }
    }
    (void)fputc('\n', page->out);
}

static bool has_top(const struct table *table)
{
    bool some = false;

    for (size_t i = 0; i < table->columns; i++) {
        some = some || table->column[i].heading.top[0] != '\0';
    }
    return some;
}

void table_put(struct page *page, struct table *table)
{
    struct layout layout = {0};

    page->no_memory = page->no_memory || table->no_memory;
    if (page->html) {
        html_table(page, table);
        return;
    }
    lay_out(table, page->look->columns > 0 ? (size_t)page->look->columns : 80, &layout);
    (void)text_cut(table->title, layout.name_width, table->utf8);
    if (layout.two && has_top(table)) {
        put_headings(page, table, &layout, TOP);
    }
    put_headings(page, table, &layout, layout.two ? BOTTOM : WIDE);
    for (size_t row = 0; row < table->rows; row++) {
        size_t blanks =
            layout.name_width - text_cut(table->names[row], layout.name_width, table->utf8);

        (void)fputs(table->names[row], page->out);
        for (size_t i = 0; i < table->columns; i++) {
            const struct cell *cell = &table->column[i].cells[row];

            if (!layout.out[i]) {
                blanks = put_right(page, blanks, layout.width[i], cell->text, cell->colour);
            }
        }
        (void)fputc('\n', page->out);
    }
}
