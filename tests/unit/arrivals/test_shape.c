/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "arrivals/shape.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gsl/gsl_cdf.h>

#include "loginstorm/schedule.h"
#include "unit/arrivals/mornings.h"

static void a_curve_begins_at_0_ends_at_1_and_never_falls(void **state)
{
    (void)state;
    for (size_t w = 0; w < HOUR_WAVES; w++) {
        const struct ls_wave *wave = &hour_waves[w].wave;
        double before = 0;

        assert_true(ls_wave_share_by(wave, LS_NS_PER_H, -1) <= 0);
        assert_true(ls_wave_share_by(wave, LS_NS_PER_H, (double)LS_NS_PER_H) >= 1);
        for (int i = 0; i <= 3600; i++) {
            const double now = ls_wave_share_by(wave, LS_NS_PER_H, (double)SECONDS(i));

            assert_true(now >= before && now <= 1);
            before = now;
        }
    }
}

static void the_moment_of_a_share_has_that_share_by_it(void **state)
{
    (void)state;
    for (size_t w = 0; w < HOUR_WAVES; w++) {
        const struct ls_wave *wave = &hour_waves[w].wave;
        double before = 0;

        for (int i = 1; i < 10000; i++) {
            const double share = i / 10000.0;
            const double at_ns = ls_wave_at(wave, LS_NS_PER_H, share);

            assert_true(at_ns >= before && at_ns <= (double)LS_NS_PER_H);
            before = at_ns;
            if (fabs(ls_wave_share_by(wave, LS_NS_PER_H, at_ns) - share) > 1e-12) {
                fail_msg("%s: share %g", hour_waves[w].name, share);
            }
        }
    }
}

static void the_share_of_a_moment_leads_back_to_it(void **state)
{
    (void)state;
    for (size_t w = 0; w < HOUR_WAVES; w++) {
        const struct ls_wave *wave = &hour_waves[w].wave;

        for (int i = 1; i < 3600; i++) {
            const double at_ns = (double)SECONDS(i);
            const double share = ls_wave_share_by(wave, LS_NS_PER_H, at_ns);

            /* Where hardly anybody comes, a share says little of the moment. */
            if (share > 1e-6 && share < 1 - 1e-6 &&
                fabs(ls_wave_at(wave, LS_NS_PER_H, share) - at_ns) > 100) {
                fail_msg("%s: second %d", hour_waves[w].name, i);
            }
        }
    }
}

