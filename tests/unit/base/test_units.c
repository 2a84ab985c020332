/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void a_clock_wraps_at_midnight_and_rounds_down(void **state)
{
    static const struct {
        int64_t ns;
        int with_seconds;
        const char *text, *why;
    } rows[] = {
        {0, 0, "00:00", "midnight"},
        {8 * LS_NS_PER_H + 30 * LS_NS_PER_MIN, 0, "08:30", "the usual"},
        {8 * LS_NS_PER_H + 30 * LS_NS_PER_MIN + 5 * LS_NS_PER_S, 1, "08:30:05", "seconds"},
        {8 * LS_NS_PER_H + 30 * LS_NS_PER_MIN - 1, 1, "08:29:59", "a nanosecond is not rounded up"},
        {LS_NS_PER_DAY, 1, "00:00:00", "the next midnight"},
        {LS_NS_PER_DAY + 61 * LS_NS_PER_S, 1, "00:01:01", "a window across midnight"},
        {-1, 1, "23:59:59", "before midnight"},
        {-LS_NS_PER_MIN, 0, "23:59", "a minute before midnight"},
        {INT64_MAX, 1, "23:47:16", "the last moment there is"},
        {INT64_MIN, 1, "00:12:43", "the first moment there is"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char out[9];

        memset(out, 'x', sizeof out);
        ls_format_clock(rows[i].ns, rows[i].with_seconds, out, sizeof out);
        assert_string_equal(out, rows[i].text);
    }
}

static void a_duration_is_exact_in_the_scenario_s_syntax(void **state)
{
    static const struct {
        int64_t ns;
        const char *text, *why;
    } rows[] = {
        {0, "0s", "nothing still has a unit"},
        {1, "1ns", "the least"},
        {250 * LS_NS_PER_US, "250us", "one unit"},
        {5 * LS_NS_PER_MS, "5ms", "one unit"},
        {90 * LS_NS_PER_S, "1m30s", "two units"},
        {LS_NS_PER_H + LS_NS_PER_MIN + 30 * LS_NS_PER_S, "1h1m30s", "three units"},
        {LS_NS_PER_H + 1, "1h1ns", "the units between are left out"},
        {36 * LS_NS_PER_H, "36h", "hours are the longest unit"},
        {17500 * LS_NS_PER_US, "17ms500us", "no fractions"},
        {-5 * LS_NS_PER_MS, "-5ms", "a difference can be negative"},
        {INT64_MAX, "2562047h47m16s854ms775us807ns", "the longest text"},
        {INT64_MIN, "-2562047h47m16s854ms775us808ns", "has no positive counterpart"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char out[32];

        memset(out, 'x', sizeof out);
        ls_format_duration(rows[i].ns, out, sizeof out);
        assert_string_equal(out, rows[i].text);
    }
}

static void a_count_is_grouped_by_thousands(void **state)
{
    static const struct {
        int64_t count;
        const char *text;
    } rows[] = {
        {0, "0"},
        {7, "7"},
        {999, "999"},
        {1000, "1,000"},
        {6000, "6,000"},
        {123456, "123,456"},
        {1234567, "1,234,567"},
        {-999, "-999"},
        {-1000, "-1,000"},
        {-123456, "-123,456"},
        {INT64_MAX, "9,223,372,036,854,775,807"},
        {INT64_MIN, "-9,223,372,036,854,775,808"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char out[32];

        memset(out, 'x', sizeof out);
        ls_format_count(rows[i].count, out, sizeof out);
        assert_string_equal(out, rows[i].text);
    }
}

static void a_small_place_is_filled_and_ended(void **state)
{
    char out[8];

    (void)state;
    memset(out, 'x', sizeof out);
    ls_format_duration(INT64_MAX, out, 5);
    assert_string_equal(out, "2562");
    assert_int_equal(out[5], 'x');
    memset(out, 'x', sizeof out);
    ls_format_count(1234567, out, 5);
    assert_true(memchr(out, '\0', 5) != NULL);
    assert_int_equal(out[5], 'x');
    ls_format_clock(0, 1, out, 6);
    assert_string_equal(out, "00:00");
}

static void clocks_do_not_go_back(void **state)
{
    int64_t wall = ls_now_ns(), cpu = ls_thread_cpu_ns();

    (void)state;
    assert_true(wall > 0);
    assert_true(cpu > 0);
    for (int i = 0; i < 10000; i++) {
        const int64_t wall_now = ls_now_ns(), cpu_now = ls_thread_cpu_ns();

        assert_true(wall_now >= wall);
        assert_true(cpu_now >= cpu);
        wall = wall_now;
        cpu = cpu_now;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_clock_wraps_at_midnight_and_rounds_down),
        cmocka_unit_test(a_duration_is_exact_in_the_scenario_s_syntax),
        cmocka_unit_test(a_count_is_grouped_by_thousands),
        cmocka_unit_test(a_small_place_is_filled_and_ended),
        cmocka_unit_test(clocks_do_not_go_back),
    };

    return cmocka_run_group_tests_name("base/units", tests, NULL, NULL);
}
