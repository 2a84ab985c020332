/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "help.h"

#include "loginstorm/units.h"

/* Without users: closed loops say how many there are. What a test adds begins in line 3. */
#define HEAD "loginstorm: 1\ncertificates: [{key: ecdsa-p256}]\n"
#define BENCHMARK                                                                                  \
    "arrivals: [{shape: sequence, runs: 5}, {shape: closed, requests: 100, concurrency: 20}]\n"

static struct ls_scenario *parse_loops(const char *added)
{
    char text[2000];

    (void)snprintf(text, sizeof text, HEAD "%s", added);
    return parse_good(text);
}

static void loops_are_typed_and_decide_what_follows_from_them(void **state)
{
    struct ls_scenario *s = parse_loops(BENCHMARK);

    (void)state;
    assert_true(ls_scenario_is_closed(s));
    assert_int_equal(s->waves_count, 2);
    assert_int_equal(s->waves[0].shape, LS_SHAPE_SEQUENCE);
    assert_int_equal(s->waves[0].requests, 5);
    assert_int_equal(s->waves[0].concurrency, 1);
    assert_int_equal(s->waves[1].shape, LS_SHAPE_CLOSED);
    assert_int_equal(s->waves[1].requests, 100);
    assert_int_equal(s->waves[1].concurrency, 20);
    assert_int_equal(s->users, 105);
    assert_int_equal(s->login.hold, LS_HOLD_NONE);
    assert_true(s->from_ns == 0 && s->window_ns == 0);
    assert_true(s->speedup >= 1 && s->speedup <= 1);
    ls_scenario_free(s);
}

static void a_lone_loop_needs_no_list(void **state)
{
    struct ls_scenario *s = parse_loops("arrivals: {shape: sequence, runs: 3}\n");

    (void)state;
    assert_int_equal(s->users, 3);
    ls_scenario_free(s);
}

static void an_open_scenario_is_none(void **state)
{
    struct ls_scenario *s = parse_with("");

    (void)state;
    assert_false(ls_scenario_is_closed(s));
    assert_int_equal(s->login.hold, LS_HOLD_UNTIL_END);
    ls_scenario_free(s);
}

static void what_agrees_with_the_loops_may_be_written(void **state)
{
    struct ls_scenario *s =
        parse_loops(BENCHMARK "users: 105\npace: {speedup: 1}\nlogin: {hold: 2s}\n");

    (void)state;
    assert_int_equal(s->users, 105);
    assert_int_equal(s->login.hold, LS_HOLD_DURATION);
    assert_true(s->login.hold_ns == 2 * LS_NS_PER_S);
    ls_scenario_free(s);
}

