/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "help.h"

static void numbers_out_of_range_say_the_range(void **state)
{
    static const struct refusal rows[] = {
        {"seed: -1\n", 4, 7, "seed: -1 is out of range (0 to 9223372036854775807)",
         "seeds do not go below 0"},
        {"seed: 9223372036854775808\n", 4, 7,
         "seed: 9223372036854775808 is out of range (0 to 9223372036854775807)",
         "one too large for 63 bits"},
        {"gateway: {workers: 0}\n", 4, 20, "gateway.workers: 0 is out of range (1 to 256)",
         "nobody would answer"},
        {"login: {retry: {attempts: 0}}\n", 4, 27,
         "login.retry.attempts: 0 is out of range (1 to 100)", "the first attempt counts"},
        {"login: {retry: {attempts: 2.5}}\n", 4, 27,
         "login.retry.attempts: \"2.5\" is not a whole number in digits, like 6000",
         "no half attempts"},
        {"login: {retry: {factor: 0.5}}\n", 4, 25,
         "login.retry.factor: 0.5 is out of range (1 to 100)", "waits grow"},
        {"login: {retry: {factor: nan}}\n", 4, 25,
         "login.retry.factor: \"nan\" is not a number, like 1.5", "not a number"},
        {"login: {retry: {factor: .inf}}\n", 4, 25,
         "login.retry.factor: \".inf\" is not a number, like 1.5", "not finite"},
        {"login: {retry: {factor: 1e999}}\n", 4, 25,
         "login.retry.factor: \"1e999\" is not a number, like 1.5", "overflow by exponent"},
        {"pace: {speedup: 0}\n", 4, 17, "pace.speedup: 0 is out of range (0.001 to 100000)",
         "time would stand still"},
        {"pace: {speedup: -60}\n", 4, 17, "pace.speedup: -60 is out of range (0.001 to 100000)",
         "nor does it run backwards"},
        {"populations: [{share: 150%}]\n", 4, 23,
         "populations.0.share: 150% is out of range (0% to 100%)", "more than all"},
        {"populations: [{share: -0.1}]\n", 4, 23,
         "populations.0.share: -0.1 is out of range (0% to 100%)", "less than none"},
        {"arrivals: {share_in_middle_sixth: 0}\n", 4, 35,
         "arrivals.share_in_middle_sixth: 0 is out of range (1% to 99%)",
         "a bell without a middle"},
        {"login: {timeouts: {login: 0}}\n", 4, 27,
         "login.timeouts.login: 0 is out of range (1ms to 24h)", "everybody would give up"},
        {"login: {timeouts: {login: 25h}}\n", 4, 27,
         "login.timeouts.login: 25h is out of range (1ms to 24h)", "longer than a day"},
        {"login: {request: {send: 2GiB}}\n", 4, 25,
         "login.request.send: 2GiB is out of range (0B to 1GiB)", "no login sends so much"},
    };

    (void)state;
    check_refusals(rows, sizeof rows / sizeof rows[0]);
}

static void texts_that_are_not_of_the_kind_say_what_is(void **state)
{
    static const struct refusal rows[] = {
        {"window: {from: 8am}\n", 4, 16,
         "window.from: \"8am\" is not a time of day, like 08:30 or 08:30:15", "24 hours"},
        {"window: {to: 540}\n", 4, 14,
         "window.to: \"540\" is not a time of day, like 08:30 or 08:30:15",
         "what sexagesimal 9:00 would be"},
        {"login: {timeouts: {connect: 5}}\n", 4, 29,
         "login.timeouts.connect: \"5\" is not a duration, like 250us, 5ms, 10s, 2m, 1h or 1m30s",
         "five what?"},
        {"login: {timeouts: {connect: -5s}}\n", 4, 29,
         "login.timeouts.connect: \"-5s\" is not a duration, like 250us, 5ms, 10s, 2m, 1h or 1m30s",
         "time does not go back"},
        {"login: {request: {send: 900}}\n", 4, 25,
         "login.request.send: \"900\" is not a size, like 900B, 6kB, 6KiB or 1MB", "900 what?"},
        {"arrivals: {shape: ramp, from_rate: 5, to_rate: 1/s}\n", 4, 36,
         "arrivals.from_rate: \"5\" is not a rate, like 5/s, 240/min or 900/h", "in what time?"},
        {"gateway: {tickets: maybe}\n", 4, 20, "gateway.tickets: \"maybe\" is not yes or no",
         "a switch has two ends"},
        {"gateway: {tickets: 1}\n", 4, 20, "gateway.tickets: \"1\" is not yes or no",
         "numbers are not switches"},
        {"login: {close: no}\n", 4, 16, "login.close: unknown word \"no\" (known: fin, reset)",
         "no is a word where a word is wanted"},
        {"login: {retry: {jitter: ful}}\n", 4, 25,
         "login.retry.jitter: unknown word \"ful\", did you mean \"full\"? (known: none, equal, "
         "full)",
         "a letter was left out"},
        {"issuer: {key: dsa}\n", 4, 15,
         "issuer.key: unknown word \"dsa\" (known: rsa-2048, rsa-3072, rsa-4096, ecdsa-p256, "
         "ecdsa-p384, ecdsa-p521, ed25519, ml-dsa-44, ml-dsa-65)",
         "not made any more"},
        {"name: \"a\\nb\"\n", 4, 7, "name: must be one line of text without control characters",
         "it would break a line of the report"},
        {"name: \"\\e[31mred\"\n", 4, 7,
         "name: must be one line of text without control characters",
         "it would colour the terminal"},
        {"name: \"\\u2028\"\n", 4, 7, "name: must be one line of text without control characters",
         "a line break too"},
        {"name: \"a\\0b\"\n", 4, 7, "name: a NUL character does not belong here",
         "it would end the text"},
    };

    (void)state;
    check_refusals(rows, sizeof rows / sizeof rows[0]);
}

