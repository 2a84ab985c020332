/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/tzrule.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void a_rule_gives_the_two_changes_of_a_year(void **state)
{
    /* The moments are those that zdump -v, or date -u +%s, tell. */
    static const struct {
        const char *rule;
        int year;
        int64_t at_s[2];
        int32_t offset_s[2];
        const char *why;
    } rows[] = {
        {"CET-1CEST,M3.5.0,M10.5.0/3", 2026, {1774746000, 1792890000}, {7200, 3600}, "Paris"},
        {"EST5EDT,M3.2.0,M11.1.0", 2026, {1772953200, 1793512800}, {-14400, -18000}, "New York"},
        {"<+1030>-10:30<+11>-11,M10.1.0,M4.1.0",
         2026,
         {1775314800, 1791041400},
         {37800, 39600},
         "Lord Howe: the south's summer ends before it begins, and by half an hour"},
        {"<-02>2<-01>,M3.5.0/-1,M10.5.0/0",
         2026,
         {1774746000, 1792890000},
         {-3600, -7200},
         "Nuuk: an hour before Sunday begins"},
        {"IST-2IDT,M3.4.4/26,M10.5.0",
         2026,
         {1774569600, 1792882800},
         {10800, 7200},
         "Jerusalem: 26 hours after Thursday begins"},
        {"AAA0BBB,J60/0,J365/24",
         2024,
         {1709251200, 1735686000},
         {3600, 0},
         "day 60 is the first of March, in leap years too"},
        {"AAA0BBB,J60/0,J365/24", 2026, {1772323200, 1798758000}, {3600, 0}, "and in others"},
        {"AAA0BBB,59/0,365/0",
         2024,
         {1709164800, 1735599600},
         {3600, 0},
         "counted from 0, day 59 is the leap day"},
        {"AAA+0:00:30BBB-0:30,M12.5.6/0:00:01,M1.1.1/00",
         2026,
         {1767569400, 1798243231},
         {-30, 1800},
         "seconds, and a month that ends a year"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tzrule rule;
        struct tzrule_change change[2];

        if (!tzrule_parse(&rule, rows[i].rule, strlen(rows[i].rule)) || !rule.has_summer) {
            fail_msg("%s is refused", rows[i].rule);
        }
        tzrule_year(&rule, rows[i].year, change);
        for (int c = 0; c < 2; c++) {
            if (change[c].at_s != rows[i].at_s[c] || change[c].offset_s != rows[i].offset_s[c]) {
                fail_msg("%s, change %d: %lld to %d (%s)", rows[i].rule, c,
                         (long long)change[c].at_s, change[c].offset_s, rows[i].why);
            }
        }
    }
}

static void a_rule_without_summer_is_a_distance(void **state)
{
    static const struct {
        const char *rule;
        int32_t offset_s;
    } rows[] = {{"UTC0", 0},         {"JST-9", 32400},  {"<+0530>-5:30", 19800},
                {"<-12>12", -43200}, {"EST+5", -18000}, {"ABCDEF-24:59:59", 89999}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tzrule rule;

        assert_true(tzrule_parse(&rule, rows[i].rule, strlen(rows[i].rule)));
        assert_false(rule.has_summer);
        assert_int_equal(rule.standard_s, rows[i].offset_s);
    }
}

static void what_is_no_rule_is_refused(void **state)
{
    static const struct {
        const char *rule;
        const char *why;
    } rows[] = {
        {"", "nothing"},
        {"CE-1", "two letters"},
        {"CET", "no distance"},
        {"<CET-1", "a quote that stays open"},
        {"<+1>-1", "two letters in quotes"},
        {"+01-1", "a sign needs quotes"},
        {"CET-25", "more than a day"},
        {"CET-1:60", "60 minutes"},
        {"CET-1:00:60", "60 seconds"},
        {"CET-1:", "minutes promised"},
        {"CET-1CEST", "summer time, but not when"},
        {"CET-1CEST,M3.5.0", "only its beginning"},
        {"CET-1CEST,M3.5.0,M10.5.0/3,", "a comma too many"},
        {"CET-1CEST,M3.5.0,M10.5.0/3x", "a letter too many"},
        {"CET-1CEST,M0.5.0,M10.5.0", "month 0"},
        {"CET-1CEST,M13.5.0,M10.5.0", "month 13"},
        {"CET-1CEST,M3.0.0,M10.5.0", "week 0"},
        {"CET-1CEST,M3.6.0,M10.5.0", "week 6"},
        {"CET-1CEST,M3.5.7,M10.5.0", "weekday 7"},
        {"CET-1CEST,M3.5,M10.5.0", "no weekday"},
        {"CET-1CEST,J0,J365", "day 0 of those from 1"},
        {"CET-1CEST,J366,J365", "day 366 of 365"},
        {"CET-1CEST,366,1", "day 366 of those from 0"},
        {"CET-1CEST,M3.5.0/168,M10.5.0", "more than a week"},
        {"CET-1CEST,M3.5.0/,M10.5.0", "a time promised"},
        {"CET-99999999999999999999", "a number that does not end"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct tzrule rule;

        if (tzrule_parse(&rule, rows[i].rule, strlen(rows[i].rule))) {
            fail_msg("%s is taken (%s)", rows[i].rule, rows[i].why);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rule_gives_the_two_changes_of_a_year),
        cmocka_unit_test(a_rule_without_summer_is_a_distance),
        cmocka_unit_test(what_is_no_rule_is_refused),
    };

    return cmocka_run_group_tests_name("base/tzrule", tests, NULL, NULL);
}
