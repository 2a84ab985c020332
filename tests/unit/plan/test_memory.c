/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "unit/plan/kit.h"
#include "unit/refusing_streams.h"

/* Refuses each of the first 60, then one after another in steps that grow to 1 / `parts` of what lies
 * behind. */
static void refuse_one_after_another(const char *text, long parts)
{
    struct ls_scenario *scenario = scenario_of(text);
    const struct ls_plan_wish wish = {.scenario = scenario, .mornings = 1, .threads = 1};
    struct ls_plan *plan;
    struct ls_error err;
    long before, needed;

    allocations = 0;
    before = blocks;
    assert_int_equal(ls_plan_build(&plan, &wish, &err), LS_OK);
    needed = allocations;
    ls_plan_free(plan);
    assert_true(blocks == before);
    assert_true(needed > 20);
    for (long i = 0; i < needed; i += i < 60 ? 1 : 1 + i / parts) {
        allocations = 0;
        refuse_at = i;
        err = (struct ls_error){0};
        assert_int_equal(ls_plan_build(&plan, &wish, &err), LS_ENOMEM);
        refuse_at = -1;
        assert_null(plan);
        assert_string_not_equal(err.text, "");
        assert_true(blocks == before);
    }
    ls_scenario_free(scenario);
}

static void whatever_allocation_fails_it_is_told_and_nothing_is_lost(void **state)
{
    (void)state;
    refuse_one_after_another("loginstorm: 1\nusers: 9\nseed: 1\n"
                             "certificates: [{name: A, key: rsa-4096}]\n"
                             "farm: {gateways: 2, spare: 1, capacity: 3 in 10m}\n",
                             6);
    /* A farm in which nobody waits has an allocation a gateway. */
    refuse_one_after_another(
        "loginstorm: 1\nusers: 9\nseed: 1\n"
        "certificates: [{name: A, key: rsa-4096}, {name: B, key: ecdsa-p256}]\n"
        "farm: {gateways: 2, spare: 1, costs: {fixed: 10s}}\n"
        "targets: {gateway_cpu_peak: 30%}\n",
        397);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whatever_allocation_fails_it_is_told_and_nothing_is_lost),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
