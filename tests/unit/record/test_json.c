/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "unit/record/synthetic.h"

/* A result with something in every corner. */
static struct ls_result *full_result(void)
{
    const struct synthetic what = {
        .users = 200, .handshake_ns = 500123, .failed = 10, .cut_off = 5};
    struct ls_record *record = synthetic_record(&what);
    struct ls_measurement measurement = synthetic_measurement(record, 400000007);
    struct ls_result *result = calloc(1, sizeof *result);

    *result = (struct ls_result){.created = strdup("2026-11-30T07:55:00Z"),
                                 .name = strdup("Monday \"morning\", 6,000 users\x1b[31m"),
                                 .sha256 = strdup("00ff"),
                                 .seed = 20261130,
                                 .users = 200,
                                 .from_ns = 8 * LS_NS_PER_H,
                                 .window_ns = LS_NS_PER_H,
                                 .speedup = 60,
                                 .host_cpu = strdup("AMD EPYC"),
                                 .host_kernel = strdup("6.18"),
                                 .tls_library = strdup("wolfSSL 5.9.2"),
                                 .tls_build = strdup("own build"),
                                 .host_cores = 2,
                                 .injectors = 1,
                                 .placement = strdup("1 worker on core 0 · 1 injector on core 1"),
                                 .partial = true};
    result->notes = calloc(2, sizeof *result->notes);
    result->notes[0] = strdup("the scenario's farm is not looked at");
    result->runs = calloc(2, sizeof *result->runs);
    result->runs_count = 2;
    measurement.partial = true;
    measurement.partial_why = "SIGINT";
    measurement.sessions_lost = 4;
    measurement.kernel = (struct ls_kernel_counts){3, 4, -1};
    assert_int_equal(ls_run_build(&result->runs[0], &measurement, NULL), LS_OK);
    measurement.certificate = "ECDSA P-256";
    measurement.key = "ecdsa-p256";
    measurement.live = false;
    measurement.partial_why = NULL;
    measurement.injector_wall_ns = 0;
    measurement.injectors_cpu_ns = 0;
    measurement.gateway = (struct ls_gateway_account){.source = "none"};
    assert_int_equal(ls_run_build(&result->runs[1], &measurement, NULL), LS_OK);
    assert_int_equal(ls_result_add_target(result, "login_p99", 5 * LS_NS_PER_MS, NULL), LS_OK);
    assert_int_equal(ls_result_add_target(result, "failed", 1000, NULL), LS_OK);
    assert_int_equal(ls_result_add_target(result, "gateway_cpu_peak", 700000, NULL), LS_OK);
    ls_record_free(record);
    return result;
}

static char *written(const struct ls_result *result)
{
    json_t *root;
    size_t size;
    char *text;
    FILE *stream = open_memstream(&text, &size);

    assert_int_equal(ls_result_to_json(result, &root, NULL), LS_OK);
    assert_int_equal(ls_json_write(root, stream, NULL), LS_OK);
    assert_int_equal(fclose(stream), 0);
    json_decref(root);
    return text;
}

static struct ls_result *read_back(const char *text)
{
    struct ls_result *result;
    struct ls_error err = {0};
    json_t *root;

    assert_int_equal(ls_json_parse(&root, "x", text, strlen(text), &err), LS_OK);
    if (ls_result_from_json(&result, root, "x", &err) != LS_OK) {
        fail_msg("%s", err.text);
    }
    json_decref(root);
    return result;
}

