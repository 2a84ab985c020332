/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LS_ARRIVALS_CURVE_READER_H
#define LS_ARRIVALS_CURVE_READER_H

/* A curve file as lines, and what its headers say. */

#include "loginstorm/curve.h"

struct curve_reader {
    FILE *stream;
    const char *path; /* for messages */
    char buffer[64 * 1024];
    size_t begin, end; /* what of the buffer was not yet taken */
    bool at_end;
    char *text; /* the line being read, NUL-ended */
    size_t length;
    int line;
    struct ls_curve *curve;
    size_t capacity;
    int64_t last_ns; /* nothing may begin before it */
    int64_t total;
    char day_text[11]; /* the date of the last time that was read, and its day */
    int64_t day;
};

/* LS_EINPUT with the place: a column counts from 0. */
enum ls_code reader_refuse(const struct curve_reader *reader, size_t column, const char *what,
                           struct ls_error *err);

/* The next line in place of the last one; *there is false at the end of the file. */
LS_MUST_CHECK
enum ls_code reader_line(struct curve_reader *reader, bool *there, struct ls_error *err);

/* Up to the line that names the columns, and that one too. */
LS_MUST_CHECK
enum ls_code reader_headers(struct curve_reader *reader, struct ls_error *err);

#endif
