/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <gsl/gsl_cdf.h>

#include "compare/noise.h"
#include "loginstorm/random.h"

#include "unit/compare/storms.h"

static void assert_near(double got, double expected)
{
    if (!(fabs(got - expected) <= 1e-9 * fabs(expected))) {
        fail_msg("%.12g, not %.12g", got, expected);
    }
}

/* CPU: ratios 1/8, 1/10, 1/12.5: logarithms -ln 10 + {ln 1.25, 0, -ln 1.25}. */
static void rounds_side_by_side_give_the_t_interval_of_their_ratios(void **state)
{
    const double spread = log(1.25) / sqrt(3), m = 4;
    const double reach = gsl_cdf_tdist_Pinv(1 - 0.025 / m, 2) * spread;
    struct storm storm;
    struct ls_comparison *comparison;
    const struct ls_compared *cpu, *p50;

    (void)state;
    storm_init(&storm);
    storm_add(&storm, true, 1, 6000, 30000, 4000);
    storm_add(&storm, false, 1, 600, 3000, 500);
    storm_add(&storm, true, 2, 8000, 30000, 3000);
    storm_add(&storm, false, 2, 800, 3000, 300);
    storm_add(&storm, true, 3, 7000, 30000, 5000);
    storm_add(&storm, false, 3, 700, 3000, 400);
    comparison = compared(&storm.result, NULL, false);
    assert_int_equal(comparison->sides_count, 2);
    assert_int_equal(comparison->pairs_count, 1);
    assert_int_equal(comparison->judged, 4);
    assert_int_equal(comparison->pairs[0].method, LS_METHOD_PAIRED);
    assert_int_equal(comparison->pairs[0].rounds, 3);
    cpu = &comparison->pairs[0].figure[LS_FIGURE_CPU_HANDSHAKE];
    assert_near(cpu->ratio, 0.1);
    assert_near(cpu->low, 0.1 * exp(-reach));
    assert_near(cpu->high, 0.1 * exp(reach));
    assert_int_equal(cpu->finding, LS_LESS);
    assert_int_equal(comparison->pairs[0].figure[LS_FIGURE_CAPACITY].finding, LS_MORE);
    assert_near(comparison->pairs[0].figure[LS_FIGURE_CAPACITY].ratio, 10);
    /* What drifts from round to round alike is in no ratio: the interval is the point. */
    p50 = &comparison->pairs[0].figure[LS_FIGURE_LOGIN_P50];
    assert_near(p50->ratio, 0.1);
    assert_near(p50->high, p50->low);
    assert_near(comparison->sides[0].value[LS_FIGURE_CPU_HANDSHAKE], cbrt(4000.0 * 3000 * 5000));
    assert_near(comparison->pairs[0].figure[LS_FIGURE_BYTES].ratio, 1300.0 / 2200);
    assert_int_equal(comparison->pairs[0].figure[LS_FIGURE_BYTES].finding, LS_LESS);
    ls_comparison_free(comparison);
}

/* Welch: CPU 200, 400, 800 against 100, 200, 400, 800, all in logarithms of 2. */
static void repeats_of_two_storms_give_welch_s_interval(void **state)
{
    const double ln2 = log(2), z = gsl_cdf_ugaussian_Pinv(1 - 0.025 / 4);
    const double one = ln2 * ln2 / 3, other = ln2 * ln2 * (5.0 / 3) / 4;
    const double degrees = pow(one + other, 2) / (one * one / 2 + other * other / 3);
    const double reach = hypot(gsl_cdf_tdist_Pinv(1 - 0.025 / 4, degrees) * sqrt(one + other),
                               z * sqrt(2) * noise_of_storm(LS_FIGURE_CPU_HANDSHAKE, 0));
    struct storm first, second;
    struct ls_comparison *comparison;
    const struct ls_compared *cpu;

    (void)state;
    storm_init(&first);
    storm_init(&second);
    for (int i = 0; i < 4; i++) {
        storm_add(&first, false, i + 1, 500, 3000, 100 * pow(2, i));
        if (i < 3) {
            storm_add(&second, false, i + 1, 500, 3000, 200 * pow(2, i));
        }
    }
    comparison = compared(&first.result, &second.result, false);
    assert_int_equal(comparison->pairs[0].method, LS_METHOD_WELCH);
    assert_int_equal(comparison->pairs[0].rounds, 3);
    cpu = &comparison->pairs[0].figure[LS_FIGURE_CPU_HANDSHAKE];
    assert_near(cpu->ratio, sqrt(2)); /* 400 against 282.8 */
    assert_near(cpu->low, sqrt(2) * exp(-reach));
    assert_near(cpu->high, sqrt(2) * exp(reach));
    assert_int_equal(cpu->finding, LS_NOT_SHOWN);
    ls_comparison_free(comparison);
}