static void a_result_survives_its_file_to_the_byte(void **state)
{
    struct ls_result *first = full_result(), *second;
    char *once = written(first), *twice;

    (void)state;
    second = read_back(once);
    twice = written(second);
    assert_string_equal(once, twice);
    assert_string_equal(second->name, first->name);
    assert_int_equal(second->window_ns, first->window_ns);
    assert_null(second->timezone);
    assert_int_equal(second->runs[0].login.p50, first->runs[0].login.p50);
    assert_int_equal(second->runs[0].login.p100, first->runs[0].login.p100);
    assert_int_equal(second->runs[0].slice_ns, LS_NS_PER_MIN);
    assert_int_equal(second->runs[1].wasted_handshakes, -1);
    assert_int_equal(second->runs[0].injectors_cpu_ns, 120000000);
    assert_true(second->runs[0].injector_us_per_handshake > 324.3239 &&
                second->runs[0].injector_us_per_handshake < 324.3241); /* 120 ms / 370 */
    assert_int_equal(second->runs[1].injectors_cpu_ns, -1);
    assert_true(second->runs[1].injector_us_per_handshake < 0);
    assert_int_equal(second->targets_count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(second->targets[i].name, first->targets[i].name);
        assert_int_equal(second->targets[i].limit, first->targets[i].limit);
        assert_int_equal(second->targets[i].value, first->targets[i].value);
        assert_int_equal(second->targets[i].is_share, first->targets[i].is_share);
        assert_int_equal(second->targets[i].met, first->targets[i].met);
    }
    free(once);
    free(twice);
    ls_result_free(first);
    ls_result_free(second);
}

static void what_a_gateway_showed_is_kept(void **state)
{
    static const struct {
        const char *from, *to;
    } broken[] = {
        {"\"key\": \"rsa-2048\",", ""},
        {"\"rsa-2048\",\n        \"version\"",
         "\"a kind of a key that is too long for it\",\n        \"version\""},
        {"\"version\": \"1.3\"", "\"version\": 1.3"},
        {"\"chain_length\": 3", "\"chain_length\": 0"},
        {"\"days_left\": -2", "\"days_left\": null"},
        {"\"days_left\": -2", "\"days_left\": -2.5"},
    };
    struct ls_result *first = full_result(), *second;
    char *text;

    (void)state;
    first->runs[1].shown = (struct ls_shown){"rsa-2048", "1.3", "X25519", "2026-12-31", 3, -2};
    text = written(first);
    second = read_back(text);
    assert_memory_equal(&second->runs[1].shown, &first->runs[1].shown, sizeof first->runs[1].shown);
    assert_int_equal(second->runs[0].shown.chain_length, 0);
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        const char *found = strstr(text, broken[i].from);
        struct ls_result *none;
        struct ls_error err = {0};
        json_t *root;
        char *damaged;

        assert_non_null(found);
        assert_true(asprintf(&damaged, "%.*s%s%s", (int)(found - text), text, broken[i].to,
                             found + strlen(broken[i].from)) > 0);
        assert_int_equal(ls_json_parse(&root, "x", damaged, strlen(damaged), &err), LS_OK);
        assert_int_equal(ls_result_from_json(&none, root, "x", &err), LS_EINPUT);
        assert_string_equal(err.text, "runs[1].shown: not a value that loginstorm writes there");
        json_decref(root);
        free(damaged);
    }
    free(text);
    ls_result_free(first);
    ls_result_free(second);
}

static void a_result_of_before_shows_nothing(void **state)
{
    struct ls_result *result = full_result(), *old;
    struct ls_error err = {0};
    json_t *root;

    (void)state;
    assert_int_equal(ls_result_to_json(result, &root, &err), LS_OK);
    assert_int_equal(json_object_del(json_array_get(json_object_get(root, "runs"), 0), "shown"), 0);
    assert_int_equal(ls_result_from_json(&old, root, "x", &err), LS_OK);
    assert_int_equal(old->runs[0].shown.chain_length, 0);
    json_decref(root);
    ls_result_free(old);
    ls_result_free(result);
}

static void every_nanosecond_is_in_the_file(void **state)
{
    struct ls_result *result = full_result();
    const int64_t p50 = result->runs[0].login.p50;
    char expected[64];
    char *text = written(result);

    (void)state;
    assert_int_equal(p50 % 1000, 246);
    (void)snprintf(expected, sizeof expected, "\"p50\": %ld.246,", (long)(p50 / 1000));
    assert_non_null(strstr(text, expected));
    free(text);
    ls_result_free(result);
}

