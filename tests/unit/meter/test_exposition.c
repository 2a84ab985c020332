/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "meter/exposition.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* The samples of a text as "name{labels}=value;", and "broken:LINE" where it breaks off. */
static const char *told(const char *text)
{
    static char out[1024];
    struct exposition at = {.at = text, .end = text + strlen(text)};
    struct exposition_sample sample;
    enum exposition_step step;
    size_t used = 0;

    out[0] = '\0';
    while ((step = exposition_next(&at, &sample)) == EXPOSITION_SAMPLE) {
        used +=
            (size_t)snprintf(out + used, sizeof out - used, "%.*s{%.*s}=%g;", (int)sample.name_size,
                             sample.name, (int)sample.labels_size, sample.labels, sample.value);
    }
    if (step == EXPOSITION_BROKEN) {
        (void)snprintf(out + used, sizeof out - used, "broken:%d", at.line);
    }
    return out;
}

static void a_line_is_a_sample_a_comment_or_nothing(void **state)
{
    static const struct {
        const char *text, *told, *why;
    } rows[] = {
        {"a 1\nb 2\n", "a{}=1;b{}=2;", "two samples"},
        {"a 1", "a{}=1;", "the last line need not end"},
        {"", "", "nothing at all"},
        {"# HELP a what {it} is\n# TYPE a counter\na 1\n# EOF\n", "a{}=1;", "comments"},
        {"\n \n\t\na 1\r\n", "a{}=1;", "empty lines, and those of Windows"},
        {"a{b=\"c\"} 1\n", "a{b=\"c\"}=1;", "a label"},
        {"a{b=\"c\",d=\"e\",} 1\n", "a{b=\"c\",d=\"e\",}=1;", "a comma behind the last"},
        {"a { b = \"c\" , d = \"e\" } 1\n", "a{ b = \"c\" , d = \"e\" }=1;", "blanks anywhere"},
        {"a{} 1\n", "a{}=1;", "no label in braces"},
        {"a{b=\"}\"} 1\n", "a{b=\"}\"}=1;", "a brace in a value ends nothing"},
        {"a{b=\"\\\"}\\\\\"} 1\n", "a{b=\"\\\"}\\\\\"}=1;", "quotation marks and backslashes"},
        {"a 1.5e3 1700000000000\n", "a{}=1500;", "a time stamp is not looked at"},
        {"a 1 # {trace=\"x\"} 1\n", "a{}=1;", "nor is an exemplar"},
        {"a:b_9 +Inf\n", "a:b_9{}=inf;", "infinite"},
        {"a NaN\n", "a{}=nan;", "no number is a value, too"},
        {"<html>\n", "broken:1", "a page"},
        {"a 1\nb\n", "a{}=1;broken:2", "no value"},
        {"a 1x\n", "broken:1", "no number"},
        {"a{b=\"c} 1\n", "broken:1", "a value that does not end"},
        {"a{b=\"c\" 1\n", "broken:1", "labels that do not end"},
        {"a{b=c} 1\n", "broken:1", "a value without quotation marks"},
        {"a{=\"c\"} 1\n", "broken:1", "a label without a name"},
        {"a{b=\"c\\", "broken:1", "a backslash at the end"},
        {"{a=\"b\"} 1\n", "broken:1", "a sample without a name"},
        {"a 11111111111111111111111111111111111111111111111111111111111111111111\n", "broken:1",
         "a number longer than any"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strcmp(told(rows[i].text), rows[i].told) != 0) {
            fail_msg("%s: %s instead of %s", rows[i].why, told(rows[i].text), rows[i].told);
        }
    }
}

static void a_label_is_found_by_its_name_and_unescaped(void **state)
{
    static const struct {
        const char *labels, *value, *why;
    } rows[] = {
        {"mode=\"user\"", "user", "the only one"},
        {"cpu=\"0\",mode=\"user\"", "user", "the second"},
        {"modes=\"x\",xmode=\"y\"", NULL, "names that only look like it"},
        {"x=\"mode=\\\"idle\\\"\",mode=\"user\"", "user", "not amid another's value"},
        {"mode=\"a\\\\b\\\"c\\nd\"", "a\\b\"c\nd", "what is escaped"},
        {"mode=\"\"", "", "an empty one"},
        {"mode=\"0123456789abcdef\"", "0123456789abcde", "cut to its place"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[256], value[16] = "untouched";
        struct exposition at = {.at = text};
        struct exposition_sample sample;
        bool found;

        (void)snprintf(text, sizeof text, "a{%s} 1", rows[i].labels);
        at.end = text + strlen(text);
        assert_int_equal(exposition_next(&at, &sample), EXPOSITION_SAMPLE);
        assert_true(exposition_is(&sample, "a"));
        assert_false(exposition_is(&sample, "ab"));
        assert_false(exposition_is(&sample, ""));
        found = exposition_label(&sample, "mode", value, sizeof value);
        if (found != (rows[i].value != NULL) ||
            strcmp(value, found ? rows[i].value : "untouched") != 0) {
            fail_msg("%s: %s", rows[i].why, value);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_a_sample_a_comment_or_nothing),
        cmocka_unit_test(a_label_is_found_by_its_name_and_unescaped),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
