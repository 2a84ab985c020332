/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "curve/stamp.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "loginstorm/units.h"

static struct ls_zone *zone_of(const char *name)
{
    struct ls_error err = {0};
    struct ls_zone *zone;

    if (ls_zone_new(&zone, name, &err) != LS_OK) {
        fail_msg("%s", err.text);
    }
    return zone;
}

/* "2026-11-30 08:27:47": a moment in UTC. */
static int64_t utc(const char *text)
{
    struct stamp stamp;
    const char *why;
    int64_t ns;

    assert_int_not_equal(stamp_read(&stamp, text, strlen(text), LS_DATE_UNKNOWN, &why), 0);
    assert_true(ls_civil_utc_ns(&stamp.civil, &ns));
    return ns;
}

/* A log line's stamp, and the UTC that it should be, or a word in small letters: why it is none. */
struct line {
    const char *text, *utc;
};

struct log {
    const char *why;
    const char *zone; /* NULL: not told */
    struct ls_import_wish wish;
    const char *written;
    int64_t twice, left_out;
    struct line lines[12];
};

static void hold_to_lines(struct stamper *stamper, const struct log *log)
{
    for (const struct line *line = log->lines; line->text != NULL; line++) {
        struct stamp stamp;
        const char *why = NULL;
        int64_t ns = 0;

        if (stamp_read(&stamp, line->text, strlen(line->text), LS_DATE_DAY_MONTH, &why) == 0) {
            fail_msg("%s: \"%s\": %s", log->why, line->text, why);
        }
        why = stamper_moment(stamper, &stamp, &ns);
        if (line->utc[0] >= 'a' && line->utc[0] <= 'z') {
            if (why == NULL || strcmp(why, line->utc) != 0) {
                fail_msg("%s: \"%s\": %s", log->why, line->text, why == NULL ? "taken" : why);
            }
        } else if (why != NULL || ns != utc(line->utc)) {
            fail_msg("%s: \"%s\": %lld is %+lld s from %s; %s", log->why, line->text, (long long)ns,
                     (long long)((ns - utc(line->utc)) / LS_NS_PER_S), line->utc,
                     why == NULL ? "" : why);
        }
    }
}

static void hold_to(const struct log *logs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct ls_zone *zone = logs[i].zone == NULL ? NULL : zone_of(logs[i].zone);
        struct stamper stamper;

        stamper_init(&stamper, zone, &logs[i].wish);
        stamper_begin(&stamper, logs[i].written == NULL ? 0 : utc(logs[i].written));
        hold_to_lines(&stamper, &logs[i]);
        if (stamper.twice_count != logs[i].twice || stamper.left_out_count != logs[i].left_out) {
            fail_msg("%s: %lld twice, %lld left out", logs[i].why, (long long)stamper.twice_count,
                     (long long)stamper.left_out_count);
        }
        ls_zone_free(zone);
    }
}

static void a_stamp_is_a_moment_by_its_own_zone_or_by_the_logs(void **state)
{
    static const struct log logs[] = {
        {.why = "by its own zone",
         .lines = {{"10/Nov/2026:08:25:43 +0100", "2026-11-10 07:25:43"},
                   {"2026-11-30T08:27:47.123456789-05:30", "2026-11-30 13:57:47.123456789"},
                   {"30/11/2026 08:27:47 GMT", "2026-11-30 08:27:47"},
                   {"1796027267.5", "2026-11-30 08:27:47.5"},
                   {"2016-12-31T23:59:60.25Z", "2017-01-01 00:00:00.25"},
                   {"1970-01-01T00:00:00Z", "1970-01-01 00:00:00"},
                   {"2106-02-07T06:28:15Z", "2106-02-07 06:28:15"},
                   {"0001-01-01T00:00:00Z", "it is not between the years 1678 and 2261"},
                   {"9999-12-31T23:59:59Z", "it is not between the years 1678 and 2261"},
                   {"2026-11-30 08:27:47", "it has no zone: say --timezone, like Europe/Paris"}}},
        {.why = "by the log's zone",
         .zone = "Europe/Paris",
         .lines = {{"2026-11-30 08:27:47", "2026-11-30 07:27:47"},
                   {"2026-11-30 08:27:47.999999999", "2026-11-30 07:27:47.999999999"},
                   {"2026-11-30 08:27:48", "2026-11-30 07:27:48"},
                   {"2026-07-31 08:27:48", "2026-07-31 06:27:48"},
                   {"2026-11-30 08:27:47Z", "2026-11-30 08:27:47"},
                   {"2026-11-30 08:27:47", "2026-11-30 07:27:47"},
                   {"1970-01-01 00:59:00", "1969-12-31 23:59:00"},
                   {"2106-07-01 08:00:00", "2106-07-01 06:00:00"},
                   {"2026-12-31 23:59:60", "2026-12-31 23:00:00"},
                   {"0001-01-01 00:00:00", "it is not between the years 1678 and 2261"},
                   {"9999-12-31 23:59:59", "it is not between the years 1678 and 2261"}}},
    };

    (void)state;
    hold_to(logs, sizeof logs / sizeof logs[0]);
}