static void the_contract_s_keys_are_there(void **state)
{
    static const char *const paths[] = {"format",
                                        "version",
                                        "created",
                                        "scenario.name",
                                        "scenario.sha256",
                                        "scenario.seed",
                                        "scenario.users",
                                        "scenario.window.from",
                                        "scenario.window.to",
                                        "scenario.window.timezone",
                                        "scenario.speedup",
                                        "host.cpu",
                                        "host.cores",
                                        "host.kernel",
                                        "host.tls_library",
                                        "host.tls_build",
                                        "partial",
                                        "runs",
                                        "comparison",
                                        "targets"};
    static const char *const run_paths[] = {"certificate",
                                            "key",
                                            "engine",
                                            "validity.verdict",
                                            "validity.reasons",
                                            "validity.start_lag_us.p50",
                                            "validity.start_lag_us.p99",
                                            "validity.start_lag_us.p100",
                                            "validity.injector_cpu_share",
                                            "logins.total",
                                            "logins.logged_in",
                                            "logins.failed",
                                            "logins.cut_off",
                                            "logins.by_reason.connect_refused",
                                            "handshakes.total",
                                            "handshakes.full",
                                            "handshakes.resumed",
                                            "handshakes.failed",
                                            "handshakes.hello_retry",
                                            "handshakes.long_hello_unanswered",
                                            "validity.kernel_listen_overflows",
                                            "validity.kernel_listen_drops",
                                            "validity.kernel_syn_retransmits",
                                            "latency_us.connect.count",
                                            "latency_us.handshake.mean",
                                            "latency_us.login.p99_9",
                                            "latency_us.login.p100",
                                            "bytes.client_hello",
                                            "bytes.server_flight",
                                            "bytes.per_handshake_to_gateway",
                                            "bytes.per_handshake_from_gateway",
                                            "gateway.source",
                                            "gateway.workers",
                                            "gateway.cpu_us_per_login",
                                            "gateway.cpu_us_per_handshake.user",
                                            "gateway.cpu_us_per_handshake.system",
                                            "gateway.cpu_us_per_handshake.total",
                                            "gateway.tls_us_per_handshake",
                                            "gateway.capacity_handshakes_per_s_per_core",
                                            "gateway.wasted_handshakes",
                                            "injector.cpu_us",
                                            "injector.cpu_us_per_handshake",
                                            "load.peak_minute",
                                            "load.peak_minute_logins",
                                            "load.peak_second_logins",
                                            "load.peak_in_flight",
                                            "load.cores_at_peak_minute",
                                            "load.cores_at_peak_second",
                                            "timeline"};
    struct ls_result *result = full_result();
    json_t *root, *run;

    (void)state;
    assert_int_equal(ls_result_to_json(result, &root, NULL), LS_OK);
    run = json_array_get(json_object_get(root, "runs"), 0);
    for (size_t i = 0; i < sizeof paths / sizeof paths[0] + sizeof run_paths / sizeof run_paths[0];
         i++) {
        const bool top = i < sizeof paths / sizeof paths[0];
        const char *path = top ? paths[i] : run_paths[i - sizeof paths / sizeof paths[0]];
        json_t *at = top ? root : run;

        for (const char *dot = path; dot != NULL && at != NULL;) {
            const char *next = strchr(dot, '.');

            at = json_object_getn(at, dot, next == NULL ? strlen(dot) : (size_t)(next - dot));
            dot = next == NULL ? NULL : next + 1;
        }
        if (at == NULL) {
            fail_msg("no %s", path);
        }
    }
    assert_string_equal(
        json_string_value(json_object_get(json_object_get(run, "load"), "peak_minute")), "08:30");
    assert_int_equal(json_array_size(json_object_get(run, "timeline")), 60);
    json_decref(root);
    ls_result_free(result);
}

static void seeds_of_64_bits_are_kept(void **state)
{
    static const uint64_t seeds[] = {
        0, 1, (UINT64_C(1) << 53) + 1, INT64_MAX, (uint64_t)INT64_MAX + 1, UINT64_MAX};

    (void)state;
    for (size_t i = 0; i < sizeof seeds / sizeof seeds[0]; i++) {
        struct ls_result *result = full_result(), *again;
        char *text;

        result->seed = seeds[i];
        text = written(result);
        again = read_back(text);
        assert_true(again->seed == seeds[i]);
        free(text);
        ls_result_free(result);
        ls_result_free(again);
    }
}

