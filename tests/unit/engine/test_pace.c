/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Closed loops; who starts when in an open one is tested with the engine. */
#include "unit/engine/stage.h"

#define SEQUENCE_THEN_CLOSED                                                                       \
    {                                                                                              \
        {0, 5, 1, LS_SHAPE_SEQUENCE}, {5, 100, 20, LS_SHAPE_CLOSED},                               \
        {                                                                                          \
            105, 3, 2, LS_SHAPE_CLOSED                                                             \
        }                                                                                          \
    }

/* How many of a wave's logins were under way when row i began, itself among them. */
static size_t present_at(const struct ls_login *rows, const struct ls_loop_wave *wave, size_t i)
{
    size_t present = 0;

    for (size_t n = wave->first; n < wave->first + wave->count; n++) {
        present += rows[n].started_ns <= rows[i].started_ns && rows[n].done_ns > rows[i].started_ns;
    }
    return present;
}

/* Never more than so many at a time, and so many were there; each wave after the last of the one
 * before; in the order of the users. */
static void check_loops(const struct stage *stage)
{
    const struct ls_schedule *schedule = stage->schedule;
    size_t count;
    const struct ls_login *rows = ls_record_logins(stage->record, &count);
    int64_t before_ns = 0;

    for (size_t w = 0; w < schedule->waves_count; w++) {
        const struct ls_loop_wave *wave = &schedule->waves[w];
        size_t most = 0;
        int64_t last_ns = 0;

        for (size_t i = wave->first; i < wave->first + wave->count; i++) {
            const size_t present = present_at(rows, wave, i);

            most = present > most ? present : most;
            assert_true(rows[i].started_ns >= before_ns);
            assert_true(i == wave->first || rows[i].started_ns >= rows[i - 1].started_ns);
            last_ns = rows[i].done_ns > last_ns ? rows[i].done_ns : last_ns;
        }
        assert_int_equal(most, wave->concurrency);
        before_ns = last_ns;
    }
}

/* A play whose stage stays, so that its schedule can be looked at. */
static void play(struct stage *stage, const struct stage_wish *wish)
{
    stage_set(stage, identity, wish);
    stage_engine(stage);
    stage_start(stage);
    stage_run_until_closed(stage);
    stage_check(stage);
}

static void so_many_come_at_a_time_and_the_next_wave_after_the_last_of_the_one_before(void **state)
{
    static const struct {
        const char *login;
        int connections;
        const char *reason;
    } rows[] = {
        {"{hold: none}", 1, "handshakes alone"},
        {"{hold: none, close: reset, request: {send: 120B, receive: 1kB}}", 1, "as ab does"},
        {"{hold: none, request: {send: 900B, receive: 6kB}}", 3, "several connections each"},
        {"{hold: 1ms}", 1, "a place is free when the session is over"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct stage_wish wish = {.users = 108,
                                        .login = rows[i].login,
                                        .connections = rows[i].connections,
                                        .waves = SEQUENCE_THEN_CLOSED};
        struct stage stage;

        print_message("%s\n", rows[i].reason);
        play(&stage, &wish);
        assert_int_equal(stage.facts.logged_in, 108);
        assert_int_equal(stage_handshakes(&stage, LS_OUTCOME_LOGGED_IN), 108 * rows[i].connections);
        assert_int_equal(stage.decided, 1);
        check_loops(&stage);
        stage_clear(&stage);
        stage_end(&stage);
    }
}

/* A session that is held keeps its place: nobody comes while it is there. */
static void who_is_held_still_has_his_place(void **state)
{
    const struct stage_wish wish = {
        .users = 4, .login = "{hold: 20ms}", .waves = {{0, 4, 2, LS_SHAPE_CLOSED}}};
    struct stage stage;
    const struct ls_login *rows;
    size_t count;

    (void)state;
    play(&stage, &wish);
    rows = ls_record_logins(stage.record, &count);
    assert_true(rows[2].started_ns - rows[0].done_ns >= 20 * LS_NS_PER_MS ||
                rows[2].started_ns - rows[1].done_ns >= 20 * LS_NS_PER_MS);
    assert_true(rows[3].started_ns - rows[0].done_ns >= 20 * LS_NS_PER_MS);
    assert_true(rows[3].started_ns - rows[1].done_ns >= 20 * LS_NS_PER_MS);
    stage_clear(&stage);
    stage_end(&stage);
}

/* Who fails leaves his place, after his last attempt; who loses his session, too. */
static void a_failure_lets_the_next_one_come(void **state)
{
    static struct peer peer;
    static const enum peer_way ways[] = {PEER_RESETS, PEER_CLOSES, PEER_GARBAGE, PEER_ALERT};
    const struct stage_wish wish = {.users = 108,
                                    .login = "{hold: none, retry: {attempts: 2, wait: 1ms}}",
                                    .peer = &peer,
                                    .waves = SEQUENCE_THEN_CLOSED};

    (void)state;
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        struct stage stage;

        peer = (struct peer){.way = ways[i]};
        play(&stage, &wish);
        assert_int_equal(stage.facts.failed, 108);
        assert_int_equal(peer.accepted, 216);
        check_loops(&stage);
        stage_clear(&stage);
        stage_end(&stage);
    }
}

