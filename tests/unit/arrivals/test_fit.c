/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/fit.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "unit/arrivals/mornings.h"

static struct ls_fit *fitted(struct ls_wave *waves, size_t count, int64_t users, uint64_t seed)
{
    const struct ls_scenario scenario = morning(users, seed, waves, count);
    struct ls_schedule *schedule = built(&scenario);
    struct ls_fit *fit;
    struct ls_error err = {0};

    assert_int_equal(ls_fit_new(&fit, schedule, LS_NS_PER_H, &err), LS_OK);
    ls_schedule_free(schedule);
    return fit;
}

static void assert_near(double value, double wanted, double off, const char *what)
{
    if (!(fabs(value - wanted) <= off)) {
        fail_msg("%s is %g, wanted %g give or take %g", what, value, wanted, off);
    }
}

static void the_limit_is_that_of_the_books(void **state)
{
    (void)state;
    /* Stephens (1974), table 1A: D (sqrt n + 0.12 + 0.11 / sqrt n) = 1.358 at 5 %. Exact values of
     * Miller (1956): 0.4093 for 10, 0.1884 for 50, 0.1340 for 100. */
    assert_near(ls_fit_limit(10), 0.4093, 0.002, "n = 10");
    assert_near(ls_fit_limit(50), 0.1884, 0.0005, "n = 50");
    assert_near(ls_fit_limit(100), 0.1340, 0.0005, "n = 100");
    assert_near(ls_fit_limit(1000000), 0.001358, 0.000001, "n = 1,000,000");
}

static void what_was_drawn_from_a_shape_is_found_again(void **state)
{
    struct ls_wave bell[] = {{.shape = LS_SHAPE_NORMAL,
                              .share = 1,
                              .middle_at_ns = MINUTES(22),
                              .spread_ns = MINUTES(7)}};
    struct ls_wave on_floor[] = {{.shape = LS_SHAPE_NORMAL,
                                  .share = 0.7,
                                  .middle_at_ns = MINUTES(35),
                                  .spread_ns = MINUTES(5)},
                                 {.shape = LS_SHAPE_UNIFORM, .share = 0.3}};
    struct ls_wave with_burst[] = {{.shape = LS_SHAPE_NORMAL,
                                    .share = 0.85,
                                    .middle_at_ns = MINUTES(25),
                                    .spread_ns = MINUTES(10)},
                                   {.shape = LS_SHAPE_BURST,
                                    .share = 0.15,
                                    .burst_at_ns = MINUTES(30),
                                    .burst_over_ns = SECONDS(40)}};
    struct ls_wave level[] = {{.shape = LS_SHAPE_UNIFORM, .share = 1}};
    const struct ls_fit_try *tried;
    struct ls_fit *fit;

    (void)state;
    fit = fitted(level, 1, 5000, 1);
    assert_string_equal(fit->tries[fit->chosen].name, "uniform");
    assert_int_equal(fit->tries_count, 1);
    ls_fit_free(fit);

    fit = fitted(bell, 1, 5000, 1);
    tried = &fit->tries[fit->chosen];
    assert_string_equal(tried->name, "normal");
    assert_true(fit->fits);
    assert_int_equal(fit->tries_count, 2);
    assert_near((double)tried->waves[0].middle_at_ns / 60e9, 22, 0.3, "its middle");
    assert_near((double)tried->waves[0].spread_ns / 60e9, 7, 0.3, "its spread");
    ls_fit_free(fit);

    fit = fitted(on_floor, 2, 5000, 1);
    tried = &fit->tries[fit->chosen];
    assert_string_equal(tried->name, "normal and uniform");
    assert_near((double)tried->waves[0].middle_at_ns / 60e9, 35, 0.3, "its middle");
    assert_near(tried->waves[1].share, 0.3, 0.03, "the floor");
    ls_fit_free(fit);

    fit = fitted(with_burst, 2, 5000, 1);
    tried = &fit->tries[fit->chosen];
    assert_string_equal(tried->name, "normal and burst");
    assert_near((double)tried->waves[0].middle_at_ns / 60e9, 25, 0.5, "its middle");
    assert_near(tried->waves[1].share, 0.15, 0.02, "the burst");
    assert_near((double)tried->waves[1].burst_at_ns / 1e9, 1800, 6, "its start");
    assert_near((double)tried->waves[1].burst_over_ns / 1e9, 40, 10, "its length");
    ls_fit_free(fit);
}

static void what_is_no_bell_is_drawn_by_points(void **state)
{
    /* Three bells and a gap. */
    struct ls_wave waves[] = {{.shape = LS_SHAPE_NORMAL,
                               .share = 0.4,
                               .middle_at_ns = MINUTES(10),
                               .spread_ns = MINUTES(2)},
                              {.shape = LS_SHAPE_NORMAL,
                               .share = 0.4,
                               .middle_at_ns = MINUTES(30),
                               .spread_ns = MINUTES(3)},
                              {.shape = LS_SHAPE_NORMAL,
                               .share = 0.2,
                               .middle_at_ns = MINUTES(52),
                               .spread_ns = MINUTES(1)}};
    struct ls_fit *fit = fitted(waves, 3, 6000, 1);
    const struct ls_wave *points = &fit->tries[fit->chosen].waves[0];

    (void)state;
    assert_string_equal(fit->tries[fit->chosen].name, "points");
    assert_true(fit->fits);
    assert_in_range(points->points_count, 6, 30);
    assert_true(points->points[0].at_ns == 0);
    assert_true(points->points[points->points_count - 1].at_ns == LS_NS_PER_H);
    for (size_t i = 1; i < points->points_count; i++) {
        assert_true(points->points[i].at_ns > points->points[i - 1].at_ns);
        assert_true(points->points[i].per_s >= 0);
    }
    ls_fit_free(fit);
}

