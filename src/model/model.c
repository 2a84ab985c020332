/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The clock of a morning: what happens next, and to whom. */
#include "loginstorm/model.h"

#include <stdlib.h>

#include "loginstorm/random.h"
#include "model/work.h"

/* What would lie behind, by less than half a round trip (a user's time ran out while his message was on
 * its way), happens now. */
void put(struct ls_model *model, int lane, const struct event *event)
{
    struct event late;

    if (event->at_ns < model->now_ns) {
        late = *event;
        late.at_ns = model->now_ns;
        event = &late;
    }
    if (!queue_put(&model->queue, lane, event)) {
        model->out_of_memory = true;
    }
}

static bool rows_grow(struct ls_model *model, size_t room)
{
    struct ls_login *rows = realloc(model->rows, room * sizeof *rows);
    struct state *states;

    if (rows == NULL) {
        return false;
    }
    model->rows = rows;
    states = realloc(model->states, room * sizeof *states);
    if (states == NULL) {
        return false;
    }
    model->states = states;
    model->rows_room = room;
    return true;
}

static void row_init(struct ls_model *model, size_t row, int64_t due_ns, uint16_t population,
                     uint32_t user)
{
    struct state *state = &model->states[row];

    model->rows[row] = (struct ls_login){
        .due_ns = due_ns,
        .started_ns = LS_NEVER_NS,
        .connected_ns = LS_NEVER_NS,
        .secured_ns = LS_NEVER_NS,
        .done_ns = LS_NEVER_NS,
        .population = population,
    };
    state->user = user;
    state->places = NONE;
    state->holding = false;
}

void return_put(struct ls_model *model, uint32_t row, int64_t due_ns)
{
    const struct event event = {
        .at_ns = due_ns, .row = (uint32_t)model->rows_count, .kind = EVENT_COME};

    if (model->rows_count >= NONE / 2 || (model->rows_count == model->rows_room &&
                                          !rows_grow(model, more_room(model->rows_room, 1)))) {
        model->out_of_memory = true;
        return;
    }
    row_init(model, model->rows_count, due_ns, model->rows[row].population,
             model->states[row].user);
    model->rows_count++;
    model->facts.returned++;
    put(model, NO_LANE, &event);
}

/* A share of those who hold a session lose it, and come again over a time. */
static void everybody_returns(struct ls_model *model, uint32_t index)
{
    const struct ls_event *event = &model->wish->events[index];
    const double over_ns = (double)event->duration_ns / model->wish->speedup;
    const size_t count = model->rows_count;

    for (size_t row = 0; row < count; row++) {
        struct state *state = &model->states[row];

        if (row >= model->next && row < model->schedule->count) {
            continue; /* has not come yet */
        }
        if (state->holding && model->rows[row].done_ns <= model->now_ns &&
            state->over_ns > model->now_ns &&
            ls_random_unit_in(model->event_state, row, index * UINT64_C(2)) < event->share) {
            const double u = ls_random_unit_in(model->event_state, row, index * UINT64_C(2) + 1);

            state->holding = false;
            balance_leave(model, (uint32_t)row, model->now_ns);
            return_put(model, (uint32_t)row, model->now_ns + (int64_t)(u * over_ns));
        }
    }
}

static void at_injector(struct ls_model *model, const struct event *event)
{
    const int64_t work_ns = client_work_ns(model->states[event->row].kind, event->step);

    login_worked(model, event->row, event->step, injector_done_ns(model, event->row, work_ns));
}

static void happen(struct ls_model *model, const struct event *event)
{
    switch ((enum kind)event->kind) {
    case EVENT_DOOR:
        farm_door(model, event->row);
        break;
    case EVENT_STEP:
        farm_step(model, event);
        break;
    case EVENT_CLIENT:
        connect_client(model, event->row, event->step);
        break;
    case EVENT_ANSWER:
        at_injector(model, event);
        break;
    case EVENT_RETRY:
        login_try(model, event->row);
        break;
    case EVENT_COME:
        login_start(model, event->row);
        break;
    case EVENT_LOST:
        login_lost(model, event->row);
        break;
    case EVENT_CLOSE:
        balance_close(model, event);
        break;
    case EVENT_DOWN:
        farm_down(model, event->row);
        break;
    case EVENT_UP:
        farm_up(model, event->row);
        break;
    case EVENT_RETURN:
        everybody_returns(model, event->row);
        break;
    }
}