static void times_outside_of_the_window_are_refused(void **state)
{
    static const struct refusal rows[] = {
        {"arrivals: {middle: 09:30}\n", 4, 20,
         "arrivals.middle: 09:30 is outside the window 08:00-09:00", "after its end"},
        {"arrivals: {middle: 07:59:59}\n", 4, 20,
         "arrivals.middle: 07:59:59 is outside the window 08:00-09:00", "before its start"},
        {"window: {from: 22:00, to: 02:00}\nevents: [{at: 03:00, reconnect: 50%}]\n", 5, 15,
         "events.0.at: 03:00 is outside the window 22:00-02:00", "a window across midnight"},
    };

    (void)state;
    check_refusals(rows, sizeof rows / sizeof rows[0]);
}

static void the_windows_mistake_is_not_blamed_on_the_rest(void **state)
{
    static const struct refusal row = {
        "window: {from: x}\narrivals: {middle: 12:00}\n", 4, 16,
        "window.from: \"x\" is not a time of day, like 08:30 or 08:30:15",
        "whether 12:00 is inside cannot be told"};

    (void)state;
    check_refusals(&row, 1);
}

static void texts_are_typed_by_their_field_alone(void **state)
{
    struct ls_scenario *s = parse_with("name: no\n"
                                       "seed: 08\n"
                                       "window: {from: \"8:00\", to: 09:00:00}\n"
                                       "gateway: {tickets: on, workers: 010}\n"
                                       "populations: [{name: 1.50, share: \"100%\"}]\n");

    (void)state;
    assert_string_equal(s->name, "no");
    assert_int_equal(s->seed, 8);
    assert_true(s->from_ns == 28800000000000);
    assert_true(s->window_ns == 3600000000000);
    assert_true(s->gateway.tickets);
    assert_int_equal(s->gateway.workers, 10);
    assert_string_equal(s->populations[0].name, "1.50");
    ls_scenario_free(s);
}

static void the_largest_seed_is_taken_exactly(void **state)
{
    struct ls_scenario *s = parse_with("seed: 9223372036854775807\n");

    (void)state;
    assert_true(s->seed == UINT64_C(9223372036854775807));
    assert_false(s->seed_drawn);
    ls_scenario_free(s);
}

static void moments_are_offsets_across_midnight(void **state)
{
    struct ls_scenario *s = parse_with("window: {from: 22:00, to: 02:00}\n"
                                       "arrivals: {middle: 00:30}\n"
                                       "events: [{at: 02:00, reconnect: 1}]\n");

    (void)state;
    assert_true(s->window_ns == 4 * 3600000000000);
    assert_true(s->waves[0].middle_at_ns == 9000000000000);
    assert_true(s->events[0].at_ns == s->window_ns);
    ls_scenario_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_out_of_range_say_the_range),
        cmocka_unit_test(texts_that_are_not_of_the_kind_say_what_is),
        cmocka_unit_test(times_outside_of_the_window_are_refused),
        cmocka_unit_test(the_windows_mistake_is_not_blamed_on_the_rest),
        cmocka_unit_test(texts_are_typed_by_their_field_alone),
        cmocka_unit_test(the_largest_seed_is_taken_exactly),
        cmocka_unit_test(moments_are_offsets_across_midnight),
    };

    return cmocka_run_group_tests_name("scenario/read_scalar", tests, NULL, NULL);
}
