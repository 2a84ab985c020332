/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The gateways' side: the door, the queue for the cores, and death. */
#include "model/work.h"

/* A burst as it will go: all of it, or up to the gateway's death. */
static int64_t serve(struct ls_model *model, struct station *gateway, int64_t start_ns,
                     int64_t burst_ns)
{
    const int64_t end_ns = station_end_ns(model, gateway, &start_ns, burst_ns);
    const int64_t stop_ns = end_ns <= gateway->dies_ns ? end_ns : gateway->dies_ns;

    station_occupy(gateway, end_ns);
    if (stop_ns > start_ns) {
        model->facts.cpu_ns += stop_ns - start_ns;
        if (!slices_add(gateway, model->slice_ns, start_ns, stop_ns)) {
            model->out_of_memory = true;
        }
        if (stop_ns > model->facts.last_ns) {
            model->facts.last_ns = stop_ns;
        }
    }
    return stop_ns == end_ns ? end_ns : INT64_MAX;
}

static double wake_ns(const struct ls_model_step *step, int64_t idle_ns)
{
    const double gap_ns = (double)idle_ns;

    return idle_ns < 0         ? 0
           : step->warm_ns > 0 ? step->wake_ns * gap_ns / (gap_ns + step->warm_ns)
                               : step->wake_ns;
}

static int64_t burst_ns(const struct ls_model *model, const struct event *event, int64_t idle_ns)
{
    const struct state *state = &model->states[event->row];
    const struct ls_model_handshake *kind = state->kind;
    const struct ls_model_step *step = &kind->steps[event->step];
    int64_t ns = burst_of(model, event);

    ns += (int64_t)(step->beside_ns + (step->wake_ns > 0 ? wake_ns(step, idle_ns) : 0) + 0.5);
    ns = (int64_t)((double)ns * model->cpu + 0.5);
    if (event->step == kind->through && event->connection + 1 == state->population->connections) {
        ns += model->wish->farm.login_cpu_ns;
    }
    return ns;
}

static void note_waiting(struct ls_model *model, struct station *gateway, int64_t start_ns)
{
    if (!station_wait(gateway, start_ns)) {
        model->out_of_memory = true;
    }
    if ((int64_t)gateway->waiting > model->facts.worst_waiting) {
        model->facts.worst_waiting = (int64_t)gateway->waiting;
    }
}

static void arrive(struct ls_model *model, const struct event *event)
{
    struct station *gateway = &model->gateways[event->gateway];
    const struct state *state = &model->states[event->row];
    const struct ls_model_handshake *kind = state->kind;
    const bool awaited = event->step <= kind->through;
    int64_t idle_ns;
    const int64_t start_ns = station_start_ns(gateway, model->now_ns, &idle_ns);
    int64_t end_ns = INT64_MAX;

    if (event->step == 0 && start_ns > model->now_ns && model->wish->farm.backlog >= 0) {
        note_waiting(model, gateway, start_ns);
    }
    /* A gateway that looks sees that a user has left once his last packet is there. */
    if (awaited && model->wish->farm.drops_closed &&
        deadline_of(state, event->step) + state->round_trip_ns / 2 <= start_ns) {
        model->facts.dropped += event->step == 0;
    } else {
        end_ns = serve(model, gateway, start_ns, burst_ns(model, event, idle_ns));
        model->facts.flights += end_ns != INT64_MAX && event->step == kind->flight;
    }
    if (awaited) {
        login_answered(model, event->row, event->step, end_ns);
    }
}

void farm_step(struct ls_model *model, const struct event *event)
{
    arrive(model, event);
}

static void turn_away(struct ls_model *model, uint32_t row)
{
    model->facts.syn_dropped++;
    if (model->states[row].syn_tries < UINT8_MAX) {
        model->states[row].syn_tries++;
    }
    connect_try(model, row, NO_LANE);
}

/* The balancer's choice and the place in the backlog are those of the moment when the hello arrives, a
 * round trip after the SYN did. */
void farm_door(struct ls_model *model, uint32_t row)
{
    const int64_t backlog = model->wish->farm.backlog;
    struct state *state = &model->states[row];
    struct event event = {
        .row = row, .connection = state->connection, .attempt = model->rows[row].attempts};
    struct station *gateway;
    int64_t idle_ns;

    if (model->up_count == 0) {
        turn_away(model, row);
        return;
    }
    event.gateway = balance_choose(model, row);
    gateway = &model->gateways[event.gateway];
    if (backlog >= 0 && station_waiting(gateway, model->now_ns) >= (size_t)backlog) {
        (void)station_start_ns(gateway, model->now_ns, &idle_ns);
        if (idle_ns < 0) {
            turn_away(model, row);
            return;
        }
    }
    state->gateway = event.gateway;
    if (gateway->dies_ns != INT64_MAX &&
        gateway->dies_ns + state->round_trip_ns / 2 < state->lost_ns) {
        state->lost_ns = gateway->dies_ns + state->round_trip_ns / 2;
    }
    balance_take(model, row);
    model->facts.connections++;
    arrive(model, &event);
}

static void next_outage(struct ls_model *model, struct station *gateway, uint32_t number)
{
    const struct outage *outage = &model->outages[gateway->outage];

    gateway->dies_ns = gateway->outage < model->outages_count && outage->gateway == number
                           ? outage->from_ns
                           : INT64_MAX;
}

void farm_down(struct ls_model *model, uint32_t number)
{
    struct station *gateway = &model->gateways[number];
    const struct outage *outage = &model->outages[gateway->outage];

    if (outage->to_ns != INT64_MAX) {
        const struct event event = {.at_ns = outage->to_ns, .row = number, .kind = EVENT_UP};

        put(model, NO_LANE, &event);
    }
    gateway->up = false;
    gateway->epoch++;
    balance_set(model, number, INT64_MAX);
    gateway->outage++;
    model->up_count--;
}

void farm_up(struct ls_model *model, uint32_t number)
{
    struct station *gateway = &model->gateways[number];

    station_clear(gateway, model->now_ns);
    next_outage(model, gateway, number);
    gateway->up = true;
    balance_set(model, number, 0);
    model->up_count++;
}

void farm_clear(struct ls_model *model)
{
    size_t outage = 0;

    for (int i = 0; i < model->wish->farm.gateways; i++) {
        struct station *gateway = &model->gateways[i];

        while (outage < model->outages_count && model->outages[outage].gateway < (uint32_t)i) {
            outage++;
        }
        station_clear(gateway, 0);
        station_clear_pauses(model, gateway);
        gateway->epoch = 0;
        gateway->up = true;
        gateway->outage = outage;
        next_outage(model, gateway, (uint32_t)i);
        for (size_t s = 0; s < gateway->slices_room; s++) {
            gateway->slices[s] = 0;
        }
        gateway->slice_from_ns = gateway->slice_to_ns = 0;
    }
    for (size_t i = 0; i < model->outages_count; i++) {
        const struct event event = {.at_ns = model->outages[i].from_ns,
                                    .row = model->outages[i].gateway,
                                    .kind = EVENT_DOWN};

        put(model, NO_LANE, &event);
    }
    model->up_count = model->wish->farm.gateways;
    model->turn = NONE;
    balance_clear(model);
}
