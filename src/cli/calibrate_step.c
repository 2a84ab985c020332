/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One storm at a gateway that is not ours, and the point that it makes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/calibrate_outside.h"
#include "loginstorm/schedule.h"

/* Readings of the gateway's clock before each storm: it has come to rest between two that say so, and the second one is the
 * storm's first. */
#define READINGS 2

struct step {
    struct outside *outside;
    size_t kind;
    double per_s;
    struct ls_slope_point *point; /* NULL: the gateway is warmed up */
};

static void on_step(const char *text, void *data)
{
    struct step *step = data;

    if (step->point == NULL || strncmp(text, "stopping", strlen("stopping")) == 0) {
        calibrate_tell(step->outside->calibration, text);
    }
}

static void on_view(const struct ls_storm_view *view, void *data)
{
    (void)view;
    (void)data;
}

static int by_value(const void *left, const void *right)
{
    const int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

    return (a > b) - (a < b);
}

/* The median latency of the users first to first + count - 1 who logged in; values has room for them. */
static int64_t median_of(const struct ls_login *rows, size_t first, size_t count, int64_t *values)
{
    size_t found = 0;

    for (size_t i = first; i < first + count; i++) {
        if (rows[i].outcome == LS_OUTCOME_LOGGED_IN) {
            values[found++] = rows[i].done_ns - rows[i].due_ns;
        }
    }
    qsort(values, found, sizeof *values, by_value);
    return found > 0 ? values[found / 2] : 0;
}

#define TENTH_LEAST 5

/* Users are in the order in which they were due. */
static enum ls_code find_behind(struct ls_slope_point *point, const struct ls_record *record,
                                double seconds, struct ls_error *err)
{
    size_t users, part;
    const struct ls_login *rows = ls_record_logins(record, &users);
    int64_t *values, grown_ns;

    part = users / 10 > TENTH_LEAST ? users / 10 : TENTH_LEAST;
    part = part < users ? part : users;
    values = calloc(part + 1, sizeof *values);
    if (values == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for a step of a calibration");
    }
    grown_ns = median_of(rows, users - part, part, values) - median_of(rows, 0, part, values);
    point->behind_share = fmax(0, (double)grown_ns / 1e9 / seconds);
    free(values);
    return LS_OK;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* The finest that was seen: a few readings may lie some ticks apart each. */
static void find_tick(struct side *side, int64_t tick_ns)
{
    while (tick_ns > 0) {
        const int64_t rest = side->tick_ns % tick_ns;

        side->tick_ns = tick_ns;
        tick_ns = rest;
    }
}

static void add_facts(struct side *side, const struct ls_run *run,
                      const struct ls_measurement *measurement)
{
    size_t handshakes;
    const struct ls_handshake *rows = ls_record_handshakes(measurement->record, &handshakes);

    for (size_t i = 0; i < handshakes; i++) {
        side->tls13 += rows[i].outcome == LS_OUTCOME_LOGGED_IN && rows[i].tls13 != 0;
    }
    side->handshakes += run->handshakes_full + run->handshakes_resumed;
    side->retried += run->hello_retries;
    side->client_ns += (double)larger(0, run->injectors_cpu_ns);
    find_tick(side, measurement->gateway.clock.tick_ns);
}

/* Why there is no reading, in the storm's own words. */
static enum ls_code no_reading(const struct ls_measurement *measurement, struct ls_error *err)
{
    const char *last = "it could not be read";

    for (size_t i = 0; measurement->notes != NULL && measurement->notes[i] != NULL; i++) {
        last = measurement->notes[i];
    }
    return ls_error_set(err, LS_EUNREACHABLE, "gateway.cpu: %.400s", last);
}

static void keep_why(struct side *side, const struct ls_run *run, const struct step *step)
{
    const size_t room = sizeof side->why / sizeof side->why[0];

    if (run->validity.reasons_count > 0 && ls_slope_is_bad(step->point) && side->why_count < room) {
        (void)snprintf(side->why[side->why_count++], sizeof side->why[0],
                       "at %.4g a second: %.160s", step->per_s, run->validity.reasons[0]);
    }
}

static enum ls_code take(struct step *step, const struct ls_run *run,
                         const struct ls_measurement *measurement, struct ls_error *err)
{
    const struct ls_outside_clock *clock = &measurement->gateway.clock;
    const struct outside *outside = step->outside;
    const struct kind *kind = &outside->calibration->kinds[step->kind];
    struct side *side = &outside->sides[step->kind];
    enum ls_code code;

    if (clock->read_ns <= 0) {
        return no_reading(measurement, err);
    }
    if (step->point == NULL) {
        side->idle_cores = clock->idle_cores;
        (void)snprintf(side->counted, sizeof side->counted, "%s", clock->counted);
        (void)snprintf(side->clock, sizeof side->clock, "%s", measurement->gateway.source);
        return LS_OK;
    }
    *step->point = (struct ls_slope_point){
        .offered_per_s = step->per_s,
        .seconds = (double)clock->read_ns / 1e9,
        .cpu_s = (double)clock->cpu_ns / 1e9,
        .handshakes = run->handshakes_full + run->handshakes_resumed,
        .failed =
            larger(run->handshakes_failed + run->handshakes_cut_off, run->failed + run->cut_off),
        .other_kind =
            kind->population.tls.resume_share > 0 ? run->handshakes_full : run->handshakes_resumed,
    };
    code = find_behind(step->point, measurement->record, outside->seconds, err);
    if (code == LS_OK) {
        add_facts(side, run, measurement);
        keep_why(side, run, step);
    }
    return code;
}

static enum ls_code on_measured(const struct ls_measurement *measurement, void *data,
                                struct ls_error *err)
{
    struct step *step = data;
    struct ls_run run;
    enum ls_code code;

    if (measurement->partial) {
        return LS_OK; /* it ended early, and why is told by the storm */
    }
    code = ls_run_build(&run, measurement, err);
    if (code == LS_OK) {
        code = take(step, &run, measurement, err);
        ls_run_clear(&run);
    }
    return code;
}

static enum ls_code play(struct step *step, struct ls_error *err)
{
    const struct outside *outside = step->outside;
    struct calibration *calibration = outside->calibration;
    struct kind *kind = &calibration->kinds[step->kind];
    struct ls_scenario one;
    struct ls_wave wave;
    struct ls_storm_wish wish = {
        .scenario = &one,
        .target = &outside->target,
        .shown = &outside->shown[kind->certificate],
        .program = "/proc/self/exe",
        .injectors = calibration->injectors,
        .outside_readings = step->point == NULL ? 0 : READINGS,
        .step = on_step,
        .view = on_view,
        .measured = on_measured,
        .data = step,
    };

    calibrate_steady(&one, &wave, &kind->population, calibration->scenario, kind->certificate,
                     step->per_s, outside->seconds);
    return calibrate_play(&wish, err);
}

enum ls_code outside_play(struct outside *outside, size_t kind, double per_s,
                          struct ls_slope_point *point, struct ls_error *err)
{
    struct step step = {.outside = outside, .kind = kind, .per_s = per_s, .point = point};

    return play(&step, err);
}
