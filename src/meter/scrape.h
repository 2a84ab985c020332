/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_METER_SCRAPE_H
#define LOGINSTORM_METER_SCRAPE_H

/*
 * One HTTP(S) GET after the other by libcurl, on a loop that it never blocks (names are resolved in a
 * thread of libcurl's own). Bounded in time and size; no redirect is followed, no proxy asked, nothing
 * but http and https spoken. libcurl is loaded when the first is made.
 */

#include <uv.h>

#include "loginstorm/error.h"

#define SCRAPE_BYTES_MAX ((size_t)32 << 20)
#define SCRAPE_PATIENCE_MS 5000

struct scrape_answer {
    const char *text; /* the caller's until it returns */
    size_t size;
    int64_t begun_ns; /* when it was asked for, on the monotonic clock */
    int64_t at_ns;    /* on the monotonic clock: amid the request's end and the answer's begin */
    int64_t date_s;   /* of the Date header, since 1970; negative where there is none */
    char address[64]; /* who answered */
};

struct scrape;

/* answered has one of answer and why, the other is NULL. LS_ELIMIT: libcurl is not there. */
LS_MUST_CHECK
enum ls_code scrape_new(struct scrape **out, uv_loop_t *loop, const char *url,
                        void (*answered)(const struct scrape_answer *answer,
                                         const struct ls_error *why, void *data),
                        void *data, struct ls_error *err);

void scrape_begin(struct scrape *scrape); /* nothing while one is under way */
bool scrape_is_under_way(const struct scrape *scrape);

/* Breaks off; the loop must run out behind it. */
void scrape_close(struct scrape *scrape);
void scrape_free(struct scrape *scrape);

#endif