static void windows_across_midnight_are_kept(void **state)
{
    static const int64_t windows[][2] = {{22 * LS_NS_PER_H, 4 * LS_NS_PER_H},
                                         {8 * LS_NS_PER_H, LS_NS_PER_DAY},
                                         {0, 1},
                                         {23 * LS_NS_PER_H, LS_NS_PER_H}};

    (void)state;
    for (size_t i = 0; i < sizeof windows / sizeof windows[0]; i++) {
        struct ls_result result = {.from_ns = windows[i][0], .window_ns = windows[i][1]};
        char *text = written(&result);
        struct ls_result *again = read_back(text);

        assert_int_equal(again->from_ns, windows[i][0]);
        assert_int_equal(again->window_ns, windows[i][1]);
        assert_int_equal(again->runs_count, 0);
        free(text);
        ls_result_free(again);
    }
}

static void text_that_is_not_utf8_does_not_cost_the_result(void **state)
{
    struct ls_result result = {.host_cpu = (char[]){"caf\xe9 CPU"}, .window_ns = 1};
    char *text = written(&result);

    (void)state;
    assert_non_null(strstr(text, "\"caf? CPU\""));
    free(text);
}

/* Each row changes one thing in a sound file. */
static void a_damaged_file_is_refused_with_the_key_s_name(void **state)
{
    static const struct {
        const char *from, *to, *text;
    } rows[] = {
        {"loginstorm-result", "other", "not a loginstorm result"},
        {"\"version\": 1", "\"version\": 2", "version: this loginstorm reads version 1 only"},
        {"\"users\": 200", "\"user\": 200", "scenario.users: missing"},
        {"\"users\": 200", "\"users\": -1",
         "scenario.users: not a value that loginstorm writes there"},
        {"\"users\": 200", "\"users\": 2.5",
         "scenario.users: not a value that loginstorm writes there"},
        {"\"from\": \"08:00\"", "\"from\": \"8\"",
         "scenario.window.from: not a value that loginstorm writes there"},
        {"\"to\": \"09:00\"", "\"to\": null",
         "scenario.window.to: not a value that loginstorm writes there"},
        {"\"seed\": 20261130", "\"seed\": \"twelve\"",
         "scenario.seed: not a value that loginstorm writes there"},
        {"\"seed\": 20261130", "\"seed\": \"18446744073709551616\"",
         "scenario.seed: not a value that loginstorm writes there"},
        {"\"engine\": \"live\"", "\"engine\": \"dead\"",
         "runs[0].engine: not a value that loginstorm writes there"},
        {"\"certificate\": \"", "\"certificate\": null, \"was\": \"",
         "runs[0].certificate: not a value that loginstorm writes there"},
        {"\"key\": \"", "\"key\": null, \"kind\": \"",
         "runs[0].key: not a value that loginstorm writes there"},
        {"\"verdict\": \"suspect\"", "\"verdict\": \"fine\"",
         "runs[0].validity.verdict: not a value that loginstorm writes there"},
        {"\"connect_refused\": 10", "\"bad_luck\": 10",
         "runs[0].logins.by_reason: not a value that loginstorm writes there"},
        {"\"p99_9\": 20,", "\"p99_9\": \"20\",",
         "runs[0].validity.start_lag_us: not a value that loginstorm writes there"},
        {"\"at\": \"08:00\"", "\"at\": \"09:00\"",
         "runs[0].timeline[0].at: not 08:00, where that slice begins"},
        {"\"timeline_slice_us\": 60000000", "\"timeline_slice_us\": 0",
         "runs[0].timeline: not a value that loginstorm writes there"},
        {"\"timeline_slice_us\": 60000000", "\"timeline_slice_us\": 9e14",
         "runs[0].timeline: not a value that loginstorm writes there"},
        {"\"in_flight\": 0", "\"in_flight\": null",
         "runs[0].timeline[0].in_flight: not a value that loginstorm writes there"},
        {"\"unit\": \"us\"", "\"unit\": \"ms\"",
         "targets: not a value that loginstorm writes there"},
        {"\"runs\": [", "\"runs\": null, \"was\": [",
         "runs: not a value that loginstorm writes there"},
        {"\"targets\": [", "\"aims\": [", "targets: missing"},
        {"\"notes\": [", "\"notes\": [3,", "notes: not a value that loginstorm writes there"},
    };
    struct ls_result *sound = full_result();
    char *text = written(sound);

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *found = strstr(text, rows[i].from);
        char *damaged;
        struct ls_result *result;
        struct ls_error err = {0};
        json_t *root;

        assert_non_null(found);
        assert_true(asprintf(&damaged, "%.*s%s%s", (int)(found - text), text, rows[i].to,
                             found + strlen(rows[i].from)) > 0);
        assert_int_equal(ls_json_parse(&root, "x", damaged, strlen(damaged), &err), LS_OK);
        if (ls_result_from_json(&result, root, "r.json", &err) != LS_EINPUT || result != NULL ||
            strcmp(err.text, rows[i].text) != 0 || strcmp(err.path, "r.json") != 0) {
            fail_msg("%s: %s", rows[i].to, err.text);
        }
        json_decref(root);
        free(damaged);
    }
    free(text);
    ls_result_free(sound);
}

