/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "report/page.h"

#include <stdlib.h>
#include <string.h>

#include "loginstorm/units.h"

static struct ls_plan_farm farm_of(int64_t users, int up, double peak, unsigned missed)
{
    return (struct ls_plan_farm){
        .users = users,
        .gateways = up,
        .cores = 2,
        .mornings = 100,
        .p99_ns = {200e6, missed != 0 ? (double)HUGE_VAL : 250e6},
        .failed_share = {0, missed != 0 ? 0.02 : 0},
        .cpu_peak_share = {peak - 0.02, peak},
        .syn_dropped = {0, missed != 0 ? 1234 : 0},
        .timed_out = {0, missed != 0 ? 120 : 0},
        .attempts = {1, missed != 0 ? 1.07 : 1},
        .capacity_share = {-1, -1},
        .missed = missed,
        .why = missed != 0 ? LS_BREAK_BACKLOG : LS_BREAK_NONE,
    };
}

#define P99_MISSED (1U << LS_TARGET_LOGIN_P99)

/* What a plan points to. */
static char plan_name[] = "Roll-out \x1b[31m", costs_name[] = "costs.json",
            paragraph[] = "6,000 users log in.", rsa[] = "RSA \"4096\", old",
            rsa_key[] = "rsa-4096", rsa_notes[] = "a guess\nanother", p256[] = "P-256",
            p256_key[] = "ecdsa-p256", too_slow[] = "it is too slow", p256_notes[] = "a guess";

/* One certificate with an answer, one that nothing can serve. */
struct sample {
    struct ls_plan plan;
    struct ls_plan_row rows[2];
};

static void sample_init(struct sample *sample)
{
    *sample = (struct sample){
        .plan = {.name = plan_name,
                 .seed = 1,
                 .users = 6000,
                 .from_ns = 8 * LS_NS_PER_H,
                 .window_ns = LS_NS_PER_H,
                 .mornings = 100,
                 .farm_given = true,
                 .gateways = 2,
                 .cores = 2,
                 .spare = 1,
                 .events = 1,
                 .costs = costs_name,
                 .rows_count = 2,
                 .words = paragraph},
        .rows = {{.certificate = rsa,
                  .key = rsa_key,
                  .gateways = 3,
                  .gateways_low = 2,
                  .gateways_high = 4,
                  .single_cores = 5,
                  .today = farm_of(6000, 1, 1, P99_MISSED),
                  .today_carries = {3400, false},
                  .carries = {7080, false},
                  .edge = farm_of(7100, 2, 0.71, P99_MISSED),
                  .notes = rsa_notes},
                 {.certificate = p256,
                  .key = p256_key,
                  .why_not = too_slow,
                  .today_carries = {60000, true},
                  .carries = {-1, false},
                  .notes = p256_notes}},
    };
    for (int t = 0; t < LS_PLAN_TARGETS; t++) {
        sample->plan.limits[t].limit = -1;
    }
    sample->plan.limits[LS_TARGET_LOGIN_P99].limit = 1e9;
    sample->plan.limits[LS_TARGET_CPU_PEAK].limit = 0.7;
    for (int i = 0; i < LS_PLAN_CLIFF; i++) {
        sample->rows[0].cliff[i] = farm_of((int64_t)(6000 * ls_plan_cliff_factors[i] + 0.5), 2,
                                           0.6 * ls_plan_cliff_factors[i], i > 1 ? P99_MISSED : 0);
    }
    sample->plan.rows = sample->rows;
}

static char *text_of(const struct sample *sample, const struct ls_report_look *look)
{
    struct ls_error err;
    size_t size;
    char *text;
    FILE *stream = open_memstream(&text, &size);

    assert_int_equal(look == NULL ? ls_report_plan_csv(&sample->plan, stream, &err)
                                  : ls_report_plan(&sample->plan, look, stream, &err),
                     LS_OK);
    assert_int_equal(fclose(stream), 0);
    return text;
}

static void a_plan_tells_all_of_its_answer(void **state)
{
    static const char *const parts[] = {
        "Roll-out ?[31m", /* what a terminal would obey is not shown */
        "farm: 2 gateways of 2 cores, 1 of them spare, through 1 event",
        "login_p99 at most 1.00 s · gateway_cpu_peak at most 70 %",
        "2 to 4",
        "3,400",
        "18 %", /* of head room */
        "over 60,000",
        "none",
        "on 2 gateways (the spare ones down)",
        "1.25 times",
        "7,500",
        "never", /* one in a hundred never got in */
        "1,234",
        "login_p99 (backlog)",
        "6,000 users log in.",
        "note: a guess\n", /* of both, and so once, without their names */
        "note: RSA \"4096\", old: another\n",
    };
    const struct ls_report_look look = {.columns = 140, .utf8 = true};
    struct sample sample;
    const char *once;
    char *text;

    (void)state;
    sample_init(&sample);
    text = text_of(&sample, &look);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (strstr(text, parts[i]) == NULL) {
            fail_msg("no \"%s\" in %s", parts[i], text);
        }
    }
    assert_null(strstr(text, "PARTIAL"));
    once = strstr(text, "a guess");
    assert_null(strstr(once + 1, "a guess"));
    assert_null(strstr(text, "assumed"));
    free(text);
}

