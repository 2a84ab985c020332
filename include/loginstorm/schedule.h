/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_SCHEDULE_H
#define LOGINSTORM_SCHEDULE_H

/*
 * The schedule: when each user wants in. One row a user, sorted by due time; row i is user i
 * everywhere after this.
 *
 *     scenario -> [schedule] -> engine / model -> samples
 *
 * Every draw depends on (seed, user) alone: the same scenario gives the same schedule, byte for
 * byte, in every process.
 */

#include <stddef.h>
#include <stdint.h>

#include "loginstorm/error.h"
#include "loginstorm/scenario.h"

struct ls_arrival {
    int64_t at_ns;       /* scenario time, from the window's start */
    int64_t due_ns;      /* at_ns / speedup: real time, from the run's start */
    uint16_t population; /* index into the scenario's populations */
};

struct ls_schedule {
    size_t count;
    struct ls_arrival rows[];
};

/* How dense the schedule is at the scenario's own pace (clock minutes and seconds). */
struct ls_load {
    int64_t peak_minute_at_ns; /* start of the fullest clock minute, as a time of day (since
                                  midnight) */
    int64_t peak_minute_logins;
    int64_t peak_second_at_ns;
    int64_t peak_second_logins;
};

/* LS_EINPUT for what a schedule cannot be made from (a recorded curve, as yet), LS_ENOMEM,
 * LS_ERANGE. */
LS_MUST_CHECK
enum ls_code ls_schedule_build(struct ls_schedule **out, const struct ls_scenario *scenario,
                               struct ls_error *err);
void ls_schedule_free(struct ls_schedule *schedule);

void ls_schedule_load(const struct ls_schedule *schedule, const struct ls_scenario *scenario,
                      struct ls_load *load);

/* Logins in each of count equal slices of the window: the picture that `check` draws. */
void ls_schedule_histogram(const struct ls_schedule *schedule, const struct ls_scenario *scenario,
                           int64_t *logins, size_t count);

/*
 * The intended curve: the share of the users of a wave that are due by at_ns (a distribution
 * function over the window, 0 at its start, 1 at its end), and its inverse. Public so that tests
 * and `check` can hold a schedule against what was meant. Not a number where the wave has no curve
 * (then no schedule can be built from it either).
 */
double ls_wave_share_by(const struct ls_wave *wave, int64_t window_ns, double at_ns);
double ls_wave_at(const struct ls_wave *wave, int64_t window_ns, double share);

#endif
