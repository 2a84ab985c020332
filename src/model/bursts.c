/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Service times, most of them drawn ahead: a processor works on several draws at once, where none hangs on
 * the one before. Drawn ahead or not, a burst is the same. */
#include <stdlib.h>

#include "loginstorm/random.h"
#include "model/work.h"

#define AHEAD 64 /* users */

static uint64_t number_of(unsigned attempt, unsigned connection, unsigned step)
{
    return ((uint64_t)attempt << 8 | connection) * LS_MODEL_STEPS_MAX + step;
}

bool row_resumes(const struct ls_model *model, const struct ls_model_population *population,
                 uint32_t user)
{
    return population->resume_share > 0 &&
           ls_random_unit_in(model->resume_state, user, 0) < population->resume_share;
}

void bursts_begin(struct ls_model *model)
{
    const struct ls_model_wish *wish = model->wish;
    const size_t count = model->schedule->count;
    int connections = 1, steps = 1;
    size_t wanted;

    for (size_t i = 0; i < wish->populations_count; i++) {
        const struct ls_model_population *population = &wish->populations[i];

        connections = population->connections > connections ? population->connections : connections;
        steps = population->full.steps_count > steps ? population->full.steps_count : steps;
        steps = population->resumed.steps_count > steps ? population->resumed.steps_count : steps;
    }
    model->steps_most = steps;
    model->bursts_each = (size_t)connections * (size_t)steps;
    model->bursts_from = 0;
    wanted = (count + AHEAD) * model->bursts_each;
    if (wanted > model->bursts_room) {
        free(model->bursts);
        model->bursts = NULL;
        model->bursts_room = 0;
        if (wanted <= BURSTS_BYTES_MOST / sizeof *model->bursts) {
            model->bursts = malloc(wanted * sizeof *model->bursts);
            model->out_of_memory = model->out_of_memory || model->bursts == NULL;
            model->bursts_room = model->bursts == NULL ? 0 : wanted;
        }
    }
}

void bursts_draw(struct ls_model *model, size_t row)
{
    const struct ls_schedule *schedule = model->schedule;
    const size_t end = row + AHEAD < schedule->count ? row + AHEAD : schedule->count;

    for (; model->bursts != NULL && row < end; row++) {
        const struct ls_model_population *population =
            &model->wish->populations[schedule->rows[row].population];
        const struct ls_model_handshake *kind = row_resumes(model, population, (uint32_t)row)
                                                    ? &population->resumed
                                                    : &population->full;
        int64_t *out = &model->bursts[row * model->bursts_each];

        for (int c = 0; c < population->connections; c++) {
            for (int s = 0; s < kind->steps_count; s++) {
                out[c * model->steps_most + s] =
                    drawer_service_ns(&model->drawer, &kind->steps[s].burst, row,
                                      number_of(1, (unsigned)c, (unsigned)s));
            }
        }
    }
    model->bursts_from = end;
}

int64_t burst_of(const struct ls_model *model, const struct event *event)
{
    if (event->attempt == 1 && event->row < model->bursts_from && model->bursts != NULL) {
        return model->bursts[event->row * model->bursts_each +
                             (size_t)(event->connection * model->steps_most + event->step)];
    }
    return drawer_service_ns(&model->drawer,
                             &model->states[event->row].kind->steps[event->step].burst, event->row,
                             number_of(event->attempt, event->connection, event->step));
}