static void what_a_closed_loop_cannot_be_is_refused_at_its_place(void **state)
{
    static const struct refusal rows[] = {
        {"arrivals: [{shape: sequence, runs: 5}, {shape: normal}]\n", 3, 40,
         "arrivals.1: open shapes and closed loops do not mix: users of the ones come when they "
         "are "
         "due, of the others when one before them is done; make two scenarios",
         "an open shape behind a closed one"},
        {"arrivals: [{shape: normal, share: 1}, {shape: sequence, runs: 5}, {shape: burst, at: "
         "08:30, over: 1s, share: 0}]\n",
         3, 39,
         "arrivals.1: open shapes and closed loops do not mix: users of the ones come when they "
         "are "
         "due, of the others when one before them is done; make two scenarios",
         "and before one; said once, and users are not asked for"},
        {BENCHMARK "users: 104\n", 4, 1,
         "users: closed loops say themselves how many log in: 105 in all; take users out, and "
         "change their runs or requests instead",
         "another number"},
        {BENCHMARK "window: {from: 08:00, to: 09:00}\n", 4, 1,
         "window: a closed loop has no window: each login begins when one before it is done; take "
         "it out",
         "would look like a morning"},
        {BENCHMARK "events: [{at: 08:30, reconnect: 100%}]\n", 4, 1,
         "events: a closed loop has no moment for them; take them out", "no time of day"},
        {BENCHMARK "pace: {speedup: 2}\n", 4, 8,
         "pace.speedup: a closed loop has no pace to change: it is as fast as the gateway; take it "
         "out",
         "nothing to hurry"},
        {BENCHMARK "login: {hold: until_end}\n", 4, 9,
         "login.hold: until_end never lets the next login of a closed loop begin; write none, or a "
         "duration",
         "no place would ever be free"},
        {BENCHMARK "targets: {gateway_cpu_peak: 70%}\n", 4, 11,
         "targets.gateway_cpu_peak: a closed loop has no peak: it takes all of the gateway that it "
         "gets; take it out",
         "no fullest minute"},
        {"arrivals: {shape: sequence, runs: 0}\n", 3, 35,
         "arrivals.runs: 0 is out of range (1 to 10000000)", "nobody"},
        {"arrivals: {shape: sequence, runs: 5, requests: 5}\n", 3, 38,
         "arrivals.requests: belongs to shape closed, but this is shape sequence; take one of them "
         "out",
         "the other loop's word"},
        {"arrivals: {shape: closed, requests: 5}\n", 3, 11,
         "arrivals.concurrency: is missing for shape closed: of them at a time, a new one when one "
         "is done, as ab -c",
         "how many at a time"},
        {"arrivals: {shape: closed, requests: 5, concurrency: 6}\n", 3, 40,
         "arrivals.concurrency: is more than all requests, so that many are never there at a time",
         "ab refuses it, too"},
        {"arrivals: {shape: closed, requests: 5, concurrency: 2, share: 1}\n", 3, 56,
         "arrivals.share: belongs to shape uniform, but this is shape closed; take one of them out",
         "loops are played whole"},
        {"arrivals: {shape: closed, requests: 5, concurrency: 2, placement: even}\n", 3, 56,
         "arrivals.placement: belongs to shape uniform, but this is shape closed; take one of them "
         "out",
         "there is no curve"},
        {"arrivals: [{shape: closed, requests: 9000000, concurrency: 2}, {shape: sequence, runs: "
         "9000000}]\n",
         3, 1, "arrivals: more than 10 million logins in all", "as of users"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_errors errors = {0};
        char text[2000];
        struct ls_scenario *s;

        (void)snprintf(text, sizeof text, HEAD "%s", rows[i].added);
        s = parse(text, &errors);
        if (s != NULL || errors.count == 0 || errors.item[0].line != rows[i].line ||
            errors.item[0].column != rows[i].column ||
            strcmp(errors.item[0].text, rows[i].text) != 0 || errors.count > 1) {
            fail_msg("%s\n  gives %zu: %d:%d: %s\n  wanted %d:%d: %s\n  (%s)", rows[i].added,
                     errors.count, errors.item[0].line, errors.item[0].column, errors.item[0].text,
                     rows[i].line, rows[i].column, rows[i].text, rows[i].why);
        }
    }
}

static void changes_of_the_command_line_are_refused_by_their_name(void **state)
{
    static const struct {
        struct ls_scenario_change change;
        const char *path, *text;
    } rows[] = {
        {{"users", "60"},
         "--set users=60",
         "users: closed loops say themselves how many log in: 105 in all; take users out, and "
         "change their runs or requests instead"},
        {{"pace.speedup", "60"},
         "--set pace.speedup=60",
         "pace.speedup: a closed loop has no pace to change: it is as fast as the gateway; take it "
         "out"},
        {{"window.to", "10:00"},
         "--set window.to=10:00",
         "window: a closed loop has no window: each login begins when one before it is done; take "
         "it out"},
        {{"arrivals.1.concurrency", "200"},
         "--set arrivals.1.concurrency=200",
         "arrivals.1.concurrency: is more than all requests, so that many are never there at a "
         "time"},
    };
    static const char text[] = HEAD BENCHMARK;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_scenario *s;
        struct ls_errors errors = {0};

        assert_int_equal(
            ls_scenario_parse(&s, "monday.yaml", text, strlen(text), &rows[i].change, 1, &errors),
            LS_EINPUT);
        assert_int_equal(errors.count, 1);
        assert_string_equal(errors.item[0].text, rows[i].text);
        assert_string_equal(errors.item[0].path, rows[i].path);
    }
}

static void a_change_of_a_loop_changes_the_users(void **state)
{
    static const char text[] = HEAD BENCHMARK;
    const struct ls_scenario_change change = {"arrivals.1.requests", "40"};
    struct ls_scenario *s;
    struct ls_errors errors = {0};

    (void)state;
    assert_int_equal(ls_scenario_parse(&s, "monday.yaml", text, strlen(text), &change, 1, &errors),
                     LS_OK);
    assert_int_equal(s->users, 45);
    ls_scenario_free(s);
}

