/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LS_PLAN_WORK_H
#define LS_PLAN_WORK_H

/* Between the files of the plan: private to this room. */

#include <stdio.h>

#include "loginstorm/mornings.h"
#include "loginstorm/plan.h"
#include "loginstorm/scene.h"

/* In how many mornings a target must be met: 95 of 100, 19 of 20, all of fewer. */
static inline int mornings_needed(int mornings)
{
    return (95 * mornings + 99) / 100;
}

/* A farm to play. */
struct size {
    int gateways, cores; /* that are up */
    double cpu;          /* CPU times so much; 0 is 1 */
    bool round_robin;    /* whatever the scenario's balancing is */
};

/* The mornings of more users, and what they lean on. */
struct level {
    struct ls_scenario scenario;
    struct ls_wave *waves;
    struct ls_mornings *mornings;
};

/* Farms that were played through all mornings. */
#define PLAYED_MAX 32
struct played {
    struct ls_plan_farm farms[PLAYED_MAX];
    int count;
};

/* What a whole plan shares. */
struct stage {
    const struct ls_plan_wish *wish;
    struct ls_plan *plan;
    struct ls_scenario scenario;        /* a copy at its own pace, with this certificate's users */
    struct ls_mornings *few, *many;     /* to search with, and to answer with */
    struct level levels[LS_PLAN_CLIFF]; /* the first one is `many` */
    const struct ls_certificate *certificate;
    struct played played; /* with it */
    char what[160];       /* is being found out */
    /* One farm through many mornings: farm_play or capacity_play. */
    enum ls_code (*play)(struct ls_plan_farm *out, struct stage *stage,
                         const struct ls_mornings *mornings, int count, const struct size *size,
                         struct ls_error *err);
};

/* figures.c: mornings to figures, and what they miss. */
enum ls_code figures_of(struct ls_plan_farm *out, const struct ls_plan *plan,
                        const struct ls_morning *mornings, int count, struct ls_error *err);
/* The median, and what mornings_needed of them stay within; sorts values. */
struct ls_plan_spread spread_of(double *values, int count);

/* farm.c: one farm, played. */
LS_MUST_CHECK
enum ls_code farm_play(struct ls_plan_farm *out, struct stage *stage,
                       const struct ls_mornings *mornings, int count, const struct size *size,
                       struct ls_error *err);

/* The same through all mornings, once for each size. */
LS_MUST_CHECK
enum ls_code farm_play_all(struct ls_plan_farm *out, struct stage *stage, const struct size *size,
                           struct ls_error *err);

/* search.c: the smallest number from least to most that does. What does is likely, but not certain, to go
 * on doing as numbers grow. */
struct search {
    int least, most, guess;
    bool roughly;    /* is enough */
    bool most_tells; /* where two do not, the most is looked at: if it does not either, none does */
    /* whether x does; thorough: as the final answer must */
    enum ls_code (*does)(int x, bool thorough, bool *yes, void *data, struct ls_error *err);
    void *data;
};
LS_MUST_CHECK
enum ls_code search_smallest(const struct search *search, int *found, struct ls_error *err);

/* sizes.c: how many gateways, how many cores. */
LS_MUST_CHECK
enum ls_code sizes_find(struct stage *stage, struct ls_plan_row *row, struct ls_error *err);

/* why.c: why no number of gateways does; ideal is a farm in which nobody waits. On the heap. */
LS_MUST_CHECK
enum ls_code why_nothing(char **out, const struct stage *stage, const struct ls_plan_farm *ideal,
                         const struct ls_scene *scene, struct ls_error *err);

/* users.c: the same scenario with other users; what scale does is written to waves, which has room for all
 * of its waves. */
void users_change(struct ls_scenario *out, const struct ls_scenario *scenario,
                  struct ls_wave *waves, int64_t from, int64_t users);
/* The largest number of users, to 1 %, that does. */
struct users_search {
    int64_t users;               /* the scenario's */
    int64_t guess;               /* where it may be */
    int64_t does_well, does_not; /* known already; 0: not known */
    enum ls_code (*does)(int64_t users, bool *yes, void *data, struct ls_error *err);
    void *data;
};
/* *beyond: the least that was found not to; 0: all that was looked at does. */
LS_MUST_CHECK
enum ls_code users_largest(const struct users_search *search, struct ls_plan_carried *out,
                           int64_t *beyond, struct ls_error *err);
void level_free(struct level *level);
/* What today's farm and the planned one carry, and where they break. */
LS_MUST_CHECK
enum ls_code users_carry(struct stage *stage, struct ls_plan_row *row, struct ls_error *err);

/* The same by a published capacity; guess: how many gateways it may take. */
LS_MUST_CHECK
enum ls_code sizes_by_capacity(struct stage *stage, struct ls_plan_row *row, int guess,
                               struct ls_error *err);

/* capacity.c: by a published capacity. */
LS_MUST_CHECK
enum ls_code capacity_play(struct ls_plan_farm *out, struct stage *stage,
                           const struct ls_mornings *mornings, int count, const struct size *size,
                           struct ls_error *err);
/* What the mornings' fullest stretches hold. */
LS_MUST_CHECK
enum ls_code capacity_measure(struct stage *stage, struct ls_error *err);

/* plan->costs, and plan->notes (NULL: nothing to doubt). */
enum ls_code costs_words(struct ls_plan *plan, const struct stage *stage, struct ls_error *err);
enum ls_code costs_notes(struct ls_plan *plan, const struct stage *stage, struct ls_error *err);

/* What limits the answer, in short sentences for the paragraph. */
void costs_caveats(FILE *out, const struct stage *stage);

/* words.c: the paragraph, of stage->plan. */
LS_MUST_CHECK
enum ls_code words_write(const struct stage *stage, struct ls_error *err);

#endif
