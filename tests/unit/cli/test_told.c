/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/told.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "loginstorm/units.h"

#define AHEAD_NS (1000 * LS_NS_PER_S)

static void say(int fd, const char *text)
{
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
}

static void a_line_is_taken_when_it_has_all_come(void **state)
{
    struct told told = {.used = 0};
    struct ls_error err = {0};
    const int64_t at_ns = ls_wall_ns() / LS_NS_PER_S * LS_NS_PER_S + AHEAD_NS;
    char text[64];
    int ends[2];

    (void)state;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(told_read(&told, ends[0], &err), LS_OK);
    assert_int_equal(told.start.at_ns, 0);
    (void)snprintf(text, sizeof text, "@%" PRId64, at_ns / LS_NS_PER_S);
    say(ends[1], text);
    assert_int_equal(told_read(&told, ends[0], &err), LS_OK);
    assert_int_equal(told.start.at_ns, 0);
    say(ends[1], " +500 0.25\nrest");
    assert_int_equal(told_read(&told, ends[0], &err), LS_OK);
    assert_int_equal(told.start.at_ns, at_ns);
    assert_int_equal(told.said.error_ns, LS_NS_PER_S / 4);
    /* Said once and for all, though its writer goes. */
    assert_int_equal(close(ends[1]), 0);
    assert_int_equal(told_read(&told, ends[0], &err), LS_OK);
    assert_int_equal(told.start.at_ns, at_ns);
    assert_int_equal(close(ends[0]), 0);
}

static void the_clock_that_counts_is_the_one_that_the_line_is_of(void **state)
{
    struct told told = {.used = 0};
    struct ls_error err = {0};
    const int64_t at_ns = ls_wall_ns() / LS_NS_PER_S * LS_NS_PER_S - AHEAD_NS;
    char text[64];
    int ends[2];

    (void)state;
    assert_int_equal(pipe(ends), 0);
    /* Past by the clock here, which is 2,000 s ahead; as much ahead by the other one. */
    (void)snprintf(text, sizeof text, "@%" PRId64 " +2000 0\n", at_ns / LS_NS_PER_S);
    say(ends[1], text);
    assert_int_equal(told_read(&told, ends[0], &err), LS_OK);
    assert_int_equal(told.start.at_ns, at_ns);
    assert_true(told.start.clock_ns < at_ns);
    assert_true(told.start.clock_ns > at_ns - 2 * AHEAD_NS);
    assert_true(told.start.same_ns <= ls_now_ns());
    assert_int_equal(close(ends[0]), 0);
    assert_int_equal(close(ends[1]), 0);
}

static void what_is_no_such_line_ends_it(void **state)
{
    static const struct {
        const char *text, *words;
    } rows[] = {
        {"", "standard input ended before it said when"},
        {"@99999999999", "standard input ended before it said when"},
        {"@1\n", "@1 is past, by "},
        {"now\n", "\"now\" is no moment with its zone"},
        {"0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567"
         "8901234567890123456789012345678901234567890123456789012345678901234567890123456789",
         "standard input says something else than when"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct told told = {.used = 0};
        struct ls_error err = {0};
        int ends[2];

        assert_int_equal(pipe(ends), 0);
        say(ends[1], rows[i].text);
        assert_int_equal(close(ends[1]), 0);
        assert_int_equal(told_read(&told, ends[0], &err), LS_EUSAGE);
        assert_non_null(strstr(err.text, rows[i].words));
        assert_int_equal(close(ends[0]), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_taken_when_it_has_all_come),
        cmocka_unit_test(the_clock_that_counts_is_the_one_that_the_line_is_of),
        cmocka_unit_test(what_is_no_such_line_ends_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
