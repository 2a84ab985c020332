/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/error.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void every_code_has_the_exit_status_of_the_design(void **state)
{
    static const struct {
        enum ls_code code;
        int status;
    } rows[] = {
        {LS_OK, 0},
        {LS_ETARGET, 99},
        {LS_EINVALID, 98},
        {LS_EUSAGE, 64},
        {LS_EINPUT, 65},
        {LS_ENOINPUT, 66},
        {LS_EUNREACHABLE, 69},
        {LS_ENOMEM, 70},
        {LS_ERANGE, 70},
        {LS_ELIMIT, 70},
        {LS_ESYSTEM, 70},
        {LS_ETLS, 70},
        {LS_EBROKEN, 70},
        {LS_ECREATE, 73},
        {LS_EWRITE, 74},
        {LS_EPARTIAL, 75},
        {LS_EINTERRUPTED, 130},
        {LS_ETERMINATED, 143},
    };
    size_t count = 0;

    (void)state;
#define COUNT(name, status, text) count++;
    LS_CODES(COUNT)
#undef COUNT
    assert_int_equal(count, sizeof rows / sizeof rows[0]);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(rows[i].code, i);
        assert_int_equal(ls_code_status(rows[i].code), rows[i].status);
        assert_true(strlen(ls_code_text(rows[i].code)) > 3);
        for (size_t j = 0; j < i; j++) {
            assert_string_not_equal(ls_code_text(rows[i].code), ls_code_text(rows[j].code));
        }
    }
}

static void a_failing_function_ends_with_its_code_and_text(void **state)
{
    struct ls_error err;

    (void)state;
    memset(&err, 'x', sizeof err);
    assert_int_equal(ls_error_set(&err, LS_ENOMEM, "schedule: %d rows", 7), LS_ENOMEM);
    assert_int_equal(err.code, LS_ENOMEM);
    assert_string_equal(err.text, "schedule: 7 rows");
    assert_string_equal(err.path, "");
    assert_int_equal(err.line, 0);
    assert_int_equal(err.column, 0);
    assert_int_equal(ls_error_set(NULL, LS_EBROKEN, "%s", "nobody listens"), LS_EBROKEN);
    errno = ENOENT;
    assert_int_equal(ls_error_set_errno(NULL, LS_ENOINPUT, "x"), LS_ENOINPUT);
    assert_int_equal(ls_error_set_at(NULL, "a", 1, 2, "x"), LS_EINPUT);
}

static void errno_is_told_as_it_was_at_the_call(void **state)
{
    struct ls_error err;

    (void)state;
    errno = ENOENT;
    assert_int_equal(ls_error_set_errno(&err, LS_ENOINPUT, "cannot open %s", "a.yaml"),
                     LS_ENOINPUT);
    assert_string_equal(err.text, "cannot open a.yaml: No such file or directory");
}

static void an_error_can_be_wrapped_in_itself(void **state)
{
    struct ls_error err;

    (void)state;
    (void)ls_error_set(&err, LS_ESYSTEM, "no descriptors");
    (void)ls_error_set(&err, LS_ESYSTEM, "worker %d: %s", 3, err.text);
    assert_string_equal(err.text, "worker 3: no descriptors");
}

static void an_error_is_formatted_with_as_much_of_its_place_as_is_known(void **state)
{
    static const struct {
        const char *path;
        int line, column;
        const char *text, *why;
    } rows[] = {
        {"monday.yaml", 12, 14, "monday.yaml:12:14: error: too late", "all known"},
        {"monday.yaml", 12, 0, "monday.yaml:12: error: too late", "no column"},
        {"monday.yaml", 0, 0, "monday.yaml: error: too late", "a file"},
        {"", 0, 0, "error: too late", "no place at all"},
        {NULL, 0, 0, "error: too late", "no place at all"},
        {"a:b c.yaml", 1, 1, "a:b c.yaml:1:1: error: too late", "any name"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_error err;
        char out[128];

        assert_int_equal(
            ls_error_set_at(&err, rows[i].path, rows[i].line, rows[i].column, "too %s", "late"),
            LS_EINPUT);
        assert_int_equal(err.code, LS_EINPUT);
        ls_error_format(&err, out, sizeof out);
        assert_string_equal(out, rows[i].text);
    }
}

static void what_is_too_long_is_cut_and_ended(void **state)
{
    char longest[2000], out[20];
    struct ls_error err;

    (void)state;
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    (void)ls_error_set_at(&err, longest, 1, 2, "%s", longest);
    assert_int_equal(strlen(err.path), sizeof err.path - 1);
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
    errno = EACCES;
    (void)ls_error_set_errno(&err, LS_ESYSTEM, "%s", longest);
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
    ls_error_format(&err, out, sizeof out);
    assert_string_equal(out, "error: aaaaaaaaaaaa");
}

static void a_list_keeps_the_first_and_counts_all(void **state)
{
    struct ls_errors errors = {0};

    (void)state;
    for (int i = 0; i < LS_ERRORS_MAX + 10; i++) {
        assert_int_equal(ls_errors_add_at(&errors, "a.yaml", i + 1, 2 * i + 1, "mistake %d", i),
                         LS_EINPUT);
    }
    assert_int_equal(errors.count, LS_ERRORS_MAX + 10);
    for (int i = 0; i < LS_ERRORS_MAX; i++) {
        char text[32];

        (void)snprintf(text, sizeof text, "mistake %d", i);
        assert_int_equal(errors.item[i].code, LS_EINPUT);
        assert_string_equal(errors.item[i].text, text);
        assert_string_equal(errors.item[i].path, "a.yaml");
        assert_int_equal(errors.item[i].line, i + 1);
        assert_int_equal(errors.item[i].column, 2 * i + 1);
    }
}

static void an_error_added_to_a_list_keeps_its_code(void **state)
{
    struct ls_errors errors = {0};
    struct ls_error err;

    (void)state;
    (void)ls_error_set(&err, LS_ENOINPUT, "gone");
    assert_int_equal(ls_errors_add(&errors, &err), LS_ENOINPUT);
    assert_int_equal(errors.count, 1);
    assert_memory_equal(&errors.item[0], &err, sizeof err);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_code_has_the_exit_status_of_the_design),
        cmocka_unit_test(a_failing_function_ends_with_its_code_and_text),
        cmocka_unit_test(errno_is_told_as_it_was_at_the_call),
        cmocka_unit_test(an_error_can_be_wrapped_in_itself),
        cmocka_unit_test(an_error_is_formatted_with_as_much_of_its_place_as_is_known),
        cmocka_unit_test(what_is_too_long_is_cut_and_ended),
        cmocka_unit_test(a_list_keeps_the_first_and_counts_all),
        cmocka_unit_test(an_error_added_to_a_list_keeps_its_code),
    };

    return cmocka_run_group_tests_name("base/error", tests, NULL, NULL);
}
