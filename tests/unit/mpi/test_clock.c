/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mpi/clock.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "loginstorm/units.h"

static void the_least_round_trip_tells_the_offset(void **state)
{
    static const struct {
        struct clock_ping pings[3];
        bool known;
        int64_t ahead_ns, error_ns;
        const char *why;
    } rows[] = {
        {{{1000, 1100, 1050}, {2000, 2500, 2400}, {3000, 3080, 3040}},
         true,
         60,
         20,
         "the third is the fastest"},
        {{{1000, 1100, 1050}, {2000, 2025, 2050}, {3000, 3025, 3050}},
         true,
         75,
         25,
         "the first of equals"},
        {{{1000, 500, 1010}, {2000, 1900, 2100}, {3000, 3025, 3050}}, true, -505, 5, "behind"},
        {{{1000, 3000001001, 1003}, {0, 0, 9}, {0, 0, 9}},
         true,
         3000000000,
         2,
         "half of an odd trip is rounded up"},
        {{{1000, 500, 900}, {2000, 2010, 2020}, {3000, 3000, 2000}},
         true,
         0,
         10,
         "a clock that was set back meanwhile tells nothing"},
        {{{1000, 500, 900}, {1000, 500, 900}, {1000, 500, 900}}, false, 0, 0, "nor does it ever"},
        {{{7, 7, 7}, {1000, 1000, 1001}, {1000, 1000, 1001}},
         true,
         0,
         0,
         "faster than the clock ticks"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct clock_offset offset = {0};

        print_message("%s\n", rows[i].why);
        assert_int_equal(clock_compare(rows[i].pings, 3, &offset), rows[i].known);
        if (rows[i].known) {
            assert_int_equal(offset.ahead_ns, rows[i].ahead_ns);
            assert_int_equal(offset.error_ns, rows[i].error_ns);
        }
    }
}

/* Whatever way the trip is divided. */
static void the_error_is_never_less_than_how_wrong_the_offset_is(void **state)
{
    (void)state;
    for (int64_t there_ns = 0; there_ns <= 40; there_ns++) {
        for (int64_t back_ns = 0; back_ns <= 40; back_ns++) {
            const struct clock_ping ping = {.sent_ns = 1000,
                                            .theirs_ns = 1000 + there_ns + 777,
                                            .back_ns = 1000 + there_ns + back_ns};
            struct clock_offset offset;

            assert_true(clock_compare(&ping, 1, &offset));
            assert_in_range(offset.ahead_ns + offset.error_ns, 777, 900);
            assert_in_range(offset.ahead_ns - offset.error_ns, 600, 777);
        }
    }
}

static void a_start_leaves_time_for_what_the_slowest_needs_and_for_telling_all(void **state)
{
    const int64_t now_ns = INT64_C(1796022000123456789);
    const int64_t few_ns = clock_start_ns(now_ns, 4 * LS_NS_PER_S, 2);
    const int64_t many_ns = clock_start_ns(now_ns, 4 * LS_NS_PER_S, 1002);

    (void)state;
    assert_int_equal(few_ns % LS_NS_PER_MS, 0);
    assert_true(few_ns - now_ns >= 5 * LS_NS_PER_S);
    assert_true(few_ns - now_ns <= 6 * LS_NS_PER_S);
    assert_int_equal(many_ns - few_ns, 2 * LS_NS_PER_S);
}

static void a_line_is_exact(void **state)
{
    static const struct {
        int64_t start_ns;
        struct clock_offset offset;
        const char *line;
    } rows[] = {
        {INT64_C(1796022000250000000),
         {3000000012, 40000},
         "@1796022000.250000000 +3.000000012 0.000040000\n"},
        {INT64_C(1796022000000000001), {-1, 1}, "@1796022000.000000001 -0.000000001 0.000000001\n"},
        {INT64_C(1796022000000000000), {0, 0}, "@1796022000.000000000 +0.000000000 0.000000000\n"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char line[CLOCK_LINE];

        clock_write(rows[i].start_ns, &rows[i].offset, line, sizeof line);
        assert_string_equal(line, rows[i].line);
    }
}

static void people_read_seconds_or_milliseconds(void **state)
{
    char text[48];

    (void)state;
    clock_tell(3 * LS_NS_PER_S + 400000, text, sizeof text);
    assert_string_equal(text, "3.000 s ahead");
    clock_tell(-250 * LS_NS_PER_MS, text, sizeof text);
    assert_string_equal(text, "250.000 ms behind");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_least_round_trip_tells_the_offset),
        cmocka_unit_test(the_error_is_never_less_than_how_wrong_the_offset_is),
        cmocka_unit_test(a_start_leaves_time_for_what_the_slowest_needs_and_for_telling_all),
        cmocka_unit_test(a_line_is_exact),
        cmocka_unit_test(people_read_seconds_or_milliseconds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
