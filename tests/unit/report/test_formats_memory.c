/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/record/comparison_sample.h"
#include "unit/refusing_streams.h"
#include "unit/report/sample.h"

static enum ls_code write_curve(const struct ls_result *result, FILE *out, struct ls_error *err)
{
    return ls_report_hgrm(&result->runs[0], LS_CURVE_OF_LOGIN, out, err);
}

static void whatever_allocation_fails_it_is_told_and_nothing_is_lost(void **state)
{
    static const struct {
        enum ls_code (*write)(const struct ls_result *result, FILE *out, struct ls_error *err);
        long least; /* allocations: a format that makes none needs no test */
    } formats[] = {
        {ls_report_csv, 6}, {ls_report_junit, 20}, {ls_report_markdown, 40}, {write_curve, 1}};
    struct sample sample;

    (void)state;
    sample_init(&sample);
    sample.result.partial = sample.runs[0].partial = true;
    sample.result.comparison = comparison_sample();
    for (size_t f = 0; f < sizeof formats / sizeof formats[0]; f++) {
        FILE *out = fopen("/dev/null", "w");
        long before, needed;

        assert_non_null(out);
        assert_int_equal(formats[f].write(&sample.result, out, NULL), LS_OK); /* its buffer */
        before = blocks;
        allocations = 0;
        assert_int_equal(formats[f].write(&sample.result, out, NULL), LS_OK);
        needed = allocations;
        if (needed < formats[f].least) {
            fail_msg("format %zu: %ld allocations", f, needed);
        }
        assert_true(blocks == before);
        for (long i = 0; i < needed; i++) {
            struct ls_error err = {0};

            allocations = 0;
            refuse_at = i;
            assert_int_equal(formats[f].write(&sample.result, out, &err), LS_ENOMEM);
            refuse_at = -1;
            assert_string_equal(err.text, "no memory for the report");
            assert_true(blocks == before);
        }
        (void)fclose(out);
    }
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
