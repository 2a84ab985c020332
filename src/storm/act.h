/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_STORM_ACT_H
#define LOGINSTORM_STORM_ACT_H

/*
 * One act of a storm: one certificate, from starting its gateway to the last process's end.
 *
 *     STARTING_GATEWAY
 *         | on_line: every worker is `ready`
 *     STARTING_INJECTORS
 *         | on_line: every injector is `ready`
 *     FETCHING_TICKETS (where users resume)
 *         | on_line: every injector has `fetched`
 *     AWAITING_START (where one was agreed on)
 *         | on_waiter: it is near
 *     TAKING_BASELINE
 *         | on_line: every worker has sent its `account`, with no connection open any more;
 *         | on_outside: an outside gateway's CPU has been watched for some seconds
 *     STORMING
 *         | on_line, on_gone: every injector has `decided`, or died
 *     ACCOUNTING
 *         | on_line: every worker has sent its `account` again; on_outside: likewise
 *     LETTING_GO  <---- stop_early: from any state above, by on_signal or on_gone
 *         | on_gone: no injector is left
 *     CLOSING
 *         | on_gone: no worker is left
 *     OVER
 *
 * advance() takes each of these steps; on_watchdog ends a state that waits in vain.
 */

#include <signal.h>

#include "loginstorm/meter.h"
#include "loginstorm/storm.h"
#include "loginstorm/tls.h"
#include "storm/child.h"
#include "storm/outside.h"

enum act_state {
    ACT_STARTING_GATEWAY,
    ACT_STARTING_INJECTORS,
    ACT_FETCHING_TICKETS,
    ACT_AWAITING_START,
    ACT_TAKING_BASELINE,
    ACT_STORMING,
    ACT_ACCOUNTING,
    ACT_LETTING_GO,
    ACT_CLOSING,
    ACT_OVER,
};

/* The dead man's switch: so many samples make ten seconds. */
#define DEAD_MAN_SAMPLES 100

struct act {
    const struct ls_storm_wish *wish;
    struct ls_identity *const *identities; /* of all certificates */
    const struct ls_identity *identity;    /* of this one; NULL: an outside gateway has its own */
    struct ls_identity *const *clients;    /* what each population shows; NULL: nobody anything */
    const char *trust;                     /* PEM of whom users trust; NULL: nobody verifies */
    const char *scenario_text;             /* as run, for the injectors */
    size_t certificate;
    int repeat; /* the round, from 1 */
    uv_loop_t loop;
    uv_timer_t sampler, watchdog, waiter;
    uv_signal_t interrupt, terminate;
    enum act_state state;
    struct child *children; /* workers first */
    int workers, injectors;
    int reserved_fd;
    struct ls_target target;
    struct outside outside;      /* its CPU */
    int64_t resuming;            /* users who come with a ticket */
    int64_t fetch_told_ns;       /* when it was last said how far that is */
    struct ls_share share;       /* its users, of all of the storm's */
    struct ls_shard_run shard;   /* its moments */
    struct ls_storm_start start; /* what was said of it, where somebody says it */
    int64_t late_ns;             /* it started so much after what was agreed */
    int64_t start_ns;
    int64_t over_ns; /* the moment of the last decision or of an early end, from start_ns */
    /* CPU clocks, read ten times a second */
    struct ls_cpu_sample *gateway_samples;
    struct ls_cpu_sample *injector_samples; /* of the busiest injector's window search: one row an
                                               injector and sample */
    size_t samples_count, samples_capacity;
    struct ls_burst *bursts; /* of all workers, when the act is over */
    int64_t gateway_base_ns, waited_base_ns;
    struct ls_kernel_traces kernel_base;
    int64_t gateway_cpu_ns, gateway_waited_ns; /* over the storm */
    int64_t dead_man[2 * DEAD_MAN_SAMPLES];    /* logged in and failed, at the last samples */
    size_t dead_man_count;
    bool partial;
    bool stormed;                     /* the start signal was given */
    struct ls_error why;              /* of an early end; code LS_OK otherwise */
    const struct ls_record **records; /* one an injector, for the view */
};

static inline struct child *act_worker(const struct act *act, int i)
{
    return &act->children[i];
}

static inline struct child *act_injector(const struct act *act, int i)
{
    return &act->children[act->workers + i];
}

/* Memory for the processes, and a port for the gateway. */
LS_MUST_CHECK
enum ls_code act_prepare(struct act *act, const struct child_calls *calls, struct ls_error *err);
LS_MUST_CHECK
enum ls_code act_start_gateway(struct act *act, struct ls_error *err);
LS_MUST_CHECK
enum ls_code act_start_injectors(struct act *act, struct ls_error *err);

/* What the processes had spent before the storm. */
void act_take_base(struct act *act);

/* What they have spent by now. */
void act_take_sample(struct act *act);

/* Plays one certificate. An early end is in act->why, not in the returned code, when there is
 * something to measure. */
LS_MUST_CHECK
enum ls_code act_run(struct act *act, struct ls_error *err);

/* Makes the measurement of an act that is over and gives it to wish->measured. */
LS_MUST_CHECK
enum ls_code act_measure(struct act *act, struct ls_error *err);

void act_clear(struct act *act);

/* When this act is to start, on the clock on the wall; 0: when it is ready. */
int64_t start_agreed_ns(const struct act *act);

/* Where somebody is to say it: whether he has. An error ends the storm. */
LS_MUST_CHECK
enum ls_code start_ask(struct act *act, bool *said, struct ls_error *err);

/* How long until it should leave its wait for that, with time for the baseline; not above 0: now. */
int64_t start_wait_ns(const struct act *act);
/* That it waits for its start, and which one that is, where it has been said. */
void start_tell(const struct act *act);

/* The moment, on the monotonic clock, at which it starts: the one agreed on, or as soon as everybody can have heard
 * of it. Puts down which it was. */
void start_set(struct act *act);

/* SIGINT and SIGTERM: an act listens to them, and outside of one they wait. */
void storm_signals(sigset_t *set);

/* Which core a process of a storm is kept on; -1: any. */
int placement_worker_core(const struct ls_scenario *scenario, int worker);
int placement_injector_core(const struct ls_scenario *scenario, int injector);

#endif
