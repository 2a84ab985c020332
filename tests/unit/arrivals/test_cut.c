/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "arrivals/cut.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "loginstorm/units.h"
#include "unit/arrivals/curves.h"

#define HOURS(n) ((n)*LS_NS_PER_H)
#define MINUTES(n) ((n)*LS_NS_PER_MIN)

/* Cuts a curve of logins every ten minutes over three days of UTC. */
struct cutting {
    struct ls_curve curve;
    struct ls_zone *zone;
    struct cut_day *days;
    size_t count;
};

enum { EVERY_TEN = 3 * 144 };

static void cut(struct cutting *cutting, const char *zone, int year, int month, int day,
                int64_t from_ns, int64_t window_ns)
{
    static struct ls_curve_login logins[EVERY_TEN];
    const int64_t first_ns = ls_civil_days(year, month, day) * LS_NS_PER_DAY;
    struct cut_window window = {.from_ns = from_ns, .window_ns = window_ns};
    struct ls_error err = {0};

    for (int i = 0; i < EVERY_TEN; i++) {
        logins[i] = (struct ls_curve_login){.utc_ns = first_ns + i * MINUTES(10)};
    }
    *cutting =
        (struct cutting){.curve = {.exact = true, .logins = logins, .logins_count = EVERY_TEN}};
    assert_int_equal(ls_zone_new(&cutting->zone, zone, &err), LS_OK);
    window.zone = cutting->zone;
    assert_int_equal(
        cut_days(&cutting->days, &cutting->count, &cutting->curve, &window, "c.csv", &err), LS_OK);
}

static void done(struct cutting *cutting)
{
    free(cutting->days);
    ls_zone_free(cutting->zone);
}

static const struct cut_day *day_of(const struct cutting *cutting, const char *wanted)
{
    char day[16];

    for (size_t i = 0; i < cutting->count; i++) {
        cut_format_day(cutting->days[i].day, day);
        if (strcmp(day, wanted) == 0) {
            return &cutting->days[i];
        }
    }
    fail_msg("%s is missing", wanted);
    return NULL;
}

