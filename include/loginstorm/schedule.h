/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_SCHEDULE_H
#define LOGINSTORM_SCHEDULE_H

/*
 * The schedule: when each user wants in, or, in a closed loop, after whom. One row a user, in the
 * order in which they come; row i is user i everywhere after this.
 *
 *     scenario -> [schedule] -> engine / model -> samples
 *
 * Every draw depends on (seed, user) alone: the same scenario, with the same recorded curves, gives
 * the same schedule, byte for byte.
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

/* A closed loop: its users are the rows from first on, `concurrency` of them at a time. */
struct ls_loop_wave {
    size_t first, count;
    int concurrency;
    enum ls_shape shape; /* LS_SHAPE_SEQUENCE or LS_SHAPE_CLOSED */
};

#define LS_WAVES_MAX 64

/*
 * With waves, this is a schedule of closed loops: no row is due at a moment of its own (at_ns and
 * due_ns are 0). The rows are still the users in the order in which they come, wave after wave.
 */
struct ls_schedule {
    size_t count;
    size_t waves_count; /* 0: open, by due times */
    struct ls_loop_wave waves[LS_WAVES_MAX];
    int64_t recorded; /* of count: logins that stand in curves; others of a curve's are drawn beside
                         them, and say no more of the morning than those do */
    char *notes; /* what was done with recorded curves, a sentence a line; NULL: there are none */
    struct ls_arrival rows[];
};

/* How dense the schedule is at the scenario's own pace (clock minutes and seconds). All negative for
 * closed loops, which are as dense as the gateway lets them. */
struct ls_load {
    int64_t peak_minute_at_ns; /* start of the fullest clock minute, as a time of day (since
                                  midnight) */
    int64_t peak_minute_logins;
    int64_t peak_second_at_ns;
    int64_t peak_second_logins;
};

/* LS_EINPUT for what a schedule cannot be made from, with path, line and column for a recorded curve
 * that cannot be read; LS_ENOINPUT, LS_ENOMEM, LS_ERANGE. Recorded logins are rows at their own
 * moments; in a window in which clocks go back they may lie beyond the window's length. */
LS_MUST_CHECK
enum ls_code ls_schedule_build(struct ls_schedule **out, const struct ls_scenario *scenario,
                               struct ls_error *err);
void ls_schedule_free(struct ls_schedule *schedule);

/*
 * The same scenario under many seeds: its curves are read and its shapes worked out once. What is made
 * is what ls_schedule_build gives for a scenario of that seed. Several threads may make schedules
 * with one maker, which leans on the scenario.
 */
struct ls_schedule_maker;
LS_MUST_CHECK
enum ls_code ls_schedule_maker_new(struct ls_schedule_maker **out,
                                   const struct ls_scenario *scenario, struct ls_error *err);
void ls_schedule_maker_free(struct ls_schedule_maker *maker);
int64_t ls_schedule_maker_users(const struct ls_schedule_maker *maker);
LS_MUST_CHECK
enum ls_code ls_schedule_make(struct ls_schedule **out, const struct ls_schedule_maker *maker,
                              uint64_t seed, struct ls_error *err);

/* The same rows in another process: a copy in so many bytes of memory that both map, without the
 * notes. What is attached is the memory itself. LS_EBROKEN where it is too short. */
size_t ls_schedule_size(const struct ls_schedule *schedule);
void ls_schedule_copy(const struct ls_schedule *schedule, void *memory);
LS_MUST_CHECK
enum ls_code ls_schedule_attach(const struct ls_schedule **out, const void *memory, size_t size,
                                struct ls_error *err);

void ls_schedule_load(const struct ls_schedule *schedule, const struct ls_scenario *scenario,
                      struct ls_load *load);

/* The most connections that users shard, shard + shards, ... (0, 1: all) begin within a second of a live storm, were each
 * at once and without retries; 0 for closed loops. */
int64_t ls_schedule_densest(const struct ls_schedule *schedule, const struct ls_scenario *scenario,
                            size_t shard, size_t shards);

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
