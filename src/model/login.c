/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The user's side: the states of loginstorm/engine.h, each phase looked at once, when it is known how it
 * will end. */
#include "loginstorm/random.h"
#include "model/work.h"

void login_try(struct ls_model *model, uint32_t row)
{
    struct ls_login *login = &model->rows[row];
    struct state *state = &model->states[row];

    model->facts.attempts++;
    login->attempts++;
    login->connected_ns = LS_NEVER_NS;
    login->secured_ns = LS_NEVER_NS;
    state->connection = 0;
    state->lost_ns = INT64_MAX;
    connect_begin(model, row, model->now_ns);
}

void login_start(struct ls_model *model, uint32_t row)
{
    const struct ls_login *login = &model->rows[row];
    struct state *state = &model->states[row];
    const struct ls_model_population *population = &model->wish->populations[login->population];

    state->population = population;
    state->kind =
        row_resumes(model, population, state->user) ? &population->resumed : &population->full;
    state->ends_ns = later(login->due_ns, model->wish->login.login_timeout_ns);
    login_try(model, row);
}

static void decide(struct ls_model *model, uint32_t row, enum ls_outcome outcome, int64_t at_ns)
{
    struct ls_login *login = &model->rows[row];

    login->outcome = (uint8_t)outcome;
    login->done_ns = at_ns;
    model->facts.logged_in += outcome == LS_OUTCOME_LOGGED_IN;
    model->facts.failed += outcome == LS_OUTCOME_FAILED;
}

static void gone(struct ls_model *model, uint32_t row, int64_t at_ns)
{
    if (model->schedule->waves_count > 0) {
        waves_gone(model, row, at_ns);
    }
}

static void came_through(struct ls_model *model, uint32_t row, int64_t at_ns)
{
    const struct ls_login_wish *wish = &model->wish->login;
    struct state *state = &model->states[row];

    decide(model, row, LS_OUTCOME_LOGGED_IN, at_ns);
    state->over_ns = wish->hold == LS_HOLD_NONE       ? at_ns
                     : wish->hold == LS_HOLD_DURATION ? later(at_ns, wish->hold_ns)
                                                      : INT64_MAX;
    if (state->over_ns != INT64_MAX) {
        balance_leave(model, row, state->over_ns);
        gone(model, row, state->over_ns);
    }
    state->holding = state->over_ns > at_ns;
    if (state->holding && state->lost_ns < state->over_ns) {
        const struct event event = {.at_ns = state->lost_ns, .row = row, .kind = EVENT_LOST};

        put(model, NO_LANE, &event);
    }
}

/* The same as the engine's: exponential, with jitter "full" anywhere up to the whole wait. */
static int64_t retry_wait_ns(const struct ls_model *model, uint32_t row)
{
    const struct ls_login_wish *wish = &model->wish->login;
    const double most = 86400e9;
    const uint8_t attempts = model->rows[row].attempts;
    double wait = (double)wish->retry_wait_ns;

    for (int i = 1; i < attempts && wait <= most; i++) {
        wait *= wish->retry_factor;
    }
    if (wait > most) {
        wait = most;
    }
    if (wish->retry_jitter != LS_JITTER_NONE) {
        const double u = ls_random_unit_in(model->retry_state, row, attempts);

        wait *= wish->retry_jitter == LS_JITTER_FULL ? u : 0.5 + u / 2;
    }
    return (int64_t)wait;
}

/* Who loses a held session comes back after the first wait. */
void login_lost(struct ls_model *model, uint32_t row)
{
    struct state *state = &model->states[row];

    if (state->holding) {
        state->holding = false;
        balance_leave(model, row, model->now_ns);
        return_put(model, row, model->now_ns + retry_wait_ns(model, row));
    }
}

void attempt_failed(struct ls_model *model, uint32_t row, int64_t at_ns, enum ls_reason reason)
{
    struct ls_login *login = &model->rows[row];
    struct event again = {.row = row, .kind = EVENT_RETRY};

    if (!model->states[row].secured && model->wish->keep_handshakes) {
        handshake_put(model, row, LS_OUTCOME_FAILED, reason, at_ns);
    }
    login->reason = (uint8_t)reason;
    balance_leave(model, row, at_ns);
    if (login->attempts < model->wish->login.attempts) {
        again.at_ns = at_ns + retry_wait_ns(model, row);
        if (again.at_ns < model->states[row].ends_ns) {
            put(model, NO_LANE, &again);
            return;
        }
    }
    decide(model, row, LS_OUTCOME_FAILED, at_ns);
    gone(model, row, at_ns);
}

