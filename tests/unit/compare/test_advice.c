/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/compare/storms.h"

/* Five rounds of each certificate, the second's figures so many times the first's. */
static struct ls_comparison *five_rounds(struct storm *storm, double p50_us, double cpu_us,
                                         double latency, double cost)
{
    storm_init(storm);
    storm->result.speedup = 6; /* so dense the gateway is not full yet */
    for (int round = 1; round <= 5; round++) {
        const double drift = 1 + 0.01 * round, jitter = 1 + 0.001 * (round % 3);

        storm_add(storm, true, round, p50_us * drift, 5 * p50_us * drift, cpu_us * drift);
        storm_add(storm, false, round, p50_us * latency * drift * jitter,
                  5 * p50_us * latency * drift * jitter, cpu_us * cost * drift * jitter);
    }
    return compared(&storm->result, NULL, false);
}

static void the_words_follow_the_figures(void **state)
{
    static const struct {
        const char *why;
        double p50_us, cpu_us, latency, cost;
        const char *about, *part;
    } rows[] = {
        {"300 logins x 3.6 ms / 60 s is 0.018 cores", 6000, 3600, 0.1, 0.1, "hardware",
         "does not decide the hardware at this scale"},
        {"0.1 cores apart", 6000, 22500, 0.1, 0.1, "hardware", "is worth hardware at this scale"},
        {"0.05 cores apart are no longer below the limit", 6000, 11111, 0.1, 0.1, "hardware",
         "is worth hardware"},
        {"alike", 6000, 3600, 1, 1, "hardware", "a difference between them was not shown"},
        {"5.4 ms sooner", 6000, 3600, 0.1, 0.1, "users", "which nobody notices"},
        {"54 ms sooner", 60000, 3600, 0.1, 0.1, "users", "from which a wait is felt"},
        {"540 ms sooner", 600000, 3600, 0.1, 0.1, "users", "long enough to be felt"},
        {"six times as long", 60000, 3600, 7, 1, "users", "later with ECDSA P-256"},
        {"alike", 6000, 3600, 1, 1, "users", "No difference in the users' waiting was shown."},
        {"cheaper", 6000, 3600, 0.1, 0.1, "choice", "Take ECDSA P-256 unless"},
        {"cheaper, but slower", 6000, 3600, 2, 0.1, "choice",
         "and none does all of it: let clients and rules decide. Take ECDSA P-256"},
        {"dearer", 6000, 3600, 1, 2, "choice", "Take RSA 4096 unless"},
        {"alike", 6000, 3600, 1, 1, "choice",
         "RSA 4096 and ECDSA P-256 were not told apart by their CPU: let clients and rules "
         "decide."},
        {"and P-256 is what most take", 6000, 3600, 1, 1, "choice",
         "Take ECDSA P-256 for a public gateway"},
        {"one is RSA", 6000, 3600, 1, 1, "policy", "RSA is what clients without ECDSA need"},
        {"900 bytes", 6000, 3600, 1, 1, "bytes", "is 900 bytes shorter than with RSA 4096"},
        {"no hybrid hello", 6000, 3600, 1, 1, "key_exchange", "would add 2,272 bytes"},
    };

    (void)state;
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        struct storm storm;
        struct ls_comparison *comparison = five_rounds(&storm, rows[row].p50_us, rows[row].cpu_us,
                                                       rows[row].latency, rows[row].cost);

        if (!advised(comparison, rows[row].about, rows[row].part)) {
            for (size_t i = 0; i < comparison->advice_count; i++) {
                print_message("%s\n", comparison->advice[i].text);
            }
            fail_msg("%s: no \"%s\"", rows[row].why, rows[row].part);
        }
        ls_comparison_free(comparison);
    }
}

static void a_full_second_is_told(void **state)
{
    struct storm storm;
    struct ls_comparison *comparison = five_rounds(&storm, 6000, 3600, 0.1, 0.1);

    (void)state;
    assert_false(advised(comparison, "hardware", "fullest second"));
    ls_comparison_free(comparison);
    storm.runs[2].cores_at_peak_second = 0.8;
    comparison = compared(&storm.result, NULL, false);
    assert_true(advised(comparison, "hardware", "In the fullest second RSA 4096 wants 0.8 cores"));
    ls_comparison_free(comparison);
}

