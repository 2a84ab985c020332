/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_ENGINE_LOGIN_H
#define LOGINSTORM_ENGINE_LOGIN_H

/* Between the files of the engine: its struct, a user's slot, a slot's connections. */

#include "loginstorm/engine.h"
#include "loginstorm/tls.h"
#include "loginstorm/wire.h"

enum slot_state {
    SLOT_DUE,
    SLOT_CONNECTING,
    SLOT_SECURING,
    SLOT_LOGGING_IN,
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
    bool recorded;
};

/* What a population's users share. */
struct profile {
    struct ls_tls_context *context;
    int connections;
    char *request; /* NULL: handshake only */
    size_t request_size;
};

struct ls_engine {
    struct ls_engine_job job;
    uv_loop_t *loop;
    struct ls_hub hub;
    struct profile *profiles;
    size_t profiles_count;
    struct slot *slots;
    size_t slots_count; /* of this shard */
    size_t next;        /* slots before it have been started */
    int64_t start_ns;
    struct ls_engine_facts facts;
    int64_t open_connections;
    int sources; /* loopback addresses to spread over; 0: the kernel chooses */
    uint64_t connects;
    int pacer_fd;
    uv_poll_t pacer;
    uv_timer_t heartbeat;
    int64_t beat_ns, beat_cpu_ns;
    bool started, ending, told_closed;
};

extern const struct ls_wire_calls engine_calls;

/* Starts one user: its first attempt's first connection. */
void slot_start(struct slot *slot);

/* Puts an undecided login down as cut off and resets what it has open. */
void slot_cut_off(struct slot *slot);

/* Closes what a slot has open, held sessions too. */
void slot_close(struct slot *slot, bool reset);

void slot_timer_init(struct slot *slot);

/* To be called when a connection or timer may have been the last. */
void engine_check_closed(struct ls_engine *engine);

/* The request of exactly size bytes that asks a gateway for an answer of exactly answer bytes; the
 * caller frees it. LS_EINPUT when size is too small for a request line. */
LS_MUST_CHECK
enum ls_code request_build(char **out, int64_t size, int64_t answer, const char *host,
                           struct ls_error *err);

/* Descriptors and ports, before the start. */
LS_MUST_CHECK
enum ls_code limits_prepare(struct ls_engine *engine, struct ls_error *err);

#endif
