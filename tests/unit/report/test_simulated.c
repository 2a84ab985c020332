/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/report/sample.h"

static struct ls_range range_of(int64_t median)
{
    return (struct ls_range){median, median - 5, median + 7, median * 2, median * 3};
}

/* The sample, as a simulation of 200 mornings at the scenario's own pace. */
static void simulated_init(struct sample *sample)
{
    static char costs[] = "costs.json (AMD EPYC, 2026-11-30)";

    sample_init(sample);
    sample->result.speedup = 1;
    sample->result.costs = costs;
    free(sample->result.targets);
    sample->result.targets = NULL;
    sample->result.targets_count = 0;
    for (size_t i = 0; i < 3; i++) {
        struct ls_run *run = &sample->runs[i];

        run->live = false;
        run->validity =
            (struct ls_validity){.injector_cpu_share = -1, .start_skew_ns = LS_NEVER_NS};
        run->mornings = (struct ls_run_mornings){.count = 200,
                                                 .login_p50 = range_of(2000000),
                                                 .login_p99 = range_of(40000000),
                                                 .login_p100 = range_of(50000000),
                                                 .of_all_p99 = range_of(41000000),
                                                 .failed_share = {0, 0, 0, 1500, 9000},
                                                 .peak_minute_logins = range_of(269),
                                                 .gateway_peak_share = range_of(300000)};
    }
}

static void many_mornings_are_told_beside_the_first(void **state)
{
    const struct ls_report_look look = {.columns = 200, .utf8 = true};
    struct sample sample;
    char *text;

    (void)state;
    simulated_init(&sample);
    assert_int_equal(ls_result_add_target(&sample.result, "login_p99", 82000000, NULL), LS_OK);
    sample.runs[0].mornings.returned = 5;
    sample.runs[0].mornings.returned_users = 4;
    text = sample_text(&sample.result, &look);
    must_say(text,
             "the slowest login of all 200 mornings: RSA 4096 150 ms, ECDSA P-256 150 ms, ECDSA "
             "P-384 150 ms\n");
    must_say(text,
             "simulated: 200 mornings of the same kind, the first is the one in the upper table "
             "and in the folder; costs from costs.json (AMD EPYC, 2026-11-30)\n");
    must_say(text, "RSA 4096: 6,000 logins of 6,000 users, 4 of them twice or more\n");
    must_say(text, "target login_p99 (in 95 % of mornings): 82.0 ms, limit 82.0 ms: met\n");
    must_say(text, "60 %"); /* a gateway's peak */
    must_say(text, "0.15 %");
    assert_null(strstr(text, "measurement: ")); /* nothing was measured */
    assert_null(strstr(text, "loopback"));
    free(text);
    sample_clear(&sample);
}

static void one_morning_alone_has_no_table_of_many(void **state)
{
    const struct ls_report_look look = {.columns = 120, .utf8 = true};
    struct sample sample;
    char *text;

    (void)state;
    simulated_init(&sample);
    for (size_t i = 0; i < 3; i++) {
        sample.runs[i].mornings.count = 1;
    }
    text = sample_text(&sample.result, &look);
    must_say(text, "simulated: 1 morning of the same kind; costs from");
    assert_null(strstr(text, "in 95 %"));
    free(text);
    sample_clear(&sample);
}

static void mornings_on_which_nobody_gets_in_have_no_worst_login(void **state)
{
    const struct ls_report_look look = {.columns = 120, .utf8 = true};
    struct sample sample;
    char *text;

    (void)state;
    simulated_init(&sample);
    sample.runs[1].mornings.login_p100.in_95 = LS_NEVER_NS;
    text = sample_text(&sample.result, &look);
    must_say(text, "ECDSA P-256: there are mornings on which nobody gets in\n");
    free(text);
    sample_clear(&sample);
}

/* An event sends back whom it cuts off, and that hangs on the certificate. */
static void who_was_due_is_told_of_each_where_it_is_not_the_same(void **state)
{
    const struct ls_report_look look = {.columns = 120, .utf8 = true};
    struct sample sample;
    char *text;

    (void)state;
    simulated_init(&sample);
    text = sample_text(&sample.result, &look);
    must_say(text, "\nlogins due         08:00 █");
    free(text);
    sample.runs[1].timeline[7].due += 1000;
    text = sample_text(&sample.result, &look);
    must_say(text, "\nRSA 4096 due       08:00 █");
    must_say(text, "\nECDSA P-256 due    08:00 ▂");
    must_say(text, "  7,000, most 1,100 at 08:07\n");
    must_say(text, "\nECDSA P-384 due    08:00 █");
    assert_null(strstr(text, "logins due"));
    free(text);
    sample_clear(&sample);
}

static void its_file_is_the_golden_one(void **state)
{
    struct sample sample;
    struct ls_result *read;
    json_t *root;
    char *text;

    (void)state;
    simulated_init(&sample);
    assert_int_equal(ls_result_to_json(&sample.result, &root, NULL), LS_OK);
    text = json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
    assert_non_null(text);
    assert_golden("simulated.json", text);
    assert_int_equal(ls_result_from_json(&read, root, "x", NULL), LS_OK);
    ls_result_free(read);
    json_decref(root);
    free(text);
    sample_clear(&sample);
}

static void a_spreadsheet_has_the_mornings_of_a_simulation_alone(void **state)
{
    struct sample sample;
    char *text;
    size_t size;
    FILE *stream;

    (void)state;
    simulated_init(&sample);
    sample.runs[2].mornings.count = 0;
    stream = open_memstream(&text, &size);
    assert_int_equal(ls_report_csv(&sample.result, stream, NULL), LS_OK);
    assert_int_equal(fclose(stream), 0);
    must_say(text, ",mornings,mornings_login_p50_median_us,mornings_login_p99_median_us,"
                   "mornings_login_p99_in_95_percent_us,mornings_login_p100_median_us,"
                   "mornings_login_p100_in_95_percent_us,mornings_failed_share_in_95_percent,"
                   "mornings_gateway_peak_share_in_95_percent,target_");
    must_say(text, ",200,2000,40000,80000,50000,100000,0.0015,0.6,,,,,,,,,,,,,1\nECDSA P-256");
    must_say(text, ",,,,,,,,,,,,,,,,,,,,,1\n");
    free(text);
    sample_clear(&sample);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_mornings_are_told_beside_the_first),
        cmocka_unit_test(one_morning_alone_has_no_table_of_many),
        cmocka_unit_test(mornings_on_which_nobody_gets_in_have_no_worst_login),
        cmocka_unit_test(who_was_due_is_told_of_each_where_it_is_not_the_same),
        cmocka_unit_test(its_file_is_the_golden_one),
        cmocka_unit_test(a_spreadsheet_has_the_mornings_of_a_simulation_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
