/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <unistd.h>

#include "unit/record/costs_sample.h"

static struct ls_costs *read_back(const char *text)
{
    struct ls_costs *costs;
    struct ls_error err = {0};
    json_t *root;

    assert_int_equal(ls_json_parse(&root, "x", text, strlen(text), &err), LS_OK);
    if (ls_costs_from_json(&costs, root, "x", &err) != LS_OK) {
        fail_msg("%s", err.text);
    }
    json_decref(root);
    return costs;
}

static void a_spread_keeps_nearest_ranks(void **state)
{
    int64_t values[200];
    struct ls_spread spread;

    (void)state;
    for (int i = 0; i < 200; i++) {
        values[i] = (i * 77 % 200 + 1) * 10; /* 10 ... 2000 in some order */
    }
    ls_spread_of(&spread, values, 200);
    assert_int_equal(spread.count, 200);
    assert_int_equal(spread.points_ns[0], 10);
    assert_int_equal(spread.points_ns[1], 20); /* the second of 200 */
    assert_int_equal(spread.points_ns[50], 1000);
    assert_int_equal(spread.points_ns[100], 2000);
    assert_true(fabs(spread.mean_ns - 1005) < 1e-6);
    ls_spread_of(&spread, values, 1);
    for (int i = 0; i < LS_SPREAD_POINTS; i++) {
        assert_int_equal(spread.points_ns[i], 10);
    }
    ls_spread_of(&spread, NULL, 0);
    assert_int_equal(spread.count, 0);
    assert_true(spread.mean_ns < 0);
    assert_int_equal(spread.points_ns[50], LS_NEVER_NS);
}

static void a_spread_of_quantiles_meets_them_and_rises_between(void **state)
{
    struct ls_quantiles q = {.count = 1000,
                             .min = 10,
                             .mean = 80,
                             .p50 = 60,
                             .p90 = 100,
                             .p95 = 200,
                             .p99 = 400,
                             .p99_9 = 900,
                             .p100 = 1000};
    struct ls_spread spread;

    (void)state;
    ls_spread_of_quantiles(&spread, &q);
    assert_int_equal(spread.points_ns[0], 10);
    assert_int_equal(spread.points_ns[25], 35);
    assert_int_equal(spread.points_ns[50], 60);
    assert_int_equal(spread.points_ns[90], 100);
    assert_int_equal(spread.points_ns[95], 200);
    assert_int_equal(spread.points_ns[99], 400);
    assert_int_equal(spread.points_ns[100], 1000);
    assert_true(fabs(spread.mean_ns - 80) < 1e-6);
    q.p90 = 59; /* no distribution has that */
    ls_spread_of_quantiles(&spread, &q);
    assert_int_equal(spread.count, 0);
    q.count = 0;
    ls_spread_of_quantiles(&spread, &q);
    assert_int_equal(spread.count, 0);
}

static void a_profile_survives_its_file_to_the_byte(void **state)
{
    struct ls_costs *first = sample_costs(), *second;
    char *once = costs_text(first), *twice;

    (void)state;
    second = read_back(once);
    twice = costs_text(second);
    assert_string_equal(once, twice);
    assert_string_equal(second->path, "x");
    assert_string_equal(second->source, "calibrate");
    assert_null(second->tls_build);
    assert_int_equal(second->count, 3);
    assert_string_equal(second->rows[0].group, "X25519");
    assert_null(second->rows[1].group);
    assert_true(second->rows[1].resumed);
    assert_int_equal(second->rows[1].send_bytes, -1);
    assert_int_equal(second->rows[0].at_count, 2);
    assert_true(fabs(second->rows[0].at[0].cpu_ns - 3400123.456) < 1e-4);
    assert_true(second->rows[0].at[0].system_ns < 0);
    assert_int_equal(second->rows[0].at[1].verdict, LS_SUSPECT);
    assert_memory_equal(second->rows[0].at[0].hello.points_ns, first->rows[0].at[0].hello.points_ns,
                        sizeof first->rows[0].at[0].hello.points_ns);
    assert_int_equal(second->rows[0].at[0].connect.count, 0);
    assert_true(fabs(second->rows[0].at[0].connect.mean_ns - 30000) < 1e-6);
    assert_int_equal(second->rows[0].line.points_count, 0);
    assert_string_equal(second->rows[2].line.gateway, "gw.example:443");
    assert_true(fabs(second->rows[2].line.idle_low + 0.125) < 1e-12);
    assert_int_equal(second->rows[2].line.points_count, 4);
    assert_true(fabs(second->rows[2].line.points[3].per_s - 193) < 1e-12);
    assert_true(fabs(second->rows[2].line.points[3].residual_cores + 0.03125) < 1e-12);
    assert_true(second->openssl.sign_per_s[1] < 0);
    assert_true(fabs(second->openssl.sign_per_s[0] - 1000.25) < 1e-9);
    free(once);
    free(twice);
    ls_costs_free(first);
    ls_costs_free(second);
}

