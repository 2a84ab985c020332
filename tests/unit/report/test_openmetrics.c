/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/report/sample.h"

static char *metrics_of(const struct ls_result *result)
{
    return sample_written(result, ls_report_openmetrics);
}

static void the_metrics_are_these_to_the_byte(void **state)
{
    struct sample sample;
    char *text;

    (void)state;
    sample_init(&sample);
    text = metrics_of(&sample.result);
    assert_golden("report.prom", text);
    free(text);
    sample_clear(&sample);
}

/* A parser reads a metric's head once, and all of its samples right behind it. */
static void every_metric_has_one_head_and_stands_together(void **state)
{
    struct sample sample;
    char *text, *line, *rest;
    char seen[100][96] = {{0}};
    size_t count = 0;

    (void)state;
    sample_init(&sample);
    for (size_t i = 0; i < 3; i++) {
        sample.runs[i].live = i != 1;
        sample.runs[i].mornings.count = i == 1 ? 5 : 0;
    }
    text = metrics_of(&sample.result);
    for (line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
        char name[96];

        if (sscanf(line, "# HELP %95s", name) == 1) {
            for (size_t i = 0; i < count; i++) {
                assert_string_not_equal(seen[i], name);
            }
            assert_true(count < sizeof seen / sizeof seen[0]);
            memcpy(seen[count++], name, sizeof name);
        } else if (line[0] != '#') {
            const size_t length = strlen(seen[count - 1]);

            assert_true(strncmp(line, seen[count - 1], length) == 0);
            assert_true(line[length] == '{' || strncmp(line + length, "_sum{", 5) == 0 ||
                        strncmp(line + length, "_count{", 7) == 0);
        } else if (strcmp(line, "# EOF") == 0) {
            assert_int_equal(*rest, '\0');
        }
    }
    assert_true(count > 50);
    free(text);
    sample_clear(&sample);
}

