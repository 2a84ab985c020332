/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "help.h"

static void unknown_keys_name_the_nearest_known_one(void **state)
{
    static const struct refusal rows[] = {
        {"arivals: {}\n", 4, 1, "unknown key \"arivals\", did you mean \"arrivals\"?",
         "a letter was left out"},
        {"windwo: {}\n", 4, 1, "unknown key \"windwo\", did you mean \"window\"?",
         "two letters swapped"},
        {"login: {tiemouts: {}}\n", 4, 9,
         "login: unknown key \"tiemouts\", did you mean \"timeouts\"?", "inside of a map"},
        {"gateway: {core: [0]}\n", 4, 11, "gateway: unknown key \"core\", did you mean \"cores\"?",
         "a plural"},
        {"populations:\n  - name: a\n    tls: {server-name: x}\n", 6, 11,
         "populations.0.tls: unknown key \"server-name\", did you mean \"server_name\"?",
         "a dash for an underscore"},
        {"colour: blue\n", 4, 1, "unknown key \"colour\"; take it out", "nothing is near"},
        {"\"\": 1\n", 4, 1, "unknown key \"\"; take it out", "an empty key"},
        {"a_b: 1\n", 4, 1, "unknown key \"a_b\"; take it out", "nothing is near"},
    };

    (void)state;
    check_refusals(rows, sizeof rows / sizeof rows[0]);
}

static void values_of_the_wrong_type_are_refused(void **state)
{
    static const struct refusal rows[] = {
        {"login: 5\n", 4, 8, "login: wants keys with values, like {request: ...}",
         "a scalar for a map"},
        {"login: [a]\n", 4, 8, "login: wants keys with values, like {request: ...}",
         "a list for a map"},
        {"populations: {name: a}\n", 4, 14,
         "populations: wants a list: each entry on a line of its own that begins with \"- \"",
         "a map for a list"},
        {"populations: []\n", 4, 14,
         "populations: is an empty list; give an entry, or take the key out", "nothing in it"},
        {"populations: [a]\n", 4, 15, "populations.0: wants keys with values, like {name: ...}",
         "a word for an entry"},
        {"arrivals: normal\n", 4, 11,
         "arrivals: wants a list: each entry on a line of its own that begins with \"- \"",
         "a word for a wave"},
        {"name: [a]\n", 4, 7, "name: wants a text, not a list", "a list for a text"},
        {"name: {a: b}\n", 4, 7, "name: wants a text, not keys and values", "a map for a text"},
        {"gateway: {workers: [1]}\n", 4, 20,
         "gateway.workers: wants a whole number in digits, like 6000, not a list",
         "a list for a number"},
        {"login:\n", 4, 1, "login: has no value; give one, or take the key out",
         "all its keys were commented out"},
        {"seed:\nname: x\n", 4, 1, "seed: has no value; give one, or take the key out",
         "forgotten"},
        {"name: \"\"\n", 4, 7, "name: is empty; write a text", "an empty text is no name"},
        {"populations: [{tls: {groups: X25519}}]\n", 4, 30,
         "populations.0.tls.groups: wants a list with at least one word, like [X25519]",
         "a word for a list of words"},
        {"populations: [{tls: {groups: []}}]\n", 4, 30,
         "populations.0.tls.groups: wants a list with at least one word, like [X25519]",
         "no word at all"},
        {"populations: [{tls: {groups: [X25519, P-256, X25519]}}]\n", 4, 46,
         "populations.0.tls.groups: \"X25519\" stands in the list twice", "once is enough"},
    };

    (void)state;
    check_refusals(rows, sizeof rows / sizeof rows[0]);
}