/* The window is what the clock shows, so on the days of a change it holds more or fewer logins. */
static void a_change_of_the_clocks_makes_a_window_longer_or_shorter(void **state)
{
    static const struct {
        const char *zone;
        int month, day; /* of 2026: the first of three days of UTC, the change on the second */
        const char *date;
        int64_t from_ns, window_ns;
        int64_t length_ns, start_utc_ns; /* of the day of the change; since its midnight of UTC */
        const char *why;
    } rows[] = {
        {"Europe/Paris", 3, 28, "2026-03-29", HOURS(8), HOURS(1), HOURS(1), HOURS(6),
         "eight o'clock is already summer's"},
        {"Europe/Paris", 3, 28, "2026-03-29", HOURS(1), HOURS(4), HOURS(3), 0,
         "02:00 to 03:00 is left out"},
        {"Europe/Paris", 3, 28, "2026-03-29", 0, HOURS(24), HOURS(23), -HOURS(1),
         "a day of 23 hours"},
        {"Europe/Paris", 3, 28, "2026-03-29", HOURS(2) + MINUTES(30), HOURS(1), MINUTES(30),
         HOURS(1), "02:30 is not there: it opens at the change, 03:00"},
        {"Europe/Paris", 3, 28, "2026-03-29", HOURS(1), HOURS(1) + MINUTES(30), HOURS(1), 0,
         "it closes at the change"},
        {"Europe/Paris", 10, 24, "2026-10-25", HOURS(8), HOURS(1), HOURS(1), HOURS(7),
         "eight o'clock is already winter's"},
        {"Europe/Paris", 10, 24, "2026-10-25", HOURS(1), HOURS(4), HOURS(5), -HOURS(1),
         "02:00 to 03:00 comes twice"},
        {"Europe/Paris", 10, 24, "2026-10-25", 0, HOURS(24), HOURS(25), -HOURS(2),
         "a day of 25 hours"},
        {"Europe/Paris", 10, 24, "2026-10-25", HOURS(1), HOURS(1), HOURS(1), -HOURS(1),
         "it closes when it is 02:00 first"},
        {"Europe/Paris", 10, 24, "2026-10-25", HOURS(2), HOURS(1), HOURS(2), 0,
         "from the first 02:00 to 03:00"},
        {"America/New_York", 3, 7, "2026-03-08", HOURS(1), HOURS(4), HOURS(3), HOURS(6),
         "02:00 to 03:00 is left out"},
        {"America/New_York", 10, 31, "2026-11-01", HOURS(0), HOURS(4), HOURS(5), HOURS(4),
         "01:00 to 02:00 comes twice"},
        {"Australia/Lord_Howe", 4, 4, "2026-04-05", HOURS(1), HOURS(2), HOURS(2) + MINUTES(30),
         -HOURS(10), "half an hour"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct cutting cutting;
        const struct cut_day *day;

        cut(&cutting, rows[i].zone, 2026, rows[i].month, rows[i].day, rows[i].from_ns,
            rows[i].window_ns);
        day = day_of(&cutting, rows[i].date);
        if (day->end_ns - day->start_ns != rows[i].length_ns ||
            day->start_ns - day->day * LS_NS_PER_DAY != rows[i].start_utc_ns) {
            fail_msg("%s %s (%s): %lld min long from %lld", rows[i].zone, rows[i].date, rows[i].why,
                     (long long)((day->end_ns - day->start_ns) / MINUTES(1)),
                     (long long)((day->start_ns - day->day * LS_NS_PER_DAY) / MINUTES(1)));
        }
        assert_int_equal(day->logins, rows[i].length_ns / MINUTES(10));
        done(&cutting);
    }
}

static void windows_that_follow_each_other_neither_overlap_nor_leave_a_gap(void **state)
{
    static const char *const dates[] = {"2026-03-29", "2026-10-25"};

    (void)state;
    for (size_t d = 0; d < 2; d++) {
        int64_t last_ns = 0;

        for (int64_t from_ns = 0; from_ns < HOURS(6); from_ns += MINUTES(30)) {
            struct cutting cutting;
            char day[16];

            cut(&cutting, "Europe/Paris", 2026, d == 0 ? 3 : 10, d == 0 ? 28 : 24, from_ns,
                MINUTES(30));
            for (size_t i = 0; i < cutting.count; i++) {
                cut_format_day(cutting.days[i].day, day);
                if (strcmp(day, dates[d]) == 0) {
                    assert_true(last_ns == 0 || cutting.days[i].start_ns == last_ns);
                    last_ns = cutting.days[i].end_ns;
                }
            }
            done(&cutting);
        }
        assert_true(last_ns != 0);
    }
}

static void a_window_across_midnight_belongs_to_the_day_on_which_it_opens(void **state)
{
    struct cutting cutting;

    (void)state;
    cut(&cutting, "UTC", 2026, 11, 23, HOURS(22), HOURS(4));
    /* The evening before the first midnight has 00:00 to 02:00 of it. */
    assert_int_equal(cutting.count, 4);
    assert_int_equal(cutting.days[0].logins, 12);
    assert_int_equal(cutting.days[1].logins, 24);
    assert_int_equal(cutting.days[3].logins, 12);
    assert_int_equal(cutting.days[1].day - cutting.days[0].day, 1);
    done(&cutting);
}

static void days_across_a_change_meet_at_the_same_hour_of_the_clock(void **state)
{
    struct cutting cutting;
    struct cut_window window = {.from_ns = HOURS(8), .window_ns = HOURS(1)};

    (void)state;
    cut(&cutting, "Europe/Paris", 2026, 10, 24, HOURS(8), HOURS(1));
    window.zone = cutting.zone;
    assert_int_equal(cutting.count, 3);
    assert_true(cutting.days[0].start_ns == cutting.days[0].day * LS_NS_PER_DAY + HOURS(6));
    assert_true(cutting.days[2].start_ns == cutting.days[2].day * LS_NS_PER_DAY + HOURS(7));
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(cutting.days[i].logins, 6);
        assert_true(cut_clock_ns(&window, &cutting.days[i],
                                 cutting.days[i].start_ns + MINUTES(10)) == MINUTES(10));
    }
    done(&cutting);
}

