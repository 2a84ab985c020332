/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "arrivals/pick.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "unit/arrivals/curves.h"
#include "unit/arrivals/mornings.h"

/* Three Mondays at eight in Paris, the first in summer: 4 logins, 6 with the fullest minute, 5. */
#define MONDAYS                                                                                    \
    HEAD "time,user\n"                                                                             \
         "2026-10-19T06:10:00Z,1\n2026-10-19T06:20:00Z,2\n2026-10-19T06:30:00Z,3\n"                \
         "2026-10-19T06:40:00Z,4\n"                                                                \
         "2026-10-26T07:10:00Z,1\n2026-10-26T07:30:00.5Z,2\n2026-10-26T07:30:10Z,3\n"              \
         "2026-10-26T07:30:59Z,4\n2026-10-26T07:50:00Z,5\n2026-10-26T07:51:00Z,6\n"                \
         "2026-11-02T07:10:00Z,1\n2026-11-02T07:30:00.5Z,2\n2026-11-02T07:32:10Z,3\n"              \
         "2026-11-02T07:34:59Z,4\n2026-11-02T07:50:00Z,5\n"

/* The schedule of a recorded wave, or NULL and why not. */
static struct ls_schedule *replay(const char *text, const char *day, const char *timezone,
                                  struct ls_error *err)
{
    char path[64];
    struct ls_wave wave = {.shape = LS_SHAPE_RECORDED, .share = 1, .day = (char *)(uintptr_t)day};
    struct ls_scenario scenario = morning(0, 1, &wave, 1);
    struct ls_schedule *schedule = NULL;

    curve_file(path, text);
    wave.curve = path;
    scenario.timezone = (char *)(uintptr_t)timezone;
    *err = (struct ls_error){0};
    if (ls_schedule_build(&schedule, &scenario, err) != LS_OK) {
        assert_null(schedule);
    }
    (void)unlink(path);
    return schedule;
}