static void in_an_hour_that_comes_twice_the_logs_order_decides(void **state)
{
    static const struct log logs[] = {
        {.why = "a log in order: back by more than five minutes is the second hour",
         .zone = "Europe/Paris",
         .twice = 7,
         .lines = {{"2026-10-25 01:59:59", "2026-10-24 23:59:59"},
                   {"2026-10-25 02:00:00", "2026-10-25 00:00:00"},
                   {"2026-10-25 02:30:00", "2026-10-25 00:30:00"},
                   {"2026-10-25 02:59:59", "2026-10-25 00:59:59"},
                   {"2026-10-25 02:00:01", "2026-10-25 01:00:01"},
                   {"2026-10-25 02:30:00", "2026-10-25 01:30:00"},
                   {"2026-10-25 02:30:00", "2026-10-25 01:30:00"},
                   {"2026-10-25 02:59:59", "2026-10-25 01:59:59"},
                   {"2026-10-25 03:00:00", "2026-10-25 02:00:00"}}},
        {.why = "lines that are written late, in both hours and across the change",
         .zone = "Europe/Paris",
         .twice = 8,
         .lines = {{"2026-10-25 02:20:00", "2026-10-25 00:20:00"},
                   {"2026-10-25 02:15:01", "2026-10-25 00:15:01"},
                   {"2026-10-25 02:59:58", "2026-10-25 00:59:58"},
                   {"2026-10-25 02:00:03", "2026-10-25 01:00:03"},
                   {"2026-10-25 02:58:00", "2026-10-25 00:58:00"},
                   {"2026-10-25 02:01:00", "2026-10-25 01:01:00"},
                   {"2026-10-25 02:20:00", "2026-10-25 01:20:00"},
                   {"2026-10-25 02:16:00", "2026-10-25 01:16:00"},
                   {"2026-10-25 03:10:00", "2026-10-25 02:10:00"}}},
        {.why = "a log that begins with its newest line",
         .zone = "Europe/Paris",
         .twice = 7,
         .lines = {{"2026-10-25 03:10:00", "2026-10-25 02:10:00"},
                   {"2026-10-25 03:00:00", "2026-10-25 02:00:00"},
                   {"2026-10-25 02:59:59", "2026-10-25 01:59:59"},
                   {"2026-10-25 02:30:00", "2026-10-25 01:30:00"},
                   {"2026-10-25 02:34:00", "2026-10-25 01:34:00"},
                   {"2026-10-25 02:00:01", "2026-10-25 01:00:01"},
                   {"2026-10-25 02:59:59", "2026-10-25 00:59:59"},
                   {"2026-10-25 02:30:00", "2026-10-25 00:30:00"},
                   {"2026-10-25 02:00:01", "2026-10-25 00:00:01"},
                   {"2026-10-25 01:59:00", "2026-10-24 23:59:00"}}},
        {.why = "a stamp with its zone tells the hour of those behind it",
         .zone = "Europe/Paris",
         .twice = 2,
         .lines = {{"2026-10-25 02:20:00 CET", "2026-10-25 01:20:00"},
                   {"2026-10-25 02:20:01", "2026-10-25 01:20:01"},
                   {"2026-10-25 02:10:00 CEST", "2026-10-25 00:10:00"},
                   {"2026-10-25 02:20:01", "2026-10-25 00:20:01"}}},
        {.why = "always the first",
         .zone = "America/New_York",
         .wish = {.twice = LS_TWICE_FIRST},
         .twice = 2,
         .lines = {{"2026-11-01 01:59:00", "2026-11-01 05:59:00"},
                   {"2026-11-01 01:01:00", "2026-11-01 05:01:00"},
                   {"2026-11-01 02:01:00", "2026-11-01 07:01:00"}}},
        {.why = "always the second",
         .zone = "America/New_York",
         .wish = {.twice = LS_TWICE_SECOND},
         .twice = 2,
         .lines = {{"2026-11-01 01:01:00", "2026-11-01 06:01:00"},
                   {"2026-11-01 01:59:00", "2026-11-01 06:59:00"},
                   {"2026-11-01 02:01:00", "2026-11-01 07:01:00"}}},
        {.why = "half an hour that comes twice",
         .zone = "Australia/Lord_Howe",
         .twice = 4,
         .lines = {{"2026-04-05 01:29:00", "2026-04-04 14:29:00"},
                   {"2026-04-05 01:30:00", "2026-04-04 14:30:00"},
                   {"2026-04-05 01:59:00", "2026-04-04 14:59:00"},
                   {"2026-04-05 01:31:00", "2026-04-04 15:01:00"},
                   {"2026-04-05 01:50:00", "2026-04-04 15:20:00"},
                   {"2026-04-05 02:00:00", "2026-04-04 15:30:00"}}},
    };

    (void)state;
    hold_to(logs, sizeof logs / sizeof logs[0]);
}

