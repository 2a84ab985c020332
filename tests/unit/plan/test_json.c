/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "unit/plan/kit.h"

static const char by_costs[] =
    "loginstorm: 1\nname: Nine\nusers: 9\nseed: 9223372036854775807\n"
    "window: {from: \"23:30\", to: \"00:30\"}\n"
    "certificates: [{name: A, key: rsa-4096}, {name: B, key: ecdsa-p256}]\n"
    "farm: {gateways: 2, spare: 1, costs: {fixed: 10s}}\ntargets: {gateway_cpu_peak: 30%}\n";
static const char too_slow[] = "loginstorm: 1\nusers: 9\nseed: 1\n"
                               "certificates: [{name: A, key: rsa-4096}]\n"
                               "farm: {gateways: 1, costs: {fixed: 100ms}}\n"
                               "targets: {login_p50: 1ms}\n";
static const char by_capacity[] = "loginstorm: 1\nusers: 9\nseed: 1\n"
                                  "certificates: [{name: A, key: rsa-4096}]\n"
                                  "farm: {gateways: 2, spare: 1, capacity: 3 in 10m}\n";

static json_t *json_of(const struct ls_plan *plan)
{
    json_t *root;

    assert_int_equal(ls_plan_to_json(plan, &root, NULL), LS_OK);
    return root;
}

static void a_plan_that_is_read_is_the_one_that_was_written(void **state)
{
    static const char *const scenarios[] = {by_costs, too_slow, by_capacity};

    (void)state;
    for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++) {
        struct ls_plan *plan = plan_with(scenarios[i], NULL, 5), *again;
        json_t *once = json_of(plan), *twice;
        struct ls_error err;

        if (ls_plan_from_json(&again, once, "plan.json", &err) != LS_OK) {
            fail_msg("%zu: %s", i, err.text);
        }
        twice = json_of(again);
        assert_true(json_equal(once, twice));
        /* What null stands for is told apart. */
        assert_int_equal(again->rows[0].single_cores, plan->rows[0].single_cores);
        assert_int_equal(again->rows[0].today.missed, plan->rows[0].today.missed);
        assert_int_equal(again->rows[0].today.p99_ns.most < 0, plan->rows[0].today.p99_ns.most < 0);
        assert_int_equal(ls_plan_misses(again), ls_plan_misses(plan));
        json_decref(once);
        json_decref(twice);
        ls_plan_free(plan);
        ls_plan_free(again);
    }
}

/* The value at "certificates.0.today.met". */
static json_t *at(json_t *root, const char *path)
{
    while (*path != '\0') {
        char key[64];
        const size_t length = strcspn(path, ".");

        (void)snprintf(key, sizeof key, "%.*s", (int)length, path);
        root = json_is_array(root) ? json_array_get(root, (size_t)strtol(key, NULL, 10))
                                   : json_object_get(root, key);
        path += length + (path[length] == '.');
    }
    return root;
}

static void what_is_not_as_it_is_written_is_refused_with_its_place(void **state)
{
    static const struct {
        const char *object, *key, *value, *text; /* value NULL: taken away */
    } rows[] = {
        {"", "format", "\"loginstorm-result\"", "this is no plan of loginstorm"},
        {"", "version", "2", "version: this loginstorm reads version 1 only"},
        {"", "mornings", NULL, "mornings: is not there"},
        {"", "mornings", "-1", "mornings: is to be a whole number that makes sense here"},
        {"", "certificates", "{}", "certificates: is to be a list of them"},
        {"", "in_words", "null", "in_words: is to be a text"},
        {"scenario", "users", "0", "scenario.users: is to be 1 or more"},
        {"scenario", "name", "7", "scenario.name: is to be a text"},
        {"scenario.window", "from", "\"25:00\"",
         "scenario.window.from: is to be a time of day, like 08:30"},
        {"scenario.window", "to", "\"08:00x\"",
         "scenario.window.to: is to be a time of day, like 08:30"},
        {"farm", "given", "1", "farm.given: is to be true or false"},
        {"farm", "gateways", "10001", "farm.gateways: is to be a whole number"},
        {"targets.0", "name", "\"login_p98\"", "targets.name: is no target that is known"},
        {"targets.0", "limit_share", "null",
         "targets.limit_share: is to be a number, from 0 to 9e15"},
        {"certificates.0", "cpu_us_per_login", "9.1e15",
         "certificates[0].cpu_us_per_login: is to be a number, from 0 to 9e15"},
        {"certificates.1", "certificate", "null", "certificates[1].certificate: is to be a text"},
        {"certificates.0", "today", NULL, "certificates[0].today: is not there"},
        {"certificates.0", "cliff", "[]", "certificates[0].cliff: lacks the planned farm"},
        {"certificates.0", "cliff", "[{},{},{},{},{}]",
         "certificates[0].cliff: has more steps than there are"},
        {"certificates.0", "notes", "[1]", "certificates[0].notes: is to be a list of texts"},
        {"certificates.0.gateways", "needed", "null",
         "certificates[0].why_not: is to be a text where no number of gateways is enough"},
        {"certificates.0.today", "breaks_first", "\"x\"",
         "certificates[0].breaks_first: is no word that is known"},
        {"certificates.0.today.failed_share", "p95", "\"x\"",
         "certificates[0].p95: is to be a number, from 0 to 9e15"},
    };
    struct ls_plan *plan = plan_with(by_costs, NULL, 5), *again;
    json_t *whole = json_of(plan);

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        json_t *root = json_deep_copy(whole), *object = at(root, rows[i].object);
        struct ls_error err = {0};

        assert_non_null(object);
        if (rows[i].value == NULL) {
            assert_int_equal(json_object_del(object, rows[i].key), 0);
        } else {
            json_t *value = json_loads(rows[i].value, JSON_DECODE_ANY, NULL);

            assert_int_equal(json_object_set_new(object, rows[i].key, value), 0);
        }
        assert_int_equal(ls_plan_from_json(&again, root, "plan.json", &err), LS_EINPUT);
        assert_null(again);
        assert_string_equal(err.path, "plan.json");
        if (strstr(err.text, rows[i].text) != err.text) {
            fail_msg("%s.%s: %s", rows[i].object, rows[i].key, err.text);
        }
        json_decref(root);
    }
    json_decref(whole);
    ls_plan_free(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plan_that_is_read_is_the_one_that_was_written),
        cmocka_unit_test(what_is_not_as_it_is_written_is_refused_with_its_place),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
