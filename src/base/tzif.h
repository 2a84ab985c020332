/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_BASE_TZIF_H
#define LOGINSTORM_BASE_TZIF_H

/*
 * A file of the tz database, version 2 or later, as the spans of time in which a clock keeps its
 * distance from UTC. Source of the format: RFC 8536 (and RFC 9636 for what version 4 adds).
 *
 * The rule in its last line ("CET-1CEST,M3.5.0,M10.5.0/3") is laid out up to the year 2262, so
 * that nobody who asks needs to know of rules.
 */

#include <stddef.h>
#include <stdint.h>

#include "loginstorm/error.h"

/* Ahead of UTC, as RFC 8536 bounds it: less than 25 hours behind, less than 26 ahead. */
#define OFFSET_LIMIT_S INT32_C(93600) /* 26 h */

struct span {
    int64_t from_ns; /* UTC; until the next one's */
    int32_t offset_s;
};

struct spans {
    struct span *item; /* ascending, the first from INT64_MIN; never empty; freed by the caller */
    size_t count;
};

/* LS_EINPUT with what is wrong with it, as a phrase that goes on after a name. */
LS_MUST_CHECK
enum ls_code tzif_read(struct spans *spans, const char *bytes, size_t size, struct ls_error *err);

#endif
