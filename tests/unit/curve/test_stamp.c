/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "curve/stamp.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define NONE INT32_MIN /* no zone stood with it */

#define UNKNOWN LS_DATE_UNKNOWN
#define DMY LS_DATE_DAY_MONTH
#define MDY LS_DATE_MONTH_DAY

/* At the exact end of its memory, for the address sanitizer to see what reads beyond it. */
static size_t read_exactly(struct stamp *out, const char *text, enum ls_import_order order,
                           const char **why)
{
    const size_t size = strlen(text);
    char *exact = malloc(size + 1);
    size_t taken;

    assert_non_null(exact);
    memcpy(exact + 1, text, size);
    taken = stamp_read(out, exact + 1, size, order, why);
    free(exact);
    return taken;
}

static void every_form_is_read(void **state)
{
    static const struct {
        const char *text;
        const char *rest; /* what stands behind it */
        struct ls_civil civil;
        int32_t offset_s;
        const char *why;
    } rows[] = {
        {"2026-11-30T08:27:47Z", "", {2026, 11, 30, 8, 27, 47, 0}, 0, "RFC 3339"},
        {"2026-11-30t08:27:47z", "", {2026, 11, 30, 8, 27, 47, 0}, 0, "in small letters"},
        {"2026-11-30T07:58:12.9341912Z",
         "",
         {2026, 11, 30, 7, 58, 12, 934191200},
         0,
         "Windows: seven digits"},
        {"2026-11-30T07:58:12.934191200Z",
         "",
         {2026, 11, 30, 7, 58, 12, 934191200},
         0,
         "Windows: nine digits"},
        {"2026-11-30T07:42:10.1234+01:00",
         "",
         {2026, 11, 30, 7, 42, 10, 123400000},
         3600,
         "Citrix: four digits"},
        {"2026-11-30T07:42:10.1-05:30",
         "",
         {2026, 11, 30, 7, 42, 10, 100000000},
         -19800,
         "one digit, half an hour behind"},
        {"2026-11-30T07:42:10-00:00", "", {2026, 11, 30, 7, 42, 10, 0}, 0, "RFC 3339: UTC"},
        {"2026-11-30 08:31:02 10.0.0.1 GET",
         " 10.0.0.1 GET",
         {2026, 11, 30, 8, 31, 2, 0},
         NONE,
         "IIS"},
        {"2026-11-30 08:31:02 - GET",
         " - GET",
         {2026, 11, 30, 8, 31, 2, 0},
         NONE,
         "a lone dash is no offset"},
        {"2026-11-30 08:31:02 -5 items",
         " -5 items",
         {2026, 11, 30, 8, 31, 2, 0},
         NONE,
         "nor is a number of one digit"},
        {"2026-11-30 08:31:02 +01 items",
         " +01 items",
         {2026, 11, 30, 8, 31, 2, 0},
         NONE,
         "nor of two, apart"},
        {"2026-11-30 08:31:02.5+01", "", {2026, 11, 30, 8, 31, 2, 500000000}, 3600, "PostgreSQL"},
        {"2026-11-30 08:31:02 INFO login",
         " INFO login",
         {2026, 11, 30, 8, 31, 2, 0},
         NONE,
         "a level is no zone"},
        {"2026-11-30 08:31:02 EST5 login",
         " EST5 login",
         {2026, 11, 30, 8, 31, 2, 0},
         NONE,
         "nor is a host's name that begins like one"},
        {"2026-11-30 08:31:02,123 INFO",
         " INFO",
         {2026, 11, 30, 8, 31, 2, 123000000},
         NONE,
         "a comma before three digits, as Java and Python write it"},
        {"2026-11-30 08:31:02,17",
         ",17",
         {2026, 11, 30, 8, 31, 2, 0},
         NONE,
         "a comma before a column"},
        {"2026-11-30 08:31", "", {2026, 11, 30, 8, 31, 0, 0}, NONE, "without seconds"},
        {"2026/11/30 08:31:02 [error]",
         " [error]",
         {2026, 11, 30, 8, 31, 2, 0},
         NONE,
         "nginx's error log"},
        {"20261130T083102Z", "", {2026, 11, 30, 8, 31, 2, 0}, 0, "ISO 8601 without marks"},
        {"20261130T083102.25+0100", "", {2026, 11, 30, 8, 31, 2, 250000000}, 3600, "a fraction"},
        {"20261130083102.0Z", "", {2026, 11, 30, 8, 31, 2, 0}, 0, "a directory's whenCreated"},
        {"10/Nov/2026:08:25:43 +0100] \"GET",
         "] \"GET",
         {2026, 11, 10, 8, 25, 43, 0},
         3600,
         "nginx, Apache"},
        {"10/nov/2026:08:25:43 -0330",
         "",
         {2026, 11, 10, 8, 25, 43, 0},
         -12600,
         "Newfoundland, small letters"},
        {"06/Nov/2026:08:14:14.655] fe",
         "] fe",
         {2026, 11, 6, 8, 14, 14, 655000000},
         NONE,
         "HAProxy"},
        {"30-Nov-2026 08:27:47.123", "", {2026, 11, 30, 8, 27, 47, 123000000}, NONE, "dashes"},
        {"30 Nov 2026 08:27:47 +0000", "", {2026, 11, 30, 8, 27, 47, 0}, 0, "blanks"},
        {"Mon Nov 30 08:27:47 2026", "", {2026, 11, 30, 8, 27, 47, 0}, NONE, "FreeRADIUS: ctime"},
        {"Sat Mar  7 08:27:47 2026\n", "\n", {2026, 3, 7, 8, 27, 47, 0}, NONE, "a padded day"},
        {"Mon Nov 30 08:27:47.123456 2026] [ssl",
         "] [ssl",
         {2026, 11, 30, 8, 27, 47, 123456000},
         NONE,
         "Apache's error log"},
        {"Mon Nov 30 08:27:47 CET 2026", "", {2026, 11, 30, 8, 27, 47, 0}, 3600, "date's"},
        {"Mon Nov 30 08:27:47 2026 +0100", "", {2026, 11, 30, 8, 27, 47, 0}, 3600, "git's"},
        {"Mon, 30 Nov 2026 08:27:47 GMT", "", {2026, 11, 30, 8, 27, 47, 0}, 0, "the web's"},
        {"Monday, 30 November 2026 08:27:47 +0100",
         "",
         {2026, 11, 30, 8, 27, 47, 0},
         3600,
         "whole names"},
        {"Mon Nov 30 2026 08:27:47 GMT+0100 (CET)",
         " (CET)",
         {2026, 11, 30, 8, 27, 47, 0},
         3600,
         "JavaScript's"},
        {"Nov 30 08:27:47 gw1 sshd[1]:",
         " gw1 sshd[1]:",
         {0, 11, 30, 8, 27, 47, 0},
         NONE,
         "syslog"},
        {"Mar  7 08:59:45 2001:db8::1 ns",
         " 2001:db8::1 ns",
         {0, 3, 7, 8, 59, 45, 0},
         NONE,
         "a host's name that begins like a year"},
        {"Nov 30 08:27:47 EST sshd",
         " EST sshd",
         {0, 11, 30, 8, 27, 47, 0},
         NONE,
         "a host's name like a zone's"},
        {"Feb 29 08:27:47.5: %ASA",
         ": %ASA",
         {0, 2, 29, 8, 27, 47, 500000000},
         NONE,
         "a leap day: the year is not known yet"},
        {"Mon Nov 30 08:27:47 gw1",
         " gw1",
         {0, 11, 30, 8, 27, 47, 0},
         NONE,
         "a weekday, but no year"},
        {"Nov 30 2026 08:27:47: %ASA", ": %ASA", {2026, 11, 30, 8, 27, 47, 0}, NONE, "Cisco"},
        {"Nov 30, 2026 3:09:10 PM", "", {2026, 11, 30, 15, 9, 10, 0}, NONE, "en-US, long"},
        {"Sept 30 08:27:47", "", {0, 9, 30, 8, 27, 47, 0}, NONE, "British"},
        {"03/13/2026:07:59:45 GMT", "", {2026, 3, 13, 7, 59, 45, 0}, 0, "NetScaler"},
        {"3/13/2026 3:09:10 PM", "", {2026, 3, 13, 15, 9, 10, 0}, NONE, "Event Viewer, en-US"},
        {"3/13/2026 3:09:10\342\200\257PM",
         "",
         {2026, 3, 13, 15, 9, 10, 0},
         NONE,
         "with a narrow blank, as newer Windows writes it"},
        {"3/13/2026, 3:09:10\302\240am,4624",
         ",4624",
         {2026, 3, 13, 3, 9, 10, 0},
         NONE,
         "with a blank that does not break"},
        {"13/3/2026 3:09:10 p.m.", "", {2026, 3, 13, 15, 9, 10, 0}, NONE, "en-NZ"},
        {"3/13/2026 12:00:00 AM", "", {2026, 3, 13, 0, 0, 0, 0}, NONE, "midnight"},
        {"3/13/2026 12:30:00 PM", "", {2026, 3, 13, 12, 30, 0, 0}, NONE, "half past noon"},
        {"3/13/2026 11:59:59PM", "", {2026, 3, 13, 23, 59, 59, 0}, NONE, "the last of a day"},
        {"13/03/2026 15:09", "", {2026, 3, 13, 15, 9, 0, 0}, NONE, "Excel, en-GB"},
        {"30.11.2026 08:27:47", "", {2026, 11, 30, 8, 27, 47, 0}, NONE, "German"},
        {"30.11.2026 8:27:47;x", ";x", {2026, 11, 30, 8, 27, 47, 0}, NONE, "an hour of one digit"},
        {"13-03-2026 15:09:10", "", {2026, 3, 13, 15, 9, 10, 0}, NONE, "Dutch"},
        {"2016-12-31T23:59:60Z", "", {2016, 12, 31, 23, 59, 60, 0}, 0, "a leap second"},
        {"2024-02-29 00:00:00", "", {2024, 2, 29, 0, 0, 0, 0}, NONE, "a leap day"},
        {"1970-01-01T00:00:00Z", "", {1970, 1, 1, 0, 0, 0, 0}, 0, "the beginning"},
        {"2106-02-07T06:28:15Z", "", {2106, 2, 7, 6, 28, 15, 0}, 0, "the end of 32 bits"},
        {"0001-01-01T00:00:00", "", {1, 1, 1, 0, 0, 0, 0}, NONE, ".NET's never: a date"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct stamp stamp;
        const char *why = NULL;
        const size_t taken = read_exactly(&stamp, rows[i].text, UNKNOWN, &why);

        if (taken == 0) {
            fail_msg("\"%s\": %s (%s)", rows[i].text, why, rows[i].why);
        }
        if (strcmp(rows[i].text + taken, rows[i].rest) != 0 || stamp.is_utc_ns ||
            memcmp(&stamp.civil, &rows[i].civil, sizeof stamp.civil) != 0 ||
            stamp.has_offset != (rows[i].offset_s != NONE) ||
            (stamp.has_offset && stamp.offset_s != rows[i].offset_s)) {
            fail_msg("\"%s\": %d-%d-%d %d:%d:%d.%09d %+d, rest \"%s\" (%s)", rows[i].text,
                     stamp.civil.year, stamp.civil.month, stamp.civil.day, stamp.civil.hour,
                     stamp.civil.minute, stamp.civil.second, stamp.civil.ns, stamp.offset_s,
                     rows[i].text + taken, rows[i].why);
        }
    }
}

static void a_fraction_has_one_to_nine_digits(void **state)
{
    int32_t ns = 0;
    int32_t unit = 100000000;
    char text[64] = "2026-11-30T08:27:47.";

    (void)state;
    for (int digits = 1; digits <= 9; digits++, unit /= 10) {
        struct stamp stamp;
        const char *why;

        text[19 + digits] = (char)('0' + digits);
        text[20 + digits] = '\0';
        ns += digits * unit;
        assert_int_equal(read_exactly(&stamp, text, UNKNOWN, &why), strlen(text));
        assert_int_equal(stamp.civil.ns, ns);
    }
    assert_int_equal(ns, 123456789);
}

static void an_epochs_unit_is_told_by_its_magnitude(void **state)
{
    static const struct {
        const char *text;
        const char *rest;
        int64_t utc_ns;
        const char *why;
    } rows[] = {
        {"0", "", 0, "the beginning"},
        {"86400", "", 86400000000000, "the second day"},
        {"1435781430.781", "", 1435781430781000000, "Prometheus"},
        {"1435781430.123456789,x", ",x", 1435781430123456789, "nine digits"},
        {"1796027267", "", 1796027267000000000, "seconds"},
        {"1796027267123", "", 1796027267123000000, "milliseconds"},
        {"1796027267123456", "", 1796027267123456000, "microseconds"},
        {"1796027267123456789", "", 1796027267123456789, "nanoseconds"},
        {"4294967295", "", 4294967295000000000, "2106 in seconds"},
        {"4294967295000", "", 4294967295000000000, "2106 in milliseconds"},
        {"4294967295000000", "", 4294967295000000000, "2106 in microseconds"},
        {"4294967295000000000", "", 4294967295000000000, "2106 in nanoseconds"},
        {"9223372036", "", 9223372036000000000, "the last second of all"},
        {"9223372036.854775807", "", INT64_MAX, "the last nanosecond of all"},
        {"9223372036854775807", "", INT64_MAX, "and so written"},
        {"100000000000", "", 100000000000000000, "the first taken for milliseconds: March 1973"},
        {"1796027267:12", ":12", 1796027267000000000, "auditd's serial number"},
        {"19691231", "", 19691231000000000, "before 1970 there was no log"},
        {"20261331", "", 20261331000000000, "no month 13, so no date"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct stamp stamp;
        const char *why = NULL;
        const size_t taken = read_exactly(&stamp, rows[i].text, UNKNOWN, &why);

        if (taken == 0 || !stamp.is_utc_ns || stamp.utc_ns != rows[i].utc_ns ||
            strcmp(rows[i].text + taken, rows[i].rest) != 0 || stamp.swappable) {
            fail_msg("\"%s\": %lld, %s (%s)", rows[i].text, (long long)stamp.utc_ns,
                     why == NULL ? "" : why, rows[i].why);
        }
    }
}

static void day_and_month_are_as_the_order_says_and_tell_when_they_can(void **state)
{
    static const struct {
        const char *text;
        enum ls_import_order order;
        int month, day; /* 0: refused */
        bool swappable;
        enum ls_import_order tells;
        const char *why;
    } rows[] = {
        {"03/07/2026 08:00:00", UNKNOWN, 7, 3, true, UNKNOWN, "who knows"},
        {"03/07/2026 08:00:00", DMY, 7, 3, true, UNKNOWN, "as was said"},
        {"03/07/2026 08:00:00", MDY, 3, 7, true, UNKNOWN, "as was said"},
        {"07/07/2026 08:00:00", UNKNOWN, 7, 7, false, UNKNOWN, "the same both ways"},
        {"13/07/2026 08:00:00", UNKNOWN, 7, 13, false, DMY, "there is no month 13"},
        {"07/13/2026 08:00:00", UNKNOWN, 7, 13, false, MDY, "there is no month 13"},
        {"13/07/2026 08:00:00", DMY, 7, 13, false, DMY, "as was said, and it shows"},
        {"07/13/2026 08:00:00", MDY, 7, 13, false, MDY, "as was said, and it shows"},
        {"13/07/2026 08:00:00", MDY, 0, 0, false, DMY, "not as was said"},
        {"07/13/2026 08:00:00", DMY, 0, 0, false, MDY, "not as was said"},
        {"03.07.2026 08:00:00", UNKNOWN, 7, 3, false, UNKNOWN, "a dot: the day is first"},
        {"03.07.2026 08:00:00", MDY, 3, 7, true, UNKNOWN, "unless somebody insists"},
        {"07-03-2026 08:00:00", UNKNOWN, 3, 7, true, UNKNOWN, "a dash tells nothing"},
        {"2026-03-07 08:00:00", MDY, 3, 7, false, UNKNOWN, "the year first: no question"},
        {"2026/03/07 08:00:00", DMY, 3, 7, false, UNKNOWN, "the year first: no question"},
        {"07/Mar/2026:08:00:00", MDY, 3, 7, false, UNKNOWN, "a name: no question"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct stamp stamp;
        const char *why = NULL;
        const size_t taken = read_exactly(&stamp, rows[i].text, rows[i].order, &why);

        if ((taken > 0) != (rows[i].month > 0) ||
            (taken > 0 && (stamp.civil.month != rows[i].month || stamp.civil.day != rows[i].day ||
                           stamp.swappable != rows[i].swappable || stamp.tells != rows[i].tells))) {
            fail_msg("\"%s\": month %d, day %d (%s)", rows[i].text, stamp.civil.month,
                     stamp.civil.day, rows[i].why);
        }
        if (taken == 0) {
            assert_string_equal(why, "day and month are the other way round than they should be");
        }
    }
}

static void what_is_no_stamp_is_refused_with_a_word(void **state)
{
    static const char form[] = "no time stamp in a form that is known";
    static const char english[] = "its month's name is not English: export the log with English "
                                  "month names, or with dates like 2026-11-30";
    static const char several[] = "its zone's abbreviation stands for several zones: take it out "
                                  "of the log's format, and say --timezone, like America/New_York";
    static const char day_only[] = "a date without a time of day";
    static const char two[] = "a year of two digits: export the log with four";
    static const char never[] = "it is beyond the year 2262";
    static const struct {
        const char *text, *word, *why;
    } rows[] = {
        {"", form, "nothing"},
        {" 2026-11-30T08:27:47Z", form, "not at the start"},
        {"-1", form, "a number below 0"},
        {"time", form, "a column's title"},
        {"10.0.0.1", form, "an address"},
        {"192.168.12.26 - -", form, "an address that could be a date"},
        {"10.12.20.26", form, "an address with two digits where a year could be"},
        {"12:30:00", form, "a time without a day"},
        {"5/6", form, "half a date"},
        {"5/", form, "less"},
        {"5/6/", form, "not much more"},
        {"12 requests", form, "a number and a word"},
        {"42ms", form, "a duration"},
        {"1e9", form, "a float"},
        {"1796027267.", form, "a fraction promised"},
        {"2026-11-30T08:27:47ZZ", form, "a letter behind it"},
        {"2026-11-30T08:27:475", form, "a digit behind it"},
        {"2026-11-30T08:27:47_1", form, "a name"},
        {"2026-11-30T08:2", form, "half a minute"},
        {"2026-11-30T8", form, "an hour"},
        {"2026-11-30", day_only, "a day"},
        {"2026-11-30,x", day_only, "a day in a table"},
        {"20261130", day_only, "a day without marks, which would be a second of 1970"},
        {"202611300827", "a date without marks, or milliseconds of 1976", "the same, in ms"},
        {"11/30/26 8:27 AM", two, "a century to be guessed"},
        {"Monday, 30-Nov-26 08:27:47 GMT", two, "RFC 850"},
        {"0000-00-00 00:00:00", "no such year", "MySQL's never"},
        {"Thu Jan  1 00:00:00 0000", "no such year", "year 0 stands for none"},
        {"2026-13-01 08:00:00", "no such month", "month 13"},
        {"2026-00-01 08:00:00", "no such month", "month 0"},
        {"13/14/2026 08:00:00", "no such month", "neither is one"},
        {"2026-02-29 08:00:00", "no such day", "no leap year"},
        {"Feb 30 08:00:00", "no such day", "in no year"},
        {"31/Nov/2026:08:00:00 +0100", "no such day", "November has 30"},
        {"20260230T080000Z", "no such day", "without marks"},
        {"2026-11-30 24:00:00", "no such time of day", "the next day's 00:00"},
        {"2026-11-30 08:60:00", "no such time of day", "minute 60"},
        {"2026-11-30 08:00:61", "no such time of day", "second 61"},
        {"11/30/2026 13:00:00 PM", "an hour that a clock of twelve hours does not have", "13 PM"},
        {"11/30/2026 0:30:00 AM", "an hour that a clock of twelve hours does not have", "0 AM"},
        {"2026-11-30T08:27:47.1234567890Z", "a fraction of more than nine digits", "ten"},
        {"1796027267.1234567890", "a fraction of more than nine digits", "ten, in an epoch"},
        {"1796027267123.5", "a fraction goes with an epoch in seconds only", "half a millisecond"},
        {"2026-11-30T08:27:47+16:00", "no zone is so far from UTC", "16 hours"},
        {"2026-11-30T08:27:47+0160", "no zone is so far from UTC", "60 minutes"},
        {"2026-11-30 08:27:47 EST", several, "America's or Australia's"},
        {"Mon Nov 30 08:27:47 IST 2026", several, "India, Ireland, Israel"},
        {"2026-11-30T08:27:47CST", several, "Chicago, Shanghai, Havana"},
        {"9223372037", never, "a second too many"},
        {"9223372036.854775808", never, "a nanosecond too many"},
        {"99999999999", never, "seconds"},
        {"9300000000000", never, "milliseconds"},
        {"9223372036854775808", never, "more than int64_t holds"},
        {"123456789012345678901234567890", never, "much more"},
        {"10/Foo/2026:08:25:43 +0100", english, "no language's"},
        {"10/ao\303\273t/2026:08:25:43 +0200",
         "\"ao\303\273t\" is French, not English: export the log with English month names, or with "
         "dates like 2026-11-30",
         "UTF-8"},
        {"10/ao\373t/2026:08:25:43 +0200",
         "\"ao\303\273t\" is French, not English: export the log with English month names, or with "
         "dates like 2026-11-30",
         "Latin-1"},
        {"30 d\303\251c. 2026 08:27:47",
         "\"d\303\251c\" is French, not English: export the log with English month names, or with "
         "dates like 2026-11-30",
         "a dot behind it"},
        {"Dez 30 08:27:47 gw1",
         "\"dez\" is German or Portuguese, not English: export the log with English month names, "
         "or "
         "with dates like 2026-11-30",
         "syslog"},
        {"Mo Dez 30 08:27:47 2026",
         "\"dez\" is German or Portuguese, not English: export the log with English month names, "
         "or "
         "with dates like 2026-11-30",
         "behind a weekday"},
        {"lun. 30 ago 2026 08:27:47",
         "\"ago\" is Spanish, Italian or Portuguese, not English: export the log with English "
         "month "
         "names, or with dates like 2026-11-30",
         "behind a weekday and a day"},
        {"13. M\303\244rz 2026 15:09:17",
         "\"M\303\244rz\" is German, not English: export the log with English month names, or with "
         "dates like 2026-11-30",
         "a form that is not known in English either"},
        {"viernes, 13 de marzo de 2026 15:09:17",
         "\"marzo\" is Spanish or Italian, not English: export the log with English month names, "
         "or "
         "with dates like 2026-11-30",
         "words between"},
        {"mrt 13, 2026 3:09:17 PM",
         "\"mrt\" is Dutch, not English: export the log with English month names, or with dates "
         "like "
         "2026-11-30",
         "a month first"},
        {"mars landing", form, "a word of a month's letters, but no number behind it"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct stamp stamp;
        const char *why = NULL;
        const size_t taken = read_exactly(&stamp, rows[i].text, UNKNOWN, &why);

        if (taken != 0 || why == NULL || strcmp(why, rows[i].word) != 0) {
            fail_msg("\"%s\": %zu taken, %s (%s)", rows[i].text, taken, why, rows[i].why);
        }
    }
}

/* A stamp that is cut short is refused or a shorter one, and never read beyond its end. */
static void a_stamp_may_be_cut_anywhere(void **state)
{
    static const char *const texts[] = {
        "2026-11-30T08:27:47.1234567+01:00",
        "10/Nov/2026:08:25:43 +0100",
        "Mon Nov 30 08:27:47 CET 2026",
        "Mon, 30 Nov 2026 08:27:47 GMT",
        "3/13/2026 3:09:10\342\200\257PM",
        "20261130T082747.5Z",
        "1796027267.123456789",
        "Nov 30, 2026 3:09:10 p.m.",
        "lun. 30 ao\303\273t 2026 08:27:47",
        "Mon Nov 30 2026 08:27:47 GMT+0100",
    };

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        for (size_t size = 0; size <= strlen(texts[i]); size++) {
            char text[64] = "";
            struct stamp stamp;
            const char *why = NULL;
            size_t taken;

            memcpy(text, texts[i], size);
            taken = read_exactly(&stamp, text, UNKNOWN, &why);
            assert_true(taken <= size);
            assert_true((taken == 0) == (why != NULL));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_is_read),
        cmocka_unit_test(a_fraction_has_one_to_nine_digits),
        cmocka_unit_test(an_epochs_unit_is_told_by_its_magnitude),
        cmocka_unit_test(day_and_month_are_as_the_order_says_and_tell_when_they_can),
        cmocka_unit_test(what_is_no_stamp_is_refused_with_a_word),
        cmocka_unit_test(a_stamp_may_be_cut_anywhere),
    };

    return cmocka_run_group_tests_name("curve/stamp", tests, NULL, NULL);
}
