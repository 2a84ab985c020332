/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/zone.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

static void every_day_from_1600_to_2400_is_counted_and_found_again(void **state)
{
    int64_t days = ls_civil_days(1600, 1, 1);

    (void)state;
    assert_int_equal(days, -135140);
    assert_int_equal(ls_civil_days(1970, 1, 1), 0);
    assert_int_equal(ls_civil_days(2000, 2, 29), 11016);
    assert_int_equal(ls_civil_days(2106, 2, 7), 49710);
    for (int year = 1600; year <= 2400; year++) {
        for (int month = 1; month <= 12; month++) {
            for (int day = 1; day <= 31; day++) {
                const struct ls_civil civil = {.year = year, .month = month, .day = day};
                int y, m, d;

                if (!ls_civil_is_valid(&civil)) {
                    continue;
                }
                assert_int_equal(ls_civil_days(year, month, day), days);
                ls_civil_of_days(days++, &y, &m, &d);
                assert_true(y == year && m == month && d == day);
            }
        }
    }
    assert_int_equal(days, ls_civil_days(2401, 1, 1));
    assert_int_equal(days, 157420); /* date -u -d 2401-01-01 +%s / 86400 */
}

static void years_far_away_are_counted_too(void **state)
{
    static const int years[] = {-2147483647, -400, -1, 0, 1, 9999, 2147483647};
    int y, m, d;

    (void)state;
    for (size_t i = 0; i < sizeof years / sizeof years[0]; i++) {
        ls_civil_of_days(ls_civil_days(years[i], 2, 28), &y, &m, &d);
        assert_true(y == years[i] && m == 2 && d == 28);
    }
}

static void what_the_calendar_and_the_clock_do_not_have_is_not_valid(void **state)
{
    static const struct {
        struct ls_civil civil;
        bool valid;
        const char *why;
    } rows[] = {
        {{2026, 11, 30, 8, 27, 47, 0}, true, "a morning"},
        {{2026, 0, 1, 0, 0, 0, 0}, false, "month 0, as a database writes no date"},
        {{2026, 13, 1, 0, 0, 0, 0}, false, "month 13"},
        {{2026, 1, 0, 0, 0, 0, 0}, false, "day 0"},
        {{2026, 1, 31, 0, 0, 0, 0}, true, "the last of January"},
        {{2026, 1, 32, 0, 0, 0, 0}, false, "beyond it"},
        {{2026, 4, 31, 0, 0, 0, 0}, false, "April has 30"},
        {{2026, 2, 29, 0, 0, 0, 0}, false, "no leap year"},
        {{2028, 2, 29, 0, 0, 0, 0}, true, "a leap year"},
        {{2100, 2, 29, 0, 0, 0, 0}, false, "a century is none"},
        {{2000, 2, 29, 0, 0, 0, 0}, true, "but the fourth is"},
        {{0, 2, 29, 0, 0, 0, 0}, true, "a stamp without its year may be one"},
        {{2026, 1, 1, 23, 59, 60, 0}, true, "a leap second"},
        {{2026, 1, 1, 23, 59, 61, 0}, false, "two at once there are not"},
        {{2026, 1, 1, 24, 0, 0, 0}, false, "hour 24"},
        {{2026, 1, 1, 0, 60, 0, 0}, false, "minute 60"},
        {{2026, 1, 1, -1, 0, 0, 0}, false, "before midnight"},
        {{2026, 1, 1, 0, -1, 0, 0}, false, "minute -1"},
        {{2026, 1, 1, 0, 0, -1, 0}, false, "second -1"},
        {{2026, 1, 1, 0, 0, 0, 999999999}, true, "the last nanosecond"},
        {{2026, 1, 1, 0, 0, 0, 1000000000}, false, "beyond it"},
        {{2026, 1, 1, 0, 0, 0, -1}, false, "before it"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t ns;

        if (ls_civil_is_valid(&rows[i].civil) != rows[i].valid ||
            (!rows[i].valid && ls_civil_utc_ns(&rows[i].civil, &ns))) {
            fail_msg("%s", rows[i].why);
        }
    }
}

static void utc_is_nanoseconds_since_1970_to_the_ends_of_int64(void **state)
{
    static const struct {
        struct ls_civil civil;
        bool fits;
        int64_t ns;
        const char *why;
    } rows[] = {
        {{1970, 1, 1, 0, 0, 0, 0}, true, 0, "the beginning"},
        {{1970, 1, 1, 0, 0, 0, 1}, true, 1, "a nanosecond after it"},
        {{1969, 12, 31, 23, 59, 59, 999999999}, true, -1, "and before it"},
        {{1969, 12, 31, 23, 59, 59, 0}, true, -1000000000, "a second before it"},
        {{2026, 11, 30, 8, 27, 47, 123456789}, true, 1796027267123456789, "a morning"},
        {{2026, 11, 30, 8, 27, 60, 5}, true, 1796027280000000005, "second 60 is the next minute's"},
        {{2106, 2, 7, 6, 28, 15, 0}, true, 4294967295000000000, "the last second of 32 bits"},
        {{2262, 4, 11, 23, 47, 16, 854775807}, true, INT64_MAX, "the last one that fits"},
        {{2262, 4, 11, 23, 47, 16, 854775808}, false, 0, "one more"},
        {{1677, 9, 21, 0, 12, 43, 145224192}, true, INT64_MIN, "the first one"},
        {{1677, 9, 21, 0, 12, 43, 145224191}, false, 0, "one less"},
        {{9999, 12, 31, 23, 59, 59, 0}, false, 0, "never, as some write it"},
        {{1, 1, 1, 0, 0, 0, 0}, false, 0, "never, as .NET writes it"},
        {{2147483647, 12, 31, 0, 0, 0, 0}, false, 0, "the last year of an int"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t ns = 0;
        const bool fits = ls_civil_utc_ns(&rows[i].civil, &ns);

        if (fits != rows[i].fits || (fits && ns != rows[i].ns)) {
            fail_msg("%s: %lld", rows[i].why, (long long)ns);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_day_from_1600_to_2400_is_counted_and_found_again),
        cmocka_unit_test(years_far_away_are_counted_too),
        cmocka_unit_test(what_the_calendar_and_the_clock_do_not_have_is_not_valid),
        cmocka_unit_test(utc_is_nanoseconds_since_1970_to_the_ends_of_int64),
    };

    return cmocka_run_group_tests_name("base/civil", tests, NULL, NULL);
}