/* As it was written when nobody watched a host for pauses. */
static void a_profile_without_pauses_is_one_that_knows_none(void **state)
{
    struct ls_costs *sound = sample_costs(), *costs;
    json_t *root;
    struct ls_error err;

    (void)state;
    sound->pauses_per_s = 3;
    assert_int_equal(ls_costs_to_json(sound, &root, &err), LS_OK);
    assert_int_equal(json_object_del(json_object_get(root, "host"), "pauses_us"), 0);
    assert_int_equal(ls_costs_from_json(&costs, root, "x", &err), LS_EINPUT);
    assert_string_equal(err.text, "host.pauses_us: missing");
    assert_int_equal(json_object_del(json_object_get(root, "host"), "pauses_per_s"), 0);
    assert_int_equal(ls_costs_from_json(&costs, root, "x", &err), LS_OK);
    assert_true(costs->pauses_per_s < 0);
    assert_int_equal(costs->pauses.count, 0);
    assert_int_equal(costs->count, sound->count);
    json_decref(root);
    ls_costs_free(costs);
    ls_costs_free(sound);
}

/* Each row changes one thing in a sound file. */
static void a_damaged_profile_is_refused_with_the_key_s_name(void **state)
{
    static const struct {
        const char *from, *to, *text;
    } rows[] = {
        {"loginstorm-costs", "other",
         "neither a cost profile (loginstorm calibrate makes one) nor the result.json of a live "
         "run"},
        {"\"version\": 1", "\"version\": 2", "version: this loginstorm reads version 1 only"},
        {"\"source\": \"calibrate\"", "\"source\": \"guess\"",
         "source: none of \"calibrate\", \"outside\", \"run\", \"published\""},
        {"\"source\": \"calibrate\"", "\"source\": null",
         "source: not a value that loginstorm writes there"},
        {"\"factor\": 1.0,", "", "factor: missing"},
        {"\"factor\"", "\"facter\"",
         "facter: a cost profile has no such field; did you mean factor?"},
        {"\"factor\": 1.0,", "\"factor\": 0,", "factor: out of range (0.000001 to 1000000)"},
        {"\"low\": 1.0,", "\"low\": 1.5,", "low, high: not an interval around 1"},
        {"\"cores\": 2", "\"cores\": 2, \"speed\": 3",
         "host.speed: a cost profile has no such field"},
        {"\"rsa-2048\": 1000.25", "\"rsa-2048\": 0", "openssl_speed.sign_per_s: out of range"},
        {"\"handshakes\": [", "\"handshakes\": 3, \"was\": [",
         "was: a cost profile has no such field"},
        {"\"key\": \"rsa-4096\"", "\"key\": null",
         "handshakes[0].key: not a value that loginstorm writes there"},
        {"\"version\": \"1.3\"", "\"version\": \"1.4\"",
         "handshakes[0].version: not \"1.2\", \"1.3\" or null"},
        {"\"resumed_share\": 0.0", "\"resumed_share\": 1.0",
         "handshakes[0].resumed_share: not a share that fits `resumed`"},
        {"\"send_bytes\": 600", "\"send_bytes\": 600.5",
         "handshakes[0].request.send_bytes: not a value that loginstorm writes there"},
        {"\"mean\": 3400.123456", "\"mean\": null",
         "handshakes[0].loads[0].cpu_us.mean: missing: without it nothing is known of this load"},
        {"\"mean\": 3400.123456", "\"mean\": 0",
         "handshakes[0].loads[0].cpu_us.mean: no handshake is free: at least 0.001 (microseconds "
         "of CPU)"},
        {"\"pauses_per_s\"", "\"pauses_per_h\"",
         "host.pauses_per_h: a cost profile has no such field; did you mean pauses_per_s?"},
        {"\"mean\": 3400.123456", "\"mean\": -1",
         "handshakes[0].loads[0].cpu_us.mean: not a value that loginstorm writes there"},
        {"\"mean\": 3400.123456", "\"mean\": 1e10",
         "handshakes[0].loads[0].cpu_us.mean: not a value that loginstorm writes there"},
        {"\"rounds\": 3", "\"rounds\": 0",
         "handshakes[0].loads[0].per_s, core_share, handshakes or rounds: out of range"},
        {"\"core_share\": 0.05", "\"core_share\": 0.95",
         "handshakes[0].loads[1].core_share: below that of the load before it"},
        {"\"low\": 3060.11111", "\"low\": null, \"x\": 0",
         "handshakes[0].loads[0].cpu_us.x: a cost profile has no such field"},
        {"\"count\": 250", "\"count\": 0",
         "handshakes[0].loads[0].hello_us: not a value that loginstorm writes there"},
        {"60.001", "70.001",
         "handshakes[0].loads[0].hello_us: not a value that loginstorm writes there"},
        {"\"regression\": {", "\"regression\": null, \"was\": {",
         "handshakes[2].was: a cost profile has no such field"},
        {"\"regression\"", "\"regressions\"",
         "handshakes[2].regressions: a cost profile has no such field"},
        {"\"clock\": \"exporter\",", "", "handshakes[2].regression.clock: missing"},
        {"\"clock\"", "\"clok\"",
         "handshakes[2].regression.clok: a cost profile has no such field; did you mean clock?"},
        {"\"low\": -0.125", "\"low\": 0.125",
         "handshakes[2].regression.idle_cores: not a value within its interval"},
        {"\"r2\": 0.9375", "\"r2\": 1.5", "handshakes[2].regression.r2: out of range (0 to 1)"},
        {"\"points\": [\n          {", "\"points\": [], \"was\": [{",
         "handshakes[2].regression.was: a cost profile has no such field"},
        {"\"cores\": 0.125", "\"cores\": -0.125",
         "handshakes[2].regression.points[0].cores: not a value that loginstorm writes there"},
        {"\"residual_cores\": 0.03125", "\"residual_cores\": null",
         "handshakes[2].regression.points[0].residual_cores: not a value that loginstorm writes "
         "there"},
        {"\"suspect\"", "\"fine\"",
         "handshakes[0].loads[0].verdict: not a value that loginstorm writes there"},
    };
    struct ls_costs *sound = sample_costs();
    char *text = costs_text(sound);

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *found = strstr(text, rows[i].from);
        char *damaged;
        struct ls_costs *costs;
        struct ls_error err = {0};
        json_t *root;

        if (found == NULL) {
            fail_msg("no %s", rows[i].from);
        }
        assert_true(asprintf(&damaged, "%.*s%s%s", (int)(found - text), text, rows[i].to,
                             found + strlen(rows[i].from)) > 0);
        assert_int_equal(ls_json_parse(&root, "x", damaged, strlen(damaged), &err), LS_OK);
        assert_int_equal(ls_costs_from_json(&costs, root, "x.json", &err), LS_EINPUT);
        assert_null(costs);
        assert_string_equal(err.text, rows[i].text);
        assert_string_equal(err.path, "x.json");
        json_decref(root);
        free(damaged);
    }
    free(text);
    ls_costs_free(sound);
}

