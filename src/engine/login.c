/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state machine of one user; the diagram is in loginstorm/engine.h. */
#include "engine/login.h"

#include <math.h>
#include <stdlib.h>

#include "loginstorm/random.h"
#include "loginstorm/units.h"

static void next_connection(struct slot *slot);
static void attempt_failed(struct slot *slot, enum ls_reason reason);

static int64_t run_ns(const struct ls_engine *engine)
{
    return ls_now_ns() - engine->start_ns;
}

static const struct ls_login_wish *wish_of(const struct slot *slot)
{
    return &slot->engine->job.scenario->login;
}

static const struct profile *profile_of(const struct slot *slot)
{
    return &slot->engine->profiles[slot->row.population];
}

static void on_timer(uv_timer_t *timer);

static void arm(struct slot *slot, int64_t deadline_ns)
{
    const int64_t left_ns = deadline_ns - ls_now_ns();

    slot->deadline_ns = deadline_ns;
    /* libuv counts from its cached time, which may be a long turn old. */
    uv_update_time(slot->engine->loop);
    (void)uv_timer_start(&slot->timer, on_timer,
                         left_ns <= 0 ? 0 : (uint64_t)((left_ns + LS_NS_PER_MS - 1) / LS_NS_PER_MS),
                         0);
}

/* The deadline of a phase, or the whole login's when that comes first. */
static void arm_phase(struct slot *slot, int64_t phase_ns)
{
    const int64_t login_ns =
        slot->engine->start_ns + slot->row.due_ns + wish_of(slot)->login_timeout_ns;
    const int64_t end_ns = ls_now_ns() + phase_ns;

    arm(slot, end_ns < login_ns ? end_ns : login_ns);
}

/* The phase of the connection under way; a login has one at a time. */
static enum ls_reason reason_of(enum ls_wire_why why, enum slot_state phase)
{
    switch (why) {
    case LS_WIRE_REFUSED:
        return LS_REASON_CONNECT_REFUSED;
    case LS_WIRE_UNREACHABLE:
        return LS_REASON_CONNECT_UNREACHABLE;
    case LS_WIRE_SYN_TIMEOUT:
        return phase == SLOT_CONNECTING ? LS_REASON_CONNECT_TIMEOUT
               : phase == SLOT_SECURING ? LS_REASON_HANDSHAKE_TIMEOUT
                                        : LS_REASON_LOGIN_TIMEOUT;
    case LS_WIRE_RESET:
        return phase == SLOT_CONNECTING ? LS_REASON_CONNECT_RESET
               : phase == SLOT_SECURING ? LS_REASON_HANDSHAKE_RESET
                                        : LS_REASON_REQUEST_RESET;
    case LS_WIRE_FINE:
    case LS_WIRE_PEER_CLOSED:
        return phase == SLOT_CONNECTING ? LS_REASON_CONNECT_RESET
               : phase == SLOT_SECURING ? LS_REASON_HANDSHAKE_CLOSED
                                        : LS_REASON_REQUEST_CLOSED;
    case LS_WIRE_ALERT:
        return phase == SLOT_SECURING ? LS_REASON_HANDSHAKE_ALERT : LS_REASON_REQUEST_PROTOCOL;
    case LS_WIRE_CERTIFICATE:
        return LS_REASON_CERTIFICATE_REJECTED;
    case LS_WIRE_PROTOCOL:
        return phase == SLOT_SECURING ? LS_REASON_HANDSHAKE_PROTOCOL : LS_REASON_REQUEST_PROTOCOL;
    case LS_WIRE_OWN_DESCRIPTORS:
        return LS_REASON_OWN_DESCRIPTORS;
    case LS_WIRE_OWN_PORTS:
        return LS_REASON_OWN_PORTS;
    case LS_WIRE_OWN_MEMORY:
        return LS_REASON_OWN_MEMORY;
    case LS_WIRE_OWN_OTHER:
        break;
    }
    return LS_REASON_OWN_OTHER;
}

/* Puts down how a handshake ended, once. */
static void record_handshake(struct connection *connection, enum ls_outcome outcome,
                             enum ls_reason reason)
{
    struct ls_handshake *row = &connection->row;
    const struct ls_wire *wire = &connection->wire;

