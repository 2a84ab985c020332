/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whom an early end finds unsent, by a clock of this test's own: a nanosecond decides. */
#include "unit/engine/stage.h"

static int64_t clock_ns;

int64_t __wrap_ls_now_ns(void);

int64_t __wrap_ls_now_ns(void)
{
    return clock_ns;
}

static void who_should_long_have_been_sent_is_never_sent_and_the_others_are_cut_off(void **state)
{
    static const struct {
        int64_t due_ns;
        int64_t ended_ns; /* LS_NEVER_NS: before the start signal */
        bool never_sent;
        const char *why;
    } rows[] = {
        {0, 50 * LS_NS_PER_MS, false, "due for 50 ms: a turn of the loop takes as long"},
        {0, 50 * LS_NS_PER_MS + 1, true, "due for longer"},
        {LS_NS_PER_S, 3600 * LS_NS_PER_S, true, "due for an hour"},
        {LS_NS_PER_S, LS_NS_PER_S, false, "due just now"},
        {LS_NS_PER_S, LS_NS_PER_S - 1, false, "not yet due"},
        {0, -LS_NS_PER_S, false, "stopped before the storm's first moment"},
        {0, LS_NEVER_NS, false, "stopped before the start signal"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const bool starts = rows[i].ended_ns != LS_NEVER_NS;
        const struct stage_wish wish = {.users = 2, .login = "{hold: none}"};
        const struct ls_login *logins;
        struct ls_error err = {0};
        struct stage stage;
        size_t count;

        print_message("%s\n", rows[i].why);
        clock_ns = 7000 * LS_NS_PER_S;
        stage_set(&stage, identity, &wish);
        for (int user = 0; user < 2; user++) {
            stage.schedule->rows[user].due_ns = rows[i].due_ns;
        }
        stage_engine(&stage);
        if (starts) {
            assert_int_equal(ls_engine_start(stage.engine, clock_ns, &err), LS_OK);
            clock_ns += rows[i].ended_ns;
        }
        ls_engine_stop(stage.engine);
        stage_run_until_closed(&stage);
        stage_check(&stage);
        logins = ls_record_logins(stage.record, &count);
        for (size_t user = 0; user < count; user++) {
            assert_int_equal(logins[user].outcome,
                             rows[i].never_sent ? LS_OUTCOME_FAILED : LS_OUTCOME_CUT_OFF);
            assert_int_equal(logins[user].reason,
                             rows[i].never_sent ? LS_REASON_NEVER_SENT : LS_REASON_NONE);
            assert_int_equal(logins[user].started_ns, LS_NEVER_NS);
            assert_int_equal(logins[user].attempts, 0);
            assert_int_equal(logins[user].done_ns, starts ? rows[i].ended_ns : LS_NEVER_NS);
        }
        assert_int_equal(stage.facts.started, 0);
        assert_int_equal(stage.facts.failed, 0);
        assert_int_equal(stage.facts.decided, 2);
        stage_clear(&stage);
        stage_end(&stage);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_should_long_have_been_sent_is_never_sent_and_the_others_are_cut_off),
    };

    return cmocka_run_group_tests(tests, rig_set_up, rig_tear_down);
}