static void in_an_hour_that_is_left_out_the_clock_was_not_put_forward(void **state)
{
    static const struct log logs[] = {
        {.why = "Paris",
         .zone = "Europe/Paris",
         .left_out = 3,
         .lines = {{"2026-03-29 01:59:59", "2026-03-29 00:59:59"},
                   {"2026-03-29 02:00:00", "2026-03-29 01:00:00"},
                   {"2026-03-29 02:30:00.5", "2026-03-29 01:30:00.5"},
                   {"2026-03-29 02:59:59", "2026-03-29 01:59:59"},
                   {"2026-03-29 03:00:00", "2026-03-29 01:00:00"}}},
        {.why = "New York; each is counted, though it is of the same second",
         .zone = "America/New_York",
         .left_out = 2,
         .lines = {{"2026-03-08 02:30:00", "2026-03-08 07:30:00"},
                   {"2026-03-08 02:30:00", "2026-03-08 07:30:00"}}},
    };

    (void)state;
    hold_to(logs, sizeof logs / sizeof logs[0]);
}

static void a_year_that_is_not_written_is_told_by_the_files_time_and_the_line_before(void **state)
{
    static const struct log logs[] = {
        {.why = "all in the year in which it was written",
         .zone = "Europe/Paris",
         .written = "2026-11-30 09:00:00",
         .lines = {{"Nov 29 08:27:47", "2026-11-29 07:27:47"},
                   {"Nov 30 08:27:47", "2026-11-30 07:27:47"}}},
        {.why = "across a New Year: the file's year is that of its last line",
         .zone = "Europe/Paris",
         .written = "2027-01-02 09:00:00",
         .lines = {{"Nov 30 08:27:47", "2026-11-30 07:27:47"},
                   {"Dec 31 23:59:59", "2026-12-31 22:59:59"},
                   {"Jan  1 00:00:00", "2026-12-31 23:00:00"},
                   {"Dec 31 23:59:58", "2026-12-31 22:59:58"},
                   {"Jan  2 08:00:00", "2027-01-02 07:00:00"}}},
        {.why = "backwards across it, in a log that begins with its newest line",
         .zone = "Europe/Paris",
         .written = "2027-01-02 09:00:00",
         .lines = {{"Jan  2 08:00:00", "2027-01-02 07:00:00"},
                   {"Jan  1 00:00:00", "2026-12-31 23:00:00"},
                   {"Dec 31 23:59:59", "2026-12-31 22:59:59"},
                   {"Nov 30 08:27:47", "2026-11-30 07:27:47"}}},
        {.why = "a clock that is a little ahead of the file's",
         .zone = "Pacific/Kiritimati",
         .written = "2026-12-31 09:59:00",
         .lines = {{"Dec 31 23:58:59", "2026-12-31 09:58:59"},
                   {"Jan  1 00:00:01", "2026-12-31 10:00:01"}}},
        {.why = "the first line is of the first hours, in a zone ahead of UTC",
         .zone = "Pacific/Kiritimati",
         .written = "2026-12-31 10:30:00",
         .lines = {{"Jan  1 00:29:00", "2026-12-31 10:29:00"}}},
        {.why = "the year is told",
         .zone = "UTC",
         .wish = {.year = 2019},
         .written = "2027-01-02 09:00:00",
         .lines = {{"Dec 31 23:59:59", "2019-12-31 23:59:59"},
                   {"Jan  1 00:00:00", "2020-01-01 00:00:00"},
                   {"Feb 29 12:00:00", "2020-02-29 12:00:00"}}},
        {.why = "a leap day: the last before the file's time",
         .zone = "UTC",
         .written = "2027-01-02 09:00:00",
         .lines = {{"Feb 29 12:00:00", "2024-02-29 12:00:00"},
                   {"Mar  1 12:00:00", "2024-03-01 12:00:00"}}},
        {.why = "a leap day around a century",
         .zone = "UTC",
         .written = "2103-01-02 09:00:00",
         .lines = {{"Feb 29 12:00:00", "2096-02-29 12:00:00"}}},
        {.why = "a leap day in a year that is told and has none",
         .zone = "UTC",
         .wish = {.year = 2026},
         .lines = {{"Feb 29 12:00:00", "no such day in that year"},
                   {"Mar  1 12:00:00", "2026-03-01 12:00:00"}}},
        {.why = "a leap day behind a line of another year: the nearest",
         .zone = "UTC",
         .wish = {.year = 2026},
         .lines = {{"Mar  1 12:00:00", "2026-03-01 12:00:00"},
                   {"Feb 29 12:00:00", "2028-02-29 12:00:00"}}},
        {.why = "no zone",
         .written = "2026-11-30 09:00:00",
         .lines = {{"Nov 30 08:27:47", "it has no zone: say --timezone, like Europe/Paris"}}},
    };

    (void)state;
    hold_to(logs, sizeof logs / sizeof logs[0]);
}

