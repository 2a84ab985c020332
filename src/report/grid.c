/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/grid.h"

#include <math.h>

/* A file may say anything. */
#define STEP_MAX_NS (366 * LS_NS_PER_DAY)
#define LAST_MAX_NS (INT64_MAX / 4)

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* So that a table's rows begin at round times. */
static int64_t round_up(int64_t step_ns)
{
    static const int64_t round_s[] = {1,   2,   5,   10,   15,   20,   30,   60,    120,   180,
                                      300, 600, 900, 1200, 1800, 3600, 7200, 14400, 43200, 86400};

    for (size_t i = 0; i < sizeof round_s / sizeof round_s[0]; i++) {
        if (round_s[i] * LS_NS_PER_S >= step_ns) {
            return round_s[i] * LS_NS_PER_S;
        }
    }
    return step_ns;
}

struct grid grid_of(const struct ls_result *result, size_t runs, size_t most)
{
    struct grid grid = {.step_ns = 1};
    int64_t last_ns = -1, least_ns = INT64_MAX;

    for (size_t r = 0; r < runs && r < result->runs_count; r++) {
        const struct ls_run *run = &result->runs[r];

        if (run->timeline_count == 0) {
            continue;
        }
        grid.step_ns = larger(grid.step_ns, run->slice_ns);
        least_ns = run->slice_ns < least_ns ? run->slice_ns : least_ns;
        for (size_t i = 0; i < run->timeline_count; i++) {
            last_ns = larger(last_ns, run->timeline[i].at_ns);
        }
    }
    if (last_ns < 0) {
        return grid;
    }
    last_ns = last_ns > LAST_MAX_NS ? LAST_MAX_NS : last_ns;
    grid.step_ns = grid.step_ns > STEP_MAX_NS ? STEP_MAX_NS : grid.step_ns;
    if ((uint64_t)(last_ns / grid.step_ns) >= most) {
        const int64_t wanted_ns = last_ns / (int64_t)most + 1, round_ns = round_up(wanted_ns);

        /* A step that cut slices in two would count some of them in the wrong one. */
        grid.step_ns =
            round_ns % grid.step_ns == 0 ? round_ns : (wanted_ns / grid.step_ns + 1) * grid.step_ns;
    }
    grid.count = (size_t)(last_ns / grid.step_ns) + 1;
    grid.merged = grid.step_ns > least_ns;
    return grid;
}

static int64_t sum_of(int64_t a, int64_t b)
{
    int64_t sum;

    return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

static void add(struct grid_step *step, const struct ls_moment *moment)
{
    step->due = sum_of(step->due, moment->due);
    step->logged_in = sum_of(step->logged_in, moment->logged_in);
    step->failed = sum_of(step->failed, moment->failed);
    step->in_flight = larger(step->in_flight, moment->peak_in_flight >= 0 ? moment->peak_in_flight
                                                                          : moment->in_flight);
    step->p50_ns = larger(step->p50_ns, moment->p50_ns);
    step->p99_ns = larger(step->p99_ns, moment->p99_ns);
    step->p100_ns = larger(step->p100_ns, moment->p100_ns);
    step->there = true;
}

void grid_fill(const struct grid *grid, const struct ls_run *run, struct grid_step *steps)
{
    double sum = 0;
    int64_t known = 0;

    for (size_t i = 0; i < grid->count; i++) {
        steps[i] = (struct grid_step){
            .p50_ns = LS_NEVER_NS, .p99_ns = LS_NEVER_NS, .p100_ns = LS_NEVER_NS, .cores = -1};
    }
    for (size_t i = 0; i < run->timeline_count; i++) {
        const struct ls_moment *moment = &run->timeline[i];
        const bool new_step =
            i == 0 || moment->at_ns / grid->step_ns != run->timeline[i - 1].at_ns / grid->step_ns;
        struct grid_step *step;

        if (moment->at_ns < 0 || moment->at_ns / grid->step_ns >= (int64_t)grid->count) {
            continue;
        }
        step = &steps[moment->at_ns / grid->step_ns];
        add(step, moment);
        sum = new_step ? 0 : sum;
        known = new_step ? 0 : known;
        if (moment->gateway_cpu_share >= 0) {
            sum += moment->gateway_cpu_share;
            known++;
        }
        step->cores = known > 0 ? sum / (double)known : -1;
    }
}
