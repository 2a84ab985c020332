/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_ENGINE_LOGIN_H
#define LOGINSTORM_ENGINE_LOGIN_H

/* Between the files of the engine: its struct, a user's slot, a slot's connections. */

#include "engine/answer.h"
#include "loginstorm/engine.h"
#include "loginstorm/tls.h"
#include "loginstorm/wire.h"

enum slot_state {
    SLOT_DUE,
    SLOT_CONNECTING,
    SLOT_SECURING,
    SLOT_LOGGING_IN,
    SLOT_AWAITING_TICKET,
    SLOT_WAITING,
    SLOT_HOLDING,
    SLOT_DONE,
    SLOT_FAILED,
};

struct connection;

struct slot {
    uv_timer_t timer;
    struct ls_engine *engine;
    struct connection *connections; /* of this attempt, the newest first */
    struct ls_tls_session *session; /* for its next connection to offer, or NULL */
    struct ls_login row;
    int64_t deadline_ns; /* of the state, on the monotonic clock; the timer is armed for it */
    uint32_t user;
    uint16_t begun; /* connections of this attempt so far */
    uint8_t state;
    bool decided;
};

/* One TLS connection of a login. */
struct connection {
    struct ls_wire wire; /* first, so that a wire is its connection */
    struct slot *slot;   /* NULL once the slot has let go of it */
    struct connection *next;
    struct ls_engine *engine;
    struct ls_handshake row;
    int64_t received_plain_bytes;
    struct answer answer; /* to its request, where the profile speaks HTTP */
    size_t row_at;        /* in the record */
    bool recorded;        /* or tried to */
    bool in_record;
    bool answered; /* wholly */
};

/* What a population's users share. */
struct profile {
    struct ls_tls_context *context;
    int connections;
    char *request; /* NULL: handshake only */
    size_t request_size;
    bool http; /* the answer is taken to its end, rather than to a number of bytes */
};

struct ls_engine {
    struct ls_engine_job job;
    uv_loop_t *loop;
    struct ls_hub hub;
    struct profile *profiles;
    size_t profiles_count;
    struct slot *slots;
    size_t slots_count;      /* of this shard */
    struct tickets *tickets; /* NULL: none were fetched */
    size_t next;             /* slots before it have been started */
    size_t present;          /* users started and not gone */
    size_t wave;             /* of a closed loop: the one under way */
    int64_t start_ns;
    int64_t
        ended_ns; /* when the end began, from the start: closing thousands takes a while itself */
    struct ls_engine_facts facts;
    int64_t open_connections;
    int64_t *begun_ns; /* of the last connections_per_s connections; NULL: there is no cap */
    uint64_t begun;
    int sources; /* loopback addresses to spread over; 0: the kernel chooses */
    uint64_t connects;
    struct ls_network proxy; /* where the scenario says proxy_protocol: v2 */
    int pacer_fd;
    uv_poll_t pacer;
    uv_timer_t heartbeat;
    int64_t beat_ns, beat_cpu_ns;
    bool started, ending, told_closed;
};

extern const struct ls_wire_calls engine_calls;

/* Starts one user: its first attempt's first connection. */
void slot_start(struct slot *slot);

/* Puts an undecided login down as cut off (or never sent) and resets what it has open. */
void slot_cut_off(struct slot *slot);

/* Closes what a slot has open, held sessions too. */
void slot_close(struct slot *slot, bool reset);

void slot_timer_init(struct slot *slot);

/* Whether the user comes with a ticket of an earlier session. */
bool slot_resumes(const struct slot *slot);

/* What a wire's end means in a phase of a connection. */
enum ls_reason reason_of_wire(enum ls_wire_why why, enum slot_state phase);

/* In TLS 1.3 tickets follow the handshake at their leisure: they are counted when the connection
 * goes, and who heard nothing more of the server does not say that there were none. */
void bytes_count_tickets(struct connection *connection);

/* Puts down how a handshake ended, and when, from the run's start; once. */
void bytes_record(struct connection *connection, enum ls_outcome outcome, enum ls_reason reason,
                  int64_t ended_ns);

/* How many TCP segments were sent again so far. */
void bytes_record_retransmits(struct connection *connection);

/* The address that the next connection comes from: out, or NULL where the kernel chooses. */
const struct sockaddr *engine_source(struct ls_engine *engine, struct sockaddr_in *out);

/* Tickets that are being fetched: their connections keep an engine from its end. */
bool tickets_under_way(const struct ls_engine *engine);
void tickets_stop(struct ls_engine *engine);

/* To be called when a connection or timer may have been the last. */
void engine_check_closed(struct ls_engine *engine);

/* The request of exactly the wished size; the caller frees it. The embedded gateway is asked for an
 * answer of exactly the wished size, another one for the wished path. LS_EINPUT when the size is too
 * small for a request line. */
LS_MUST_CHECK
enum ls_code request_build(char **out, const struct ls_login_wish *login, bool embedded,
                           const char *host, struct ls_error *err);

/* What came in answer to the request, and whether it is over. The bytes stay where they are. */
enum answer_is request_hear(struct connection *connection, const struct profile *profile,
                            const struct ls_login_wish *login);

/* What a job's pace cannot be: LS_EINPUT. */
LS_MUST_CHECK
enum ls_code pace_check(const struct ls_engine_job *job, struct ls_error *err);

LS_MUST_CHECK
enum ls_code pace_prepare(struct ls_engine *engine, struct ls_error *err);

/* From now on users are started as the schedule says. Not 0: errno says why not. */
LS_MUST_CHECK
int pace_start(struct ls_engine *engine);

/* Starts whoever may start by now. Called by the pacer, and between two pieces of TLS work so that those
 * never make a user late. data is the engine. */
void pace_start_due(void *data);

/* To be called when a user has gone: decided, and nothing of his open any more. */
void pace_gone(struct ls_engine *engine);

/* Whether every target is one that somebody permits: LS_EINPUT otherwise. */
LS_MUST_CHECK
enum ls_code permit_check(const struct ls_engine *engine, struct ls_error *err);

LS_MUST_CHECK
enum ls_code permit_prepare(struct ls_engine *engine, struct ls_error *err);

/* Where the slot's next connection goes, looked at again each time. NULL: nowhere, since that would be
 * more than the cap, or not permitted. now_ns is when it begins: the cap is held by the same moment that is put down of it. */
const struct sockaddr *permit_address(struct ls_engine *engine, const struct slot *slot,
                                      int64_t now_ns);

/* The PROXY header of a connection that is there, where the scenario wants one: LS_ENOMEM. */
LS_MUST_CHECK
enum ls_code proxy_prepare(struct ls_engine *engine, struct ls_error *err);
LS_MUST_CHECK
enum ls_code proxy_begin(const struct ls_engine *engine, struct ls_wire *wire, uint32_t user);

/* How long a user can have descriptors open at the most. */
int64_t stay_ns(const struct ls_scenario *scenario);

/* The most connections of a share of the users that begin within a window of that length (its ends included), wherever it lies,
 * all of a login's at its due time. Not of closed loops. */
int64_t window_most(const struct ls_scenario *scenario, const struct ls_schedule *schedule,
                    const struct ls_share *share, int64_t window_ns);

/* Descriptors and ports, before the start. */
LS_MUST_CHECK
enum ls_code limits_prepare(struct ls_engine *engine, struct ls_error *err);

#endif