static void a_sped_up_wait_is_called_that(void **state)
{
    struct storm storm;
    struct ls_comparison *comparison = five_rounds(&storm, 6000, 3600, 0.1, 0.1);

    (void)state;
    assert_true(advised(comparison, "users", "a morning 6 times as dense"));
    ls_comparison_free(comparison);
    storm.result.speedup = 1;
    comparison = compared(&storm.result, NULL, false);
    assert_false(advised(comparison, "users", "as dense"));
    ls_comparison_free(comparison);
}

static void a_suspect_measurement_weakens_the_words(void **state)
{
    struct storm storm;
    struct ls_comparison *comparison = five_rounds(&storm, 6000, 3600, 0.1, 0.1);

    (void)state;
    ls_comparison_free(comparison);
    storm.runs[3].validity.verdict = LS_SUSPECT;
    comparison = compared(&storm.result, NULL, false);
    assert_true(advised(comparison, "doubt", "ECDSA P-256 is suspect"));
    assert_true(advised(comparison, "choice", "If a repeat bears it out, take ECDSA P-256"));
    ls_comparison_free(comparison);
}

static void what_only_a_rule_changes_is_said_of_the_keys_that_are_there(void **state)
{
    static char keys[][16] = {"ecdsa-p384", "ed25519", "ml-dsa-44", "ecdsa-p521", "rsa-2048"};
    static const char *const parts[] = {"CNSA", "Ed25519", "ML-DSA", "P-521", "RSA"};

    (void)state;
    for (size_t row = 0; row < 5; row++) {
        struct storm storm;
        struct ls_comparison *comparison;

        storm_init(&storm);
        storm_add(&storm, false, 1, 600, 3000, 360);
        storm_add(&storm, true, 1, 600, 3000, 360)->key = keys[row];
        comparison = compared(&storm.result, NULL, false);
        for (size_t part = 0; part < 5; part++) {
            if (advised(comparison, "policy", parts[part]) != (part == row)) {
                fail_msg("%s: %s", keys[row], parts[part]);
            }
        }
        ls_comparison_free(comparison);
    }
}

static void hybrid_key_shares_are_told_by_the_hello(void **state)
{
    struct storm storm;
    struct ls_comparison *comparison = five_rounds(&storm, 6000, 3600, 0.1, 0.1);

    (void)state;
    ls_comparison_free(comparison);
    for (size_t i = 0; i < storm.result.runs_count; i++) {
        storm.runs[i].client_hello_bytes = 1500;
        storm.runs[i].server_flight_bytes = 15000;
    }
    comparison = compared(&storm.result, NULL, false);
    assert_true(advised(comparison, "key_exchange", "whichever the certificate: its cost"));
    assert_true(advised(comparison, "bytes", "waits a round trip more"));
    ls_comparison_free(comparison);
    storm.runs[0].client_hello_bytes = 300;
    comparison = compared(&storm.result, NULL, false);
    assert_true(advised(comparison, "key_exchange", "is not the certificate's alone"));
    ls_comparison_free(comparison);
}

static void mixed_clients_are_not_called_all_or_none(void **state)
{
    struct storm storm;
    struct ls_comparison *comparison = five_rounds(&storm, 6000, 3600, 0.1, 0.1);

    (void)state;
    ls_comparison_free(comparison);
    for (size_t i = 0; i < storm.result.runs_count; i++) {
        storm.runs[i].client_hello_bytes = 732; /* 36 % of 1,500 and 64 % of 300 */
    }
    comparison = compared(&storm.result, NULL, false);
    assert_true(advised(comparison, "key_exchange", "Some of the clients may have come with"));
    ls_comparison_free(comparison);
}

