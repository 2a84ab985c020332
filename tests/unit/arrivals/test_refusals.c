/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/schedule.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "unit/arrivals/mornings.h"

enum spoiled {
    SPOIL_NOTHING,
    SPOIL_USERS,
    SPOIL_WINDOW,
    SPOIL_SPEEDUP,
    SPOIL_SHARE,
    SPOIL_POPULATION,
    SPOIL_POPULATIONS,
    SPOIL_WAVES
};

static void spoil(struct ls_scenario *scenario, enum spoiled what, double value,
                  struct ls_population *populations)
{
    switch (what) {
    case SPOIL_USERS:
        scenario->users = (int64_t)value;
        break;
    case SPOIL_WINDOW:
        scenario->window_ns = (int64_t)value;
        break;
    case SPOIL_SPEEDUP:
        scenario->speedup = value;
        break;
    case SPOIL_SHARE:
        scenario->waves[0].share = value;
        break;
    case SPOIL_POPULATION:
        populations[0].share = value;
        scenario->populations = populations;
        scenario->populations_count = 1;
        break;
    case SPOIL_POPULATIONS:
        scenario->populations_count = (size_t)value;
        break;
    case SPOIL_WAVES:
        scenario->waves_count = (size_t)value;
        break;
    case SPOIL_NOTHING:
        break;
    }
}

