/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CURVE_PICKER_H
#define LOGINSTORM_CURVE_PICKER_H

/*
 * Which field of a table's rows (a CSV's columns, the keys of JSON lines) is the time, the user and
 * the count: as the options name them, else by the usual names, else the first that holds a time,
 * or the first date and the time of day behind it where they stand apart.
 * What holds a time is seen in the first row that has one.
 */

#include <stdbool.h>
#include <stddef.h>

#include "curve/format.h"
#include "curve/slice.h"
#include "curve/when.h"

#define PICKER_NAME 128
#define PICKER_FIELDS 256

/* A field that was chosen: its name, and where it was in the last row. */
struct pick {
    bool is_there;
    char name[PICKER_NAME];
    size_t at;
};

struct picker {
    struct sink *sink;
    const char *what; /* "rows", for sink->counted */
    bool chosen;
    bool
        keys_are_data; /* a name may be a person's, {"alice": {"at": ...}}, so one that is neither usual
                           nor told does not get into the curve */
    bool by_look;      /* the time's is such a one */
    struct pick day; /* the date, where it stands apart from the time of day */
    struct pick time, until, user, count;
};

void picker_init(struct picker *picker, struct sink *sink, const char *what);

/* A row -> an event, or a skip. text and size are the row as a whole, for the skip. */
LS_MUST_CHECK
enum ls_code picker_row(struct picker *picker, const struct field *fields, size_t count,
                        const char *text, size_t size, struct ls_error *err);

/* Whether a row has a time in a field that would be taken: 2 by its name, 1 by its look, else 0. */
int picker_sees_time(const struct field *fields, size_t count);

#endif
