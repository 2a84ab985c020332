/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "report/targets.h"
#include "unit/report/sample.h"

static void a_miss_is_told_by_how_much(void **state)
{
    static const struct {
        int64_t limit, value;
        bool is_share, met, never;
        const char *by, *value_words, *why;
    } rows[] = {
        {1000000000, 1200000000, false, false, false, "by 200 ms, 20 % over", "1.20 s", "a fifth"},
        {1000000000, 1000812000, false, false, false, "by 812 µs, 0.08 % over", "1.00 s",
         "so little that both read alike"},
        {1000000, 25000000, false, false, false, "by 24.0 ms, 25 times the limit", "25.0 ms",
         "so much that percents say nothing"},
        {1000, 2000, true, false, false, "by 0.1 points, 100 % over", "0.2 %", "a share"},
        {0, 2000, true, false, false, "by 0.2 points", "0.2 %", "there is no part of nothing"},
        {1000000, 900000, false, true, false, "", "900 µs", "met"},
        {1000000, 1000000, false, true, false, "", "1.00 ms", "met exactly"},
        {1000000, -1, false, false, false, "", "not known", "not judged"},
        {1000000, -1, false, false, true, "", "never, so many failed", "without end"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct ls_target_outcome target = {.name = "login_p99",
                                                 .limit = rows[i].limit,
                                                 .value = rows[i].value,
                                                 .is_share = rows[i].is_share,
                                                 .met = rows[i].met,
                                                 .never = rows[i].never};
        char by[64], value[32];

        target_by_words(&target, by, sizeof by);
        target_value_words(&target, value, sizeof value);
        if (strcmp(by, rows[i].by) != 0 || strcmp(value, rows[i].value_words) != 0) {
            fail_msg("%s: %s, %s", rows[i].why, by, value);
        }
    }
}

static void who_missed_it_is_told_once_where_others_might_have(void **state)
{
    struct sample sample;
    struct ls_target_outcome target = {.name = "login_p99", .limit = 2 * LS_NS_PER_MS};
    char who[200];

    (void)state;
    sample_init(&sample);
    target_missers(&sample.result, &target, who, sizeof who);
    assert_string_equal(who, "RSA 4096 by 6.86 ms, 343 % over; ECDSA P-256 by 870 µs, 44 % over; "
                             "ECDSA P-384 by 1.26 ms, 63 % over");
    free(sample.runs[1].certificate);
    sample.runs[1].certificate = strdup("RSA 4096"); /* another round */
    target_missers(&sample.result, &target, who, sizeof who);
    assert_string_equal(who, "RSA 4096 by 6.86 ms, 343 % over; ECDSA P-384 by 1.26 ms, 63 % over");
    target_missers(&sample.result, &target, who, 50);
    assert_string_equal(who, "RSA 4096 by 6.86 ms, 343 % over; ...");
    target.limit = sample.runs[2].of_all_p99;
    target_missers(&sample.result, &target, who, sizeof who);
    assert_string_equal(who, "RSA 4096");
    sample.result.runs_count = 1;
    target_missers(&sample.result, &target, who, sizeof who);
    assert_string_equal(who, "");
    sample_clear(&sample);
}

static void a_spreadsheet_has_limits_and_misses_of_each_certificate(void **state)
{
    struct sample sample;
    size_t size;
    char *text;
    FILE *stream = open_memstream(&text, &size);

    (void)state;
    sample_init(&sample);
    sample.runs[2].of_all_p99 = LS_NEVER_NS;
    sample.runs[2].failed = 4000;
    sample.runs[2].logged_in = 2000;
    sample.runs[0].cores_at_peak_minute = -1;
    assert_int_equal(ls_report_csv(&sample.result, stream, NULL), LS_OK);
    assert_int_equal(fclose(stream), 0);
    assert_non_null(strstr(
        text, ",target_login_p50_limit_us,target_login_p50_missed_by_us,target_login_p95_limit_us,"
              "target_login_p95_missed_by_us,target_login_p99_limit_us,target_login_p99_missed_by_"
              "us,target_login_p100_limit_us,target_login_p100_missed_by_us,target_failed_limit_"
              "share,target_failed_missed_by_share,target_gateway_cpu_peak_limit_share,target_"
              "gateway_cpu_peak_missed_by_share,repeat\n"));
    assert_non_null(strstr(text, ",,,,,1000000,0,,,0.001,0,0.7,,1\nECDSA P-256"));
    assert_non_null(strstr(text, ",,,,,1000000,0,,,0.001,0.001,0.7,0,1\nECDSA P-384"));
    assert_non_null(strstr(text, ",,,,,1000000,inf,,,0.001,0.665667,0.7,0,1\n"));
    free(text);
    sample_clear(&sample);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_miss_is_told_by_how_much),
        cmocka_unit_test(who_missed_it_is_told_once_where_others_might_have),
        cmocka_unit_test(a_spreadsheet_has_limits_and_misses_of_each_certificate),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
