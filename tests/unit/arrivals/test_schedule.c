/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/schedule.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "loginstorm/file.h"
#include "loginstorm/random.h"
#include "unit/arrivals/mornings.h"

static void rows_are_sorted_within_the_window_and_exactly_as_many_as_users(void **state)
{
    static const int64_t counts[] = {1, 2, 3, 1000};

    (void)state;
    for (size_t w = 0; w < HOUR_WAVES; w++) {
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
            for (int placement = 0; placement < 2; placement++) {
                struct ls_schedule *schedule = built_of(
                    &hour_waves[w].wave, (enum ls_placement)placement, counts[c], 20261130);

                assert_int_equal(schedule->count, counts[c]);
                for (size_t i = 0; i < schedule->count; i++) {
                    const struct ls_arrival *row = &schedule->rows[i];

                    assert_true(row->at_ns >= 0 && row->at_ns < LS_NS_PER_H);
                    assert_true(row->due_ns == row->at_ns / 60);
                    assert_true(row->population < 2);
                    assert_true(i == 0 || row->at_ns >= row[-1].at_ns);
                }
                ls_schedule_free(schedule);
            }
        }
    }
}

static void one_even_user_comes_at_the_curve_s_median(void **state)
{
    struct ls_schedule *schedule = built_of(&hour_waves[2].wave, LS_PLACEMENT_EVEN, 1, 1);

    (void)state;
    assert_in_range(schedule->rows[0].at_ns, MINUTES(30) - 1, MINUTES(30));
    ls_schedule_free(schedule);
}

static void a_burst_of_no_length_is_one_moment_in_the_order_of_the_draws(void **state)
{
    const struct ls_wave wave = {
        .shape = LS_SHAPE_BURST, .share = 1, .burst_at_ns = MINUTES(30), .burst_over_ns = 0};

    (void)state;
    for (int placement = 0; placement < 2; placement++) {
        struct ls_schedule *schedule = built_of(&wave, (enum ls_placement)placement, 1000, 3);

        for (size_t i = 0; i < 1000; i++) {
            const double x = ls_random_unit(3, LS_STREAM_POPULATION, i, 0);

            assert_true(schedule->rows[i].at_ns == MINUTES(30));
            assert_int_equal(schedule->rows[i].population, x < 0.8 ? 0 : 1);
        }
        ls_schedule_free(schedule);
    }
}

static void the_window_is_open_at_its_end(void **state)
{
    /* Within its last nanosecond, a share just below 1 rounds up to the end. */
    const struct ls_wave wave = {.shape = LS_SHAPE_BURST,
                                 .share = 1,
                                 .burst_at_ns = LS_NS_PER_H - 1,
                                 .burst_over_ns = SECONDS(10)};
    struct ls_schedule *schedule = built_of(&wave, LS_PLACEMENT_RANDOM, 100000, 1);

    (void)state;
    for (size_t i = 0; i < schedule->count; i++) {
        assert_true(schedule->rows[i].at_ns == LS_NS_PER_H - 1);
    }
    ls_schedule_free(schedule);
}

static void another_process_sees_the_same_rows(void **state)
{
    struct ls_schedule *schedule = built_of(&hour_waves[2].wave, LS_PLACEMENT_RANDOM, 500, 1);
    const size_t size = ls_schedule_size(schedule);
    struct ls_schedule *memory = malloc(size + 1);
    const struct ls_schedule *attached = NULL;
    struct ls_error err = {0};

    (void)state;
    schedule->notes = strdup("of this process alone");
    ls_schedule_copy(schedule, memory);
    assert_int_equal(ls_schedule_attach(&attached, memory, size + 1, &err), LS_OK);
    assert_ptr_equal(attached, memory);
    assert_int_equal(attached->count, 500);
    assert_memory_equal(attached->rows, schedule->rows, 500 * sizeof schedule->rows[0]);
    assert_null(attached->notes);
    assert_int_equal(ls_schedule_attach(&attached, memory, size - 1, &err), LS_EBROKEN);
    assert_null(attached);
    assert_int_equal(ls_schedule_attach(&attached, memory, sizeof(size_t), &err), LS_EBROKEN);
    assert_string_equal(err.text, "the schedule in shared memory is cut short");
    free(memory);
    ls_schedule_free(schedule);
}

