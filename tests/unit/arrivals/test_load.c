/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "loginstorm/schedule.h"
#include "unit/arrivals/mornings.h"

static struct ls_schedule *rows_at(const int64_t *at_ns, size_t count)
{
    struct ls_schedule *schedule = calloc(1, sizeof *schedule + count * sizeof schedule->rows[0]);

    assert_non_null(schedule);
    schedule->count = count;
    for (size_t i = 0; i < count; i++) {
        schedule->rows[i].at_ns = at_ns[i];
    }
    return schedule;
}

#define AT(hours, minutes, seconds)                                                                \
    ((hours)*LS_NS_PER_H + (minutes)*LS_NS_PER_MIN + (seconds)*LS_NS_PER_S)

static void minutes_and_seconds_are_the_clock_s(void **state)
{
    static const struct {
        int64_t from_ns;
        int64_t at_ns[6];
        size_t count;
        struct ls_load load;
        const char *why;
    } rows[] = {
        {AT(8, 0, 0),
         {AT(0, 0, 59), AT(0, 1, 0), AT(0, 1, 59), AT(0, 2, 0)},
         4,
         {AT(8, 1, 0), 2, AT(8, 0, 59), 1},
         "a minute has its start and not its end"},
        {AT(8, 0, 30),
         {AT(0, 0, 0), AT(0, 0, 29), AT(0, 0, 30), AT(0, 1, 29), AT(0, 1, 30), AT(0, 1, 31)},
         6,
         {AT(8, 0, 0), 2, AT(8, 0, 30), 1},
         "the clock is cut, not the window: 08:00, 08:01 and 08:02 have two each, the first wins"},
        {AT(8, 0, 30),
         {AT(0, 0, 10), AT(0, 0, 40), AT(0, 0, 50)},
         3,
         {AT(8, 1, 0), 2, AT(8, 0, 40), 1},
         "from the window's start all three would be one minute"},
        {AT(23, 30, 0),
         {AT(0, 29, 59), AT(0, 30, 1), AT(0, 30, 1) + 999999999},
         3,
         {AT(0, 0, 0), 2, AT(0, 0, 1), 2},
         "across midnight"},
        {AT(8, 0, 0) + 500000000,
         {499999999, 500000000, 1499999999},
         3,
         {AT(8, 0, 0), 3, AT(8, 0, 1), 2},
         "seconds of the clock, too"},
        {AT(8, 0, 0), {0}, 1, {AT(8, 0, 0), 1, AT(8, 0, 0), 1}, "one user"},
        {AT(8, 0, 0), {0}, 0, {AT(8, 0, 0), 0, AT(8, 0, 0), 0}, "nobody"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_schedule *schedule = rows_at(rows[i].at_ns, rows[i].count);
        const struct ls_scenario scenario = {.from_ns = rows[i].from_ns, .window_ns = LS_NS_PER_H};
        struct ls_load load;

        ls_schedule_load(schedule, &scenario, &load);
        if (memcmp(&load, &rows[i].load, sizeof load) != 0) {
            fail_msg("%s", rows[i].why);
        }
        free(schedule);
    }
}

static void a_histogram_counts_everybody_once(void **state)
{
    static const int64_t at_ns[] = {0, 2, 3, 4, 6, 9};
    static const struct {
        size_t count;
        int64_t logins[10];
        const char *why;
    } rows[] = {
        {1, {6}, "one slice"},
        {2, {4, 2}, "halves"},
        {3, {3, 2, 1}, "slices end at 3 1/3 and 6 2/3: 6 is in the second"},
        {4, {2, 2, 1, 1}, "at 2.5, 5 and 7.5"},
        {10, {1, 0, 1, 1, 1, 0, 1, 0, 0, 1}, "one a nanosecond"},
    };
    struct ls_schedule *schedule = rows_at(at_ns, 6);
    const struct ls_scenario scenario = {.window_ns = 10};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t logins[10];

        ls_schedule_histogram(schedule, &scenario, logins, rows[i].count);
        if (memcmp(logins, rows[i].logins, rows[i].count * sizeof logins[0]) != 0) {
            fail_msg("%s", rows[i].why);
        }
    }
    ls_schedule_histogram(schedule, &scenario, NULL, 0);
    free(schedule);
}

static void a_histogram_of_more_slices_than_nanoseconds_still_adds_up(void **state)
{
    static const int64_t at_ns[] = {0, 1, 2};
    struct ls_schedule *schedule = rows_at(at_ns, 3);
    const struct ls_scenario scenario = {.window_ns = 3};
    int64_t logins[7];

    (void)state;
    ls_schedule_histogram(schedule, &scenario, logins, 7);
    /* Slice i begins at 3 i / 7: moment 1 is in slice 2 (from 6/7 to 9/7), 2 in slice 4. */
    assert_int_equal(logins[0], 1);
    assert_int_equal(logins[2], 1);
    assert_int_equal(logins[4], 1);
    assert_int_equal(logins[1] + logins[3] + logins[5] + logins[6], 0);
    free(schedule);
}

