/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit/record/synthetic.h"

static struct ls_run built(const struct ls_measurement *measurement)
{
    struct ls_run run;
    struct ls_error err;

    if (ls_run_build(&run, measurement, &err) != LS_OK) {
        fail_msg("%s", err.text);
    }
    return run;
}

static bool near(double value, double expected)
{
    return value > expected - 1e-9 && value < expected + 1e-9;
}

static void users_and_handshakes_add_up(void **state)
{
    const struct synthetic what = {
        .users = 200, .handshake_ns = 500000, .failed = 10, .cut_off = 5};
    struct ls_record *record = synthetic_record(&what);
    struct ls_measurement measurement = synthetic_measurement(record, 400000000);
    struct ls_run run;

    (void)state;
    measurement.partial = true;
    measurement.partial_why = "SIGINT";
    run = built(&measurement);
    assert_int_equal(run.total, 200);
    assert_int_equal(run.logged_in, 185);
    assert_int_equal(run.failed, 10);
    assert_int_equal(run.cut_off, 5);
    assert_int_equal(run.by_reason[LS_REASON_CONNECT_REFUSED], 10);
    assert_int_equal(run.retried, 0);
    assert_int_equal(run.handshakes_total, 370);
    assert_int_equal(run.handshakes_full, 370);
    assert_int_equal(run.handshakes_resumed + run.handshakes_failed + run.handshakes_cut_off, 0);
    assert_int_equal(run.connect.count, 370);
    assert_int_equal(run.connect.p50, 30000);
    assert_int_equal(run.handshake.p50, 500000);
    assert_int_equal(run.validity.start_lag.count, 195);
    assert_int_equal(run.validity.start_lag.p99, 20000);
    assert_int_equal(run.login.count, 185);
    /* 20 us late, twice 530 us, then 1 ms and up to 990 us */
    assert_int_equal(run.login.min, 20000 + 2 * 530000 + 1000000);
    assert_int_equal(run.login.p100, 20000 + 2 * 530000 + 1990000);
    ls_run_clear(&run);
    ls_record_free(record);
}

