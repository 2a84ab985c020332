/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "help.h"

static void costs_that_say_nothing_are_refused(void **state)
{
    static const struct refusal rows[] = {
        {"farm: {costs: {}}\n", 4, 15,
         "farm.costs: wants the path of a cost profile, or one of {fixed: 17.5ms}, {exponential: "
         "10ms}, {lognormal: {mean: 10ms, scv: 1}}",
         "nothing"},
        {"farm: {costs: [1]}\n", 4, 15,
         "farm.costs: wants the path of a cost profile, or one of {fixed: 17.5ms}, {exponential: "
         "10ms}, {lognormal: {mean: 10ms, scv: 1}}",
         "a list"},
        {"farm: {costs: {fixed: 1ms, exponential: 2ms}}\n", 4, 15,
         "farm.costs: wants the path of a cost profile, or one of {fixed: 17.5ms}, {exponential: "
         "10ms}, {lognormal: {mean: 10ms, scv: 1}}",
         "two answers"},
        {"farm: {costs: {gamma: 1ms}}\n", 4, 15,
         "farm.costs.gamma: wants the path of a cost profile, or one of {fixed: 17.5ms}, "
         "{exponential: 10ms}, {lognormal: {mean: 10ms, scv: 1}}",
         "no such distribution"},
        {"farm: {costs: {fixed: 0s}}\n", 4, 23, "farm.costs.fixed: 0s is out of range (1ns to 1h)",
         "free of charge"},
        {"farm: {costs: {lognormal: 10ms}}\n", 4, 27,
         "farm.costs.lognormal: wants {mean: 10ms, scv: 1} (scv: the squared coefficient of "
         "variation)",
         "how wide?"},
        {"farm: {costs: {lognormal: {mean: 10ms, scv: -1}}}\n", 4, 45,
         "farm.costs.lognormal.scv: -1 is out of range (0 to 1000)", "a square is not negative"},
    };

    (void)state;
    check_refusals(rows, sizeof rows / sizeof rows[0]);
}

static void each_form_of_costs_is_typed(void **state)
{
    static const struct {
        const char *text;
        enum ls_cost_kind kind;
        int64_t cost_ns;
    } rows[] = {
        {"farm: {costs: costs.json}\n", LS_COST_PROFILE, 0},
        {"farm: {costs: {fixed: 17.5ms}}\n", LS_COST_FIXED, 17500000},
        {"farm: {costs: {exponential: 10ms}}\n", LS_COST_EXPONENTIAL, 10000000},
        {"farm: {costs: {lognormal: {mean: 10ms, scv: 2.5}}}\n", LS_COST_LOGNORMAL, 10000000},
        {"farm: {}\n", LS_COST_PROFILE, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_scenario *s = parse_with(rows[i].text);

        assert_true(s->farm.given);
        assert_int_equal(s->farm.cost_kind, rows[i].kind);
        assert_true(s->farm.cost_ns == rows[i].cost_ns);
        if (i == 0) {
            assert_string_equal(s->farm.costs, "costs.json");
        } else {
            assert_null(s->farm.costs);
        }
        if (i == 3) {
            assert_true(s->farm.cost_scv > 2.4999 && s->farm.cost_scv < 2.5001);
        }
        ls_scenario_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(costs_that_say_nothing_are_refused),
        cmocka_unit_test(each_form_of_costs_is_typed),
    };

    return cmocka_run_group_tests_name("scenario/read_costs", tests, NULL, NULL);
}