static void what_older_files_do_not_have_is_not_known(void **state)
{
    struct ls_result *result = full_result(), *older;
    struct ls_error err;
    json_t *root, *run;

    (void)state;
    assert_int_equal(result->runs[0].kernel.listen_drops, 4);
    assert_int_equal(ls_result_to_json(result, &root, NULL), LS_OK);
    run = json_array_get(json_object_get(root, "runs"), 0);
    assert_int_equal(json_object_del(json_object_get(run, "validity"), "kernel_listen_overflows"),
                     0);
    assert_int_equal(json_object_del(json_object_get(run, "validity"), "kernel_listen_drops"), 0);
    assert_int_equal(json_object_del(json_object_get(run, "validity"), "kernel_syn_retransmits"),
                     0);
    assert_int_equal(json_object_del(json_object_get(run, "handshakes"), "long_hello_unanswered"),
                     0);
    assert_int_equal(ls_result_from_json(&older, root, "old.json", &err), LS_OK);
    assert_int_equal(older->runs[0].kernel.listen_overflows, -1);
    assert_int_equal(older->runs[0].kernel.listen_drops, -1);
    assert_int_equal(older->runs[0].kernel.syn_retransmits, -1);
    assert_int_equal(older->runs[0].long_hellos_unanswered, -1);
    ls_result_free(older);
    json_decref(root);
    ls_result_free(result);
}

static void targets_hold_the_worst_run_against_the_limit(void **state)
{
    static const struct {
        const char *name;
        int64_t limit, value;
        bool is_share, met;
    } rows[] = {
        {"login_p50", 3000000, 3000000, false, true},
        {"login_p95", 4999999, 5000000, false, false},
        {"login_p99", 5000001, 5000001, false, true},
        {"login_p100", 9000000, 9000000, false, true},
        {"failed", 1000, 1001, true, false}, /* 3001 of 3,000,000 are more than 0.1 % */
        {"failed", 1001, 1001, true, true},
        {"gateway_cpu_peak", 700000, 700000, true, true}, /* 1.4 cores of two */
        {"gateway_cpu_peak", 699999, 700000, true, false},
    };
    struct ls_run runs[2] = {
        {.total = 4000000,
         .logged_in = 2996999, /* a million were cut off, and count for nothing */
         .failed = 3001,
         .gateway_workers = 2,
         .cores_at_peak_minute = 0.5,
         .of_all_p50 = 1000000,
         .of_all_p95 = 5000000,
         .of_all_p99 = 5000001,
         .of_all_p100 = 8000000},
        {.total = 3000000,
         .logged_in = 2999999,
         .failed = 1,
         .gateway_workers = 2,
         .cores_at_peak_minute = 1.4,
         .of_all_p50 = 3000000,
         .of_all_p95 = 4000000,
         .of_all_p99 = 4000000,
         .of_all_p100 = 9000000},
    };
    struct ls_result result = {.runs = runs, .runs_count = 2};
    struct ls_error err;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct ls_target_outcome *target;

        assert_int_equal(ls_result_add_target(&result, rows[i].name, rows[i].limit, &err), LS_OK);
        target = &result.targets[i];
        assert_string_equal(target->name, rows[i].name);
        assert_int_equal(target->value, rows[i].value);
        assert_int_equal(target->is_share, rows[i].is_share);
        assert_int_equal(target->met, rows[i].met);
    }
    assert_int_equal(ls_result_add_target(&result, "p50", 1, &err), LS_EBROKEN);
    free(result.targets);
}