static void what_was_assumed_is_called_so(void **state)
{
    const struct ls_report_look look = {.columns = 140, .utf8 = true};
    struct sample sample;
    char *text;

    (void)state;
    sample_init(&sample);
    sample.plan.farm_given = false;
    sample.plan.limits[LS_TARGET_LOGIN_P99].assumed = true;
    text = text_of(&sample, &look);
    assert_non_null(strstr(text, "farm: assumed, since the scenario has none: 2 gateways"));
    assert_non_null(strstr(text, "70 % (assumed, since the scenario has none)"));
    free(text);
}

static void no_line_is_wider_than_the_page(void **state)
{
    struct sample sample;

    (void)state;
    sample_init(&sample);
    for (int columns = 72; columns <= 140; columns++) {
        const struct ls_report_look look = {.columns = columns, .utf8 = true};
        char *text = text_of(&sample, &look);

        for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
            if (text_width(line) > (size_t)columns) {
                fail_msg("%d: %s", columns, line);
            }
        }
        free(text);
    }
}

static void a_quiet_plan_is_a_line_a_certificate(void **state)
{
    const struct ls_report_look look = {.columns = 80, .utf8 = true, .quiet = true};
    struct sample sample;
    char *text;

    (void)state;
    sample_init(&sample);
    text = text_of(&sample, &look);
    assert_string_equal(text, "RSA \"4096\", old: 3 gateways (2 to 4), today carries 3,400 users\n"
                              "P-256: no number of gateways is enough, today carries over "
                              "60,000 users\n");
    free(text);
}

static void a_published_capacity_has_no_column_of_what_it_does_not_know(void **state)
{
    const struct ls_report_look look = {.columns = 140, .utf8 = true};
    struct sample sample;
    char *text;

    (void)state;
    sample_init(&sample);
    sample.plan.rows_count = 1;
    sample.plan.capacity = (struct ls_plan_capacity){.logins = 700, .in_ns = 600 * LS_NS_PER_S};
    sample.rows[0].certificate = NULL;
    sample.rows[0].cliff[0].capacity_share = (struct ls_plan_spread){0.85, 0.89};
    text = text_of(&sample, &look);
    assert_non_null(strstr(text, "capacity of a gateway, as published: 700 logins in 10m"));
    assert_non_null(strstr(text, "not judged, since a published capacity says nothing of them"));
    assert_non_null(strstr(text, "any certificate"));
    assert_non_null(strstr(text, "89 %"));
    assert_null(strstr(text, "peak CPU"));
    assert_null(strstr(text, "attempts"));
    free(text);
}

static void as_csv_what_is_not_known_is_empty(void **state)
{
    struct sample sample;
    char *text, *line;

    (void)state;
    sample_init(&sample);
    text = text_of(&sample, NULL);
    line = strtok(text, "\n");
    line = strtok(NULL, "\n");
    assert_string_equal(line, "\"RSA \"\"4096\"\", old\",rsa-4096,3,2,4,1,2,5,3400,7080,1,6000,"
                              "200000,250000,0,0.6,,0,0,1,\"\",none,no,no");
    for (int i = 1; i < LS_PLAN_CLIFF; i++) {
        line = strtok(NULL, "\n");
    }
    assert_string_equal(line, "\"RSA \"\"4096\"\", old\",rsa-4096,3,2,4,1,2,5,3400,7080,1.5,9000,"
                              "200000,,0.02,0.9,,1234,120,1.07,\"login_p99\",backlog,no,no");
    line = strtok(NULL, "\n"); /* nothing serves it, and so there is no cliff */
    assert_string_equal(line, "P-256,ecdsa-p256,0,0,0,1,2,0,60000,,1,0,,,,,,,,,\"\",none,yes,no");
    assert_null(strtok(NULL, "\n"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plan_tells_all_of_its_answer),
        cmocka_unit_test(what_was_assumed_is_called_so),
        cmocka_unit_test(no_line_is_wider_than_the_page),
        cmocka_unit_test(a_quiet_plan_is_a_line_a_certificate),
        cmocka_unit_test(a_published_capacity_has_no_column_of_what_it_does_not_know),
        cmocka_unit_test(as_csv_what_is_not_known_is_empty),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
