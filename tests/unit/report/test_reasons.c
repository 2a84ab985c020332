/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "report/lines.h"

#define RUNS 6

/* Six rounds of two certificates; the reasons of each, NULL-ended. */
static char *told(const char *const reasons[RUNS][3])
{
    static char names[RUNS][32];
    const struct ls_report_look look = {.columns = 200, .utf8 = true};
    struct ls_run runs[RUNS] = {0};
    const struct ls_result result = {.runs = runs, .runs_count = RUNS};
    struct page page = {.look = &look};
    size_t size;
    char *text;

    for (size_t i = 0; i < RUNS; i++) {
        (void)snprintf(names[i], sizeof names[i], "%s, round %zu",
                       i % 2 == 0 ? "RSA 4096" : "ECDSA P-256", i / 2 + 1);
        runs[i].certificate = names[i];
        runs[i].validity.verdict = LS_INVALID;
        for (size_t r = 0; reasons[i][r] != NULL; r++) {
            (void)snprintf(runs[i].validity.reasons[r], sizeof runs[i].validity.reasons[r], "%s",
                           reasons[i][r]);
            runs[i].validity.reasons_count = r + 1;
        }
    }
    page.out = open_memstream(&text, &size);
    assert_non_null(page.out);
    put_reasons(&page, &result);
    assert_int_equal(fclose(page.out), 0);
    return text;
}

static void what_all_runs_say_is_said_once_with_its_range(void **state)
{
    static const char *const reasons[RUNS][3] = {
        {"wait 40 %, limit 5 %"}, {"wait 80 %, limit 5 %"}, {"wait 55.5 %, limit 5 %"},
        {"wait 44 %, limit 5 %"}, {"wait 60 %, limit 5 %"}, {"wait 1,000 %, limit 5 %"},
    };
    char *text = told(reasons);

    (void)state;
    assert_string_equal(text, "  in 6 of 6 runs: wait 40 to 1,000 %, limit 5 %\n");
    free(text);
}

static void what_one_certificate_s_rounds_say_names_it(void **state)
{
    static const char *const reasons[RUNS][3] = {
        {"stall 60 ms", "lag 2 ms"},
        {NULL},
        {"stall 50 ms"},
        {"stall 50 µs"},
        {"stall 70 ms"},
        {NULL},
    };
    char *text = told(reasons);

    (void)state;
    assert_string_equal(text, "  RSA 4096, in 3 of 3 rounds: stall 50 to 70 ms\n"
                              "  RSA 4096, round 1: lag 2 ms\n"
                              "  ECDSA P-256, round 2: stall 50 µs\n");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_all_runs_say_is_said_once_with_its_range),
        cmocka_unit_test(what_one_certificate_s_rounds_say_names_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
