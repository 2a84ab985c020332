/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/record/synthetic.h"

#define MS LS_NS_PER_MS

/*
 * A sequence of four: TCP takes 1 ms, the handshakes 20, 10, 12 and 14 ms, the answer 5 ms. Then six,
 * three at a time: TCP 2 ms, handshakes 30, 31, 32 ms and once more, answers 8 ms.
 */
static const int64_t sequence_ms[] = {20, 10, 12, 14};
static const struct ls_played_wave both[] = {
    {.sequence = true, .first = 0, .count = 4, .concurrency = 1},
    {.sequence = false, .first = 4, .count = 6, .concurrency = 3},
};

static struct ls_login came(int64_t started_ns, int64_t tcp_ns, int64_t tls_ns, int64_t answer_ns)
{
    return (struct ls_login){.due_ns = started_ns,
                             .started_ns = started_ns,
                             .connected_ns = started_ns + tcp_ns,
                             .secured_ns = started_ns + tcp_ns + tls_ns,
                             .done_ns = started_ns + tcp_ns + tls_ns + answer_ns,
                             .attempts = 1,
                             .outcome = LS_OUTCOME_LOGGED_IN};
}

static struct ls_record *loops_record(size_t fails)
{
    struct ls_record *record;
    int64_t at_ns = 7 * MS;

    assert_int_equal(ls_record_new(&record, 10, 10, NULL), LS_OK);
    for (size_t i = 0; i < 10; i++) {
        struct ls_login row = i < 4 ? came(at_ns, MS, sequence_ms[i] * MS, 5 * MS)
                                    : came(at_ns + (int64_t)(i - 4) / 3 * 50 * MS, 2 * MS,
                                           (30 + (int64_t)(i - 4) % 3) * MS, 8 * MS);

        at_ns = i < 4 ? row.done_ns : at_ns;
        if (i == fails) {
            row.outcome = LS_OUTCOME_FAILED;
            row.reason = LS_REASON_HANDSHAKE_RESET;
            row.secured_ns = LS_NEVER_NS;
        }
        assert_int_equal(ls_record_login(record, i, &row), LS_OK);
    }
    return record;
}

static void build(struct ls_run *run, size_t fails)
{
    struct ls_record *record = loops_record(fails);
    struct ls_measurement measurement = synthetic_measurement(record, 1000000);

    measurement.waves = both;
    measurement.waves_count = 2;
    measurement.speedup = 1;
    measurement.from_ns = measurement.window_ns = 0;
    measurement.peak_minute_at_ns = measurement.peak_minute_logins = -1;
    measurement.peak_second_at_ns = measurement.peak_second_logins = -1;
    assert_int_equal(ls_run_build(run, &measurement, NULL), LS_OK);
    ls_record_free(record);
}

static void each_loop_is_measured_by_itself(void **state)
{
    struct ls_run run;

    (void)state;
    build(&run, SIZE_MAX);
    assert_int_equal(run.waves_count, 2);
    assert_true(run.waves[0].sequence);
    assert_int_equal(run.waves[0].logins, 4);
    assert_int_equal(run.waves[0].concurrency, 1);
    assert_int_equal(run.waves[0].logged_in, 4);
    assert_int_equal(run.waves[0].duration_ns, (21 + 11 + 13 + 15 + 4 * 5) * MS);
    assert_true(run.waves[0].logins_per_s >= 50 && run.waves[0].logins_per_s <= 50);
    assert_int_equal(run.waves[0].handshake.mean, 14 * MS);
    assert_int_equal(run.waves[0].handshake.p50, 12 * MS);
    assert_int_equal(run.waves[0].handshake.p100, 20 * MS);
    assert_int_equal(run.waves[0].secured.p50, 13 * MS);
    assert_int_equal(run.waves[0].login.p100, 26 * MS);
    assert_int_equal(run.waves[0].each_count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(run.waves[0].each_ns[i], sequence_ms[i] * MS);
    }
    assert_false(run.waves[1].sequence);
    assert_int_equal(run.waves[1].logins, 6);
    assert_int_equal(run.waves[1].concurrency, 3);
    assert_int_equal(run.waves[1].duration_ns, (50 + 42) * MS);
    assert_true(run.waves[1].logins_per_s >= 65.217 && run.waves[1].logins_per_s <= 65.217);
    assert_int_equal(run.waves[1].secured.count, 6);
    assert_int_equal(run.waves[1].secured.p50, 33 * MS);
    assert_int_equal(run.waves[1].login.p50, 41 * MS);
    assert_int_equal(run.waves[1].login.p100, 42 * MS);
    assert_int_equal(run.waves[1].login.mean, 41 * MS);
    assert_int_equal(run.waves[1].each_count, 0);
    ls_run_clear(&run);
}

static void what_a_closed_loop_has_no_meaning_for_is_not_known(void **state)
{
    struct ls_run run;

    (void)state;
    build(&run, SIZE_MAX);
    assert_int_equal(run.validity.start_lag.count, 0);
    assert_int_equal(run.validity.start_lag.p99, LS_NEVER_NS);
    assert_int_equal(run.peak_minute_logins, -1);
    assert_true(run.cores_at_peak_minute < 0 && run.cores_at_peak_second < 0);
    assert_int_equal(run.peak_in_flight, 3);
    assert_int_equal(run.timeline[0].at_ns, 0);
    ls_run_clear(&run);
}

