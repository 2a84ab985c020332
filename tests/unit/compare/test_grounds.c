/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/compare/storms.h"

static char other_text[] = "another";

static void other_cpu(struct storm *storm)
{
    storm->result.host_cpu = other_text;
}

static void more_cores(struct storm *storm)
{
    storm->result.host_cores = 8;
}

static void other_kernel(struct storm *storm)
{
    storm->result.host_kernel = NULL;
}

static void other_build(struct storm *storm)
{
    storm->result.tls_build = other_text;
}

static void other_gateway(struct storm *storm)
{
    storm->runs[0].gateway_workers = 2;
}

static void other_speedup(struct storm *storm)
{
    storm->result.speedup = 30;
}

static void other_users(struct storm *storm)
{
    storm->result.users = 999;
}

static void other_arrivals(struct storm *storm)
{
    storm->moments[0].due = 401;
}

static void more_connections(struct storm *storm)
{
    storm->result.sha256 = other_text;
    storm->runs[0].handshakes_full = 2000;
}

static void failed_connections(struct storm *storm)
{
    storm->result.sha256 = other_text;
    storm->runs[0].handshakes_full = 1060;
    storm->runs[0].logged_in = 999;
    storm->runs[0].failed = 1;
}

static void took_longer(struct storm *storm)
{
    storm->runs[0].handshakes_full = 1500;
    storm->runs[0].logged_in = 900;
    storm->runs[0].failed = 100;
    storm->runs[0].timeline_count = 3;
}

static void coarser(struct storm *storm)
{
    storm->moments[0].due = 1000;
    storm->runs[0].slice_ns *= 2;
    storm->runs[0].timeline_count = 1;
}

static void later_than_the_other(struct storm *storm)
{
    storm->moments[1].due = 599;
    storm->moments[2].due = 1;
    storm->runs[0].timeline_count = 3;
}

static void other_file(struct storm *storm)
{
    storm->result.sha256 = other_text;
}

static void other_loop(struct storm *storm)
{
    storm->result.closed = true;
}

static void nothing(struct storm *storm)
{
    (void)storm;
}

static void resumed(struct storm *storm)
{
    storm->runs[0].handshakes_resumed = 100;
    storm->runs[0].handshakes_full = 900;
}

static void asked_for(struct storm *storm)
{
    resumed(storm);
    storm->result.resume_share = 0.1;
}

static void computed(struct storm *storm)
{
    storm->runs[0].live = false;
}

static void invalid(struct storm *storm)
{
    storm->runs[0].validity.verdict = LS_INVALID;
    storm->runs[0].validity.reasons_count = 1;
    (void)snprintf(storm->runs[0].validity.reasons[0], 100, "start lag");
}

static void partial(struct storm *storm)
{
    storm->runs[0].partial = true;
    storm->runs[0].partial_why = other_text;
}

enum { ALL = 1, CPU_AND_LATENCY = 2, NONE = 3 };