static void a_wish_finds_the_nearest_row_of_its_kind(void **state)
{
    static const struct {
        const char *key, *group, *version;
        bool resumed;
        int row; /* negative: none */
        bool exact;
    } rows[] = {
        {"rsa-4096", "X25519", "1.3", false, 0, true},
        {"rsa-4096", NULL, NULL, false, 0, true},      /* whatever there is */
        {"rsa-4096", "P-256", "1.3", false, -1, 0},    /* another group costs another CPU */
        {"rsa-4096", "X25519", "1.2", false, -1, 0},   /* likewise the version */
        {"rsa-4096", "X25519", "1.3", true, 1, false}, /* the row does not say which */
        {"rsa-4096", NULL, NULL, true, 1, true},
        {"ecdsa-p256", NULL, NULL, false, -1, 0}, /* a mix is of neither kind */
        {"ecdsa-p256", NULL, NULL, true, -1, 0},
        {"ed25519", NULL, NULL, false, -1, 0},
    };
    struct ls_costs *costs = sample_costs();

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_error err = {0};
        bool exact;
        const struct ls_cost *row = ls_costs_find(costs, rows[i].key, rows[i].group,
                                                  rows[i].version, rows[i].resumed, &exact, &err);

        if (row != (rows[i].row < 0 ? NULL : &costs->rows[rows[i].row]) ||
            (row != NULL && exact != rows[i].exact)) {
            fail_msg("row %zu of the table", i);
        }
        assert_int_equal(err.code, row == NULL ? LS_EINPUT : LS_OK);
    }
    ls_costs_free(costs);
}

static void who_finds_nothing_hears_what_there_is(void **state)
{
    struct ls_costs *costs = sample_costs();
    struct ls_error err = {0};
    bool exact;

    (void)state;
    assert_null(ls_costs_find(costs, "ed25519", "P-256", "1.2", true, &exact, &err));
    assert_string_equal(err.text,
                        "no cost of a handshake resumed with ed25519, P-256, TLS 1.2; it has: full "
                        "with rsa-4096, X25519, TLS 1.3; resumed with rsa-4096; mixed with "
                        "ecdsa-p256; left out: ECDSA P-384 (invalid); measure it with `loginstorm "
                        "calibrate SCENARIO`");
    ls_costs_free(costs);
}

