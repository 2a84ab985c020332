/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "help.h"

static void fields_that_contradict_each_other_are_refused(void **state)
{
    static const struct refusal rows[] = {
        {"arrivals: {share_in_middle_sixth: 40%, spread: 9m}\n", 4, 40,
         "arrivals.spread: share_in_middle_sixth says the same; take one of them out",
         "two widths"},
        {"arrivals: {shape: poisson, placement: even}\n", 4, 28,
         "arrivals.placement: a Poisson process is random; for even arrivals write shape: uniform",
         "a contradiction"},
        {"arrivals: {shape: ramp, from_rate: 0/s, to_rate: 0/s}\n", 4, 41,
         "arrivals.to_rate: both rates are 0, so nobody would come", "nobody"},
        {"arrivals: {shape: burst, at: 08:59:30, over: 60s}\n", 4, 40,
         "arrivals.over: the burst would end after the window; shorten it, or let it begin earlier",
         "half of it"},
        {"arrivals: [{share: 50%}, {share: 40%}]\n", 4, 11,
         "arrivals: the shares add up to 0.9 (90%), but must add up to 1 (100%)",
         "a tenth is nowhere"},
        {"arrivals: [{share: 50%}, {shape: uniform}]\n", 4, 26,
         "arrivals.1.share: is missing: each of several entries needs one", "which share?"},
        {"populations: [{name: a, share: 80%}, {name: b, share: 30%}]\n", 4, 14,
         "populations: the shares add up to 1.1 (110%), but must add up to 1 (100%)",
         "more than all"},
        {"populations: [{share: 0.5}]\n", 4, 14,
         "populations: the shares add up to 0.5 (50%), but must add up to 1 (100%)",
         "half are nowhere"},
        {"populations: [{name: a, share: 0.5}, {name: b, share: 0.500002}]\n", 4, 14,
         "populations: the shares add up to 1.000002 (100.0002%), but must add up to 1 (100%)",
         "beyond the tolerance"},
        {"populations: [{name: a, share: 50%}, {name: a, share: 50%}]\n", 4, 39,
         "populations.1.name: \"a\" is taken by an entry before; give each its own",
         "two of a name"},
        {"events: [{at: 08:30}]\n", 4, 11,
         "events.0: says nothing that happens; give gateway_down: 1 or reconnect: 100%",
         "nothing happens"},
        {"events: [{at: 08:30, gateway_down: 1, for: 5m, reconnect: 100%}]\n", 4, 48,
         "events.0.reconnect: belongs to an event of its own, not to gateway_down", "two events"},
        {"farm: {gateways: 2}\nevents: [{at: 08:30, gateway_down: 3, for: 5m}]\n", 5, 22,
         "events.0.gateway_down: is more than the farm has", "three of two"},
        {"arrivals: {shape: recorded, curve: c, scale: 2}\n", 4, 39,
         "arrivals.scale: `users` says how many log in; take one of them out", "two counts"},
        {"arrivals: [{shape: recorded, curve: c, scale: 2, share: 50%}, {share: 50%}]\n", 4, 40,
         "arrivals.0.scale: `users` says how many log in; take one of them out",
         "two counts, in a mix"},
        {"farm: {gateways: 2, spare: 2}\n", 4, 21,
         "farm.spare: leaves no gateway to log in to; it must be below gateways", "none left"},
    };

    (void)state;
    check_refusals(rows, sizeof rows / sizeof rows[0]);
}

static void shares_may_miss_one_by_a_millionth(void **state)
{
    struct ls_scenario *s =
        parse_with("populations: [{name: a, share: 33.3333333%}, {name: b, share: "
                   "33.3333333%}, {name: c, share: 33.3333333%}]\n");

    (void)state;
    assert_int_equal(s->populations_count, 3);
    ls_scenario_free(s);
}

static void a_lone_entry_takes_everybody(void **state)
{
    struct ls_scenario *s =
        parse_with("populations: [{name: all}]\narrivals: [{shape: uniform}]\n");

    (void)state;
    assert_true(s->populations[0].share > 0.9999999 && s->populations[0].share < 1.0000001);
    assert_true(s->waves[0].share > 0.9999999 && s->waves[0].share < 1.0000001);
    ls_scenario_free(s);
}

/* The standard deviation for an hour, from tables of the normal distribution. */
static void the_middle_sixth_gives_the_bell_its_width(void **state)
{
    static const struct {
        const char *share;
        int64_t spread_ms;
        const char *why;
    } rows[] = {
        {"40%", 572082, "5 min / 0.524401, about 9 min 32 s"},
        {"68.2689492137086%", 300000, "one standard deviation is 5 min"},
        {"95.4499736103642%", 150000, "two are"},
        {"99%", 116468, "5 min / 2.575829"},
        {"1%", 23935910, "5 min / 0.01253347"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[80];
        struct ls_scenario *s;

        (void)snprintf(text, sizeof text, "arrivals: {share_in_middle_sixth: %s}\n", rows[i].share);
        s = parse_with(text);
        if (llabs((s->waves[0].spread_ns + 500000) / 1000000 - rows[i].spread_ms) >
            rows[i].spread_ms / 100000) {
            fail_msg("%s gives %lld ns (%s)", rows[i].share, (long long)s->waves[0].spread_ns,
                     rows[i].why);
        }
        ls_scenario_free(s);
    }
}

static void a_spread_is_taken_as_given(void **state)
{
    struct ls_scenario *s = parse_with("arrivals: {spread: 9m32s}\n");

    (void)state;
    assert_true(s->waves[0].spread_ns == 572000000000);
    assert_false(s->waves[0].share_in_middle_sixth > 0);
    ls_scenario_free(s);
}

static void a_seed_left_out_is_drawn_anew(void **state)
{
    struct ls_scenario *one = parse_with("");
    struct ls_scenario *two = parse_with("");

    (void)state;
    assert_true(one->seed_drawn && two->seed_drawn);
    assert_true(one->seed != two->seed);
    assert_true(one->seed < UINT64_C(1) << 53);
    ls_scenario_free(one);
    ls_scenario_free(two);
}

static void a_name_left_out_is_the_files(void **state)
{
    static const char *const rows[][2] = {{"scenarios/morning-peak.yaml", "morning-peak"},
                                          {"stdin", "stdin"},
                                          {"a.b/c.d.yaml", "c.d"},
                                          {".hidden", ".hidden"},
                                          {"folder/", "scenario"}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_scenario *s = NULL;
        struct ls_errors errors = {0};

        assert_int_equal(ls_scenario_parse(&s, rows[i][0], LEAST, strlen(LEAST), NULL, 0, &errors),
                         LS_OK);
        assert_string_equal(s->name, rows[i][1]);
        ls_scenario_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_that_contradict_each_other_are_refused),
        cmocka_unit_test(shares_may_miss_one_by_a_millionth),
        cmocka_unit_test(a_lone_entry_takes_everybody),
        cmocka_unit_test(the_middle_sixth_gives_the_bell_its_width),
        cmocka_unit_test(a_spread_is_taken_as_given),
        cmocka_unit_test(a_seed_left_out_is_drawn_anew),
        cmocka_unit_test(a_name_left_out_is_the_files),
    };

    return cmocka_run_group_tests_name("scenario/check", tests, NULL, NULL);
}
