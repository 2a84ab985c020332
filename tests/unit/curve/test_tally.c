/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "curve/tally.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "loginstorm/random.h"

#define MANY 5000

static void logins_are_sorted_and_equal_ones_stay_in_order(void **unused)
{
    static struct ls_curve_login logins[MANY];
    struct ls_error err;

    (void)unused;
    for (size_t count = 0; count < MANY; count = count * 3 / 2 + 1) {
        for (size_t i = 0; i < count; i++) {
            /* In part sorted already, with many equal ones. */
            const uint64_t draw = ls_random_u64(7, LS_STREAM_ARRIVAL, count, i);

            logins[i] = (struct ls_curve_login){(int64_t)(draw % 3 == 0 ? draw % 50 : i / 7), i};
        }
        assert_int_equal(tally_sort(logins, count, &err), LS_OK);
        for (size_t i = 1; i < count; i++) {
            assert_true(
                logins[i - 1].utc_ns < logins[i].utc_ns ||
                (logins[i - 1].utc_ns == logins[i].utc_ns && logins[i - 1].user < logins[i].user));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logins_are_sorted_and_equal_ones_stay_in_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
