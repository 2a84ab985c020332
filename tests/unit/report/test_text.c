/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "report/page.h"

#include "unit/record/comparison_sample.h"
#include "unit/report/sample.h"

static void the_report_is_this_to_the_byte(void **state)
{
    static const struct {
        const char *golden;
        struct ls_report_look look;
    } rows[] = {
        {"report-80.txt", {.columns = 80, .utf8 = true}},
        {"report-120.txt", {.columns = 120, .utf8 = true}},
        {"report-60-ascii.txt", {.columns = 60}},
        {"report-100-colour.txt", {.columns = 100, .utf8 = true, .colour = true}},
        {"report-quiet.txt", {.columns = 80, .quiet = true}},
    };
    struct sample sample;

    (void)state;
    sample_init(&sample);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *text = sample_text(&sample.result, &rows[i].look);

        assert_golden(rows[i].golden, text);
        free(text);
    }
    sample_clear(&sample);
}

static void the_result_file_and_the_spreadsheet_are_these_to_the_byte(void **state)
{
    struct sample sample;
    json_t *root;
    size_t size;
    char *text;
    FILE *stream = open_memstream(&text, &size);

    (void)state;
    sample_init(&sample);
    assert_int_equal(ls_report_csv(&sample.result, stream, NULL), LS_OK);
    assert_int_equal(fclose(stream), 0);
    assert_golden("report.csv", text);
    free(text);
    stream = open_memstream(&text, &size);
    sample.result.comparison = comparison_sample();
    assert_int_equal(ls_result_to_json(&sample.result, &root, NULL), LS_OK);
    ls_comparison_free(sample.result.comparison);
    assert_int_equal(ls_json_write(root, stream, NULL), LS_OK);
    assert_int_equal(fclose(stream), 0);
    assert_golden("result.json", text);
    free(text);
    json_decref(root);
    sample_clear(&sample);
}

/* However narrow the page, no line is longer and none ends in blanks. */
static void no_line_is_wider_than_the_page(void **state)
{
    struct sample sample;

    (void)state;
    sample_init(&sample);
    free(sample.runs[1].certificate);
    sample.runs[1].certificate =
        strdup("a certificate with a name as long as a Monday morning, 東京");
    for (int columns = 60; columns <= 160; columns++) {
        for (int utf8 = 0; utf8 <= 1; utf8++) {
            const struct ls_report_look look = {.columns = columns, .utf8 = utf8 == 1};
            char *text = sample_text(&sample.result, &look), *line, *rest;

            for (line = strtok_r(text, "\n", &rest); line != NULL;
                 line = strtok_r(NULL, "\n", &rest)) {
                if (text_width(line) > (size_t)columns || line[strlen(line) - 1] == ' ') {
                    fail_msg("%d columns: %s|", columns, line);
                }
            }
            free(text);
        }
    }
    sample_clear(&sample);
}

static void at_80_columns_what_decides_is_still_there(void **state)
{
    static const char *const needed[] = {"p50",      "p99",    "p100",  "handshake",
                                         "cores at", "failed", "logged"};
    const struct ls_report_look look = {.columns = 80, .utf8 = true};
    struct sample sample;
    char *text, *end;

    (void)state;
    sample_init(&sample);
    text = sample_text(&sample.result, &look);
    end = strstr(text, "RSA 4096");
    assert_non_null(end);
    *end = '\0'; /* the headings alone */
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        if (strstr(text, needed[i]) == NULL) {
            fail_msg("no %s", needed[i]);
        }
    }
    free(text);
    sample_clear(&sample);
}

