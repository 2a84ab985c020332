/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "loginstorm/units.h"
#include "model/cost.h"

static struct ls_spread constant(double ns)
{
    struct ls_spread spread = {.count = 100, .mean_ns = ns};

    for (int i = 0; i < LS_SPREAD_POINTS; i++) {
        spread.points_ns[i] = (int64_t)ns;
    }
    return spread;
}

/* E[g / (g + warm)] of an exponential gap, by Simpson over its density. */
static double exactly(double mean_gap_ns, double warm_ns)
{
    const int n = 200000;
    const double top = 40 * mean_gap_ns, h = top / n;
    double sum = 0;

    for (int i = 0; i <= n; i++) {
        const double g = i * h;
        const double y = g / (g + warm_ns) * exp(-g / mean_gap_ns) / mean_gap_ns;

        sum += y * (i == 0 || i == n ? 1 : i % 2 == 1 ? 4 : 2);
    }
    return sum * h / 3;
}

#define BUSY 200e3
#define WAKE 150e3
#define WARM 1e6

/* Loads of a host that keeps to the formula. */
static struct ls_cost made_up(void)
{
    static const double rates[] = {20, 800, 2000, 4000};
    struct ls_cost row = {.at_count = 4};

    for (size_t i = 0; i < 4; i++) {
        struct ls_cost_at *at = &row.at[i];
        double share = 0.01;

        /* Its share of the core is its own CPU: to be found by going round. */
        for (int round = 0; round < 100; round++) {
            const double turn_ns = 0.5 * 180e3;

            at->cpu_ns = BUSY + WAKE * (1 - share) *
                                    (exactly(1e9 / rates[i], WARM) + turn_ns / (turn_ns + WARM));
            share = rates[i] * at->cpu_ns / 1e9;
        }
        at->per_s = rates[i];
        at->core_share = share;
        at->tls_ns = 0.5 * at->cpu_ns;
        at->hello = constant(0.45 * at->cpu_ns);
        at->finish = constant(0.05 * at->cpu_ns);
        at->client_ns = 180e3;
        at->connect = constant(40e3 - 5e3 * (double)i);
        at->handshake = constant(500e3);
        at->login = constant(900e3);
    }
    return row;
}

static void loads_give_the_busy_core_and_what_idleness_adds(void **state)
{
    const struct ls_cost row = made_up();
    struct cost cost;

    (void)state;
    cost_of_row(&cost, &row, 1, 0);
    assert_true(fabs(cost.hello.mean_ns - 0.45 * BUSY) < 0.03 * BUSY);
    assert_true(fabs(cost.finish.mean_ns - 0.05 * BUSY) < 0.01 * BUSY);
    assert_true(fabs(cost.beside_ns - 0.5 * BUSY) < 0.03 * BUSY);
    for (size_t i = 0; i < row.at_count; i++) {
        const double again_ns =
            cost.hello.mean_ns + cost.finish.mean_ns + cost.beside_ns +
            cost.wake_ns * (1 - row.at[i].core_share) *
                (exactly(1e9 / row.at[i].per_s, cost.warm_ns) + 90e3 / (90e3 + cost.warm_ns));

        assert_true(fabs(again_ns / row.at[i].cpu_ns - 1) < 0.02);
    }
    assert_true(fabs(cost_wake_ns(&cost, cost.warm_ns) - cost.wake_ns / 2) < 1e-6);
}

static void another_cpu_is_a_factor_of_all_that_the_gateway_pays(void **state)
{
    const struct ls_cost row = made_up();
    struct cost one, two;

    (void)state;
    cost_of_row(&one, &row, 1, 0);
    cost_of_row(&two, &row, 2.5, 0);
    assert_true(fabs(two.hello.mean_ns / one.hello.mean_ns - 2.5) < 1e-9);
    assert_true(fabs(two.beside_ns / one.beside_ns - 2.5) < 1e-9);
    assert_true(fabs(two.wake_ns / one.wake_ns - 2.5) < 1e-9);
    assert_true(fabs(two.client_ns - one.client_ns) < 1e-9); /* the users keep theirs */
}

