/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many gateways of the given cores, and how many cores of the given gateways. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plan/work.h"

struct sized {
    struct stage *stage;
    struct size size;
    bool by_cores; /* else by gateways */
};

static enum ls_code does(int x, bool thorough, bool *yes, void *data, struct ls_error *err)
{
    struct sized *sized = data;
    struct stage *stage = sized->stage;
    struct ls_plan_farm farm;
    enum ls_code code;

    *(sized->by_cores ? &sized->size.cores : &sized->size.gateways) = x;
    code = thorough
               ? farm_play_all(&farm, stage, &sized->size, err)
               : stage->play(&farm, stage, stage->few, stage->plan->searched, &sized->size, err);
    *yes = farm.missed == 0;
    return code;
}

/* Cores that the fullest minute needs, by the law of utilisation, so that none is too full. */
static double cores_needed(const struct stage *stage, double login_cpu_ns)
{
    const double limit = stage->plan->limits[LS_TARGET_CPU_PEAK].limit;
    struct ls_load load;

    ls_schedule_load(ls_mornings_schedule(stage->many, 0), &stage->scenario, &load);
    return (double)load.peak_minute_logins * login_cpu_ns / (double)LS_NS_PER_MIN /
           (limit > 0 && limit < 0.9 ? limit : 0.9);
}

static int guess_of(double cores, int by)
{
    const double guess = ceil(cores / by);

    return guess < 1 ? 1 : guess < LS_PLAN_GATEWAYS_MAX ? (int)guess : LS_PLAN_GATEWAYS_MAX;
}

/* cpu 0: as the costs are, and so thoroughly. */
static enum ls_code gateways_for(struct stage *stage, double cpu, int guess, int *up,
                                 struct ls_error *err)
{
    struct sized sized = {.stage = stage, .size = {.cores = stage->plan->cores, .cpu = cpu}};
    const struct search search = {.least = 1,
                                  .most = LS_PLAN_GATEWAYS_MAX - stage->plan->spare,
                                  .guess = guess,
                                  .roughly = cpu > 0,
                                  .does = does,
                                  .data = &sized};

    (void)snprintf(stage->what, sizeof stage->what, "%.60s: how many gateways",
                   stage->certificate == NULL ? "capacity" : stage->certificate->name);
    return search_smallest(&search, up, err);
}

/* up: gateways of the given cores that do; of as many, no more cores are needed. */
static enum ls_code cores_for(struct stage *stage, int gateways, int up, int *each,
                              struct ls_error *err)
{
    const int cores = stage->plan->cores;
    struct sized sized = {.stage = stage, .size = {.gateways = gateways}, .by_cores = true};
    const struct search search = {.least = 1,
                                  .most = gateways >= up ? cores : LS_PLAN_CORES_MAX,
                                  .guess = guess_of((double)up * cores, gateways),
                                  .roughly = true,
                                  .most_tells = true,
                                  .does = does,
                                  .data = &sized};

    (void)snprintf(stage->what, sizeof stage->what, "%.60s: how many cores",
                   stage->certificate->name);
    return search_smallest(&search, each, err);
}

/* At the low and at the high end of what the costs may be. */
static enum ls_code interval(struct stage *stage, struct ls_plan_row *row, struct ls_error *err)
{
    const int spare = stage->plan->spare;
    const int up = row->gateways - spare;
    int low = up, high = up;
    enum ls_code code = LS_OK;

    if (row->cpu_low < 1) {
        code = gateways_for(stage, row->cpu_low, (int)ceil(up * row->cpu_low), &low, err);
    }
    if (code == LS_OK && row->cpu_high > 1) {
        code = gateways_for(stage, row->cpu_high, (int)ceil(up * row->cpu_high), &high, err);
    }
    row->gateways_low = low > 0 ? low + spare : 0;
    row->gateways_high = high > 0 ? high + spare : 0;
    return code;
}