static void even_bells_have_the_fullest_minute_of_the_curve(void **state)
{
    static const struct {
        int64_t users, minute, second;
    } rows[] = {{6000, 251, 5}, {3500, 146, 3}}; /* 4.18 and 2.44 a second */

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_wave bell = hour_waves[2].wave;
        const struct ls_scenario scenario = morning(rows[i].users, 1, &bell, 1);
        struct ls_schedule *schedule;
        struct ls_error err;
        struct ls_load load;

        bell.placement = LS_PLACEMENT_EVEN;
        assert_int_equal(ls_schedule_build(&schedule, &scenario, &err), LS_OK);
        ls_schedule_load(schedule, &scenario, &load);
        assert_in_range(load.peak_minute_logins, rows[i].minute - 2, rows[i].minute + 2);
        assert_true(load.peak_minute_at_ns == AT(8, 29, 0) ||
                    load.peak_minute_at_ns == AT(8, 30, 0));
        assert_int_equal(load.peak_second_logins, rows[i].second);
        ls_schedule_free(schedule);
    }
}

/* Mean, least and most of the fullest minute over seeds. */
static double fullest_minutes(int64_t users, int seeds, int64_t *least, int64_t *most)
{
    double sum = 0;

    *least = INT64_MAX;
    *most = 0;
    for (int seed = 0; seed < seeds; seed++) {
        struct ls_wave bell = hour_waves[2].wave;
        const struct ls_scenario scenario = morning(users, (uint64_t)seed, &bell, 1);
        struct ls_schedule *schedule;
        struct ls_error err;
        struct ls_load load;

        assert_int_equal(ls_schedule_build(&schedule, &scenario, &err), LS_OK);
        ls_schedule_load(schedule, &scenario, &load);
        sum += (double)load.peak_minute_logins;
        *least = load.peak_minute_logins < *least ? load.peak_minute_logins : *least;
        *most = load.peak_minute_logins > *most ? load.peak_minute_logins : *most;
        ls_schedule_free(schedule);
    }
    return sum / seeds;
}

static void people_bunch_as_independent_people_do(void **state)
{
    int64_t least, most;

    (void)state;
    assert_true(fabs(fullest_minutes(6000, 200, &least, &most) - 269) < 1.5);
    assert_true(least >= 241 && most <= 315);
    assert_true(most - least > 30); /* not even, that is */
    assert_true(fabs(fullest_minutes(3500, 200, &least, &most) - 161) < 1.5);
}

/* By hand: a user with two connections every 400 ms of the storm, so that three of them begin within a second. */
static void the_densest_second_counts_the_connections_that_begin_in_it(void **state)
{
    struct ls_population populations[2] = {{.connections = 2}, {.connections = 5}};
    const struct ls_scenario scenario = {.populations = populations, .populations_count = 2};
    struct ls_schedule *schedule = calloc(1, sizeof *schedule + 10 * sizeof(struct ls_arrival));

    (void)state;
    schedule->count = 10;
    for (size_t i = 0; i < 10; i++) {
        schedule->rows[i].due_ns = (int64_t)i * 400 * LS_NS_PER_MS;
    }
    assert_int_equal(ls_schedule_densest(schedule, &scenario, 0, 1), 6);
    assert_int_equal(ls_schedule_densest(schedule, &scenario, 0, 3),
                     2); /* every third: 0, 1.2 s, ... */
    assert_int_equal(ls_schedule_densest(schedule, &scenario, 1, 2),
                     4); /* every second one: 0.8 s apart */
    schedule->rows[9].population = 1;
    assert_int_equal(ls_schedule_densest(schedule, &scenario, 0, 1), 9);
    schedule->rows[9].due_ns =
        schedule->rows[6].due_ns + LS_NS_PER_S; /* a second later is not within it */
    assert_int_equal(ls_schedule_densest(schedule, &scenario, 0, 1), 9);
    schedule->waves_count = 1;
    assert_int_equal(ls_schedule_densest(schedule, &scenario, 0, 1), 0);
    schedule->count = 0;
    schedule->waves_count = 0;
    assert_int_equal(ls_schedule_densest(schedule, &scenario, 0, 1), 0);
    free(schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(minutes_and_seconds_are_the_clock_s),
        cmocka_unit_test(a_histogram_counts_everybody_once),
        cmocka_unit_test(a_histogram_of_more_slices_than_nanoseconds_still_adds_up),
        cmocka_unit_test(even_bells_have_the_fullest_minute_of_the_curve),
        cmocka_unit_test(the_densest_second_counts_the_connections_that_begin_in_it),
        cmocka_unit_test(people_bunch_as_independent_people_do),
    };

    return cmocka_run_group_tests_name("arrivals/load", tests, NULL, NULL);
}
