/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "unit/record/synthetic.h"

static void a_range_is_of_nearest_ranks(void **state)
{
    static int64_t values[200];
    struct ls_range range;

    (void)state;
    for (int64_t i = 0; i < 200; i++) {
        values[i] = (i * 77 + 13) % 200 + 1; /* 77 is prime to 200: 1 to 200, shuffled */
    }
    ls_range_of(&range, values, 200);
    assert_int_equal(range.median, 100);
    assert_int_equal(range.low, 5);    /* ceil(0.025 x 200) */
    assert_int_equal(range.high, 195); /* ceil(0.975 x 200) */
    assert_int_equal(range.in_95, 190);
    assert_int_equal(range.worst, 200);
}

static void a_morning_without_end_is_longer_than_any(void **state)
{
    int64_t some[] = {7, LS_NEVER_NS, 5, 6};
    int64_t all[] = {LS_NEVER_NS, LS_NEVER_NS};
    struct ls_range range;

    (void)state;
    ls_range_of(&range, some, 4);
    assert_int_equal(range.low, 5);
    assert_int_equal(range.median, 6);
    assert_int_equal(range.in_95, LS_NEVER_NS);
    assert_int_equal(range.worst, LS_NEVER_NS);
    ls_range_of(&range, all, 2);
    assert_int_equal(range.median, LS_NEVER_NS);
    ls_range_of(&range, NULL, 0);
    assert_int_equal(range.worst, LS_NEVER_NS);
}

static struct ls_range range_of(int64_t median)
{
    return (struct ls_range){median, median - 5, median + 7, median + 6, median + 1234567};
}

struct made {
    struct ls_run run;
    struct ls_result result;
};

/* One run with mornings of 6,000 users. */
static void make(struct made *made)
{
    static char created[] = "now", name[] = "x", costs[] = "costs.json (AMD EPYC, 2026-11-30)";
    const struct synthetic what = {.users = 60, .handshake_ns = 500000};
    struct ls_record *record = synthetic_record(&what);
    struct ls_measurement measurement = synthetic_measurement(record, 400000000);

    measurement.live = false;
    assert_int_equal(ls_run_build(&made->run, &measurement, NULL), LS_OK);
    ls_record_free(record);
    made->run.mornings = (struct ls_run_mornings){
        .count = 200,
        .login_p50 = range_of(20001000),
        .login_p95 = range_of(30000000),
        .login_p99 = range_of(40000000),
        .login_p100 = range_of(50000000),
        .of_all_p50 = range_of(60000000),
        .of_all_p95 = range_of(70000000),
        .of_all_p99 = {80000000, 80000000, LS_NEVER_NS, 95000001, LS_NEVER_NS},
        .of_all_p100 = {90000000, 90000000, LS_NEVER_NS, LS_NEVER_NS, LS_NEVER_NS},
        .failed_share = {0, 0, 2000, 1500, 900000},
        .peak_minute_logins = {269, 241, 315, 300, 320},
        .gateway_peak_share = {510000, 480000, 610000, 600000, 1000000},
        .returned = 7,
        .returned_users = 6,
    };
    made->result = (struct ls_result){.created = created,
                                      .name = name,
                                      .speedup = 1,
                                      .window_ns = LS_NS_PER_H,
                                      .costs = costs,
                                      .runs = &made->run,
                                      .runs_count = 1};
}

static void mornings_are_read_as_they_were_written(void **state)
{
    struct ls_result *read;
    struct ls_error err;
    struct made made;
    json_t *root;

    (void)state;
    make(&made);
    assert_int_equal(ls_result_to_json(&made.result, &root, &err), LS_OK);
    if (ls_result_from_json(&read, root, "x", &err) != LS_OK) {
        fail_msg("%s", err.text);
    }
    assert_memory_equal(&read->runs[0].mornings, &made.run.mornings, sizeof made.run.mornings);
    assert_string_equal(read->costs, made.result.costs);
    assert_false(read->runs[0].live);
    ls_result_free(read);
    json_decref(root);
    ls_run_clear(&made.run);
}

