/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CURVE_PATTERN_H
#define LOGINSTORM_CURVE_PATTERN_H

/*
 * A line's layout in nginx's own words (`$remote_addr - $remote_user [$time_local] ...`), and its
 * variables found in a line: each ends where the text behind it begins. What stands behind the last
 * variable that is of use is not looked at.
 */

#include <stdbool.h>
#include <stddef.h>

#include "curve/slice.h"
#include "loginstorm/error.h"

enum variable {
    VAR_OTHER,
    VAR_ADDRESS,
    VAR_USER,
    VAR_TIME,
    VAR_REQUEST,
    VAR_METHOD,
    VAR_URI,
    VAR_STATUS,
    VAR_REUSED, /* "r" for a TLS session that was resumed, "." for a new one */
    VAR_COUNT,
};

#define PATTERN_ITEMS 64
#define PATTERN_BYTES 4096

struct pattern {
    char text[PATTERN_BYTES]; /* the literals, one behind the other */
    struct slice lead;        /* before the first variable */
    struct {
        enum variable variable;
        struct slice behind; /* empty: to the line's end */
    } items[PATTERN_ITEMS];
    size_t count; /* up to the last one that is of use */
    bool has[VAR_COUNT];
};

/* The directive as it stands in nginx.conf (log_format NAME '...' '...';) or its string alone.
 * LS_EUSAGE with what is wrong. */
LS_MUST_CHECK
enum ls_code pattern_compile(struct pattern *pattern, const char *words, struct ls_error *err);

/* False where the line is not of that layout; values of variables that it has not are {NULL, 0}. */
bool pattern_match(const struct pattern *pattern, const char *line, size_t size,
                   struct slice values[VAR_COUNT]);

#endif
