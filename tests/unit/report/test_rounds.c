/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "report/rounds.h"

#include "unit/report/sample.h"

static char rsa[] = "RSA 4096", p256[] = "ECDSA P-256", key[] = "k", source[] = "embedded",
            why[] = "SIGINT";

/* A B A B A (the last B did not come to be): B failed once, A's third round ended early. */
static struct ls_result interleaved(struct ls_run *runs)
{
    static const struct {
        char *certificate;
        int repeat;
        int64_t p50_ns, p100_ns;
        double cpu_us;
        int64_t logged_in, failed;
        enum ls_verdict verdict;
        bool partial;
    } rows[] = {
        {rsa, 1, 3000, 9000, 3400.5, 10, 0, LS_VALID, false},
        {p256, 1, 300, 800, 256.5, 10, 0, LS_VALID, false},
        {rsa, 2, 5000, 7000, 3500.5, 10, 0, LS_VALID, false},
        {p256, 2, 500, 900, -1, 8, 2, LS_SUSPECT, false},
        {rsa, 3, 99000, 99000, 9999, 2, 0, LS_INVALID, true},
    };

    for (size_t i = 0; i < 5; i++) {
        runs[i] = (struct ls_run){.certificate = rows[i].certificate,
                                  .key = key,
                                  .repeat = rows[i].repeat,
                                  .live = true,
                                  .partial = rows[i].partial,
                                  .partial_why = rows[i].partial ? why : NULL,
                                  .gateway_source = source,
                                  .total = 10,
                                  .logged_in = rows[i].logged_in,
                                  .failed = rows[i].failed,
                                  .login = {.count = 10,
                                            .p50 = rows[i].p50_ns,
                                            .p99 = LS_NEVER_NS,
                                            .p100 = rows[i].p100_ns},
                                  .cpu_us_per_handshake = rows[i].cpu_us,
                                  .validity = {.verdict = rows[i].verdict}};
    }
    return (struct ls_result){.users = 10, .speedup = 1, .runs = runs, .runs_count = 5};
}

static void a_certificate_s_figures_are_the_medians_of_its_whole_rounds(void **state)
{
    struct ls_run runs[5];
    const struct ls_result result = interleaved(runs);
    struct rounds rounds;

    (void)state;
    assert_true(rounds_init(&rounds, &result));
    assert_int_equal(rounds.most, 3);
    assert_int_equal(rounds.medians.runs_count, 2);
    assert_string_equal(rounds.medians.runs[0].certificate, rsa);
    assert_int_equal(rounds.medians.runs[0].login.p50, 4000); /* of 3000 and 5000 */
    assert_int_equal(rounds.medians.runs[0].login.p100, 8000);
    assert_int_equal(rounds.medians.runs[0].login.p99, LS_NEVER_NS);
    assert_true(fabs(rounds.medians.runs[0].cpu_us_per_handshake - 3450.5) < 1e-9);
    assert_int_equal(rounds.medians.runs[1].login.p50, 400);
    assert_true(fabs(rounds.medians.runs[1].cpu_us_per_handshake - 256.5) < 1e-9);
    rounds_clear(&rounds);
}

static void what_went_wrong_is_that_of_the_worst_round(void **state)
{
    struct ls_run runs[5];
    const struct ls_result result = interleaved(runs);
    struct rounds rounds;

    (void)state;
    assert_true(rounds_init(&rounds, &result));
    assert_int_equal(rounds.medians.runs[1].failed, 2);
    assert_int_equal(rounds.medians.runs[1].logged_in, 8);
    assert_int_equal(rounds.medians.runs[1].validity.verdict, LS_SUSPECT);
    assert_int_equal(rounds.medians.runs[0].validity.verdict, LS_INVALID);
    assert_true(rounds.medians.runs[0].partial);
    rounds_clear(&rounds);
}

