/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Closed loops: who comes next waits for one before him. */
#include "model/work.h"

static void begin_next(struct ls_model *model, int64_t at_ns)
{
    const struct ls_loop_wave *wave = &model->schedule->waves[model->wave];
    const uint32_t row = (uint32_t)(wave->first + model->wave_begun);
    const struct event event = {.at_ns = at_ns, .row = row, .kind = EVENT_COME};

    model->wave_begun++;
    model->rows[row].due_ns = at_ns; /* in a closed loop nobody is due before he can come */
    put(model, NO_LANE, &event);
}

static void begin_wave(struct ls_model *model, int64_t at_ns)
{
    const struct ls_loop_wave *wave = &model->schedule->waves[model->wave];

    model->wave_begun = model->wave_gone = 0;
    while (model->wave_begun < wave->count && model->wave_begun < (size_t)wave->concurrency) {
        begin_next(model, at_ns);
    }
}

void waves_begin(struct ls_model *model)
{
    model->wave = 0;
    if (model->schedule->waves_count > 0) {
        begin_wave(model, 0);
    }
}

/* A wave is over with the last of it to go, who may not be the last that it is known of: the next begins
 * when all have gone. */
void waves_gone(struct ls_model *model, uint32_t row, int64_t at_ns)
{
    const struct ls_schedule *schedule = model->schedule;

    if (row >= schedule->count) {
        return;
    }
    model->wave_gone++;
    if (at_ns > model->wave_over_ns) {
        model->wave_over_ns = at_ns;
    }
    if (model->wave_begun < schedule->waves[model->wave].count) {
        begin_next(model, at_ns);
    } else if (model->wave_gone == schedule->waves[model->wave].count &&
               model->wave + 1 < schedule->waves_count) {
        model->wave++;
        begin_wave(model, model->wave_over_ns);
    }
}