static void only_like_is_set_beside_like(void **state)
{
    static const struct {
        const char *why;
        void (*change)(struct storm *storm);
        int refused, forced; /* without and with --force */
        const char *words;
    } rows[] = {
        {"nothing differs", nothing, NONE, NONE, NULL},
        {"another CPU", other_cpu, CPU_AND_LATENCY, NONE, "different machines"},
        {"more cores", more_cores, CPU_AND_LATENCY, NONE, "different machines"},
        {"a kernel that is not known", other_kernel, CPU_AND_LATENCY, NONE, "different kernels"},
        {"another build of the library", other_build, CPU_AND_LATENCY, NONE, "TLS libraries"},
        {"two workers", other_gateway, CPU_AND_LATENCY, NONE, "different gateways"},
        {"another pace is another load", other_speedup, CPU_AND_LATENCY, NONE, "different storms"},
        {"a user less", other_users, CPU_AND_LATENCY, NONE, "different storms"},
        {"users at other times", other_arrivals, CPU_AND_LATENCY, NONE, "different storms"},
        {"a closed loop", other_loop, CPU_AND_LATENCY, NONE, "closed loop"},
        {"a user after the other's end", later_than_the_other, CPU_AND_LATENCY, NONE,
         "different storms"},
        {"an overloaded gateway's last logins came later", took_longer, NONE, NONE, NULL},
        {"so late that slices were doubled", coarser, NONE, NONE, NULL},
        {"handshakes of those who failed are in no login", failed_connections, NONE, NONE,
         "not the same file"},
        {"two connections a login", more_connections, CPU_AND_LATENCY, NONE, "connections a login"},
        {"another file with the same storm", other_file, NONE, NONE, "not the same file"},
        {"resumed handshakes", resumed, ALL, ALL, "though the scenario asked for none"},
        {"a tenth resumed as asked, none there", asked_for, ALL, ALL, "10.0 % of the handshakes"},
        {"a computed run", computed, ALL, ALL, "virtual time"},
        {"an invalid run", invalid, CPU_AND_LATENCY, CPU_AND_LATENCY, "RSA 4096 [2] is invalid"},
        {"an invalid run's bytes", invalid, CPU_AND_LATENCY, CPU_AND_LATENCY,
         "bytes are compared all the same"},
        {"a run that ended early", partial, ALL, ALL, "RSA 4096 [2] has no whole run"},
    };

    (void)state;
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        for (int force = 0; force <= 1; force++) {
            struct storm one, other;
            struct ls_comparison *comparison;
            const struct ls_pair *pair;
            const int refused = force == 1 ? rows[row].forced : rows[row].refused;
            bool told = rows[row].words == NULL;

            storm_init(&one);
            storm_init(&other);
            storm_add(&one, true, 1, 6000, 30000, 3600);
            storm_add(&other, true, 1, 6000, 30000, 3600);
            rows[row].change(&other);
            comparison = compared(&one.result, &other.result, force == 1);
            pair = &comparison->pairs[0];
            for (int f = 0; f < LS_FIGURE_COUNT; f++) {
                const bool is_bytes = f == LS_FIGURE_BYTES;
                const bool expected = refused == ALL || (refused == CPU_AND_LATENCY && !is_bytes);

                if ((pair->figure[f].finding == LS_NOT_COMPARED) != expected) {
                    fail_msg("%s, force %d: %s", rows[row].why, force,
                             ls_figure_word((enum ls_figure)f));
                }
                told = told || (pair->figure[f].why != NULL &&
                                strstr(pair->figure[f].why, rows[row].words) != NULL);
            }
            for (char **note = pair->notes; note != NULL && *note != NULL; note++) {
                told = told || strstr(*note, rows[row].words) != NULL;
            }
            if (!told ||
                comparison->forced != (force == 1 && rows[row].forced != rows[row].refused)) {
                fail_msg("%s, force %d: not told", rows[row].why, force);
            }
            ls_comparison_free(comparison);
        }
    }
}

static void shares_of_resumed_handshakes_may_be_two_points_apart(void **state)
{
    static const struct {
        int64_t one, other;
        bool refused;
    } rows[] = {{500, 500, false}, {500, 520, false}, {500, 521, true}, {0, 21, true}};

    (void)state;
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        struct storm storm;
        struct ls_comparison *comparison;
        struct ls_run *rsa, *p256;

        storm_init(&storm);
        storm.result.resume_share = 0.5;
        rsa = storm_add(&storm, true, 1, 6000, 30000, 3600);
        p256 = storm_add(&storm, false, 1, 600, 3000, 360);
        rsa->handshakes_resumed = rows[row].one;
        rsa->handshakes_full = 1000 - rows[row].one;
        p256->handshakes_resumed = rows[row].other;
        p256->handshakes_full = 1000 - rows[row].other;
        comparison = compared(&storm.result, NULL, false);
        assert_int_equal(comparison->pairs[0].figure[LS_FIGURE_CPU_LOGIN].finding ==
                             LS_NOT_COMPARED,
                         rows[row].refused);
        assert_int_equal(comparison->pairs[0].notes != NULL, !rows[row].refused);
        ls_comparison_free(comparison);
    }
}