/* What lies in a run's folder, and what an injector is handed. */
static void loops_read_back_the_same(void **state)
{
    struct ls_scenario *s = parse_good(
        "loginstorm: 1\nseed: 4\n" BENCHMARK
        "certificates: [{key: rsa-4096, published: {source: a paper, handshake_mean: 17.5ms, rate: "
        "96.7/s, secured_p50: 84ms, login_p50: 118ms, login_p100: 604ms, client_hello: 1779B, "
        "server_flight: 3505B}}, {key: rsa-2048, published: {source: b, rate: 7.3/h}}, {key: "
        "ecdsa-p256}]\n");
    char *text = written(s, false);
    struct ls_scenario *again = parse_good(text);
    char *text_again = written(again, false);

    (void)state;
    assert_string_equal(text, text_again);
    assert_null(strstr(text, "window"));
    assert_int_equal(again->users, 105);
    assert_int_equal(again->window_ns, 0);
    free(text);
    free(text_again);
    ls_scenario_free(s);
    ls_scenario_free(again);
}

static void published_figures_are_typed(void **state)
{
    struct ls_scenario *s = parse_good(
        "loginstorm: 1\nusers: 1\ncertificates:\n"
        "  - {key: rsa-4096, published: {source: a paper, handshake_mean: 17.5ms, rate: 96.7/s, "
        "secured_p50: 84ms, login_p50: 118ms, login_p100: 604ms, client_hello: 1779B, "
        "server_flight: 3505B}}\n"
        "  - {key: ecdsa-p256, published: {source: another, rate: 60/min}}\n"
        "  - {key: ecdsa-p384}\n");
    const struct ls_published *all = &s->certificates[0].published;
    const struct ls_published *one = &s->certificates[1].published;

    (void)state;
    assert_string_equal(all->source, "a paper");
    assert_int_equal(all->handshake_mean_ns, 17500000);
    assert_true(all->rate_per_s > 96.6999 && all->rate_per_s < 96.7001);
    assert_int_equal(all->secured_p50_ns, 84 * LS_NS_PER_MS);
    assert_int_equal(all->login_p50_ns, 118 * LS_NS_PER_MS);
    assert_int_equal(all->login_p100_ns, 604 * LS_NS_PER_MS);
    assert_int_equal(all->client_hello_bytes, 1779);
    assert_int_equal(all->server_flight_bytes, 3505);
    assert_true(one->rate_per_s > 0.9999 && one->rate_per_s < 1.0001);
    assert_int_equal(one->handshake_mean_ns, -1);
    assert_int_equal(one->client_hello_bytes, -1);
    assert_null(s->certificates[2].published.source);
    ls_scenario_free(s);
}

static void published_figures_that_say_nothing_are_refused(void **state)
{
    static const struct refusal rows[] = {
        {"{source: a paper}", 3, 43,
         "certificates.0.published: has no figure; give one, or take it out", "a name alone"},
        {"{rate: 5/s}", 3, 43,
         "certificates.0.published.source: is missing: who measured it, and with what",
         "nobody could look it up"},
        {"{source: a, handshake_mean: 0s}", 3, 71,
         "certificates.0.published.handshake_mean: 0s is out of range (1us to 1h)",
         "no gain can be worked out of nothing"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_errors errors = {0};
        char text[500];

        (void)snprintf(text, sizeof text,
                       "loginstorm: 1\nusers: 1\ncertificates: [{key: rsa-4096, published: %s}]\n",
                       rows[i].added);
        assert_null(parse(text, &errors));
        if (errors.count != 1 || errors.item[0].line != rows[i].line ||
            errors.item[0].column != rows[i].column ||
            strcmp(errors.item[0].text, rows[i].text) != 0) {
            fail_msg("%s\n  gives %zu: %d:%d: %s\n  (%s)", rows[i].added, errors.count,
                     errors.item[0].line, errors.item[0].column, errors.item[0].text, rows[i].why);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_are_typed_and_decide_what_follows_from_them),
        cmocka_unit_test(a_lone_loop_needs_no_list),
        cmocka_unit_test(an_open_scenario_is_none),
        cmocka_unit_test(what_agrees_with_the_loops_may_be_written),
        cmocka_unit_test(what_a_closed_loop_cannot_be_is_refused_at_its_place),
        cmocka_unit_test(changes_of_the_command_line_are_refused_by_their_name),
        cmocka_unit_test(a_change_of_a_loop_changes_the_users),
        cmocka_unit_test(loops_read_back_the_same),
        cmocka_unit_test(published_figures_are_typed),
        cmocka_unit_test(published_figures_that_say_nothing_are_refused),
    };

    return cmocka_run_group_tests_name("scenario/check_loop", tests, NULL, NULL);
}