static void who_failed_is_counted_and_in_no_latency(void **state)
{
    struct ls_run run;

    (void)state;
    build(&run, 0);
    assert_int_equal(run.waves[0].logged_in, 3);
    assert_int_equal(run.waves[0].failed, 1);
    assert_int_equal(run.waves[0].handshake.count, 3);
    assert_int_equal(run.waves[0].handshake.p100, 14 * MS);
    assert_int_equal(run.waves[0].duration_ns, 80 * MS);
    assert_true(run.waves[0].logins_per_s >= 37.5 && run.waves[0].logins_per_s <= 37.5);
    assert_int_equal(run.waves[0].each_ns[0], LS_NEVER_NS);
    assert_int_equal(run.waves[0].each_ns[1], 10 * MS);
    assert_int_equal(run.waves[1].failed, 0);
    ls_run_clear(&run);
}

static void loops_that_are_not_those_of_the_record_are_our_fault(void **state)
{
    static const struct {
        struct ls_played_wave waves[2];
        const char *reason;
    } rows[] = {
        {{{.first = 0, .count = 4}, {.first = 5, .count = 5}}, "a user between them"},
        {{{.first = 0, .count = 4}, {.first = 4, .count = 5}}, "a user behind them"},
        {{{.first = 0, .count = 4}, {.first = 4, .count = 7}}, "a user too many"},
        {{{.first = 0, .count = 10}, {.first = 10, .count = 0}}, "an empty one"},
    };
    struct ls_record *record = loops_record(SIZE_MAX);
    struct ls_measurement measurement = synthetic_measurement(record, 1000000);

    (void)state;
    measurement.waves_count = 2;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_run run;

        print_message("%s\n", rows[i].reason);
        measurement.waves = rows[i].waves;
        assert_int_equal(ls_run_build(&run, &measurement, NULL), LS_EBROKEN);
        assert_null(run.waves);
    }
    ls_record_free(record);
}

/* Whoever wants them all has samples.csv. */
static void a_long_sequence_keeps_no_list_of_its_handshakes(void **state)
{
    for (size_t count = LS_EACH_MAX; count <= LS_EACH_MAX + 1; count++) {
        const struct ls_played_wave wave = {.sequence = true, .count = count, .concurrency = 1};
        struct ls_record *record;
        struct ls_measurement measurement;
        struct ls_run run;

        (void)state;
        assert_int_equal(ls_record_new(&record, count, 1, NULL), LS_OK);
        for (size_t i = 0; i < count; i++) {
            const struct ls_login row = came((int64_t)i * 10 * MS, MS, MS, MS);

            assert_int_equal(ls_record_login(record, i, &row), LS_OK);
        }
        measurement = synthetic_measurement(record, 1000000);
        measurement.waves = &wave;
        measurement.waves_count = 1;
        assert_int_equal(ls_run_build(&run, &measurement, NULL), LS_OK);
        assert_int_equal(run.waves[0].each_count, count == LS_EACH_MAX ? count : 0);
        ls_run_clear(&run);
        ls_record_free(record);
    }
}

static void published_figures_go_through_as_they_are(void **state)
{
    const struct ls_published published = {.source = (char *)(uintptr_t) "a paper",
                                           .handshake_mean_ns = 17500000,
                                           .rate_per_s = 96.7,
                                           .secured_p50_ns = -1,
                                           .login_p50_ns = 118 * MS,
                                           .login_p100_ns = 604 * MS,
                                           .client_hello_bytes = 1779,
                                           .server_flight_bytes = -1};
    struct ls_record *record = loops_record(SIZE_MAX);
    struct ls_measurement measurement = synthetic_measurement(record, 1000000);
    struct ls_run run;

    (void)state;
    measurement.published = &published;
    assert_int_equal(ls_run_build(&run, &measurement, NULL), LS_OK);
    assert_string_equal(run.published.source, "a paper");
    assert_ptr_not_equal(run.published.source, published.source);
    assert_int_equal(run.published.handshake_mean_ns, 17500000);
    assert_int_equal(run.published.secured_p50_ns, -1);
    assert_int_equal(run.published.client_hello_bytes, 1779);
    ls_run_clear(&run);
    measurement.published = NULL;
    assert_int_equal(ls_run_build(&run, &measurement, NULL), LS_OK);
    assert_null(run.published.source);
    assert_int_equal(run.published.client_hello_bytes, -1);
    ls_run_clear(&run);
    ls_record_free(record);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_loop_is_measured_by_itself),
        cmocka_unit_test(what_a_closed_loop_has_no_meaning_for_is_not_known),
        cmocka_unit_test(who_failed_is_counted_and_in_no_latency),
        cmocka_unit_test(loops_that_are_not_those_of_the_record_are_our_fault),
        cmocka_unit_test(a_long_sequence_keeps_no_list_of_its_handshakes),
        cmocka_unit_test(published_figures_go_through_as_they_are),
    };

    return cmocka_run_group_tests_name("record/waves", tests, NULL, NULL);
}