static void what_is_no_morning_is_refused_by_its_place(void **state)
{
    static const struct {
        const char *why, *object, *key, *part, *said;
    } rows[] = {
        {"a share is no text", NULL, "failed_share", "median", "failed_share.median"},
        {"nor is a latency", "login_us", "p99", "worst", "login_us.p99.worst"},
        {"nor a count", NULL, "peak_minute_logins", "in_95_percent",
         "peak_minute_logins.in_95_percent"},
    };
    struct ls_result *read;
    struct ls_error err;
    struct made made;

    (void)state;
    make(&made);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        json_t *root, *at;

        assert_int_equal(ls_result_to_json(&made.result, &root, &err), LS_OK);
        at = json_object_get(json_array_get(json_object_get(root, "runs"), 0), "mornings");
        at = rows[i].object == NULL ? at : json_object_get(at, rows[i].object);
        at = json_object_get(at, rows[i].key);
        assert_int_equal(json_object_set_new(at, rows[i].part, json_string("many")), 0);
        assert_int_equal(ls_result_from_json(&read, root, "x", &err), LS_EINPUT);
        if (strstr(err.text, rows[i].said) == NULL) {
            fail_msg("%s: %s", rows[i].why, err.text);
        }
        json_decref(root);
    }
    ls_run_clear(&made.run);
}

static void a_target_is_met_when_95_percent_of_mornings_meet_it(void **state)
{
    static const struct {
        const char *name;
        int64_t limit, value;
        bool met, never;
    } rows[] = {
        {"login_p99", 95000001, 95000001, true, false},
        {"login_p99", 95000000, 95000001, false, false},
        {"login_p100", INT64_MAX, -1, false, true},
        {"failed", 1500, 1500, true, false},
        {"failed", 1499, 1500, false, false},
        {"gateway_cpu_peak", 600000, 600000, true, false},
        {"gateway_cpu_peak", 599999, 600000, false, false},
    };
    struct made made;

    (void)state;
    make(&made);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct ls_target_outcome *target;

        assert_int_equal(ls_result_add_target(&made.result, rows[i].name, rows[i].limit, NULL),
                         LS_OK);
        target = &made.result.targets[i];
        if (target->met != rows[i].met || target->never != rows[i].never ||
            target->value != rows[i].value) {
            fail_msg("row %zu: %ld", i, (long)target->value);
        }
    }
    free(made.result.targets);
    ls_run_clear(&made.run);
}

/* Nothing of ours is in the way of virtual time: no lag, no verdict on an injector, no bytes. */
static void a_simulated_run_is_valid_and_knows_no_bytes(void **state)
{
    struct ls_record *record;
    struct ls_measurement measurement;
    struct ls_run run;

    (void)state;
    assert_int_equal(ls_record_new(&record, 2, 2, NULL), LS_OK);
    for (uint32_t i = 0; i < 2; i++) {
        const struct ls_login login = {.due_ns = 0,
                                       .started_ns = 900000000, /* it waited for an injector */
                                       .connected_ns = 900000000,
                                       .secured_ns = 900100000,
                                       .done_ns = 900100000,
                                       .attempts = 1,
                                       .outcome = LS_OUTCOME_LOGGED_IN};
        const struct ls_handshake handshake = {.started_ns = 900000000,
                                               .connected_ns = 900000000,
                                               .ended_ns = 900100000,
                                               .user = i,
                                               .attempt = 1,
                                               .retransmits = 3,
                                               .outcome = LS_OUTCOME_LOGGED_IN,
                                               .ticket_bytes = -1,
                                               .no_bytes = true};

        assert_int_equal(ls_record_login(record, i, &login), LS_OK);
        assert_int_equal(ls_record_handshake(record, &handshake), LS_OK);
    }
    measurement = synthetic_measurement(record, 400000000);
    measurement.live = false;
    measurement.worst_stall_ns = 0;
    assert_int_equal(ls_run_build(&run, &measurement, NULL), LS_OK);
    assert_int_equal(run.validity.verdict, LS_VALID);
    assert_int_equal(run.validity.reasons_count, 0);
    assert_int_equal(run.validity.start_lag.count, 0);
    assert_int_equal(run.validity.retransmitted, 2);
    assert_true(run.client_hello_bytes < 0 && run.server_flight_bytes < 0);
    assert_true(run.to_gateway_bytes < 0 && run.from_gateway_bytes < 0 && run.ticket_bytes < 0);
    ls_run_clear(&run);
    measurement.live = true; /* the same rows of an injector */
    assert_int_equal(ls_run_build(&run, &measurement, NULL), LS_OK);
    assert_int_equal(run.validity.verdict, LS_INVALID);
    ls_run_clear(&run);
    ls_record_free(record);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_range_is_of_nearest_ranks),
        cmocka_unit_test(a_morning_without_end_is_longer_than_any),
        cmocka_unit_test(mornings_are_read_as_they_were_written),
        cmocka_unit_test(what_is_no_morning_is_refused_by_its_place),
        cmocka_unit_test(a_target_is_met_when_95_percent_of_mornings_meet_it),
        cmocka_unit_test(a_simulated_run_is_valid_and_knows_no_bytes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
