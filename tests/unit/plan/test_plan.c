/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/plan/kit.h"

/* A hundred a minute, one each 600 ms, for ten minutes; one connection a login. */
#define EVEN                                                                                       \
    "loginstorm: 1\nname: even\nusers: 1000\nseed: 1\n"                                            \
    "window: {from: \"08:00\", to: \"08:10\"}\n"                                                   \
    "arrivals: {shape: uniform, placement: even}\n"                                                \
    "populations: [{name: all, connections: 1, network: {rtt: 10ms}}]\n"                           \
    "certificates: [{name: A, key: rsa-4096}]\n"
/* Two cores' worth: 100 a minute, 1.2 s each. */
#define TWO_CORES "costs: {fixed: 1200ms}"

static void the_law_of_utilisation_says_how_many_gateways(void **state)
{
    static const struct {
        const char *text;
        int gateways, single_cores;
        const char *reason;
    } rows[] = {
        {EVEN "farm: {cores: 1, " TWO_CORES "}\ntargets: {gateway_cpu_peak: 70%}\n", 3, 3,
         "2 / 0.7 = 2.86"},
        {EVEN "farm: {gateways: 2, spare: 1, cores: 1, " TWO_CORES
              "}\ntargets: {gateway_cpu_peak: 70%}\n",
         4, 3, "and a spare one"},
        {EVEN "farm: {cores: 1, " TWO_CORES "}\ntargets: {gateway_cpu_peak: 35%}\n", 6, 6,
         "2 / 0.35 = 5.71"},
        {EVEN "farm: {cores: 2, " TWO_CORES "}\ntargets: {gateway_cpu_peak: 70%}\n", 2, 3,
         "2 / 0.7 / 2 = 1.43"},
        {EVEN "farm: {cores: 4, " TWO_CORES "}\ntargets: {gateway_cpu_peak: 70%}\n", 1, 3,
         "one of four cores is half full"},
        {EVEN "farm: {cores: 1, costs: {fixed: 600ms}, login_cpu: 600ms}\n"
              "targets: {gateway_cpu_peak: 70%}\n",
         3, 3, "half of it beside TLS"},
        {EVEN "farm: {cores: 1, costs: {fixed: 1ns}}\ntargets: {gateway_cpu_peak: 70%}\n", 1, 1,
         "next to no work"},
        /* Once in 600 ms, 1.2 s each: with three cores nobody waits, with two not for long. */
        {EVEN "farm: {cores: 1, " TWO_CORES "}\ntargets: {login_p100: 1300ms}\n", 2, 2,
         "as fast as a burst and its round trips"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_plan *plan = plan_of(rows[i].text);
        const struct ls_plan_row *row = &plan->rows[0];

        if (row->gateways != rows[i].gateways || row->single_cores != rows[i].single_cores) {
            fail_msg("%s: %d, %d", rows[i].reason, row->gateways, row->single_cores);
        }
        assert_int_equal(row->gateways_low, row->gateways); /* a law is not uncertain */
        assert_int_equal(row->gateways_high, row->gateways);
        assert_int_equal(row->cliff[0].missed, 0);
        ls_plan_free(plan);
    }
}

static void a_farm_carries_the_users_that_fill_it_to_its_target(void **state)
{
    struct ls_plan *plan = plan_of(EVEN "farm: {gateways: 2, cores: 1, " TWO_CORES "}\n"
                                        "targets: {gateway_cpu_peak: 70%}\n");
    const struct ls_plan_row *row = &plan->rows[0];

    (void)state;
    /* 35 a minute fill a core to 70 %: two carry 700 in ten minutes, three 1,050. */
    assert_true(row->today_carries.users >= 680 && row->today_carries.users <= 705);
    assert_true(row->carries.users >= 1020 && row->carries.users <= 1055);
    assert_false(row->today_carries.over || row->carries.over);
    assert_int_equal(row->today.missed, 1U << LS_TARGET_CPU_PEAK);
    assert_int_equal(row->edge.missed, 1U << LS_TARGET_CPU_PEAK);
    assert_int_equal(row->edge.why, LS_BREAK_CPU);
    assert_true(row->edge.users > row->carries.users);
    assert_int_equal(row->cliff[1].users, 1100);
    assert_true(row->cliff[1].missed != 0 && row->cliff[3].missed != 0);
    assert_int_equal(row->one_less.gateways, 2);
    assert_true(ls_plan_misses(plan));
    assert_non_null(strstr(plan->words, "With A they need 3 gateways of 1 core"));
    ls_plan_free(plan);
}

static void all_gateways_carry_more_than_those_that_are_left(void **state)
{
    struct ls_plan *plan = plan_of(EVEN "farm: {gateways: 4, spare: 1, cores: 1, " TWO_CORES "}\n"
                                        "targets: {gateway_cpu_peak: 70%}\n");
    const struct ls_plan_row *row = &plan->rows[0];

    (void)state;
    assert_int_equal(row->today.gateways, 3);
    assert_true(row->today_carries.users >= 1020 && row->today_carries.users <= 1055);
    assert_true(row->today_all_carries.users >= 1360 && row->today_all_carries.users <= 1405);
    assert_false(ls_plan_misses(plan));
    ls_plan_free(plan);
}

static void what_nothing_can_meet_is_said_with_its_reason(void **state)
{
    static const struct {
        const char *text, *part, *reason;
    } rows[] = {
        {EVEN "farm: {costs: {fixed: 5ms}}\ntargets: {login_p50: 8ms}\n",
         "login_p50 is to be within 8.00 ms, but takes 25.0 ms",
         "two round trips of 10 ms and the work"},
        {"loginstorm: 1\nname: two\nusers: 100\nwindow: {from: \"08:00\", to: \"08:10\"}\n"
         "populations: [{name: office, share: 60%, network: {rtt: 2ms}},\n"
         "              {name: home, share: 40%, network: {rtt: 30ms}}]\n"
         "certificates: [{name: A, key: rsa-4096}]\n"
         "farm: {costs: {fixed: 20ms}}\ntargets: {login_p50: 1ms}\n",
         "a login is 4.00 ms to 60.0 ms of round trips", "the shortest comes first"},
        {EVEN "farm: {costs: {fixed: 2s}}\ntargets: {login_p99: 1s}\n",
         "2.00 s of the gateway's CPU", "the work alone"},
        {EVEN "login: {timeouts: {handshake: 1s}, retry: {attempts: 1}}\n"
              "farm: {costs: {fixed: 2s}}\ntargets: {failed: 1%}\n",
         "longer than its time-outs", "time-outs below the work"},
        {EVEN "farm: {cores: 1, costs: {fixed: 30s}}\n"
              "login: {timeouts: {handshake: 2m, login: 2m}}\n"
              "targets: {gateway_cpu_peak: 5%}\n",
         "fills a core to 50 %", "a single login is too much"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_plan *plan = plan_of(rows[i].text);
        const struct ls_plan_row *row = &plan->rows[0];

        if (row->gateways != 0 || row->why_not == NULL ||
            strstr(row->why_not, rows[i].part) == NULL) {
            fail_msg("%s: %d, %s", rows[i].reason, row->gateways,
                     row->why_not == NULL ? "-" : row->why_not);
        }
        assert_non_null(strstr(plan->words, row->why_not));
        assert_true(ls_plan_misses(plan));
        ls_plan_free(plan);
    }
}

static void without_targets_ours_are_taken_and_called_so(void **state)
{
    struct ls_plan *plan = plan_of(EVEN "farm: {costs: {fixed: 5ms}}\n");

    (void)state;
    assert_true(plan->limits[LS_TARGET_LOGIN_P99].assumed);
    assert_int_equal(lround(plan->limits[LS_TARGET_LOGIN_P99].limit), 1000000000);
    assert_int_equal(lround(plan->limits[LS_TARGET_FAILED].limit * 1e6), 1000);
    assert_int_equal(lround(plan->limits[LS_TARGET_CPU_PEAK].limit * 1e6), 700000);
    assert_true(plan->limits[LS_TARGET_LOGIN_P50].limit < 0);
    ls_plan_free(plan);
    plan = plan_of(EVEN "farm: {costs: {fixed: 5ms}}\ntargets: {login_p50: 1s}\n");
    assert_false(plan->limits[LS_TARGET_LOGIN_P50].assumed);
    assert_true(plan->limits[LS_TARGET_LOGIN_P99].limit < 0); /* one of their own, none of ours */
    ls_plan_free(plan);
}

/* A row whose handshake takes 1.2 s, which its rounds put between 0.9 and 1.5 s. */
static struct ls_costs *costs_of(double low, double high)
{
    struct ls_costs *costs = calloc(1, sizeof *costs);
    struct ls_cost *row = calloc(1, sizeof *row);

    if (costs == NULL || row == NULL) {
        abort();
    }
    *costs = (struct ls_costs){.factor = 1, .low = low, .high = high, .rows = row, .count = 1};
    *row = (struct ls_cost){.key = strdup("rsa-4096"), .at_count = 1};
    row->at[0] = (struct ls_cost_at){.per_s = 1,
                                     .core_share = 1,
                                     .handshakes = 100,
                                     .cpu_ns = 1.2e9,
                                     .user_ns = -1,
                                     .system_ns = -1,
                                     .tls_ns = -1,
                                     .cpu_low_ns = 0.9e9,
                                     .cpu_high_ns = 1.5e9,
                                     .client_ns = -1,
                                     .hello = {.mean_ns = -1},
                                     .finish = {.mean_ns = -1},
                                     .connect = {.mean_ns = -1},
                                     .handshake = {.mean_ns = -1},
                                     .login = {.mean_ns = -1}};
    return costs;
}

static void the_answer_carries_the_uncertainty_of_the_costs(void **state)
{
    static const struct {
        double low, high;
        int gateways_low, gateways_high;
        const char *reason;
    } rows[] = {
        {1, 1, 3, 4, "their rounds: 1.5 and 2.5 cores at 70 %: 2.1 and 3.6"},
        {0.5, 1, 2, 4, "a translation that may be half: 0.75 cores: 1.07"},
        {1, 2, 3, 8, "or twice: 5 cores: 7.1"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_costs *costs = costs_of(rows[i].low, rows[i].high);
        struct ls_plan *plan = plan_with(EVEN "farm: {cores: 1}\ntargets: {gateway_cpu_peak: 70%}\n"
                                              "login: {request: {send: 0B, receive: 0B}}\n",
                                         costs, 20);
        const struct ls_plan_row *row = &plan->rows[0];

        if (row->gateways != 3 || row->gateways_low != rows[i].gateways_low ||
            row->gateways_high != rows[i].gateways_high) {
            fail_msg("%s: %d, %d to %d", rows[i].reason, row->gateways, row->gateways_low,
                     row->gateways_high);
        }
        ls_plan_free(plan);
        ls_costs_free(costs);
    }
}

static void what_is_not_known_of_the_costs_is_told(void **state)
{
    static const struct {
        double low_ns;
        enum ls_verdict verdict;
        const char *key, *source, *farm, *words;
        bool told;
        const char *reason;
    } rows[] = {
        {0.9e9, LS_VALID, "rsa-4096", "calibrate", "", "how far off", false, "there are rounds"},
        {-1, LS_VALID, "rsa-4096", "calibrate", "", "how far off", true, "a single round"},
        {-1, LS_VALID, "ecdsa-p384", "calibrate", "", "how far off", false, "of another key"},
        {0.9e9, LS_SUSPECT, "rsa-4096", "calibrate", "", "suspect", true, "a measurement"},
        {0.9e9, LS_SUSPECT, "ecdsa-p384", "calibrate", "", "suspect", false, "of another key"},
        {0.9e9, LS_VALID, "rsa-4096", "calibrate", "", "bare TLS gateway", true, "our own gateway"},
        {0.9e9, LS_VALID, "rsa-4096", "published", "", "bare TLS gateway", false, "not our own"},
        {0.9e9, LS_VALID, "rsa-4096", "outside", "", "bare TLS gateway", false, "a real one"},
        {0.9e9, LS_VALID, "rsa-4096", "outside", "",
         "hat gw:443 takes with nobody logging in comes on top: 0.25 cores (0.20 to 0.30)", true,
         "what no handshake costs"},
        {0.9e9, LS_VALID, "rsa-4096", "calibrate", "", "nobody logging in", false, "no line"},
        {0.9e9, LS_VALID, "rsa-4096", "calibrate", ", login_cpu: 1ms", "bare TLS gateway", false,
         "the scenario tells what comes on top"},
        {0.9e9, LS_VALID, "rsa-4096", "calibrate", ", capacity: 700 in 10m", "farm.capacity", true,
         "costs go before a capacity"},
        {0.9e9, LS_VALID, "rsa-4096", "calibrate", "", "farm.capacity", false, "there is none"},
    };
    static const char *const for_the_mail[] = {
        "how far off", "suspect", "bare TLS gateway", "nobody logging in",
        "hat gw:443 takes with nobody logging in comes on top: 0.25 cores (0.20 to 0.30)"};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_costs *costs = costs_of(1, 1);
        struct ls_cost *more = realloc(costs->rows, 2 * sizeof *more);
        struct ls_plan *plan;
        char text[600];

        assert_non_null(more);
        costs->rows = more;
        costs->count = 2;
        more[1] = more[0]; /* of the same storm, but for its key */
        more[1].certificate = NULL;
        more[1].key = strdup(rows[i].key);
        more[1].at[0].cpu_low_ns = rows[i].low_ns;
        more[1].at[0].verdict = rows[i].verdict;
        free(costs->source);
        costs->source = strdup(rows[i].source);
        if (strcmp(rows[i].source, "outside") == 0) {
            more[1].line = (struct ls_cost_line){
                .gateway = strdup("gw:443"),
                .idle_cores = 0.25,
                .idle_low = 0.2,
                .idle_high = 0.3,
                .points = calloc(4, sizeof(struct ls_cost_point)),
                .points_count = 4,
            };
        }
        (void)snprintf(text, sizeof text,
                       EVEN "farm: {cores: 1%s}\n"
                            "login: {request: {send: 0B, receive: 0B}}\n",
                       rows[i].farm);
        plan = plan_with(text, costs, 3);
        if ((plan->notes != NULL && strstr(plan->notes, rows[i].words) != NULL) != rows[i].told) {
            fail_msg("%s: %s", rows[i].reason, plan->notes == NULL ? "-" : plan->notes);
        }
        for (size_t k = 0; k < sizeof for_the_mail / sizeof for_the_mail[0]; k++) {
            if (strcmp(rows[i].words, for_the_mail[k]) == 0 &&
                (strcasestr(plan->words, rows[i].words) != NULL) != rows[i].told) {
                fail_msg("in the mail, %s: %s", rows[i].reason, plan->words);
            }
        }
        assert_non_null(strstr(plan->words, "The targets are assumed"));
        ls_plan_free(plan);
        ls_costs_free(costs);
    }
}

static void what_cannot_be_planned_is_told_before_anything_is_played(void **state)
{
    static const struct {
        const char *text, *part;
    } rows[] = {
        {"loginstorm: 1\nseed: 1\narrivals: {shape: closed, requests: 10, concurrency: 2}\n"
         "certificates: [{name: A, key: rsa-4096}]\n",
         "a closed loop"},
        {EVEN "farm: {cores: 1}\n", "run `loginstorm calibrate`"},
        {"loginstorm: 1\nseed: 1\nusers: 3000000\ncertificates: [{name: A, key: rsa-4096}]\n"
         "farm: {costs: {fixed: 1ms}}\n",
         "3,000,000 users are more than can be planned for at once (1,000,000)"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_scenario *scenario = scenario_of(rows[i].text);
        const struct ls_plan_wish wish = {.scenario = scenario, .threads = 1};
        struct ls_plan *plan;
        struct ls_error err = {0};

        assert_int_equal(ls_plan_build(&plan, &wish, &err), LS_EINPUT);
        assert_null(plan);
        if (strstr(err.text, rows[i].part) == NULL) {
            fail_msg("%s", err.text);
        }
        ls_scenario_free(scenario);
    }
}

static int give_up(const char *what, void *data)
{
    int *calls = data;

    assert_non_null(strstr(what, "A: "));
    return ++*calls == 3;
}

static void who_asks_for_it_ends_a_plan(void **state)
{
    struct ls_scenario *scenario = scenario_of(EVEN "farm: {" TWO_CORES "}\n");
    int calls = 0;
    const struct ls_plan_wish wish = {
        .scenario = scenario, .mornings = 20, .threads = 1, .progress = give_up, .data = &calls};
    struct ls_plan *plan;
    struct ls_error err;

    (void)state;
    assert_int_equal(ls_plan_build(&plan, &wish, &err), LS_EINTERRUPTED);
    assert_null(plan);
    assert_int_equal(calls, 3);
    ls_scenario_free(scenario);
}

static int give_up_at_b(const char *what, void *data)
{
    (void)data;
    return strncmp(what, "B: ", 3) == 0;
}

/* By a profile each certificate is work of its own. */
static void who_was_answered_before_the_end_is_a_partial_plan(void **state)
{
    struct ls_scenario *scenario = scenario_of(
        "loginstorm: 1\nusers: 600\nseed: 1\nwindow: {from: 08:00, to: 08:10}\n"
        "arrivals: {shape: uniform, placement: even}\nfarm: {cores: 1}\n"
        "login: {request: {send: 0B, receive: 0B}}\n"
        "certificates: [{name: A, key: rsa-4096}, {name: B, key: rsa-4096}, {name: C, key: "
        "rsa-4096}]\n");
    struct ls_costs *costs = costs_of(1, 1);
    const struct ls_plan_wish wish = {.scenario = scenario,
                                      .costs = costs,
                                      .mornings = 3,
                                      .threads = 1,
                                      .progress = give_up_at_b};
    struct ls_plan *plan, *again;
    struct ls_error err;
    json_t *root;

    (void)state;
    assert_int_equal(ls_plan_build(&plan, &wish, &err), LS_EINTERRUPTED);
    assert_non_null(plan);
    assert_true(plan->partial);
    assert_int_equal(plan->rows_count, 1);
    assert_string_equal(plan->rows[0].certificate, "A");
    assert_non_null(strstr(plan->notes, "no answer, since the plan was stopped: B, C"));
    assert_non_null(strstr(plan->words, "With A they need "));
    assert_non_null(strstr(plan->words, "for the other certificates there is no answer."));
    assert_int_equal(ls_plan_to_json(plan, &root, &err), LS_OK);
    assert_int_equal(ls_plan_from_json(&again, root, "x", &err), LS_OK);
    assert_true(again->partial);
    json_decref(root);
    ls_plan_free(again);
    ls_plan_free(plan);
    ls_costs_free(costs);
    ls_scenario_free(scenario);
}

/* Numbers that a program reads, in their units. */
static void as_json_a_plan_has_its_units_in_its_keys(void **state)
{
    struct ls_plan *plan = plan_of(EVEN "farm: {gateways: 2, cores: 1, " TWO_CORES "}\n"
                                        "targets: {gateway_cpu_peak: 70%, login_p99: 2s}\n");
    struct ls_error err;
    const json_t *row, *today;
    json_t *root;

    (void)state;
    assert_int_equal(ls_plan_to_json(plan, &root, &err), LS_OK);
    assert_string_equal(json_string_value(json_object_get(root, "format")), "loginstorm-plan");
    row = json_array_get(json_object_get(root, "certificates"), 0);
    today = json_object_get(row, "today");
    assert_int_equal(
        json_integer_value(json_object_get(json_object_get(row, "gateways"), "needed")), 3);
    assert_int_equal(lround(json_number_value(json_object_get(row, "cpu_us_per_login"))), 1200000);
    assert_int_equal(json_array_size(json_object_get(row, "cliff")), LS_PLAN_CLIFF);
    assert_string_equal(json_string_value(json_object_get(today, "breaks_first")),
                        ls_plan_break_word(plan->rows[0].today.why));
    assert_true(json_is_null(json_object_get(root, "capacity")));
    assert_int_equal(json_array_size(json_object_get(root, "targets")), 2);
    assert_int_equal(lround(json_number_value(json_object_get(
                         json_array_get(json_object_get(root, "targets"), 0), "limit_us"))),
                     2000000);
    json_decref(root);
    ls_plan_free(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_law_of_utilisation_says_how_many_gateways),
        cmocka_unit_test(a_farm_carries_the_users_that_fill_it_to_its_target),
        cmocka_unit_test(all_gateways_carry_more_than_those_that_are_left),
        cmocka_unit_test(what_nothing_can_meet_is_said_with_its_reason),
        cmocka_unit_test(without_targets_ours_are_taken_and_called_so),
        cmocka_unit_test(the_answer_carries_the_uncertainty_of_the_costs),
        cmocka_unit_test(what_is_not_known_of_the_costs_is_told),
        cmocka_unit_test(what_cannot_be_planned_is_told_before_anything_is_played),
        cmocka_unit_test(who_asks_for_it_ends_a_plan),
        cmocka_unit_test(who_was_answered_before_the_end_is_a_partial_plan),
        cmocka_unit_test(as_json_a_plan_has_its_units_in_its_keys),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
