/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "curve/spread.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "curve/slots.h"

static void overlapping_intervals_are_cut_and_their_counts_spread(void **unused)
{
    static const struct {
        const char *why;
        size_t from_count, to_count;
        struct ls_curve_interval from[4], to[6];
    } rows[] = {
        {"nothing to do, a hole stays", 2, 2, {{0, 10, 3}, {20, 30, 4}}, {{0, 10, 3}, {20, 30, 4}}},
        {"the same interval", 2, 1, {{0, 10, 3}, {0, 10, 4}}, {{0, 10, 7}}},
        {"one over two", 3, 2, {{0, 20, 9}, {0, 10, 1}, {10, 20, 2}}, {{0, 10, 5}, {10, 20, 7}}},
        {"half a step apart", 2, 3, {{0, 10, 5}, {5, 15, 3}}, {{0, 5, 2}, {5, 10, 4}, {10, 15, 2}}},
        {"within, and a hole behind",
         3,
         4,
         {{0, 30, 30}, {10, 20, 1}, {40, 50, 2}},
         {{0, 10, 10}, {10, 20, 11}, {20, 30, 10}, {40, 50, 2}}},
        {"as many as there can be",
         2,
         3,
         {{0, 4, INT64_MAX - 4}, {2, 6, 4}},
         {{0, 2, INT64_MAX / 2 - 2}, {2, 4, INT64_MAX / 2 + 1}, {4, 6, 2}}},
    };

    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        size_t count = rows[i].from_count;
        struct ls_curve_interval *list = malloc(count * sizeof *list);
        struct ls_error err;

        assert_non_null(list);
        memcpy(list, rows[i].from, count * sizeof *list);
        assert_int_equal(spread_intervals(&list, &count, &err), LS_OK);
        if (count != rows[i].to_count) {
            fail_msg("%s: %zu intervals", rows[i].why, count);
        }
        for (size_t k = 0; k < count; k++) {
            if (list[k].from_ns != rows[i].to[k].from_ns || list[k].to_ns != rows[i].to[k].to_ns ||
                list[k].count != rows[i].to[k].count) {
                fail_msg("%s: %zu has %lld", rows[i].why, k, (long long)list[k].count);
            }
        }
        free(list);
    }
}

static void amounts_of_one_interval_are_added_up_in_any_order(void **unused)
{
    const int64_t count = 3000;
    struct slots slots = {0};
    struct ls_error err;

    (void)unused;
    for (int64_t i = 0; i < count; i++) {
        const int64_t at = i * 7 % count; /* all of them, mixed */

        assert_int_equal(slots_add(&slots, at, at + 1, 0.5, &err), LS_OK);
        assert_int_equal(slots_add(&slots, at, at + 2, 1, &err), LS_OK);
    }
    for (int64_t i = 0; i < count; i++) {
        assert_int_equal(slots_add(&slots, i, i + 1, 0.25, &err), LS_OK);
    }
    slots_sort(&slots);
    assert_int_equal(slots.count, 2 * count);
    for (int64_t i = 0; i < count; i++) {
        const struct slot *pair = &slots.rows[2 * i];

        assert_true(pair[0].from_ns == i && pair[0].to_ns == i + 1);
        assert_true(pair[1].from_ns == i && pair[1].to_ns == i + 2);
        assert_int_equal((int)(pair[0].amount * 100), 75);
        assert_int_equal((int)(pair[1].amount * 100), 100);
    }
    slots_free(&slots);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overlapping_intervals_are_cut_and_their_counts_spread),
        cmocka_unit_test(amounts_of_one_interval_are_added_up_in_any_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
