/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many users a farm carries, and what becomes of it when more come. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plan/work.h"

const double ls_plan_cliff_factors[LS_PLAN_CLIFF] = {1, 1.1, 1.25, 1.5};

#define USERS_MAX INT64_C(1500000) /* that are looked at */
#define MOST_TIMES 5               /* what is looked at at most */
#define LEAST_PART 100
#define MORNINGS_LEAST 8 /* for many users, whose mornings differ less */

void users_change(struct ls_scenario *out, const struct ls_scenario *scenario,
                  struct ls_wave *waves, int64_t from, int64_t users)
{
    *out = *scenario;
    if (scenario->users > 0) {
        out->users = users;
        return;
    }
    /* Recorded curves say how many there are. */
    memcpy(waves, scenario->waves, scenario->waves_count * sizeof *waves);
    for (size_t i = 0; i < scenario->waves_count; i++) {
        const double scale = waves[i].scale > 0 ? waves[i].scale : 1;

        waves[i].scale = scale * (double)users / (double)from;
    }
    out->waves = waves;
}

static int64_t clamp(int64_t x, int64_t least, int64_t most)
{
    return x < least ? least : x > most ? most : x;
}

/* A step up or down, a larger one with each that went before. */
static int64_t stepped(int64_t x, double factor, bool up)
{
    const int64_t to = (int64_t)((double)x * (up ? factor : 1 / factor));

    return to != x ? to : up ? x + 1 : x - 1;
}

enum ls_code users_largest(const struct users_search *search, struct ls_plan_carried *out,
                           int64_t *beyond, struct ls_error *err)
{
    const int64_t most = search->does_not > 0 ? search->does_not
                                              : clamp(search->users * MOST_TIMES, 1, USERS_MAX) + 1;
    int64_t does = search->does_well, not = most, x = clamp(search->guess, does + 1, most - 1);
    bool first = false, tried = false, between = false;
    double factor = 1.03;
    enum ls_code code = LS_OK;

    *out = (struct ls_plan_carried){.users = -1};
    while (code == LS_OK && (double)not > (double)(does > 0 ? does : 1) * 1.01 && not -does > 1 &&
           not > search->users / LEAST_PART) {
        bool yes = false;

        code = search->does(x, &yes, search->data, err);
        *(yes ? &does : &not ) = x;
        first = tried ? first : yes;
        tried = true;
        between = between || yes != first; /* from then on by halves */
        x = between ? (int64_t)sqrt((double)does * (double)not ) : stepped(x, factor, yes);
        factor *= factor;
        x = clamp(x, does + 1, not -1);
    }
    out->users = not > search->users / LEAST_PART ? does : 0;
    out->over = not == most && search->does_not == 0;
    *beyond = out->over ? 0 : not ;
    return code;
}

struct carried {
    struct stage *stage;
    const struct size *size;
    struct ls_plan_farm farm; /* the last one that was played */
};

void level_free(struct level *level)
{
    ls_mornings_free(level->mornings);
    free(level->waves);
    *level = (struct level){0};
}

/* The mornings of other users. */
static enum ls_code level_make(struct level *level, const struct stage *stage, int64_t users,
                               int count, struct ls_error *err)
{
    level->waves = calloc(stage->scenario.waves_count + 1, sizeof *level->waves);
    if (level->waves == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for a plan");
    }
    users_change(&level->scenario, &stage->scenario, level->waves, stage->plan->users, users);
    return ls_mornings_new(&level->mornings, &level->scenario, count, stage->wish->threads, err);
}

static enum ls_code play_users(int64_t users, int count, struct carried *carried,
                               struct ls_error *err)
{
    struct stage *stage = carried->stage;
    struct level level = {0};
    enum ls_code code = level_make(&level, stage, users, count, err);

    if (code == LS_OK) {
        code = stage->play(&carried->farm, stage, level.mornings, count, carried->size, err);
    }
    level_free(&level);
    return code;
}

/* Every certificate meets the same mornings there. */
static enum ls_code play_cliff(struct ls_plan_farm *out, struct stage *stage, int i,
                               const struct size *size, struct ls_error *err)
{
    const int count = (stage->plan->mornings + 1) / 2;
    const double users = (double)stage->plan->users * ls_plan_cliff_factors[i];
    enum ls_code code = LS_OK;

    if (i == 0) {
        return farm_play_all(out, stage, size, err);
    }
    if (users > (double)USERS_MAX) {
        return LS_OK;
    }
    if (stage->levels[i].mornings == NULL) {
        code = level_make(&stage->levels[i], stage, (int64_t)(users + 0.5), count, err);
    }
    return code == LS_OK ? stage->play(out, stage, stage->levels[i].mornings, count, size, err)
                         : code;
}