static void the_fullest_minute_is_found(void **state)
{
    struct ls_curve *curve =
        curve_of(HEAD "from,to,count\n2026-11-23T07:00:00Z,2026-11-23T07:05:00Z,50\n"
                      "2026-11-23T07:05:00Z,2026-11-23T07:05:30Z,8\n"
                      "2026-11-23T07:05:30Z,2026-11-23T07:06:30Z,10\n"
                      "2026-11-24T07:59:00Z,2026-11-24T08:01:00Z,60\n");
    struct cut_window window = {.from_ns = HOURS(8), .window_ns = HOURS(1)};
    struct ls_error err = {0};
    struct ls_zone *zone;
    struct cut_day *days;
    size_t count;

    (void)state;
    assert_int_equal(ls_zone_new(&zone, "Europe/Paris", &err), LS_OK);
    window.zone = zone;
    assert_int_equal(cut_days(&days, &count, curve, &window, "c.csv", &err), LS_OK);
    assert_int_equal(count, 2);
    assert_int_equal(days[0].logins, 68);
    assert_true(days[0].peak_minute_ns == HOURS(8) + MINUTES(5));
    assert_true(days[0].peak_logins > 12.999 && days[0].peak_logins < 13.001);
    assert_int_equal(days[1].logins, 30); /* half of the interval is beyond the window */
    assert_true(days[1].peak_minute_ns == HOURS(8) + MINUTES(59));
    free(days);
    ls_zone_free(zone);
    ls_curve_free(curve);
}

static void stamps_that_are_lifetimes_apart_are_two_days(void **state)
{
    struct ls_curve *curve = curve_of(HEAD "time,user\n1970-01-01T07:30:00Z,\n"
                                           "2026-11-23T12:00:00Z,\n2106-02-07T07:28:16Z,\n");
    struct cut_window window = {.from_ns = HOURS(8), .window_ns = HOURS(1)};
    struct ls_error err = {0};
    struct ls_zone *zone;
    struct cut_day *days;
    size_t count;

    (void)state;
    assert_int_equal(ls_zone_new(&zone, "Europe/Paris", &err), LS_OK);
    window.zone = zone;
    assert_int_equal(cut_days(&days, &count, curve, &window, "c.csv", &err), LS_OK);
    assert_int_equal(count, 2);
    free(days);
    window.from_ns = HOURS(20);
    assert_int_equal(cut_days(&days, &count, curve, &window, "c.csv", &err), LS_EINPUT);
    assert_string_equal(err.text, "c.csv has no login between 20:00 and 21:00 (Europe/Paris); it "
                                  "spans 1970-01-01 08:30 to 2106-02-07 08:28 there");
    ls_zone_free(zone);
    ls_curve_free(curve);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_change_of_the_clocks_makes_a_window_longer_or_shorter),
        cmocka_unit_test(windows_that_follow_each_other_neither_overlap_nor_leave_a_gap),
        cmocka_unit_test(a_window_across_midnight_belongs_to_the_day_on_which_it_opens),
        cmocka_unit_test(days_across_a_change_meet_at_the_same_hour_of_the_clock),
        cmocka_unit_test(the_fullest_minute_is_found),
        cmocka_unit_test(stamps_that_are_lifetimes_apart_are_two_days),
    };

    return cmocka_run_group_tests_name("arrivals/cut", tests, NULL, NULL);
}
