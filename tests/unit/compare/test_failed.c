/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compare/failed.h"
#include "loginstorm/random.h"

#include "unit/compare/storms.h"

/* Fisher's tea: of eight cups three of four told right have 17/70 at one end, and as much at the
 * other. */
static void fisher_s_exact_test_has_fisher_s_values(void **state)
{
    static const struct {
        int64_t failed, decided, other_failed, other_decided;
        double p;
    } rows[] = {
        {3, 4, 1, 4, 34.0 / 70}, {4, 4, 0, 4, 2.0 / 70}, {0, 900, 0, 900, 1},
        {450, 900, 450, 900, 1}, {1, 900, 0, 900, 1},    {2, 900, 0, 900, 2 * 899.0 / 2 / 1799},
    };

    (void)state;
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        const double p = fisher_exact(rows[row].failed, rows[row].decided, rows[row].other_failed,
                                      rows[row].other_decided);

        if (!(fabs(p - rows[row].p) <= 1e-9)) {
            fail_msg("row %zu: %.12g", row, p);
        }
    }
}

/* Fails some of the thousand of a run; a latency in which one in a hundred failed has no end. */
static void lose(struct ls_run *run, int64_t failed)
{
    run->failed = failed;
    run->logged_in = 1000 - failed;
    run->login.count = 1000 - failed;
    run->of_all_p50 = failed >= 500 ? LS_NEVER_NS : run->of_all_p50;
    run->of_all_p99 = failed >= 10 ? LS_NEVER_NS : run->of_all_p99;
    run->of_all_p100 = failed >= 1 ? LS_NEVER_NS : run->of_all_p100;
}

static void more_failed_users_are_a_finding_and_what_has_no_end_is_longer(void **state)
{
    static const struct {
        const char *why;
        int rounds;
        int64_t base, side;
        double busy;
        enum ls_finding failed, p50, p99;
    } rows[] = {
        {"nobody", 1, 0, 0, 0, LS_NOT_SHOWN, LS_NOT_SHOWN, LS_NOT_SHOWN},
        {"one of a thousand", 1, 0, 1, 0, LS_NOT_SHOWN, LS_NOT_SHOWN, LS_NOT_SHOWN},
        {"3 % against none", 1, 0, 30, 0, LS_MORE, LS_NOT_SHOWN, LS_MORE},
        {"none against 3 %", 1, 30, 0, 0, LS_LESS, LS_NOT_SHOWN, LS_LESS},
        {"60 % against none", 1, 0, 600, 0, LS_MORE, LS_MORE, LS_MORE},
        {"60 % against none with a full core", 1, 0, 600, 1, LS_MORE, LS_MORE, LS_MORE},
        {"3 % is what a full core may do", 1, 0, 30, 1, LS_NOT_SHOWN, LS_NOT_JUDGED, LS_NOT_KNOWN},
        {"as many on both sides", 1, 600, 610, 0, LS_NOT_SHOWN, LS_NOT_KNOWN, LS_NOT_KNOWN},
        {"3 % in each of five rounds", 5, 0, 30, 0, LS_MORE, LS_NOT_SHOWN, LS_MORE},
        {"one in each of two rounds", 2, 0, 1, 0, LS_NOT_SHOWN, LS_NOT_SHOWN, LS_NOT_SHOWN},
        {"one in each of five rounds", 5, 0, 1, 0, LS_NOT_SHOWN, LS_NOT_SHOWN, LS_NOT_SHOWN},
        {"far fewer of many", 5, 940, 450, 1, LS_LESS, LS_LESS, LS_NOT_KNOWN},
    };

    (void)state;
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        struct storm storm;
        struct ls_comparison *comparison;
        const struct ls_compared *figure;

        storm_init(&storm);
        storm.moments[1].gateway_cpu_share = rows[row].busy;
        for (int round = 1; round <= rows[row].rounds; round++) {
            lose(storm_add(&storm, true, round, 6000, 30000, 3600), rows[row].base);
            lose(storm_add(&storm, false, round, 6000, 30000, 3600), rows[row].side);
        }
        comparison = compared(&storm.result, NULL, false);
        figure = comparison->pairs[0].figure;
        if (figure[LS_FIGURE_FAILED].finding != rows[row].failed ||
            figure[LS_FIGURE_LOGIN_P50].finding != rows[row].p50 ||
            figure[LS_FIGURE_LOGIN_P99].finding != rows[row].p99) {
            fail_msg("%s: %s, p50 %s, p99 %s", rows[row].why,
                     ls_finding_word(figure[LS_FIGURE_FAILED].finding),
                     ls_finding_word(figure[LS_FIGURE_LOGIN_P50].finding),
                     ls_finding_word(figure[LS_FIGURE_LOGIN_P99].finding));
        }
        if ((rows[row].base + rows[row].side > 0) != (figure[LS_FIGURE_FAILED].why != NULL)) {
            fail_msg("%s: how many is not told", rows[row].why);
        }
        ls_comparison_free(comparison);
    }
}

#define TRIALS 1000

/* Each of a thousand users fails by himself, alike on both sides. */
static void failures_that_are_alike_are_called_different_in_less_than_one_of_twenty(void **state)
{
    static const double shares[] = {0.0005, 0.002, 0.03, 0.5};

    (void)state;
    for (int rounds = 1; rounds <= 3; rounds++) {
        for (size_t share = 0; share < sizeof shares / sizeof shares[0]; share++) {
            int alarms = 0;

            for (uint64_t trial = 0; trial < TRIALS; trial++) {
                struct storm storm;
                struct ls_comparison *comparison;

                storm_init(&storm);
                for (uint64_t i = 0; i < 2 * (uint64_t)rounds; i++) {
                    int64_t failed = 0;

                    for (uint64_t user = 0; user < 1000; user++) {
                        failed += ls_random_unit(20261130, LS_STREAM_SERVICE,
                                                 trial * 100 + 10 * share + (uint64_t)rounds,
                                                 i * 1000 + user) < shares[share];
                    }
                    lose(storm_add(&storm, i % 2 == 0, 1 + (int)i / 2, 6000, 30000, 3600), failed);
                }
                comparison = compared(&storm.result, NULL, false);
                alarms += comparison->pairs[0].figure[LS_FIGURE_FAILED].finding > LS_NOT_SHOWN ||
                          comparison->pairs[0].figure[LS_FIGURE_LOGIN_P99].finding > LS_NOT_SHOWN;
                ls_comparison_free(comparison);
            }
            print_message("%d rounds, %g: %d false alarms in %d\n", rounds, shares[share], alarms,
                          TRIALS);
            assert_true(alarms * 20 < TRIALS);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fisher_s_exact_test_has_fisher_s_values),
        cmocka_unit_test(more_failed_users_are_a_finding_and_what_has_no_end_is_longer),
        cmocka_unit_test(failures_that_are_alike_are_called_different_in_less_than_one_of_twenty),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
