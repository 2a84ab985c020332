/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/report/sample.h"

static char *junit_of(const struct ls_result *result)
{
    return sample_written(result, ls_report_junit);
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;

    for (const char *at = text; (at = strstr(at, part)) != NULL; at += strlen(part)) {
        count++;
    }
    return count;
}

static void the_report_is_this_to_the_byte(void **state)
{
    struct sample sample;
    char *text;

    (void)state;
    sample_init(&sample);
    text = junit_of(&sample.result);
    assert_golden("report.junit.xml", text);
    free(text);
    sample_clear(&sample);
}

/* The sample misses one of its three targets. */
static void every_state_has_its_element_and_the_counts_say_so(void **state)
{
    static const struct {
        const char *why;
        enum ls_verdict verdict;
        bool partial, live;
        double cores;
        size_t tests, failures, errors, skipped;
    } rows[] = {
        {"a target missed", LS_VALID, false, true, 0.01, 7, 1, 0, 0},
        {"suspect still counts", LS_SUSPECT, false, true, 0.01, 7, 1, 0, 0},
        {"invalid: an error, and no target is judged", LS_INVALID, false, true, 0.01, 7, 0, 1, 3},
        {"CPU that is not known: its target is not judged", LS_VALID, false, true, -1, 7, 1, 0, 1},
        {"an early end is an error, or nothing but skips would be green", LS_VALID, true, true,
         0.01, 7, 1, 1, 2},
        {"a simulation has no measurement to judge", LS_VALID, false, false, 0.01, 4, 1, 0, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sample sample;
        char *text, counts[96];

        sample_init(&sample);
        sample.result.partial = rows[i].partial;
        sample.result.targets_count = 0;
        for (size_t r = 0; r < 3; r++) {
            sample.runs[r].live = rows[i].live;
            sample.runs[r].validity.verdict = r == 0 ? rows[i].verdict : LS_VALID;
            sample.runs[r].cores_at_peak_minute = rows[i].cores;
        }
        assert_int_equal(ls_result_add_target(&sample.result, "login_p99", LS_NS_PER_S, NULL), 0);
        assert_int_equal(ls_result_add_target(&sample.result, "failed", 1000, NULL), 0);
        assert_int_equal(ls_result_add_target(&sample.result, "gateway_cpu_peak", 700000, NULL), 0);
        text = junit_of(&sample.result);
        (void)snprintf(counts, sizeof counts,
                       "tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\"",
                       rows[i].tests, rows[i].failures, rows[i].errors, rows[i].skipped);
        if (strstr(text, counts) == NULL || count_of(text, "<testcase ") != rows[i].tests ||
            count_of(text, "<failure ") != rows[i].failures ||
            count_of(text, "<error ") != rows[i].errors ||
            count_of(text, "<skipped ") != rows[i].skipped) {
            fail_msg("%s: %s\n%s", rows[i].why, counts, text);
        }
        free(text);
        sample_clear(&sample);
    }
}

static void a_missed_target_says_by_how_much_and_with_what(void **state)
{
    struct sample sample;
    char *text;

    (void)state;
    sample_init(&sample);
    sample.result.targets[0].limit = 5000000;
    sample.result.targets[0].met = false;
    text = junit_of(&sample.result);
    must_say(text, "<failure type=\"target\" message=\"missed by 3.86 ms, 77 % over: 8.86 ms, "
                   "limit 5.00 ms\">missed with RSA 4096</failure>");
    must_say(text, "message=\"missed by 0.1 points, 100 % over: 0.2 %, limit 0.1 %\">missed with "
                   "ECDSA P-256</failure>");
    free(text);
    sample_clear(&sample);
}

static void an_early_end_is_told_by_run(void **state)
{
    struct sample sample;
    char *text;

    (void)state;
    sample_init(&sample);
    sample.result.partial = sample.runs[1].partial = true;
    sample.runs[1].partial_why = strdup("SIGINT");
    sample.runs[1].logged_in = 12;
    sample.runs[1].failed = 0;
    text = junit_of(&sample.result);
    must_say(text, "<error type=\"partial\" message=\"the storm ended early\">ECDSA P-256, SIGINT: "
                   "12 of 6000 users came to an end\n</error>");
    free(text);
    sample_clear(&sample);
}

static void rounds_are_cases_of_their_own(void **state)
{
    struct sample sample;
    char *text;

    (void)state;
    sample_init(&sample);
    sample.runs[2].repeat = 2;
    text = junit_of(&sample.result);
    must_say(text, "name=\"RSA 4096, round 1\"");
    must_say(text, "name=\"ECDSA P-384, round 2\"");
    free(text);
    sample_clear(&sample);
}

static void nothing_of_a_name_gets_out_of_its_place(void **state)
{
    static const struct {
        const char *name, *shown, *why;
    } rows[] = {
        {"\"/><x>", "&quot;/&gt;&lt;x&gt;", "an attribute's end, an element"},
        {"a&b", "a&amp;b", "an entity"},
        {"a\x01\x1b[31m\x7f", "a??[31m?", "XML has no control characters"},
        {"a\nb\tc\r", "a?b?c?", "an attribute would make blanks of these"},
        {"\xff", "?", "no UTF-8"},
        {"\xef\xbf\xbe\xef\xbf\xbf", "??", "U+FFFE and U+FFFF are no characters of XML"},
        {"東京 µ", "東京 µ", "the rest is as it is"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sample sample;
        char *text, expected[128];

        sample_init(&sample);
        free(sample.runs[0].certificate);
        sample.runs[0].certificate = strdup(rows[i].name);
        text = junit_of(&sample.result);
        (void)snprintf(expected, sizeof expected, " name=\"%s\">\n", rows[i].shown);
        if (strstr(text, expected) == NULL) {
            fail_msg("%s: %s\n%s", rows[i].why, expected, text);
        }
        free(text);
        sample_clear(&sample);
    }
}

static void a_full_disk_is_an_error(void **state)
{
    (void)state;
    assert_full_disk("the report", ls_report_junit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_report_is_this_to_the_byte),
        cmocka_unit_test(every_state_has_its_element_and_the_counts_say_so),
        cmocka_unit_test(a_missed_target_says_by_how_much_and_with_what),
        cmocka_unit_test(an_early_end_is_told_by_run),
        cmocka_unit_test(rounds_are_cases_of_their_own),
        cmocka_unit_test(nothing_of_a_name_gets_out_of_its_place),
        cmocka_unit_test(a_full_disk_is_an_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