static void rounds_that_do_not_count_are_named_and_the_others_judged(void **state)
{
    struct storm storm;
    struct ls_comparison *comparison;

    (void)state;
    storm_init(&storm);
    for (int round = 1; round <= 4; round++) {
        struct ls_run *rsa = storm_add(&storm, true, round, 6000 + round, 30000, 3600 + round);
        struct ls_run *p256 = storm_add(&storm, false, round, 600, 3000, 360);

        if (round == 2) {
            rsa->validity.verdict = LS_INVALID;
            rsa->validity.reasons_count = 1;
            (void)snprintf(rsa->validity.reasons[0], 100, "start lag p99 5 ms");
        }
        if (round == 4) {
            p256->partial = true;
            p256->partial_why = other_text;
        }
    }
    storm.runs[0].validity.verdict = LS_SUSPECT;
    comparison = compared(&storm.result, NULL, false);
    assert_int_equal(comparison->sides[0].rounds, 3);
    assert_int_equal(comparison->sides[0].verdict, LS_SUSPECT);
    assert_string_equal(comparison->sides[0].left_out,
                        "1 of 4 runs: round 2 is invalid (start lag p99 5 ms)");
    assert_string_equal(comparison->sides[1].left_out,
                        "1 of 4 runs: round 4 ended early (another)");
    assert_int_equal(comparison->pairs[0].method, LS_METHOD_PAIRED);
    assert_int_equal(comparison->pairs[0].rounds, 2); /* 1 and 3 are there on both sides */
    assert_true(advised(comparison, "doubt", "RSA 4096 is suspect"));
    assert_true(advised(comparison, "doubt", "Not all runs of RSA 4096 count"));
    assert_true(advised(comparison, "doubt", "Not all runs of ECDSA P-256 count"));
    ls_comparison_free(comparison);
}

static void one_result_given_twice_is_told(void **state)
{
    struct storm one, other;
    struct ls_comparison *comparison;
    bool told = false;

    (void)state;
    storm_init(&one);
    storm_init(&other);
    one.result.created = other.result.created = other_text;
    storm_add(&one, true, 1, 6000, 30000, 3600);
    storm_add(&other, true, 1, 6000, 30000, 3600);
    comparison = compared(&one.result, &other.result, false);
    for (char **note = comparison->pairs[0].notes; note != NULL && *note != NULL; note++) {
        told = told || strstr(*note, "both were made at another") != NULL;
    }
    assert_true(told);
    ls_comparison_free(comparison);
}

static void a_refused_pair_of_single_runs_is_no_doubt(void **state)
{
    struct storm one, other;
    struct ls_comparison *comparison;

    (void)state;
    storm_init(&one);
    storm_init(&other);
    other.result.host_cpu = other_text;
    storm_add(&one, true, 1, 6000, 30000, 3600);
    storm_add(&other, true, 1, 6000, 30000, 3600);
    comparison = compared(&one.result, &other.result, false);
    assert_false(advised(comparison, "doubt", "single runs"));
    ls_comparison_free(comparison);
}

static void a_further_result_s_certificate_stands_against_its_like(void **state)
{
    struct storm one, other;
    struct ls_comparison *comparison;

    (void)state;
    storm_init(&one);
    storm_init(&other);
    storm_add(&one, true, 1, 6000, 30000, 3600);
    storm_add(&one, false, 1, 600, 3000, 360);
    storm_add(&other, false, 1, 600, 3000, 360);
    storm_add(&other, true, 1, 600, 3000, 360)->certificate = other_text;
    comparison = compared(&one.result, &other.result, false);
    assert_int_equal(comparison->pairs_count, 3);
    assert_int_equal(comparison->pairs[0].against, 0);
    assert_int_equal(comparison->pairs[1].side, 2);
    assert_int_equal(comparison->pairs[1].against, 1); /* P-256 against P-256 */
    assert_int_equal(comparison->pairs[2].against, 0); /* what the first result does not have */
    assert_string_equal(comparison->sides[2].file, "results/other");
    assert_int_equal(comparison->sides[2].number, 2);
    ls_comparison_free(comparison);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_like_is_set_beside_like),
        cmocka_unit_test(shares_of_resumed_handshakes_may_be_two_points_apart),
        cmocka_unit_test(rounds_that_do_not_count_are_named_and_the_others_judged),
        cmocka_unit_test(one_result_given_twice_is_told),
        cmocka_unit_test(a_refused_pair_of_single_runs_is_no_doubt),
        cmocka_unit_test(a_further_result_s_certificate_stands_against_its_like),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