static void a_window_across_midnight_is_like_any_other(void **state)
{
    struct ls_wave burst = {.shape = LS_SHAPE_BURST,
                            .share = 1,
                            .burst_at_ns = MINUTES(45),
                            .burst_over_ns = SECONDS(30)};
    struct ls_scenario scenario = morning(500, 1, &burst, 1);
    struct ls_schedule *late, *early;
    struct ls_load load;

    (void)state;
    early = built(&scenario);
    scenario.from_ns = 23 * LS_NS_PER_H + MINUTES(30);
    late = built(&scenario);
    assert_memory_equal(early->rows, late->rows, 500 * sizeof late->rows[0]);
    ls_schedule_load(late, &scenario, &load);
    assert_true(load.peak_minute_at_ns == MINUTES(15));
    assert_int_equal(load.peak_minute_logins, 500);
    ls_schedule_free(early);
    ls_schedule_free(late);
}

static void due_is_the_moment_by_the_speedup_rounded_down(void **state)
{
    static const struct {
        double speedup;
        int64_t times, by; /* the same as a fraction */
    } rows[] = {{1, 1, 1},    {60, 1, 60},       {3600, 1, 3600}, {0.5, 2, 1}, {7, 1, 7},
                {0.25, 4, 1}, {1e6, 1, 1000000}, {2.5, 2, 5},     {1.5, 2, 3}, {0.125, 8, 1}};

    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        struct ls_wave wave = hour_waves[2].wave;
        struct ls_scenario scenario = morning(2000, 5, &wave, 1);
        struct ls_schedule *schedule;

        scenario.window_ns = LS_NS_PER_DAY;
        wave.middle_at_ns = LS_NS_PER_DAY / 2;
        wave.spread_ns = 4 * LS_NS_PER_H;
        scenario.speedup = rows[r].speedup;
        schedule = built(&scenario);
        for (size_t i = 0; i < schedule->count; i++) {
            const struct ls_arrival *row = &schedule->rows[i];

            assert_true(row->due_ns == row->at_ns * rows[r].times / rows[r].by);
            assert_true(i == 0 || row->due_ns >= row[-1].due_ns);
        }
        ls_schedule_free(schedule);
    }
}

static void waves_get_users_by_largest_remainder(void **state)
{
    static const struct {
        int64_t users;
        size_t waves;
        double shares[5];
        int64_t gets[5];
        const char *why;
    } rows[] = {
        {6000, 2, {0.8, 0.2}, {4800, 1200}, "no remainder"},
        {10, 2, {0.25, 0.75}, {3, 7}, "equal remainders: the earlier one"},
        {10, 3, {0.35, 0.35, 0.3}, {4, 3, 3}, "equal remainders of three"},
        {10, 3, {1.0 / 3, 1.0 / 3, 1.0 / 3}, {4, 3, 3}, "thirds"},
        {11, 3, {1.0 / 3, 1.0 / 3, 1.0 / 3}, {4, 4, 3}, "thirds"},
        {100, 3, {0.333, 0.333, 0.334}, {33, 33, 34}, "the largest remainder, not the first"},
        {1, 3, {0.2, 0.5, 0.3}, {0, 1, 0}, "one user"},
        {1, 5, {0.2, 0.2, 0.2, 0.2, 0.2}, {1, 0, 0, 0, 0}, "one user, equal waves"},
        {7, 4, {0.1, 0.2, 0.3, 0.4}, {1, 1, 2, 3}, "0.7, 1.4, 2.1, 2.8"},
        {10, 3, {0.1 + 0.2, 0.3, 0.4}, {3, 3, 4}, "0.1 + 0.2 is not 0.3 in a double"},
        {999999, 2, {0.5, 0.5}, {500000, 499999}, "many"},
        {5, 3, {0, 1, 0}, {0, 5, 0}, "waves without users"},
    };

    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        struct ls_wave waves[5] = {0};
        struct ls_scenario scenario = morning(rows[r].users, 1, waves, rows[r].waves);
        struct ls_schedule *schedule;
        int64_t gets[6];

        /* Wave w lies in the hour's w-th sixth. */
        for (size_t w = 0; w < rows[r].waves; w++) {
            waves[w] = (struct ls_wave){.shape = LS_SHAPE_BURST,
                                        .placement = LS_PLACEMENT_EVEN,
                                        .share = rows[r].shares[w],
                                        .burst_at_ns = MINUTES(10 * (int64_t)w + 2),
                                        .burst_over_ns = MINUTES(5)};
        }
        schedule = built(&scenario);
        assert_int_equal(schedule->count, rows[r].users);
        ls_schedule_histogram(schedule, &scenario, gets, 6);
        for (size_t w = 0; w < rows[r].waves; w++) {
            if (gets[w] != rows[r].gets[w]) {
                fail_msg("%s: wave %zu", rows[r].why, w);
            }
        }
        ls_schedule_free(schedule);
    }
}

