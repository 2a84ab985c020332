/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "loginstorm/merge.h"
#include "loginstorm/rows.h"
#include "record/tables.h"
#include "unit/record/synthetic.h"
#include "unit/refusing.h"

static struct ls_record *record; /* made before anything is refused */
static const struct ls_result *shards[2];

static enum ls_code take_rows(struct ls_error *err)
{
    static const char *const populations[] = {"office", "home"};
    static char text[] = SAMPLES_HEADER "P,1,home,5,6,7,8,9,1,logged_in,,2\n";
    const struct ls_share share = {0};
    const struct ls_rows_wish wish = {.certificate = "P",
                                      .repeat = 1, /* none of that round is there */
                                      .populations = populations,
                                      .populations_count = 2,
                                      .share = &share};
    FILE *stream = fmemopen(text, strlen(text), "r");
    struct ls_rows *rows;
    size_t count = 1;
    enum ls_code code;

    assert_non_null(stream);
    code = ls_rows_new(&rows, stream, "samples.csv", LS_ROWS_SAMPLES, err);
    if (code == LS_OK) {
        code = ls_rows_take(rows, &wish, record, &count, err);
        assert_int_equal(count, 0);
    }
    ls_rows_close(rows);
    return code;
}

static enum ls_code measure(struct ls_error *err)
{
    struct ls_merging merging = {.shards = shards, .count = 2};
    struct ls_measurement measurement = {
        .certificate = "A", .repeat = 1, .speedup = 60, .record = record};
    const enum ls_code code = ls_merge_measure(&measurement, &merging, err);

    ls_merging_clear(&merging);
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
        assert_int_equal(what(&err), LS_ENOMEM);
        assert_int_equal(blocks, 0);
        assert_true(err.text[0] != '\0');
    }
    refuse_at = -1;
}

static void whatever_allocation_fails_it_is_told_and_nothing_is_lost(void **state)
{
    static char certificate[] = "A", key[] = "ecdsa-p256", source[] = "exporter";
    const struct synthetic what = {.users = 20, .handshake_ns = 500000};
    struct ls_moment timeline[2] = {{.gateway_cpu_share = 0.5}, {.gateway_cpu_share = 0.25}};
    struct ls_run run = {
        .certificate = certificate,
        .key = key,
        .repeat = 1,
        .live = true,
        .gateway_source = source,
        .gateway_cpu_ns = 1000,
        .slice_ns = LS_NS_PER_MIN,
        .timeline = timeline,
        .timeline_count = 2,
        .shard = {.started_ns = LS_NS_PER_S},
    };
    struct ls_result result = {.injectors = 1,
                               .runs = &run,
                               .runs_count = 1,
                               .shard = {.index = 1, .count = 2, .host = "left"}};

    (void)state;
    record = synthetic_record(&what);
    shards[0] = &result;
    must_fail_well(take_rows, 5);
    must_fail_well(measure, 2);
    ls_record_free(record);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whatever_allocation_fails_it_is_told_and_nothing_is_lost),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
