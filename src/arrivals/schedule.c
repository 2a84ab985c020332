/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/schedule.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "arrivals/loop.h"
#include "arrivals/recorded.h"
#include "arrivals/shape.h"
#include "arrivals/sort.h"
#include "loginstorm/random.h"

#define USERS_MAX INT64_C(10000000)
#define POPULATIONS_MAX 65535            /* what a row's index holds */
#define WINDOW_MAX_NS (INT64_C(1) << 53) /* 104 days: every moment is exact in a double */
#define SHARE_PARTS 1e9

/* Whether the curves say how many users there are. */
static bool is_counted_by_curves(const struct ls_scenario *scenario)
{
    for (size_t i = 0; i < scenario->waves_count; i++) {
        if (scenario->waves[i].shape != LS_SHAPE_RECORDED) {
            return false;
        }
    }
    return scenario->users == 0;
}

static enum ls_code check(const struct ls_scenario *scenario, struct ls_error *err)
{
    const double speedup = scenario->speedup;
    const bool closed = ls_scenario_is_closed(scenario);

    if ((scenario->users < 1 && !is_counted_by_curves(scenario)) || scenario->waves_count < 1 ||
        scenario->populations_count < 1) {
        return ls_error_set(err, LS_EINPUT,
                            "a schedule needs users, arrivals and a population at least");
    }
    if (scenario->users > USERS_MAX) {
        return ls_error_set(err, LS_ERANGE, "users: more than 10 million in one schedule");
    }
    if (scenario->populations_count > POPULATIONS_MAX) {
        return ls_error_set(err, LS_ERANGE, "populations: more than %d", POPULATIONS_MAX);
    }
    if (closed) {
        return loops_check(scenario, err);
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
    struct recorded recorded; /* of a recorded wave, instead */
    int64_t share;            /* in SHARE_PARTS */
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

static void draw_wave(const struct part *part, const struct ls_scenario *scenario, size_t wave,
                      uint64_t seed, size_t first, struct ls_arrival *rows)
{
    for (int64_t i = 0; i < part->users; i++) {
        const size_t n = first + (size_t)i;
        const double share = scenario->waves[wave].placement == LS_PLACEMENT_EVEN
                                 ? ((double)i + 0.5) / (double)part->users
                                 : ls_random_unit(seed, LS_STREAM_ARRIVAL, n, wave);
        const int64_t at_ns = (int64_t)shape_at(&part->shape, share);

        /* The window is open at its end; rounding may touch it. */
        rows[i].at_ns = at_ns < scenario->window_ns ? at_ns : scenario->window_ns - 1;
        rows[i].due_ns = (int64_t)n;
    }
}

/* Moments of all users, wave after wave; due_ns holds the number of the draw until the rows are
 * sorted. */
static enum ls_code draw(struct ls_schedule *schedule, const struct part *parts,
                         const struct ls_scenario *scenario, uint64_t seed, FILE *notes,
                         struct ls_error *err)
{
    struct ls_arrival *rows = schedule->rows;
    size_t n = 0;

    schedule->recorded = 0;
    for (size_t w = 0; w < scenario->waves_count; w++) {
        const int64_t users = parts[w].users, recorded = parts[w].recorded.count;

        if (scenario->waves[w].shape != LS_SHAPE_RECORDED) {
            draw_wave(&parts[w], scenario, w, seed, n, rows);
        } else if (recorded_draw(&parts[w].recorded, seed, users, (int64_t)n, rows, notes, err) !=
                   LS_OK) {
            return LS_ENOMEM;
        }
        rows += users;
        schedule->recorded += users < recorded ? users : recorded;
        /* A login of a curve keeps its number however many of them are chosen. */
        n += (size_t)(users > recorded ? users : recorded);
    }
    return LS_OK;
}

static uint16_t population_of(const struct ls_scenario *scenario, double whole, uint64_t seed,
                              uint64_t n)
{
    const double x = ls_random_unit(seed, LS_STREAM_POPULATION, n, 0) * whole;
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
                           uint64_t seed, struct ls_error *err)
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

        row->population = population_of(scenario, whole, seed, (uint64_t)row->due_ns);
        row->due_ns =
            schedule->waves_count > 0 ? 0 : (int64_t)((double)row->at_ns / scenario->speedup);
    }
    return LS_OK;
}

static enum ls_code init_parts(struct part *parts, const struct ls_scenario *scenario, FILE *notes,
                               struct ls_error *err)
{
    enum ls_code code = scenario->users > 0 ? divide(parts, scenario, err) : LS_OK;

    for (size_t i = 0; i < scenario->waves_count && code == LS_OK; i++) {
        char name[32] = "arrivals";

        if (scenario->waves_count > 1) {
            (void)snprintf(name, sizeof name, "arrivals.%zu", i);
        }
        if (scenario->waves[i].shape == LS_SHAPE_RECORDED) {
            code = recorded_init(&parts[i].recorded, scenario, i, name, notes, err);
            continue;
        }
        code = shape_init(&parts[i].shape, &scenario->waves[i], scenario->window_ns, name, err);
        if (code == LS_OK) {
            code = shape_index(&parts[i].shape, err);
        }
    }
    return code;
}