/* He will not have what he waits for by then: because he gives up, or hears that the gateway is gone. */
static void fail_step(struct ls_model *model, uint32_t row, int step, int64_t deadline_ns)
{
    const struct state *state = &model->states[row];
    const bool securing = step <= state->kind->secured;

    if (state->lost_ns < deadline_ns) {
        attempt_failed(model, row, state->lost_ns,
                       securing ? LS_REASON_HANDSHAKE_RESET : LS_REASON_REQUEST_RESET);
    } else {
        attempt_failed(model, row, deadline_ns,
                       securing && deadline_ns < state->ends_ns ? LS_REASON_HANDSHAKE_TIMEOUT
                                                                : LS_REASON_LOGIN_TIMEOUT);
    }
}

static void secure(struct ls_model *model, uint32_t row, int64_t at_ns)
{
    struct ls_login *login = &model->rows[row];
    struct state *state = &model->states[row];

    state->secured = true;
    model->facts.secured++;
    if (model->wish->keep_handshakes) {
        handshake_put(model, row, LS_OUTCOME_LOGGED_IN, LS_REASON_NONE, at_ns);
    }
    if (state->connection == 0) {
        login->connected_ns = state->connected_ns;
        login->secured_ns = at_ns;
    }
}

void login_answered(struct ls_model *model, uint32_t row, int step, int64_t end_ns)
{
    const struct state *state = &model->states[row];
    const int64_t deadline_ns = deadline_of(state, step);
    const int64_t half_ns = state->round_trip_ns / 2;

    if (end_ns == INT64_MAX || end_ns + half_ns > deadline_ns ||
        end_ns + half_ns > state->lost_ns) {
        fail_step(model, row, step, deadline_ns);
    } else if (model->wish->client_cores > 0) {
        const struct event event = {
            .at_ns = end_ns + half_ns, .row = row, .kind = EVENT_ANSWER, .step = (uint8_t)step};

        put(model, LANE_ANSWER, &event);
    } else {
        login_worked(model, row, step, end_ns + half_ns + client_work_ns(state->kind, step));
    }
}

/* The next message is on its way; false when it cannot be: its gateway dies before it is there. */
static bool send_step(struct ls_model *model, uint32_t row, int step, int64_t at_ns)
{
    const struct state *state = &model->states[row];
    const struct ls_model_handshake *kind = state->kind;
    const struct event event = {
        .at_ns = at_ns + state->round_trip_ns / 2 + kind->steps[step].delay_ns,
        .row = row,
        .gateway = state->gateway,
        .kind = EVENT_STEP,
        .step = (uint8_t)step,
        .connection = state->connection,
        .attempt = model->rows[row].attempts,
    };

    if (event.at_ns >= model->gateways[state->gateway].dies_ns) {
        return false;
    }
    put(model, step == 1 ? LANE_STEP : NO_LANE, &event);
    return true;
}

void login_worked(struct ls_model *model, uint32_t row, int step, int64_t at_ns)
{
    struct state *state = &model->states[row];
    const struct ls_model_handshake *kind = state->kind;
    const int64_t deadline_ns = deadline_of(state, step);
    bool sent = true;

    if (at_ns > deadline_ns || at_ns > state->lost_ns) {
        fail_step(model, row, step, deadline_ns);
        return;
    }
    if (step == kind->secured) {
        secure(model, row, at_ns);
    }
    if (step + 1 < kind->steps_count) {
        sent = send_step(model, row, step + 1, at_ns);
    }
    if (step < kind->through) {
        if (!sent) {
            fail_step(model, row, step + 1, deadline_of(state, step + 1));
        }
    } else if (state->connection + 1 < state->population->connections) {
        state->connection++;
        connect_begin(model, row, at_ns);
    } else {
        came_through(model, row, at_ns);
    }
}
