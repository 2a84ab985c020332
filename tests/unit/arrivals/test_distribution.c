/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/schedule.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "unit/arrivals/mornings.h"

static int by_value(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;

    return (a > b) - (a < b);
}

/* The largest distance between drawn moments and a curve, in units of which 1.63 is passed by 1 of
 * 100 (Kolmogorov and Smirnov, with Stephens' correction for few draws). at_ns is sorted here. */
static double distance(double *at_ns, size_t count, const struct ls_wave *wave)
{
    const double n = (double)count;
    double most = 0;

    qsort(at_ns, count, sizeof at_ns[0], by_value);
    for (size_t i = 0; i < count; i++) {
        const double share = ls_wave_share_by(wave, LS_NS_PER_H, at_ns[i]);

        most = fmax(most, fmax((double)(i + 1) / n - share, share - (double)i / n));
    }
    return most * (sqrt(n) + 0.12 + 0.11 / sqrt(n));
}

enum { SEEDS = 200, USERS = 500 };

/* Rejections of 200 schedules at 1 %, and the distance of all their users together. */
static int rejected(const struct ls_wave *drawn, const struct ls_wave *meant, double *together)
{
    double *all = calloc((size_t)SEEDS * USERS, sizeof *all);
    int count = 0;

    assert_non_null(all);
    for (size_t seed = 0; seed < SEEDS; seed++) {
        struct ls_schedule *schedule = built_of(drawn, LS_PLACEMENT_RANDOM, USERS, seed);
        double *one = all + seed * USERS;

        for (size_t i = 0; i < USERS; i++) {
            one[i] = (double)schedule->rows[i].at_ns;
        }
        count += distance(one, USERS, meant) > 1.6276;
        ls_schedule_free(schedule);
    }
    *together = distance(all, (size_t)SEEDS * USERS, meant);
    free(all);
    return count;
}

static void random_moments_follow_the_curve_by_kolmogorov_and_smirnov(void **state)
{
    (void)state;
    for (size_t w = 0; w < HOUR_WAVES; w++) {
        double together;
        const int count = rejected(&hour_waves[w].wave, &hour_waves[w].wave, &together);

        /* 2 are to be expected; more than 8 come once in 4,000 (binomial). All together pass 1.95
         * once in 1,000. */
        if (count > 8 || together > 1.95) {
            fail_msg("%s: %d of 200 rejected, distance of all %g", hour_waves[w].name, count,
                     together);
        }
    }
}

static void that_test_would_see_a_curve_that_is_a_little_wrong(void **state)
{
    struct ls_wave wrong = hour_waves[2].wave;
    double together;

    (void)state;
    wrong.spread_ns += wrong.spread_ns / 50;
    (void)rejected(&wrong, &hour_waves[2].wave, &together);
    assert_true(together > 1.95); /* 2 % wider */
    wrong = hour_waves[2].wave;
    wrong.middle_at_ns += SECONDS(10);
    (void)rejected(&wrong, &hour_waves[2].wave, &together);
    assert_true(together > 1.95); /* 10 seconds late */
    assert_true(rejected(&hour_waves[6].wave, &hour_waves[0].wave, &together) == SEEDS);
}

static void even_moments_are_the_curve_s_quantiles(void **state)
{
    enum { COUNT = 1000 };

    (void)state;
    for (size_t w = 0; w < HOUR_WAVES; w++) {
        const struct ls_wave *wave = &hour_waves[w].wave;
        struct ls_schedule *schedule = built_of(wave, LS_PLACEMENT_EVEN, COUNT, 7);
        int64_t minutes[60];
        const struct ls_scenario hour = {.window_ns = LS_NS_PER_H};

        for (size_t i = 0; i < COUNT; i++) {
            const double at_ns = floor(ls_wave_at(wave, LS_NS_PER_H, ((double)i + 0.5) / COUNT));

            assert_true((double)schedule->rows[i].at_ns >= at_ns &&
                        (double)schedule->rows[i].at_ns <= at_ns);
        }
        ls_schedule_histogram(schedule, &hour, minutes, 60);
        for (int m = 0; m < 60; m++) {
            const double meant =
                COUNT * (ls_wave_share_by(wave, LS_NS_PER_H, (double)MINUTES(m + 1)) -
                         ls_wave_share_by(wave, LS_NS_PER_H, (double)MINUTES(m)));

            assert_true(fabs((double)minutes[m] - meant) <= 1);
        }
        ls_schedule_free(schedule);
    }
}

static void forty_per_cent_come_in_the_middle_sixth(void **state)
{
    /* Of the bell as cut: 0.4 / 0.99835; one standard deviation of 6,000 users is 0.632 %. */
    const double meant = ls_wave_share_by(&hour_waves[2].wave, LS_NS_PER_H, (double)MINUTES(35)) -
                         ls_wave_share_by(&hour_waves[2].wave, LS_NS_PER_H, (double)MINUTES(25));
    double sum = 0, squares = 0, mean, deviation;

    (void)state;
    assert_true(fabs(meant - 0.4 / 0.99835) < 5e-6);
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct ls_schedule *schedule =
            built_of(&hour_waves[2].wave, LS_PLACEMENT_RANDOM, 6000, seed);
        double share = 0;

        for (size_t i = 0; i < schedule->count; i++) {
            const int64_t at_ns = schedule->rows[i].at_ns;

            share += at_ns >= MINUTES(25) && at_ns < MINUTES(35) ? 1.0 / 6000 : 0;
        }
        sum += share;
        squares += (share - meant) * (share - meant);
        ls_schedule_free(schedule);
    }
    mean = sum / SEEDS;
    deviation = sqrt(squares / SEEDS);
    assert_true(fabs(mean - meant) < 4 * 0.00632 / sqrt(SEEDS));
    assert_true(fabs(deviation - 0.00632) < 4 * 0.00632 / sqrt(2.0 * SEEDS));
}

static void a_bell_at_the_window_s_edge_is_cut_and_not_piled_up(void **state)
{
    struct ls_schedule *schedule =
        built_of(&hour_waves[3].wave, LS_PLACEMENT_RANDOM, 100000, 20261130);
    size_t last_second = 0;

    (void)state;
    for (size_t i = 0; i < schedule->count; i++) {
        last_second += schedule->rows[i].at_ns >= LS_NS_PER_H - LS_NS_PER_S;
    }
    /* Half a bell of 600 s: 0.133 % a second at its top. 133 are meant, sd 11.5. */
    assert_in_range(last_second, 133 - 46, 133 + 46);
    ls_schedule_free(schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_moments_follow_the_curve_by_kolmogorov_and_smirnov),
        cmocka_unit_test(that_test_would_see_a_curve_that_is_a_little_wrong),
        cmocka_unit_test(even_moments_are_the_curve_s_quantiles),
        cmocka_unit_test(forty_per_cent_come_in_the_middle_sixth),
        cmocka_unit_test(a_bell_at_the_window_s_edge_is_cut_and_not_piled_up),
    };

    return cmocka_run_group_tests_name("arrivals/distribution", tests, NULL, NULL);
}
