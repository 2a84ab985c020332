/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "meter/advance.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "loginstorm/units.h"

static void a_counter_is_believed_as_far_as_cpus_can(void **state)
{
    static const struct {
        int64_t last_ms, now_ms, elapsed_ms, cores, step_ms;
        enum advance advance;
        const char *why;
    } rows[] = {
        {1000, 1000, 2000, 1, 0, ADVANCE_ON, "it stands"},
        {1000, 3100, 2000, 1, 2100, ADVANCE_ON, "all that a core has, and a tick"},
        {1000, 3101, 2000, 1, 0, ADVANCE_CANNOT_BE, "more than a core has"},
        {1000, 5200, 2000, 2, 4200, ADVANCE_ON, "all that two have"},
        {1000, 5201, 2000, 2, 0, ADVANCE_CANNOT_BE, "more than two have"},
        {1000, 1100, -5, 1, 100, ADVANCE_ON, "no time between: the slack alone"},
        {1000000, 999999, 2000, 1, 0, ADVANCE_BACK, "back by a little"},
        {1000000, 997900, 2000, 1, 0, ADVANCE_BACK, "back by what it could have burnt"},
        {1000000, 997899, 2000, 1, 0, ADVANCE_CANNOT_BE, "back by more"},
        {1000000, 997899, 2000, 4096, 0, ADVANCE_CANNOT_BE, "so it is with many cores"},
        {1000000, 2100, 2000, 1, 2100, ADVANCE_ANEW, "to what can be burnt since a start"},
        {1000000, 2101, 2000, 1, 0, ADVANCE_CANNOT_BE, "to more than that"},
        {1000000, 0, 2000, 1, 0, ADVANCE_ANEW, "to nothing"},
        {2000, 1001, 2000, 1, 0, ADVANCE_BACK, "a little one, to more than half"},
        {2000, 1000, 2000, 1, 1000, ADVANCE_ANEW, "to half"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t step_ns;
        const enum advance advance =
            advance_of(rows[i].last_ms * LS_NS_PER_MS, rows[i].now_ms * LS_NS_PER_MS,
                       rows[i].elapsed_ms * LS_NS_PER_MS, rows[i].cores, &step_ns);

        if (advance != rows[i].advance || step_ns != rows[i].step_ms * LS_NS_PER_MS) {
            fail_msg("%s: %d, by %lld ns", rows[i].why, (int)advance, (long long)step_ns);
        }
    }
}

static void what_cores_can_burn_does_not_run_over(void **state)
{
    (void)state;
    assert_int_equal(advance_most_ns(LS_NS_PER_S, 2), 2200 * LS_NS_PER_MS);
    assert_int_equal(advance_most_ns(365 * LS_NS_PER_DAY, ADVANCE_CORES_UNKNOWN), INT64_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_counter_is_believed_as_far_as_cpus_can),
        cmocka_unit_test(what_cores_can_burn_does_not_run_over),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
