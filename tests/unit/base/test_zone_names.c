/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/zone_names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "loginstorm/zone.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);

static long refuse_at = -1;
static long allocations;

void *__wrap_malloc(size_t size)
{
    return allocations++ == refuse_at ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return allocations++ == refuse_at ? NULL : __real_calloc(count, size);
}

static void an_unknown_zone_comes_with_what_was_meant(void **state)
{
    static const struct {
        const char *name;
        const char *end; /* of the text, behind: unknown timezone "name" */
        const char *why;
    } rows[] = {
        {"Europe/Pariss", ", did you mean Europe/Paris?", "a slip"},
        {"Europe/Kolkata", ", did you mean Asia/Kolkata?", "another part of the world"},
        {"Eurpe/Pariss", ", did you mean Europe/Paris?", "a slip in each part"},
        {"Europe/Rma", "; write an IANA name, like Europe/Paris or UTC",
         "too short for a guess: Lima would be as near"},
        {"europe/paris", ", did you mean Europe/Paris?", "case"},
        {"America/New York", ", did you mean America/New_York?", "a blank"},
        {"AMERICA/NEW_YORK", ", did you mean America/New_York?", "case"},
        {"paris", ", did you mean Europe/Paris?", "a city alone"},
        {"New York", ", did you mean America/New_York?", "a city alone, in two words"},
        {"Amsterdamm", ", did you mean Europe/Amsterdam?", "a city alone, and a slip"},
        {"utc", ", did you mean UTC?", "case"},
        {"Europe/Nowhere", "; write an IANA name, like Europe/Paris or UTC",
         "Antarctica/Rothera is three of seven letters away, and some 15,000 km"},
        {"W. Europe Standard Time", ": that is its name under Windows; write Europe/Berlin",
         "Windows"},
        {"Romance Standard Time", ": that is its name under Windows; write Europe/Paris",
         "Windows"},
        {"eastern standard time", ": that is its name under Windows; write America/New_York",
         "Windows, and case"},
        {"Nepal Standard Time",
         ": that looks like a name under Windows; write an IANA name, like Europe/Paris or UTC",
         "Windows, and not in the table"},
        {"PST",
         ": an abbreviation tells only half a year, or several places; write a place, like "
         "America/Los_Angeles",
         "EST would be near, and three hours wrong"},
        {"CEST",
         ": an abbreviation tells only half a year, or several places; write a place, like "
         "Europe/Paris",
         "CET would be near"},
        {"IST",
         ": an abbreviation tells only half a year, or several places; write a place, like "
         "Europe/Paris or America/New_York",
         "India, Ireland and Israel"},
        {"UTC+1",
         ": write a place, like Europe/Paris or UTC, or Etc/GMT-1 (its sign is the other way "
         "round) for a clock that is never changed",
         "a distance"},
        {"-05:00",
         ": write a place, like Europe/Paris or UTC, or Etc/GMT+5 (its sign is the other way "
         "round) for a clock that is never changed",
         "a distance"},
        {"GMT+10",
         ": write a place, like Europe/Paris or UTC, or Etc/GMT-10 (its sign is the other way "
         "round) for a clock that is never changed",
         "a distance of two digits"},
        {"UTC+5:30", "; write an IANA name, like Europe/Paris or UTC",
         "there is no name for half an hour"},
        {"Europe", "; write an IANA name, like Europe/Paris or UTC", "a folder, and Eire near"},
        {"", "; write an IANA name, like Europe/Paris or UTC", "nothing"},
        {"../../../etc/passwd", "; write an IANA name, like Europe/Paris or UTC", "a way out"},
        {"/etc/localtime", "; write an IANA name, like Europe/Paris or UTC", "a path"},
        {"localtime", "; write an IANA name, like Europe/Paris or UTC", "another machine's"},
        {"zone1970.tab", "; write an IANA name, like Europe/Paris or UTC", "a file of no zone"},
        {"Mars/\033[31mRed", "; write an IANA name, like Europe/Paris or UTC", "for a terminal"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_error err = {0};
        struct ls_zone *zone;
        char text[512];
        char shown[64];

        (void)snprintf(shown, sizeof shown, "%s", rows[i].name);
        for (char *c = shown; *c != '\0'; c++) {
            *c = *c == '\033' ? '?' : *c;
        }
        (void)snprintf(text, sizeof text, "unknown timezone \"%s\"%s", shown, rows[i].end);
        assert_int_equal(ls_zone_new(&zone, rows[i].name, &err), LS_EINPUT);
        assert_null(zone);
        if (strcmp(err.text, text) != 0) {
            fail_msg("%s (%s)", err.text, rows[i].why);
        }
    }
}

static void every_place_that_is_named_exists(void **state)
{
    static const char *const places[] = {
        "Australia/Sydney", "Europe/Budapest",   "Europe/Warsaw",       "America/Chicago",
        "Asia/Shanghai",    "America/Sao_Paulo", "America/New_York",    "Europe/Kyiv",
        "Europe/London",    "Europe/Bucharest",  "Atlantic/Reykjavik",  "Asia/Kolkata",
        "America/Denver",   "Europe/Paris",      "America/Los_Angeles", "Europe/Moscow",
        "Asia/Tokyo",       "Europe/Berlin",     "Europe/Helsinki",     "Etc/GMT-1"};

    (void)state;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        struct ls_error err = {0};
        struct ls_zone *zone;

        if (ls_zone_new(&zone, places[i], &err) != LS_OK) {
            fail_msg("%s", err.text);
        }
        ls_zone_free(zone);
    }
}

