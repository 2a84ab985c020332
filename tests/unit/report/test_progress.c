/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/page.h"

static struct ls_progress sample(const int64_t *slices, size_t count)
{
    return (struct ls_progress){.certificate = "RSA 4096",
                                .at_ns = 8 * LS_NS_PER_H + 31 * LS_NS_PER_MIN,
                                .logged_in = 3120,
                                .in_flight = 14,
                                .users = 6000,
                                .p50_ns = 4120000,
                                .per_s = 240.4,
                                .left_ns = 28 * LS_NS_PER_S + 1,
                                .slices = slices,
                                .slices_count = count};
}

static void a_sparkline_is_scaled_to_the_largest(void **state)
{
    static const struct {
        const char *why;
        int64_t values[9];
        size_t count;
        const char *utf8, *ascii;
    } rows[] = {
        {"nothing", {0}, 0, "", ""},
        {"zeroes are the lowest", {0, 0, 0}, 3, "▁▁▁", "   "},
        {"every height", {0, 1, 2, 3, 4, 5, 6, 7}, 8, "▁▂▃▄▅▆▇█", " .:-=+*#"},
        {"the least above nothing is seen", {1, 1000000}, 2, "▂█", ".#"},
        {"the largest there are", {INT64_MAX, INT64_MAX / 2, 0}, 3, "█▅▁", "#= "},
        {"less than nothing is nothing", {-5, 5}, 2, "▁█", " #"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char out[64];

        ls_sparkline(rows[i].values, rows[i].count, true, out, sizeof out);
        if (strcmp(out, rows[i].utf8) != 0) {
            fail_msg("%s: %s", rows[i].why, out);
        }
        ls_sparkline(rows[i].values, rows[i].count, false, out, sizeof out);
        if (strcmp(out, rows[i].ascii) != 0) {
            fail_msg("%s: %s", rows[i].why, out);
        }
    }
}

static void a_sparkline_without_room_ends_between_characters(void **state)
{
    const int64_t values[] = {1, 2, 3};
    char out[16] = "untouched";

    (void)state;
    ls_sparkline(values, 3, true, out, 0);
    assert_string_equal(out, "untouched");
    ls_sparkline(values, 3, true, out, 1);
    assert_string_equal(out, "");
    ls_sparkline(values, 3, true, out, 6);
    assert_string_equal(out, "▄");
    ls_sparkline(values, 3, true, out, 10);
    assert_string_equal(out, "▄▆█");
}

static void the_line_fits_its_terminal_and_keeps_what_counts(void **state)
{
    static const struct {
        int columns;
        bool utf8, colour;
        int64_t failed;
        const char *line;
    } rows[] = {
        {140, true, false, 0,
         "RSA 4096        08:31  ▂▃▅█▅▃▂▁  3,120 of 6,000 logged in · 240/s · 14 in flight · 0 "
         "failed · p50 4.12 ms · 29 s left"},
        {140, false, false, 0,
         "RSA 4096        08:31  .:=#=:.   3,120 of 6,000 logged in | 240/s | 14 in flight | 0 "
         "failed | p50 4.12 ms | 29 s left"},
        {107, true, false, 0,
         "RSA 4096        08:31  3,120 of 6,000 logged in · 240/s · 14 in flight · 0 failed · p50 "
         "4.12 ms · 29 s left"},
        {106, true, false, 0, /* short forms leave room for a picture */
         "RSA 4096  08:31  ▂▃▅█▅▃▂▁  3,120/6,000  240/s  14 in flight  0 failed  p50 4.12 ms  29 s "
         "left"},
        {80, true, false, 0,
         "RSA 4096  08:31  3,120/6,000  14 in flight  0 failed  p50 4.12 ms  29 s left"},
        {80, true, true, 2,
         "RSA 4096  08:31  3,120/6,000  14 in flight  \x1b[31m2 failed\x1b[0m  p50 4.12 ms  29 s "
         "left"},
        {80, true, true, 0,
         "RSA 4096  08:31  3,120/6,000  14 in flight  0 failed  p50 4.12 ms  29 s left"},
        {63, true, false, 0, "RSA 4096  08:31  3,120/6,000  14 in flight  0 failed  29 s left"},
        {40, true, false, 0, "RSA 4096  08:31  3,120/6,000  0 failed"},
        {24, true, false, 2, "3,120/6,000  2 failed"},
        {16, true, false, 2, "3,120/6,000"},
        {8, true, false, 0, "3,120/6…"},
    };
    const int64_t slices[] = {1, 2, 4, 7, 4, 2, 1, 0};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct ls_report_look look = {
            .columns = rows[i].columns, .utf8 = rows[i].utf8, .colour = rows[i].colour};
        struct ls_progress progress = sample(slices, 8);
        char line[512];

        progress.failed = rows[i].failed;
        ls_report_progress(&progress, &look, line, sizeof line);
        assert_string_equal(line, rows[i].line);
    }
}