static void a_target_that_a_run_does_not_know_is_not_met(void **state)
{
    struct ls_run runs[2] = {
        {.of_all_p50 = 1, .cores_at_peak_minute = -1, .gateway_workers = 1},
        {.of_all_p50 = LS_NEVER_NS, .cores_at_peak_minute = 0.1, .gateway_workers = 1}};
    struct ls_result result = {.runs = runs, .runs_count = 2}, empty = {0};

    (void)state;
    assert_int_equal(ls_result_add_target(&result, "login_p50", 10, NULL), LS_OK);
    assert_int_equal(ls_result_add_target(&result, "gateway_cpu_peak", 700000, NULL), LS_OK);
    assert_int_equal(ls_result_add_target(&empty, "login_p50", 10, NULL), LS_OK);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(result.targets[i].value, -1);
        assert_false(result.targets[i].met);
    }
    assert_false(empty.targets[0].met);
    free(result.targets);
    free(empty.targets);
}

static void a_target_is_met_by_what_was_played_to_its_end_alone(void **state)
{
    static const struct {
        const char *why;
        bool run_partial, storm_partial;
        int64_t failed, first_p99, second_p99, value;
        bool met, never;
    } rows[] = {
        {"both whole", false, false, 0, 5, 7, 7, true, false},
        {"the second ended early", true, false, 0, 5, 7, -1, false, false},
        {"a third was not played", false, true, 0, 5, 7, -1, false, false},
        {"a whole one missed it", true, true, 0, 11, 7, 11, false, false},
        {"one that ended early cannot tell", true, true, 0, 5, 11, -1, false, false},
        {"so many failed that it has no end", false, false, 3, 5, LS_NEVER_NS, -1, false, true},
        {"so many of those who had their turn", true, true, 3, 5, LS_NEVER_NS, -1, false, false},
    };

    (void)state;
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        struct ls_run runs[2] = {{.of_all_p99 = rows[row].first_p99},
                                 {.of_all_p99 = rows[row].second_p99,
                                  .failed = rows[row].failed,
                                  .partial = rows[row].run_partial}};
        struct ls_result result = {
            .runs = runs, .runs_count = 2, .partial = rows[row].storm_partial};

        assert_int_equal(ls_result_add_target(&result, "login_p99", 10, NULL), LS_OK);
        if (result.targets[0].value != rows[row].value || result.targets[0].met != rows[row].met ||
            result.targets[0].never != rows[row].never) {
            fail_msg("%s", rows[row].why);
        }
        free(result.targets);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_result_survives_its_file_to_the_byte),
        cmocka_unit_test(what_a_gateway_showed_is_kept),
        cmocka_unit_test(a_result_of_before_shows_nothing),
        cmocka_unit_test(every_nanosecond_is_in_the_file),
        cmocka_unit_test(the_contract_s_keys_are_there),
        cmocka_unit_test(seeds_of_64_bits_are_kept),
        cmocka_unit_test(windows_across_midnight_are_kept),
        cmocka_unit_test(text_that_is_not_utf8_does_not_cost_the_result),
        cmocka_unit_test(a_damaged_file_is_refused_with_the_key_s_name),
        cmocka_unit_test(what_older_files_do_not_have_is_not_known),
        cmocka_unit_test(targets_hold_the_worst_run_against_the_limit),
        cmocka_unit_test(a_target_that_a_run_does_not_know_is_not_met),
        cmocka_unit_test(a_target_is_met_by_what_was_played_to_its_end_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