static void one_load_alone_is_taken_as_it_is(void **state)
{
    struct ls_cost row = made_up();
    struct cost cost;

    (void)state;
    row.at[0] = row.at[2];
    row.at_count = 1;
    cost_of_row(&cost, &row, 1, 0);
    assert_true(fabs(cost.hello.mean_ns + cost.finish.mean_ns + cost.beside_ns - row.at[0].cpu_ns) <
                1);
    assert_true(cost.wake_ns < 1);
}

/* A line through noise may point below anything that was measured. */
static void a_busy_core_is_never_much_cheaper_than_the_cheapest_load(void **state)
{
    static const double cpu_us[] = {900, 500, 350, 200};
    struct ls_cost row = made_up();
    struct cost cost;
    double busy_ns;

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        row.at[i].cpu_ns = cpu_us[i] * 1e3;
        row.at[i].core_share = 0.1 * (double)i;
    }
    cost_of_row(&cost, &row, 1, 0);
    busy_ns = cost.hello.mean_ns + cost.finish.mean_ns + cost.beside_ns;
    assert_true(busy_ns >= 0.85 * 200e3 - 1 && busy_ns <= 900e3);
}

static void what_a_profile_does_not_know_is_taken_by_shares(void **state)
{
    struct ls_cost row = made_up();
    struct cost cost;

    (void)state;
    for (size_t i = 0; i < row.at_count; i++) {
        row.at[i].tls_ns = -1;
        row.at[i].hello = row.at[i].finish = (struct ls_spread){.mean_ns = -1};
        row.at[i].connect = row.at[i].handshake = row.at[i].login =
            (struct ls_spread){.mean_ns = -1};
    }
    cost_of_row(&cost, &row, 1, 1000);
    assert_int_equal(cost.hello.law, LS_LAW_FIXED);
    assert_true(fabs(cost.hello.mean_ns / (cost.hello.mean_ns + cost.finish.mean_ns) - 0.85) <
                1e-9);
    assert_true(cost.connect_ns < 0 && cost.handshake_ns < 0 && cost.after_ns < 0);
    assert_true(fabs(cost.waits - 1) < 1e-9);
}

static void waits_get_shorter_as_connects_do(void **state)
{
    const struct ls_cost row = made_up();
    static const struct {
        double per_s, waits;
        const char *why;
    } cases[] = {
        {0, 1, "users at their own machines, as idle as can be"},
        {1, 1, "below the least load: that"},
        {20, 1, "the least load"},
        {800, 35.0 / 40, "a load"},
        {4000, 25.0 / 40, "the highest"},
        {9000, 25.0 / 40, "above it: that"},
        {1264.911064, 32.5 / 40, "in the geometric middle of two, their mean"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct cost cost;

        cost_of_row(&cost, &row, 1, cases[i].per_s);
        if (fabs(cost.waits - cases[i].waits) > 1e-6) {
            fail_msg("%g/s: %g, not %g: %s", cases[i].per_s, cost.waits, cases[i].waits,
                     cases[i].why);
        }
    }
}

static void a_law_is_the_whole_handshake(void **state)
{
    const struct ls_farm farm = {
        .cost_kind = LS_COST_LOGNORMAL, .cost_ns = 10 * LS_NS_PER_MS, .cost_scv = 2};
    struct cost cost;

    (void)state;
    cost_of_law(&cost, &farm, 1.5);
    assert_int_equal(cost.hello.law, LS_LAW_LOGNORMAL);
    assert_true(fabs(cost.hello.mean_ns - 15e6) < 1e-6);
    assert_true(fabs(cost.hello.scv - 2) < 1e-12);
    assert_true(cost.finish.mean_ns < 1e-9 && cost.beside_ns < 1e-9 && cost.wake_ns < 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_give_the_busy_core_and_what_idleness_adds),
        cmocka_unit_test(another_cpu_is_a_factor_of_all_that_the_gateway_pays),
        cmocka_unit_test(one_load_alone_is_taken_as_it_is),
        cmocka_unit_test(a_busy_core_is_never_much_cheaper_than_the_cheapest_load),
        cmocka_unit_test(what_a_profile_does_not_know_is_taken_by_shares),
        cmocka_unit_test(waits_get_shorter_as_connects_do),
        cmocka_unit_test(a_law_is_the_whole_handshake),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