static void clear(struct ls_model *model, uint64_t seed)
{
    drawer_seed(&model->drawer, seed);
    model->network_state = ls_random_stream(seed, LS_STREAM_NETWORK);
    model->resume_state = ls_random_stream(seed, LS_STREAM_RESUME);
    model->retry_state = ls_random_stream(seed, LS_STREAM_RETRY);
    model->balance_state = ls_random_stream(seed, LS_STREAM_BALANCE);
    model->event_state = ls_random_stream(seed, LS_STREAM_EVENT);
    model->pause_state = ls_random_stream(seed, LS_STREAM_PAUSE);
    model->now_ns = 0;
    model->out_of_memory = false;
    model->facts = (struct ls_model_facts){0};
    queue_clear(&model->queue);
    farm_clear(model);
    for (int i = 0; i < model->wish->client_cores; i++) {
        station_clear(&model->injectors[i], 0);
        station_clear_pauses(model, &model->injectors[i]);
    }
    model->places_count = 0;
    model->free_place = NONE;
    model->handshakes_count = 0;
    model->rows_count = 0;
    model->next = 0;
    model->look_next = model->look_users; /* 0 where nobody does: it is past */
    model->wave_over_ns = 0;
}

/* The rows of an open loop begin when their users come, so that they are written once. */
static bool prepare_rows(struct ls_model *model)
{
    const struct ls_schedule *schedule = model->schedule;

    if (schedule->count >= model->rows_room && !rows_grow(model, schedule->count + 1)) {
        return false;
    }
    model->rows_count = schedule->count;
    for (size_t i = 0; schedule->waves_count > 0 && i < schedule->count; i++) {
        row_init(model, i, 0, schedule->rows[i].population, (uint32_t)i);
        model->next = i + 1;
    }
    return true;
}

static void put_returns(struct ls_model *model)
{
    for (size_t i = 0; i < model->wish->events_count; i++) {
        const struct ls_event *given = &model->wish->events[i];
        const struct event event = {
            .at_ns = (int64_t)((double)given->at_ns / model->wish->speedup),
            .row = (uint32_t)i,
            .kind = EVENT_RETURN,
        };

        if (given->kind == LS_EVENT_RECONNECT) {
            put(model, NO_LANE, &event);
        }
    }
}

/* Until nothing is left to happen. Of what is due at the same moment, who arrives comes first. */
static void play(struct ls_model *model)
{
    const size_t count = model->schedule->count;
    const struct ls_arrival *rows = model->schedule->rows;

    while (!model->out_of_memory) {
        const int64_t due_ns = model->next < count ? rows[model->next].due_ns : INT64_MAX;
        struct event event;

        if (queue_take_before(&model->queue, due_ns, &event)) {
            model->now_ns = event.at_ns;
            happen(model, &event);
        } else if (model->next < count) {
            model->now_ns = due_ns;
            if (model->next >= model->bursts_from) {
                bursts_draw(model, model->next);
            }
            row_init(model, model->next, due_ns, rows[model->next].population,
                     (uint32_t)model->next);
            login_start(model, (uint32_t)model->next++);
            if (model->next == model->look_next) {
                model->look_next += model->look_users;
                model->look(model->look_users, model->look_data);
            }
        } else {
            break;
        }
        model->facts.events++;
    }
}

enum ls_code ls_model_run(struct ls_model *model, const struct ls_schedule *schedule, uint64_t seed,
                          struct ls_error *err)
{
    model->schedule = schedule;
    if (schedule->count >= NONE / 4) {
        return ls_error_set(err, LS_ERANGE, "%zu users are more than a simulation holds (%u)",
                            schedule->count, NONE / 4);
    }
    clear(model, seed);
    if (prepare_rows(model)) {
        put_returns(model);
        bursts_begin(model);
        waves_begin(model);
        play(model);
        slices_sum(model);
    } else {
        model->out_of_memory = true;
    }
    if (model->out_of_memory) {
        return ls_error_set(err, LS_ENOMEM, "no memory for a morning of %zu users",
                            schedule->count);
    }
    model->facts.logins = (int64_t)model->rows_count;
    model->facts.wasted = model->facts.flights - model->facts.secured;
    if (model->facts.logged_in + model->facts.failed != model->facts.logins) {
        return ls_error_set(err, LS_EBROKEN, "the simulation lost a user");
    }
    return LS_OK;
}

void ls_model_set_cpu(struct ls_model *model, double cpu)
{
    model->cpu = cpu;
}

void ls_model_watch(struct ls_model *model, size_t users, void (*look)(size_t users, void *data),
                    void *data)
{
    model->look_users = users;
    model->look = look;
    model->look_data = data;
}

void ls_model_lighten(struct ls_model *model)
{
    free(model->states);
    model->states = NULL;
    model->rows_room = 0; /* so that the next play makes both anew */
    free(model->bursts);
    model->bursts = NULL;
    model->bursts_room = 0;
    free(model->places);
    model->places = NULL;
    model->places_room = 0;
}

const struct ls_model_facts *ls_model_facts(const struct ls_model *model)
{
    return &model->facts;
}

const struct ls_login *ls_model_logins(const struct ls_model *model, size_t *count)
{
    *count = model->rows_count;
    return model->rows;
}

size_t ls_model_user(const struct ls_model *model, size_t row)
{
    return model->states[row].user;
}

const int64_t *ls_model_slices(const struct ls_model *model, size_t *count, int64_t *slice_ns)
{
    *count = model->slices_count;
    *slice_ns = model->slice_ns;
    return model->slices;
}