/* Cheaper, but it loses users: those of the baseline all came in. */
static void nothing_that_loses_more_users_is_recommended(void **state)
{
    static const int64_t lost[] = {1, 30, 600};

    (void)state;
    for (size_t row = 0; row < 3; row++) {
        struct storm storm;
        struct ls_comparison *comparison = five_rounds(&storm, 6000, 3600, 0.1, 0.1);

        assert_true(advised(comparison, "choice", "ake ECDSA P-256"));
        ls_comparison_free(comparison);
        for (size_t i = 1; i < storm.result.runs_count; i += 2) {
            storm.runs[i].failed = lost[row];
            storm.runs[i].logged_in -= lost[row];
            storm.runs[i].of_all_p100 = LS_NEVER_NS;
            storm.runs[i].of_all_p99 = lost[row] >= 10 ? LS_NEVER_NS : storm.runs[i].of_all_p99;
            storm.runs[i].of_all_p50 = lost[row] >= 500 ? LS_NEVER_NS : storm.runs[i].of_all_p50;
        }
        comparison = compared(&storm.result, NULL, false);
        assert_false(advised(comparison, "choice", "ake ECDSA P-256"));
        assert_false(advised(comparison, "choice", "was shown to wait longer"));
        assert_int_equal(advised(comparison, "users",
                                 "The last in a hundred is in with RSA 4096 and not with ECDSA"),
                         lost[row] >= 10);
        assert_false(advised(comparison, "users", "later with"));
        ls_comparison_free(comparison);
    }
}

/* Both fail so many that p50 and p99 have no end: nothing is said of their waits. */
static void waits_that_were_not_judged_are_not_called_no_longer(void **state)
{
    struct storm storm;
    struct ls_comparison *comparison = five_rounds(&storm, 6000, 3600, 0.1, 0.1);

    (void)state;
    ls_comparison_free(comparison);
    for (size_t i = 0; i < storm.result.runs_count; i++) {
        storm.runs[i].failed = i % 2 == 0 ? 900 : 600;
        storm.runs[i].logged_in -= storm.runs[i].failed;
        storm.runs[i].of_all_p50 = storm.runs[i].of_all_p99 = storm.runs[i].of_all_p100 =
            LS_NEVER_NS;
    }
    comparison = compared(&storm.result, NULL, false);
    assert_true(advised(comparison, "choice", "not all of the users' waits were judged"));
    assert_false(advised(comparison, "choice", "was shown to wait longer"));
    ls_comparison_free(comparison);
}

static void there_is_no_choice_across_scenarios(void **state)
{
    static char other_sha[] = "cd";
    struct storm one, other;
    struct ls_comparison *comparison;

    (void)state;
    storm_init(&one);
    storm_init(&other);
    storm_add(&one, true, 1, 6000, 30000, 3600);
    storm_add(&other, false, 1, 600, 3000, 360);
    comparison = compared(&one.result, &other.result, false);
    assert_true(advised(comparison, "choice", "ake ECDSA P-256"));
    ls_comparison_free(comparison);
    other.result.sha256 = other_sha;
    comparison = compared(&one.result, &other.result, false);
    assert_false(advised(comparison, "choice", "ake "));
    ls_comparison_free(comparison);
}

static void the_same_certificate_twice_is_no_choice_of_certificates(void **state)
{
    struct storm one, other;
    struct ls_comparison *comparison;

    (void)state;
    storm_init(&one);
    storm_init(&other);
    storm_add(&one, true, 1, 6000, 30000, 3600);
    storm_add(&other, true, 1, 6000, 30000, 3600);
    comparison = compared(&one.result, &other.result, false);
    assert_false(advised(comparison, "choice", ""));
    assert_false(advised(comparison, "policy", ""));
    assert_true(advised(comparison, "hardware", "RSA 4096 [2]"));
    ls_comparison_free(comparison);
}

/* Rounds of several certificates: each one's CPU, jittered so that neighbours overlap. */
static void add_key(struct storm *storm, char *name, char *key, double cpu_us, double jitter)
{
    static const double drift[] = {1, 1.02, 0.98};

    for (int round = 1; round <= 3; round++) {
        struct ls_run *run =
            storm_add(storm, false, round, 600, 3000,
                      cpu_us * drift[round - 1] * (round == 2 ? 1 + jitter : 1 - jitter / 2));

        run->certificate = name;
        run->key = key;
    }
}

