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

void balance_clear(struct ls_model *model)
{
    const size_t count = (size_t)model->wish->farm.gateways;

    if (!model->counts_places) {
        return;
    }
    for (size_t i = 0; i < model->leaves; i++) {
        model->fewest[model->leaves + i] = i < count ? 0 : INT64_MAX;
    }
    for (size_t i = model->leaves - 1; i > 0; i--) {
        model->fewest[i] = earlier_of(model->fewest[2 * i], model->fewest[2 * i + 1]);
    }
}

void balance_set(struct ls_model *model, uint32_t gateway, int64_t open)
{
    size_t at = model->leaves + gateway;

    if (!model->counts_places) {
        return;
    }
    model->fewest[at] = open;
    for (at /= 2; at > 0; at /= 2) {
        const int64_t least = earlier_of(model->fewest[2 * at], model->fewest[2 * at + 1]);

        if (model->fewest[at] == least) {
            break;
        }
        model->fewest[at] = least;
    }
}

/* Of equally loaded ones the next in turn, as balancers do it: up the tree until a branch to the right has one, and down
 * that on its left; where none is to the right of the turn, down from the top. */
static uint32_t least_connections(const struct ls_model *model, uint32_t turn)
{
    const int64_t *fewest = model->fewest;
    const int64_t least = fewest[1];
    size_t at = model->leaves + turn;

    if (fewest[at] == least) {
        return turn;
    }
    while (at > 1 && (at % 2 == 1 || fewest[at + 1] != least)) {
        at /= 2;
    }
    at = at > 1 ? at + 1 : 1;
    while (at < model->leaves) {
        at = fewest[2 * at] == least ? 2 * at : 2 * at + 1;
    }
    return (uint32_t)(at - model->leaves);
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
        const size_t room = more_room(model->places_room, 1024);
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
    const struct station *gateway = &model->gateways[state->gateway];
    const uint32_t place = new_place(model);

    balance_set(model, state->gateway, model->fewest[model->leaves + state->gateway] + 1);
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
    const uint16_t epoch = (uint16_t)(event->connection << 8 | event->attempt);

    if (model->gateways[event->row].epoch == epoch) {
        balance_set(model, event->row, model->fewest[model->leaves + event->row] - 1);
    }
}
