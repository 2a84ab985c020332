/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "loginstorm/units.h"
#include "plan/work.h"

#define COUNT 20

/* Mornings whose p99 is 1 ms, 2 ms, ... in no order; nothing else happens. */
static void fill(struct ls_morning *mornings)
{
    for (int i = 0; i < COUNT; i++) {
        mornings[i] = (struct ls_morning){
            .facts = {.logins = 100, .attempts = 100, .peak_gateway_share = 0.5},
            .of_all_p99_ns = ((i * 7) % COUNT + 1) * LS_NS_PER_MS,
        };
    }
}

static struct ls_plan plan_of_limits(enum ls_plan_target target, double limit)
{
    struct ls_plan plan = {0};

    for (int t = 0; t < LS_PLAN_TARGETS; t++) {
        plan.limits[t].limit = -1;
    }
    plan.limits[target].limit = limit;
    return plan;
}

static void a_target_is_met_when_95_percent_of_mornings_meet_it(void **state)
{
    static const struct {
        double limit_ms, met;
        bool missed;
        const char *reason;
    } rows[] = {
        {20, 1, false, "all mornings"},
        {19, 0.95, false, "19 of 20"},
        {18.999, 0.9, true, "18 of 20"},
        {0.5, 0, true, "none"},
    };
    struct ls_morning mornings[COUNT];

    (void)state;
    fill(mornings);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct ls_plan plan =
            plan_of_limits(LS_TARGET_LOGIN_P99, rows[i].limit_ms * (double)LS_NS_PER_MS);
        struct ls_plan_farm farm = {0};
        struct ls_error err;

        assert_int_equal(figures_of(&farm, &plan, mornings, COUNT, &err), LS_OK);
        if (fabs(farm.met[LS_TARGET_LOGIN_P99] - rows[i].met) > 1e-9 ||
            (farm.missed != 0) != rows[i].missed) {
            fail_msg("%s: %g, %u", rows[i].reason, farm.met[LS_TARGET_LOGIN_P99], farm.missed);
        }
        assert_true(farm.met[LS_TARGET_FAILED] < 0); /* nobody asked */
        assert_int_equal(lround(farm.p99_ns.median), 10 * LS_NS_PER_MS);
        assert_int_equal(lround(farm.p99_ns.most), 19 * LS_NS_PER_MS);
    }
}

static void how_many_mornings_must_meet_it_is_rounded_up(void **state)
{
    (void)state;
    assert_int_equal(mornings_needed(1), 1);
    assert_int_equal(mornings_needed(19), 19);
    assert_int_equal(mornings_needed(20), 19);
    assert_int_equal(mornings_needed(100), 95);
    assert_int_equal(mornings_needed(101), 96);
}

static void who_never_got_in_waited_longer_than_any_limit(void **state)
{
    const struct ls_plan plan = plan_of_limits(LS_TARGET_LOGIN_P99, 1e18);
    struct ls_morning mornings[COUNT];
    struct ls_plan_farm farm = {0};
    struct ls_error err;

    (void)state;
    fill(mornings);
    mornings[3].of_all_p99_ns = mornings[4].of_all_p99_ns = LS_NEVER_NS;
    assert_int_equal(figures_of(&farm, &plan, mornings, COUNT, &err), LS_OK);
    assert_true(isinf(farm.p99_ns.most) && farm.missed == 1U << LS_TARGET_LOGIN_P99);
}

static void what_gives_way_first_is_named(void **state)
{
    static const struct {
        enum ls_plan_target target;
        double limit;
        int64_t dropped, timed_out, attempts;
        enum ls_plan_break why;
        const char *reason;
    } rows[] = {
        {LS_TARGET_LOGIN_P99, 1e9, 5, 5, 200, LS_BREAK_NONE, "nothing is missed"},
        {LS_TARGET_CPU_PEAK, 0.4, 0, 0, 100, LS_BREAK_CPU, "the cores' own target"},
        {LS_TARGET_CPU_PEAK, 0.4, 5, 5, 200, LS_BREAK_CPU, "the same beside other trouble"},
        {LS_TARGET_LOGIN_P99, 1e6, 0, 0, 100, LS_BREAK_CPU, "they wait for cores and nothing else"},
        {LS_TARGET_LOGIN_P99, 1e6, 5, 5, 200, LS_BREAK_BACKLOG, "SYNs were dropped before"},
        {LS_TARGET_LOGIN_P99, 1e6, 0, 5, 200, LS_BREAK_TIMEOUTS, "users gave up"},
        {LS_TARGET_LOGIN_P99, 1e6, 0, 0, 200, LS_BREAK_RETRIES, "users came again"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct ls_plan plan = plan_of_limits(rows[i].target, rows[i].limit);
        struct ls_morning mornings[COUNT];
        struct ls_plan_farm farm = {0};
        struct ls_error err;

        fill(mornings);
        for (int m = 0; m < COUNT; m++) {
            mornings[m].facts.syn_dropped = rows[i].dropped;
            mornings[m].by_reason[LS_REASON_HANDSHAKE_TIMEOUT] = rows[i].timed_out;
            mornings[m].facts.attempts = rows[i].attempts;
        }
        assert_int_equal(figures_of(&farm, &plan, mornings, COUNT, &err), LS_OK);
        if (farm.why != rows[i].why) {
            fail_msg("%s: %s", rows[i].reason, ls_plan_break_word(farm.why));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_target_is_met_when_95_percent_of_mornings_meet_it),
        cmocka_unit_test(how_many_mornings_must_meet_it_is_rounded_up),
        cmocka_unit_test(who_never_got_in_waited_longer_than_any_limit),
        cmocka_unit_test(what_gives_way_first_is_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