static void the_report_has_a_line_a_certificate_and_says_of_how_many_rounds(void **state)
{
    const struct ls_report_look look = {.columns = 120, .utf8 = true};
    const struct ls_report_look quiet = {.columns = 120, .quiet = true};
    struct ls_run runs[5];
    const struct ls_result result = interleaved(runs);
    char *text;

    (void)state;
    text = sample_text(&result, &look);
    assert_non_null(strstr(text, "\nECDSA P-256          8       2"));
    assert_non_null(strstr(text, "\nMedians of 2 rounds of every certificate in turn; without 1 "
                                 "that is invalid or ended early; logged in"));
    assert_non_null(strstr(text, "PARTIAL RESULT: RSA 4096, round 3 ended early (SIGINT)"));
    free(text);
    text = sample_text(&result, &quiet);
    assert_non_null(strstr(text, "valid, partial, medians of 2 rounds\nECDSA P-256: "));
    free(text);
}

/* The comparison below the table leaves invalid rounds out; the table must not count what it does
 * not. */
static void the_medians_are_of_the_rounds_that_a_comparison_takes(void **state)
{
    const struct ls_report_look look = {.columns = 120, .utf8 = true};
    struct ls_run runs[5];
    const struct ls_result result = interleaved(runs);
    struct rounds rounds;
    char *text;

    (void)state;
    runs[2].validity.verdict = LS_INVALID;
    assert_true(rounds_init(&rounds, &result));
    assert_int_equal(rounds.medians.runs[0].login.p50, 3000);
    assert_int_equal(rounds.fewest, 1);
    assert_int_equal(rounds.taken, 2);
    assert_int_equal(rounds.left_out, 2);
    rounds_clear(&rounds);
    text = sample_text(&result, &look);
    assert_non_null(strstr(text, "\nMedians of 1 to 2 rounds of every certificate in turn; "
                                 "without 2 that are invalid"));
    free(text);
    runs[0].validity.verdict = LS_INVALID; /* of invalid ones alone: the whole of them */
    assert_true(rounds_init(&rounds, &result));
    assert_int_equal(rounds.medians.runs[0].login.p50, 4000);
    rounds_clear(&rounds);
}

static void a_round_in_which_nobody_got_in_is_longer_than_any(void **state)
{
    static const struct {
        int64_t p50_ns[3], median_ns;
    } rows[] = {
        {{5, 7, 6}, 6},
        {{LS_NEVER_NS, 7, 5}, 7},
        {{LS_NEVER_NS, 5, LS_NEVER_NS}, LS_NEVER_NS},
        {{LS_NEVER_NS, LS_NEVER_NS, LS_NEVER_NS}, LS_NEVER_NS},
    };

    (void)state;
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        struct ls_run runs[3];
        const struct ls_result result = {.users = 10, .runs = runs, .runs_count = 3};
        struct rounds rounds;

        for (int i = 0; i < 3; i++) {
            runs[i] = (struct ls_run){
                .certificate = rsa, .repeat = i + 1, .login = {.p50 = rows[row].p50_ns[i]}};
        }
        assert_true(rounds_init(&rounds, &result));
        assert_int_equal(rounds.medians.runs[0].login.p50, rows[row].median_ns);
        rounds_clear(&rounds);
    }
}

static void one_round_is_shown_as_it_is(void **state)
{
    struct ls_run runs[5];
    struct ls_result result = interleaved(runs);
    struct rounds rounds;

    (void)state;
    result.runs_count = 2;
    assert_true(rounds_init(&rounds, &result));
    assert_int_equal(rounds.most, 1);
    assert_ptr_equal(rounds.medians.runs, runs);
    assert_ptr_equal(rounds.named.runs, runs);
    rounds_clear(&rounds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_certificate_s_figures_are_the_medians_of_its_whole_rounds),
        cmocka_unit_test(what_went_wrong_is_that_of_the_worst_round),
        cmocka_unit_test(the_report_has_a_line_a_certificate_and_says_of_how_many_rounds),
        cmocka_unit_test(the_medians_are_of_the_rounds_that_a_comparison_takes),
        cmocka_unit_test(a_round_in_which_nobody_got_in_is_longer_than_any),
        cmocka_unit_test(one_round_is_shown_as_it_is),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