static void keys_of_another_case_are_refused(void **state)
{
    static const struct refusal rows[] = {
        {"arrivals: {shape: normal, over: 5s}\n", 4, 27,
         "arrivals.over: belongs to shape burst, but this is shape normal; take one of them out",
         "a bell has no length"},
        {"arrivals: {over: 5s}\n", 4, 12,
         "arrivals.over: belongs to shape burst, but this is shape normal; take one of them out",
         "normal is the default"},
        {"arrivals: {shape: uniform, middle: 08:30}\n", 4, 28,
         "arrivals.middle: belongs to shape normal, but this is shape uniform; take one of them "
         "out",
         "evenly has no middle"},
        {"gateway: {allow: {addresses: [192.0.2.1]}}\n", 4, 11,
         "gateway.allow: belongs to an outside gateway, but this is the embedded gateway; take one "
         "of them out",
         "our own needs no permission"},
        {"gateway: {target: \"127.0.0.1:443\", workers: 2}\n", 4, 36,
         "gateway.workers: belongs to the embedded gateway, but this is an outside gateway; take "
         "one of them out",
         "its workers are its own"},
        {"events: [{at: 08:30, gateway_down: 1, for: 1m, over: 1s}]\n", 4, 48,
         "events.0.over: belongs to reconnect, but this is gateway_down; take one of them out",
         "downtime is told by for"},
        {"farm: {cpu: {openssl_speed: s.txt, factor: 2}}\n", 4, 36,
         "farm.cpu.factor: belongs to a factor, but this is openssl_speed; take one of them out",
         "two answers to one question"},
    };

    (void)state;
    check_refusals(rows, sizeof rows / sizeof rows[0]);
}

static void what_a_case_needs_is_named(void **state)
{
    static const struct refusal rows[] = {
        {"arrivals: {shape: burst, over: 5s}\n", 4, 11,
         "arrivals.at: is missing for shape burst: when the burst begins", "a burst begins"},
        {"arrivals: {shape: ramp, from_rate: 1/s}\n", 4, 11,
         "arrivals.to_rate: is missing for shape ramp: rate at the window's end, like 200/min",
         "a ramp ends"},
        {"arrivals: {shape: points}\n", 4, 11,
         "arrivals.points: is missing for shape points: times and rates, like [[08:00, 20/min], "
         "[08:30, 250/min]]; linear in between",
         "no default for these"},
        {"arrivals: {shape: recorded}\n", 4, 11,
         "arrivals.curve: is missing for shape recorded: path of a recorded curve, from the folder "
         "of this file",
         "what was recorded?"},
        {"events: [{at: 08:30, gateway_down: 1}]\n", 4, 10,
         "events.0.for: is missing for gateway_down: how long they stay down", "for ever?"},
        {"gateway: {target: \"127.0.0.1:443\", allow: {addresses: [127.0.0.1], until: "
         "2026-12-31}}\n",
         4, 43, "gateway.allow.authorised_by: is missing: who allowed it, and under which number",
         "somebody must answer for it"},
    };

    (void)state;
    check_refusals(rows, sizeof rows / sizeof rows[0]);
}

static void a_wrong_word_for_the_case_is_one_mistake(void **state)
{
    static const struct refusal row = {
        "arrivals: {shape: brust, at: 08:30, over: 5s}\n", 4, 19,
        "arrivals.shape: unknown word \"brust\", did you mean \"burst\"? (known: uniform, poisson, "
        "normal, ramp, burst, points, recorded, sequence, closed)",
        "at and over are not blamed for it"};

    (void)state;
    check_refusals(&row, 1);
}

static void only_three_keys_must_be_given(void **state)
{
    static const struct {
        const char *text;
        const char *complaint;
    } rows[] = {
        {"users: 5\ncertificates: [{key: rsa-2048}]\n",
         "loginstorm: is missing: version of this format: 1"},
        {"loginstorm: 1\ncertificates: [{key: rsa-2048}]\n",
         "users: is missing: how many users log in, like users: 6000"},
        {"loginstorm: 1\nusers: 5\n",
         "certificates: is missing: what the embedded gateway shows, like [{key: rsa-4096}, {key: "
         "ecdsa-p256}]"},
    };

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct ls_errors errors = {0};

        assert_null(parse(rows[i].text, &errors));
        assert_int_equal(errors.count, 1);
        assert_string_equal(errors.item[0].text, rows[i].complaint);
        assert_int_equal(errors.item[0].line, 1);
        assert_int_equal(errors.item[0].column, 1);
    }
    ls_scenario_free(parse_with(""));
}

static void an_outside_gateway_brings_its_own_certificate(void **state)
{
    struct ls_scenario *s =
        parse_good("loginstorm: 1\nusers: 5\ngateway: {target: \"127.0.0.1:8443\"}\n");

    (void)state;
    assert_false(s->gateway.embedded);
    assert_string_equal(s->gateway.target, "127.0.0.1:8443");
    assert_int_equal(s->certificates_count, 1);
    assert_string_equal(s->certificates[0].name, "127.0.0.1:8443");
    assert_int_equal(s->certificates[0].key, LS_KEY_FILE);
    assert_int_equal(s->gateway.cpu_from, LS_CPU_NONE);
    ls_scenario_free(s);
}

