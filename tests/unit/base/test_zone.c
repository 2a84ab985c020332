/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/zone.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "loginstorm/file.h"
#include "loginstorm/random.h"
#include "loginstorm/units.h"

static struct ls_zone *zone_of(const char *name)
{
    struct ls_error err = {0};
    struct ls_zone *zone;

    if (ls_zone_new(&zone, name, &err) != LS_OK) {
        fail_msg("%s: %s", name, err.text);
    }
    assert_string_equal(ls_zone_name(zone), name);
    return zone;
}

/* A stretch of a local day, in minutes since its midnight, and what comes of its stamps. */
struct stretch {
    int from_min, until_min;
    int moments;      /* 0 left out, 1, 2 twice */
    int offset_min;   /* ahead of UTC; of the first moment; where left out: before the change */
    int offset_2_min; /* of the second */
};

struct clock_day {
    const char *zone;
    int year, month, day;
    int length_min; /* from midnight to midnight */
    const char *why;
    struct stretch stretches[4];
};

#define H(hours) ((hours)*60)

static const struct clock_day days[] = {
    {"Europe/Paris",
     2026,
     3,
     29,
     H(23),
     "spring: 02:00 becomes 03:00",
     {{0, H(2), 1, 60, 0}, {H(2), H(3), 0, 60, 0}, {H(3), H(24), 1, 120, 0}}},
    {"Europe/Paris",
     2026,
     10,
     25,
     H(25),
     "autumn: 03:00 becomes 02:00",
     {{0, H(2), 1, 120, 0}, {H(2), H(3), 2, 120, 60}, {H(3), H(24), 1, 60, 0}}},
    {"America/New_York",
     2026,
     3,
     8,
     H(23),
     "spring: 02:00 becomes 03:00",
     {{0, H(2), 1, -300, 0}, {H(2), H(3), 0, -300, 0}, {H(3), H(24), 1, -240, 0}}},
    {"America/New_York",
     2026,
     11,
     1,
     H(25),
     "autumn: 02:00 becomes 01:00",
     {{0, H(1), 1, -240, 0}, {H(1), H(2), 2, -240, -300}, {H(2), H(24), 1, -300, 0}}},
    {"Europe/London",
     2026,
     10,
     25,
     H(25),
     "the winter's clock is UTC",
     {{0, H(1), 1, 60, 0}, {H(1), H(2), 2, 60, 0}, {H(2), H(24), 1, 0, 0}}},
    {"Australia/Lord_Howe",
     2026,
     10,
     4,
     H(23) + 30,
     "spring, by half an hour",
     {{0, H(2), 1, 630, 0}, {H(2), H(2) + 30, 0, 630, 0}, {H(2) + 30, H(24), 1, 660, 0}}},
    {"Australia/Lord_Howe",
     2026,
     4,
     5,
     H(24) + 30,
     "autumn, by half an hour",
     {{0, H(1) + 30, 1, 660, 0}, {H(1) + 30, H(2), 2, 660, 630}, {H(2), H(24), 1, 630, 0}}},
    {"America/Santiago",
     2026,
     9,
     6,
     H(23),
     "the day has no midnight: it begins at 01:00",
     {{0, H(1), 0, -240, 0}, {H(1), H(24), 1, -180, 0}}},
    {"America/Nuuk",
     2026,
     3,
     28,
     H(23),
     "the day's last hour is left out",
     {{0, H(23), 1, -120, 0}, {H(23), H(24), 0, -120, 0}}},
    {"Asia/Kolkata",
     2026,
     3,
     29,
     H(24),
     "no summer time, and half an hour",
     {{0, H(24), 1, 330, 0}}},
    {"Asia/Tokyo", 2026, 10, 25, H(24), "no summer time", {{0, H(24), 1, 540, 0}}},
    {"UTC", 2026, 3, 29, H(24), "no summer time", {{0, H(24), 1, 0, 0}}},
    {"Europe/Paris",
     1970,
     3,
     29,
     H(24),
     "France had no summer time in 1970",
     {{0, H(24), 1, 60, 0}}},
    {"America/New_York",
     1970,
     4,
     26,
     H(23),
     "by the rule of 1967",
     {{0, H(2), 1, -300, 0}, {H(2), H(3), 0, -300, 0}, {H(3), H(24), 1, -240, 0}}},
    {"Europe/Paris",
     2106,
     3,
     28,
     H(23),
     "by today's rule, far behind the file's last change",
     {{0, H(2), 1, 60, 0}, {H(2), H(3), 0, 60, 0}, {H(3), H(24), 1, 120, 0}}},
    {"Europe/Paris",
     2106,
     10,
     31,
     H(25),
     "the last Sunday is the 31st",
     {{0, H(2), 1, 120, 0}, {H(2), H(3), 2, 120, 60}, {H(3), H(24), 1, 60, 0}}},
    {"America/New_York",
     2106,
     11,
     7,
     H(25),
     "the first Sunday of November is the 7th",
     {{0, H(1), 1, -240, 0}, {H(1), H(2), 2, -240, -300}, {H(2), H(24), 1, -300, 0}}},
    {"Asia/Kolkata", 2106, 2, 7, H(24), "no summer time", {{0, H(24), 1, 330, 0}}},
};