static void a_row_that_says_more_goes_before_one_that_does_not(void **state)
{
    struct ls_costs *costs = sample_costs();
    struct ls_error err = {0};
    bool exact;

    (void)state;
    free(costs->rows[2].key);
    costs->rows[2].key = strdup("rsa-4096");
    costs->rows[2].resumed_share = 0;
    assert_ptr_equal(ls_costs_find(costs, "rsa-4096", "X25519", "1.3", false, &exact, &err),
                     &costs->rows[0]);
    assert_true(exact);
    assert_ptr_equal(ls_costs_find(costs, "rsa-4096", "P-384", "1.3", false, &exact, &err),
                     &costs->rows[2]);
    assert_false(exact);
    ls_costs_free(costs);
}

static void a_factor_is_kept_apart_from_what_was_measured(void **state)
{
    struct ls_costs *costs = sample_costs();
    struct ls_error err;

    (void)state;
    assert_int_equal(ls_costs_scale(costs, 1, &err), LS_OK);
    assert_null(costs->translation);
    assert_int_equal(ls_costs_scale(costs, 0.5, &err), LS_OK);
    assert_true(fabs(costs->factor - 2) < 1e-9);
    assert_true(fabs(costs->low - 0.8) < 1e-9 && fabs(costs->high - 1.2) < 1e-9);
    assert_string_equal(costs->translation, "by a factor of 0.5");
    assert_true(fabs(costs->rows[0].at[1].cpu_ns - 3300000) < 1e-6);
    assert_int_equal(ls_costs_scale(costs, 0, &err), LS_EINPUT);
    assert_int_equal(ls_costs_scale(costs, -1, &err), LS_EINPUT);
    assert_int_equal(ls_costs_scale(costs, NAN, &err), LS_EINPUT);
    ls_costs_free(costs);
}

static void a_profile_is_loaded_and_other_files_are_refused(void **state)
{
    char path[] = "/tmp/loginstorm-costs-XXXXXX";
    const int fd = mkstemp(path);
    struct ls_costs *sound = sample_costs(), *costs;
    char *text = costs_text(sound);
    struct ls_error err = {0};

    (void)state;
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    assert_int_equal(ls_costs_load(&costs, path, &err), LS_OK);
    assert_string_equal(costs->path, path);
    assert_int_equal(costs->count, 3);
    ls_costs_free(costs);
    assert_int_equal(ftruncate(fd, 0), 0);
    assert_int_equal(pwrite(fd, "[]\n", 3, 0), 3);
    assert_int_equal(ls_costs_load(&costs, path, &err), LS_EINPUT);
    assert_string_equal(err.path, path);
    assert_null(costs);
    (void)close(fd);
    (void)unlink(path);
    assert_int_equal(ls_costs_load(&costs, path, &err), LS_ENOINPUT);
    free(text);
    ls_costs_free(sound);
}

static void what_a_gateway_takes_idle_is_told_where_that_is_known(void **state)
{
    struct ls_costs *costs = sample_costs();
    struct ls_cost_line *line = &costs->rows[2].line;
    char text[200];

    (void)state;
    assert_true(ls_costs_idle_text(costs, text, sizeof text));
    assert_string_equal(text, "what gw.example:443 takes with nobody logging in comes on top: 0.06 "
                              "cores (0.00 to 0.25)");
    line->idle_cores = -0.001;
    line->idle_high = 0.02; /* it may be something */
    assert_true(ls_costs_idle_text(costs, text, sizeof text));
    assert_non_null(strstr(text, ": 0.00 cores (0.00 to 0.02)"));
    line->idle_high = 0.009;
    assert_false(ls_costs_idle_text(costs, text, sizeof text));
    line->idle_high = 0.25;
    line->points_count = 0;
    assert_false(ls_costs_idle_text(costs, text, sizeof text)); /* of our own gateway */
    ls_costs_free(costs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_spread_keeps_nearest_ranks),
        cmocka_unit_test(a_spread_of_quantiles_meets_them_and_rises_between),
        cmocka_unit_test(a_profile_survives_its_file_to_the_byte),
        cmocka_unit_test(a_profile_without_pauses_is_one_that_knows_none),
        cmocka_unit_test(a_damaged_profile_is_refused_with_the_key_s_name),
        cmocka_unit_test(a_wish_finds_the_nearest_row_of_its_kind),
        cmocka_unit_test(who_finds_nothing_hears_what_there_is),
        cmocka_unit_test(a_row_that_says_more_goes_before_one_that_does_not),
        cmocka_unit_test(a_factor_is_kept_apart_from_what_was_measured),
        cmocka_unit_test(what_a_gateway_takes_idle_is_told_where_that_is_known),
        cmocka_unit_test(a_profile_is_loaded_and_other_files_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