static void recorded_users_need_not_be_counted(void **state)
{
    struct ls_scenario *s = parse_good("loginstorm: 1\ncertificates: [{key: rsa-2048}]\n"
                                       "arrivals: {shape: recorded, curve: monday.csv}\n");

    (void)state;
    assert_int_equal(s->users, 0);
    assert_string_equal(s->waves[0].curve, "monday.csv");
    ls_scenario_free(s);
}

#define UNCOUNTED "loginstorm: 1\ncertificates: [{key: rsa-2048}]\n"

static void a_scale_that_was_left_out_is_told_from_a_scale_of_one(void **state)
{
    struct ls_scenario *without =
        parse_good(UNCOUNTED "arrivals: {shape: recorded, curve: c, day: worst}\n");
    struct ls_scenario *with =
        parse_good(UNCOUNTED "arrivals: {shape: recorded, curve: c, day: average, scale: 1}\n");
    char *text = written(without, false);

    (void)state;
    assert_true(without->waves[0].scale < 0);
    assert_true(with->waves[0].scale > 0.999 && with->waves[0].scale < 1.001);
    assert_string_equal(without->waves[0].day, "worst");
    assert_string_equal(with->waves[0].day, "average");
    assert_null(strstr(text, "scale"));
    assert_null(strstr(text, "users:"));
    free(text);
    ls_scenario_free(without);
    ls_scenario_free(with);
}

static void several_recorded_curves_bring_their_own_users_or_have_shares_of_users(void **state)
{
    static const struct {
        const char *text, *complaint;
    } rows[] = {
        {UNCOUNTED "arrivals: [{shape: recorded, curve: a, scale: 2}, {shape: recorded, curve: "
                   "b}]\n",
         NULL},
        {UNCOUNTED "users: 9\narrivals: [{shape: recorded, curve: a, share: 0.3}, {shape: "
                   "recorded, curve: b, share: 0.7}]\n",
         NULL},
        {UNCOUNTED "arrivals: [{shape: recorded, curve: a, share: 30%}, {shape: recorded, curve: "
                   "b}]\n",
         "arrivals.0.share: without `users` each curve brings its own, times its scale; take share "
         "out, or give users"},
        {UNCOUNTED "users: 9\narrivals: [{shape: recorded, curve: a}, {shape: recorded, curve: "
                   "b}]\n",
         "arrivals.0.share: is missing: each of several entries needs one"},
        {UNCOUNTED "arrivals: [{shape: recorded, curve: a}, {shape: normal}]\n",
         "arrivals.0.share: is missing: each of several entries needs one"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_errors errors = {0};
        struct ls_scenario *s = parse(rows[i].text, &errors);
        struct ls_scenario *again = NULL;

        if (rows[i].complaint == NULL) {
            char *text;

            assert_non_null(s);
            text = written(s, false);
            again = parse_good(text);
            free(text);
            assert_true(s->waves[0].share < 0 ? again->waves[0].share < 0
                                              : again->waves[0].share > 0.29);
        } else {
            size_t e = 0;

            while (e + 1 < errors.count && strcmp(errors.item[e].text, rows[i].complaint) != 0) {
                e++;
            }
            assert_string_equal(errors.item[e].text, rows[i].complaint);
        }
        ls_scenario_free(again);
        ls_scenario_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unknown_keys_name_the_nearest_known_one),
        cmocka_unit_test(values_of_the_wrong_type_are_refused),
        cmocka_unit_test(keys_of_another_case_are_refused),
        cmocka_unit_test(what_a_case_needs_is_named),
        cmocka_unit_test(a_wrong_word_for_the_case_is_one_mistake),
        cmocka_unit_test(only_three_keys_must_be_given),
        cmocka_unit_test(an_outside_gateway_brings_its_own_certificate),
        cmocka_unit_test(recorded_users_need_not_be_counted),
        cmocka_unit_test(a_scale_that_was_left_out_is_told_from_a_scale_of_one),
        cmocka_unit_test(several_recorded_curves_bring_their_own_users_or_have_shares_of_users),
    };

    return cmocka_run_group_tests_name("scenario/read", tests, NULL, NULL);
}