static void what_a_label_cannot_hold_is_escaped(void **state)
{
    static const struct {
        const char *name, *label, *why;
    } rows[] = {
        {"a\"b", "a\\\"b", "a quote would end the label"},
        {"a\\b", "a\\\\b", "a backslash begins an escape"},
        {"a\nb", "a\\nb", "a line's end would end the sample"},
        {"a\\nb", "a\\\\nb", "what only looks like an escape stays what it is"},
        {"\"} 1\n# EOF\n", "\\\"} 1\\n# EOF\\n", "nothing of a name gets out of its label"},
        {"\xff\xc3(",
         "?"
         "?(",
         "what is no UTF-8 would cost the whole file"},
        {"東京 {x=1}, µs", "東京 {x=1}, µs", "the rest is as it is"},
        {"", "", "an empty name"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sample sample;
        char *text, expected[160];

        sample_init(&sample);
        free(sample.runs[0].certificate);
        sample.runs[0].certificate = strdup(rows[i].name);
        text = metrics_of(&sample.result);
        (void)snprintf(expected, sizeof expected,
                       "certificate=\"%s\",repeat=\"1\",outcome=", rows[i].label);
        if (strstr(text, expected) == NULL) {
            fail_msg("%s: %s", rows[i].why, expected);
        }
        free(text);
        sample_clear(&sample);
    }
}

#define OF                                                                                         \
    "{scenario=\"Monday morning, 6,000 users\",engine=\"live\",certificate=\"RSA "                 \
    "4096\",repeat=\"1\""

static void times_are_seconds_to_the_nanosecond_and_shares_are_ratios(void **state)
{
    struct sample sample;
    char *text;

    (void)state;
    sample_init(&sample);
    sample.runs[0].login.p99 = 1234567890123;
    sample.runs[0].cpu_us_per_handshake = 3400.5;
    sample.runs[0].gateway_cpu_ns = 40 * LS_NS_PER_S;
    text = metrics_of(&sample.result);
    must_say(text, "loginstorm_login_latency_seconds" OF ",quantile=\"0.99\"} 1234.567890123\n");
    must_say(text, "loginstorm_gateway_cpu_seconds_per_handshake" OF "} 0.0034005\n");
    must_say(text, "loginstorm_gateway_cpu_seconds" OF "} 40.0\n");
    must_say(text, "loginstorm_target_limit_seconds" OF ",target=\"login_p99\"} 1.0\n");
    must_say(text, "loginstorm_target_limit_ratio" OF ",target=\"failed\"} 0.001\n");
    must_say(text, "loginstorm_target_met" OF ",target=\"failed\"} 1\n");
    must_say(text, "certificate=\"ECDSA P-256\",repeat=\"1\",target=\"failed\"} 0\n");
    must_say(text, "loginstorm_created_timestamp_seconds{scenario=\"Monday morning, 6,000 "
                   "users\",engine=\"live\"} 1796025300.0\n");
    free(text);
    sample_clear(&sample);
}

static void what_is_not_known_is_not_there_and_what_has_no_end_is_infinite(void **state)
{
    struct sample sample;
    char *text;

    (void)state;
    sample_init(&sample);
    sample.result.runs_count = 1;
    sample.result.created = (char[]){"yesterday"};
    sample.runs[0].cpu_us_per_handshake = -1;
    sample.runs[0].gateway_cpu_ns = -1;
    sample.runs[0].cores_at_peak_minute = -1;
    sample.runs[0].failed = 100;
    sample.runs[0].of_all_p99 = LS_NEVER_NS;
    sample.runs[0].connect = (struct ls_quantiles){0, -1, -1, -1, -1, -1, -1, -1, -1};
    text = metrics_of(&sample.result);
    assert_null(strstr(text, "loginstorm_created"));
    assert_null(strstr(text, "loginstorm_gateway_cpu_seconds_per_handshake"));
    assert_null(strstr(text, "loginstorm_gateway_cpu_seconds{"));
    assert_null(strstr(text, "target=\"gateway_cpu_peak\"} 0\n")); /* not judged is not missed */
    must_say(text, "loginstorm_login_of_all_latency_seconds" OF ",quantile=\"0.99\"} +Inf\n");
    must_say(text, "loginstorm_target_value_seconds" OF ",target=\"login_p99\"} +Inf\n");
    must_say(text, "loginstorm_target_met" OF ",target=\"login_p99\"} 0\n");
    must_say(text, "loginstorm_connect_latency_seconds_sum" OF "} 0\n");
    must_say(text, "loginstorm_connect_latency_seconds_count" OF "} 0\n");
    assert_null(strstr(text, "} -"));
    assert_null(strstr(text, "nan"));
    free(text);
    sample_clear(&sample);
}

static void no_two_samples_have_the_same_labels(void **state)
{
    struct sample sample;
    char *text;

    (void)state;
    sample_init(&sample);
    for (size_t i = 1; i < 3; i++) {
        free(sample.runs[i].certificate);
        sample.runs[i].certificate = strdup("RSA 4096");
    }
    sample.runs[2].repeat = 2;
    memcpy(sample.result.targets[1].name, "login_p99", 10); /* said twice */
    text = metrics_of(&sample.result);
    must_say(text, "loginstorm_logins_retried" OF "} 0\n");
    must_say(text, "loginstorm_logins_retried" OF ",twin=\"2\"} 0\n");
    must_say(text, "certificate=\"RSA 4096\",repeat=\"2\"} 0\n");
    for (char *line = text, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        const char *value = end;
        char labels[512];

        while (value > line && *value != ' ') {
            value--;
        }
        assert_true((size_t)(value - line) + 2 < sizeof labels);
        (void)snprintf(labels, sizeof labels, "\n%.*s ", (int)(value - line), line);
        if (*line != '#' && strstr(end, labels) != NULL) {
            fail_msg("twice: %s", labels);
        }
    }
    free(text);
    sample_clear(&sample);
}

static void a_simulation_has_its_mornings_and_no_verdict(void **state)
{
    struct sample sample;
    char *text;

    (void)state;
    sample_init(&sample);
    sample.runs[0].live = false;
    sample.runs[0].mornings = (struct ls_run_mornings){.count = 200,
                                                       .login_p99 = {2000000, 1, 3, 4, LS_NEVER_NS},
                                                       .failed_share = {0, 0, 0, 1500, -1},
                                                       .peak_minute_logins = {-1, -1, -1, -1, -1}};
    sample.result.runs_count = 1;
    text = metrics_of(&sample.result);
    must_say(text, "engine=\"model\",certificate=\"RSA 4096\",repeat=\"1\",mornings=\"median\","
                   "percentile=\"p99\"} 0.002\n");
    must_say(text, "mornings=\"worst\",percentile=\"p99\"} +Inf\n");
    must_say(text, "loginstorm_mornings_failed_ratio{scenario=\"Monday morning, 6,000 users\","
                   "engine=\"model\",certificate=\"RSA 4096\",repeat=\"1\",mornings=\"in_95_"
                   "percent\"} 0.0015\n");
    assert_null(strstr(text, "loginstorm_mornings_peak_minute_logins"));
    assert_null(strstr(text, "loginstorm_measurement_"));
    assert_null(strstr(text, "loginstorm_start_lag"));
    free(text);
    sample_clear(&sample);
}

static void a_result_without_runs_is_still_a_file_that_parses(void **state)
{
    const struct ls_result result = {.speedup = 1};
    char *text = metrics_of(&result);

    (void)state;
    must_say(text, "loginstorm_users{scenario=\"\",engine=\"live\"} 0\n");
    assert_string_equal(text + strlen(text) - 6, "# EOF\n");
    free(text);
}

static void a_full_disk_is_an_error(void **state)
{
    (void)state;
    assert_full_disk("the metrics", ls_report_openmetrics);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_metrics_are_these_to_the_byte),
        cmocka_unit_test(every_metric_has_one_head_and_stands_together),
        cmocka_unit_test(what_a_label_cannot_hold_is_escaped),
        cmocka_unit_test(times_are_seconds_to_the_nanosecond_and_shares_are_ratios),
        cmocka_unit_test(what_is_not_known_is_not_there_and_what_has_no_end_is_infinite),
        cmocka_unit_test(no_two_samples_have_the_same_labels),
        cmocka_unit_test(a_simulation_has_its_mornings_and_no_verdict),
        cmocka_unit_test(a_result_without_runs_is_still_a_file_that_parses),
        cmocka_unit_test(a_full_disk_is_an_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