static void whatever_the_figures_the_line_fits(void **state)
{
    static int64_t slices[5000];
    struct ls_progress progress = sample(slices, 5000);

    (void)state;
    for (size_t i = 0; i < 5000; i++) {
        slices[i] = (int64_t)(i * i % 997);
    }
    progress.certificate = "a certificate \x1b[31m with a long name 東京東京東京";
    progress.logged_in = progress.users = progress.failed = INT64_C(12345678901234);
    progress.left_ns = 0;
    progress.p50_ns = LS_NEVER_NS;
    for (int columns = 1; columns < 200; columns++) {
        const struct ls_report_look look = {.columns = columns, .utf8 = columns % 2 == 0};
        char line[512];

        ls_report_progress(&progress, &look, line, sizeof line);
        assert_true(strchr(line, '\x1b') == NULL);
        if (text_width(line) > (size_t)columns) {
            fail_msg("%d: %s", columns, line);
        }
        assert_true(strlen(line) > 0);
    }
}

static void a_closed_loop_has_no_clock_and_no_end(void **state)
{
    struct ls_progress progress = sample(NULL, 0);
    const struct ls_report_look look = {.columns = 120, .utf8 = true};
    char line[512];

    (void)state;
    progress.at_ns = progress.left_ns = -1;
    ls_report_progress(&progress, &look, line, sizeof line);
    assert_string_equal(line, "RSA 4096        3,120 of 6,000 logged in · 240/s · 14 in flight · 0 "
                              "failed · p50 4.12 ms");
}

static void a_short_buffer_is_never_overrun_nor_left_open(void **state)
{
    const int64_t slices[] = {1, 2, 3, 4, 5, 6, 7, 8};
    const struct ls_report_look look = {.columns = 160, .utf8 = true};
    struct ls_progress progress = sample(slices, 8);

    (void)state;
    for (size_t size = 1; size < 200; size++) {
        char *line = malloc(size); /* its end is watched by the sanitizer */

        ls_report_progress(&progress, &look, line, size);
        assert_true(strlen(line) < size);
        free(line);
    }
}

static void a_line_is_cut_and_cleaned_and_never_torn(void **state)
{
    static const struct {
        const char *text;
        size_t columns, size;
        bool utf8;
        const char *line, *why;
    } rows[] = {
        {"RSA 4096", 20, 64, true, "RSA 4096", "it fits"},
        {"RSA 4096", 5, 64, true, "RSA …", "it is cut, with a mark"},
        {"RSA 4096", 5, 64, false, "RSA ~", "in ASCII too"},
        {"a\nb\x1b[31m", 20, 64, true, "a?b?[31m", "no line ends and no colours from outside"},
        {"Übung", 20, 64, false, "?bung", "ASCII alone"},
        {"東京", 20, 6, true, "東", "room for one character and a half"},
        {"東京", 20, 1, true, "", "room for none"},
        {"x", 0, 64, true, "x", "a column at the least"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char line[64];

        ls_report_line(rows[i].text, rows[i].columns, rows[i].utf8, line, rows[i].size);
        if (strcmp(line, rows[i].line) != 0) {
            fail_msg("%s: \"%s\"", rows[i].why, line);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_cut_and_cleaned_and_never_torn),
        cmocka_unit_test(a_sparkline_is_scaled_to_the_largest),
        cmocka_unit_test(a_sparkline_without_room_ends_between_characters),
        cmocka_unit_test(the_line_fits_its_terminal_and_keeps_what_counts),
        cmocka_unit_test(whatever_the_figures_the_line_fits),
        cmocka_unit_test(a_closed_loop_has_no_clock_and_no_end),
        cmocka_unit_test(a_short_buffer_is_never_overrun_nor_left_open),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
