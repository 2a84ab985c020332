/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CURVE_ROWS_H
#define LOGINSTORM_CURVE_ROWS_H

/*
 * Lines -> the rows of a CSV (RFC 4180): a field in quotes may hold the delimiter, ends of lines and
 * doubled quotes. A quote that is not closed within 64 KiB and 500 lines costs its own line and no
 * other.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "curve/format.h"
#include "curve/slice.h"

#define ROWS_FIELDS 256
#define ROWS_LONGEST ((size_t)64 * 1024)
#define ROWS_LINES 500

/* Values without their quotes; doubled ones within stay doubled. All of it stays until it returns. */
typedef enum ls_code rows_give(void *state, const struct slice *fields, size_t count,
                               struct slice row, struct ls_error *err);

struct rows {
    struct sink *sink;
    rows_give *give;
    void *state;
    char
        delimiter; /* 0: as a row "sep=;" says, or found in the first row: comma, semicolon or tab */
    char *kept;    /* a row whose quote is still open, each line with its end */
    size_t size, room, lines;
    int64_t first_line;
};

void rows_init(struct rows *rows, struct sink *sink, rows_give *give, void *state);
void rows_free(struct rows *rows);

/* sink->line is that of the row's first line while it is given. Empty lines between rows and lines
 * that begin with # are passed over. */
LS_MUST_CHECK
enum ls_code rows_line(struct rows *rows, const char *line, size_t size, struct ls_error *err);
LS_MUST_CHECK
enum ls_code rows_end(struct rows *rows, struct ls_error *err);

/* The first row of a log's beginning and what its delimiter is, 0 for one field; *rest is what is
 * behind it, NULL where it may go on. */
char rows_first(struct slice *rest, struct slice *row);

/* The number of fields, at most ROWS_FIELDS (the last then holds the rest); 0 for a quote that is
 * not closed. */
size_t rows_split(struct slice row, char delimiter, struct slice fields[ROWS_FIELDS]);

#endif
