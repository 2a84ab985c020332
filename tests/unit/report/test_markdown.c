/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/record/comparison_sample.h"
#include "unit/report/sample.h"

static char *markdown_of(const struct ls_result *result)
{
    return sample_written(result, ls_report_markdown);
}

static void the_summary_is_this_to_the_byte(void **state)
{
    struct sample sample;
    char *text;

    (void)state;
    sample_init(&sample);
    sample.result.comparison = comparison_sample();
    text = markdown_of(&sample.result);
    assert_golden("report.md", text);
    free(text);
    ls_comparison_free(sample.result.comparison);
    sample_clear(&sample);
}

static void a_name_is_no_markdown(void **state)
{
    static const struct {
        const char *name, *shown, *why;
    } rows[] = {
        {"a|b", "a\\|b", "a table's cell would end"},
        {"`a`", "\\`a\\`", "code"},
        {"<img src=x>", "&lt;img src=x&gt;", "HTML"},
        {"&lt;", "&amp;lt;", "an entity"},
        {"*a* _b_ ~c~", "\\*a\\* \\_b\\_ \\~c\\~", "stress"},
        {"![x](y)", "\\!\\[x\\](y)", "a picture, a link"},
        {"@all", "\\@<!-- -->all", "a mention, in the eyes of who reads what was rendered"},
        {"$x$", "\\$x\\$", "a formula"},
        {"#1", "\\#1", "a heading"},
        {"a\\b", "a\\\\b", "a backslash"},
        {"a\nb\x1b", "a?b?", "what cannot be seen"},
        {"東京", "東京", "the rest is as it is"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sample sample;
        char *text, expected[128];

        sample_init(&sample);
        free(sample.runs[0].certificate);
        sample.runs[0].certificate = strdup(rows[i].name);
        text = markdown_of(&sample.result);
        (void)snprintf(expected, sizeof expected, "\n| %s | 6,000 | ", rows[i].shown);
        if (strstr(text, expected) == NULL) {
            fail_msg("%s: %s\n%s", rows[i].why, expected, text);
        }
        free(text);
        sample_clear(&sample);
    }
}

static void what_is_wrong_is_bold(void **state)
{
    struct sample sample;
    char *text;

    (void)state;
    sample_init(&sample);
    text = markdown_of(&sample.result);
    must_say(text,
             "- measurement of ECDSA P-384: **suspect**: stall of an injector's loop 62.0 ms");
    must_say(text, "| failed | 0.2 % | 0.1 % | **missed** by 0.1 points, 100 % over with ECDSA "
                   "P-256 |\n");
    must_say(text, "| login\\_p99, 60 times as dense | 8.86 ms | 1.00 s | met |\n");
    free(text);
    sample.runs[1].validity.verdict = LS_INVALID;
    text = markdown_of(&sample.result);
    must_say(text, "- measurement of ECDSA P-256: **invalid**\n");
    must_say(text, "| failed | 0.2 % | 0.1 % | not judged: the measurement is invalid |\n");
    assert_null(strstr(text, "missed"));
    free(text);
    sample_clear(&sample);
}

static void a_simulation_shows_what_most_of_its_mornings_keep(void **state)
{
    struct sample sample;
    char *text;

    (void)state;
    sample_init(&sample);
    for (size_t i = 0; i < 3; i++) {
        sample.runs[i].live = false;
        sample.runs[i].validity.verdict = LS_VALID;
        sample.runs[i].mornings =
            (struct ls_run_mornings){.count = 200,
                                     .login_p50 = {1, 1, 1, 2000000, 1},
                                     .login_p99 = {1, 1, 1, LS_NEVER_NS, 1},
                                     .login_p100 = {1, 1, 1, 50000000, 1},
                                     .failed_share = {0, 0, 0, 1500, 1},
                                     .gateway_peak_share = {1, 1, 1, 300000, 1}};
    }
    text = markdown_of(&sample.result);
    must_say(text, "| certificate, in 95 % of mornings | failed | ");
    must_say(text, "| RSA 4096 | 0.15 % | 2.00 ms | - | 50.0 ms | 30 % |\n");
    assert_null(strstr(text, "easurement"));
    free(text);
    sample_clear(&sample);
}

static void rounds_are_told_as_medians(void **state)
{
    struct sample sample;
    char *text;

    (void)state;
    sample_init(&sample);
    free(sample.runs[1].certificate);
    sample.runs[1].certificate = strdup("RSA 4096");
    sample.runs[1].repeat = 2;
    text = markdown_of(&sample.result);
    must_say(text, "Medians of up to 2 rounds of every certificate in turn.\n");
    free(text);
    sample_clear(&sample);
}

static void nothing_measured_is_said(void **state)
{
    const struct ls_result result = {.speedup = 1, .window_ns = LS_NS_PER_H};
    char *text = markdown_of(&result);

    (void)state;
    must_say(text, "### login storm\n\n**Nothing was measured");
    assert_null(strstr(text, "|"));
    free(text);
}

static void a_full_disk_is_an_error(void **state)
{
    (void)state;
    assert_full_disk("the report", ls_report_markdown);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_summary_is_this_to_the_byte),
        cmocka_unit_test(a_name_is_no_markdown),
        cmocka_unit_test(what_is_wrong_is_bold),
        cmocka_unit_test(a_simulation_shows_what_most_of_its_mornings_keep),
        cmocka_unit_test(rounds_are_told_as_medians),
        cmocka_unit_test(nothing_measured_is_said),
        cmocka_unit_test(a_full_disk_is_an_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
