/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit/engine/stage.h"

static void users_start_in_the_order_in_which_they_are_due_and_never_before(void **state)
{
    const struct stage_wish wish = {
        .users = 300, .login = "{hold: none}", .step_ns = 50 * LS_NS_PER_US};
    struct stage stage;
    const struct ls_login *rows;
    size_t count;

    (void)state;
    stage_play(&stage, identity, &wish);
    rows = ls_record_logins(stage.record, &count);
    for (size_t i = 0; i < count; i++) {
        assert_true(rows[i].started_ns >= rows[i].due_ns);
        assert_true(i == 0 || rows[i].started_ns >= rows[i - 1].started_ns);
    }
    stage_end(&stage);
}

static void a_start_in_the_future_is_waited_for(void **state)
{
    const struct stage_wish wish = {.users = 5, .login = "{hold: none}"};
    struct stage stage;
    struct ls_engine_facts before;
    struct ls_error err;
    const struct ls_login *rows;
    size_t count;
    int64_t start_ns;

    (void)state;
    stage_set(&stage, identity, &wish);
    stage_engine(&stage);
    start_ns = ls_now_ns() + 30 * LS_NS_PER_MS;
    assert_int_equal(ls_engine_start(stage.engine, start_ns, &err), LS_OK);
    (void)uv_run(&stage.loop, UV_RUN_NOWAIT);
    ls_engine_facts(stage.engine, &before);
    assert_true(before.started == 0 || ls_now_ns() >= start_ns);
    stage_run_until_closed(&stage);
    stage_check(&stage);
    rows = ls_record_logins(stage.record, &count);
    for (size_t i = 0; i < count; i++) {
        assert_true(rows[i].started_ns >= 0);
    }
    stage_clear(&stage);
    stage_end(&stage);
}

/* However late: the gateway's answer counts from when the users wanted in. */
static void a_start_long_ago_starts_all_at_once(void **state)
{
    const struct stage_wish wish = {
        .users = 200, .login = "{hold: none, timeouts: {login: 1h}}", .step_ns = LS_NS_PER_MS};
    const int64_t ago_ns[] = {0, 60 * LS_NS_PER_S};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct stage stage;
        struct ls_error err;
        const struct ls_login *rows;
        size_t count;
        int64_t start_ns = ls_now_ns() - ago_ns[i];

        if (i == 0) {
            start_ns = 0; /* the monotonic clock's own beginning */
            stage_set(&stage, identity, &wish);
            stage.scenario->login.login_timeout_ns = INT64_MAX / 2;
        } else {
            stage_set(&stage, identity, &wish);
        }
        stage_engine(&stage);
        assert_int_equal(ls_engine_start(stage.engine, start_ns, &err), LS_OK);
        stage_run_until_closed(&stage);
        stage_check(&stage);
        assert_int_equal(stage.facts.logged_in, 200);
        rows = ls_record_logins(stage.record, &count);
        for (size_t n = 0; n < count; n++) {
            assert_true(rows[n].started_ns - rows[n].due_ns >= ago_ns[i] - 200 * LS_NS_PER_MS);
        }
        stage_clear(&stage);
        stage_end(&stage);
    }
}

static void nobody_is_decided_at_once(void **state)
{
    const struct stage_wish wish = {.users = 2, .login = "{hold: none}"};
    struct stage stage;

    (void)state;
    stage_set(&stage, identity, &wish);
    stage.job.shard = 2;
    stage.job.shards = 3;
    stage_engine(&stage);
    stage_start(&stage);
    assert_int_equal(stage.decided, 1);
    stage_run_until_closed(&stage);
    assert_int_equal(stage.closed, 1);
    assert_int_equal(stage.facts.started, 0);
    stage_clear(&stage);
    stage_end(&stage);
}

static void shards_share_out_the_users_and_leave_none_out(void **state)
{
    enum { USERS = 31, SHARDS = 3 };
    static const int64_t sizes[SHARDS] = {11, 10, 10};
    const struct stage_wish wish = {.users = USERS, .login = "{hold: none}"};
    struct ls_record *whole;
    struct ls_error err;
    size_t count;
    const struct ls_login *rows;

    (void)state;
    assert_int_equal(ls_record_new(&whole, USERS, USERS, &err), LS_OK);
    for (int shard = 0; shard < SHARDS; shard++) {
        struct stage stage;

        stage_set(&stage, identity, &wish);
        stage.job.shard = shard;
        stage.job.shards = SHARDS;
        stage_engine(&stage);
        stage_start(&stage);
        stage_run_until_closed(&stage);
        stage_check(&stage);
        assert_int_equal(stage.facts.decided, sizes[shard]);
        assert_int_equal(ls_record_merge(whole, stage.record, &err), LS_OK);
        rows = ls_record_logins(stage.record, &count);
        for (int user = 0; user < USERS; user++) {
            assert_int_equal(rows[user].outcome,
                             user % SHARDS == shard ? LS_OUTCOME_LOGGED_IN : LS_OUTCOME_PENDING);
        }
        stage_clear(&stage);
        stage_end(&stage);
    }
    rows = ls_record_logins(whole, &count);
    for (size_t user = 0; user < count; user++) {
        assert_int_equal(rows[user].outcome, LS_OUTCOME_LOGGED_IN);
    }
    ls_record_free(whole);
}

