/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/plan/kit.h"

#define BELL                                                                                       \
    "loginstorm: 1\nseed: 1\n"                                                                     \
    "certificates: [{name: A, key: rsa-4096}]\n"
#define EVEN                                                                                       \
    BELL "users: 6000\n"                                                                           \
         "arrivals: {shape: uniform, placement: even}\n" /* one each 600 ms: 100 a minute */

static void the_published_capacity_says_how_many_gateways(void **state)
{
    static const struct {
        const char *text;
        int gateways;
        const char *reason;
    } rows[] = {
        {BELL "users: 6000\nfarm: {capacity: 700 in 10m}\n", 4, "2,404 of 700: 3.43"},
        {BELL "users: 6000\nfarm: {gateways: 2, spare: 1, capacity: 700 in 10m}\n", 5,
         "and a spare one"},
        {BELL "users: 3500\nfarm: {capacity: 700 in 10m}\n", 3, "two stand on the edge"},
        {EVEN "farm: {capacity: 1000 in 10m}\n", 1, "1,000 in any ten minutes, exactly"},
        {EVEN "farm: {capacity: 999 in 10m}\n", 2, "one too few"},
        {EVEN "farm: {capacity: 250 in 10m}\n", 4, "1,000 / 250"},
        {EVEN "farm: {capacity: 6000 in 24h}\n", 1, "a stretch that is longer than the window"},
        {EVEN "farm: {capacity: 1 in 1m}\n", 100, "a hundred a minute"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_plan *plan = plan_with(rows[i].text, NULL, 8);

        if (plan->rows_count != 1 || plan->rows[0].gateways != rows[i].gateways) {
            fail_msg("%s: %d", rows[i].reason, plan->rows[0].gateways);
        }
        assert_null(plan->rows[0].certificate); /* it is the same for any */
        ls_plan_free(plan);
    }
}

static void a_farm_on_the_edge_is_told_in_words(void **state)
{
    struct ls_plan *plan = plan_with(BELL "users: 3500\nfarm: {capacity: 700 in 10m}\n", NULL, 40);
    const struct ls_plan_row *row = &plan->rows[0];

    (void)state;
    assert_true(fabs(plan->capacity.mean - 1402.3) <
                0.1); /* 40 % of a bell that is cut at the hour */
    assert_true(plan->capacity.median > plan->capacity.mean); /* the fullest of many stretches */
    assert_true(row->one_less.capacity_met > 0.05 && row->one_less.capacity_met < 0.95);
    assert_non_null(strstr(plan->words, "2 stand exactly on the edge"));
    assert_non_null(strstr(plan->words, "they need 3 gateways"));
    ls_plan_free(plan);
}

static void a_farm_that_is_not_on_the_edge_is_not_called_so(void **state)
{
    struct ls_plan *plan = plan_with(BELL "users: 6000\nfarm: {capacity: 700 in 10m}\n", NULL, 40);

    (void)state;
    assert_null(strstr(plan->words, "edge"));
    assert_true(plan->rows[0].one_less.capacity_met < 0.01);
    ls_plan_free(plan);
}

static void the_users_that_it_carries_are_those_of_its_capacity(void **state)
{
    struct ls_plan *plan = plan_with(EVEN "farm: {gateways: 3, capacity: 250 in 10m}\n", NULL, 4);
    const struct ls_plan_row *row = &plan->rows[0];

    (void)state;
    /* Three take 750 in ten minutes, and so 4,500 in the hour; four 6,000, which is where it stands. */
    assert_true(row->today_carries.users > 4450 && row->today_carries.users <= 4505);
    assert_true(row->today.missed != 0 && ls_plan_misses(plan));
    assert_int_equal(row->gateways, 4);
    assert_true(row->carries.users >= 6000 && row->carries.users < 6065);
    assert_int_equal(row->edge.why, LS_BREAK_CAPACITY);
    assert_true(fabs(row->cliff[0].capacity_share.most - 1) < 1e-9);
    assert_true(fabs(row->cliff[3].capacity_share.most - 1.5) < 2e-3);
    assert_true(row->cliff[1].missed != 0);
    ls_plan_free(plan);
}

static void events_are_counted_too(void **state)
{
    static const struct {
        const char *text;
        int gateways;
        const char *reason;
    } rows[] = {
        {EVEN "login: {hold: until_end}\n"
              "farm: {capacity: 1000 in 10m}\n"
              "events: [{at: 08:30, reconnect: 100%, over: 60s}]\n",
         4, "the 3,000 who are in come again, and 1,000 come anyway"},
        {EVEN "login: {hold: none}\n"
              "farm: {capacity: 1000 in 10m}\n"
              "events: [{at: 08:30, reconnect: 100%, over: 60s}]\n",
         1, "nobody is in"},
        {EVEN "login: {hold: 10m}\n"
              "farm: {capacity: 1000 in 10m}\n"
              "events: [{at: 08:30, reconnect: 50%, over: 60s}]\n",
         2, "half of the last ten minutes' thousand"},
        {EVEN "login: {hold: none}\n"
              "farm: {gateways: 2, capacity: 500 in 10m}\n"
              "events: [{at: 08:30, gateway_down: 1, for: 5m}]\n",
         3, "two of three must do"},
        {EVEN "login: {hold: until_end}\n"
              "farm: {gateways: 2, capacity: 500 in 10m}\n"
              "events: [{at: 08:30, gateway_down: 1, for: 5m}]\n",
         5, "those of one in five come to the other four: 600 and 1,000 of 2,000"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_plan *plan = plan_with(rows[i].text, NULL, 4); /* all the same */

        if (plan->rows[0].gateways != rows[i].gateways) {
            fail_msg("%s: %d", rows[i].reason, plan->rows[0].gateways);
        }
        ls_plan_free(plan);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_published_capacity_says_how_many_gateways),
        cmocka_unit_test(a_farm_on_the_edge_is_told_in_words),
        cmocka_unit_test(a_farm_that_is_not_on_the_edge_is_not_called_so),
        cmocka_unit_test(the_users_that_it_carries_are_those_of_its_capacity),
        cmocka_unit_test(events_are_counted_too),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
