/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "loginstorm/costs.h"
#include "unit/record/synthetic.h"

#define RUNS_MAX 4

struct stage {
    struct ls_result result;
    struct ls_run runs[RUNS_MAX];
};

static void stage_init(struct stage *stage)
{
    static char cpu[] = "AMD EPYC", library[] = "wolfSSL 5.9.2";

    *stage = (struct stage){
        .result = {.speedup = 60, .host_cpu = cpu, .host_cores = 2, .tls_library = library}};
    stage->result.runs = stage->runs;
}

/* 200 logins of two handshakes in 2 s, 403 server flights; 10 and 700 ms of CPU in its samples. */
static struct ls_run *add_run(struct stage *stage, const char *certificate, int64_t cpu_ns)
{
    const struct synthetic what = {.users = 200, .handshake_ns = 500000};
    struct ls_record *record = synthetic_record(&what);
    struct ls_measurement measurement = synthetic_measurement(record, cpu_ns);
    struct ls_run *run = &stage->runs[stage->result.runs_count++];

    measurement.certificate = certificate;
    measurement.repeat = (int)stage->result.runs_count;
    assert_int_equal(ls_run_build(run, &measurement, NULL), LS_OK);
    run->validity.verdict = LS_VALID;
    ls_record_free(record);
    return run;
}

static void stage_clear(struct stage *stage)
{
    for (size_t i = 0; i < stage->result.runs_count; i++) {
        ls_run_clear(&stage->runs[i]);
    }
}

static void a_run_gives_a_row_with_one_load(void **state)
{
    struct stage stage;
    struct ls_costs *costs;
    const struct ls_cost_at *at;

    (void)state;
    stage_init(&stage);
    (void)add_run(&stage, "RSA 4096", INT64_C(403000000)); /* 1 ms each */
    assert_int_equal(ls_costs_of_result(&costs, &stage.result, NULL), LS_OK);
    assert_string_equal(costs->source, "run");
    assert_string_equal(costs->host_cpu, "AMD EPYC");
    assert_null(costs->left_out);
    assert_int_equal(costs->count, 1);
    assert_string_equal(costs->rows[0].certificate, "RSA 4096");
    assert_string_equal(costs->rows[0].key, "rsa-4096");
    assert_null(costs->rows[0].group);
    assert_null(costs->rows[0].version);
    assert_false(costs->rows[0].resumed);
    assert_int_equal(costs->rows[0].send_bytes, -1);
    assert_int_equal(costs->rows[0].at_count, 1);
    at = &costs->rows[0].at[0];
    assert_int_equal(at->handshakes, 400);
    assert_int_equal(at->rounds, 1);
    assert_true(fabs(at->cpu_ns - 1e6) < 1e-3);
    assert_true(fabs(at->tls_ns - 500000) < 1e-3);
    assert_true(at->user_ns < 0); /* ticks tell nothing of so short a run */
    assert_true(at->cpu_low_ns < 0 && at->cpu_high_ns < 0);
    /* a hundred logins of two handshakes a second; the first second took 0.5 of the core, the second 0.2 */
    assert_true(fabs(at->per_s - 200) < 1e-6);
    assert_true(fabs(at->core_share - 0.35) < 1e-6);
    assert_int_equal(at->hello.count, 0);
    assert_int_equal(at->handshake.count, 400);
    assert_int_equal(at->handshake.points_ns[50], 500000);
    assert_int_equal(at->login.count, 200);
    ls_costs_free(costs);
    stage_clear(&stage);
}