/* Two engines on one loop stand for two injectors against one gateway. */
static void shards_that_play_together_are_one_storm(void **state)
{
    const struct stage_wish wish = {
        .users = 60, .connections = 2, .login = "{hold: until_end}", .holds_on = true};
    struct stage stages[2];

    (void)state;
    stage_set(&stages[0], identity, &wish);
    stage_set(&stages[1], identity, &wish);
    stages[0].job.shards = 2;
    stages[1].job.shards = 2;
    stages[1].job.shard = 1;
    stages[1].job.target = stages[0].job.target;
    stage_engine(&stages[0]);
    assert_int_equal(
        ls_engine_new(&stages[1].engine, &stages[0].loop, &stages[1].job, &(struct ls_error){0}),
        LS_OK);
    stage_start(&stages[0]);
    stage_start(&stages[1]);
    while (stages[0].decided + stages[1].decided < 2) {
        (void)uv_run(&stages[0].loop, UV_RUN_ONCE);
    }
    ls_gateway_counts(stages[0].gateway, &stages[0].counts);
    assert_int_equal(stages[0].counts.open, 120);
    for (int i = 0; i < 2; i++) {
        ls_engine_release(stages[i].engine);
    }
    while (stages[0].closed + stages[1].closed < 2) {
        (void)uv_run(&stages[0].loop, UV_RUN_ONCE);
    }
    for (int i = 0; i < 2; i++) {
        ls_engine_facts(stages[i].engine, &stages[i].facts);
        stage_check(&stages[i]);
        assert_int_equal(stages[i].facts.logged_in, 30);
        stage_clear(&stages[i]);
        stage_end(&stages[i]);
    }
}

static void stop_and_check(struct stage *stage)
{
    ls_engine_stop(stage->engine);
    ls_engine_stop(stage->engine);
    ls_engine_release(stage->engine);
    stage_run_until_closed(stage);
    ls_engine_stop(stage->engine);
    stage_check(stage);
    stage_clear(stage);
    stage_end(stage);
}

/* Stopped after so many turns of the loop, from the first on: in every phase of some user. */
static void a_stop_at_any_moment_leaves_nobody_out(void **state)
{
    const struct stage_wish wish = {.users = 40,
                                    .connections = 2,
                                    .login = "{hold: 1ms, request: {send: 900B, receive: 6kB}}",
                                    .step_ns = 20 * LS_NS_PER_US};

    (void)state;
    for (int turns = 0; turns < 60; turns++) {
        struct stage stage;

        stage_set(&stage, identity, &wish);
        stage_engine(&stage);
        stage_start(&stage);
        for (int i = 0; i < turns && stage.closed == 0; i++) {
            (void)uv_run(&stage.loop, UV_RUN_ONCE);
        }
        stop_and_check(&stage);
    }
}

static void who_was_never_due_is_cut_off(void **state)
{
    const struct stage_wish wish = {
        .users = 10, .login = "{hold: none}", .step_ns = 3600 * LS_NS_PER_S};
    struct stage stage;
    const struct ls_login *rows;
    size_t count;

    (void)state;
    stage_set(&stage, identity, &wish);
    stage_engine(&stage);
    stage_start(&stage);
    do {
        (void)uv_run(&stage.loop, UV_RUN_ONCE);
        ls_engine_facts(stage.engine, &stage.facts);
    } while (stage.facts.logged_in < 1);
    ls_engine_stop(stage.engine);
    stage_run_until_closed(&stage);
    stage_check(&stage);
    rows = ls_record_logins(stage.record, &count);
    assert_int_equal(rows[0].outcome, LS_OUTCOME_LOGGED_IN);
    for (size_t i = 1; i < count; i++) {
        assert_int_equal(rows[i].outcome, LS_OUTCOME_CUT_OFF);
        assert_int_equal(rows[i].started_ns, LS_NEVER_NS);
        assert_int_equal(rows[i].attempts, 0);
    }
    assert_int_equal(stage.decided, 0);
    stage_clear(&stage);
    stage_end(&stage);
}

static void a_stop_before_the_start_cuts_all_off(void **state)
{
    const struct stage_wish wish = {.users = 10, .login = "{hold: none}"};
    struct stage stage;
    const struct ls_login *rows;
    size_t count;

    (void)state;
    stage_set(&stage, identity, &wish);
    stage_engine(&stage);
    ls_engine_stop(stage.engine);
    assert_int_equal(stage.closed, 1);
    stage_run_until_closed(&stage);
    stage_check(&stage);
    rows = ls_record_logins(stage.record, &count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(rows[i].outcome, LS_OUTCOME_CUT_OFF);
        assert_int_equal(rows[i].done_ns, LS_NEVER_NS);
    }
    assert_int_equal(stage.decided, 0);
    stage_clear(&stage);
    stage_end(&stage);
}