static void resumed_and_full_are_told_apart_and_bytes_are_those_of_full_ones(void **state)
{
    static const struct {
        size_t offered, refused;
        int64_t full, resumed, of_both;
        double hello, flight;
    } rows[] = {
        {0, 0, 200, 0, 0, 250, 1400},
        {35, 0, 130, 70, 70, 250, 1400},
        {35, 5, 140, 60, 70, 250, 1400}, /* not taken: full, and as long as any of these */
        {100, 0, 0, 200, 200, -1, -1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct synthetic what = {.users = 100,
                                       .handshake_ns = 500000,
                                       .offered = rows[i].offered,
                                       .refused = rows[i].refused};
        struct ls_record *record = synthetic_record(&what);
        const struct ls_measurement measurement = synthetic_measurement(record, 2000000000);
        struct ls_run run;

        assert_int_equal(ls_run_build(&run, &measurement, NULL), LS_OK);
        assert_int_equal(run.handshakes_total, 200);
        assert_int_equal(run.handshakes_full, rows[i].full);
        assert_int_equal(run.handshakes_resumed, rows[i].resumed);
        assert_int_equal(run.handshakes_offered, rows[i].of_both);
        assert_true(fabs(run.client_hello_bytes - rows[i].hello) < 1e-9);
        assert_true(fabs(run.server_flight_bytes - rows[i].flight) < 1e-9);
        assert_true(fabs(run.to_gateway_bytes - 600) < 1e-9); /* of all */
        assert_int_equal(run.validity.verdict, LS_VALID);
        ls_run_clear(&run);
        ls_record_free(record);
    }
}

static void cpu_is_shared_out_over_logins_and_handshakes(void **state)
{
    const struct synthetic what = {.users = 200, .handshake_ns = 500000};
    struct ls_record *record = synthetic_record(&what);
    const struct ls_measurement measurement = synthetic_measurement(record, 403 * INT64_C(3400000));
    struct ls_run run = built(&measurement);

    (void)state;
    assert_true(near(run.cpu_us_per_login, 6800)); /* 403 flights were paid for, two a login */
    assert_true(near(run.cpu_us_per_handshake, 3400));
    assert_true(near(run.user_us_per_handshake, 2550));
    assert_true(near(run.system_us_per_handshake, 850));
    assert_true(near(run.tls_us_per_handshake, 1700));
    assert_true(near(run.capacity_per_s_per_core, 294.118));
    assert_true(near(run.cores_at_peak_minute, 0.030487)); /* 269 x 6800 us / 60 s */
    assert_true(near(run.cores_at_peak_second, 0.0816));   /* 12 x 6800 us / 1 s */
    assert_int_equal(run.wasted_handshakes, 3);
    assert_true(near(run.client_hello_bytes, 250));
    assert_true(near(run.server_flight_bytes, 1400));
    assert_true(near(run.ticket_bytes, 100));
    assert_true(near(run.to_gateway_bytes, 600));
    assert_true(near(run.from_gateway_bytes, 1500));
    assert_true(near(run.validity.injector_cpu_share, 0.05));
    assert_int_equal(run.injectors_cpu_ns, 120000000);
    assert_true(near(run.injector_us_per_handshake, 300)); /* 120 ms / 400 */
    ls_run_clear(&run);
    ls_record_free(record);
}

static void a_gateway_that_says_nothing_has_no_costs(void **state)
{
    const struct synthetic what = {.users = 20, .handshake_ns = 500000};
    struct ls_record *record = synthetic_record(&what);
    struct ls_measurement measurement = synthetic_measurement(record, 0);
    struct ls_run run;

    (void)state;
    measurement.gateway = (struct ls_gateway_account){.source = "none"};
    run = built(&measurement);
    assert_int_equal(run.gateway_cpu_ns, -1);
    assert_true(run.cpu_us_per_login < 0);
    assert_true(run.cpu_us_per_handshake < 0);
    assert_true(run.tls_us_per_handshake < 0);
    assert_true(run.capacity_per_s_per_core < 0);
    assert_true(run.cores_at_peak_minute < 0);
    assert_int_equal(run.wasted_handshakes, -1);
    assert_true(run.timeline[0].gateway_cpu_share < 0);
    ls_run_clear(&run);
    ls_record_free(record);
}

/* An exporter that stopped answering: never a zero. */
static void an_outside_gateway_whose_cpu_is_not_known_has_no_costs(void **state)
{
    const struct synthetic what = {.users = 20, .handshake_ns = 500000};
    struct ls_record *record = synthetic_record(&what);
    struct ls_measurement measurement = synthetic_measurement(record, 0);
    struct ls_run run;

    (void)state;
    measurement.gateway = (struct ls_gateway_account){.source = "exporter",
                                                      .cpu_ns = -1,
                                                      .user_ns = -1,
                                                      .system_ns = -1,
                                                      .tls_ns = -1,
                                                      .waited_ns = -1,
                                                      .server_flights = -1,
                                                      .samples = synthetic_samples,
                                                      .samples_count = 3};
    run = built(&measurement);
    assert_string_equal(run.gateway_source, "exporter");
    assert_int_equal(run.gateway_cpu_ns, -1);
    assert_true(run.cpu_us_per_login < 0);
    assert_true(run.cpu_us_per_handshake < 0);
    assert_true(run.capacity_per_s_per_core < 0);
    assert_true(run.cores_at_peak_minute < 0);
    assert_true(run.timeline[0].gateway_cpu_share > 0); /* what was read before */
    ls_run_clear(&run);
    ls_record_free(record);
}

static void a_run_without_injectors_has_no_cost_of_theirs(void **state)
{
    const struct synthetic what = {.users = 20, .handshake_ns = 500000};
    struct ls_record *record = synthetic_record(&what);
    struct ls_measurement measurement = synthetic_measurement(record, 1000000);
    struct ls_run run;

    (void)state;
    measurement.injectors_cpu_ns = 0;
    run = built(&measurement);
    assert_int_equal(run.injectors_cpu_ns, -1);
    assert_true(run.injector_us_per_handshake < 0);
    ls_run_clear(&run);
    ls_record_free(record);
}

/* Its CPU clock was read from outside before it died; it told nothing more. */
static void a_gateway_that_died_before_it_could_say_has_its_whole_cpu_alone(void **state)
{
    const struct synthetic what = {.users = 20, .handshake_ns = 500000};
    struct ls_record *record = synthetic_record(&what);
    struct ls_measurement measurement = synthetic_measurement(record, 40000000);
    struct ls_run run;

    (void)state;
    measurement.gateway.user_ns = measurement.gateway.system_ns = measurement.gateway.tls_ns = -1;
    measurement.gateway.server_flights = -1;
    run = built(&measurement);
    assert_true(near(run.cpu_us_per_handshake, 1000));
    assert_true(run.user_us_per_handshake < 0);
    assert_true(run.system_us_per_handshake < 0);
    assert_true(run.tls_us_per_handshake < 0);
    assert_int_equal(run.wasted_handshakes, -1);
    ls_run_clear(&run);
    ls_record_free(record);
}

static void a_long_client_hello_to_which_not_a_byte_came_is_counted(void **state)
{
    static const struct {
        const char *why;
        enum ls_reason reason;
        uint16_t hello_bytes;
        uint32_t received_bytes;
        int64_t expected;
    } rows[] = {
        {"reset", LS_REASON_HANDSHAKE_RESET, 1381, 0, 1},
        {"never answered", LS_REASON_HANDSHAKE_TIMEOUT, 1381, 0, 1},
        {"closed", LS_REASON_HANDSHAKE_CLOSED, 1381, 0, 1},
        {"never answered, and the login ran out first", LS_REASON_LOGIN_TIMEOUT, 1381, 0, 1},
        {"a short one", LS_REASON_HANDSHAKE_RESET, 250, 0, 0},
        {"at the limit", LS_REASON_HANDSHAKE_RESET, LS_LONG_HELLO_BYTES, 0, 0},
        {"above it", LS_REASON_HANDSHAKE_RESET, LS_LONG_HELLO_BYTES + 1, 0, 1},
        {"a flight came", LS_REASON_HANDSHAKE_RESET, 1381, 90, 0},
        {"an alert came", LS_REASON_HANDSHAKE_ALERT, 1381, 7, 0},
        {"none was sent", LS_REASON_CONNECT_REFUSED, 0, 0, 0},
        {"our own limit", LS_REASON_OWN_MEMORY, 1381, 0, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct synthetic what = {.users = 3, .handshake_ns = 500000, .failed = 1};
        struct ls_record *record = synthetic_record(&what);
        const struct ls_handshake row = {.started_ns = 1,
                                         .connected_ns = 2,
                                         .ended_ns = 3,
                                         .user = 2,
                                         .client_hello_bytes = rows[i].hello_bytes,
                                         .received_bytes = rows[i].received_bytes,
                                         .attempt = 1,
                                         .outcome = LS_OUTCOME_FAILED,
                                         .reason = (uint8_t)rows[i].reason};
        struct ls_measurement measurement = synthetic_measurement(record, 400000000);
        struct ls_run run;

        assert_int_equal(ls_record_handshake(record, &row), LS_OK);
        run = built(&measurement);
        if (run.long_hellos_unanswered != rows[i].expected) {
            fail_msg("%s", rows[i].why);
        }
        ls_run_clear(&run);
        measurement.live = false; /* a simulation sends none */
        run = built(&measurement);
        assert_int_equal(run.long_hellos_unanswered, -1);
        assert_int_equal(run.kernel.syn_retransmits, -1);
        ls_run_clear(&run);
        ls_record_free(record);
    }
}

static void wasted_handshakes_are_never_below_zero(void **state)
{
    const struct synthetic what = {.users = 20, .handshake_ns = 500000};
    struct ls_record *record = synthetic_record(&what);
    struct ls_measurement measurement = synthetic_measurement(record, 1000000);
    struct ls_run run;

    (void)state;
    measurement.gateway.server_flights = 39; /* 40 were secured */
    run = built(&measurement);
    assert_int_equal(run.wasted_handshakes, 0);
    ls_run_clear(&run);
    ls_record_free(record);
}

static void what_was_in_flight_at_once_is_counted(void **state)
{
    struct ls_record *record;
    struct ls_measurement measurement;
    struct ls_run run;

    (void)state;
    assert_int_equal(ls_record_new(&record, 3, 3, NULL), LS_OK);
    for (uint32_t user = 0; user < 3; user++) {
        const struct ls_login login = {.due_ns = 0,
                                       .started_ns = user * 10,
                                       .done_ns = user == 0 ? 10 : 1000,
                                       .attempts = 1,
                                       .outcome = LS_OUTCOME_LOGGED_IN};
        const struct ls_handshake handshake = {.started_ns = 100 + user,
                                               .connected_ns = 105,
                                               .ended_ns = 110,
                                               .user = user,
                                               .attempt = 1,
                                               .outcome = LS_OUTCOME_LOGGED_IN};

        assert_int_equal(ls_record_login(record, user, &login), LS_OK);
        assert_int_equal(ls_record_handshake(record, &handshake), LS_OK);
    }
    measurement = synthetic_measurement(record, 1000);
    run = built(&measurement);
    assert_int_equal(run.peak_in_flight, 2);
    assert_int_equal(run.peak_handshakes_in_flight, 3);
    ls_run_clear(&run);
    ls_record_free(record);
}

static void rows_that_cannot_be_are_our_own_fault(void **state)
{
    static const struct {
        const char *why;
        struct ls_login login;
        const char *text;
    } rows[] = {
        {"nothing was put down",
         {.outcome = LS_OUTCOME_PENDING},
         "user 0 has no end in the record"},
        {"a failure must be named",
         {.outcome = LS_OUTCOME_FAILED, .done_ns = 5},
         "user 0 failed without a reason"},
        {"done before due",
         {.outcome = LS_OUTCOME_LOGGED_IN, .due_ns = 9, .started_ns = 3, .done_ns = 8},
         "user 0 was logged in before he came"},
        {"done before started",
         {.outcome = LS_OUTCOME_LOGGED_IN, .due_ns = 1, .started_ns = 9, .done_ns = 8},
         "user 0 was logged in before he came"},
        {"never due",
         {.outcome = LS_OUTCOME_LOGGED_IN, .due_ns = -1, .done_ns = 8},
         "user 0 has no end in the record"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_record *record;
        struct ls_measurement measurement;
        struct ls_error err = {0};
        struct ls_run run;

        assert_int_equal(ls_record_new(&record, 1, 0, NULL), LS_OK);
        if (rows[i].login.outcome != LS_OUTCOME_PENDING) {
            assert_int_equal(ls_record_login(record, 0, &rows[i].login), LS_OK);
        }
        measurement = synthetic_measurement(record, 0);
        if (ls_run_build(&run, &measurement, &err) != LS_EBROKEN ||
            strcmp(err.text, rows[i].text) != 0) {
            fail_msg("%s: %s", rows[i].why, err.text);
        }
        assert_null(run.certificate);
        ls_record_free(record);
    }
}

static void a_handshake_that_ran_backwards_is_our_own_fault(void **state)
{
    static const struct ls_handshake rows[] = {
        {.started_ns = 9, .connected_ns = 9, .ended_ns = 8, .outcome = LS_OUTCOME_FAILED},
        {.started_ns = 9, .connected_ns = 8, .ended_ns = 10, .outcome = LS_OUTCOME_FAILED},
        {.started_ns = 9, .connected_ns = 11, .ended_ns = 10, .outcome = LS_OUTCOME_FAILED},
        {.started_ns = 9,
         .connected_ns = LS_NEVER_NS,
         .ended_ns = 10,
         .outcome = LS_OUTCOME_LOGGED_IN},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct ls_login login = {.outcome = LS_OUTCOME_LOGGED_IN, .done_ns = 20};
        struct ls_record *record;
        struct ls_measurement measurement;
        struct ls_run run;

        assert_int_equal(ls_record_new(&record, 1, 1, NULL), LS_OK);
        assert_int_equal(ls_record_login(record, 0, &login), LS_OK);
        assert_int_equal(ls_record_handshake(record, &rows[i]), LS_OK);
        measurement = synthetic_measurement(record, 0);
        assert_int_equal(ls_run_build(&run, &measurement, NULL), LS_EBROKEN);
        ls_record_free(record);
    }
}

static void users_who_failed_wait_longer_than_any_who_came_in(void **state)
{
    /* Of 200 users the last 10 fail: the 190th is the last of all who came in. */
    const struct synthetic what = {.users = 200, .handshake_ns = 500000, .failed = 10};
    struct ls_record *record = synthetic_record(&what);
    const struct ls_measurement measurement = synthetic_measurement(record, 1000000);
    struct ls_run run = built(&measurement);

    (void)state;
    assert_int_equal(run.of_all_p95, run.login.p100);
    assert_true(run.of_all_p50 > 0 && run.of_all_p50 >= run.login.p50);
    assert_int_equal(run.of_all_p99, LS_NEVER_NS);
    assert_int_equal(run.of_all_p100, LS_NEVER_NS);
    assert_int_equal(run.gave_up.count, 10);
    assert_int_equal(run.gave_up.p100, 20000 + 40000);
    ls_run_clear(&run);
    ls_record_free(record);
}

static void what_a_login_costs_does_not_hang_on_who_gave_up_or_was_cut_off(void **state)
{
    static const struct synthetic rows[] = {
        {.users = 200, .handshake_ns = 500000},
        {.users = 200, .handshake_ns = 500000, .failed = 150},
        {.users = 200, .handshake_ns = 500000, .cut_off = 150},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_record *record = synthetic_record(&rows[i]);
        struct ls_measurement measurement = synthetic_measurement(record, 400 * INT64_C(3400000));
        struct ls_run run;

        measurement.gateway.server_flights = 400;
        measurement.connections_per_login = 2;
        run = built(&measurement);
        assert_true(near(run.cpu_us_per_handshake, 3400));
        assert_true(near(run.cpu_us_per_login, 6800));
        assert_true(near(run.cores_at_peak_minute, 0.030487));
        ls_run_clear(&run);
        ls_record_free(record);
    }
}

static void user_and_system_are_not_told_apart_by_a_few_clock_ticks(void **state)
{
    const struct synthetic what = {.users = 200, .handshake_ns = 500000};
    struct ls_record *record = synthetic_record(&what);
    const struct ls_measurement little = synthetic_measurement(record, 999999999);
    const struct ls_measurement enough = synthetic_measurement(record, 1000000000);
    struct ls_run run = built(&little);

    (void)state;
    assert_true(run.user_us_per_handshake < 0 && run.system_us_per_handshake < 0);
    assert_true(run.cpu_us_per_handshake > 0 && run.tls_us_per_handshake > 0);
    ls_run_clear(&run);
    run = built(&enough);
    assert_true(run.user_us_per_handshake > 0 && run.system_us_per_handshake > 0);
    ls_run_clear(&run);
    ls_record_free(record);
}

static void a_run_in_which_nobody_came_in_has_no_latency_and_no_cost_each(void **state)
{
    const struct synthetic what = {.users = 10, .failed = 10};
    struct ls_record *record = synthetic_record(&what);
    const struct ls_measurement measurement = synthetic_measurement(record, 1000000);
    struct ls_run run = built(&measurement);

    (void)state;
    assert_int_equal(run.failed, 10);
    assert_int_equal(run.login.count, 0);
    assert_int_equal(run.login.p50, LS_NEVER_NS);
    assert_true(run.cpu_us_per_login < 0);
    assert_true(near(run.cpu_us_per_handshake, 2.481)); /* 403 flights were paid for, all in vain */
    assert_int_equal(run.wasted_handshakes, 403);
    assert_int_equal(run.gave_up.count, 10);
    assert_int_equal(run.of_all_p50, LS_NEVER_NS);
    assert_true(run.client_hello_bytes < 0);
    assert_true(run.ticket_bytes < 0);
    assert_true(run.cores_at_peak_minute < 0);
    assert_int_equal(run.gateway_cpu_ns, 1000000);
    assert_int_equal(run.injectors_cpu_ns, 120000000);
    assert_true(run.injector_us_per_handshake < 0);
    ls_run_clear(&run);
    ls_record_free(record);
}

static void a_storm_of_no_users_is_worked_out_too(void **state)
{
    struct ls_record *record;
    struct ls_measurement measurement;
    struct ls_run run;

    (void)state;
    assert_int_equal(ls_record_new(&record, 0, 0, NULL), LS_OK);
    measurement = synthetic_measurement(record, 0);
    run = built(&measurement);
    assert_int_equal(run.total, 0);
    assert_int_equal(run.validity.verdict, LS_INVALID);
    ls_run_clear(&run);
    ls_record_free(record);
}

/* Another program's way: the column of numbers out of the text, sorted, the rank counted off. */
static int by_value(const void *left, const void *right)
{
    const long long a = *(const long long *)left, b = *(const long long *)right;

    return a < b ? -1 : a > b;
}

static void quantiles_recomputed_from_the_samples_file_are_the_same_to_the_nanosecond(void **state)
{
    const struct synthetic what = {.users = 601, .handshake_ns = 500123, .failed = 30};
    struct ls_record *record = synthetic_record(&what);
    const struct ls_measurement measurement = synthetic_measurement(record, 1000000);
    struct ls_run run = built(&measurement);
    static const char *const populations[] = {"office", "home"};
    static long long latency[601];
    size_t count = 0, size, lines = 0;
    char *text, *line, *rest;
    FILE *stream = open_memstream(&text, &size);

    (void)state;
    assert_int_equal(ls_samples_write(stream, "RSA 4096", 1, record, NULL, populations, true, NULL),
                     LS_OK);
    assert_int_equal(fclose(stream), 0);
    for (line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
        long long due, started, connected, secured, done;
        char population[16], outcome[16];
        int user, attempts;

        lines++;
        if (sscanf(line, "RSA 4096,%d,%15[a-z],%lld,%lld,%lld,%lld,%lld,%d,%15[a-z_],", &user,
                   population, &due, &started, &connected, &secured, &done, &attempts,
                   outcome) == 9 &&
            strcmp(outcome, "logged_in") == 0) {
            latency[count++] = done - due;
        }
    }
    assert_int_equal(lines, 602);
    assert_int_equal(count, 571);
    qsort(latency, count, sizeof latency[0], by_value);
    assert_int_equal(run.login.count, 571);
    assert_int_equal(run.login.p50, latency[286 - 1]); /* ceil(285.5) */
    assert_int_equal(run.login.p99, latency[566 - 1]); /* ceil(565.29) */
    assert_int_equal(run.login.p100, latency[571 - 1]);
    assert_int_equal(run.login.p50 % 1000, 246); /* below the microsecond too */
    free(text);
    ls_run_clear(&run);
    ls_record_free(record);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(users_and_handshakes_add_up),
        cmocka_unit_test(resumed_and_full_are_told_apart_and_bytes_are_those_of_full_ones),
        cmocka_unit_test(cpu_is_shared_out_over_logins_and_handshakes),
        cmocka_unit_test(a_gateway_that_says_nothing_has_no_costs),
        cmocka_unit_test(an_outside_gateway_whose_cpu_is_not_known_has_no_costs),
        cmocka_unit_test(a_run_without_injectors_has_no_cost_of_theirs),
        cmocka_unit_test(a_gateway_that_died_before_it_could_say_has_its_whole_cpu_alone),
        cmocka_unit_test(a_long_client_hello_to_which_not_a_byte_came_is_counted),
        cmocka_unit_test(wasted_handshakes_are_never_below_zero),
        cmocka_unit_test(what_was_in_flight_at_once_is_counted),
        cmocka_unit_test(rows_that_cannot_be_are_our_own_fault),
        cmocka_unit_test(a_handshake_that_ran_backwards_is_our_own_fault),
        cmocka_unit_test(a_run_in_which_nobody_came_in_has_no_latency_and_no_cost_each),
        cmocka_unit_test(users_who_failed_wait_longer_than_any_who_came_in),
        cmocka_unit_test(what_a_login_costs_does_not_hang_on_who_gave_up_or_was_cut_off),
        cmocka_unit_test(user_and_system_are_not_told_apart_by_a_few_clock_ticks),
        cmocka_unit_test(a_storm_of_no_users_is_worked_out_too),
        cmocka_unit_test(quantiles_recomputed_from_the_samples_file_are_the_same_to_the_nanosecond),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