static void single_runs_have_the_floor_of_noise_and_never_a_slowest_login(void **state)
{
    const double sd = noise_of_run(LS_FIGURE_CPU_HANDSHAKE, 0);
    const double reach = gsl_cdf_ugaussian_Pinv(1 - 0.025 / 3) * sqrt(2) * sd;
    struct storm storm;
    struct ls_comparison *comparison;
    const struct ls_compared *figure;

    (void)state;
    storm_init(&storm);
    storm_add(&storm, true, 1, 6000, 30000, 3600);
    storm_add(&storm, false, 1, 600, 3000, 360);
    comparison = compared(&storm.result, NULL, false);
    assert_int_equal(comparison->pairs[0].method, LS_METHOD_SINGLE);
    assert_int_equal(comparison->judged, 3);
    figure = comparison->pairs[0].figure;
    assert_near(figure[LS_FIGURE_CPU_HANDSHAKE].ratio, 0.1);
    assert_near(figure[LS_FIGURE_CPU_HANDSHAKE].high, 0.1 * exp(reach));
    assert_int_equal(figure[LS_FIGURE_CPU_HANDSHAKE].finding, LS_LESS);
    assert_int_equal(figure[LS_FIGURE_LOGIN_P100].finding, LS_NOT_JUDGED);
    assert_true(figure[LS_FIGURE_LOGIN_P100].low < 0);
    assert_non_null(figure[LS_FIGURE_LOGIN_P100].why);
    assert_true(advised(comparison, "doubt", "--repeat 5"));
    assert_true(advised(comparison, "choice", "If a repeat bears it out, take ECDSA P-256"));
    ls_comparison_free(comparison);
}

/* The median of 1,000 is known to 0.5 / sqrt(1000) of rank, and 0.4 of rank double it here. */
static void a_quantile_of_few_users_is_known_less_well(void **state)
{
    struct storm storm;
    const struct ls_run *run;
    struct ls_run few;

    (void)state;
    storm_init(&storm);
    run = storm_add(&storm, true, 1, 6000, 30000, 3600);
    assert_near(sampling_error(run, LS_FIGURE_LOGIN_P50), 0.5 / sqrt(1000) * log(2) / 0.4);
    assert_near(sampling_error(run, LS_FIGURE_LOGIN_P99), sqrt(0.0099 / 1000) * log(10) / 0.01);
    few = *run;
    few.login.count = 10;
    assert_near(sampling_error(&few, LS_FIGURE_LOGIN_P50), 0.5 / sqrt(10) * log(2) / 0.4);
    few.login.count = 0;
    assert_true(sampling_error(&few, LS_FIGURE_LOGIN_P50) < 1e-12);
    assert_true(sampling_error(run, LS_FIGURE_CPU_HANDSHAKE) < 1e-12);
}

