/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_ENGINE_H
#define LOGINSTORM_ENGINE_H

/*
 * The engine: what an injector process does. It turns the rows of a schedule into live logins and
 * puts down how each ended.
 *
 *     schedule -> [engine] -> wire -> gateway
 *                    `-----> record
 *
 * An open loop: a user starts when it is due, whatever became of those before. One engine plays one
 * shard of the users (user number modulo shards) on one libuv loop.
 *
 *     DUE --start_due--> CONNECTING --on_connected--> SECURING --on_secured--> LOGGING_IN
 *                          ^  ^ ^                         |                        |
 *                          |  | `---- next_connection ----`------------------------|
 *                          |  |        (the login has more)                        |
 *              on_timer    |  |                                                    | login_came_through
 *     WAITING -------------'  |                                                    v
 *        ^                    |                             DONE <--on_timer-- HOLDING
 *        |                    |                                    on_ended (the session was lost)
 *        `-- attempt_failed --`-- from CONNECTING, SECURING,         ls_engine_release
 *            (attempts left)      LOGGING_IN: on_ended, on_timer
 *                                   |
 *                                   `-- attempt_failed (none left) --> FAILED
 */

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>

#include <uv.h>

#include "loginstorm/error.h"
#include "loginstorm/record.h"
#include "loginstorm/scenario.h"
#include "loginstorm/schedule.h"

struct ls_engine;

struct ls_engine_job {
    const struct ls_scenario *scenario;
    const struct ls_schedule *schedule;
    struct ls_record *record; /* rows of all users; the engine fills those of its shard */
    struct sockaddr_storage target;
    const char *trust; /* PEM of the issuer, for populations that verify the chain */
    int shard, shards;
    /* Called once, when the last login of the shard is decided. Held sessions are open then. */
    void (*decided)(void *data);
    /* Called once, when the last connection is closed after ls_engine_release or ls_engine_stop. */
    void (*closed)(void *data);
    void *data;
};

/* What an engine saw of itself, for the verdict, and where it stands, for the progress line. */
struct ls_engine_facts {
    int64_t started, decided, logged_in, failed;
    int64_t in_flight; /* logins started and not decided */
    int64_t sessions_lost;
    int64_t unrecorded;    /* rows that the record did not take: a fault of ours, never to be passed
                              over */
    int64_t worst_turn_ns; /* longest turn of the loop */
    int64_t clock_gap_ns;  /* longest time in which the process did not run at all */
};

/* Handshake rows that a record needs for a scenario: every connection of every attempt of every
 * user. */
int64_t ls_engine_handshakes_max(const struct ls_scenario *scenario,
                                 const struct ls_schedule *schedule);

/* The most connections that a shard (0 of 1: all users) can have open at once: a window as long as
 * a user may stay, slid over the schedule. */
int64_t ls_engine_open_max(const struct ls_scenario *scenario, const struct ls_schedule *schedule,
                           int shard, int shards);

/*
 * Prepares everything that could fail: TLS settings, memory for all users, descriptors (the limit
 * is raised where that is allowed). LS_EINPUT for settings that cannot work and for a target beyond
 * this machine, LS_ELIMIT with what to do for a limit that is too low. What job points to must
 * outlive the engine.
 */
LS_MUST_CHECK
enum ls_code ls_engine_new(struct ls_engine **out, uv_loop_t *loop, const struct ls_engine_job *job,
                           struct ls_error *err);

/* The storm's start, on the monotonic clock; due times count from it. Once. */
LS_MUST_CHECK
enum ls_code ls_engine_start(struct ls_engine *engine, int64_t start_ns, struct ls_error *err);

/* Lets go of the sessions held until the end. Only when all logins are decided. */
void ls_engine_release(struct ls_engine *engine);

/* Ends early: undecided logins are put down as cut off, every connection is reset. May be called at
 * any time, twice too. */
void ls_engine_stop(struct ls_engine *engine);

void ls_engine_facts(const struct ls_engine *engine, struct ls_engine_facts *facts);

/* After closed was called and the loop has run out; one that was never started is stopped first. */
void ls_engine_free(struct ls_engine *engine);

#endif
