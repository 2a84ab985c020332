/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "report/grid.h"

#define MS LS_NS_PER_MS

static struct ls_moment moment_of(int64_t at_ns, int64_t n)
{
    return (struct ls_moment){.at_ns = at_ns,
                              .due = n,
                              .logged_in = 2 * n,
                              .failed = n % 2,
                              .in_flight = 10 - n,
                              .peak_in_flight = n == 5 ? -1 : 12 - n,
                              .p50_ns = n * MS,
                              .p99_ns = n == 3 ? LS_NEVER_NS : 2 * n * MS,
                              .p100_ns = 3 * n * MS,
                              .gateway_cpu_share = n == 2 ? -1 : (double)n / 10};
}

static void sums_are_sums_and_the_rest_is_the_largest_or_the_mean(void **state)
{
    struct ls_moment moments[6];
    struct ls_run run = {.timeline = moments, .timeline_count = 6, .slice_ns = LS_NS_PER_S};
    const struct ls_result result = {.runs = &run, .runs_count = 1};
    struct grid_step steps[3];
    struct grid grid;

    (void)state;
    for (int64_t i = 0; i < 6; i++) {
        moments[i] = moment_of(i * LS_NS_PER_S, i + 1);
    }
    grid = grid_of(&result, 1, 3);
    assert_int_equal(grid.step_ns, 2 * LS_NS_PER_S);
    assert_int_equal(grid.count, 3);
    assert_true(grid.merged);
    grid_fill(&grid, &run, steps);
    assert_int_equal(steps[1].due, 3 + 4);
    assert_int_equal(steps[1].logged_in, 2 * (3 + 4));
    assert_int_equal(steps[1].failed, 1);
    assert_int_equal(steps[1].in_flight, 9);
    assert_int_equal(steps[1].p50_ns, 4 * MS);
    assert_int_equal(steps[1].p99_ns, 8 * MS); /* that of the third is not known */
    assert_int_equal(steps[1].p100_ns, 12 * MS);
    assert_true(fabs(steps[1].cores - 0.35) < 1e-12);
    assert_true(fabs(steps[0].cores - 0.1) < 1e-12); /* the mean of those that are known */
}

static void few_slices_stay_as_they_are(void **state)
{
    struct ls_moment moments[2] = {moment_of(0, 1), moment_of(LS_NS_PER_MIN, 5)};
    struct ls_run run = {.timeline = moments, .timeline_count = 2, .slice_ns = LS_NS_PER_MIN};
    const struct ls_result result = {.runs = &run, .runs_count = 1};
    const struct grid grid = grid_of(&result, 1, 2);
    struct grid_step steps[2];

    (void)state;
    assert_int_equal(grid.step_ns, LS_NS_PER_MIN);
    assert_int_equal(grid.count, 2);
    assert_false(grid.merged);
    grid_fill(&grid, &run, steps);
    assert_int_equal(steps[1].due, 5);
    assert_int_equal(steps[1].p50_ns, 5 * MS);
}

static void runs_of_other_slices_lie_on_one_grid(void **state)
{
    struct ls_moment fine[4], coarse[2] = {moment_of(0, 7), moment_of(2 * LS_NS_PER_S, 9)};
    struct ls_run runs[2] = {
        {.timeline = fine, .timeline_count = 4, .slice_ns = LS_NS_PER_S},
        {.timeline = coarse, .timeline_count = 2, .slice_ns = 2 * LS_NS_PER_S}};
    const struct ls_result result = {.runs = runs, .runs_count = 2};
    struct grid_step steps[2];
    struct grid grid;

    (void)state;
    for (int64_t i = 0; i < 4; i++) {
        fine[i] = moment_of(i * LS_NS_PER_S, 1);
    }
    grid = grid_of(&result, 2, 300);
    assert_int_equal(grid.step_ns, 2 * LS_NS_PER_S);
    assert_int_equal(grid.count, 2);
    assert_true(grid.merged);
    grid_fill(&grid, &runs[0], steps);
    assert_int_equal(steps[0].due, 2);
    grid_fill(&grid, &runs[1], steps);
    assert_int_equal(steps[1].due, 9);
}

static void there_are_never_more_steps_than_asked_for(void **state)
{
    static const int64_t slices[] = {1,
                                     100 * MS,
                                     LS_NS_PER_S,
                                     7 * LS_NS_PER_S,
                                     LS_NS_PER_MIN,
                                     64 * LS_NS_PER_MIN,
                                     INT64_MAX / 3};
    static const int64_t lasts[] = {0, 1, 59, 300, 3599, 10000};
    static const size_t mosts[] = {1, 30, 60, 300};

    (void)state;
    for (size_t s = 0; s < sizeof slices / sizeof slices[0]; s++) {
        for (size_t l = 0; l < sizeof lasts / sizeof lasts[0]; l++) {
            const int64_t last_ns =
                slices[s] > INT64_MAX / 10001 ? INT64_MAX / 4 : slices[s] * lasts[l];
            struct ls_moment moment = {.at_ns = last_ns};
            struct ls_run run = {.timeline = &moment, .timeline_count = 1, .slice_ns = slices[s]};
            const struct ls_result result = {.runs = &run, .runs_count = 1};

            for (size_t m = 0; m < sizeof mosts / sizeof mosts[0]; m++) {
                const struct grid grid = grid_of(&result, 1, mosts[m]);

                assert_true(grid.count >= 1 && grid.count <= mosts[m]);
                assert_true(last_ns / grid.step_ns < (int64_t)grid.count);
                /* A step takes whole slices. */
                assert_true(slices[s] > 366 * LS_NS_PER_DAY || grid.step_ns % slices[s] == 0);
            }
        }
    }
}

static void what_a_damaged_file_says_does_no_harm(void **state)
{
    struct ls_moment moments[3] = {moment_of(-5, 1), moment_of(INT64_MAX, 1), moment_of(0, 1)};
    struct ls_run run = {.timeline = moments, .timeline_count = 3, .slice_ns = -1};
    const struct ls_result result = {.runs = &run, .runs_count = 1};
    const struct grid grid = grid_of(&result, 1, 300);
    struct grid_step *steps = calloc(grid.count, sizeof *steps);

    (void)state;
    assert_non_null(steps);
    moments[0].due = moments[2].due = INT64_MAX;
    moments[0].at_ns = 0;
    grid_fill(&grid, &run, steps);
    assert_int_equal(steps[0].due, INT64_MAX);
    free(steps);
}

static void no_timeline_is_no_step(void **state)
{
    const struct ls_result result = {0};

    (void)state;
    assert_int_equal(grid_of(&result, 0, 300).count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_sums_and_the_rest_is_the_largest_or_the_mean),
        cmocka_unit_test(few_slices_stay_as_they_are),
        cmocka_unit_test(runs_of_other_slices_lie_on_one_grid),
        cmocka_unit_test(there_are_never_more_steps_than_asked_for),
        cmocka_unit_test(what_a_damaged_file_says_does_no_harm),
        cmocka_unit_test(no_timeline_is_no_step),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
