/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit/arrivals/mornings.h"

static struct ls_wave loops[] = {
    {.shape = LS_SHAPE_SEQUENCE, .requests = 5, .concurrency = 1},
    {.shape = LS_SHAPE_CLOSED, .requests = 100, .concurrency = 20},
    {.shape = LS_SHAPE_CLOSED, .requests = 1, .concurrency = 1},
};

static struct ls_scenario benchmark(int64_t users, struct ls_wave *waves, size_t count)
{
    struct ls_scenario scenario = morning(users, 7, waves, count);

    scenario.from_ns = scenario.window_ns = 0;
    scenario.speedup = 1;
    return scenario;
}

static void loops_lie_one_behind_another(void **state)
{
    static const struct ls_loop_wave expected[] = {
        {0, 5, 1, LS_SHAPE_SEQUENCE}, {5, 100, 20, LS_SHAPE_CLOSED}, {105, 1, 1, LS_SHAPE_CLOSED}};
    const struct ls_scenario scenario = benchmark(106, loops, 3);
    struct ls_schedule *schedule = built(&scenario);

    (void)state;
    assert_int_equal(schedule->count, 106);
    assert_int_equal(schedule->waves_count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(schedule->waves[i].first, expected[i].first);
        assert_int_equal(schedule->waves[i].count, expected[i].count);
        assert_int_equal(schedule->waves[i].concurrency, expected[i].concurrency);
        assert_int_equal(schedule->waves[i].shape, expected[i].shape);
    }
    for (size_t i = 0; i < schedule->count; i++) {
        assert_int_equal(schedule->rows[i].at_ns, 0);
        assert_int_equal(schedule->rows[i].due_ns, 0);
    }
    ls_schedule_free(schedule);
}

static void an_open_schedule_has_no_loops(void **state)
{
    struct ls_schedule *schedule = built_of(&hour_waves[2].wave, LS_PLACEMENT_RANDOM, 10, 1);

    (void)state;
    assert_int_equal(schedule->waves_count, 0);
    ls_schedule_free(schedule);
}

/* The draw hangs on (seed, number) alone, so that user i is the same kind of user in both. */
static void populations_are_drawn_as_in_an_open_schedule(void **state)
{
    struct ls_wave at_once = {
        .shape = LS_SHAPE_UNIFORM, .share = 1, .placement = LS_PLACEMENT_EVEN};
    const struct ls_scenario open = morning(106, 7, &at_once, 1);
    const struct ls_scenario closed = benchmark(106, loops, 3);
    struct ls_schedule *left = built(&open), *right = built(&closed);
    size_t home = 0;

    (void)state;
    for (size_t i = 0; i < 106; i++) {
        assert_int_equal(left->rows[i].population, right->rows[i].population);
        home += right->rows[i].population == 1;
    }
    assert_true(home > 0 && home < 106);
    ls_schedule_free(left);
    ls_schedule_free(right);
}

static void loops_have_no_fullest_minute(void **state)
{
    const struct ls_scenario scenario = benchmark(5, loops, 1);
    struct ls_schedule *schedule = built(&scenario);
    struct ls_load load;

    (void)state;
    ls_schedule_load(schedule, &scenario, &load);
    assert_int_equal(load.peak_minute_at_ns, -1);
    assert_int_equal(load.peak_minute_logins, -1);
    assert_int_equal(load.peak_second_at_ns, -1);
    assert_int_equal(load.peak_second_logins, -1);
    ls_schedule_free(schedule);
}

static void what_is_no_loop_is_told(void **state)
{
    static const struct {
        int64_t users;
        struct ls_wave waves[2];
        const char *text;
    } rows[] = {
        {6,
         {{.shape = LS_SHAPE_CLOSED, .requests = 5, .concurrency = 1}, {.shape = LS_SHAPE_UNIFORM}},
         "arrivals.1: an open shape among closed loops; they do not mix"},
        {6,
         {{.shape = LS_SHAPE_UNIFORM, .share = 1},
          {.shape = LS_SHAPE_CLOSED, .requests = 5, .concurrency = 1}},
         "arrivals.1: a closed loop among open shapes; they do not mix"},
        {6,
         {{.shape = LS_SHAPE_CLOSED, .requests = 5, .concurrency = 1},
          {.shape = LS_SHAPE_SEQUENCE, .concurrency = 1}},
         "arrivals.1: a closed loop needs logins, and some at a time"},
        {6,
         {{.shape = LS_SHAPE_CLOSED, .requests = 5}, {.shape = LS_SHAPE_CLOSED}},
         "arrivals.0: a closed loop needs logins, and some at a time"},
        {6,
         {{.shape = LS_SHAPE_CLOSED, .requests = INT64_MAX, .concurrency = 1},
          {.shape = LS_SHAPE_CLOSED, .requests = INT64_MAX, .concurrency = 1}},
         "arrivals.0: a closed loop needs logins, and some at a time"},
        {7,
         {{.shape = LS_SHAPE_CLOSED, .requests = 5, .concurrency = 1},
          {.shape = LS_SHAPE_SEQUENCE, .requests = 1, .concurrency = 1}},
         "users: not as many as the closed loops have logins"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_wave waves[2] = {rows[i].waves[0], rows[i].waves[1]};
        struct ls_scenario scenario = benchmark(rows[i].users, waves, 2);
        struct ls_schedule *schedule;
        struct ls_error err = {0};

        scenario.window_ns = ls_shape_is_closed(waves[0].shape) ? 0 : LS_NS_PER_H;
        assert_int_equal(ls_schedule_build(&schedule, &scenario, &err), LS_EINPUT);
        assert_null(schedule);
        assert_string_equal(err.text, rows[i].text);
    }
}

static void more_loops_than_there_is_room_for_are_told(void **state)
{
    struct ls_wave waves[LS_WAVES_MAX + 1];
    struct ls_scenario scenario = benchmark(LS_WAVES_MAX + 1, waves, LS_WAVES_MAX + 1);
    struct ls_schedule *schedule;
    struct ls_error err = {0};

    (void)state;
    for (size_t i = 0; i < LS_WAVES_MAX + 1; i++) {
        waves[i] = (struct ls_wave){.shape = LS_SHAPE_SEQUENCE, .requests = 1, .concurrency = 1};
    }
    assert_int_equal(ls_schedule_build(&schedule, &scenario, &err), LS_ERANGE);
    assert_string_equal(err.text, "arrivals: more than 64 closed loops");
    scenario.waves_count = LS_WAVES_MAX;
    scenario.users = LS_WAVES_MAX;
    schedule = built(&scenario);
    assert_int_equal(schedule->waves[LS_WAVES_MAX - 1].first, LS_WAVES_MAX - 1);
    ls_schedule_free(schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_lie_one_behind_another),
        cmocka_unit_test(an_open_schedule_has_no_loops),
        cmocka_unit_test(populations_are_drawn_as_in_an_open_schedule),
        cmocka_unit_test(loops_have_no_fullest_minute),
        cmocka_unit_test(what_is_no_loop_is_told),
        cmocka_unit_test(more_loops_than_there_is_room_for_are_told),
    };

    return cmocka_run_group_tests_name("arrivals/loop", tests, NULL, NULL);
}
