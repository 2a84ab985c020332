/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LS_MODEL_TEAM_H
#define LS_MODEL_TEAM_H

/*
 * Between the files that play many mornings. Thread t takes mornings t, t + T, ... and puts what it finds into their
 * rows; nothing else is shared but a count and the wish to stop, so there is no lock.
 */

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "loginstorm/mornings.h"

struct played {
    uint64_t seed;
    struct ls_schedule *own; /* NULL: the same as the first one's, or not kept */
    int64_t peak_minute_logins;
};

struct ls_mornings {
    struct ls_scenario scenario; /* shallow */
    struct ls_schedule_maker *maker;
    struct played *played;
    int count, threads;
    bool kept; /* the schedules of all mornings */
};

/* What all threads of one piece of work share. */
struct team;
struct worker {
    struct team *team;
    int first; /* its mornings: first, first + threads, ... */
    pthread_t thread;
    int64_t told_ns;
    int64_t counted; /* users of the morning under way that the team has counted */
    bool started, stopped;
    enum ls_code code;
    struct ls_error err;
};

struct team {
    struct ls_mornings *mornings;   /* to make */
    const struct ls_mornings *made; /* to play */
    const struct ls_model_wish *farm;
    const struct ls_cpu_doubt *doubt;
    struct ls_morning *out;
    int (*progress)(double done, void *data);
    void *data;
    int threads;
    enum ls_code (*work)(struct worker *worker);
    atomic_llong users; /* that have come so far, in all mornings */
    atomic_bool stop;
};

/* Has worker->team->work done by team->threads threads. */
LS_MUST_CHECK
enum ls_code work_together(struct team *team, struct ls_error *err);

/* ls_mornings_new with a bound of its own for what is kept, so that a few users reach it. */
LS_MUST_CHECK
enum ls_code mornings_new(struct ls_mornings **out, const struct ls_scenario *scenario, int count,
                          int threads, int64_t logins_kept, struct ls_error *err);

#endif