/* At nine tenths of a core the same percent of CPU is ten times the wait. */
static void a_full_gateway_s_latencies_are_known_less_well_and_its_cpu_is_not(void **state)
{
    struct storm storm;
    const struct ls_run *run;

    (void)state;
    storm_init(&storm);
    run = storm_add(&storm, true, 1, 6000, 30000, 3600);
    assert_true(busiest_share(run) < 1e-12);
    storm.moments[1].gateway_cpu_share = 0.9;
    assert_near(busiest_share(run), 0.9);
    assert_near(noise_of_run(LS_FIGURE_LOGIN_P50, 0.9), 10 * noise_of_run(LS_FIGURE_LOGIN_P50, 0));
    assert_near(noise_of_run(LS_FIGURE_LOGIN_P50, 1.5), 20 * noise_of_run(LS_FIGURE_LOGIN_P50, 0));
    assert_near(noise_of_run(LS_FIGURE_CPU_HANDSHAKE, 0.9),
                noise_of_run(LS_FIGURE_CPU_HANDSHAKE, 0));
}

/* Normal, by Box and Muller. */
static double drawn(uint64_t trial, uint64_t *draw)
{
    const double one = ls_random_unit(20261130, LS_STREAM_SERVICE, trial, (*draw)++);
    const double other = ls_random_unit(20261130, LS_STREAM_SERVICE, trial, (*draw)++);

    return sqrt(-2 * log(one)) * cos(6.283185307179586 * other);
}

struct noise {
    double p50, p99, cpu;
};

/* A round's drift meets all runs in it; a storm's all rounds. */
static void add_noisy(struct storm *storm, bool rsa, int repeat, struct noise shared,
                      struct noise own, uint64_t trial, uint64_t *draw)
{
    const double p50 = drawn(trial, draw), p99 = drawn(trial, draw), cpu = drawn(trial, draw);

    (void)storm_add(storm, rsa, repeat, 6000 * exp(shared.p50 + own.p50 * p50),
                    30000 * exp(shared.p99 + own.p99 * p99), 400 * exp(shared.cpu + own.cpu * cpu));
}

static int false_alarms(const struct ls_comparison *comparison)
{
    for (int f = 0; f < LS_FIGURE_COUNT; f++) {
        if (f != LS_FIGURE_BYTES && comparison->pairs[0].figure[f].finding > LS_NOT_SHOWN) {
            return 1;
        }
    }
    return 0;
}

#define TRIALS 2000

static void
alike_certificates_are_called_different_in_less_than_one_of_twenty_comparisons(void **state)
{
    static const struct {
        const char *how;
        int rounds;
        bool paired;
    } rows[] = {{"2 rounds side by side", 2, true},    {"3 rounds side by side", 3, true},
                {"5 rounds side by side", 5, true},    {"2 repeats of two storms", 2, false},
                {"5 repeats of two storms", 5, false}, {"single runs", 1, false}};

    (void)state;
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        int alarms = 0;

        for (uint64_t trial = 0; trial < TRIALS; trial++) {
            struct storm storms[2];
            struct ls_comparison *comparison;
            uint64_t draw = 1000 * row;
            const bool single = rows[row].rounds == 1;

            storm_init(&storms[0]);
            storm_init(&storms[1]);
            for (int side = 0; side < 2; side++) {
                struct storm *storm = &storms[rows[row].paired ? 0 : side];
                const double part = rows[row].paired || single ? 0 : 1;
                struct noise shared = {
                    part * noise_of_storm(LS_FIGURE_LOGIN_P50, 0) * drawn(trial, &draw),
                    part * noise_of_storm(LS_FIGURE_LOGIN_P99, 0) * drawn(trial, &draw),
                    part * noise_of_storm(LS_FIGURE_CPU_HANDSHAKE, 0) * drawn(trial, &draw)};
                const struct noise own = {noise_of_run(LS_FIGURE_LOGIN_P50, 0),
                                          noise_of_run(LS_FIGURE_LOGIN_P99, 0),
                                          noise_of_run(LS_FIGURE_CPU_HANDSHAKE, 0)};

                for (int i = 0; i < rows[row].rounds; i++) {
                    add_noisy(storm, side == 0, i + 1, shared, own, trial, &draw);
                }
            }
            for (size_t i = 0; i < STORM_RUNS; i++) {
                storms[0].runs[i].from_gateway_bytes = storms[1].runs[i].from_gateway_bytes = 900;
            }
            comparison =
                compared(&storms[0].result, rows[row].paired ? NULL : &storms[1].result, false);
            alarms += false_alarms(comparison);
            ls_comparison_free(comparison);
        }
        print_message("%s: %d false alarms in %d\n", rows[row].how, alarms, TRIALS);
        if (alarms * 20 >= TRIALS) {
            fail_msg("%s: %d false alarms in %d", rows[row].how, alarms, TRIALS);
        }
    }
}

