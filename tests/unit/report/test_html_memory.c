/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/record/comparison_sample.h"
#include "unit/refusing_streams.h"
#include "unit/report/sample.h"

static struct sample sample;
static struct ls_plan plan;

static enum ls_code write_result(FILE *out, struct ls_error *err)
{
    return ls_report_html(&sample.result, out, err);
}

static enum ls_code write_live(FILE *out, struct ls_error *err)
{
    return ls_report_live_html(&sample.result, "/events", 1, out, err);
}

static enum ls_code write_comparison(FILE *out, struct ls_error *err)
{
    return ls_report_comparison_html(sample.result.comparison, out, err);
}

static enum ls_code write_plan(FILE *out, struct ls_error *err)
{
    return ls_report_plan_html(&plan, out, err);
}

static void whatever_allocation_fails_it_is_told_and_nothing_is_lost(void **state)
{
    static enum ls_code (*const pages[])(FILE * out, struct ls_error * err) = {
        write_result, write_live, write_comparison, write_plan};
    static char name[] = "A", words[] = "words";
    struct ls_plan_row row = {.certificate = name, .gateways = 2};
    FILE *out = fopen("/dev/null", "w");

    (void)state;
    assert_non_null(out);
    sample_init(&sample);
    sample.result.comparison = comparison_sample();
    for (int i = 0; i < LS_PLAN_CLIFF; i++) {
        row.cliff[i] = (struct ls_plan_farm){.users = 10 + i, .gateways = 2};
    }
    row.one_less = row.cliff[0];
    plan = (struct ls_plan){
        .name = name, .costs = name, .words = words, .users = 10, .rows = &row, .rows_count = 1};
    for (size_t p = 0; p < sizeof pages / sizeof pages[0]; p++) {
        long before, needed;

        assert_int_equal(pages[p](out, NULL), LS_OK); /* the stream's buffer */
        before = blocks;
        allocations = 0;
        assert_int_equal(pages[p](out, NULL), LS_OK);
        needed = allocations;
        assert_true(needed > 30);
        assert_true(blocks == before);
        for (long i = 0; i < needed; i += i < 2000 ? 1 : 17) {
            struct ls_error err = {0};

            allocations = 0;
            refuse_at = i;
            assert_int_equal(pages[p](out, &err), LS_ENOMEM);
            refuse_at = -1;
            assert_string_equal(err.text, "no memory for the report");
            assert_true(blocks == before);
        }
    }
    (void)fclose(out);
    ls_comparison_free(sample.result.comparison);
    sample_clear(&sample);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whatever_allocation_fails_it_is_told_and_nothing_is_lost),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