static int mornings_for(const struct ls_plan *plan, int64_t users)
{
    const double fewer = (double)plan->searched * (double)plan->users / (double)users;
    const int least = plan->searched < MORNINGS_LEAST ? plan->searched : MORNINGS_LEAST;

    return fewer >= plan->searched ? plan->searched : fewer > least ? (int)fewer : least;
}

static enum ls_code carries(int64_t users, bool *yes, void *data, struct ls_error *err)
{
    struct carried *carried = data;
    const int count = mornings_for(carried->stage->plan, users);
    const enum ls_code code = play_users(users, count, carried, err);

    *yes = carried->farm.missed == 0;
    return code;
}

/* Where it will be full, if CPU is what fills it. */
static int64_t guess_of(const struct ls_plan *plan, const struct ls_plan_farm *farm)
{
    const double limit = plan->limits[LS_TARGET_CPU_PEAK].limit;
    const bool counted = plan->capacity.logins > 0;
    const double full = counted ? 1 : limit >= 0 && limit < 0.95 ? limit : 0.95;
    const double peak = counted ? farm->capacity_share.most : farm->cpu_peak_share.most;
    const double users = (double)plan->users * full / (peak > 1e-6 ? peak : 1e-6);

    return users < (double)USERS_MAX ? (int64_t)users : USERS_MAX;
}

/* base: the same farm under the scenario's own users. */
static enum ls_code carry(struct ls_plan_carried *out, struct ls_plan_farm *edge,
                          struct stage *stage, const struct size *size,
                          const struct ls_plan_farm *base, struct ls_error *err)
{
    struct carried carried = {.stage = stage, .size = size};
    const struct users_search search = {
        .users = stage->plan->users,
        .guess = guess_of(stage->plan, base),
        .does_well = base->missed == 0 ? stage->plan->users : 0,
        .does_not = base->missed == 0 ? 0 : stage->plan->users,
        .does = carries,
        .data = &carried,
    };
    int64_t beyond = 0;
    enum ls_code code = users_largest(&search, out, &beyond, err);

    if (code == LS_OK && beyond > 0) {
        code = play_users(beyond, mornings_for(stage->plan, beyond), &carried, err);
        *edge = carried.farm;
    }
    return code;
}

static void say(struct stage *stage, const char *what)
{
    (void)snprintf(stage->what, sizeof stage->what, "%.60s: %s",
                   stage->certificate == NULL ? "capacity" : stage->certificate->name, what);
}

/* What is known of a farm of so many gateways of the given cores. */
struct known {
    int gateways;
    struct ls_plan_farm farm, edge;
    struct ls_plan_carried carries;
};

static enum ls_code know(struct known *out, struct stage *stage, int gateways, struct ls_error *err)
{
    const struct size size = {.gateways = gateways, .cores = stage->plan->cores};
    enum ls_code code = farm_play_all(&out->farm, stage, &size, err);

    out->gateways = gateways;
    return code == LS_OK ? carry(&out->carries, &out->edge, stage, &size, &out->farm, err) : code;
}

static enum ls_code cliff(struct stage *stage, struct ls_plan_row *row, int up,
                          struct ls_error *err)
{
    const struct size size = {.gateways = up, .cores = stage->plan->cores};
    const struct size less = {.gateways = up - 1, .cores = stage->plan->cores};
    enum ls_code code = LS_OK;

    say(stage, "how near the cliff is");
    for (int i = 0; i < LS_PLAN_CLIFF && code == LS_OK; i++) {
        code = play_cliff(&row->cliff[i], stage, i, &size, err);
    }
    return code == LS_OK && up > 1 ? farm_play_all(&row->one_less, stage, &less, err) : code;
}

enum ls_code users_carry(struct stage *stage, struct ls_plan_row *row, struct ls_error *err)
{
    const struct ls_plan *plan = stage->plan;
    const int ups[] = {plan->gateways - plan->spare, plan->gateways, row->gateways - plan->spare};
    struct known known[3] = {{0}};
    enum ls_code code = LS_OK;

    say(stage, "what the farms carry");
    for (int i = 0; i < (row->gateways > 0 ? 3 : 2) && code == LS_OK; i++) {
        int before = 0;

        while (before < i && ups[before] != ups[i]) {
            before++;
        }
        if (before < i) {
            known[i] = known[before];
        } else {
            code = know(&known[i], stage, ups[i], err);
        }
    }
    row->today = known[0].farm;
    row->today_carries = known[0].carries;
    row->today_all_carries = known[1].carries;
    row->carries = row->gateways > 0 ? known[2].carries : (struct ls_plan_carried){.users = -1};
    row->edge = known[2].edge;
    return code == LS_OK && row->gateways > 0 ? cliff(stage, row, ups[2], err) : code;
}
