/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LS_REPORT_TABLE_H
#define LS_REPORT_TABLE_H

/*
 * A table that fits its page: private to this room. One line of headings where there is room, else
 * two; then the columns that can be spared go, then the names are cut.
 */

#include "report/page.h"

#define TABLE_COLUMNS_MAX 12

struct cell {
    char text[48]; /* clean */
    enum colour colour;
};

struct heading {
    const char *wide;         /* in one line */
    const char *top, *bottom; /* in two */
    int spare;                /* 0: never left out; else the lowest goes first */
};

struct column {
    struct heading heading;
    struct cell *cells; /* a row each */
};

struct table {
    char title[32]; /* heading of the names */
    size_t rows, columns;
    char **names; /* clean, on the heap */
    struct column column[TABLE_COLUMNS_MAX];
    struct cell *cells;
    bool utf8;
    bool no_memory; /* for some cell */
};

/* Names are cleaned copies. False when there is no memory; table_free is due either way. */
LS_MUST_CHECK
bool table_init(struct table *table, const char *title, const struct ls_result *result, bool utf8);
/* The same with rows of other names. */
LS_MUST_CHECK
bool table_init_rows(struct table *table, const char *title, char *const *names, size_t rows,
                     bool utf8);
void table_free(struct table *table);

/* Adds a column; its cells are empty. The heading's texts must outlive the table. */
struct column *table_column(struct table *table, struct heading heading);
void table_set(struct table *table, struct column *column, size_t row, enum colour colour,
               const char *fmt, ...) LS_PRINTF(5, 6);

void table_put(struct page *page, struct table *table);

#endif