/* The users of all waves, which recorded ones bring themselves where the scenario does not say. */
static enum ls_code count_users(struct part *parts, const struct ls_scenario *scenario,
                                int64_t *users, struct ls_error *err)
{
    double sum = 0;

    *users = scenario->users;
    if (scenario->users > 0) {
        return LS_OK;
    }
    for (size_t i = 0; i < scenario->waves_count; i++) {
        const double scale = scenario->waves[i].scale;
        const double own = recorded_users(&parts[i].recorded, scale > 0 ? scale : 1);

        sum += own;
        if (!(sum <= (double)USERS_MAX)) {
            return ls_error_set(err, LS_EINPUT,
                                "%s: it brings the storm to more than 10 million users, which is "
                                "the most: give a smaller `scale`, `users`, a shorter window or "
                                "one `day`",
                                scenario->waves[i].curve);
        }
        parts[i].users = (int64_t)own;
    }
    *users = (int64_t)sum;
    return LS_OK;
}

struct ls_schedule_maker {
    const struct ls_scenario *scenario;
    struct part *parts;
    int64_t users;
    char *notes; /* of what was read; never NULL in a whole one */
};

static enum ls_code prepare(struct ls_schedule_maker *maker, FILE *notes, struct ls_error *err)
{
    const struct ls_scenario *scenario = maker->scenario;
    enum ls_code code;

    maker->users = scenario->users;
    if (ls_scenario_is_closed(scenario)) {
        return LS_OK;
    }
    code = init_parts(maker->parts, scenario, notes, err);
    return code == LS_OK ? count_users(maker->parts, scenario, &maker->users, err) : code;
}

enum ls_code ls_schedule_maker_new(struct ls_schedule_maker **out,
                                   const struct ls_scenario *scenario, struct ls_error *err)
{
    struct ls_schedule_maker *maker;
    FILE *notes = NULL;
    size_t size;
    enum ls_code code = check(scenario, err);

    *out = NULL;
    if (code != LS_OK) {
        return code;
    }
    maker = calloc(1, sizeof *maker);
    if (maker != NULL) {
        maker->scenario = scenario;
        maker->parts = calloc(scenario->waves_count, sizeof *maker->parts);
        notes = open_memstream(&maker->notes, &size);
    }
    if (maker == NULL || maker->parts == NULL || notes == NULL) {
        code = ls_error_set(err, LS_ENOMEM, "no memory for a schedule");
    } else {
        code = prepare(maker, notes, err);
    }
    if (notes != NULL && fclose(notes) != 0 && code == LS_OK) {
        code = ls_error_set(err, LS_ENOMEM, "no memory for the notes of a schedule");
    }
    if (code != LS_OK) {
        ls_schedule_maker_free(maker);
        return code;
    }
    *out = maker;
    return LS_OK;
}

void ls_schedule_maker_free(struct ls_schedule_maker *maker)
{
    if (maker == NULL) {
        return;
    }
    for (size_t i = 0; maker->parts != NULL && i < maker->scenario->waves_count; i++) {
        shape_free(&maker->parts[i].shape);
        recorded_free(&maker->parts[i].recorded);
    }
    free(maker->parts);
    free(maker->notes);
    free(maker);
}

int64_t ls_schedule_maker_users(const struct ls_schedule_maker *maker)
{
    return maker->users;
}

static enum ls_code build(struct ls_schedule **out, const struct ls_schedule_maker *maker,
                          uint64_t seed, FILE *notes, struct ls_error *err)
{
    const size_t users = (size_t)maker->users;
    enum ls_code code = LS_OK;
    /* Zeroed, padding too: the same schedule is the same bytes. */
    struct ls_schedule *schedule = calloc(1, sizeof *schedule + users * sizeof schedule->rows[0]);

    *out = schedule;
    if (schedule == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for a schedule of %zu users", users);
    }
    schedule->count = users;
    if (ls_scenario_is_closed(maker->scenario)) {
        loops_lay(schedule, maker->scenario);
    } else {
        code = draw(schedule, maker->parts, maker->scenario, seed, notes, err);
        if (code == LS_OK) {
            rows_sort(schedule->rows, schedule->count);
        }
    }
    return code == LS_OK ? finish(schedule, maker->scenario, seed, err) : code;
}

/* The notes become the schedule's, when there are any. */
static enum ls_code close_notes(FILE *notes, char **text, struct ls_schedule *schedule,
                                enum ls_code code, struct ls_error *err)
{
    const bool failed = fclose(notes) != 0;

    if (code == LS_OK && failed) {
        code = ls_error_set(err, LS_ENOMEM, "no memory for the notes of a schedule");
    }
    if (code == LS_OK && (*text)[0] != '\0') {
        schedule->notes = *text;
        *text = NULL;
    }
    free(*text);
    return code;
}

enum ls_code ls_schedule_make(struct ls_schedule **out, const struct ls_schedule_maker *maker,
                              uint64_t seed, struct ls_error *err)
{
    struct ls_schedule *schedule = NULL;
    char *text = NULL;
    size_t size;
    FILE *notes = open_memstream(&text, &size);
    enum ls_code code;

    *out = NULL;
    if (notes == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for a schedule");
    }
    (void)fputs(maker->notes, notes);
    code = build(&schedule, maker, seed, notes, err);
    code = close_notes(notes, &text, schedule, code, err);
    if (code != LS_OK) {
        ls_schedule_free(schedule);
        return code;
    }
    *out = schedule;
    return LS_OK;
}

enum ls_code ls_schedule_build(struct ls_schedule **out, const struct ls_scenario *scenario,
                               struct ls_error *err)
{
    struct ls_schedule_maker *maker;
    enum ls_code code = ls_schedule_maker_new(&maker, scenario, err);

    *out = NULL;
    if (code == LS_OK) {
        code = ls_schedule_make(out, maker, scenario->seed, err);
    }
    ls_schedule_maker_free(maker);
    return code;
}

void ls_schedule_free(struct ls_schedule *schedule)
{
    if (schedule != NULL) {
        free(schedule->notes);
        free(schedule);
    }
}
