/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "curve/rows.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define OPEN_QUOTE "a quote that is not closed"

void rows_init(struct rows *rows, struct sink *sink, rows_give *give, void *state)
{
    *rows = (struct rows){.sink = sink, .give = give, .state = state};
}

void rows_free(struct rows *rows)
{
    free(rows->kept);
    rows->kept = NULL;
}

/* The row that Excel takes first, "sep=;", which says what the delimiter is. */
static bool says_delimiter(struct slice row, char *delimiter)
{
    if (row.size >= 2 && row.at[0] == '"' && row.at[row.size - 1] == '"') {
        row = (struct slice){row.at + 1, row.size - 2};
    }
    if (row.size != strlen("sep=;") || strncasecmp(row.at, "sep=", 4) != 0) {
        return false;
    }
    *delimiter = row.at[4];
    return true;
}

/* Which of comma, semicolon and tab the row has most of, outside of quotes; 0 where it has none. */
static char delimiter_of(struct slice row)
{
    static const char marks[] = {',', ';', '\t'};
    size_t counts[3] = {0};
    bool quoted = false;
    size_t best = 0;

    for (size_t i = 0; i < row.size; i++) {
        quoted = row.at[i] == '"' ? !quoted : quoted;
        for (size_t k = 0; k < 3 && !quoted; k++) {
            counts[k] += row.at[i] == marks[k] ? 1U : 0U;
        }
    }
    for (size_t k = 1; k < 3; k++) {
        best = counts[k] > counts[best] ? k : best;
    }
    return counts[best] > 0 ? marks[best] : '\0';
}

char rows_first(struct slice *rest, struct slice *row)
{
    char delimiter = '\0';

    do {
        *row = slice_cut(rest, '\n');
        if (row->size > 0 && row->at[row->size - 1] == '\r') {
            row->size--;
        }
    } while (rest->at != NULL &&
             (row->size == 0 || row->at[0] == '#' || says_delimiter(*row, &delimiter)));
    return delimiter == '\0' ? delimiter_of(*row) : delimiter;
}

/* The end of the field whose first quote is already behind, or NULL. A quote that nothing of a CSV
 * follows is one that somebody forgot to double. */
static const char *end_of_quoted(const char *at, const char *end, char delimiter)
{
    while ((at = at == end ? NULL : memchr(at, '"', (size_t)(end - at))) != NULL) {
        if (at + 1 == end || at[1] == delimiter) {
            return at;
        }
        at += at[1] == '"' ? 2 : 1;
    }
    return NULL;
}

size_t rows_split(struct slice row, char delimiter, struct slice fields[ROWS_FIELDS])
{
    const char *at = row.at;
    const char *end = row.at + row.size;
    size_t count = 0;

    for (;;) {
        const char *stop;

        if (at < end && *at == '"') {
            const char *quote = end_of_quoted(at + 1, end, delimiter);

            if (quote == NULL) {
                return 0;
            }
            fields[count] = (struct slice){at + 1, (size_t)(quote - at - 1)};
            stop = quote + 1 == end ? NULL : quote + 1;
        } else {
            stop = at == end ? NULL : memchr(at, delimiter, (size_t)(end - at));
            fields[count] = (struct slice){at, (size_t)((stop == NULL ? end : stop) - at)};
        }
        count++;
        if (stop == NULL || count == ROWS_FIELDS) {
            return count;
        }
        at = stop + 1;
    }
}

static enum ls_code give(struct rows *rows, const struct slice *fields, size_t count,
                         struct slice row, int64_t line, struct ls_error *err)
{
    const int64_t now = rows->sink->line;
    enum ls_code code;

    rows->sink->line = line;
    code = rows->give(rows->state, fields, count, row, err);
    rows->sink->line = now;
    return code;
}

static enum ls_code keep(struct rows *rows, const char *line, size_t size, struct ls_error *err)
{
    if (rows->size + size + 1 > rows->room) {
        const size_t room = (rows->size + size + 1) * 2;
        char *kept = realloc(rows->kept, room);

        if (kept == NULL) {
            return ls_error_set(err, LS_ENOMEM, "no memory for a row of %zu bytes", room);
        }
        rows->kept = kept;
        rows->room = room;
    }
    if (size > 0) {
        memcpy(rows->kept + rows->size, line, size);
    }
    rows->size += size;
    rows->kept[rows->size++] = '\n';
    return LS_OK;
}

/* The first line of what was kept is skipped, the others are lines of their own again. */
static enum ls_code give_up(struct rows *rows, struct ls_error *err)
{
    struct slice rest = {rows->kept, rows->size};
    const struct slice first = slice_cut(&rest, '\n');
    char *kept = rows->kept;
    const int64_t now = rows->sink->line;
    enum ls_code code = LS_OK;

    rows->kept = NULL;
    rows->size = 0;
    rows->room = 0;
    rows->sink->line = rows->first_line;
    rows->sink->skip(rows->sink, OPEN_QUOTE, first.at, first.size);
    while (rest.size > 0 && code == LS_OK) {
        const struct slice line = slice_cut(&rest, '\n');

        rows->sink->line++;
        code = rows_line(rows, line.at, line.size, err);
    }
    rows->sink->line = now;
    free(kept);
    return code;
}

/* A further line of a row whose quote is open. */
static enum ls_code go_on(struct rows *rows, const char *line, size_t size, struct ls_error *err)
{
    struct slice fields[ROWS_FIELDS];
    struct slice row;
    size_t count;
    enum ls_code code = keep(rows, line, size, err);

    if (code != LS_OK) {
        return code;
    }
    row = (struct slice){rows->kept, rows->size - 1};
    /* Whether the quote ends here is seen without the lines before. */
    count = size > 0 && end_of_quoted(line, line + size, rows->delimiter) != NULL
                ? rows_split(row, rows->delimiter, fields)
                : 0;
    if (count == 0) {
        rows->lines++;
        return LS_OK;
    }
    rows->size = 0;
    return give(rows, fields, count, row, rows->first_line, err);
}

enum ls_code rows_line(struct rows *rows, const char *line, size_t size, struct ls_error *err)
{
    struct slice fields[ROWS_FIELDS];
    size_t count;

    while (rows->size > 0 && (rows->size + size > ROWS_LONGEST || rows->lines == ROWS_LINES)) {
        enum ls_code code = give_up(rows, err);

        if (code != LS_OK) {
            return code;
        }
    }
    if (rows->size > 0) {
        return go_on(rows, line, size, err);
    }
    if (size == 0 || line[0] == '#' ||
        (rows->delimiter == '\0' && says_delimiter((struct slice){line, size}, &rows->delimiter))) {
        return LS_OK;
    }
    if (rows->delimiter == '\0') {
        rows->delimiter = delimiter_of((struct slice){line, size});
        rows->delimiter = rows->delimiter == '\0' ? ',' : rows->delimiter;
    }
    count = rows_split((struct slice){line, size}, rows->delimiter, fields);
    if (count > 0) {
        return give(rows, fields, count, (struct slice){line, size}, rows->sink->line, err);
    }
    if (size > ROWS_LONGEST) {
        rows->sink->skip(rows->sink, OPEN_QUOTE, line, size);
        return LS_OK;
    }
    rows->first_line = rows->sink->line;
    rows->lines = 1;
    return keep(rows, line, size, err);
}

enum ls_code rows_end(struct rows *rows, struct ls_error *err)
{
    enum ls_code code = LS_OK;

    while (rows->size > 0 && code == LS_OK) {
        code = give_up(rows, err);
    }
    return code;
}