/* Refused in their very first step: a hundred thousand of them must not lie on one another's stack. */
static void many_that_are_refused_at_once_do_not_pile_up(void **state)
{
    struct sockaddr_in nobody = {0};
    const struct stage_wish wish = {.users = 3000,
                                    .login = "{hold: none}",
                                    .target = (const struct sockaddr *)&nobody,
                                    .waves = {{0, 3000, 1, LS_SHAPE_SEQUENCE}}};
    struct stage stage;

    (void)state;
    assert_int_equal(uv_ip4_addr("127.0.0.1", 1, &nobody), 0);
    play(&stage, &wish);
    assert_int_equal(stage.facts.failed, 3000);
    check_loops(&stage);
    stage_clear(&stage);
    stage_end(&stage);
}

static void a_start_in_the_future_is_waited_for(void **state)
{
    const struct stage_wish wish = {
        .users = 2, .login = "{hold: none}", .waves = {{0, 2, 1, LS_SHAPE_SEQUENCE}}};
    struct stage stage;
    struct ls_error err;
    const struct ls_login *rows;
    size_t count;

    (void)state;
    stage_set(&stage, identity, &wish);
    stage_engine(&stage);
    assert_int_equal(ls_engine_start(stage.engine, ls_now_ns() + 30 * LS_NS_PER_MS, &err), LS_OK);
    stage_run_until_closed(&stage);
    stage_check(&stage);
    rows = ls_record_logins(stage.record, &count);
    assert_true(rows[0].started_ns >= 0);
    stage_clear(&stage);
    stage_end(&stage);
}

/* Whose turn never came was due when it was over, not at the beginning. */
static void a_stop_at_any_moment_leaves_nobody_out(void **state)
{
    const struct stage_wish wish = {.users = 108,
                                    .login = "{hold: 1ms, request: {send: 900B, receive: 6kB}}",
                                    .waves = SEQUENCE_THEN_CLOSED};

    (void)state;
    for (int turns = 0; turns < 120; turns += 3) {
        struct stage stage;
        const struct ls_login *rows;
        size_t count;

        stage_set(&stage, identity, &wish);
        stage_engine(&stage);
        stage_start(&stage);
        for (int i = 0; i < turns && stage.closed == 0; i++) {
            (void)uv_run(&stage.loop, UV_RUN_ONCE);
        }
        ls_engine_stop(stage.engine);
        stage_run_until_closed(&stage);
        stage_check(&stage);
        rows = ls_record_logins(stage.record, &count);
        for (size_t i = 0; i < count; i++) {
            assert_true(
                rows[i].due_ns == rows[i].started_ns ||
                (rows[i].outcome == LS_OUTCOME_CUT_OFF && rows[i].due_ns == rows[i].done_ns));
        }
        stage_clear(&stage);
        stage_end(&stage);
    }
}

static void a_closed_loop_is_not_shared_out(void **state)
{
    const struct stage_wish wish = {
        .users = 2, .login = "{hold: none}", .waves = {{0, 2, 2, LS_SHAPE_CLOSED}}};
    struct stage stage;
    struct ls_error err = {0};

    (void)state;
    stage_set(&stage, identity, &wish);
    stage.job.shards = 2;
    assert_int_equal(ls_engine_new(&stage.engine, &stage.loop, &stage.job, &err), LS_EINPUT);
    assert_string_equal(err.text, "a closed loop has one injector, not 2");
    stage_clear(&stage);
    stage_end(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(so_many_come_at_a_time_and_the_next_wave_after_the_last_of_the_one_before),
        cmocka_unit_test(who_is_held_still_has_his_place),
        cmocka_unit_test(a_failure_lets_the_next_one_come),
        cmocka_unit_test(many_that_are_refused_at_once_do_not_pile_up),
        cmocka_unit_test(a_start_in_the_future_is_waited_for),
        cmocka_unit_test(a_stop_at_any_moment_leaves_nobody_out),
        cmocka_unit_test(a_closed_loop_is_not_shared_out),
    };

    return cmocka_run_group_tests(tests, rig_set_up, rig_tear_down);
}
