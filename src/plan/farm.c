/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One farm, played through many mornings. */
#include <stdlib.h>

#include "plan/work.h"

static int tell(double done, void *data)
{
    const struct stage *stage = data;
    const struct ls_plan_wish *wish = stage->wish;

    (void)done;
    return wish->progress == NULL ? 0 : wish->progress(stage->what, wish->data);
}

enum ls_code farm_play(struct ls_plan_farm *out, struct stage *stage,
                       const struct ls_mornings *mornings, int count, const struct size *size,
                       struct ls_error *err)
{
    const struct ls_scene_wish wish = {
        .scenario = &stage->scenario,
        .certificate = stage->certificate,
        .costs = stage->wish->costs,
        .cpu = size->cpu,
        .gateways = size->gateways,
        .cores = size->cores,
    };
    struct ls_morning *rows = calloc((size_t)count + 1, sizeof *rows);
    struct ls_scene *scene = NULL;
    enum ls_code code = LS_OK;

    *out = (struct ls_plan_farm){.gateways = size->gateways, .cores = size->cores};
    if (rows == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for a plan");
    }
    code = ls_scene_new(&scene, &wish, err);
    if (code == LS_OK) {
        if (size->round_robin) {
            scene->wish.farm.balancing = LS_ROUND_ROBIN;
        }
        code = ls_mornings_play(mornings, &scene->wish, NULL, rows, tell, stage, err);
    }
    if (code == LS_OK) {
        out->users = (int64_t)ls_mornings_schedule(mornings, 0)->count;
        code = figures_of(out, stage->plan, rows, count, err);
    }
    ls_scene_free(scene);
    free(rows);
    return code;
}

enum ls_code farm_play_all(struct ls_plan_farm *out, struct stage *stage, const struct size *size,
                           struct ls_error *err)
{
    struct played *played = &stage->played;
    enum ls_code code;

    for (int i = 0; i < played->count; i++) {
        if (played->farms[i].gateways == size->gateways && played->farms[i].cores == size->cores) {
            *out = played->farms[i];
            return LS_OK;
        }
    }
    code = stage->play(out, stage, stage->many, stage->plan->mornings, size, err);
    if (code == LS_OK && played->count < PLAYED_MAX) {
        played->farms[played->count++] = *out;
    }
    return code;
}