static void the_same_seed_gives_the_same_bytes_and_another_others(void **state)
{
    (void)state;
    for (size_t w = 0; w < HOUR_WAVES; w++) {
        struct ls_schedule *a = built_of(&hour_waves[w].wave, LS_PLACEMENT_RANDOM, 1000, 7);
        struct ls_schedule *b = built_of(&hour_waves[w].wave, LS_PLACEMENT_RANDOM, 1000, 7);
        struct ls_schedule *c = built_of(&hour_waves[w].wave, LS_PLACEMENT_RANDOM, 1000, 8);

        assert_memory_equal(a, b, sizeof *a + 1000 * sizeof a->rows[0]);
        assert_int_not_equal(memcmp(a->rows, c->rows, 1000 * sizeof a->rows[0]), 0);
        ls_schedule_free(a);
        ls_schedule_free(b);
        ls_schedule_free(c);
    }
    ls_schedule_free(NULL);
}

static void a_further_user_moves_nobody_else(void **state)
{
    struct ls_schedule *fewer = built_of(&hour_waves[2].wave, LS_PLACEMENT_RANDOM, 2000, 11);
    struct ls_schedule *more = built_of(&hour_waves[2].wave, LS_PLACEMENT_RANDOM, 2001, 11);
    size_t added = 0;

    (void)state;
    for (size_t i = 0; i < 2001; i++) {
        if (i - added < 2000 &&
            memcmp(&more->rows[i], &fewer->rows[i - added], sizeof more->rows[0]) == 0) {
            continue;
        }
        added++;
    }
    assert_int_equal(added, 1);
    ls_schedule_free(fewer);
    ls_schedule_free(more);
}

static void populations_come_by_their_shares(void **state)
{
    struct ls_population populations[] = {{.share = 0}, {.share = 0.5}, {.share = 0.3},
                                          {.share = 0}, {.share = 0.2}, {.share = 0}};
    struct ls_wave wave = hour_waves[0].wave;
    struct ls_scenario scenario = morning(100000, 1, &wave, 1);
    struct ls_schedule *schedule;
    double counts[6] = {0}, early = 0;

    (void)state;
    scenario.populations = populations;
    scenario.populations_count = 6;
    schedule = built(&scenario);
    for (size_t i = 0; i < schedule->count; i++) {
        counts[schedule->rows[i].population]++;
        early += i < schedule->count / 2 && schedule->rows[i].population == 1;
    }
    for (int p = 0; p < 6; p++) {
        const double share = populations[p].share;

        assert_true(fabs(counts[p] - 1e5 * share) <= 4 * sqrt(1e5 * share * (1 - share)));
    }
    /* Who comes does not hang on when: half of population 1 in each half. */
    assert_true(fabs(early - counts[1] / 2) < 4 * sqrt(counts[1] / 4));
    ls_schedule_free(schedule);
}

