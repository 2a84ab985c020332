/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "report/page.h"

#include "unit/record/comparison_sample.h"
#include "unit/report/sample.h"

static char *text_of(const struct ls_comparison *comparison, const struct ls_report_look *look)
{
    size_t size;
    char *text;
    FILE *stream = open_memstream(&text, &size);

    assert_int_equal(ls_report_comparison(comparison, look, stream, NULL), LS_OK);
    assert_int_equal(fclose(stream), 0);
    return text;
}

static void a_comparison_is_this_to_the_byte(void **state)
{
    static const struct {
        const char *golden;
        struct ls_report_look look;
    } rows[] = {
        {"comparison-80.txt", {.columns = 80, .utf8 = true}},
        {"comparison-120.txt", {.columns = 120, .utf8 = true}},
        {"comparison-100-colour.txt", {.columns = 100, .utf8 = true, .colour = true}},
    };
    struct ls_comparison *comparison = comparison_sample();
    size_t size;
    char *text;
    FILE *stream;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        text = text_of(comparison, &rows[i].look);
        assert_golden(rows[i].golden, text);
        free(text);
    }
    stream = open_memstream(&text, &size);
    assert_int_equal(ls_report_comparison_csv(comparison, stream, NULL), LS_OK);
    assert_int_equal(fclose(stream), 0);
    assert_golden("comparison.csv", text);
    free(text);
    ls_comparison_free(comparison);
}

static void no_line_is_wider_than_the_page(void **state)
{
    struct ls_comparison *comparison = comparison_sample();

    (void)state;
    for (int columns = 72; columns <= 130; columns++) {
        const struct ls_report_look look = {.columns = columns, .utf8 = true};
        char *text = text_of(comparison, &look), *line, *rest;

        for (line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
            if (text_width(line) > (size_t)columns || line[strlen(line) - 1] == ' ') {
                fail_msg("%d columns: %s|", columns, line);
            }
        }
        free(text);
    }
    ls_comparison_free(comparison);
}

static void a_result_s_own_comparison_stands_below_its_table(void **state)
{
    const struct ls_report_look look = {.columns = 100, .utf8 = true};
    const struct ls_report_look quiet = {.columns = 100, .quiet = true};
    struct sample sample;
    char *text, *at;

    (void)state;
    sample_init(&sample);
    sample.result.comparison = comparison_sample();
    text = sample_text(&sample.result, &look);
    at = strstr(text,
                "ECDSA P-256 [2] against RSA 4096 [1] (5 rounds side by side, geometric means)");
    assert_non_null(at);
    assert_non_null(strstr(at, "CPU a handshake"));
    assert_null(strstr(at, "one core carries")); /* the table above has it */
    assert_non_null(strstr(at, "What to make of it"));
    free(text);
    text = sample_text(&sample.result, &quiet);
    assert_null(strstr(text, "against"));
    free(text);
    ls_comparison_free(sample.result.comparison);
    sample_clear(&sample);
}

static void a_gain_is_never_all_of_it_nor_a_share_where_it_is_many_times(void **state)
{
    static const struct {
        double ratio;
        const char *words;
    } rows[] = {{1, " 0 %"},          {1.0004, " 0 %"}, {0.976, " -2.4 %"}, {0.07, " -93.0 %"},
                {0.0001, " -99.9 %"}, {2.5, " +150 %"}, {14.06, " ×14.1"}};
    const struct ls_report_look look = {.columns = 120, .utf8 = true};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_comparison *comparison = comparison_sample();
        char *text;

        comparison->pairs[0].figure[LS_FIGURE_LOGIN_P50].ratio = rows[i].ratio;
        text = text_of(comparison, &look);
        if (strstr(text, rows[i].words) == NULL) {
            fail_msg("%s in %s", rows[i].words, text);
        }
        free(text);
        ls_comparison_free(comparison);
    }
}

static void a_full_disk_is_an_error(void **state)
{
    const struct ls_report_look look = {.columns = 80};
    struct ls_comparison *comparison = comparison_sample();
    FILE *full = fopen("/dev/full", "w");

    (void)state;
    assert_non_null(full);
    assert_int_equal(ls_report_comparison(comparison, &look, full, NULL), LS_EWRITE);
    assert_int_equal(ls_report_comparison_csv(comparison, full, NULL), LS_EWRITE);
    (void)fclose(full);
    ls_comparison_free(comparison);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_comparison_is_this_to_the_byte),
        cmocka_unit_test(no_line_is_wider_than_the_page),
        cmocka_unit_test(a_result_s_own_comparison_stands_below_its_table),
        cmocka_unit_test(a_gain_is_never_all_of_it_nor_a_share_where_it_is_many_times),
        cmocka_unit_test(a_full_disk_is_an_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
