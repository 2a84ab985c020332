/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Any table in text: columns by the names of its first row, or by their numbers where that is a row
 * as the others are.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "curve/formats.h"
#include "curve/picker.h"
#include "curve/rows.h"

struct csv {
    struct sink *sink;
    struct rows rows;
    struct picker picker;
    bool has_names;
    char *header; /* what the names point into */
    size_t names_count;
    struct slice names[ROWS_FIELDS];
    char numbers[ROWS_FIELDS][4]; /* the names of columns that have none */
};

/* "1" for the first. */
static void number_columns(struct csv *csv)
{
    for (size_t i = 0; i < ROWS_FIELDS; i++) {
        (void)snprintf(csv->numbers[i], sizeof csv->numbers[i], "%u", (unsigned)(i + 1) % 1000);
        csv->names[i] = (struct slice){csv->numbers[i], strlen(csv->numbers[i])};
    }
    csv->names_count = ROWS_FIELDS;
}

static enum ls_code take_header(struct csv *csv, const struct slice *fields, size_t count,
                                struct slice row, struct ls_error *err)
{
    csv->header = malloc(row.size + 1);
    if (csv->header == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for %zu columns", count);
    }
    memcpy(csv->header, row.at, row.size);
    for (size_t i = 0; i < count; i++) {
        csv->names[i] =
            slice_trim((struct slice){csv->header + (fields[i].at - row.at), fields[i].size});
    }
    csv->names_count = count;
    return LS_OK;
}

/* A value for each name, and names for values alone. */
static size_t pair(const struct csv *csv, const struct slice *fields, size_t count,
                   struct field out[ROWS_FIELDS])
{
    const size_t pairs = count < csv->names_count ? count : csv->names_count;

    for (size_t i = 0; i < pairs; i++) {
        out[i] = (struct field){csv->names[i], fields[i]};
    }
    return pairs;
}

static enum ls_code take_row(void *state, const struct slice *fields, size_t count,
                             struct slice row, struct ls_error *err)
{
    struct csv *csv = state;
    struct field pairs[ROWS_FIELDS];

    if (!csv->has_names) {
        csv->has_names = true;
        number_columns(csv);
        if (picker_sees_time(pairs, pair(csv, fields, count, pairs)) == 0) {
            return take_header(csv, fields, count, row, err);
        }
    }
    return picker_row(&csv->picker, pairs, pair(csv, fields, count, pairs), row.at, row.size, err);
}

static enum ls_code begin(void **state, struct sink *sink, struct ls_error *err)
{
    struct csv *csv = malloc(sizeof *csv);

    if (csv == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory to read a table");
    }
    csv->sink = sink;
    csv->has_names = false;
    csv->header = NULL;
    rows_init(&csv->rows, sink, take_row, csv);
    picker_init(&csv->picker, sink, "rows");
    *state = csv;
    return LS_OK;
}

static enum ls_code take_line(void *state, const char *line, size_t size, struct ls_error *err)
{
    return rows_line(&((struct csv *)state)->rows, line, size, err);
}

static enum ls_code end(void *state, struct ls_error *err)
{
    return rows_end(&((struct csv *)state)->rows, err);
}

static void drop(void *state)
{
    struct csv *csv = state;

    rows_free(&csv->rows);
    free(csv->header);
    free(csv);
}

/* Rows that have a time where the first row says so, or have one at all, and as many fields. */
static int sniff(const char *head, size_t size)
{
    struct slice rest = {head, size};
    struct slice names[ROWS_FIELDS], fields[ROWS_FIELDS];
    struct field pairs[ROWS_FIELDS];
    struct slice row;
    size_t names_count, count;
    char delimiter;
    int sees;

    delimiter = rows_first(&rest, &row);
    if (rest.at == NULL) {
        return 0;
    }
    delimiter = delimiter == '\0' ? ',' : delimiter; /* one column, of times */
    names_count = rows_split(row, delimiter, names);
    for (size_t i = 0; i < names_count; i++) {
        pairs[i] = (struct field){names[i], names[i]};
    }
    if (picker_sees_time(pairs, names_count) > 0) {
        return 20;
    }
    /* The row behind it may go on over many lines. */
    for (size_t lines = 0; lines < 100 && rest.at != NULL; lines++) {
        row = slice_cut(&rest, '\n');
        if (row.size > 0 && row.at[row.size - 1] == '\r') {
            row.size--;
        }
        count = rows_split(row, delimiter, fields);
        if (count == 0) {
            count = 1;
            fields[0] = (struct slice){row.at, 0};
        }
        for (size_t i = 0; i < count && i < names_count; i++) {
            pairs[i] = (struct field){names[i], fields[i]};
        }
        sees = picker_sees_time(pairs, count < names_count ? count : names_count);
        if (sees > 0) {
            return sees == 2 ? 60 : 30;
        }
    }
    return 0;
}

const struct format format_csv = {
    .word = "csv",
    .text = "table of text (CSV; comma, semicolon or tab)",
    .counts = "rows",
    .takes_keys = true,
    .sniff = sniff,
    .begin = begin,
    .line = take_line,
    .end = end,
    .free = drop,
};