static void a_stop_while_all_wait_for_their_next_try_ends_at_once(void **state)
{
    static struct peer peer;
    const struct stage_wish wish = {
        .users = 10,
        .login = "{timeouts: {login: 10h}, retry: {attempts: 2, wait: 1h, jitter: none}}",
        .peer = &peer};
    struct stage stage;
    size_t count;

    (void)state;
    peer = (struct peer){.way = PEER_RESETS};
    stage_set(&stage, identity, &wish);
    stage_engine(&stage);
    stage_start(&stage);
    do {
        (void)uv_run(&stage.loop, UV_RUN_ONCE);
        (void)ls_record_handshakes(stage.record, &count);
    } while (count < 10);
    stop_and_check(&stage);
}

static void settings_that_cannot_work_are_told_before_anything_runs(void **state)
{
    static const struct {
        const char *login, *tls;
        enum ls_code code;
        const char *reason;
    } rows[] = {
        {"{request: {send: 20B, receive: 6kB}}", NULL, LS_EINPUT, "a request of 20 bytes"},
        {"{hold: none}", "{groups: [X25519], key_shares: [P-256]}", LS_EINPUT,
         "a key share that is not offered"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct stage_wish wish = {.users = 1, .login = "{hold: none}"};
        struct stage stage;
        struct ls_error err = {0};
        char *share[] = {(char[]){"P-256"}, NULL};

        print_message("%s\n", rows[i].reason);
        stage_set(&stage, identity, &wish);
        if (i == 0) {
            stage.scenario->login.send_bytes = 20;
            stage.scenario->login.receive_bytes = 6000;
        } else {
            stage.scenario->populations[0].tls.groups[1] = NULL;
            stage.scenario->populations[0].tls.key_shares = share;
        }
        assert_int_equal(ls_engine_new(&stage.engine, &stage.loop, &stage.job, &err), rows[i].code);
        assert_null(stage.engine);
        assert_true(strlen(err.text) > 0);
        stage_clear(&stage);
        stage_end(&stage);
    }
}

/* A record that is too small must show: a lost row is our fault, not the gateway's. */
static void rows_that_the_record_does_not_take_are_counted(void **state)
{
    const struct stage_wish wish = {.users = 10, .login = "{hold: none}"};
    struct stage stage;
    struct ls_error err;

    (void)state;
    stage_set(&stage, identity, &wish);
    ls_record_free(stage.record);
    assert_int_equal(ls_record_new(&stage.record, 10, 4, &err), LS_OK);
    stage.job.record = stage.record;
    stage_engine(&stage);
    stage_start(&stage);
    stage_run_until_closed(&stage);
    assert_int_equal(stage.facts.unrecorded, 6);
    assert_int_equal(stage.facts.logged_in, 10);
    stage_clear(&stage);
    stage_end(&stage);
}

static void a_stall_of_the_loop_is_seen(void **state)
{
    const struct stage_wish wish = {.users = 2, .login = "{hold: until_end}", .holds_on = true};
    struct stage stage;
    struct ls_engine_facts facts;
    int64_t until_ns;

    (void)state;
    stage_set(&stage, identity, &wish);
    stage_engine(&stage);
    stage_start(&stage);
    while (stage.decided == 0) {
        (void)uv_run(&stage.loop, UV_RUN_ONCE);
    }
    until_ns = ls_now_ns() + 60 * LS_NS_PER_MS;
    while (ls_now_ns() < until_ns) {
    }
    for (int i = 0; i < 3; i++) {
        (void)uv_run(&stage.loop, UV_RUN_NOWAIT);
    }
    ls_engine_facts(stage.engine, &facts);
    assert_true(facts.worst_turn_ns >= 60 * LS_NS_PER_MS);
    ls_engine_release(stage.engine);
    stage_run_until_closed(&stage);
    stage_check(&stage);
    stage_clear(&stage);
    stage_end(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(users_start_in_the_order_in_which_they_are_due_and_never_before),
        cmocka_unit_test(a_start_in_the_future_is_waited_for),
        cmocka_unit_test(a_start_long_ago_starts_all_at_once),
        cmocka_unit_test(nobody_is_decided_at_once),
        cmocka_unit_test(shards_share_out_the_users_and_leave_none_out),
        cmocka_unit_test(shards_that_play_together_are_one_storm),
        cmocka_unit_test(a_stop_at_any_moment_leaves_nobody_out),
        cmocka_unit_test(who_was_never_due_is_cut_off),
        cmocka_unit_test(a_stop_before_the_start_cuts_all_off),
        cmocka_unit_test(a_stop_while_all_wait_for_their_next_try_ends_at_once),
        cmocka_unit_test(settings_that_cannot_work_are_told_before_anything_runs),
        cmocka_unit_test(rows_that_the_record_does_not_take_are_counted),
        cmocka_unit_test(a_stall_of_the_loop_is_seen),
    };

    return cmocka_run_group_tests(tests, rig_set_up, rig_tear_down);
}
