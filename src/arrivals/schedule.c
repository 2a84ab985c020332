/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/schedule.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "arrivals/shape.h"
#include "loginstorm/random.h"

#define USERS_MAX INT64_C(10000000)
#define POPULATIONS_MAX 65535            /* what a row's index holds */
#define WINDOW_MAX_NS (INT64_C(1) << 53) /* 104 days: every moment is exact in a double */
#define SHARE_PARTS 1e9

static enum ls_code check(const struct ls_scenario *scenario, struct ls_error *err)
{
    const double speedup = scenario->speedup;

    if (scenario->users < 1 || scenario->waves_count < 1 || scenario->populations_count < 1) {
        return ls_error_set(err, LS_EINPUT,
                            "a schedule needs users, arrivals and a population at least");
    }
    if (scenario->users > USERS_MAX) {
        return ls_error_set(err, LS_ERANGE, "users: more than 10 million in one schedule");
    }
    if (scenario->populations_count > POPULATIONS_MAX) {
        return ls_error_set(err, LS_ERANGE, "populations: more than %d", POPULATIONS_MAX);
    }
    if (scenario->window_ns < 1) {
        return ls_error_set(err, LS_EINPUT, "window: it has no length");
    }
    if (scenario->window_ns > WINDOW_MAX_NS) {
        return ls_error_set(err, LS_ERANGE, "window: longer than 104 days");
    }
    if (!(speedup > 0) || !isfinite(speedup)) {
        return ls_error_set(err, LS_EINPUT, "speedup: %g is not a pace", speedup);
    }
    if (!((double)scenario->window_ns / speedup < 0x1p62)) {
        return ls_error_set(err, LS_ERANGE, "speedup: %g makes the run longer than 146 years",
                            speedup);
    }
    return LS_OK;
}

/* One wave while the schedule is built. */
struct part {
    struct shape shape;
    int64_t share; /* in SHARE_PARTS */
    int64_t users;
    int64_t rest; /* what was rounded off, the largest first to get one more */
};

/* Largest remainder, in integers: shares that are equal on paper are equal here too, and of two
 * equal remainders the earlier wave's goes first. */
static enum ls_code divide(struct part *parts, const struct ls_scenario *scenario,
                           struct ls_error *err)
{
    int64_t whole = 0, left = scenario->users;

    for (size_t i = 0; i < scenario->waves_count; i++) {
        const double share = scenario->waves[i].share;

        if (!(share >= 0 && share <= 1)) {
            return ls_error_set(err, LS_EINPUT, "arrivals: %g is not a share", share);
        }
        parts[i].share = (int64_t)floor(share * SHARE_PARTS + 0.5);
        whole += parts[i].share;
    }
    if (whole == 0) {
        return ls_error_set(err, LS_EINPUT, "arrivals: the shares add up to nothing");
    }
    for (size_t i = 0; i < scenario->waves_count; i++) {
        parts[i].users = scenario->users * parts[i].share / whole;
        parts[i].rest = scenario->users * parts[i].share % whole;
        left -= parts[i].users;
    }
    while (left-- > 0) {
        struct part *most = &parts[0];

        for (size_t i = 1; i < scenario->waves_count; i++) {
            most = parts[i].rest > most->rest ? &parts[i] : most;
        }
        most->users++;
        most->rest = -1;
    }
    return LS_OK;
}

/* Moments of all users, wave after wave; due_ns holds the number of the draw until the rows are
 * sorted. */
static void draw(struct ls_schedule *schedule, const struct part *parts,
                 const struct ls_scenario *scenario)
{
    size_t n = 0;

    for (size_t w = 0; w < scenario->waves_count; w++) {
        for (int64_t i = 0; i < parts[w].users; i++, n++) {
            const double share = scenario->waves[w].placement == LS_PLACEMENT_EVEN
                                     ? ((double)i + 0.5) / (double)parts[w].users
                                     : ls_random_unit(scenario->seed, LS_STREAM_ARRIVAL, n, w);
            const int64_t at_ns = (int64_t)shape_at(&parts[w].shape, share);

            /* The window is open at its end; rounding may touch it. */
            schedule->rows[n].at_ns = at_ns < scenario->window_ns ? at_ns : scenario->window_ns - 1;
            schedule->rows[n].due_ns = (int64_t)n;
        }
    }
}

