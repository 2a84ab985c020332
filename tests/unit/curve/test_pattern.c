/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "curve/pattern.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void what_cannot_be_a_layout_is_refused(void **unused)
{
    static const struct {
        const char *words, *why;
    } rows[] = {
        {"%h %l %u %t", "has no $variables"},
        {"$remote_addr \"$request\" $status", "no time in it"},
        {"$remote_addr$time_local $status", "what stands before $time_local ends"},
        {"$remote_addr [$time_local] ${status}${request}", "what stands before $request ends"},
        {"", "has no $variables"},
    };

    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pattern pattern;
        struct ls_error err = {0};

        assert_int_equal(pattern_compile(&pattern, rows[i].words, &err), LS_EUSAGE);
        if (strstr(err.text, rows[i].why) == NULL) {
            fail_msg("%s: %s", rows[i].words, err.text);
        }
    }
}

static void the_directive_is_read_as_it_stands_in_the_configuration(void **unused)
{
    static const char *const words[] = {
        "$msec|$status|$request|$http_host",
        "  log_format timed escape=json\n    '$msec|$status'\n    '|$request|$http_host';",
        "'$msec|${status}|' \"$request|\" '$http_host'",
    };

    (void)unused;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        static const char line[] = "1796027267.123|200|GET / HTTP/1.1|";
        struct slice values[VAR_COUNT];
        struct pattern pattern;
        struct ls_error err = {0};

        if (pattern_compile(&pattern, words[i], &err) != LS_OK) {
            fail_msg("%s", err.text);
        }
        assert_true(pattern_match(&pattern, line, sizeof line - 1, values));
        assert_true(slice_is(values[VAR_TIME], "1796027267.123"));
        assert_true(slice_is(values[VAR_STATUS], "200"));
        assert_true(slice_is(values[VAR_REQUEST], "GET / HTTP/1.1"));
        assert_null(values[VAR_USER].at);
        assert_false(pattern_match(&pattern, line, 20, values));
    }
}

static void a_quote_that_is_escaped_ends_nothing(void **unused)
{
    static const char line[] = "[now] \"GET /\\\" 9\\\\\" 200 ";
    struct slice values[VAR_COUNT];
    struct pattern pattern;

    (void)unused;
    assert_int_equal(pattern_compile(&pattern, "[$time_local] \"$request\" $status ", NULL), LS_OK);
    assert_true(pattern_match(&pattern, line, sizeof line - 1, values));
    assert_true(slice_is(values[VAR_REQUEST], "GET /\\\" 9\\\\"));
    assert_true(slice_is(values[VAR_STATUS], "200"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_cannot_be_a_layout_is_refused),
        cmocka_unit_test(the_directive_is_read_as_it_stands_in_the_configuration),
        cmocka_unit_test(a_quote_that_is_escaped_ends_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
