/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How fast virtual time goes. Two subjects, a line each time: `customers NS` and `recursion NS` for an M/M/1
 * queue at 80 % (a customer's arrival, his service drawn, his login put down; and the same draws through a bare
 * Lindley recursion with the C library's log, which keeps nothing), `morning MS` for the scenario's morning
 * on the farm that it describes, quantiles included, and `events N` of it: arrivals of users and of messages
 * at a gateway, which are all that the model has.
 *
 *     cmake --build --preset release --target bench_model && build/release/bench_model SCENARIO [ROUNDS]
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "loginstorm/mornings.h"
#include "loginstorm/random.h"
#include "loginstorm/units.h"

#define CUSTOMERS 20000
#define MORNINGS 50

static void must(enum ls_code code, const struct ls_error *err)
{
    if (code != LS_OK) {
        (void)fprintf(stderr, "bench_model: %s\n", err->text);
        exit(1);
    }
}

static struct ls_schedule *poisson(double mean_gap_ns)
{
    struct ls_schedule *schedule =
        calloc(1, sizeof *schedule + CUSTOMERS * sizeof schedule->rows[0]);
    double at_ns = 0;

    if (schedule == NULL) {
        abort();
    }
    schedule->count = CUSTOMERS;
    for (size_t i = 0; i < CUSTOMERS; i++) {
        at_ns -= log(ls_random_unit(1, LS_STREAM_ARRIVAL, i, 0)) * mean_gap_ns;
        schedule->rows[i].due_ns = (int64_t)at_ns;
    }
    return schedule;
}

static void customers(void)
{
    static const struct ls_model_population population = {
        .connections = 1,
        .full = {.steps = {{.burst = {.law = LS_LAW_EXPONENTIAL, .mean_ns = 1e6}}},
                 .steps_count = 1}};
    const struct ls_model_wish wish = {
        .populations = &population,
        .populations_count = 1,
        .login = {.hold = LS_HOLD_NONE,
                  .connect_timeout_ns = INT64_MAX,
                  .handshake_timeout_ns = INT64_MAX,
                  .login_timeout_ns = INT64_MAX,
                  .attempts = 1},
        .farm = {.gateways = 1, .cores = 1, .backlog = -1},
        .speedup = 1,
    };
    struct ls_schedule *schedule = poisson(1e6 / 0.8);
    struct ls_model *model;
    struct ls_error err;
    int64_t least_ns = INT64_MAX;

    must(ls_model_new(&model, &wish, &err), &err);
    for (uint64_t i = 0; i < MORNINGS; i++) {
        const int64_t begun_ns = ls_thread_cpu_ns();
        int64_t took_ns;

        must(ls_model_run(model, schedule, i, &err), &err);
        took_ns = ls_thread_cpu_ns() - begun_ns;
        least_ns = took_ns < least_ns ? took_ns : least_ns;
    }
    printf("customers %.2f\n", (double)least_ns / CUSTOMERS);
    ls_model_free(model);
    free(schedule);
}

static void recursion(void)
{
    struct ls_schedule *schedule = poisson(1e6 / 0.8);
    int64_t least_ns = INT64_MAX, sum_ns = 0;

    for (uint64_t morning = 0; morning < MORNINGS; morning++) {
        const int64_t begun_ns = ls_thread_cpu_ns();
        int64_t free_ns = 0, took_ns;

        for (size_t i = 0; i < CUSTOMERS; i++) {
            const int64_t due_ns = schedule->rows[i].due_ns;
            const double u = ls_random_unit(morning, LS_STREAM_SERVICE, i, 0);

            free_ns = (free_ns > due_ns ? free_ns : due_ns) + (int64_t)(-log(u) * 1e6 + 0.5);
            sum_ns += free_ns - due_ns;
        }
        took_ns = ls_thread_cpu_ns() - begun_ns;
        least_ns = took_ns < least_ns ? took_ns : least_ns;
    }
    printf("recursion %.2f\n", (double)least_ns / CUSTOMERS);
    if (sum_ns < 0) {
        puts("never, but the sum is wanted");
    }
    free(schedule);
}

static struct ls_scenario *load(const char *path)
{
    struct ls_errors errors = {0};
    struct ls_scenario *scenario = NULL;

    if (ls_scenario_load(&scenario, path, NULL, 0, &errors) != LS_OK) {
        (void)fprintf(stderr, "bench_model: %s cannot be read\n", path);
        exit(1);
    }
    return scenario;
}

static void morning(const char *path)
{
    struct ls_scenario *scenario = load(path);
    const struct ls_scene_wish wish = {.scenario = scenario,
                                       .certificate = &scenario->certificates[0]};
    static struct ls_morning out[MORNINGS];
    struct ls_mornings *mornings;
    struct ls_scene *scene;
    struct ls_error err;
    int64_t begun_ns, took_ns;

    /* A law, so that it is the same work on any host: a handshake's CPU on a busy core. */
    scenario->farm.cost_kind = LS_COST_EXPONENTIAL;
    scenario->farm.cost_ns = 300 * LS_NS_PER_US;
    scenario->farm.gateways = 2;
    scenario->farm.cores = 2;
    scenario->speedup = 1;
    must(ls_scene_new(&scene, &wish, &err), &err);
    must(ls_mornings_new(&mornings, scenario, MORNINGS, 1, &err), &err);
    begun_ns = ls_thread_cpu_ns(); /* one thread: this */
    must(ls_mornings_play(mornings, &scene->wish, NULL, out, NULL, NULL, &err), &err);
    took_ns = ls_thread_cpu_ns() - begun_ns;
    printf("morning %.4f\n", (double)took_ns / 1e6 / MORNINGS);
    printf("users %zu\nevents %" PRId64 "\n", (size_t)scenario->users, out[0].facts.events);
    ls_mornings_free(mornings);
    ls_scene_free(scene);
    ls_scenario_free(scenario);
}

int main(int argc, char **argv)
{
    const int rounds = argc > 2 ? atoi(argv[2]) : 1;

    if (argc < 2) {
        (void)fprintf(stderr, "bench_model SCENARIO [ROUNDS]\n");
        return 64;
    }
    for (int i = 0; i < rounds; i++) {
        customers();
        recursion();
        morning(argv[1]);
    }
    return 0;
}
