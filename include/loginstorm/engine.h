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
 * An open loop: a user starts when it is due, whatever became of those before. A closed one (a schedule
 * with waves): so many at a time, the next when one has gone; a user's due_ns is then its start. One
 * engine plays one shard of the users (user number modulo shards; of a closed loop all) on one libuv
 * loop.
 *
 *     DUE -slot_start-> CONNECTING --on_connected--> SECURING --on_secured--> LOGGING_IN
 *                          ^  ^ ^                         |                        |
 *                          |  | `---- next_connection ----`------------------------|
 *                          |  |        (the login has more; who resumes is in      |
 *                          |  |         AWAITING_TICKET until on_ticket, on_timer)  |
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
#include "loginstorm/network.h"
#include "loginstorm/record.h"
#include "loginstorm/scenario.h"
#include "loginstorm/schedule.h"
#include "loginstorm/tls.h"

struct ls_engine;

/* Where the gateway is: its name was resolved once, so that no later answer of a name server leads a
 * storm astray. A user takes the address of its number, and the next one with each further attempt. */
#define LS_TARGETS_MAX 16
struct ls_target {
    struct sockaddr_storage addresses[LS_TARGETS_MAX];
    int count; /* at least 1 */
};

/* Whether a storm may go there: to this machine always, elsewhere where the scenario's
 * gateway.allow.addresses names that very address. */
bool ls_address_is_permitted(const struct ls_scenario *scenario,
                             const struct sockaddr_storage *address);

struct ls_engine_job {
    const struct ls_scenario *scenario;
    const struct ls_schedule *schedule;
    struct ls_record *record; /* rows of all users; the engine fills those of its shard */
    struct ls_target target;
    int64_t
        connections_per_s;   /* that this shard may begin; more are refused as our own limit. 0: as
                                  many as come */
    const char *trust;       /* PEM of the issuer, for populations that verify the chain */
    const char *server_name; /* what all ask for, instead of their population's name; or NULL */
    const char *host; /* what a population without a name of its own asks for; NULL: the default;
                         "": no name at all */
    /* What each population shows to a gateway that asks for a certificate, NULL for those that have
     * none; as many as there are populations. NULL: nobody has one. */
    const struct ls_identity *const *clients;
    int shard, shards;
    struct ls_share machine; /* whom this machine's injectors play in all; zeroed: all users */
    /* Called once after ls_engine_fetch: why is NULL when every user who resumes has its ticket.
     * NULL where nothing is fetched. */
    void (*fetched)(const struct ls_error *why, void *data);
    /* Called once, when the last login of the shard is decided. Held sessions are open then. */
    void (*decided)(void *data);
    /* Called once, when the last connection is closed after ls_engine_release or ls_engine_stop. */
    void (*closed)(void *data);
    void *data;
};

/* What an engine saw of itself, for the verdict, and where it stands, for the progress line. */
struct ls_engine_facts {
    int64_t started, decided;
    int64_t logged_in, failed; /* of those started */
    int64_t in_flight;         /* logins started and not decided */
    int64_t sessions_lost;
    int64_t tickets_fetched; /* before the storm, in no other count */
    int64_t unrecorded;    /* rows that the record did not take: a fault of ours, never to be passed
                              over */
    int64_t worst_turn_ns; /* longest turn of the loop */
    int64_t clock_gap_ns;  /* longest time in which the process did not run at all */
};

/* A population's clients in the TLS room's words; points into what it is given. What tries a
 * certificate before a storm asks here too, so that it meets the clients of the storm. */
struct ls_tls_client_wish ls_engine_client_wish(const struct ls_tls_wish *tls,
                                                const char *server_name, const char *trust);

/* What users with these settings ask for, or NULL: no name. The certificate's server_name goes first
 * (NULL: none), then their own, then the target's host where they have none: as in ls_engine_job. */
const char *ls_engine_asked_name(const char *server_name, const struct ls_tls_wish *tls,
                                 const char *host);

/*
 * The header of the PROXY protocol, version 2, with which a balancer would forward that user's
 * connection: from a host of `sources`, by the user's number, to target, both as IPv6 where one is.
 * Its size.
 */
#define LS_PROXY_HEADER_MAX 52
size_t ls_proxy_header(uint8_t out[LS_PROXY_HEADER_MAX], const struct ls_network *sources,
                       uint32_t user, const struct sockaddr_storage *target);

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
 * is raised where that is allowed). LS_EINPUT for settings that cannot work and for a target that
 * nobody permits, LS_ELIMIT with what to do for a limit that is too low. What job points to must
 * outlive the engine.
 */
LS_MUST_CHECK
enum ls_code ls_engine_new(struct ls_engine **out, uv_loop_t *loop, const struct ls_engine_job *job,
                           struct ls_error *err);

/*
 * Whether a user comes with a ticket of an earlier session: a draw of (seed, user) against the
 * population's `tls.resume`, from a stream of its own. And how many do.
 */
bool ls_engine_resumes(const struct ls_scenario *scenario, const struct ls_schedule *schedule,
                       size_t user);
int64_t ls_engine_resuming(const struct ls_scenario *scenario, const struct ls_schedule *schedule);

/*
 * That earlier session: one full handshake for each user of the shard who resumes, some at a time,
 * in no record and no count but facts.tickets_fetched. job->fetched answers, perhaps before this
 * returns: LS_EINPUT when the gateway gives no tickets, LS_EUNREACHABLE when no handshake comes
 * about, each within 10 s. Before ls_engine_start, once.
 *
 * In the storm such a user's first connection offers that ticket; every further one, of a retry
 * too, the newest that came since then, each once. So that timing does not decide how many resume, a
 * further connection of theirs begins when the ticket of the one before has come, which in TLS 1.3
 * is right behind the handshake: a wait that is part of the login, but of no handshake. It lasts as
 * long as a handshake may; then the connection begins without one, and is full. A user who does not
 * resume never offers one, and waits for none. Memory: about 540 bytes a ticket, until it is used.
 */
LS_MUST_CHECK
enum ls_code ls_engine_fetch(struct ls_engine *engine, struct ls_error *err);

/* The storm's start, on the monotonic clock; due times count from it. Once. */
LS_MUST_CHECK
enum ls_code ls_engine_start(struct ls_engine *engine, int64_t start_ns, struct ls_error *err);

/* Lets go of the sessions held until the end. Only when all logins are decided. */
void ls_engine_release(struct ls_engine *engine);

/* Ends early: undecided logins are put down as cut off, those that should long have been sent as never sent; every connection is reset. May be called at
 * any time, twice too. */
void ls_engine_stop(struct ls_engine *engine);

void ls_engine_facts(const struct ls_engine *engine, struct ls_engine_facts *facts);

/* After closed was called and the loop has run out; one that was never started is stopped first. */
void ls_engine_free(struct ls_engine *engine);

#endif