static void what_a_side_does_not_know_is_not_judged(void **state)
{
    struct storm storm;
    struct ls_comparison *comparison;
    struct ls_run *run;

    (void)state;
    storm_init(&storm);
    storm_add(&storm, true, 1, 6000, 30000, 3600);
    run = storm_add(&storm, false, 1, 600, 3000, 360);
    run->of_all_p99 = run->of_all_p100 = LS_NEVER_NS; /* so many failed */
    run->cpu_us_per_handshake = run->cpu_us_per_login = run->capacity_per_s_per_core =
        run->cores_at_peak_minute = -1;
    comparison = compared(&storm.result, NULL, false);
    assert_int_equal(comparison->judged, 1);
    for (int f = 0; f < LS_FIGURE_COUNT; f++) {
        const bool known =
            f == LS_FIGURE_LOGIN_P50 || f == LS_FIGURE_BYTES || f == LS_FIGURE_FAILED;

        assert_int_equal(comparison->pairs[0].figure[f].finding == LS_NOT_KNOWN, !known);
    }
    assert_true(advised(comparison, "choice", "No recommendation"));
    ls_comparison_free(comparison);
}

/* An overloaded gateway's waits may be thousands of times apart and still not be told apart. */
static void a_full_gateway_s_waits_are_not_judged_and_the_reason_is_told(void **state)
{
    struct storm storm;
    struct ls_comparison *comparison;
    const struct ls_compared *p50;

    (void)state;
    storm_init(&storm);
    storm_add(&storm, true, 1, 9e6, 24e6, 3600);
    storm_add(&storm, false, 1, 600, 3000, 360);
    storm.moments[1].gateway_cpu_share = 1;
    comparison = compared(&storm.result, NULL, false);
    p50 = &comparison->pairs[0].figure[LS_FIGURE_LOGIN_P50];
    assert_int_equal(p50->finding, LS_NOT_JUDGED);
    assert_non_null(strstr(p50->why, "was full"));
    assert_int_equal(comparison->pairs[0].figure[LS_FIGURE_CPU_HANDSHAKE].finding, LS_LESS);
    ls_comparison_free(comparison);
}

/* 13 times the CPU with 7 % of noise: t with one degree of freedom would not show it. */
static void two_rounds_show_what_a_single_run_shows(void **state)
{
    const double floor = noise_of_run(LS_FIGURE_CPU_HANDSHAKE, 0);
    struct storm storm;
    struct ls_comparison *comparison;
    const struct ls_compared *cpu;

    (void)state;
    storm_init(&storm);
    storm_add(&storm, true, 1, 6000, 30000, 3600);
    storm_add(&storm, false, 1, 6000, 30000, 270);
    storm_add(&storm, true, 2, 6000, 30000, 3600 * 1.07);
    storm_add(&storm, false, 2, 6000, 30000, 270 / 1.07);
    comparison = compared(&storm.result, NULL, false);
    cpu = &comparison->pairs[0].figure[LS_FIGURE_CPU_HANDSHAKE];
    assert_int_equal(comparison->pairs[0].method, LS_METHOD_PAIRED);
    assert_int_equal(cpu->finding, LS_LESS);
    assert_near(cpu->high / cpu->ratio, exp(gsl_cdf_ugaussian_Pinv(1 - 0.025 / 4) * floor));
    assert_non_null(strstr(comparison->pairs[0].notes[0], "two rounds show too little"));
    ls_comparison_free(comparison);
    storm.runs[3].cpu_us_per_handshake = 270 * 3; /* the two show more than is assumed */
    comparison = compared(&storm.result, NULL, false);
    cpu = &comparison->pairs[0].figure[LS_FIGURE_CPU_HANDSHAKE];
    assert_near(cpu->high / cpu->ratio,
                exp(gsl_cdf_ugaussian_Pinv(1 - 0.025 / 4) * log(3 / 1.07) / 2));
    ls_comparison_free(comparison);
}