static void rounds_of_one_certificate_are_one_row(void **state)
{
    struct stage stage;
    struct ls_costs *costs;
    const struct ls_cost_at *at;

    (void)state;
    stage_init(&stage);
    (void)add_run(&stage, "RSA 4096", INT64_C(403000000));
    (void)add_run(&stage, "RSA 4096", INT64_C(403000000) * 13 / 10);
    add_run(&stage, "RSA 4096", INT64_C(403000000) * 11 / 10)->validity.verdict = LS_SUSPECT;
    add_run(&stage, "RSA 4096", INT64_C(403000000) * 9)->validity.verdict = LS_INVALID;
    assert_int_equal(ls_costs_of_result(&costs, &stage.result, NULL), LS_OK);
    assert_int_equal(costs->count, 1);
    at = &costs->rows[0].at[0];
    assert_int_equal(at->rounds, 3);
    assert_int_equal(at->handshakes, 1200);
    assert_int_equal(at->verdict, LS_SUSPECT);
    assert_true(fabs(at->cpu_ns - 1.1e6) < 1); /* the median */
    /* mean 1,133.3 us, standard deviation 152.75 us, t of two degrees 4.303: +- 379.5 us */
    assert_true(fabs(at->cpu_low_ns - 753900) < 200);
    assert_true(fabs(at->cpu_high_ns - 1512800) < 200);
    ls_costs_free(costs);
    stage_clear(&stage);
}

static void what_cannot_be_trusted_is_left_out_and_named(void **state)
{
    struct stage stage;
    struct ls_costs *costs;
    struct ls_error err = {0};

    (void)state;
    stage_init(&stage);
    (void)add_run(&stage, "RSA 4096", INT64_C(403000000));
    add_run(&stage, "late", INT64_C(403000000))->validity.verdict = LS_INVALID;
    add_run(&stage, "short", INT64_C(403000000))->partial = true;
    assert_int_equal(ls_costs_of_result(&costs, &stage.result, &err), LS_OK);
    assert_int_equal(costs->count, 1);
    assert_string_equal(costs->left_out, "late (invalid), short (ended early)");
    ls_costs_free(costs);
    stage.runs[0].partial = true;
    assert_int_equal(ls_costs_of_result(&costs, &stage.result, &err), LS_EINPUT);
    assert_null(costs);
    assert_string_equal(err.text, "no run in it tells what a handshake costs: RSA 4096 (ended "
                                  "early), late (invalid), short (ended early)");
    stage_clear(&stage);
}

static void a_simulated_cost_is_refused(void **state)
{
    struct stage stage;
    struct ls_costs *costs;
    struct ls_error err = {0};

    (void)state;
    stage_init(&stage);
    add_run(&stage, "RSA 4096", INT64_C(403000000))->live = false;
    assert_int_equal(ls_costs_of_result(&costs, &stage.result, &err), LS_EINPUT);
    assert_null(costs);
    assert_non_null(strstr(err.text, "a cost has to be measured"));
    stage_clear(&stage);
}

static void a_mix_of_full_and_resumed_is_told(void **state)
{
    static const struct {
        int64_t full, resumed;
        double share;
        bool is_resumed;
    } rows[] = {{400, 0, 0, false}, {300, 100, 0.25, false}, {0, 400, 1, true}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct stage stage;
        struct ls_costs *costs;
        struct ls_run *run;

        stage_init(&stage);
        run = add_run(&stage, "RSA 4096", INT64_C(403000000));
        run->handshakes_full = rows[i].full;
        run->handshakes_resumed = rows[i].resumed;
        assert_int_equal(ls_costs_of_result(&costs, &stage.result, NULL), LS_OK);
        assert_true(fabs(costs->rows[0].resumed_share - rows[i].share) < 1e-9);
        assert_int_equal(costs->rows[0].resumed, rows[i].is_resumed);
        ls_costs_free(costs);
        stage_clear(&stage);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_gives_a_row_with_one_load),
        cmocka_unit_test(rounds_of_one_certificate_are_one_row),
        cmocka_unit_test(what_cannot_be_trusted_is_left_out_and_named),
        cmocka_unit_test(a_simulated_cost_is_refused),
        cmocka_unit_test(a_mix_of_full_and_resumed_is_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