static void shares_worked_out_by_hand_hold(void **state)
{
    static const struct {
        const char *name;
        int minute;
        double share;
        const char *why;
    } rows[] = {
        {"uniform", 15, 0.25, "a quarter of the time"},
        {"poisson", 45, 0.75, "the same as uniform"},
        {"ramp", 30, 57.5 / 210, "mean rates: 57.5 of the first half, 152.5 of the second"},
        {"ramp down to nothing", 30, 0.75, "a triangle"},
        {"burst", 30, 0, "`at` is its start"},
        {"burst", 31, 1, "and over is its length"},
        {"burst past the window's end", 57, 0.4, "cut at the window: 2 of 5 minutes"},
        /* Areas in logins: 3,375 to 08:25, 2,500 to 08:35, 1,187.5 after the step down. */
        {"points", 25, 3375 / 7062.5, "rising"},
        {"points", 35, 5875 / 7062.5, "level"},
        {"points", 60, 1, "all"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct ls_wave *wave = NULL;

        for (size_t w = 0; w < HOUR_WAVES; w++) {
            if (strcmp(hour_waves[w].name, rows[i].name) == 0) {
                wave = &hour_waves[w].wave;
            }
        }
        assert_non_null(wave);
        if (fabs(ls_wave_share_by(wave, LS_NS_PER_H, (double)MINUTES(rows[i].minute)) -
                 rows[i].share) > 1e-14) {
            fail_msg("%s at minute %d (%s)", rows[i].name, rows[i].minute, rows[i].why);
        }
    }
}

static void a_bell_is_cut_and_scaled_up_as_gsl_says(void **state)
{
    static const struct {
        int middle, spread;
    } bells[] = {{30, 10}, {0, 10}, {60, 10}, {10, 3}, {30, 60}, {30, 600}, {-15, 10}, {80, 10}};

    (void)state;
    for (size_t b = 0; b < sizeof bells / sizeof bells[0]; b++) {
        const struct ls_wave wave = {.shape = LS_SHAPE_NORMAL,
                                     .middle_at_ns = MINUTES(bells[b].middle),
                                     .spread_ns = MINUTES(bells[b].spread)};
        const double middle = bells[b].middle, spread = bells[b].spread;
        const double low = gsl_cdf_gaussian_P(0 - middle, spread);
        const double high = gsl_cdf_gaussian_P(60 - middle, spread);

        for (int minute = 1; minute < 60; minute++) {
            const double share = (gsl_cdf_gaussian_P(minute - middle, spread) - low) / (high - low);

            assert_true(fabs(ls_wave_share_by(&wave, LS_NS_PER_H, (double)MINUTES(minute)) -
                             share) < 1e-12);
        }
    }
}

static void both_halves_of_a_bell_are_each_other_s_mirror(void **state)
{
    const struct ls_wave *bell = &hour_waves[2].wave;

    (void)state;
    for (int i = 1; i < 4096; i++) {
        const double early = ls_wave_at(bell, LS_NS_PER_H, i / 8192.0);
        const double late = ls_wave_at(bell, LS_NS_PER_H, 1 - i / 8192.0);

        assert_true(fabs(early + late - (double)LS_NS_PER_H) < 0.01);
    }
}

static void points_outside_the_window_are_cut_off_at_it(void **state)
{
    /* 0 at minute -30 to 120/min at minute 90: in the window 30/min to 90/min, as a ramp. */
    static struct ls_rate_point points[] = {{-MINUTES(30), 0}, {MINUTES(90), 2}};
    const struct ls_wave wave = {.shape = LS_SHAPE_POINTS, .points = points, .points_count = 2};
    const struct ls_wave ramp = {.shape = LS_SHAPE_RAMP, .from_per_s = 0.5, .to_per_s = 1.5};

    (void)state;
    for (int i = 1; i < 1000; i++) {
        assert_true(fabs(ls_wave_at(&wave, LS_NS_PER_H, i / 1000.0) -
                         ls_wave_at(&ramp, LS_NS_PER_H, i / 1000.0)) < 0.01);
    }
}

static void
nobody_comes_before_the_first_point_or_after_the_last_or_where_the_rate_is_0(void **state)
{
    static struct ls_rate_point points[] = {{MINUTES(5), 0},  {MINUTES(10), 0}, {MINUTES(10), 1},
                                            {MINUTES(20), 1}, {MINUTES(20), 0}, {MINUTES(40), 0},
                                            {MINUTES(40), 1}, {MINUTES(50), 1}, {MINUTES(50), 0}};
    const struct ls_wave wave = {.shape = LS_SHAPE_POINTS, .points = points, .points_count = 9};

    (void)state;
    for (int i = 1; i < 2000; i++) {
        const double at_ns = ls_wave_at(&wave, LS_NS_PER_H, i / 2000.0);

        assert_true((at_ns >= (double)MINUTES(10) && at_ns <= (double)MINUTES(20)) ||
                    (at_ns >= (double)MINUTES(40) && at_ns <= (double)MINUTES(50)));
    }
    assert_true(fabs(ls_wave_share_by(&wave, LS_NS_PER_H, (double)MINUTES(30)) - 0.5) < 1e-15);
    /* Both ends of the inverse are moments of the window, too. */
    assert_true(ls_wave_at(&wave, LS_NS_PER_H, 0) >= 0);
    assert_true(fabs(ls_wave_at(&wave, LS_NS_PER_H, 1) - (double)MINUTES(50)) < 1);
}

static void an_index_changes_no_moment(void **state)
{
    enum { POINTS = 1000 };
    struct ls_rate_point *points = calloc(POINTS, sizeof *points);
    struct ls_wave wave = {.shape = LS_SHAPE_POINTS, .points = points, .points_count = POINTS};
    struct shape plain, indexed;
    struct ls_error err;

    (void)state;
    assert_non_null(points);
    for (int i = 0; i < POINTS; i++) {
        points[i].at_ns = SECONDS(i / 2 * 7); /* steps */
        points[i].per_s = i * 31 % 17 < 5 ? 0 : i * 29 % 23;
    }
    assert_int_equal(shape_init(&plain, &wave, LS_NS_PER_H, "arrivals", &err), LS_OK);
    assert_int_equal(shape_init(&indexed, &wave, LS_NS_PER_H, "arrivals", &err), LS_OK);
    assert_int_equal(shape_index(&indexed, &err), LS_OK);
    assert_non_null(indexed.areas);
    for (int i = 0; i <= 5000; i++) {
        const double a = shape_at(&plain, i / 5000.0), b = shape_at(&indexed, i / 5000.0);

        assert_memory_equal(&a, &b, sizeof a);
    }
    shape_free(&indexed);
    shape_free(&plain);
    free(points);
}

static void what_has_no_curve_is_not_a_number(void **state)
{
    const struct ls_wave recorded = {.shape = LS_SHAPE_RECORDED};
    const struct ls_wave uniform = {.shape = LS_SHAPE_UNIFORM};

    (void)state;
    assert_true(isnan(ls_wave_share_by(&recorded, LS_NS_PER_H, 1)));
    assert_true(isnan(ls_wave_at(&recorded, LS_NS_PER_H, 0.5)));
    assert_true(isnan(ls_wave_at(&uniform, 0, 0.5)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_curve_begins_at_0_ends_at_1_and_never_falls),
        cmocka_unit_test(the_moment_of_a_share_has_that_share_by_it),
        cmocka_unit_test(the_share_of_a_moment_leads_back_to_it),
        cmocka_unit_test(shares_worked_out_by_hand_hold),
        cmocka_unit_test(a_bell_is_cut_and_scaled_up_as_gsl_says),
        cmocka_unit_test(both_halves_of_a_bell_are_each_other_s_mirror),
        cmocka_unit_test(points_outside_the_window_are_cut_off_at_it),
        cmocka_unit_test(
            nobody_comes_before_the_first_point_or_after_the_last_or_where_the_rate_is_0),
        cmocka_unit_test(an_index_changes_no_moment),
        cmocka_unit_test(what_has_no_curve_is_not_a_number),
    };

    return cmocka_run_group_tests_name("arrivals/shape", tests, NULL, NULL);
}