static void the_values_beside_a_ratio_are_of_the_same_rounds(void **state)
{
    struct storm storm;
    struct ls_comparison *comparison;
    const struct ls_compared *p50;

    (void)state;
    storm_init(&storm);
    for (int round = 1; round <= 4; round++) {
        storm_add(&storm, true, round, round == 4 ? 90000 : 6000, 300000, 3600);
        storm_add(&storm, false, round, 6600, 300000, 3600);
    }
    storm.runs[7].partial = true;
    comparison = compared(&storm.result, NULL, false);
    p50 = &comparison->pairs[0].figure[LS_FIGURE_LOGIN_P50];
    assert_near(p50->ratio, 1.1);
    assert_near(p50->base, 6000);
    assert_near(p50->value, 6600);
    ls_comparison_free(comparison);
}

static void a_quantile_of_too_few_users_is_not_judged_in_a_single_run(void **state)
{
    static const struct {
        int64_t count;
        enum ls_finding p50, p99;
    } rows[] = {
        {100, LS_LESS, LS_LESS}, {99, LS_LESS, LS_NOT_JUDGED}, {29, LS_NOT_JUDGED, LS_NOT_JUDGED}};

    (void)state;
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        struct storm storm;
        struct ls_comparison *comparison;

        storm_init(&storm);
        storm_add(&storm, true, 1, 1e6, 5e9, 3600);
        storm_add(&storm, false, 1, 60, 300, 360)->login.count = rows[row].count;
        comparison = compared(&storm.result, NULL, false);
        assert_int_equal(comparison->pairs[0].figure[LS_FIGURE_LOGIN_P50].finding, rows[row].p50);
        assert_int_equal(comparison->pairs[0].figure[LS_FIGURE_LOGIN_P99].finding, rows[row].p99);
        ls_comparison_free(comparison);
    }
}

static void one_certificate_is_no_comparison(void **state)
{
    struct storm storm;

    (void)state;
    storm_init(&storm);
    assert_null(compared(&storm.result, NULL, false));
    storm_add(&storm, true, 1, 6000, 30000, 3600);
    storm_add(&storm, true, 2, 6000, 30000, 3600);
    assert_null(compared(&storm.result, NULL, false));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounds_side_by_side_give_the_t_interval_of_their_ratios),
        cmocka_unit_test(repeats_of_two_storms_give_welch_s_interval),
        cmocka_unit_test(single_runs_have_the_floor_of_noise_and_never_a_slowest_login),
        cmocka_unit_test(a_quantile_of_few_users_is_known_less_well),
        cmocka_unit_test(a_full_gateway_s_latencies_are_known_less_well_and_its_cpu_is_not),
        cmocka_unit_test(
            alike_certificates_are_called_different_in_less_than_one_of_twenty_comparisons),
        cmocka_unit_test(what_a_side_does_not_know_is_not_judged),
        cmocka_unit_test(a_full_gateway_s_waits_are_not_judged_and_the_reason_is_told),
        cmocka_unit_test(two_rounds_show_what_a_single_run_shows),
        cmocka_unit_test(the_values_beside_a_ratio_are_of_the_same_rounds),
        cmocka_unit_test(a_quantile_of_too_few_users_is_not_judged_in_a_single_run),
        cmocka_unit_test(one_certificate_is_no_comparison),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