/* The first nanosecond of a minute, or its last. */
static void hold_to_stretch(const struct ls_zone *zone, const struct clock_day *day,
                            const struct stretch *stretch, int minute, bool is_first)
{
    const struct ls_civil civil = {.year = day->year,
                                   .month = day->month,
                                   .day = day->day,
                                   .hour = minute / 60,
                                   .minute = minute % 60,
                                   .second = is_first ? 0 : 59,
                                   .ns = is_first ? 0 : 999999999};
    const int offsets_min[] = {stretch->offset_min, stretch->offset_2_min};
    const int shown = stretch->moments == 0 ? 1 : stretch->moments;
    int64_t local_ns;
    int64_t got_ns[2] = {-1, -1};
    const int moments = ls_zone_moments(zone, &civil, got_ns);

    if (moments != stretch->moments) {
        fail_msg("%s %02d:%02d comes %d times (%s)", day->zone, civil.hour, civil.minute, moments,
                 day->why);
    }
    assert_true(ls_civil_utc_ns(&civil, &local_ns));
    for (int i = 0; i < shown; i++) {
        struct ls_civil back;
        int offset_s;

        if (got_ns[i] != local_ns - offsets_min[i] * LS_NS_PER_MIN) {
            fail_msg("%s %02d:%02d, moment %d: %lld (%s)", day->zone, civil.hour, civil.minute, i,
                     (long long)got_ns[i], day->why);
        }
        ls_zone_civil(zone, got_ns[i], &back, &offset_s);
        if ((offset_s == offsets_min[i] * 60) != (moments > 0) ||
            (memcmp(&back, &civil, sizeof back) == 0) != (moments > 0)) {
            fail_msg("%s %02d:%02d, moment %d is shown as %02d:%02d (%s)", day->zone, civil.hour,
                     civil.minute, i, back.hour, back.minute, day->why);
        }
    }
}

static void each_half_hour_of_the_days_when_clocks_change_comes_as_often_as_it_does(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof days / sizeof days[0]; i++) {
        const struct clock_day *day = &days[i];
        struct ls_zone *zone = zone_of(day->zone);
        int until = 0;
        int length = 0;

        for (const struct stretch *s = day->stretches; s->until_min > 0; s++) {
            assert_int_equal(s->from_min, until);
            until = s->until_min;
            length += s->moments * (s->until_min - s->from_min);
            for (int minute = s->from_min; minute < s->until_min; minute += 30) {
                hold_to_stretch(zone, day, s, minute, true);
                hold_to_stretch(zone, day, s, minute + 29, false);
            }
        }
        assert_int_equal(until, H(24));
        assert_int_equal(length, day->length_min);
        ls_zone_free(zone);
    }
}

static void print_hour(FILE *out, const struct ls_zone *zone, const struct clock_day *day, int hour)
{
    const struct ls_civil civil = {day->year, day->month, day->day, hour, 30, 0, 0};
    int64_t ns[2];
    const int count = ls_zone_moments(zone, &civil, ns);
    const char *word = count == 0 ? "is left out, taken for" : "is";

    (void)fprintf(out, "  %02d:30 %s", hour, word);
    for (int i = 0; i < (count == 0 ? 1 : count); i++) {
        char clock[16];

        ls_format_clock(ns[i], 0, clock, sizeof clock);
        (void)fprintf(out, "%s %s UTC", i > 0 ? " and again" : "", clock);
    }
    (void)fprintf(out, "\n");
}