static void what_no_schedule_can_be_made_from_is_told(void **state)
{
    static const struct {
        enum spoiled what;
        double value;
        enum ls_code code;
        const char *text;
    } rows[] = {
        {SPOIL_USERS, 0, LS_EINPUT, "a schedule needs users, arrivals and a population at least"},
        {SPOIL_USERS, -5, LS_EINPUT, "a schedule needs users, arrivals and a population at least"},
        {SPOIL_USERS, 10000001, LS_ERANGE, "users: more than 10 million in one schedule"},
        {SPOIL_USERS, 0x1p62, LS_ERANGE, "users: more than 10 million in one schedule"},
        {SPOIL_WAVES, 0, LS_EINPUT, "a schedule needs users, arrivals and a population at least"},
        {SPOIL_POPULATIONS, 0, LS_EINPUT,
         "a schedule needs users, arrivals and a population at least"},
        {SPOIL_POPULATIONS, 65536, LS_ERANGE, "populations: more than 65535"},
        {SPOIL_WINDOW, 0, LS_EINPUT, "window: it has no length"},
        {SPOIL_WINDOW, 0x1p54, LS_ERANGE, "window: longer than 104 days"},
        {SPOIL_SPEEDUP, 0, LS_EINPUT, "speedup: 0 is not a pace"},
        {SPOIL_SPEEDUP, -1, LS_EINPUT, "speedup: -1 is not a pace"},
        {SPOIL_SPEEDUP, (double)INFINITY, LS_EINPUT, "speedup: inf is not a pace"},
        {SPOIL_SPEEDUP, 1e-300, LS_ERANGE, "speedup: 1e-300 makes the run longer than 146 years"},
        {SPOIL_SHARE, 0, LS_EINPUT, "arrivals: the shares add up to nothing"},
        {SPOIL_SHARE, -0.5, LS_EINPUT, "arrivals: -0.5 is not a share"},
        {SPOIL_SHARE, 1.5, LS_EINPUT, "arrivals: 1.5 is not a share"},
        {SPOIL_POPULATION, 0, LS_EINPUT, "populations: the shares add up to nothing"},
        {SPOIL_POPULATION, -0.5, LS_EINPUT, "populations: -0.5 is not a share"},
        {SPOIL_POPULATION, 2, LS_EINPUT, "populations: 2 is not a share"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_wave wave = hour_waves[0].wave;
        struct ls_population populations[1] = {0};
        struct ls_scenario scenario = morning(10, 1, &wave, 1);
        struct ls_schedule *schedule = NULL;
        struct ls_error err = {0};

        spoil(&scenario, rows[i].what, rows[i].value, populations);
        assert_int_equal(ls_schedule_build(&schedule, &scenario, &err), rows[i].code);
        assert_null(schedule);
        assert_int_equal(err.code, rows[i].code);
        assert_string_equal(err.text, rows[i].text);
    }
}

static void a_wave_without_a_curve_is_told(void **state)
{
    static struct ls_rate_point none[] = {{0, 0}, {MINUTES(60), 0}};
    static struct ls_rate_point one[] = {{0, 1}};
    static struct ls_rate_point below[] = {{0, 1}, {MINUTES(60), -1}};
    static struct ls_rate_point back[] = {{MINUTES(60), 1}, {0, 1}};
    static struct ls_rate_point after[] = {{MINUTES(60), 1}, {MINUTES(70), 1}};
    static const struct {
        struct ls_wave wave;
        const char *text;
    } rows[] = {
        {{.shape = LS_SHAPE_RECORDED}, "a recorded curve must be a file"},
        {{.shape = LS_SHAPE_POINTS, .points = none, .points_count = 2},
         "the rate is 0 in the whole window"},
        {{.shape = LS_SHAPE_POINTS, .points = one, .points_count = 1},
         "the rate is 0 in the whole window"},
        {{.shape = LS_SHAPE_POINTS}, "the rate is 0 in the whole window"},
        {{.shape = LS_SHAPE_POINTS, .points = after, .points_count = 2},
         "the rate is 0 in the whole window"},
        {{.shape = LS_SHAPE_POINTS, .points = below, .points_count = 2},
         "a rate is negative or not a number"},
        {{.shape = LS_SHAPE_POINTS, .points = back, .points_count = 2},
         "the points are not in the order of time"},
        {{.shape = LS_SHAPE_RAMP}, "the rate is 0 in the whole window"},
        {{.shape = LS_SHAPE_RAMP, .from_per_s = -1, .to_per_s = 2},
         "a rate is negative or not a number"},
        {{.shape = LS_SHAPE_RAMP, .from_per_s = (double)NAN, .to_per_s = 2},
         "a rate is negative or not a number"},
        {{.shape = LS_SHAPE_NORMAL, .middle_at_ns = MINUTES(30)},
         "the spread must be longer than 0s"},
        {{.shape = LS_SHAPE_NORMAL, .middle_at_ns = MINUTES(90), .spread_ns = SECONDS(1)},
         "the bell lies outside the window"},
        {{.shape = LS_SHAPE_BURST, .burst_at_ns = MINUTES(60), .burst_over_ns = SECONDS(1)},
         "the burst lies outside the window"},
        {{.shape = LS_SHAPE_BURST, .burst_at_ns = -SECONDS(2), .burst_over_ns = SECONDS(1)},
         "the burst lies outside the window"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (size_t count = 1; count <= 2; count++) {
            struct ls_wave waves[2] = {rows[i].wave, rows[i].wave};
            struct ls_scenario scenario = morning(10, 1, waves, count);
            struct ls_schedule *schedule = NULL;
            struct ls_error err = {0};
            char text[128];

            if (count == 2) {
                waves[0] = hour_waves[0].wave;
            }
            waves[0].share = waves[1].share = 1 / (double)count;
            (void)snprintf(text, sizeof text, "%s: %s", count == 1 ? "arrivals" : "arrivals.1",
                           rows[i].text);
            assert_int_equal(ls_schedule_build(&schedule, &scenario, &err), LS_EINPUT);
            assert_null(schedule);
            assert_string_equal(err.text, text);
            assert_int_equal(ls_schedule_build(&schedule, &scenario, NULL), LS_EINPUT);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_no_schedule_can_be_made_from_is_told),
        cmocka_unit_test(a_wave_without_a_curve_is_told),
    };

    return cmocka_run_group_tests_name("arrivals/refusals", tests, NULL, NULL);
}