    if (connection->recorded) {
        return;
    }
    connection->recorded = true;
    row->ended_ns = run_ns(connection->engine);
    row->sent_bytes = wire->sent;
    row->received_bytes = wire->received;
    row->server_flight_bytes = wire->received;
    row->client_hello_bytes =
        (uint16_t)(wire->first_sent > UINT16_MAX ? UINT16_MAX : wire->first_sent);
    row->retransmits = (uint16_t)ls_wire_retransmits(wire);
    row->outcome = (uint8_t)outcome;
    row->reason = (uint8_t)reason;
    if (outcome == LS_OUTCOME_LOGGED_IN) {
        struct ls_tls_facts facts;

        ls_tls_end_facts(wire->end, &facts);
        row->resumed = facts.resumed;
        row->hello_retry = facts.hello_retry;
        row->tls13 = facts.tls13;
    }
    if (ls_record_handshake(connection->engine->job.record, row) != LS_OK) {
        connection->engine->facts.unrecorded++;
    }
}

void slot_close(struct slot *slot, bool reset)
{
    struct connection *connection = slot->connections;

    slot->connections = NULL;
    while (connection != NULL) {
        struct connection *next = connection->next;

        connection->slot = NULL;
        connection->next = NULL;
        /* A request that the peer never took is owed to nobody any more. */
        ls_wire_close(&connection->wire, reset || connection->wire.writing);
        connection = next;
    }
}

static void decide(struct slot *slot, enum ls_outcome outcome, enum ls_reason reason)
{
    struct ls_engine *engine = slot->engine;

    slot->decided = true;
    slot->row.outcome = (uint8_t)outcome;
    if (reason != LS_REASON_NONE) {
        slot->row.reason = (uint8_t)reason;
    }
    if (ls_record_login(engine->job.record, slot->user, &slot->row) != LS_OK) {
        engine->facts.unrecorded++;
    }
    engine->facts.decided++;
    engine->facts.logged_in += outcome == LS_OUTCOME_LOGGED_IN;
    engine->facts.failed += outcome == LS_OUTCOME_FAILED;
    if (slot->state != SLOT_DUE) {
        engine->facts.in_flight--;
    }
    if ((size_t)engine->facts.decided == engine->slots_count && !engine->ending) {
        engine->job.decided(engine->job.data);
    }
}

static bool resets(const struct slot *slot)
{
    return wish_of(slot)->close == LS_CLOSE_RESET;
}

static void login_came_through(struct slot *slot)
{
    const struct ls_login_wish *wish = wish_of(slot);

    /* Before the connections are closed: that is no part of the login. */
    slot->row.done_ns = run_ns(slot->engine);
    (void)uv_timer_stop(&slot->timer);
    slot->state = wish->hold == LS_HOLD_NONE ? SLOT_DONE : SLOT_HOLDING;
    if (wish->hold == LS_HOLD_NONE) {
        slot_close(slot, resets(slot));
    } else if (wish->hold == LS_HOLD_DURATION) {
        arm(slot, ls_now_ns() + wish->hold_ns);
    }
    decide(slot, LS_OUTCOME_LOGGED_IN, LS_REASON_NONE);
}

static void connection_came_through(struct slot *slot)
{
    if (slot->begun < profile_of(slot)->connections) {
        next_connection(slot);
    } else {
        login_came_through(slot);
    }
}

static void next_connection(struct slot *slot)
{
    struct ls_engine *engine = slot->engine;
    struct connection *connection = calloc(1, sizeof *connection);
    struct sockaddr_in source = {.sin_family = AF_INET};
    const int64_t now_ns = run_ns(engine);

    if (slot->row.started_ns == LS_NEVER_NS) {
        slot->row.started_ns = now_ns;
    }
    if (connection == NULL) {
        attempt_failed(slot, LS_REASON_OWN_MEMORY);
        return;
    }
    slot->state = SLOT_CONNECTING;
    arm_phase(slot, wish_of(slot)->connect_timeout_ns);
    connection->slot = slot;
    connection->engine = engine;
    connection->next = slot->connections;
    slot->connections = connection;
    connection->row = (struct ls_handshake){
        .started_ns = now_ns,
        .connected_ns = LS_NEVER_NS,
        .user = slot->user,
        .connection = (uint8_t)slot->begun,
        .attempt = slot->row.attempts,
    };
    slot->begun++;
    engine->open_connections++;
    if (engine->sources > 0) {
        source.sin_addr.s_addr =
            htonl(INADDR_LOOPBACK + (uint32_t)(engine->connects++ % (uint64_t)engine->sources));
    }
    ls_wire_connect(&connection->wire, &engine->hub, profile_of(slot)->context,
                    (const struct sockaddr *)&engine->job.target,
                    engine->sources > 0 ? (const struct sockaddr *)&source : NULL);
}

