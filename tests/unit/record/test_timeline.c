/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "record/build.h"
#include "record/fields.h"

#include "unit/record/synthetic.h"

static void real_time_becomes_scenario_time_exactly(void **state)
{
    static const struct {
        const char *why;
        int64_t real_ns;
        double speedup;
        int64_t expected;
    } rows[] = {
        {"the scenario's own pace", 1234567891234567, 1, 1234567891234567},
        {"whole speedups are integers", 1000000001, 60, 60000000060},
        {"more than a double holds exactly", 50000000000000003, 60, 3000000000000000180},
        {"just below what a double holds", 9007199254740993, 3, 27021597764222979},
        {"half the pace", 3, 0.5, 1},
        {"two and a half", 3, 2.5, 7},
        {"what does not fit stops short of overflow", INT64_MAX, 60, 4000000000000000000},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (scenario_ns(rows[i].real_ns, rows[i].speedup) != rows[i].expected) {
            fail_msg("%s: %ld", rows[i].why, (long)scenario_ns(rows[i].real_ns, rows[i].speedup));
        }
    }
}

static void the_timeline_loses_nobody(void **state)
{
    static const struct {
        const char *why;
        struct synthetic what;
        double speedup;
        int64_t window_ns, slice_ns;
        size_t count;
    } rows[] = {
        {"an hour has minutes",
         {.users = 600, .handshake_ns = 500000, .failed = 40},
         60,
         LS_NS_PER_H,
         LS_NS_PER_MIN,
         60},
        {"ten minutes have minutes",
         {.users = 600, .handshake_ns = 500000},
         60,
         10 * LS_NS_PER_MIN,
         LS_NS_PER_MIN,
         10},
        {"nine minutes have seconds",
         {.users = 600, .handshake_ns = 500000, .cut_off = 9},
         60,
         9 * LS_NS_PER_MIN,
         LS_NS_PER_S,
         540},
        {"nine seconds have tenths",
         {.users = 600, .handshake_ns = 500000},
         1,
         9 * LS_NS_PER_S,
         100 * LS_NS_PER_MS,
         90},
        {"it runs on until the last was done",
         {.users = 600, .handshake_ns = 500000},
         1,
         2 * LS_NS_PER_S,
         100 * LS_NS_PER_MS,
         60}, /* the last is due at 5.99 s */
        {"too many slices become fewer",
         {.users = 600, .handshake_ns = 500000},
         1000,
         9 * LS_NS_PER_S,
         800 * LS_NS_PER_MS,
         7491},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_record *record = synthetic_record(&rows[i].what);
        struct ls_measurement measurement = synthetic_measurement(record, 0);
        int64_t due = 0, logged_in = 0, failed = 0;
        struct ls_run run;

        measurement.speedup = rows[i].speedup;
        measurement.window_ns = rows[i].window_ns;
        measurement.partial = rows[i].what.cut_off > 0;
        assert_int_equal(ls_run_build(&run, &measurement, NULL), LS_OK);
        for (size_t k = 0; k < run.timeline_count; k++) {
            due += run.timeline[k].due;
            logged_in += run.timeline[k].logged_in;
            failed += run.timeline[k].failed;
            assert_true(run.timeline[k].in_flight >= 0);
            assert_int_equal(run.timeline[k].at_ns, (int64_t)k * run.slice_ns);
        }
        if (run.slice_ns != rows[i].slice_ns || run.timeline_count != rows[i].count) {
            fail_msg("%s: %zu slices of %ld", rows[i].why, run.timeline_count, (long)run.slice_ns);
        }
        assert_int_equal(due, run.total);
        assert_int_equal(logged_in, run.logged_in);
        assert_int_equal(failed, run.failed);
        assert_int_equal(run.timeline[run.timeline_count - 1].in_flight, 0);
        ls_run_clear(&run);
        ls_record_free(record);
    }
}

