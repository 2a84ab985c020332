/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CLI_PROGRESS_H
#define LOGINSTORM_CLI_PROGRESS_H

/* What stands on stderr while a storm runs: one line redrawn on a terminal, one every ten seconds
 * elsewhere. */

#include "cli/options.h"
#include "loginstorm/report.h"
#include "loginstorm/schedule.h"
#include "loginstorm/storm.h"

#define PROGRESS_SLICES 10

struct progress {
    struct ls_report_look look;
    const struct ls_scenario *scenario;
    const struct ls_schedule *schedule;
    bool silent, is_terminal, line_open;
    int repeats;
    int64_t shown_ns;                       /* when the last line was shown */
    int64_t *latencies;                     /* room to find the running p50 in */
    int64_t rate_from_ns, rate_from_logins; /* the rate is counted over a second or more */
    double per_s;
    int64_t slices[PROGRESS_SLICES];
};

/* LS_ENOMEM. */
LS_MUST_CHECK
enum ls_code progress_init(struct progress *progress, const struct options *options,
                           const struct ls_scenario *scenario, const struct ls_schedule *schedule,
                           struct ls_error *err);
void progress_step(struct progress *progress, const char *text);
void progress_view(struct progress *progress, const struct ls_storm_view *view);

/* Clears the line, before anything else is printed. */
void progress_end(struct progress *progress);
void progress_clear(struct progress *progress);

#endif
