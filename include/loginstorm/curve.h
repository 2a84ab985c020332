/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CURVE_H
#define LOGINSTORM_CURVE_H

/*
 * A recorded curve: when people really logged in, as a file that is made from logs once and played
 * from then on.
 *
 *     logs -> import -> [curve file] -> schedule (arrivals: {shape: recorded, curve: FILE})
 *
 * The file, UTF-8 text: first `# key: value` lines, in this order
 *
 *     # format: loginstorm-curve 1
 *     # source: nginx combined, 2 files
 *     # timezone: Europe/Paris
 *     # day: 2026-11-23                  (or the first and the last: 2026-11-23..2026-11-27)
 *     # counted: requests of /login, by distinct address
 *
 * then the header `time,user` with a row a login, or `from,to,count` with a row an interval. Times
 * are RFC 3339 in UTC with up to nine decimals, ascending; intervals [from, to) do not overlap. A
 * user is an opaque number of at most 16 hexadecimal digits, equal for logins of one person, empty
 * where that is not known. Nothing else of a person enters it.
 *
 * Each login is a user of the schedule, also where one person logged in twice.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "loginstorm/error.h"

/* A file with more is refused: of an interval, and of all. */
#define LS_CURVE_COUNT_MAX INT64_C(1000000000)
#define LS_CURVE_TOTAL_MAX INT64_C(1000000000000)

struct ls_curve_login {
    int64_t utc_ns; /* since 1970-01-01T00:00:00Z */
    uint64_t user;  /* 0: not known */
};

struct ls_curve_interval {
    int64_t from_ns, to_ns; /* [from, to), UTC */
    int64_t count;
};

struct ls_curve {
    char *source, *timezone, *counted; /* timezone: where the clocks of the log's users are */
    int timezone_line;                 /* of the file, for messages; 0: of no file */
    bool exact;                        /* logins, else intervals */
    struct ls_curve_login *logins;     /* ascending; equal stamps in the order of the log */
    size_t logins_count;
    struct ls_curve_interval *intervals;
    size_t intervals_count;
};

/* A file, "-" for stdin, read as it comes; a pipe with a name is refused (LS_ENOINPUT). LS_EINPUT with line and column for the first thing that
 * is wrong. Logins that are out of order are an error: `import` sorts. The headers are taken in any
 * order behind the first; only format and timezone must be there. */
LS_MUST_CHECK
enum ls_code ls_curve_load(struct ls_curve **out, const char *path, struct ls_error *err);

/* The same from an open stream, which stays open; path is for messages. */
LS_MUST_CHECK
enum ls_code ls_curve_read(struct ls_curve **out, FILE *stream, const char *path,
                           struct ls_error *err);

/* What is loaded is written back byte for byte, but for the header's order, spellings of a number
 * (a user's leading zeros, a fraction's trailing ones) and of a line's end. */
LS_MUST_CHECK
enum ls_code ls_curve_write(const struct ls_curve *curve, FILE *stream, struct ls_error *err);
void ls_curve_free(struct ls_curve *curve);

/* Logins in all: of an interval curve the sum of its counts. */
int64_t ls_curve_total(const struct ls_curve *curve);

#endif