static void each_slice_has_its_own_figures(void **state)
{
    static const int64_t due_ms[] = {0, 100, 900, 999, 1000},
                         done_ms[] = {400, 2100, 950, 1000, 1300};
    static const struct ls_cpu_sample samples[] = {
        {500000000, 0}, {1500000000, 800000000}, {2500000000, 900000000}};
    static const struct ls_moment expected[] = {
        {0, 4, 2, 0, 2, 2, 50000000, 400000000, 400000000, 0.8},
        {1000000000, 1, 2, 0, 1, 2, 1000000, 300000000, 300000000, 0.45},
        {2000000000, 0, 1, 0, 0, 1, 2000000000, 2000000000, 2000000000, 0.1},
        {3000000000, 0, 0, 0, 0, 0, LS_NEVER_NS, LS_NEVER_NS, LS_NEVER_NS, -1},
    };
    struct ls_record *record;
    struct ls_measurement measurement;
    struct ls_run run;

    (void)state;
    assert_int_equal(ls_record_new(&record, 5, 0, NULL), LS_OK);
    for (size_t i = 0; i < 5; i++) {
        const struct ls_login login = {.due_ns = due_ms[i] * LS_NS_PER_MS,
                                       .started_ns = due_ms[i] * LS_NS_PER_MS,
                                       .done_ns = done_ms[i] * LS_NS_PER_MS,
                                       .attempts = 1,
                                       .outcome = LS_OUTCOME_LOGGED_IN};

        assert_int_equal(ls_record_login(record, i, &login), LS_OK);
    }
    measurement = synthetic_measurement(record, 900000000);
    measurement.speedup = 1;
    measurement.window_ns = 20 * LS_NS_PER_S;
    measurement.gateway.samples = samples;
    assert_int_equal(ls_run_build(&run, &measurement, NULL), LS_OK);
    assert_int_equal(run.timeline_count, 20);
    for (size_t i = 0; i < 4; i++) {
        const struct ls_moment *found = &run.timeline[i];
        const double off = found->gateway_cpu_share - expected[i].gateway_cpu_share;

        assert_int_equal(found->at_ns, expected[i].at_ns);
        assert_int_equal(found->due, expected[i].due);
        assert_int_equal(found->logged_in, expected[i].logged_in);
        assert_int_equal(found->in_flight, expected[i].in_flight);
        assert_int_equal(found->peak_in_flight, expected[i].peak_in_flight);
        assert_int_equal(found->p50_ns, expected[i].p50_ns);
        assert_int_equal(found->p99_ns, expected[i].p99_ns);
        assert_int_equal(found->p100_ns, expected[i].p100_ns);
        assert_true(off > -1e-6 && off < 1e-6);
    }
    ls_run_clear(&run);
    ls_record_free(record);
}

static void a_slice_is_named_by_the_clock_no_finer_than_it_is(void **state)
{
    static const struct {
        int64_t from_ns, slice_ns, at_ns;
        const char *expected;
    } rows[] = {
        {8 * LS_NS_PER_H, LS_NS_PER_MIN, 31 * LS_NS_PER_MIN, "08:31"},
        {8 * LS_NS_PER_H + 30 * LS_NS_PER_S, LS_NS_PER_MIN, LS_NS_PER_MIN, "08:01:30"},
        {23 * LS_NS_PER_H, LS_NS_PER_MIN, LS_NS_PER_H, "00:00"},
        {8 * LS_NS_PER_H, LS_NS_PER_S, 65 * LS_NS_PER_S, "08:01:05"},
        {8 * LS_NS_PER_H, 100 * LS_NS_PER_MS, 1300 * LS_NS_PER_MS, "08:00:01.3"},
        {8 * LS_NS_PER_H, 1600 * LS_NS_PER_MS, 3200 * LS_NS_PER_MS, "08:00:03.2"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct ls_run run = {.slice_ns = rows[i].slice_ns};
        const struct ls_moment moment = {.at_ns = rows[i].at_ns};
        char out[32];

        slice_clock(rows[i].from_ns, &run, &moment, out, sizeof out);
        assert_string_equal(out, rows[i].expected);
    }
}

static void a_time_of_day_is_read_back_exactly(void **state)
{
    static const struct {
        int64_t ns;
        const char *text;
    } rows[] = {
        {0, "00:00"},
        {8 * LS_NS_PER_H + 30 * LS_NS_PER_MIN, "08:30"},
        {8 * LS_NS_PER_H + 5 * LS_NS_PER_S, "08:00:05"},
        {8 * LS_NS_PER_H + 250 * LS_NS_PER_MS, "08:00:00.25"},
        {LS_NS_PER_DAY - 1, "23:59:59.999999999"},
    };
    static const char *const wrong[] = {"",         "8:30",        "24:00", "08:60",
                                        "08:30:60", "08:30x",      "08",    "08:30:05.1234567890",
                                        "0x:30",    "08:30:00.5s", "-8:30"};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char out[32];
        int64_t ns;

        clock_write(rows[i].ns, out, sizeof out);
        assert_string_equal(out, rows[i].text);
        assert_true(clock_read(out, &ns));
        assert_int_equal(ns, rows[i].ns);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        int64_t ns;

        if (clock_read(wrong[i], &ns)) {
            fail_msg("read: %s", wrong[i]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(real_time_becomes_scenario_time_exactly),
        cmocka_unit_test(the_timeline_loses_nobody),
        cmocka_unit_test(each_slice_has_its_own_figures),
        cmocka_unit_test(a_slice_is_named_by_the_clock_no_finer_than_it_is),
        cmocka_unit_test(a_time_of_day_is_read_back_exactly),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