/* What is written out is what the distance is of: a schedule from it is that far from its own. */
static void the_shares_add_up_and_the_curve_rises_from_0_to_1(void **state)
{
    struct ls_wave waves[] = {
        {.shape = LS_SHAPE_NORMAL,
         .share = 0.5,
         .middle_at_ns = MINUTES(10),
         .spread_ns = MINUTES(4)},
        {.shape = LS_SHAPE_RAMP, .share = 0.4, .from_per_s = 1, .to_per_s = 9},
        {.shape = LS_SHAPE_BURST,
         .share = 0.1,
         .burst_at_ns = MINUTES(45),
         .burst_over_ns = SECONDS(10)}};
    struct ls_fit *fit = fitted(waves, 3, 3000, 5);

    (void)state;
    for (size_t t = 0; t < fit->tries_count; t++) {
        const struct ls_fit_try *tried = &fit->tries[t];
        double sum = 0, before = 0;

        for (size_t w = 0; w < tried->waves_count; w++) {
            const double thousandths = tried->waves[w].share * 1000;

            sum += tried->waves[w].share;
            assert_near(thousandths, nearbyint(thousandths), 1e-6, "a share in thousandths");
        }
        assert_near(sum, 1, 1e-9, "all shares");
        for (int i = 0; i <= 100; i++) {
            const double by = ls_fit_share_by(tried, LS_NS_PER_H, (double)MINUTES(60) * i / 100);

            assert_true(by >= before - 1e-12);
            before = by;
        }
        assert_near(before, 1, 1e-9, "its end");
        assert_true(t + 1 == fit->tries_count || tried->distance > fit->limit);
        assert_true(fit->tries[fit->chosen].distance <= tried->distance);
    }
    ls_fit_free(fit);
}

static void any_morning_is_fitted_without_ado(void **state)
{
    (void)state;
    for (size_t w = 0; w < HOUR_WAVES; w++) {
        static const int64_t users[] = {10, 37, 1000};

        for (size_t u = 0; u < 3; u++) {
            struct ls_wave wave = hour_waves[w].wave;
            struct ls_fit *fit = fitted(&wave, 1, users[u], u);

            assert_true(fit->tries[fit->chosen].distance >= 0);
            assert_true(fit->tries[fit->chosen].distance < 0.5);
            ls_fit_free(fit);
        }
    }
}

/* Twice as many users of a curve are no second morning: they must not refute what it does not. */
static void what_is_drawn_beside_recorded_logins_proves_no_more_than_they_do(void **state)
{
    struct ls_wave wave = {.shape = LS_SHAPE_UNIFORM, .share = 1};
    const struct ls_scenario scenario = morning(4000, 3, &wave, 1);
    struct ls_schedule *schedule = built(&scenario);
    struct ls_fit *fit;
    struct ls_error err = {0};

    (void)state;
    assert_int_equal(schedule->recorded, 0);
    schedule->recorded = 100;
    assert_int_equal(ls_fit_new(&fit, schedule, LS_NS_PER_H, &err), LS_OK);
    assert_near(fit->limit, ls_fit_limit(100), 0, "the limit");
    assert_int_equal(fit->logins, 4000);
    ls_fit_free(fit);
    schedule->recorded = 9;
    assert_int_equal(ls_fit_new(&fit, schedule, LS_NS_PER_H, &err), LS_EINPUT);
    assert_string_equal(err.text, "9 logins describe no curve; it takes 10");
    ls_schedule_free(schedule);
}

static void nothing_is_said_of_a_handful(void **state)
{
    const struct ls_schedule few = {.count = 9};
    struct ls_fit *fit;
    struct ls_error err = {0};

    (void)state;
    assert_int_equal(ls_fit_new(&fit, &few, LS_NS_PER_H, &err), LS_EINPUT);
    assert_null(fit);
    assert_string_equal(err.text, "9 logins describe no curve; it takes 10");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_limit_is_that_of_the_books),
        cmocka_unit_test(what_was_drawn_from_a_shape_is_found_again),
        cmocka_unit_test(what_is_no_bell_is_drawn_by_points),
        cmocka_unit_test(the_shares_add_up_and_the_curve_rises_from_0_to_1),
        cmocka_unit_test(any_morning_is_fitted_without_ado),
        cmocka_unit_test(what_is_drawn_beside_recorded_logins_proves_no_more_than_they_do),
        cmocka_unit_test(nothing_is_said_of_a_handful),
    };

    return cmocka_run_group_tests_name("arrivals/fit", tests, NULL, NULL);
}
