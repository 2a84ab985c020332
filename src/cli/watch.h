/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CLI_WATCH_H
#define LOGINSTORM_CLI_WATCH_H

/* What a storm shows to a live page: from its view, ten times a second, to a point a second. */

#include "cli/options.h"
#include "loginstorm/live.h"
#include "loginstorm/result.h"
#include "loginstorm/schedule.h"
#include "loginstorm/storm.h"

struct watch {
    struct ls_live *live; /* NULL: nobody asked for a page, and nothing below is used */
    const struct ls_scenario *scenario;
    const struct ls_schedule *schedule;
    struct ls_live_point point;      /* as last told, sums so far; its run is what the rest is of */
    int64_t cpu_ns, cpu_at_ns;       /* the gateway's clock then */
    bool *seen;                      /* by user: his login is over, and in the sums */
    size_t open;                     /* the first who is not */
    size_t due;                      /* users before it are, of all shards */
    int64_t *latencies, *start_lags; /* room for one a user */
    size_t lags_count;
};

/* Opens the page that options ask for, and says where it is. */
LS_MUST_CHECK
enum ls_code watch_open(struct watch *watch, const struct options *options,
                        const struct ls_scenario *scenario, const struct ls_schedule *schedule,
                        const struct ls_result *result, struct ls_error *err);
void watch_step(struct watch *watch, const char *text);
void watch_view(struct watch *watch, const struct ls_storm_view *view);

/* Leaves the page with the report, by its path, or without one: NULL. why is of a storm that ended before its time, or NULL. */
void watch_end(struct watch *watch, const char *report, const struct ls_error *why);

#endif