static void begin_attempt(struct slot *slot)
{
    slot->row.attempts++;
    slot->row.connected_ns = LS_NEVER_NS;
    slot->row.secured_ns = LS_NEVER_NS;
    slot->begun = 0;
    next_connection(slot);
}

void slot_start(struct slot *slot)
{
    struct ls_engine *engine = slot->engine;

    engine->facts.started++;
    engine->facts.in_flight++;
    begin_attempt(slot);
}

/* Exponential back-off; with jitter "full" anywhere between at once and the whole wait, so that
 * those who failed together do not come back together. */
static int64_t retry_wait_ns(const struct slot *slot)
{
    const struct ls_login_wish *wish = wish_of(slot);
    const double most = 86400e9;
    double wait = (double)wish->retry_wait_ns * pow(wish->retry_factor, slot->row.attempts - 1);
    const double u = ls_random_unit(slot->engine->job.scenario->seed, LS_STREAM_RETRY, slot->user,
                                    slot->row.attempts);

    if (wait > most) {
        wait = most;
    }
    if (wish->retry_jitter == LS_JITTER_FULL) {
        wait *= u;
    } else if (wish->retry_jitter == LS_JITTER_EQUAL) {
        wait *= 0.5 + u / 2;
    }
    return (int64_t)wait;
}

static void attempt_failed(struct slot *slot, enum ls_reason reason)
{
    const struct ls_login_wish *wish = wish_of(slot);
    const int64_t login_ends_ns =
        slot->engine->start_ns + slot->row.due_ns + wish->login_timeout_ns;
    int64_t again_ns;

    slot->row.done_ns = run_ns(slot->engine);
    if (slot->connections != NULL) {
        record_handshake(slot->connections, LS_OUTCOME_FAILED, reason);
    }
    slot->row.reason = (uint8_t)reason;
    slot_close(slot, true);
    again_ns = ls_now_ns() + retry_wait_ns(slot);
    if (slot->row.attempts < wish->attempts && again_ns < login_ends_ns) {
        slot->state = SLOT_WAITING;
        arm(slot, again_ns);
        return;
    }
    (void)uv_timer_stop(&slot->timer);
    slot->state = SLOT_FAILED;
    decide(slot, LS_OUTCOME_FAILED, reason);
}

static void on_timer(uv_timer_t *timer)
{
    struct slot *slot = timer->data;
    const int64_t now_ns = ls_now_ns();
    const int64_t login_ends_ns =
        slot->engine->start_ns + slot->row.due_ns + wish_of(slot)->login_timeout_ns;

    if (now_ns < slot->deadline_ns) {
        arm(slot, slot->deadline_ns);
        return;
    }
    switch ((enum slot_state)slot->state) {
    case SLOT_CONNECTING:
        attempt_failed(slot, now_ns >= login_ends_ns ? LS_REASON_LOGIN_TIMEOUT
                                                     : LS_REASON_CONNECT_TIMEOUT);
        break;
    case SLOT_SECURING:
        attempt_failed(slot, now_ns >= login_ends_ns ? LS_REASON_LOGIN_TIMEOUT
                                                     : LS_REASON_HANDSHAKE_TIMEOUT);
        break;
    case SLOT_LOGGING_IN:
        attempt_failed(slot, LS_REASON_LOGIN_TIMEOUT);
        break;
    case SLOT_WAITING:
        begin_attempt(slot);
        break;
    case SLOT_HOLDING:
        slot->state = SLOT_DONE;
        slot_close(slot, resets(slot));
        break;
    case SLOT_DUE:
    case SLOT_DONE:
    case SLOT_FAILED:
        break;
    }
}