static void write_file(const char *folder, const char *name, const char *text)
{
    char path[256];
    FILE *file;

    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    file = fopen(path, "w");
    assert_non_null(file);
    (void)fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void expect_text(const char *name, const char *text)
{
    struct ls_error err = {0};
    struct ls_zone *zone;

    assert_int_equal(ls_zone_new(&zone, name, &err), LS_EINPUT);
    assert_string_equal(err.text, text);
}

/* Some systems come with the table of places only, some with no list at all. */
static void without_the_list_the_table_of_places_serves(void **state)
{
    char folder[] = "/tmp/zonesXXXXXX";
    char text[256];

    (void)state;
    assert_non_null(mkdtemp(folder));
    assert_int_equal(setenv("TZDIR", folder, 1), 0);
    expect_text("Europe/Pariss",
                "unknown timezone \"Europe/Pariss\"; write an IANA name, like Europe/Paris or UTC");
    write_file(
        folder, "zone1970.tab",
        "# a comment\nFR,MC\t+4852+00220\tEurope/Paris\nXX\nRU\t+5545+03737\tEurope/Moscow\tw");
    expect_text("Europe/Pariss", "unknown timezone \"Europe/Pariss\", did you mean Europe/Paris?");
    expect_text("moscow", "unknown timezone \"moscow\", did you mean Europe/Moscow?");
    write_file(folder, "Broken", "TZif2 and nothing more");
    (void)snprintf(text, sizeof text, "timezone Broken: %s/Broken is no file of the tz database",
                   folder);
    expect_text("Broken", text);
    (void)snprintf(text, sizeof text, "rm -r %s", folder);
    assert_int_equal(system(text), 0); /* NOLINT(cert-env33-c): a path of our own */
    assert_int_equal(unsetenv("TZDIR"), 0);
}

/* fopen has a buffer of its own, and one that is refused is a file that cannot be read. */
static void no_memory_is_said_wherever_it_is_short(void **state)
{
    static const char *const names[] = {"Europe/Paris", "Europe/Pariss", "UTC"};
    struct ls_error err = {0};
    struct ls_zone *zone;

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        bool done = false;
        int short_of = 0;

        for (refuse_at = 0; !done; refuse_at++) {
            enum ls_code code;

            allocations = 0;
            code = ls_zone_new(&zone, names[i], &err);
            done = allocations <= refuse_at;
            assert_true((code == LS_OK) == (zone != NULL));
            if (!done) {
                assert_true(code == LS_ENOMEM);
                short_of++;
            }
            ls_zone_free(zone);
        }
        refuse_at = -1;
        assert_true(short_of >= 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_unknown_zone_comes_with_what_was_meant),
        cmocka_unit_test(every_place_that_is_named_exists),
        cmocka_unit_test(without_the_list_the_table_of_places_serves),
        cmocka_unit_test(no_memory_is_said_wherever_it_is_short),
    };

    return cmocka_run_group_tests_name("base/zone_names", tests, NULL, NULL);
}