static void
several_logs_are_each_of_their_files_time_or_go_on_from_a_year_that_is_told(void **state)
{
    static const struct log first = {.why = "the first log",
                                     .lines = {{"Dec 31 08:00:00", "2025-12-31 08:00:00"}}};
    static const struct log chained = {.why = "goes on",
                                       .lines = {{"Jan  2 08:00:00", "2026-01-02 08:00:00"}}};
    static const struct log own = {.why = "its own file's time",
                                   .lines = {{"Jan  2 08:00:00", "2030-01-02 08:00:00"}}};
    struct ls_import_wish wish = {.year = 2025};
    struct ls_zone *zone = zone_of("UTC");
    struct stamper stamper;

    (void)state;
    stamper_init(&stamper, zone, &wish);
    stamper_begin(&stamper, utc("2030-06-01 00:00:00"));
    hold_to_lines(&stamper, &first);
    stamper_begin(&stamper, utc("2030-06-01 00:00:00"));
    hold_to_lines(&stamper, &chained);

    wish.year = 0;
    stamper_init(&stamper, zone, &wish);
    stamper_begin(&stamper, utc("2026-01-01 00:00:00"));
    hold_to_lines(&stamper, &first);
    stamper_begin(&stamper, utc("2030-06-01 00:00:00"));
    hold_to_lines(&stamper, &own);
    ls_zone_free(zone);
}

/* The second log begins before the first one ends, in the hour that comes twice. */
static void the_order_of_one_log_is_not_that_of_the_next(void **state)
{
    static const struct log log = {.why = "begins anew",
                                   .lines = {{"2026-10-25 02:10:00", "2026-10-25 00:10:00"},
                                             {"2026-10-25 02:50:00", "2026-10-25 00:50:00"},
                                             {"2026-10-25 02:05:00", "2026-10-25 01:05:00"}}};
    const struct ls_import_wish wish = {.year = 2026};
    struct ls_zone *zone = zone_of("Europe/Paris");
    struct stamper stamper;

    (void)state;
    stamper_init(&stamper, zone, &wish);
    for (int again = 0; again < 2; again++) {
        stamper_begin(&stamper, 0);
        hold_to_lines(&stamper, &log);
    }
    assert_int_equal(stamper.twice_count, 6);
    ls_zone_free(zone);
}

/* Two Mondays at the same local hour, logged in UTC on both sides of the change of clocks. */
static void utc_logs_across_a_change_of_clocks_map_to_the_same_local_hour(void **state)
{
    static const char *const lines[] = {
        "2026-10-19T06:30:00Z",       "2026-10-26T07:30:00Z", "19/Oct/2026:06:30:00 +0000",
        "26/Oct/2026:07:30:00 +0000", "1792391400",           "1792999800"};
    const struct ls_import_wish wish = {0};
    struct ls_zone *zone = zone_of("Europe/Paris");
    struct stamper stamper;

    (void)state;
    stamper_init(&stamper, zone, &wish);
    stamper_begin(&stamper, 0);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct stamp stamp;
        struct ls_civil local;
        const char *why;
        int64_t ns;

        assert_int_equal(stamp_read(&stamp, lines[i], strlen(lines[i]), LS_DATE_UNKNOWN, &why),
                         strlen(lines[i]));
        assert_null(stamper_moment(&stamper, &stamp, &ns));
        ls_zone_civil(zone, ns, &local, NULL);
        assert_int_equal(local.day, i % 2 == 0 ? 19 : 26);
        assert_int_equal(local.hour, 8);
        assert_int_equal(local.minute, 30);
    }
    ls_zone_free(zone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stamp_is_a_moment_by_its_own_zone_or_by_the_logs),
        cmocka_unit_test(in_an_hour_that_comes_twice_the_logs_order_decides),
        cmocka_unit_test(in_an_hour_that_is_left_out_the_clock_was_not_put_forward),
        cmocka_unit_test(a_year_that_is_not_written_is_told_by_the_files_time_and_the_line_before),
        cmocka_unit_test(
            several_logs_are_each_of_their_files_time_or_go_on_from_a_year_that_is_told),
        cmocka_unit_test(the_order_of_one_log_is_not_that_of_the_next),
        cmocka_unit_test(utc_logs_across_a_change_of_clocks_map_to_the_same_local_hour),
    };

    return cmocka_run_group_tests_name("curve/stamper", tests, NULL, NULL);
}