/* A total order, so that the result does not depend on the sort. */
static int by_time(const void *left, const void *right)
{
    const struct ls_arrival *a = left, *b = right;

    if (a->at_ns != b->at_ns) {
        return a->at_ns < b->at_ns ? -1 : 1;
    }
    return (a->due_ns > b->due_ns) - (a->due_ns < b->due_ns);
}

static uint16_t population_of(const struct ls_scenario *scenario, double whole, uint64_t n)
{
    const double x = ls_random_unit(scenario->seed, LS_STREAM_POPULATION, n, 0) * whole;
    double below = 0;
    uint16_t last = 0;

    for (size_t i = 0; i < scenario->populations_count; i++) {
        below += scenario->populations[i].share;
        if (scenario->populations[i].share > 0) {
            last = (uint16_t)i;
        }
        if (x < below) {
            return last;
        }
    }
    return last;
}

/*
 * A user's population hangs on the number of the draw, like the moment, not on the row: a further
 * user or another wave then moves nobody else to another population. The quotient is a single
 * division, correctly rounded everywhere, and for a whole speedup its floor is that of the integer
 * division; so it keeps the order, too.
 */
static enum ls_code finish(struct ls_schedule *schedule, const struct ls_scenario *scenario,
                           struct ls_error *err)
{
    double whole = 0;

    for (size_t i = 0; i < scenario->populations_count; i++) {
        if (!(scenario->populations[i].share >= 0 && scenario->populations[i].share <= 1)) {
            return ls_error_set(err, LS_EINPUT, "populations: %g is not a share",
                                scenario->populations[i].share);
        }
        whole += scenario->populations[i].share;
    }
    if (!(whole > 0)) {
        return ls_error_set(err, LS_EINPUT, "populations: the shares add up to nothing");
    }
    for (size_t i = 0; i < schedule->count; i++) {
        struct ls_arrival *row = &schedule->rows[i];

        row->population = population_of(scenario, whole, (uint64_t)row->due_ns);
        row->due_ns = (int64_t)((double)row->at_ns / scenario->speedup);
    }
    return LS_OK;
}

static enum ls_code init_parts(struct part *parts, const struct ls_scenario *scenario,
                               struct ls_error *err)
{
    enum ls_code code = divide(parts, scenario, err);

    for (size_t i = 0; i < scenario->waves_count && code == LS_OK; i++) {
        char name[32] = "arrivals";

        if (scenario->waves_count > 1) {
            (void)snprintf(name, sizeof name, "arrivals.%zu", i);
        }
        code = shape_init(&parts[i].shape, &scenario->waves[i], scenario->window_ns, name, err);
        if (code == LS_OK) {
            code = shape_index(&parts[i].shape, err);
        }
    }
    return code;
}

enum ls_code ls_schedule_build(struct ls_schedule **out, const struct ls_scenario *scenario,
                               struct ls_error *err)
{
    struct ls_schedule *schedule = NULL;
    struct part *parts;
    enum ls_code code;

    *out = NULL;
    code = check(scenario, err);
    if (code != LS_OK) {
        return code;
    }
    parts = calloc(scenario->waves_count, sizeof *parts);
    /* Zeroed, padding too: the same schedule is the same bytes. */
    schedule = calloc(1, sizeof *schedule + (size_t)scenario->users * sizeof schedule->rows[0]);
    if (parts == NULL || schedule == NULL) {
        code = ls_error_set(err, LS_ENOMEM, "no memory for a schedule of %lld users",
                            (long long)scenario->users);
    } else {
        code = init_parts(parts, scenario, err);
    }
    if (code == LS_OK) {
        schedule->count = (size_t)scenario->users;
        draw(schedule, parts, scenario);
        qsort(schedule->rows, schedule->count, sizeof schedule->rows[0], by_time);
        code = finish(schedule, scenario, err);
    }
    for (size_t i = 0; parts != NULL && i < scenario->waves_count; i++) {
        shape_free(&parts[i].shape);
    }
    free(parts);
    if (code != LS_OK) {
        free(schedule);
        return code;
    }
    *out = schedule;
    return LS_OK;
}

void ls_schedule_free(struct ls_schedule *schedule)
{
    free(schedule);
}