static void a_name_cannot_reach_the_terminal_raw(void **state)
{
    const struct ls_report_look looks[] = {{.columns = 100, .utf8 = true},
                                           {.columns = 100},
                                           {.columns = 100, .utf8 = true, .quiet = true}};
    struct sample sample;

    (void)state;
    sample_init(&sample);
    sample.result.name = (char[]){"a\x1b[31mb\nc\x9b"
                                  "2J\xc2\x9b\xe2\x80\xae"};
    free(sample.runs[0].certificate);
    sample.runs[0].certificate = strdup("\x1b]0;title\x07R\r\n");
    sample.runs[0].partial = true;
    sample.runs[0].partial_why = strdup("\x1b[2J");
    sample.notes[0] = (char[]){"\x1b[5m"};
    for (size_t i = 0; i < sizeof looks / sizeof looks[0]; i++) {
        char *text = sample_text(&sample.result, &looks[i]);

        for (const char *c = text; *c != '\0'; c++) {
            if (((unsigned char)*c < 0x20 && *c != '\n') || *c == 0x7f) {
                fail_msg("a control character %d", *c);
            }
        }
        assert_null(strstr(text, "\xc2\x9b"));
        assert_null(strstr(text, "\xe2\x80\xae"));
        free(text);
    }
    sample_clear(&sample);
}

static void colour_is_for_what_went_wrong_alone(void **state)
{
    static const struct {
        const char *why;
        enum ls_verdict verdict;
        int64_t failed;
        bool red, yellow;
    } rows[] = {
        {"all is well", LS_VALID, 0, false, false},
        {"somebody failed", LS_VALID, 3, true, false},
        {"suspect", LS_SUSPECT, 0, false, true},
        {"invalid", LS_INVALID, 0, true, false},
    };
    const struct ls_report_look look = {.columns = 100, .utf8 = true, .colour = true};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sample sample;
        char *text;

        sample_init(&sample);
        sample.result.runs_count = 1;
        sample.result.targets_count = 0;
        sample.runs[0].validity.verdict = rows[i].verdict;
        sample.runs[0].failed = rows[i].failed;
        sample.runs[0].cores_at_peak_minute = 0.001;
        text = sample_text(&sample.result, &look);
        if ((strstr(text, "\x1b[31m") != NULL) != rows[i].red ||
            (strstr(text, "\x1b[33m") != NULL) != rows[i].yellow) {
            fail_msg("%s", rows[i].why);
        }
        free(text);
        sample_clear(&sample);
    }
}

static void sped_up_latencies_are_labelled_and_others_are_not(void **state)
{
    static const char label[] = "The latencies are those of a morning 60 times as dense; cores at "
                                "08:30 are the real one's, at the CPU per login measured here.";
    const struct ls_report_look look = {.columns = 200, .utf8 = true};
    const struct ls_report_look quiet = {.columns = 200, .quiet = true};
    struct sample sample;
    char *text;

    (void)state;
    sample_init(&sample);
    text = sample_text(&sample.result, &look);
    assert_non_null(strstr(text, label));
    free(text);
    text = sample_text(&sample.result, &quiet);
    assert_non_null(strstr(text, " at 60 times the pace"));
    free(text);
    sample.result.speedup = 1;
    text = sample_text(&sample.result, &look);
    assert_null(strstr(text, "as dense"));
    assert_non_null(strstr(text, "08:00-09:00 at its own pace"));
    free(text);
    text = sample_text(&sample.result, &quiet);
    assert_null(strstr(text, "times the pace"));
    free(text);
    sample_clear(&sample);
}

static void a_queue_that_the_speed_up_made_is_called_that(void **state)
{
    static const struct {
        double cores;
        bool told;
        const char *why;
    } rows[] = {
        {0.0158, false, "0.948 cores of one: full, but it keeps up"},
        {0.0159, true, "0.954 cores of one"},
        {2.5, true, "150 cores"},
        {-1, false, "CPU that is not known"},
    };
    const struct ls_report_look look = {.columns = 300, .utf8 = true};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sample sample;
        char *text;

        sample_init(&sample);
        sample.result.runs_count = 1;
        sample.runs[0].cores_at_peak_minute = rows[i].cores;
        text = sample_text(&sample.result, &look);
        if ((strstr(text, "that queue is the speed-up's") != NULL) != rows[i].told) {
            fail_msg("%s", rows[i].why);
        }
        free(text);
        sample_clear(&sample);
    }
}

