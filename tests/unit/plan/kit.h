/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LS_TESTS_PLAN_KIT_H
#define LS_TESTS_PLAN_KIT_H

/* Small scenarios for the tests of the plan, whose answers are arithmetic. */

#include <stdlib.h>
#include <string.h>

#include "loginstorm/plan.h"

static inline struct ls_scenario *scenario_of(const char *text)
{
    struct ls_scenario *scenario;
    struct ls_errors errors = {0};

    if (ls_scenario_parse(&scenario, "x.yaml", text, strlen(text), NULL, 0, &errors) != LS_OK) {
        fail_msg("%d: %s", errors.item[0].line, errors.item[0].text);
    }
    return scenario;
}

static inline struct ls_plan *plan_with(const char *text, const struct ls_costs *costs,
                                        int mornings)
{
    struct ls_scenario *scenario = scenario_of(text);
    const struct ls_plan_wish wish = {
        .scenario = scenario, .costs = costs, .mornings = mornings, .threads = 1};
    struct ls_plan *plan;
    struct ls_error err;

    if (ls_plan_build(&plan, &wish, &err) != LS_OK) {
        fail_msg("%s", err.text);
    }
    ls_scenario_free(scenario);
    return plan;
}

static inline struct ls_plan *plan_of(const char *text)
{
    return plan_with(text, NULL, 20);
}

#endif
