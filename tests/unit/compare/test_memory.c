/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/compare/storms.h"
#include "unit/refusing.h"

static void whatever_allocation_fails_it_is_told_and_nothing_is_lost(void **state)
{
    static const char *const names[] = {"one", "other"};
    struct storm one, other;
    const struct ls_result *const results[] = {&one.result, &other.result};
    const struct ls_compare_wish wish = {results, names, 2, true};
    struct ls_comparison *comparison;
    struct ls_error err;
    long needed;

    (void)state;
    storm_init(&one);
    storm_init(&other);
    for (int round = 1; round <= 3; round++) {
        storm_add(&one, true, round, 6000 + round, 30000, 3600);
        storm_add(&one, false, round, 600, 3000 + round, 360);
        storm_add(&other, false, round, 700, 3000, 360 + round);
    }
    one.runs[2].validity.verdict = LS_INVALID;
    other.result.speedup = 30;
    blocks = allocations = 0;
    assert_int_equal(ls_compare(&comparison, &wish, &err), LS_OK);
    needed = allocations;
    ls_comparison_free(comparison);
    assert_int_equal(blocks, 0);
    assert_true(needed > 30);
    for (long i = 0; i < needed; i++) {
        allocations = 0;
        refuse_at = i;
        if (ls_compare(&comparison, &wish, &err) != LS_ENOMEM || comparison != NULL ||
            blocks != 0) {
            fail_msg("allocation %ld of %ld: %ld blocks are left", i, needed, blocks);
        }
    }
    refuse_at = -1;
    assert_string_equal(err.text, "no memory to compare the results");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whatever_allocation_fails_it_is_told_and_nothing_is_lost),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