static void a_partial_result_says_so_first(void **state)
{
    const struct ls_report_look look = {.columns = 100, .utf8 = true};
    struct sample sample;
    char *text, *said;

    (void)state;
    sample_init(&sample);
    sample.result.partial = true;
    text = sample_text(&sample.result, &look);
    said = strstr(text, "PARTIAL RESULT: it ended before every certificate had its run.");
    assert_non_null(said);
    assert_true(said < strstr(text, "certificate  "));
    free(text);
    sample.runs[0].partial = true;
    sample.runs[0].logged_in = 1234;
    sample.runs[0].partial_why = strdup("SIGINT");
    text = sample_text(&sample.result, &look);
    assert_non_null(strstr(text, "PARTIAL RESULT: RSA 4096 ended early (SIGINT): 1,234 of 6,000 "
                                 "users came to an end.\n"));
    free(text);
    sample_clear(&sample);
}

static void what_is_not_known_is_a_dash(void **state)
{
    const struct ls_report_look look = {.columns = 120, .utf8 = true};
    const struct synthetic nobody = {.users = 10, .failed = 10};
    struct ls_measurement measurement = synthetic_measurement(NULL, 0);
    struct ls_run run;
    struct ls_result result = {.users = 10, .speedup = 1, .runs = &run, .runs_count = 1};
    char *text;

    (void)state;
    measurement.gateway = (struct ls_gateway_account){.source = "none"};
    sample_run(&run, &nobody, measurement);
    text = sample_text(&result, &look);
    assert_non_null(strstr(text,
                           "RSA 4096             0      10          -    -     -              "
                           "-                 -               -               -\n"));
    assert_non_null(strstr(text, "The gateway's CPU is not known.\n"));
    free(text);
    run.gateway_cpu_ns = 650 * LS_NS_PER_MS;
    result.shard.count = 2;
    text = sample_text(&result, &look);
    assert_null(strstr(text, "The gateway's CPU is not known."));
    assert_non_null(strstr(text,
                           "The gateway's CPU, 650 ms with RSA 4096, is for all shards' users; "
                           "`loginstorm merge` divides it.\n"));
    result.shard.count = 0;
    run.gateway_cpu_ns = -1;
    free(text);
    text = sample_text(&result, &look);
    assert_non_null(
        strstr(text, "RSA 4096: nobody was logged in, so suspect: there is no latency and no cost "
                     "to go by\n"));
    assert_non_null(strstr(text, "RSA 4096: 10 users failed: the gateway refused the connection "
                                 "(connect_refused)\n"));
    assert_null(strstr(text, "-1"));
    assert_null(strstr(text, "nan"));
    free(text);
    ls_run_clear(&run);
}

static void a_result_without_runs_says_that_nothing_was_measured(void **state)
{
    const struct ls_report_look look = {.columns = 80, .utf8 = true};
    const struct ls_result result = {.name = (char[]){"x"}, .speedup = 1, .window_ns = LS_NS_PER_H};
    char *text = sample_text(&result, &look);

    (void)state;
    assert_string_equal(text, "x · 0 users · 00:00-01:00 at its own pace · seed 0\n"
                              "gateway: embedded\n"
                              "Nothing was measured.\n");
    free(text);
}

static void a_gain_never_rounds_to_all_of_it(void **state)
{
    static const struct {
        double cost;
        const char *words;
    } rows[] = {
        {1000, "+0 %"}, {40, "-96 %"}, {2, "-99.8 %"}, {0.001, "-99.9 %"}, {2500, "+150 %"}};
    const struct ls_report_look look = {.columns = 120, .utf8 = true};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sample sample;
        char *text;

        sample_init(&sample);
        sample.runs[0].cpu_us_per_handshake = 1000;
        sample.runs[1].cpu_us_per_handshake = rows[i].cost;
        text = sample_text(&sample.result, &look);
        if (strstr(text, rows[i].words) == NULL) {
            fail_msg("%s in %s", rows[i].words, text);
        }
        free(text);
        sample_clear(&sample);
    }
}

