/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "help.h"

static struct ls_scenario_changes changes;

static int none(void **state)
{
    (void)state;
    changes.count = 0;
    return 0;
}

static void a_change_is_cut_at_its_first_equals_sign(void **state)
{
    static const struct {
        const char *text, *path, *value, *why;
    } rows[] = {
        {"users=600", "users", "600", "a field"},
        {"a.0.b=c=d", "a.0.b", "c=d", "a value with a sign of its own"},
        {"name=", "name", "", "nothing is a value, which the scenario's reader judges"},
    };
    struct ls_error err;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        print_message("%s\n", rows[i].why);
        assert_int_equal(ls_scenario_changes_set(&changes, rows[i].text, &err), LS_OK);
    }
    assert_int_equal(ls_scenario_changes_add(&changes, "seed", "7", &err), LS_OK);
    assert_int_equal(changes.count, 4);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_string_equal(changes.list[i].path, rows[i].path);
        assert_string_equal(changes.list[i].value, rows[i].value);
    }
    assert_string_equal(changes.list[3].path, "seed");
    assert_string_equal(changes.list[3].value, "7");
}

static void what_is_no_change_is_refused_and_not_kept(void **state)
{
    static char longest[300];
    struct ls_error err;

    (void)state;
    memset(longest, 'a', 256);
    memcpy(longest + 256, "=1", 3);
    assert_int_equal(ls_scenario_changes_set(&changes, "users", &err), LS_EUSAGE);
    assert_string_equal(err.text, "--set: \"users\" is not PATH=VALUE, like arrivals.middle=08:20");
    assert_int_equal(ls_scenario_changes_set(&changes, "=600", &err), LS_EUSAGE);
    assert_int_equal(ls_scenario_changes_set(&changes, longest, &err), LS_EUSAGE);
    assert_int_equal(changes.count, 0);
    assert_int_equal(ls_scenario_changes_set(&changes, longest + 1, &err), LS_OK);
}

static void there_is_an_end_to_them(void **state)
{
    struct ls_error err;

    (void)state;
    for (int i = 0; i < LS_SCENARIO_CHANGES_MAX; i++) {
        assert_int_equal(ls_scenario_changes_add(&changes, "users", "1", &err), LS_OK);
    }
    assert_int_equal(ls_scenario_changes_add(&changes, "users", "1", &err), LS_EUSAGE);
    assert_string_equal(err.text, "more than 64 changes of the scenario");
    assert_int_equal(ls_scenario_changes_set(&changes, "users=1", &err), LS_EUSAGE);
    assert_string_equal(err.text, "more than 64 changes of the scenario");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_change_is_cut_at_its_first_equals_sign, none),
        cmocka_unit_test_setup(what_is_no_change_is_refused_and_not_kept, none),
        cmocka_unit_test_setup(there_is_an_end_to_them, none),
    };

    return cmocka_run_group_tests_name("scenario/changes", tests, NULL, NULL);
}
