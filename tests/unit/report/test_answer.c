/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "report/answer.h"
#include "unit/report/sample.h"

static void change_nothing(struct ls_result *result)
{
    (void)result;
}

static void all_stand(struct ls_result *result)
{
    result->targets[1].limit = 5000; /* a dozen of 6,000 failed with P-256 */
}

static void none_stands(struct ls_result *result)
{
    result->targets[0].limit = 1000;
    result->targets_count = 1;
}

static void no_targets(struct ls_result *result)
{
    result->targets_count = 0;
}

static void nobody_failed(struct ls_result *result)
{
    result->targets_count = 0;
    result->runs[1].failed = 0;
}

static void invalid(struct ls_result *result)
{
    for (size_t i = 0; i < result->runs_count; i++) {
        result->runs[i].validity.verdict = LS_INVALID;
    }
}

static void one_invalid(struct ls_result *result)
{
    all_stand(result);
    result->runs[0].validity.verdict = LS_INVALID;
}

static void partial(struct ls_result *result)
{
    result->partial = result->runs[2].partial = true;
}

static void nothing(struct ls_result *result)
{
    result->runs_count = 0;
}

static void closed(struct ls_result *result)
{
    result->closed = true;
}

static void no_cpu(struct ls_result *result)
{
    all_stand(result);
    for (size_t i = 0; i < result->runs_count; i++) {
        result->runs[i].cores_at_peak_minute = -1;
    }
    result->targets_count = 2;
}

static void never(struct ls_result *result)
{
    result->targets_count = 1;
    result->runs[1].of_all_p99 = LS_NEVER_NS;
}

static void own(struct ls_result *result)
{
    all_stand(result);
    result->speedup = 1;
    result->runs[2].validity.verdict = LS_VALID;
}

static void simulated(struct ls_result *result)
{
    own(result);
    for (size_t i = 0; i < result->runs_count; i++) {
        struct ls_run_mornings *mornings = &result->runs[i].mornings;

        result->runs[i].live = false;
        mornings->count = 200;
        mornings->of_all_p99.in_95 = i == 0 ? 2 * LS_NS_PER_S : LS_NS_PER_MS;
        mornings->failed_share.in_95 = 0;
        mornings->gateway_peak_share.in_95 = 610000;
    }
}

static void the_answer_claims_what_the_result_holds(void **state)
{
    static const struct {
        const char *why;
        void (*change)(struct ls_result *result);
        enum answer_tone tone;
        const char *stands, *room;
    } rows[] = {
        {"what stands, what does not, by how much, in which pace", change_nothing, ANSWER_MIXED,
         "As far as a suspect measurement can tell: Yes with RSA 4096 and ECDSA P-384: played 60 "
         "times "
         "as dense, the embedded gateway meets all 3 targets; no with ECDSA P-256 (failed is 0.2 "
         "%, at "
         "most 0.1 %).",
         "of the gateway's CPU: 3.0 % with RSA 4096 (0.03 of 1 core), 0.1 % with ECDSA P-256"},
        {"all of them", all_stand, ANSWER_YES,
         "Yes with RSA 4096, ECDSA P-256 and ECDSA P-384: ", "over a minute the rest is room"},
        {"none of them", none_stands, ANSWER_NO,
         "No with RSA 4096, ECDSA P-256 and ECDSA P-384: played 60 times as dense, the embedded "
         "gateway misses a target (login_p99 is 8.86 ms, at most 1.00 µs with RSA 4096).",
         "room"},
        {"without targets nobody can say", no_targets, ANSWER_MIXED,
         "The scenario sets no targets, so what is good enough is yours to say: played 60 times as "
         "dense, the embedded gateway left users outside with 1 of 3 certificates.",
         "room"},
        {"without targets, with everybody in", nobody_failed, ANSWER_UNKNOWN,
         "let all 6,000 users in, the slowest after 8.87 ms (RSA 4096).", "room"},
        {"an invalid measurement says so first, and nothing else", invalid, ANSWER_UNKNOWN,
         "Do not decide by this: the measurement is invalid, so whether the gateway stands is not "
         "known.",
         "another run is needed"},
        {"an invalid one beside others", one_invalid, ANSWER_YES,
         "The measurement of RSA 4096 is invalid and says nothing. As far as a suspect measurement "
         "can "
         "tell: Yes with ECDSA P-256 and ECDSA P-384",
         "room"},
        {"a storm that ended early says nothing of the morning", partial, ANSWER_UNKNOWN,
         "The storm ended early, so whether the gateway stands the whole morning is not known.",
         "until then"},
        {"no run", nothing, ANSWER_UNKNOWN,
         "Nothing was measured, so whether the gateway stands is not known.", "not known either"},
        {"a closed loop is no morning", closed, ANSWER_UNKNOWN,
         "These were closed loops: they say what a certificate costs, not whether the gateway "
         "stands a "
         "morning.",
         "A handshake took the gateway 3.38 ms with RSA 4096"},
        {"no CPU, no room", no_cpu, ANSWER_YES, "meets both targets",
         "How much room there is cannot be told: the gateway's CPU is not known."},
        {"so many failed that there is no p99", never, ANSWER_MIXED,
         "no with ECDSA P-256 (login_p99 has no end, so many failed, at most 1.00 s).", "room"},
        {"at its own pace", own, ANSWER_YES,
         "Yes with RSA 4096, ECDSA P-256 and ECDSA P-384: the embedded gateway meets all 3 "
         "targets.",
         "room"},
        {"of simulated mornings 95 % count", simulated, ANSWER_MIXED,
         "Yes with ECDSA P-256 and ECDSA P-384: in 95 % of simulated mornings the farm meets all 3 "
         "targets; no with RSA 4096 (login_p99 is 2.00 s, at most 1.00 s).",
         "in 95 % of mornings at most, this much of its cores: 61 % with RSA 4096"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sample sample;
        struct rounds rounds;
        struct answer answer;

        sample_init(&sample);
        rows[i].change(&sample.result);
        assert_true(rounds_init(&rounds, &sample.result));
        assert_true(answer_of(&answer, &rounds));
        if (strstr(answer.stands, rows[i].stands) == NULL ||
            strstr(answer.room, rows[i].room) == NULL || answer.tone != rows[i].tone) {
            fail_msg("%s: (%s) %s %s", rows[i].why, answer_word(answer.tone), answer.stands,
                     answer.room);
        }
        answer_clear(&answer);
        rounds_clear(&rounds);
        sample.result.runs_count = 3;
        sample_clear(&sample);
    }
}

static void the_worst_round_counts(void **state)
{
    struct sample sample;
    struct rounds rounds;
    struct answer answer;

    (void)state;
    sample_init(&sample);
    for (size_t i = 0; i < 3; i++) {
        sample.runs[i].repeat = (int)i + 1;
        free(sample.runs[i].certificate);
        sample.runs[i].certificate = strdup("One");
    }
    assert_true(rounds_init(&rounds, &sample.result));
    assert_true(answer_of(&answer, &rounds));
    assert_int_equal(answer.tone, ANSWER_NO);
    assert_non_null(strstr(answer.stands, "No with One: "));
    assert_non_null(strstr(answer.stands, "failed is 0.2 %, at most 0.1 %"));
    answer_clear(&answer);
    rounds_clear(&rounds);
    sample_clear(&sample);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_answer_claims_what_the_result_holds),
        cmocka_unit_test(the_worst_round_counts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