static void a_full_disk_is_an_error(void **state)
{
    const struct ls_report_look look = {.columns = 80};
    struct sample sample;
    struct ls_error err;
    FILE *full = fopen("/dev/full", "w");

    (void)state;
    assert_non_null(full);
    sample_init(&sample);
    assert_int_equal(ls_report_text(&sample.result, &look, full, &err), LS_EWRITE);
    assert_string_equal(err.text, "cannot write the report: No space left on device");
    assert_int_equal(ls_report_csv(&sample.result, full, &err), LS_EWRITE);
    assert_int_equal(ls_report_heading(&sample.result, &look, full, &err), LS_EWRITE);
    (void)fclose(full);
    sample_clear(&sample);
}

static void a_core_that_was_full_would_not_carry_more(void **state)
{
    const struct ls_report_look look = {.columns = 200, .utf8 = true};
    struct sample sample;
    struct ls_moment full = {.gateway_cpu_share = 1};
    struct ls_moment *kept;
    size_t count;
    char *text;

    (void)state;
    sample_init(&sample);
    text = sample_text(&sample.result, &look);
    assert_non_null(strstr(text, "one core carries more than is said here.\n"));
    assert_null(strstr(text, "cores were full"));
    free(text);
    kept = sample.runs[0].timeline;
    count = sample.runs[0].timeline_count;
    sample.runs[0].timeline = &full;
    sample.runs[0].timeline_count = 1;
    text = sample_text(&sample.result, &look);
    assert_non_null(strstr(text, "said here, but for those that were full:\n"));
    assert_non_null(strstr(text, "RSA 4096: its gateway's cores were full\n"));
    free(text);
    sample.runs[0].timeline = kept;
    sample.runs[0].timeline_count = count;
    sample_clear(&sample);
}

static void a_target_says_its_pace_and_whether_it_can_be_trusted(void **state)
{
    const struct ls_report_look look = {.columns = 200, .utf8 = true};
    struct sample sample;
    char *text;

    (void)state;
    sample_init(&sample);
    sample.runs[0].validity.verdict = LS_INVALID;
    text = sample_text(&sample.result, &look);
    assert_non_null(strstr(text, "target login_p99 (60 times as dense): "));
    assert_non_null(strstr(text, "target gateway_cpu_peak (at the scenario's own pace): "));
    assert_non_null(strstr(text, ": met, but the measurement is invalid\n"));
    free(text);
    sample.result.speedup = 1;
    text = sample_text(&sample.result, &look);
    assert_null(strstr(text, "target login_p99 ("));
    free(text);
    sample_clear(&sample);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_report_is_this_to_the_byte),
        cmocka_unit_test(the_result_file_and_the_spreadsheet_are_these_to_the_byte),
        cmocka_unit_test(no_line_is_wider_than_the_page),
        cmocka_unit_test(at_80_columns_what_decides_is_still_there),
        cmocka_unit_test(a_name_cannot_reach_the_terminal_raw),
        cmocka_unit_test(colour_is_for_what_went_wrong_alone),
        cmocka_unit_test(sped_up_latencies_are_labelled_and_others_are_not),
        cmocka_unit_test(a_queue_that_the_speed_up_made_is_called_that),
        cmocka_unit_test(a_partial_result_says_so_first),
        cmocka_unit_test(what_is_not_known_is_a_dash),
        cmocka_unit_test(a_result_without_runs_says_that_nothing_was_measured),
        cmocka_unit_test(a_gain_never_rounds_to_all_of_it),
        cmocka_unit_test(a_full_disk_is_an_error),
        cmocka_unit_test(a_core_that_was_full_would_not_carry_more),
        cmocka_unit_test(a_target_says_its_pace_and_whether_it_can_be_trusted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
