/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_LIVE_H
#define LOGINSTORM_LIVE_H

/*
 * The live page: what a running storm looks like, for browsers, by HTTP and server-sent events.
 *
 *     storm's view -> conductor -> [live] -> browsers
 *                          `- points, never waiting -> a process that serves them
 *
 * The server is a process of its own that takes a core only when nobody else wants one (SCHED_IDLE). The
 * conductor hands it a point a second and never waits for it: what it does not take at once is lost to the page,
 * not to the storm. It is forked before a key is made, so that what the network can reach holds none, and it can be
 * read from only: GET and HEAD of the page, of its events and of the report.
 *
 * A point holds sums since its run's start, so that of two neighbours anything between them can be told, also where
 * points in between are missing.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "loginstorm/error.h"
#include "loginstorm/record.h"

#define LS_LIVE_ADDRESS "127.0.0.1:8090"

struct ls_live_wish {
    const char *
        address; /* IP:PORT, [IPV6]:PORT, localhost:PORT, PORT alone (loopback); port 0: a free one.
                            NULL or "": LS_LIVE_ADDRESS */
    const char *page; /* HTML; it finds `events` beside it, and `report.html` once that is there */
    size_t page_bytes;
    const char *policy; /* Content-Security-Policy of page and report; NULL: nothing is allowed */
};

struct ls_live;

/* Listens and starts the server. LS_EUSAGE: that is no address; LS_ECREATE: it is taken, or none of this host;
 * LS_ESYSTEM: libmicrohttpd is missing, or there is no process to be had; LS_ENOMEM. */
LS_MUST_CHECK
enum ls_code ls_live_open(struct ls_live **out, const struct ls_live_wish *wish,
                          struct ls_error *err);

/* "http://127.0.0.1:8090/", with the real port. */
const char *ls_live_url(const struct ls_live *live);

/* Others than this host can reach it. */
bool ls_live_is_public(const struct ls_live *live);

struct ls_live_point {
    size_t certificate; /* which one, from 0, and its name */
    const char *name;
    int repeat;     /* the round, from 1 */
    int64_t run_ns; /* real time since the run's start */
    int64_t
        at_ns; /* scenario time from the window's start; negative in a closed loop, which has none */
    int64_t due, started, logged_in, failed, in_flight; /* due: negative in a closed loop */
    int64_t by_reason[LS_REASON_COUNT];                 /* of failed */
    int64_t p50_ns, p99_ns, p100_ns; /* login latency since the last point; LS_NEVER_NS: nobody */
    double gateway_cores;            /* that were busy since the last point; negative: not known */
    int64_t start_lag_p99_ns;        /* of all so far; LS_NEVER_NS: nobody */
};

/* Neither waits or fails: a page that lacks one is better than a storm that waited. */
void ls_live_point(struct ls_live *live, const struct ls_live_point *point);
void ls_live_step(struct ls_live *live, const char *text); /* "making a key: RSA 4096" */

/*
 * The storm is over. report is the file that the page turns into, NULL when there is none; text says how it ended,
 * where there is something to say ("stopped by SIGINT"), else NULL. Waits until the browsers that watch have the report, ten
 * seconds at most, and frees live, which may be NULL. LS_EBROKEN when the server had died; the storm is none the worse for it.
 */
LS_MUST_CHECK
enum ls_code ls_live_end(struct ls_live *live, const char *report, const char *text,
                         struct ls_error *err);

#endif
