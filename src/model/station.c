/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cores, first come first served (the recursion of Kiefer and Wolfowitz), and when they were busy. */
#include <stdlib.h>
#include <string.h>

#include "loginstorm/random.h"
#include "model/work.h"

/* The core that is free first is the top of the heap. */
void station_sift(int64_t *heap, int cores, int64_t end_ns)
{
    int at = 0;

    for (;;) {
        int least = 2 * at + 1;

        if (least >= cores) {
            break;
        }
        if (least + 1 < cores && heap[least + 1] < heap[least]) {
            least++;
        }
        if (heap[least] >= end_ns) {
            break;
        }
        heap[at] = heap[least];
        at = least;
    }
    heap[at] = end_ns;
}

void station_clear(struct station *station, int64_t now_ns)
{
    for (int i = 0; i < station->cores; i++) {
        station->free_ns[i] = now_ns;
    }
    station->head = station->waiting = 0;
}

/* The one after the pause that ended at from_ns: a Poisson process over the time between pauses. */
static void next_pause(const struct ls_model *model, struct station *station, int64_t from_ns)
{
    const struct ls_model_wish *wish = model->wish;
    const double u =
        ls_random_unit_in(model->pause_state, station->number, (uint64_t)station->pause * 2 + 1);
    const double gap_ns = -drawer_log(&model->drawer, u) * 1e9 / wish->pauses_per_s;
    const struct drawer drawer = {.state = model->pause_state};

    station->pause_ns = from_ns + (int64_t)gap_ns;
    station->pause_end_ns =
        station->pause_ns +
        drawer_service_ns(&drawer, wish->pauses, station->number, (uint64_t)station->pause * 2);
    station->pause++;
}

void station_clear_pauses(const struct ls_model *model, struct station *station)
{
    station->pause = 0;
    station->pause_ns = station->pause_end_ns = INT64_MAX;
    if (model->wish->pauses != NULL && station->cores == 1) {
        next_pause(model, station, 0);
    }
}

int64_t station_end_between(const struct ls_model *model, struct station *station,
                            int64_t *start_ns, int64_t work_ns)
{
    int64_t end_ns;

    while (station->pause_end_ns <= *start_ns) {
        next_pause(model, station, station->pause_end_ns);
    }
    if (station->pause_ns <= *start_ns) {
        *start_ns = station->pause_end_ns;
        next_pause(model, station, station->pause_end_ns);
    }
    end_ns = *start_ns + work_ns;
    while (station->pause_ns < end_ns) {
        end_ns += station->pause_end_ns - station->pause_ns;
        next_pause(model, station, station->pause_end_ns);
    }
    return end_ns;
}

int64_t injector_done_ns(struct ls_model *model, uint32_t row, int64_t work_ns)
{
    struct station *injector =
        &model->injectors[model->states[row].user % (uint32_t)model->wish->client_cores];
    int64_t idle_ns;
    int64_t start_ns = station_start_ns(injector, model->now_ns, &idle_ns);
    const int64_t done_ns =
        station_end_ns(model, injector, &start_ns, (int64_t)((double)work_ns * model->cpu + 0.5));

    station_occupy(injector, done_ns);
    return done_ns;
}

size_t station_waiting(struct station *station, int64_t now_ns)
{
    while (station->waiting > 0 && station->start_ns[station->head] <= now_ns) {
        station->head = (station->head + 1) & (station->room - 1);
        station->waiting--;
    }
    return station->waiting;
}

static bool grow(struct station *station)
{
    const size_t room = station->room == 0 ? 64 : station->room * 2;
    int64_t *ring = malloc(room * sizeof *ring);

    if (ring == NULL) {
        return false;
    }
    for (size_t i = 0; i < station->waiting; i++) {
        ring[i] = station->start_ns[(station->head + i) & (station->room - 1)];
    }
    free(station->start_ns);
    station->start_ns = ring;
    station->head = 0;
    station->room = room;
    return true;
}

bool station_wait(struct station *station, int64_t start_ns)
{
    if (station->waiting == station->room && !grow(station)) {
        return false;
    }
    station->start_ns[(station->head + station->waiting) & (station->room - 1)] = start_ns;
    station->waiting++;
    return true;
}

static bool slices_grow(struct station *station, size_t slice)
{
    size_t room = station->slices_room == 0 ? 64 : station->slices_room;
    int64_t *slices;

    while (room <= slice) {
        room *= 2;
    }
    slices = realloc(station->slices, room * sizeof *slices);
    if (slices == NULL) {
        return false;
    }
    memset(slices + station->slices_room, 0, (room - station->slices_room) * sizeof *slices);
    station->slices = slices;
    station->slices_room = room;
    return true;
}

bool slices_add(struct station *station, int64_t slice_ns, int64_t from_ns, int64_t to_ns)
{
    while (from_ns < to_ns) {
        int64_t end_ns;

        if (from_ns < station->slice_from_ns || from_ns >= station->slice_to_ns) {
            station->slice = (size_t)(from_ns / slice_ns);
            station->slice_from_ns = (int64_t)station->slice * slice_ns;
            station->slice_to_ns = station->slice_from_ns + slice_ns;
            if (station->slice >= station->slices_room && !slices_grow(station, station->slice)) {
                return false;
            }
        }
        end_ns = to_ns < station->slice_to_ns ? to_ns : station->slice_to_ns;
        station->slices[station->slice] += end_ns - from_ns;
        from_ns = end_ns;
    }
    return true;
}

/* Over the farm, and the fullest of any gateway. */
void slices_sum(struct ls_model *model)
{
    const struct ls_model_farm *farm = &model->wish->farm;
    const double room_ns = (double)model->slice_ns * farm->cores;
    const size_t count = (size_t)(model->facts.last_ns / model->slice_ns) + 1;

    if (count > model->slices_room) {
        int64_t *slices = realloc(model->slices, count * sizeof *slices);

        if (slices == NULL) {
            model->out_of_memory = true;
            return;
        }
        model->slices = slices;
        model->slices_room = count;
    }
    model->slices_count = count;
    memset(model->slices, 0, count * sizeof *model->slices);
    for (int g = 0; g < farm->gateways; g++) {
        const struct station *gateway = &model->gateways[g];

        for (size_t i = 0; i < count && i < gateway->slices_room; i++) {
            const double share = (double)gateway->slices[i] / room_ns;

            model->slices[i] += gateway->slices[i];
            if (share > model->facts.peak_gateway_share) {
                model->facts.peak_gateway_share = share;
            }
        }
    }
    for (size_t i = 0; i < count; i++) {
        const double share = (double)model->slices[i] / room_ns / farm->gateways;

        if (share > model->facts.peak_share) {
            model->facts.peak_share = share;
            model->facts.peak_slice = (int64_t)i;
        }
    }
}
