/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/record/costs_sample.h"
#include "unit/record/synthetic.h"
#include "unit/refusing.h"

static struct ls_costs *scratch;
static struct ls_result *result;
static json_t *root;
static char *text;

static enum ls_code make(struct ls_error *err)
{
    enum ls_code code = ls_costs_of_result(&scratch, result, err);

    ls_costs_free(scratch);
    scratch = NULL;
    return code;
}

static enum ls_code take(struct ls_error *err)
{
    enum ls_code code = ls_costs_from_json(&scratch, root, "x", err);

    ls_costs_free(scratch);
    scratch = NULL;
    return code;
}

static enum ls_code speed(struct ls_error *err)
{
    static const char output[] = "version: 3.0.19\n+F2:2:4096:3000.75:1\n";
    struct ls_openssl_speed out;
    enum ls_code code = ls_openssl_speed_parse(&out, "x", output, sizeof output - 1, err);

    ls_openssl_speed_clear(&out);
    return code;
}

static void must_fail_well(enum ls_code (*what)(struct ls_error *err), long least)
{
    struct ls_error err;
    long needed;

    refuse_at = -1;
    blocks = allocations = 0;
    assert_int_equal(what(&err), LS_OK);
    needed = allocations;
    assert_int_equal(blocks, 0);
    assert_true(needed >= least);
    for (long i = 0; i < needed; i++) {
        err = (struct ls_error){0};
        allocations = 0;
        refuse_at = i;
        if (what(&err) != LS_ENOMEM || blocks != 0 || err.text[0] == '\0') {
            fail_msg("allocation %ld of %ld: %ld blocks are left, \"%s\"", i, needed, blocks,
                     err.text);
        }
    }
    refuse_at = -1;
}

static void whatever_allocation_fails_it_is_told_and_nothing_is_lost(void **state)
{
    const struct synthetic what = {.users = 20, .handshake_ns = 500000};
    struct ls_record *record = synthetic_record(&what);
    struct ls_measurement measurement = synthetic_measurement(record, 400000000);
    struct ls_run runs[2];
    struct ls_result of = {
        .speedup = 60, .runs = runs, .runs_count = 2, .created = (char[]){"now"}};
    struct ls_costs *costs = sample_costs();

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(ls_run_build(&runs[i], &measurement, NULL), LS_OK);
        runs[i].validity.verdict = LS_VALID;
    }
    result = &of;
    must_fail_well(make, 6);
    text = costs_text(costs);
    assert_int_equal(ls_json_parse(&root, "x", text, strlen(text), NULL), LS_OK);
    must_fail_well(take, 15);
    must_fail_well(speed, 2);
    json_decref(root);
    free(text);
    ls_costs_free(costs);
    ls_run_clear(&runs[0]);
    ls_run_clear(&runs[1]);
    ls_record_free(record);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whatever_allocation_fails_it_is_told_and_nothing_is_lost),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
