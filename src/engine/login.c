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

static int64_t login_ends_ns(const struct slot *slot)
{
    return slot->engine->start_ns + slot->row.due_ns +
           slot->engine->job.scenario->login.login_timeout_ns;
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

/* The deadline of a phase that began then, or the whole login's when that comes first. */
static void arm_phase(struct slot *slot, int64_t began_ns, int64_t phase_ns)
{
    const int64_t login_ns = login_ends_ns(slot);
    const int64_t end_ns = began_ns + phase_ns;

    arm(slot, end_ns < login_ns ? end_ns : login_ns);
}

/* At the end of an attempt, while its connections are still there: a request or its answer that got lost delays a login as much
 * as a SYN does. */
static void record_retransmits(struct slot *slot)
{
    for (struct connection *connection = slot->connections; connection != NULL;
         connection = connection->next) {
        bytes_record_retransmits(connection);
    }
}

void slot_close(struct slot *slot, bool reset)
{
    struct connection *connection = slot->connections;

    slot->connections = NULL;
    while (connection != NULL) {
        struct connection *next = connection->next;

        bytes_count_tickets(connection);
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
    ls_tls_session_free(slot->session);
    slot->session = NULL;
    slot->row.outcome = (uint8_t)outcome;
    if (reason != LS_REASON_NONE) {
        slot->row.reason = (uint8_t)reason;
    }
    if (ls_record_login(engine->job.record, slot->user, &slot->row) != LS_OK) {
        engine->facts.unrecorded++;
    }
    engine->facts.decided++;
    engine->facts.logged_in += outcome == LS_OUTCOME_LOGGED_IN;
    if (slot->state != SLOT_DUE) { /* who was never sent is not among the started */
        engine->facts.failed += outcome == LS_OUTCOME_FAILED;
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

/* Here and below: now_ns is when what is served was met, on the monotonic clock, and in time. */
static void login_came_through(struct slot *slot, int64_t now_ns)
{
    const struct ls_login_wish *wish = wish_of(slot);

    slot->row.done_ns = now_ns - slot->engine->start_ns;
    record_retransmits(slot);
    (void)uv_timer_stop(&slot->timer);
    slot->state = wish->hold == LS_HOLD_NONE ? SLOT_DONE : SLOT_HOLDING;
    if (wish->hold == LS_HOLD_NONE) {
        slot_close(slot, resets(slot));
    } else if (wish->hold == LS_HOLD_DURATION) {
        arm(slot, ls_now_ns() + wish->hold_ns);
    }
    decide(slot, LS_OUTCOME_LOGGED_IN, LS_REASON_NONE);
    if (wish->hold == LS_HOLD_NONE) {
        pace_gone(slot->engine);
    }
}

/* In TLS 1.3 a ticket follows the handshake. A next connection that did not wait for it would be
 * full or resumed as the timing has it; in 1.2 it has come by now, or never will. */
static bool awaits_ticket(const struct slot *slot)
{
    return slot->session == NULL && slot_resumes(slot) && slot->connections->row.tls13;
}

static void connection_came_through(struct slot *slot, int64_t now_ns)
{
    if (slot->begun == profile_of(slot)->connections) {
        login_came_through(slot, now_ns);
    } else if (awaits_ticket(slot)) {
        slot->state = SLOT_AWAITING_TICKET;
        arm_phase(slot, now_ns, wish_of(slot)->handshake_timeout_ns);
    } else {
        next_connection(slot);
    }
}

/* A server that has answered may close: the login does not need that connection any more. */
static void let_go(struct slot *slot, struct connection *connection)
{
    struct connection **at = &slot->connections;

    while (*at != connection) {
        at = &(*at)->next;
    }
    *at = connection->next;
    bytes_record_retransmits(connection);
    bytes_count_tickets(connection);
    connection->slot = NULL;
    connection->next = NULL;
    ls_wire_close(&connection->wire, false);
}

static void next_connection(struct slot *slot)
{
    struct ls_engine *engine = slot->engine;
    const int64_t now_ns = run_ns(engine);
    const struct sockaddr *target = permit_address(engine, slot, engine->start_ns + now_ns);
    struct connection *connection = target == NULL ? NULL : calloc(1, sizeof *connection);
    struct sockaddr_in source;

    if (slot->row.started_ns == LS_NEVER_NS) {
        slot->row.started_ns = now_ns;
        if (engine->job.schedule->waves_count > 0) {
            slot->row.due_ns = now_ns; /* in a closed loop nobody is due before he can come */
        }
    }
    if (connection == NULL) {
        attempt_failed(slot, target == NULL ? LS_REASON_OWN_CAP : LS_REASON_OWN_MEMORY);
        return;
    }
    slot->state = SLOT_CONNECTING;
    arm_phase(slot, engine->start_ns + now_ns, wish_of(slot)->connect_timeout_ns);
    connection->slot = slot;
    connection->engine = engine;
    connection->wire.session = slot->session;
    slot->session = NULL;
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
    ls_wire_connect(&connection->wire, &engine->hub, profile_of(slot)->context, target,
                    engine_source(engine, &source));
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

/* A ticket that no Client Hello went out with is as good as before. */
static void keep_unused(struct slot *slot, struct connection *connection)
{
    if (slot->session == NULL) {
        slot->session = connection->wire.session;
        connection->wire.session = NULL;
    }
}

static void attempt_failed(struct slot *slot, enum ls_reason reason)
{
    const struct ls_login_wish *wish = wish_of(slot);
    int64_t again_ns;

    slot->row.done_ns = run_ns(slot->engine);
    if (slot->connections != NULL) {
        bytes_record(slot->connections, LS_OUTCOME_FAILED, reason, slot->row.done_ns);
        record_retransmits(slot);
        keep_unused(slot, slot->connections);
    }
    slot->row.reason = (uint8_t)reason;
    slot_close(slot, true);
    again_ns = ls_now_ns() + retry_wait_ns(slot);
    if (slot->row.attempts < wish->attempts && again_ns < login_ends_ns(slot)) {
        slot->state = SLOT_WAITING;
        arm(slot, again_ns);
        return;
    }
    (void)uv_timer_stop(&slot->timer);
    slot->state = SLOT_FAILED;
    decide(slot, LS_OUTCOME_FAILED, reason);
    pace_gone(slot->engine);
}

/* Whether a login under way had run out of time by then. Then that is how its attempt ended, whatever came of it later: a busy
 * loop serves timers late, and what it finds beside them too. */
static bool timed_out(struct slot *slot, int64_t now_ns)
{
    const bool login_is_over = now_ns >= login_ends_ns(slot);

    if (now_ns < slot->deadline_ns) {
        return false;
    }
    switch ((enum slot_state)slot->state) {
    case SLOT_CONNECTING:
        attempt_failed(slot, login_is_over ? LS_REASON_LOGIN_TIMEOUT : LS_REASON_CONNECT_TIMEOUT);
        return true;
    case SLOT_SECURING:
        attempt_failed(slot, login_is_over ? LS_REASON_LOGIN_TIMEOUT : LS_REASON_HANDSHAKE_TIMEOUT);
        return true;
    case SLOT_LOGGING_IN:
        attempt_failed(slot, LS_REASON_LOGIN_TIMEOUT);
        return true;
    case SLOT_AWAITING_TICKET:
        if (login_is_over) {
            attempt_failed(slot, LS_REASON_LOGIN_TIMEOUT);
        } else {
            next_connection(slot);
        }
        return true;
    case SLOT_DUE:
    case SLOT_WAITING:
    case SLOT_HOLDING:
    case SLOT_DONE:
    case SLOT_FAILED:
        break;
    }
    return false;
}

static void on_timer(uv_timer_t *timer)
{
    struct slot *slot = timer->data;
    const int64_t now_ns = ls_now_ns();

    if (now_ns < slot->deadline_ns) {
        arm(slot, slot->deadline_ns);
    } else if (timed_out(slot, now_ns)) {
        return;
    } else if (slot->state == SLOT_WAITING) {
        begin_attempt(slot);
    } else if (slot->state == SLOT_HOLDING) {
        slot->state = SLOT_DONE;
        slot_close(slot, resets(slot));
        pace_gone(slot->engine);
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
        const struct ls_engine *engine = slot->engine;
        const bool closed = engine->job.schedule->waves_count > 0;
        const bool never_sent = engine->started && slot->state == SLOT_DUE && !closed &&
                                engine->ended_ns - slot->row.due_ns > LS_NEVER_SENT_NS;

        slot->row.done_ns = engine->started ? run_ns(engine) : LS_NEVER_NS;
        if (closed && slot->state == SLOT_DUE && slot->row.done_ns > 0) {
            slot->row.due_ns = slot->row.done_ns; /* whose turn never came */
        }
        if (slot->connections != NULL) {
            bytes_record(slot->connections, LS_OUTCOME_CUT_OFF, LS_REASON_NONE, slot->row.done_ns);
            record_retransmits(slot);
        }
        decide(slot, never_sent ? LS_OUTCOME_FAILED : LS_OUTCOME_CUT_OFF,
               never_sent ? LS_REASON_NEVER_SENT : LS_REASON_NONE);
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
    const int64_t now_ns = ls_now_ns();

    if (timed_out(slot, now_ns)) {
        return;
    }
    connection->row.connected_ns = now_ns - connection->engine->start_ns;
    if (slot->row.connected_ns == LS_NEVER_NS) {
        slot->row.connected_ns = connection->row.connected_ns;
    }
    slot->state = SLOT_SECURING;
    if (proxy_begin(slot->engine, wire, slot->user) != LS_OK) {
        attempt_failed(slot, LS_REASON_OWN_MEMORY);
        return;
    }
    arm_phase(slot, now_ns, wish_of(slot)->handshake_timeout_ns);
}

/* Only who resumes keeps tickets, and only for connections that may come. */
static void on_ticket(struct ls_wire *wire)
{
    struct slot *slot = connection_of(wire)->slot;
    struct ls_error err;

    if (slot != NULL && timed_out(slot, ls_now_ns())) {
        return;
    }
    if (slot == NULL || slot->decided || !slot_resumes(slot) ||
        (slot->begun == profile_of(slot)->connections &&
         slot->row.attempts == wish_of(slot)->attempts)) {
        return;
    }
    ls_tls_session_free(slot->session);
    if (ls_tls_end_take_session(wire->end, &slot->session, &err) != LS_OK) {
        attempt_failed(slot, LS_REASON_OWN_MEMORY);
    } else if (slot->state == SLOT_AWAITING_TICKET) {
        next_connection(slot);
    }
}

static void on_secured(struct ls_wire *wire)
{
    struct connection *connection = connection_of(wire);
    struct slot *slot = connection->slot;
    const struct profile *profile = profile_of(slot);
    const int64_t now_ns = ls_now_ns();

    if (timed_out(slot, now_ns)) {
        return;
    }
    bytes_record(connection, LS_OUTCOME_LOGGED_IN, LS_REASON_NONE,
                 now_ns - connection->engine->start_ns);
    if (slot->row.secured_ns == LS_NEVER_NS) {
        slot->row.secured_ns = connection->row.ended_ns;
    }
    if (profile->request == NULL) {
        connection_came_through(slot, now_ns);
        return;
    }
    slot->state = SLOT_LOGGING_IN;
    arm_phase(slot, now_ns, wish_of(slot)->login_timeout_ns);
    ls_wire_write(wire, profile->request, profile->request_size);
}

static void on_plain(struct ls_wire *wire)
{
    struct connection *connection = connection_of(wire);
    struct slot *slot = connection->slot;
    const int64_t now_ns = ls_now_ns();
    enum answer_is is = ANSWER_MORE;

    if (timed_out(slot, now_ns) && connection->slot == NULL) {
        return;
    }
    if (slot->state == SLOT_LOGGING_IN && connection == slot->connections) {
        is = request_hear(connection, profile_of(slot), wish_of(slot));
    }
    ls_bytes_drop(&wire->plain, ls_bytes_size(&wire->plain));
    if (is == ANSWER_WHOLE) {
        connection->answered = true;
        connection_came_through(slot, now_ns);
    } else if (is != ANSWER_MORE) {
        attempt_failed(slot, is == ANSWER_REFUSED ? LS_REASON_REQUEST_REFUSED
                                                  : LS_REASON_REQUEST_PROTOCOL);
    }
}

/* The peer closed in order. True where that is no failure: its answer is over, or is now. */
static bool answer_is_over(struct slot *slot, struct connection *connection, int64_t now_ns)
{
    const bool newest = connection == slot->connections;

    if (!profile_of(slot)->http) {
        return false;
    }
    if (connection->answered) {
        let_go(slot, connection);
        if (newest && slot->state == SLOT_AWAITING_TICKET) {
            next_connection(slot); /* none will come */
        }
        return true;
    }
    if (!newest || slot->state != SLOT_LOGGING_IN ||
        !answer_ends_with_connection(&connection->answer)) {
        return false;
    }
    let_go(slot, connection);
    if (slot->begun == profile_of(slot)->connections) {
        login_came_through(slot, now_ns);
    } else {
        next_connection(slot);
    }
    return true;
}

static void on_ended(struct ls_wire *wire)
{
    struct connection *connection = connection_of(wire);
    struct slot *slot = connection->slot;
    const enum ls_wire_why why = (enum ls_wire_why)wire->why;
    const int64_t now_ns = ls_now_ns();

    if (slot == NULL) {
        ls_wire_close(wire, true);
    } else if ((timed_out(slot, now_ns) && connection->slot == NULL) ||
               (why == LS_WIRE_PEER_CLOSED && answer_is_over(slot, connection, now_ns))) {
        return;
    } else if (slot->state == SLOT_HOLDING) {
        slot->engine->facts.sessions_lost++;
        slot->state = SLOT_DONE;
        (void)uv_timer_stop(&slot->timer);
        slot_close(slot, true);
        pace_gone(slot->engine);
    } else {
        /* An earlier connection of the login that ends takes the login with it, as the one under
         * way does. */
        attempt_failed(slot, reason_of_wire(why, connection == slot->connections
                                                     ? (enum slot_state)slot->state
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
    .ticket = on_ticket,
    .secured = on_secured,
    .plain = on_plain,
    .ended = on_ended,
    .closed = on_closed,
};
