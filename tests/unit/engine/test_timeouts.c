/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A login's time-outs are held to the clock, not to when the loop gets round to a timer. The clock here stands still, and leaps once: at
 * each reading in turn, so that whatever comes of a login is met with its time over, just not over, and not begun. libuv's timers go by the
 * real clock, which says that an hour is long. */
#include "unit/engine/stage.h"

int64_t __real_ls_now_ns(void);
int64_t __wrap_ls_now_ns(void);

static struct {
    int64_t stands_ns; /* 0: it is the real one */
    int64_t leap_ns;
    long readings, leaps_at;
} fake;

int64_t __wrap_ls_now_ns(void)
{
    if (fake.stands_ns == 0) {
        return __real_ls_now_ns();
    }
    fake.readings++;
    return fake.stands_ns + (fake.readings >= fake.leaps_at ? fake.leap_ns : 0);
}

#define HOUR (3600 * LS_NS_PER_S)
#define LOGIN                                                                                      \
    "{hold: none, timeouts: {connect: %s, handshake: %s, login: %s}, request: {send: 200B, "       \
    "receive: 500B}}"

struct seen {
    int logged_in, in_time_late; /* in_time_late: logged in although the clock leapt on the way */
    int by_reason[LS_REASON_COUNT];
};

/* No row says of itself that it took longer than its time-out and came through all the same. */
static void hold_to_the_limits(const struct stage *stage)
{
    const struct ls_login_wish *wish = &stage->scenario->login;
    size_t count;
    const struct ls_login *login = ls_record_logins(stage->record, &count);
    const struct ls_handshake *rows;

    if (login->outcome == LS_OUTCOME_LOGGED_IN) {
        assert_true(login->done_ns - login->due_ns < wish->login_timeout_ns);
    } else {
        assert_int_equal(login->outcome, LS_OUTCOME_FAILED);
    }
    rows = ls_record_handshakes(stage->record, &count);
    for (size_t i = 0; i < count; i++) {
        if (rows[i].connected_ns != LS_NEVER_NS) {
            assert_true(rows[i].connected_ns - rows[i].started_ns < wish->connect_timeout_ns);
        }
        if (rows[i].outcome == LS_OUTCOME_LOGGED_IN) {
            assert_true(rows[i].ended_ns - rows[i].connected_ns < wish->handshake_timeout_ns);
            assert_true(rows[i].ended_ns - login->due_ns < wish->login_timeout_ns);
        }
    }
}

/* One user whose clock leaps at that reading. False: it was over before. */
static bool play(const char *limits[3], int64_t leap_ns, long leaps_at, struct seen *seen)
{
    struct stage stage;
    char login[256];
    const struct stage_wish wish = {.users = 1, .connections = 2, .login = login};
    const struct ls_login *row;
    size_t count;
    bool leapt;

    (void)snprintf(login, sizeof login, LOGIN, limits[0], limits[1], limits[2]);
    fake.stands_ns = 0;
    stage_set(&stage, identity, &wish);
    stage_engine(&stage);
    fake.leap_ns = leap_ns;
    fake.readings = 0;
    fake.leaps_at = leaps_at + 1; /* the first one is the start's */
    fake.stands_ns = __real_ls_now_ns();
    stage_start(&stage);
    stage_run_until_closed(&stage);
    leapt = fake.readings >= fake.leaps_at;
    fake.stands_ns = 0;
    stage_check(&stage);
    hold_to_the_limits(&stage);
    row = ls_record_logins(stage.record, &count);
    seen->logged_in += row->outcome == LS_OUTCOME_LOGGED_IN;
    seen->in_time_late += row->outcome == LS_OUTCOME_LOGGED_IN && row->done_ns == leap_ns;
    seen->by_reason[row->reason] += row->outcome == LS_OUTCOME_FAILED;
    stage_clear(&stage);
    stage_end(&stage);
    return leapt;
}

static void what_comes_too_late_by_the_clock_is_a_timeout(void **state)
{
    static const struct {
        const char *limits[3]; /* connect, handshake, login */
        int64_t leap_ns;
        enum ls_reason only[3]; /* what a login may fail by, each of them met */
        bool late_ones;
        const char *reason;
    } rows[] = {
        {{"9h", "9h", "1h"},
         HOUR,
         {LS_REASON_LOGIN_TIMEOUT},
         false,
         "the whole login's time is over, to the nanosecond"},
        {{"9h", "9h", "1h"}, HOUR - 1, {LS_REASON_NONE}, true, "a nanosecond less is in time"},
        {{"9h", "9h", "1h"}, 5 * HOUR, {LS_REASON_LOGIN_TIMEOUT}, false, "long over"},
        {{"1h", "9h", "9h"},
         HOUR,
         {LS_REASON_CONNECT_TIMEOUT},
         true,
         "TCP's time is over; later in the login an hour is nothing"},
        {{"1h", "9h", "9h"}, HOUR - 1, {LS_REASON_NONE}, true, "a nanosecond less is in time"},
        {{"9h", "1h", "9h"}, HOUR, {LS_REASON_HANDSHAKE_TIMEOUT}, true, "the handshake's"},
        {{"9h", "1h", "9h"}, HOUR - 1, {LS_REASON_NONE}, true, "a nanosecond less is in time"},
        {{"1h", "1h", "9h"},
         HOUR,
         {LS_REASON_CONNECT_TIMEOUT, LS_REASON_HANDSHAKE_TIMEOUT},
         true,
         "of both the one that it was in"},
        {{"1h", "1h", "1h"},
         HOUR,
         {LS_REASON_LOGIN_TIMEOUT},
         false,
         "the login's name goes first where both are over"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *limits[3] = {rows[i].limits[0], rows[i].limits[1], rows[i].limits[2]};
        struct seen seen = {0};
        int expected = 0, failed = 0;
        long at = 1;

        print_message("%s\n", rows[i].reason);
        while (play(limits, rows[i].leap_ns, at, &seen)) {
            at++;
        }
        assert_true(at > 10);
        for (size_t k = 0; k < 3 && rows[i].only[k] != LS_REASON_NONE; k++) {
            assert_true(seen.by_reason[rows[i].only[k]] > 0);
            expected += seen.by_reason[rows[i].only[k]];
        }
        for (size_t k = 0; k < LS_REASON_COUNT; k++) {
            failed += seen.by_reason[k];
        }
        assert_int_equal(failed, expected);
        assert_int_equal(seen.logged_in + failed, at);
        assert_true(seen.logged_in > 0); /* it leapt too late to matter, at the end */
        assert_int_equal(seen.in_time_late > 0, rows[i].late_ones);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_comes_too_late_by_the_clock_is_a_timeout),
    };

    return cmocka_run_group_tests(tests, rig_set_up, rig_tear_down);
}
