/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "curve/recent.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static void what_is_put_is_there_until_as_many_others_came(void **state)
{
    struct recent *recent = calloc(1, sizeof *recent);

    (void)state;
    assert_non_null(recent);
    assert_false(recent_has(recent, 1));
    for (uint64_t key = 1; key <= RECENT; key++) {
        recent_put(recent, key);
        assert_true(recent_has(recent, key));
    }
    assert_true(recent_has(recent, 1));
    recent_put(recent, RECENT + 1);
    assert_false(recent_has(recent, 1));
    assert_true(recent_has(recent, 2));
    free(recent);
}

static void what_is_taken_is_there_no_more(void **state)
{
    struct recent *recent = calloc(1, sizeof *recent);

    (void)state;
    assert_non_null(recent);
    assert_false(recent_take(recent, 7));
    recent_put(recent, 7);
    recent_put(recent, 8);
    assert_true(recent_take(recent, 7));
    assert_false(recent_take(recent, 7));
    assert_true(recent_take(recent, 8));
    free(recent);
}

static void a_key_tells_where_the_first_text_ends(void **state)
{
    (void)state;
    assert_true(recent_key("ab", 2, "c", 1) == recent_key("ab", 2, "c", 1));
    assert_true(recent_key("ab", 2, "c", 1) != recent_key("a", 1, "bc", 2));
    assert_true(recent_key("a", 1, "b", 1) != recent_key("b", 1, "a", 1));
    assert_true(recent_key("", 0, "", 0) != 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_put_is_there_until_as_many_others_came),
        cmocka_unit_test(what_is_taken_is_there_no_more),
        cmocka_unit_test(a_key_tells_where_the_first_text_ends),
    };

    return cmocka_run_group_tests_name("curve/recent", tests, NULL, NULL);
}
