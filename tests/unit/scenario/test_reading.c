/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "help.h"

#include "scenario/reading.h"

static void complain(struct ls_reading *reading, const char *origin, int line, int column)
{
    ls_complain(reading, (struct ls_place){origin, line, column}, "%d.%d", line, column);
}

static void complaints_are_kept_in_the_order_of_the_file(void **state)
{
    struct ls_reading reading = {.file = "f"};
    static const char *const wanted[] = {"1.9", "2.1", "2.3", "7.1", "0.0"};

    (void)state;
    complain(&reading, "--set a=b", 0, 0);
    complain(&reading, NULL, 7, 1);
    complain(&reading, NULL, 2, 3);
    complain(&reading, NULL, 1, 9);
    complain(&reading, NULL, 2, 1);
    assert_int_equal(reading.errors.count, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_string_equal(reading.errors.item[i].text, wanted[i]);
    }
    assert_string_equal(reading.errors.item[4].path, "--set a=b");
    assert_string_equal(reading.errors.item[0].path, "f");
}

/* Whatever the order in which they come, the first 32 of the file stay. */
static void the_first_of_many_complaints_are_kept(void **state)
{
    struct ls_reading reading = {.file = "f"};

    (void)state;
    for (int i = 0; i < 101; i++) {
        complain(&reading, NULL, 1 + i * 37 % 101, 1);
    }
    assert_int_equal(reading.errors.count, 101);
    for (int i = 0; i < LS_ERRORS_MAX; i++) {
        assert_int_equal(reading.errors.item[i].line, 1 + i);
    }
}

static void a_path_grows_and_shrinks_with_the_reading(void **state)
{
    struct ls_reading reading = {.file = "f"};
    const size_t top = ls_path_enter(&reading, "populations");
    const size_t list = ls_path_enter_item(&reading, 3);

    (void)state;
    (void)ls_path_enter(&reading, "tls");
    assert_string_equal(reading.path, "populations.3.tls");
    ls_path_leave(&reading, list);
    complain(&reading, NULL, 1, 1);
    assert_string_equal(reading.errors.item[0].text, "populations: 1.1");
    ls_path_leave(&reading, top);
    complain(&reading, NULL, 2, 1);
    assert_string_equal(reading.errors.item[1].text, "2.1");
}

static void a_path_too_long_is_cut_and_stays_ended(void **state)
{
    struct ls_reading reading = {.file = "f"};
    size_t length = 0;

    (void)state;
    for (int i = 0; i < 100; i++) {
        length = ls_path_enter(&reading, "populations");
    }
    assert_int_equal(strlen(reading.path), LS_PATH_MAX - 1);
    ls_path_leave(&reading, length);
    assert_int_equal(strlen(reading.path), LS_PATH_MAX - 1);
}

static void what_a_user_wrote_is_shown_tamed(void **state)
{
    char out[LS_SHOWN_MAX];
    char text[200];

    (void)state;
    assert_string_equal(ls_show("plain", out), "plain");
    assert_string_equal(ls_show("a\nb\x1b[31m\x7f", out), "a?b?[31m?");
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    assert_int_equal(strlen(ls_show(text, out)), LS_SHOWN_MAX - 1);
    assert_string_equal(out + LS_SHOWN_MAX - 4, "...");
    for (size_t i = 0; i + 2 < sizeof text; i += 2) {
        memcpy(text + i, "\xc3\xa9", 2);
    }
    text[198] = '\0';
    assert_string_equal(ls_show(text + 1, out) + strlen(out) - 5, "\xc3\xa9...");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(complaints_are_kept_in_the_order_of_the_file),
        cmocka_unit_test(the_first_of_many_complaints_are_kept),
        cmocka_unit_test(a_path_grows_and_shrinks_with_the_reading),
        cmocka_unit_test(a_path_too_long_is_cut_and_stays_ended),
        cmocka_unit_test(what_a_user_wrote_is_shown_tamed),
    };

    return cmocka_run_group_tests_name("scenario/reading", tests, NULL, NULL);
}
