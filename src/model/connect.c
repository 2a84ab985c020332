/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the wish to connect to a Client Hello at the gateways' door. */
#include "loginstorm/random.h"
#include "model/work.h"

/* Anywhere around the round trip; a connection keeps what it got. */
static int64_t round_trip_ns(const struct ls_model *model, uint32_t row)
{
    const struct ls_model_population *population = model->states[row].population;
    const uint64_t number =
        (uint64_t)model->rows[row].attempts << 8 | model->states[row].connection;
    double u;
    int64_t ns;

    if (population->jitter_ns == 0) {
        return population->rtt_ns;
    }
    u = ls_random_unit_in(model->network_state, row, number);
    ns = population->rtt_ns + (int64_t)((2 * u - 1) * (double)population->jitter_ns);
    return ns > 0 ? ns : 0;
}

/* When a SYN that found no place comes again, s after the first: Linux from 6.5 on waits a second
 * four times before it doubles (tcp_syn_linear_timeouts), older ones double at once. */
static int64_t syn_again_s(bool classic, int tries)
{
    const int even = classic ? 0 : 4;

    if (tries <= even) {
        return tries;
    }
    return tries - even < 32 ? even + (INT64_C(1) << (tries - even)) - 1 : INT64_MAX;
}

#define TRIES_END_S 86400 /* nobody waits longer */

/* INT64_MAX: it has come often enough. */
static int64_t try_ns(const struct ls_model *model, const struct state *state)
{
    const int64_t s = syn_again_s(model->wish->farm.classic_syn_retries, state->syn_tries);

    if (state->syn_tries == 0) {
        return state->syn_ns;
    }
    return s > TRIES_END_S ? INT64_MAX : state->syn_ns + s * LS_NS_PER_S;
}

static void give_up(struct ls_model *model, uint32_t row, int64_t deadline_ns,
                    enum ls_reason reason)
{
    const bool login = deadline_ns == model->states[row].ends_ns;

    /* Never in the past, though a last try may have been turned away after it. */
    attempt_failed(model, row, deadline_ns > model->now_ns ? deadline_ns : model->now_ns,
                   login ? LS_REASON_LOGIN_TIMEOUT : reason);
}

/* A gateway that he has another connection to may die meanwhile. */
static void give_up_or_lose(struct ls_model *model, uint32_t row, int64_t deadline_ns,
                            enum ls_reason reason)
{
    const int64_t lost_ns = model->states[row].lost_ns;

    if (lost_ns < deadline_ns) {
        attempt_failed(model, row, lost_ns > model->now_ns ? lost_ns : model->now_ns,
                       LS_REASON_REQUEST_RESET);
    } else {
        give_up(model, row, deadline_ns, reason);
    }
}

void connect_try(struct ls_model *model, uint32_t row, int lane)
{
    const struct ls_login_wish *wish = &model->wish->login;
    const struct ls_model_population *population = model->states[row].population;
    const struct ls_model_step *hello = &model->states[row].kind->steps[0];
    struct state *state = &model->states[row];
    const int64_t half_ns = state->round_trip_ns / 2;
    const int64_t sent_ns = try_ns(model, state);
    const int64_t connect_ends_ns =
        earlier_of(later(state->started_ns, wish->connect_timeout_ns), state->ends_ns);
    struct event event = {.row = row, .kind = EVENT_DOOR};

    state->connected_ns = sent_ns == INT64_MAX
                              ? INT64_MAX
                              : sent_ns + half_ns + population->connect_delay_ns + half_ns;
    if (state->connected_ns > earlier_of(connect_ends_ns, state->lost_ns)) {
        state->connected_ns = LS_NEVER_NS;
        give_up_or_lose(model, row, connect_ends_ns, LS_REASON_CONNECT_TIMEOUT);
        return;
    }
    state->secure_ends_ns =
        earlier_of(later(state->connected_ns, wish->handshake_timeout_ns), state->ends_ns);
    if (model->wish->client_cores > 0) {
        event.kind = EVENT_CLIENT;
        event.at_ns = state->connected_ns > model->now_ns ? state->connected_ns : model->now_ns;
        put(model, LANE_CLIENT, &event);
        return;
    }
    if (state->connected_ns + hello->client_ns >
        earlier_of(state->secure_ends_ns, state->lost_ns)) {
        give_up_or_lose(model, row, state->secure_ends_ns, LS_REASON_HANDSHAKE_TIMEOUT);
        return;
    }
    event.at_ns = state->connected_ns + hello->client_ns + half_ns + hello->delay_ns;
    if (event.at_ns <= model->now_ns) {
        farm_door(model, row);
    } else {
        put(model, lane, &event);
    }
}

void connect_begin(struct ls_model *model, uint32_t row, int64_t at_ns)
{
    const struct ls_model_population *population = model->states[row].population;
    struct state *state = &model->states[row];

    state->started_ns = at_ns;
    state->round_trip_ns = round_trip_ns(model, row);
    state->syn_tries = 0;
    state->secured = false;
    state->gateway = NONE;
    if (model->rows[row].started_ns == LS_NEVER_NS) {
        model->rows[row].started_ns = at_ns;
    }
    if (model->wish->client_cores > 0) {
        const struct event event = {
            .at_ns = at_ns, .row = row, .kind = EVENT_CLIENT, .step = CONNECTING};

        put(model, LANE_CLIENT, &event);
        return;
    }
    state->syn_ns = at_ns + population->connect_client_ns;
    connect_try(model, row, at_ns == model->now_ns ? LANE_DOOR : LANE_NEXT_DOOR);
}

/* At an injector he waits behind the others, as a burst does at a gateway. */
void connect_client(struct ls_model *model, uint32_t row, uint8_t step)
{
    struct state *state = &model->states[row];
    const struct ls_model_step *hello = &model->states[row].kind->steps[0];
    const int64_t work_ns =
        step == CONNECTING ? state->population->connect_client_ns : hello->client_ns;
    const int64_t done_ns = injector_done_ns(model, row, work_ns);

    if (step == CONNECTING) {
        state->syn_ns = done_ns;
        connect_try(model, row, NO_LANE);
    } else if (done_ns > earlier_of(state->secure_ends_ns, state->lost_ns)) {
        give_up_or_lose(model, row, state->secure_ends_ns, LS_REASON_HANDSHAKE_TIMEOUT);
    } else {
        const struct event event = {.at_ns = done_ns + state->round_trip_ns / 2 + hello->delay_ns,
                                    .row = row,
                                    .kind = EVENT_DOOR};

        put(model, LANE_DOOR, &event);
    }
}