/* The same for people to read. A wanted change is written by LS_WRITE_GOLDEN=1. */
static void the_table_of_clock_changes_is_the_golden_one(void **state)
{
    const char *path = LS_SOURCE_DIR "/tests/golden/clock-changes.txt";
    char *is = NULL, *should;
    size_t size;
    FILE *out = open_memstream(&is, &size);
    struct ls_error err = {0};

    (void)state;
    assert_non_null(out);
    for (size_t i = 0; i < 4; i++) {
        struct ls_zone *zone = zone_of(days[i].zone);

        (void)fprintf(out, "%s %04d-%02d-%02d, %s\n", days[i].zone, days[i].year, days[i].month,
                      days[i].day, days[i].why);
        for (int hour = 0; hour < 24; hour++) {
            print_hour(out, zone, &days[i], hour);
        }
        ls_zone_free(zone);
    }
    assert_int_equal(fclose(out), 0);
    if (getenv("LS_WRITE_GOLDEN") != NULL) {
        struct ls_file file;

        assert_int_equal(ls_file_create(&file, path, &err), LS_OK);
        assert_int_equal(fwrite(is, 1, size, file.stream), size);
        assert_int_equal(ls_file_commit(&file, &err), LS_OK);
    }
    assert_int_equal(ls_file_read(path, 1 << 20, &should, &size, &err), LS_OK);
    assert_string_equal(is, should);
    free(is);
    free(should);
}