void slot_timer_init(struct slot *slot)
{
    (void)uv_timer_init(slot->engine->loop, &slot->timer);
    slot->timer.data = slot;
}

void slot_cut_off(struct slot *slot)
{
    (void)uv_timer_stop(&slot->timer);
    if (!slot->decided) {
        slot->row.done_ns = slot->engine->started ? run_ns(slot->engine) : LS_NEVER_NS;
        if (slot->connections != NULL) {
            record_handshake(slot->connections, LS_OUTCOME_CUT_OFF, LS_REASON_NONE);
        }
        decide(slot, LS_OUTCOME_CUT_OFF, LS_REASON_NONE);
    }
    slot->state = SLOT_DONE;
    slot_close(slot, true);
}

static struct connection *connection_of(struct ls_wire *wire)
{
    return (struct connection *)wire;
}

static void on_connected(struct ls_wire *wire)
{
    struct connection *connection = connection_of(wire);
    struct slot *slot = connection->slot;

    connection->row.connected_ns = run_ns(connection->engine);
    if (slot->row.connected_ns == LS_NEVER_NS) {
        slot->row.connected_ns = connection->row.connected_ns;
    }
    slot->state = SLOT_SECURING;
    arm_phase(slot, wish_of(slot)->handshake_timeout_ns);
}

static void on_secured(struct ls_wire *wire)
{
    struct connection *connection = connection_of(wire);
    struct slot *slot = connection->slot;
    const struct profile *profile = profile_of(slot);

    record_handshake(connection, LS_OUTCOME_LOGGED_IN, LS_REASON_NONE);
    if (slot->row.secured_ns == LS_NEVER_NS) {
        slot->row.secured_ns = connection->row.ended_ns;
    }
    if (profile->request == NULL) {
        connection_came_through(slot);
        return;
    }
    slot->state = SLOT_LOGGING_IN;
    arm_phase(slot, wish_of(slot)->login_timeout_ns);
    ls_wire_write(wire, profile->request, profile->request_size);
}

static void on_plain(struct ls_wire *wire)
{
    struct connection *connection = connection_of(wire);
    struct slot *slot = connection->slot;
    const size_t size = ls_bytes_size(&wire->plain);
    /* Who wants no bytes waits for an answer all the same: its first byte. */
    const int64_t wished = wish_of(slot)->receive_bytes;
    const int64_t wanted = wished > 0 ? wished : 1;
    const int64_t before = connection->received_plain_bytes;

    connection->received_plain_bytes += (int64_t)size;
    ls_bytes_drop(&wire->plain, size);
    if (slot->state == SLOT_LOGGING_IN && connection == slot->connections && before < wanted &&
        connection->received_plain_bytes >= wanted) {
        connection_came_through(slot);
    }
}

static void on_ended(struct ls_wire *wire)
{
    struct connection *connection = connection_of(wire);
    struct slot *slot = connection->slot;
    const enum ls_wire_why why = (enum ls_wire_why)wire->why;

    if (slot == NULL) {
        ls_wire_close(wire, true);
    } else if (slot->state == SLOT_HOLDING) {
        slot->engine->facts.sessions_lost++;
        slot->state = SLOT_DONE;
        (void)uv_timer_stop(&slot->timer);
        slot_close(slot, true);
    } else {
        /* An earlier connection of the login that ends takes the login with it, as the one under
         * way does. */
        attempt_failed(slot,
                       reason_of(why, connection == slot->connections ? (enum slot_state)slot->state
                                                                      : SLOT_LOGGING_IN));
    }
}

static void on_closed(struct ls_wire *wire)
{
    struct connection *connection = connection_of(wire);
    struct ls_engine *engine = connection->engine;

    free(connection);
    engine->open_connections--;
    engine_check_closed(engine);
}

const struct ls_wire_calls engine_calls = {
    .connected = on_connected,
    .secured = on_secured,
    .plain = on_plain,
    .ended = on_ended,
    .closed = on_closed,
};
