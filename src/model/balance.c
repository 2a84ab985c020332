/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which gateway gets a connection. Only who balances by connections has to know when they end. */
#include <stdlib.h>

#include "loginstorm/random.h"
#include "model/work.h"

static uint32_t next_up(const struct ls_model *model, uint32_t from)
{
    const uint32_t count = (uint32_t)model->wish->farm.gateways;

    from %= count;
    while (!model->gateways[from].up) {
        from = from + 1 < count ? from + 1 : 0;
    }
    return from;
}

/* Of equally loaded ones the next in turn, as balancers do it. */
static uint32_t least_connections(const struct ls_model *model, uint32_t turn)
{
    const uint32_t count = (uint32_t)model->wish->farm.gateways;
    uint32_t best = next_up(model, turn);
    uint32_t other = best;

    for (uint32_t i = 1; i < count; i++) {
        other = other + 1 < count ? other + 1 : 0;
        if (model->gateways[other].up && model->gateways[other].open < model->gateways[best].open) {
            best = other;
        }
    }
    return best;
}

uint32_t balance_choose(struct ls_model *model, uint32_t row)
{
    const uint32_t count = (uint32_t)model->wish->farm.gateways;
    const struct state *state = &model->states[row];
    double u = 0;

    if (count == 1) {
        return 0;
    }
    switch (model->wish->farm.balancing) {
    case LS_ROUND_ROBIN:
        model->turn = next_up(model, model->turn + 1);
        return model->turn;
    case LS_LEAST_CONNECTIONS:
        model->turn = model->turn + 1 < count ? model->turn + 1 : 0;
        return least_connections(model, model->turn);
    case LS_RANDOM:
        u = ls_random_unit_in(model->balance_state, row,
                              ((uint64_t)model->rows[row].attempts << 16 |
                               (uint64_t)state->connection << 8 | state->syn_tries) +
                                  1);
        break;
    case LS_SOURCE_HASH:
        u = ls_random_unit_in(model->balance_state, state->user, 0);
        break;
    }
    return next_up(model, (uint32_t)(u * count));
}

static uint32_t new_place(struct ls_model *model)
{
    uint32_t index = model->free_place;

    if (index != NONE) {
        model->free_place = model->places[index].next;
        return index;
    }
    if (model->places_count == model->places_room) {
        const size_t room = model->places_room == 0 ? 1024 : model->places_room * 2;
        struct place *places = room < NONE ? realloc(model->places, room * sizeof *places) : NULL;

        if (places == NULL) {
            model->out_of_memory = true;
            return NONE;
        }
        model->places = places;
        model->places_room = room;
    }
    return (uint32_t)model->places_count++;
}

void balance_take_place(struct ls_model *model, uint32_t row)
{
    struct state *state = &model->states[row];
    struct station *gateway = &model->gateways[state->gateway];
    uint32_t place;

    gateway->open++;
    place = new_place(model);
    if (place != NONE) {
        model->places[place] = (struct place){
            .gateway = state->gateway, .next = state->places, .epoch = gateway->epoch};
        state->places = place;
    }
}

void balance_leave_places(struct ls_model *model, uint32_t row, int64_t at_ns)
{
    uint32_t index = model->states[row].places;

    model->states[row].places = NONE;
    while (index != NONE) {
        struct place *place = &model->places[index];
        const uint32_t next = place->next;
        const struct event event = {
            .at_ns = at_ns,
            .row = place->gateway,
            .kind = EVENT_CLOSE,
            .connection = (uint8_t)(place->epoch >> 8),
            .attempt = (uint8_t)place->epoch,
        };

        put(model, NO_LANE, &event);
        place->next = model->free_place;
        model->free_place = index;
        index = next;
    }
}

/* What died with its gateway is not counted any more. */
void balance_close(struct ls_model *model, const struct event *event)
{
    struct station *gateway = &model->gateways[event->row];
    const uint16_t epoch = (uint16_t)(event->connection << 8 | event->attempt);

    if (gateway->epoch == epoch) {
        gateway->open--;
    }
}