static void utc_logs_of_two_days_across_a_change_show_the_same_local_hour(void **state)
{
    static const struct {
        const char *zone;
        struct ls_civil utc[2]; /* the Fridays before, the Mondays after */
    } rows[] = {
        {"Europe/Paris", {{2026, 3, 27, 7, 30, 0, 0}, {2026, 3, 30, 6, 30, 0, 0}}},
        {"Europe/Paris", {{2026, 10, 23, 6, 30, 0, 0}, {2026, 10, 26, 7, 30, 0, 0}}},
        {"America/New_York", {{2026, 3, 6, 13, 30, 0, 0}, {2026, 3, 9, 12, 30, 0, 0}}},
        {"America/New_York", {{2026, 10, 30, 12, 30, 0, 0}, {2026, 11, 2, 13, 30, 0, 0}}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_zone *zone = zone_of(rows[i].zone);

        for (int day = 0; day < 2; day++) {
            struct ls_civil local;
            int64_t ns;

            assert_true(ls_civil_utc_ns(&rows[i].utc[day], &ns));
            ls_zone_civil(zone, ns, &local, NULL);
            assert_int_equal(local.day, rows[i].utc[day].day);
            assert_int_equal(local.hour, 8);
            assert_int_equal(local.minute, 30);
        }
        ls_zone_free(zone);
    }
}

static const char *const many[] = {
    "Europe/Paris",      "America/New_York",   "Australia/Lord_Howe", "Asia/Kolkata",
    "Asia/Tokyo",        "Africa/Casablanca",  "Africa/Cairo",        "America/Sao_Paulo",
    "America/St_Johns",  "America/Nuuk",       "America/Santiago",    "Antarctica/Troll",
    "Asia/Gaza",         "Asia/Jerusalem",     "Asia/Kathmandu",      "Asia/Tehran",
    "Atlantic/Azores",   "Australia/Adelaide", "Australia/Sydney",    "Europe/Dublin",
    "Europe/Istanbul",   "Europe/London",      "Europe/Moscow",       "Pacific/Apia",
    "Pacific/Auckland",  "Pacific/Chatham",    "Pacific/Kiritimati",  "America/Caracas",
    "Pacific/Pago_Pago", "Africa/Monrovia",    "Etc/GMT+12",          "CET",
};

/* Where the C library's own reading is the second opinion. */
static void random_moments_in_many_zones_are_shown_as_by_the_c_library(void **state)
{
    (void)state;
    for (size_t z = 0; z < sizeof many / sizeof many[0]; z++) {
        struct ls_zone *zone = zone_of(many[z]);

        assert_int_equal(setenv("TZ", many[z], 1), 0);
        tzset();
        for (uint64_t draw = 0; draw < 20000; draw++) {
            /* 1850 to 2250, and as often 1970 to 2040, where the changes are */
            const int64_t span_s = draw % 2 == 0 ? INT64_C(12600000000) : INT64_C(2200000000);
            const int64_t from_s = draw % 2 == 0 ? INT64_C(-3786912000) : 0;
            const int64_t s =
                from_s +
                (int64_t)(ls_random_u64(20261130, LS_STREAM_ARRIVAL, z, draw) % (uint64_t)span_s);
            const time_t at = (time_t)s;
            struct ls_civil civil;
            struct tm tm;
            int64_t back_ns[2] = {0, 0};
            int offset_s;
            int count;

            assert_non_null(localtime_r(&at, &tm));
            ls_zone_civil(zone, s * LS_NS_PER_S + 5, &civil, &offset_s);
            if (offset_s != tm.tm_gmtoff || civil.year != tm.tm_year + 1900 ||
                civil.month != tm.tm_mon + 1 || civil.day != tm.tm_mday ||
                civil.hour != tm.tm_hour || civil.minute != tm.tm_min ||
                civil.second != tm.tm_sec || civil.ns != 5) {
                fail_msg("%s at %lld: %d s ahead of UTC, the C library says %ld", many[z],
                         (long long)s, offset_s, tm.tm_gmtoff);
            }
            count = ls_zone_moments(zone, &civil, back_ns);
            if (count < 1 || (back_ns[0] != s * LS_NS_PER_S + 5 &&
                              (count != 2 || back_ns[1] != s * LS_NS_PER_S + 5))) {
                fail_msg("%s at %lld: not found again", many[z], (long long)s);
            }
            assert_true(count == 1 || back_ns[0] < back_ns[1]);
        }
        ls_zone_free(zone);
    }
    assert_int_equal(unsetenv("TZ"), 0);
    tzset();
}

static void at_the_ends_of_time_there_are_moments_or_a_plain_no(void **state)
{
    static const struct ls_civil last = {2262, 4, 10, 0, 0, 0, 0};
    static const struct ls_civil beyond = {2262, 4, 11, 23, 0, 0, 0};
    static const struct ls_civil no_date = {2026, 2, 29, 0, 0, 0, 0};
    struct ls_zone *zone = zone_of("Europe/Paris");
    struct ls_civil civil;
    int64_t ns[2];

    (void)state;
    ls_zone_civil(zone, INT64_MAX, &civil, NULL); /* summer time */
    assert_true(civil.year == 2262 && civil.month == 4 && civil.day == 12 && civil.hour == 1 &&
                civil.minute == 47 && civil.second == 16 && civil.ns == 854775807);
    ls_zone_civil(zone, INT64_MIN, &civil, NULL); /* 9 min 21 s ahead: by the sun */
    assert_true(civil.year == 1677 && civil.month == 9 && civil.day == 21 && civil.hour == 0 &&
                civil.minute == 22 && civil.second == 4 && civil.ns == 145224192);
    assert_int_equal(ls_zone_moments(zone, &last, ns), 1);
    assert_int_equal(ls_zone_moments(zone, &beyond, ns), -1);
    assert_int_equal(ls_zone_moments(zone, &no_date, ns), -1);
    ls_zone_free(zone);
}

static void utc_needs_no_database(void **state)
{
    struct ls_error err = {0};
    struct ls_zone *zone;

    (void)state;
    assert_int_equal(setenv("TZDIR", "/nonexistent", 1), 0);
    assert_int_equal(ls_zone_new(&zone, "Europe/Paris", &err), LS_ENOINPUT);
    assert_null(zone);
    assert_string_equal(err.text, "the time zone database is not in /nonexistent: install the "
                                  "package tzdata");
    zone = zone_of("UTC");
    ls_zone_free(zone);
    ls_zone_free(NULL);
    assert_int_equal(unsetenv("TZDIR"), 0);
}

static void a_second_sixty_is_the_next_minute(void **state)
{
    static const struct ls_civil sixty = {2016, 12, 31, 23, 59, 60, 500000000};
    static const struct ls_civil midnight = {2017, 1, 1, 0, 0, 0, 500000000};
    struct ls_zone *zone = zone_of("Asia/Kolkata");
    int64_t ns[2];
    int64_t midnight_ns[2];

    (void)state;
    assert_int_equal(ls_zone_moments(zone, &sixty, ns), 1);
    assert_int_equal(ls_zone_moments(zone, &midnight, midnight_ns), 1);
    assert_int_equal(ns[0], midnight_ns[0]);
    ls_zone_free(zone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_half_hour_of_the_days_when_clocks_change_comes_as_often_as_it_does),
        cmocka_unit_test(the_table_of_clock_changes_is_the_golden_one),
        cmocka_unit_test(utc_logs_of_two_days_across_a_change_show_the_same_local_hour),
        cmocka_unit_test(random_moments_in_many_zones_are_shown_as_by_the_c_library),
        cmocka_unit_test(at_the_ends_of_time_there_are_moments_or_a_plain_no),
        cmocka_unit_test(utc_needs_no_database),
        cmocka_unit_test(a_second_sixty_is_the_next_minute),
    };

    return cmocka_run_group_tests_name("base/zone", tests, NULL, NULL);
}