static enum ls_code cores_find(struct stage *stage, struct ls_plan_row *row, int up,
                               struct ls_error *err)
{
    const int today = stage->plan->gateways - stage->plan->spare;
    enum ls_code code = cores_for(stage, 1, up, &row->single_cores, err);

    /* Of as many as do none is left that does not, though fewer mornings may doubt it. */
    if (row->single_cores == 0 && up == 1) {
        row->single_cores = stage->plan->cores;
    }
    row->farm_cores = row->single_cores;
    if (code == LS_OK && today > 1) {
        code = cores_for(stage, today, up, &row->farm_cores, err);
        row->farm_cores =
            row->farm_cores == 0 && today >= up ? stage->plan->cores : row->farm_cores;
    }
    return code;
}

/* What a farm meets in which each login has a gateway of its own; and what is known before. */
static enum ls_code ideal_play(struct stage *stage, struct ls_plan_row *row, bool *possible,
                               struct ls_error *err)
{
    const struct ls_scene_wish wish = {.scenario = &stage->scenario,
                                       .certificate = stage->certificate,
                                       .costs = stage->wish->costs};
    const struct size size = {.gateways = LS_PLAN_GATEWAYS_MAX, .cores = 1, .round_robin = true};
    struct ls_scene *scene = NULL;
    struct ls_plan_farm farm;
    enum ls_code code = ls_scene_new(&scene, &wish, err);

    *possible = false;
    if (code == LS_OK) {
        row->login_cpu_ns = ls_scene_login_cpu_ns(scene, &stage->scenario, false);
        row->cpu_low = scene->cpu_low;
        row->cpu_high = scene->cpu_high;
        if (scene->notes != NULL && (row->notes = strdup(scene->notes)) == NULL) {
            code = ls_error_set(err, LS_ENOMEM, "no memory for a plan");
        }
    }
    if (code == LS_OK) {
        code = stage->play(&farm, stage, stage->few, stage->plan->searched, &size, err);
    }
    if (code == LS_OK && farm.missed != 0) { /* what is impossible is so in all mornings */
        code = stage->play(&farm, stage, stage->many, stage->plan->mornings, &size, err);
    }
    if (code == LS_OK) {
        *possible = farm.missed == 0;
    }
    if (code == LS_OK && !*possible) {
        code = why_nothing(&row->why_not, stage, &farm, scene, err);
    }
    ls_scene_free(scene);
    return code;
}

enum ls_code sizes_find(struct stage *stage, struct ls_plan_row *row, struct ls_error *err)
{
    struct ls_plan *plan = stage->plan;
    bool possible;
    double cores;
    int up = 0;
    enum ls_code code;

    (void)snprintf(stage->what, sizeof stage->what, "%.60s: what a login takes where nobody waits",
                   stage->certificate->name);
    code = ideal_play(stage, row, &possible, err);
    if (code != LS_OK || !possible) {
        return code;
    }
    cores = cores_needed(stage, row->login_cpu_ns);
    code = gateways_for(stage, 0, guess_of(cores, plan->cores), &up, err);
    row->gateways = up > 0 ? up + plan->spare : 0;
    if (code == LS_OK && up == 0) {
        return why_nothing(&row->why_not, stage, NULL, NULL, err);
    }
    if (code == LS_OK) {
        code = interval(stage, row, err);
    }
    return code == LS_OK ? cores_find(stage, row, up, err) : code;
}

enum ls_code sizes_by_capacity(struct stage *stage, struct ls_plan_row *row, int guess,
                               struct ls_error *err)
{
    const int spare = stage->plan->spare;
    int up = 0;
    enum ls_code code = gateways_for(stage, 0, guess, &up, err);

    row->gateways = row->gateways_low = row->gateways_high = up > 0 ? up + spare : 0;
    row->single_cores = row->farm_cores = -1;
    row->login_cpu_ns = -1;
    row->cpu_low = row->cpu_high = 1;
    return code == LS_OK && up == 0 ? why_nothing(&row->why_not, stage, NULL, NULL, err) : code;
}