static void the_day_that_is_asked_for_is_taken(void **state)
{
    static const struct {
        const char *day;
        size_t logins;
        const char *note, *why;
    } rows[] = {
        {"2026-10-19", 4, "Monday 2026-10-19, 4 logins\n", "in summer"},
        {"2026-11-02", 5, "Monday 2026-11-02, 5 logins\n", "in winter"},
        {"worst", 6,
         "Monday 2026-10-26, 6 logins\nthat is the worst of 3 days: 3 logins in the minute of "
         "08:30\n",
         "not the one with the most logins in a row, but in a minute"},
        {"average", 5,
         "the average of 3 days with logins from 2026-10-19 to 2026-11-02, 15 logins in all\n5 of "
         "its 15 logins, a random choice by the seed\n",
         "15 thirds"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_error err;
        struct ls_schedule *schedule = replay(MONDAYS, rows[i].day, NULL, &err);

        if (schedule == NULL) {
            fail_msg("%s (%s)", err.text, rows[i].why);
        }
        assert_int_equal(schedule->count, rows[i].logins);
        if (strstr(schedule->notes, rows[i].note) == NULL) {
            fail_msg("%s\nwanted %s (%s)", schedule->notes, rows[i].note, rows[i].why);
        }
        ls_schedule_free(schedule);
    }
}

/* All days have a login at 08:10 and one at 08:50 or so, by their own clocks. */
static void days_of_summer_and_winter_meet_at_the_same_hour(void **state)
{
    struct ls_error err;
    struct ls_schedule *schedule = replay(MONDAYS, "average", NULL, &err);

    (void)state;
    assert_non_null(schedule);
    for (size_t i = 0; i < schedule->count; i++) {
        assert_in_range(schedule->rows[i].at_ns, MINUTES(10), MINUTES(51));
    }
    ls_schedule_free(schedule);
}

static void what_cannot_be_replayed_is_told(void **state)
{
    static const struct {
        const char *text, *day, *timezone;
        enum ls_code code;
        const char *says, *why;
    } rows[] = {
        {MONDAYS, NULL, NULL, LS_EINPUT,
         " has several days, say day: worst, average or one of 2026-10-19 (4 logins), 2026-10-26 "
         "(6 logins), 2026-11-02 (5 logins)",
         "which of them?"},
        {MONDAYS, "2026-11-03", NULL, LS_EINPUT,
         " has no login in the window on 2026-11-03, but on 2026-10-19 (4 logins), ",
         "a day without any"},
        {MONDAYS, "worst", "Asia/Tokyo", LS_EINPUT,
         " has no login between 08:00 and 09:00 (Asia/Tokyo); it spans 2026-10-19 15:10 to "
         "2026-11-02 16:50 there",
         "clocks of another place"},
        {MONDAYS, "worst", "Europe/Pariss", LS_EINPUT, "Europe/Paris", "a zone that nobody knows"},
        {HEAD "time,user\nnow,1\n", NULL, NULL, LS_EINPUT, "not a UTC time", "no curve"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_error err;
        struct ls_schedule *schedule = replay(rows[i].text, rows[i].day, rows[i].timezone, &err);

        if (schedule != NULL || err.code != rows[i].code ||
            strstr(err.text, rows[i].says) == NULL) {
            fail_msg("%s\nwanted %s (%s)", err.text, rows[i].says, rows[i].why);
        }
    }
}

static void the_place_of_what_is_wrong_is_in_the_curve(void **state)
{
    struct ls_wave wave = {
        .shape = LS_SHAPE_RECORDED, .share = 1, .curve = (char[]){"nowhere.csv"}};
    struct ls_scenario scenario = morning(0, 1, &wave, 1);
    struct ls_schedule *schedule;
    struct ls_error err;

    (void)state;
    scenario.folder = (char[]){"/tmp/no-such-folder"};
    assert_int_equal(ls_schedule_build(&schedule, &scenario, &err), LS_ENOINPUT);
    assert_non_null(strstr(err.text, "cannot open /tmp/no-such-folder/nowhere.csv"));
    wave.curve = (char[]){"-"};
    assert_int_equal(ls_schedule_build(&schedule, &scenario, &err), LS_EINPUT);
    assert_string_equal(err.text, "arrivals: a recorded curve must be a file");
    assert_null(replay(HEAD "time,user\n2026-11-23T07:00:00Z,\nnow,1\n", NULL, NULL, &err));
    assert_int_equal(err.line, 5);
    assert_int_equal(err.column, 1);
    assert_non_null(strstr(err.path, "/tmp/loginstorm-curve."));
}

static void a_curve_that_is_no_file_is_refused_as_what_it_is(void **state)
{
    static const struct {
        const char *curve, *says;
    } rows[] = {
        {"/tmp", "arrivals: the curve /tmp is a folder, not a file: write the curve to a file "
                 "and name that"},
        {"/dev/null", "arrivals: the curve /dev/null is a device, not a file: write the curve "
                      "to a file and name that"}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char curve[32];
        struct ls_wave wave = {.shape = LS_SHAPE_RECORDED, .share = 1, .curve = curve};
        struct ls_scenario scenario = morning(0, 1, &wave, 1);
        struct ls_schedule *schedule;
        struct ls_error err;

        (void)snprintf(curve, sizeof curve, "%s", rows[i].curve);
        assert_int_equal(ls_schedule_build(&schedule, &scenario, &err), LS_EINPUT);
        assert_string_equal(err.text, rows[i].says);
    }
}

static void what_bends_a_replay_stands_in_the_notes(void **state)
{
    static const struct {
        const char *text, *timezone;
        int64_t first_at_ns;
        const char *note, *why;
    } rows[] = {
        {HEAD "time,user\n2026-11-23T08:10:00.5Z,\n2026-11-23T08:20:00Z,\n", "Europe/London",
         MINUTES(10) + LS_NS_PER_S / 2,
         "the window is by the clocks of Europe/London; the curve was recorded in Europe/Paris\n",
         "the scenario's clock decides"},
        {HEAD "time,user\n2026-11-23T07:10:00Z,\n2026-11-23T07:10:01Z,\n", NULL, MINUTES(10),
         "the log knew whole seconds: all logins of a second start together at its beginning",
         "a crowd at each second"},
        {HEAD "time,user\n2026-11-23T07:10:00Z,\n2026-11-23T07:11:00Z,\n", NULL, MINUTES(10),
         "the log knew whole minutes: all logins of a minute start together at its beginning",
         "a crowd at each minute, as of Excel"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_error err;
        struct ls_schedule *schedule = replay(rows[i].text, NULL, rows[i].timezone, &err);

        if (schedule == NULL || strstr(schedule->notes, rows[i].note) == NULL) {
            fail_msg("%s\nwanted %s (%s)", schedule == NULL ? err.text : schedule->notes,
                     rows[i].note, rows[i].why);
        }
        assert_true(schedule->rows[0].at_ns == rows[i].first_at_ns);
        ls_schedule_free(schedule);
    }
}

/* From 01:00 on the clock of Paris to 05:00, when 02:00 to 03:00 comes twice. */
static void an_hour_that_comes_twice_is_played_twice(void **state)
{
    char path[64];
    struct ls_wave wave = {.shape = LS_SHAPE_RECORDED, .share = 1};
    struct ls_scenario scenario = morning(0, 1, &wave, 1);
    struct ls_schedule *schedule;
    struct ls_error err;
    int64_t slices[5];

    (void)state;
    curve_file(path, HEAD "time,user\n2026-10-24T23:30:00Z,\n2026-10-25T00:30:00Z,\n"
                          "2026-10-25T01:30:00Z,\n2026-10-25T03:59:00.5Z,\n");
    wave.curve = path;
    scenario.from_ns = LS_NS_PER_H;
    scenario.window_ns = 4 * LS_NS_PER_H;
    assert_int_equal(ls_schedule_build(&schedule, &scenario, &err), LS_OK);
    assert_int_equal(schedule->count, 4);
    assert_true(schedule->rows[0].at_ns == MINUTES(30));
    assert_true(schedule->rows[1].at_ns == MINUTES(90));
    assert_true(schedule->rows[2].at_ns == MINUTES(150));
    assert_true(schedule->rows[3].at_ns == MINUTES(299) + LS_NS_PER_S / 2);
    assert_non_null(strstr(schedule->notes, "clocks change within the window on 2026-10-25, which "
                                            "is 5h long there; times of day are those of a clock "
                                            "that was not changed\n"));
    /* The picture has room for all of them. */
    ls_schedule_histogram(schedule, &scenario, slices, 5);
    assert_int_equal(slices[0] + slices[1] + slices[2] + slices[3] + slices[4], 4);
    assert_int_equal(slices[4], 1);
    ls_schedule_free(schedule);

    /* Between days it is the clock that counts: both half past two are one. */
    wave.day = (char[]){"average"};
    (void)unlink(path);
    curve_file(path, HEAD "time,user\n2026-10-25T00:30:00Z,\n2026-10-25T01:30:00Z,\n"
                          "2026-10-26T01:30:00Z,\n2026-10-26T01:30:00Z,\n");
    assert_int_equal(ls_schedule_build(&schedule, &scenario, &err), LS_OK);
    assert_int_equal(schedule->count, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_true(schedule->rows[i].at_ns == MINUTES(90));
    }
    assert_non_null(strstr(schedule->notes, "its logins count at the time that the clock showed"));
    ls_schedule_free(schedule);
    (void)unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_day_that_is_asked_for_is_taken),
        cmocka_unit_test(days_of_summer_and_winter_meet_at_the_same_hour),
        cmocka_unit_test(what_cannot_be_replayed_is_told),
        cmocka_unit_test(the_place_of_what_is_wrong_is_in_the_curve),
        cmocka_unit_test(a_curve_that_is_no_file_is_refused_as_what_it_is),
        cmocka_unit_test(what_bends_a_replay_stands_in_the_notes),
        cmocka_unit_test(an_hour_that_comes_twice_is_played_twice),
    };

    return cmocka_run_group_tests_name("arrivals/pick", tests, NULL, NULL);
}