static uint64_t hash_of(const struct ls_schedule *schedule)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (size_t i = 0; i < schedule->count; i++) {
        const uint64_t words[] = {(uint64_t)schedule->rows[i].at_ns,
                                  (uint64_t)schedule->rows[i].due_ns, schedule->rows[i].population};

        for (size_t b = 0; b < sizeof words; b++) {
            hash ^= words[b / 8] >> (b % 8 * 8) & 255;
            hash *= UINT64_C(0x100000001b3);
        }
    }
    return hash;
}

static void golden_line(FILE *stream, const char *name, struct ls_wave *waves, size_t count)
{
    struct ls_scenario scenario = morning(6000, 20261130, waves, count);
    struct ls_schedule *schedule = built(&scenario);

    (void)fprintf(stream, "%s, %s: %016llx\n", name,
                  waves[0].placement == LS_PLACEMENT_EVEN ? "even" : "random",
                  (unsigned long long)hash_of(schedule));
    for (size_t i = 0; i < 6000; i += 1999) {
        (void)fprintf(stream, "  user %zu: at %lld, due %lld, population %d\n", i,
                      (long long)schedule->rows[i].at_ns, (long long)schedule->rows[i].due_ns,
                      schedule->rows[i].population);
    }
    ls_schedule_free(schedule);
}

/* Every compiler, optimisation and machine must make these same bytes. A wanted change is written
 * by LS_WRITE_GOLDEN=1, and shows in the diff. */
static void schedules_are_the_golden_ones(void **state)
{
    const char *path = LS_SOURCE_DIR "/tests/golden/schedules.txt";
    char *is = NULL, *should;
    size_t is_size, should_size;
    FILE *stream = open_memstream(&is, &is_size);
    struct ls_error err = {0};

    (void)state;
    assert_non_null(stream);
    for (size_t w = 0; w < HOUR_WAVES; w++) {
        for (int placement = 0; placement < 2; placement++) {
            struct ls_wave wave = hour_waves[w].wave;

            wave.placement = (enum ls_placement)placement;
            golden_line(stream, hour_waves[w].name, &wave, 1);
        }
    }
    {
        struct ls_wave waves[] = {hour_waves[2].wave, hour_waves[8].wave, hour_waves[10].wave};

        waves[0].share = 0.7;
        waves[1].share = waves[2].share = 0.15;
        golden_line(stream, "a bell, a burst and points", waves, 3);
    }
    assert_int_equal(fclose(stream), 0);
    if (getenv("LS_WRITE_GOLDEN") != NULL) {
        struct ls_file file;

        assert_int_equal(ls_file_create(&file, path, &err), LS_OK);
        assert_int_equal(fwrite(is, 1, is_size, file.stream), is_size);
        assert_int_equal(ls_file_commit(&file, &err), LS_OK);
    }
    assert_int_equal(ls_file_read(path, 1 << 20, &should, &should_size, &err), LS_OK);
    assert_string_equal(is, should);
    free(is);
    free(should);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_sorted_within_the_window_and_exactly_as_many_as_users),
        cmocka_unit_test(one_even_user_comes_at_the_curve_s_median),
        cmocka_unit_test(a_burst_of_no_length_is_one_moment_in_the_order_of_the_draws),
        cmocka_unit_test(the_window_is_open_at_its_end),
        cmocka_unit_test(another_process_sees_the_same_rows),
        cmocka_unit_test(a_window_across_midnight_is_like_any_other),
        cmocka_unit_test(due_is_the_moment_by_the_speedup_rounded_down),
        cmocka_unit_test(waves_get_users_by_largest_remainder),
        cmocka_unit_test(the_same_seed_gives_the_same_bytes_and_another_others),
        cmocka_unit_test(a_further_user_moves_nobody_else),
        cmocka_unit_test(populations_come_by_their_shares),
        cmocka_unit_test(schedules_are_the_golden_ones),
    };

    return cmocka_run_group_tests_name("arrivals/schedule", tests, NULL, NULL);
}