static char rsa[] = "rsa-4096", p256[] = "ecdsa-p256", p384[] = "ecdsa-p384", ed[] = "ed25519",
            dsa[] = "ml-dsa-44";

static void the_choice_does_not_depend_on_the_order(void **state)
{
    static const struct {
        char *key;
        double cpu_us, jitter;
    } keys[] = {{rsa, 3600, 0}, {p256, 400, 0.2}, {ed, 330, 0.01}};
    static const int orders[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                    {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

    (void)state;
    for (size_t order = 0; order < 6; order++) {
        struct storm storm;
        struct ls_comparison *comparison;

        storm_init(&storm);
        storm.result.speedup = 6;
        for (int i = 0; i < 3; i++) {
            const int k = orders[order][i];

            add_key(&storm, keys[k].key, keys[k].key, keys[k].cpu_us, keys[k].jitter);
        }
        comparison = compared(&storm.result, NULL, false);
        assert_int_equal(comparison->judged, 11); /* 2 x 4 and 3 between the two others */
        assert_true(advised(comparison, "choice", "Take ecdsa-p256 unless"));
        assert_true(advised(comparison, "choice", "less CPU than that of rsa-4096"));
        assert_true(advised(comparison, "choice",
                            "Only if all clients are your own is there a choice of ed25519, too"));
        assert_false(advised(comparison, "choice", "Take ed25519"));
        ls_comparison_free(comparison);
    }
}

static void what_only_own_clients_take_is_no_headline(void **state)
{
    static const struct {
        const char *why;
        char *keys[3];
        double cpu_us[3];
        const char *words;
    } rows[] = {
        {"shown to be cheaper",
         {p256, ed, rsa},
         {400, 100, 3600},
         "Only if all clients are your own: ed25519 had less CPU a handshake than ecdsa-p256"},
        {"and the headline", {p256, ed, rsa}, {400, 100, 3600}, "Take ecdsa-p256 unless"},
        {"one public only",
         {ed, p256, dsa},
         {100, 400, 200},
         "a public gateway can have ecdsa-p256 only"},
        {"no public one",
         {ed, dsa, dsa},
         {100, 400, 400},
         "Take ed25519, if all clients are your own"},
        {"P-256 goes before P-384",
         {p384, p256, rsa},
         {400, 400, 3600},
         "ecdsa-p384 and ecdsa-p256 were not told apart by their CPU: let clients and rules "
         "decide. "
         "Take ecdsa-p256 for a public gateway"},
        {"two of a kind", {rsa, rsa, rsa}, {400, 400, 3600}, "let clients and rules decide."},
    };

    (void)state;
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        struct storm storm;
        struct ls_comparison *comparison;

        storm_init(&storm);
        storm.result.speedup = 6;
        for (int i = 0; i < 3; i++) {
            static char second[] = "the second", third[] = "the third";
            char *const name = i > 0 && rows[row].keys[i] == rows[row].keys[i - 1]
                                   ? (i == 1 ? second : third)
                                   : rows[row].keys[i];

            add_key(&storm, name, rows[row].keys[i], rows[row].cpu_us[i], i == 0 ? 0 : 0.01);
        }
        comparison = compared(&storm.result, NULL, false);
        if (!advised(comparison, "choice", rows[row].words)) {
            for (size_t i = 0; i < comparison->advice_count; i++) {
                print_message("%s\n", comparison->advice[i].text);
            }
            fail_msg("%s: no \"%s\"", rows[row].why, rows[row].words);
        }
        ls_comparison_free(comparison);
    }
}

static void a_queue_of_the_speed_up_is_not_called_felt(void **state)
{
    struct storm storm;
    struct ls_comparison *comparison = five_rounds(&storm, 600000, 3600, 0.1, 0.1);

    (void)state;
    assert_true(advised(comparison, "users", "long enough to be felt"));
    ls_comparison_free(comparison);
    storm.result.speedup = 60; /* 300 x 3.6 ms / 60 s x 60 is 1.1 cores */
    comparison = compared(&storm.result, NULL, false);
    assert_false(advised(comparison, "users", "felt"));
    assert_true(advised(comparison, "users", "a wait of the queue that the speed-up made"));
    assert_true(advised(comparison, "users",
                        "60 times as dense, the fullest minute wants 1.1 cores with RSA 4096"));
    ls_comparison_free(comparison);
}

static void failed_users_are_named(void **state)
{
    struct storm storm;
    struct ls_comparison *comparison = five_rounds(&storm, 6000, 3600, 0.1, 0.1);

    (void)state;
    assert_false(advised(comparison, "users", "failed"));
    ls_comparison_free(comparison);
    storm.runs[2].failed = 951;
    comparison = compared(&storm.result, NULL, false);
    assert_true(
        advised(comparison, "users", "With RSA 4096 951 of 1,000 users failed in the worst round"));
    ls_comparison_free(comparison);
}

static void nothing_is_concluded_from_storms_that_were_forced(void **state)
{
    struct storm one, other;
    struct ls_comparison *comparison;

    (void)state;
    storm_init(&one);
    storm_init(&other);
    storm_add(&one, true, 1, 6000, 30000, 3600);
    storm_add(&other, false, 1, 600, 3000, 360);
    other.result.speedup = 30;
    comparison = compared(&one.result, &other.result, true);
    assert_int_equal(comparison->pairs[0].figure[LS_FIGURE_CPU_HANDSHAKE].finding, LS_LESS);
    assert_false(advised(comparison, "hardware", ""));
    assert_false(advised(comparison, "users", "sooner"));
    assert_true(advised(comparison, "doubt", "nothing is concluded"));
    assert_true(advised(comparison, "choice", "No recommendation"));
    ls_comparison_free(comparison);
}

static void invalid_runs_are_told_once_with_what_to_do(void **state)
{
    struct storm storm;
    struct ls_comparison *comparison = five_rounds(&storm, 6000, 3600, 0.1, 0.1);
    size_t doubts = 0;

    (void)state;
    ls_comparison_free(comparison);
    for (size_t i = 0; i < storm.result.runs_count; i++) {
        storm.runs[i].validity.verdict = LS_INVALID;
    }
    comparison = compared(&storm.result, NULL, false);
    for (size_t i = 0; i < comparison->advice_count; i++) {
        doubts += strcmp(comparison->advice[i].about, "doubt") == 0;
    }
    assert_int_equal(doubts, 1);
    assert_true(advised(comparison, "doubt", "2 of 2 certificates were not judged"));
    assert_true(advised(comparison, "doubt", "a machine that does nothing else"));
    assert_true(advised(comparison, "bytes", "900 bytes shorter"));
    assert_int_equal(comparison->pairs[0].figure[LS_FIGURE_BYTES].finding, LS_LESS);
    ls_comparison_free(comparison);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_words_follow_the_figures),
        cmocka_unit_test(a_full_second_is_told),
        cmocka_unit_test(a_sped_up_wait_is_called_that),
        cmocka_unit_test(a_suspect_measurement_weakens_the_words),
        cmocka_unit_test(what_only_a_rule_changes_is_said_of_the_keys_that_are_there),
        cmocka_unit_test(hybrid_key_shares_are_told_by_the_hello),
        cmocka_unit_test(mixed_clients_are_not_called_all_or_none),
        cmocka_unit_test(nothing_that_loses_more_users_is_recommended),
        cmocka_unit_test(waits_that_were_not_judged_are_not_called_no_longer),
        cmocka_unit_test(there_is_no_choice_across_scenarios),
        cmocka_unit_test(the_same_certificate_twice_is_no_choice_of_certificates),
        cmocka_unit_test(the_choice_does_not_depend_on_the_order),
        cmocka_unit_test(what_only_own_clients_take_is_no_headline),
        cmocka_unit_test(a_queue_of_the_speed_up_is_not_called_felt),
        cmocka_unit_test(failed_users_are_named),
        cmocka_unit_test(nothing_is_concluded_from_storms_that_were_forced),
        cmocka_unit_test(invalid_runs_are_told_once_with_what_to_do),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
