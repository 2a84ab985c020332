/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "help.h"

static const struct refusal forms[] = {
    {"window: {timezone: Europe/Pariss}\n", 4, 20,
     "window.timezone: unknown timezone \"Europe/Pariss\", did you mean Europe/Paris?", "misspelt"},
    {"window: {timezone: CEST}\n", 4, 20,
     "window.timezone: unknown timezone \"CEST\": an abbreviation tells only half a year, or "
     "several places; write a place, like Europe/Paris",
     "half a year"},
    {"window: {timezone: ../../etc/passwd}\n", 4, 20,
     "window.timezone: unknown timezone \"../../etc/passwd\"; write an IANA name, like "
     "Europe/Paris or UTC",
     "not a way out of the folder"},
    {"window: {timezone: Europe}\n", 4, 20,
     "window.timezone: unknown timezone \"Europe\"; write an IANA name, like Europe/Paris or "
     "UTC",
     "a folder"},
    {"window: {timezone: /etc/passwd}\n", 4, 20,
     "window.timezone: unknown timezone \"/etc/passwd\"; write an IANA name, like Europe/Paris "
     "or UTC",
     "a path"},
    {"populations: [{connections: ras-gatway}]\n", 4, 29,
     "populations.0.connections: unknown word \"ras-gatway\", did you mean \"ras-gateway\"? "
     "(known: ras-gateway, ras-direct, ras-html5, horizon, citrix-ica, rdg, vpn)",
     "misspelt"},
    {"populations: [{connections: 0}]\n", 4, 29,
     "populations.0.connections: 0 is out of range (1 to 64)", "none at all"},
    {"populations: [{tls: {versions: 1.3}}]\n", 4, 32,
     "populations.0.tls.versions: wants a list: [1.3], [1.2] or [1.2, 1.3]", "no list"},
    {"populations: [{tls: {versions: [1.1]}}]\n", 4, 33,
     "populations.0.tls.versions: unknown word \"1.1\" (known: 1.2, 1.3)", "too old"},
    {"populations: [{tls: {versions: [1.3, 1.3]}}]\n", 4, 38,
     "populations.0.tls.versions: \"1.3\" stands in the list twice", "once is enough"},
    {"login: {hold: 5}\n", 4, 15,
     "login.hold: \"5\" is not a duration like 20m, until_end or none (at most 24h)", "five what?"},
    {"login: {hold: 48h}\n", 4, 15,
     "login.hold: \"48h\" is not a duration like 20m, until_end or none (at most 24h)",
     "longer than a day"},
    {"gateway: {target: gw1}\n", 4, 19,
     "gateway.target: \"gw1\" is neither embedded nor HOST:PORT, like 127.0.0.1:8443", "no port"},
    {"gateway: {target: \"gw1:70000\"}\n", 4, 19,
     "gateway.target: \"gw1:70000\" is neither embedded nor HOST:PORT, like 127.0.0.1:8443",
     "no such port"},
    {"gateway: {target: \"gw 1:443\"}\n", 4, 19,
     "gateway.target: \"gw 1:443\" is neither embedded nor HOST:PORT, like 127.0.0.1:8443",
     "no such name"},
    {"gateway: {target: \"[::g]:443\"}\n", 4, 19,
     "gateway.target: \"[::g]:443\" is neither embedded nor HOST:PORT, like 127.0.0.1:8443",
     "no such address"},
    {"gateway: {cores: 0}\n", 4, 18, "gateway.cores: wants a list of 1 to 256 cores, like [0]",
     "no list"},
    {"gateway: {workers: 2, cores: [1, 1]}\n", 4, 34,
     "gateway.cores: core 1 stands in the list twice", "two workers on one core"},
    {"gateway: {cores: [-1]}\n", 4, 19, "gateway.cores: -1 is out of range (0 to 1023)",
     "no such core"},
    {"gateway: {target: \"a:1\", cpu: {from: process}}\n", 4, 31,
     "gateway.cpu: wants the process: {from: process, pid: 1234} or {from: process, process: "
     "nginx}",
     "which one?"},
    {"gateway: {target: \"a:1\", cpu: {from: exporter}}\n", 4, 31,
     "gateway.cpu.url: is missing for from: exporter: of the exporter's metrics, like "
     "http://gw1:9100/metrics",
     "where?"},
    {"gateway: {target: \"a:1\", cpu: {from: cgroup}}\n", 4, 31,
     "gateway.cpu.path: is missing for from: cgroup: the gateway's cgroup (v2), like "
     "system.slice/nginx.service",
     "which one?"},
    {"gateway: {target: \"a:1\", cpu: magic}\n", 4, 31,
     "gateway.cpu: unknown word \"magic\" (known: none, embedded)", "no such source"},
    {"gateway: {target: \"a:1\", allow: {addresses: [gw1], authorised_by: me, until: "
     "2026-12-31}}\n",
     4, 46, "gateway.allow.addresses: \"gw1\" is not an IP address, like 192.0.2.10",
     "names can be moved"},
    {"gateway: {target: \"a:1\", allow: {addresses: [192.0.2.0/24], authorised_by: me, until: "
     "2026-12-31}}\n",
     4, 46,
     "gateway.allow.addresses: \"192.0.2.0/24\" is not an IP address, like 192.0.2.10 (a "
     "whole network is permitted to nobody)",
     "no such network"},
    {"gateway: {target: \"a:1\", allow: {addresses: [192.0.2.1], authorised_by: me, until: "
     "2026-02-30}}\n",
     4, 84, "gateway.allow.until: \"2026-02-30\" is not a date, like 2026-12-31", "no such day"},
    {"arrivals: {shape: points, points: [[08:00, 1/s]]}\n", 4, 35,
     "arrivals.points: wants a list of 2 to 5000 points, like [[08:00, 20/min], [09:00, "
     "5/min]]",
     "one point is no line"},
    {"arrivals: {shape: points, points: 5}\n", 4, 35,
     "arrivals.points: wants a list of 2 to 5000 points, like [[08:00, 20/min], [09:00, "
     "5/min]]",
     "no list"},
    {"arrivals: {shape: points, points: [[08:00, 1/s], [08:30]]}\n", 4, 50,
     "arrivals.points.1: wants a time and a rate, like [08:25, 250/min]", "no rate"},
    {"arrivals: {shape: points, points: [[08:30, 1/s], [08:20, 2/s]]}\n", 4, 50,
     "arrivals.points.1: 08:20 does not come after the point before it", "backwards"},
    {"arrivals: {shape: points, points: [[08:30, 1/s], [08:30, 2/s]]}\n", 4, 50,
     "arrivals.points.1: 08:30 does not come after the point before it", "at once"},
    {"arrivals: {shape: points, points: [[08:30, 1/s], [09:30, 2/s]]}\n", 4, 51,
     "arrivals.points.1: 09:30 is outside the window 08:00-09:00", "too late"},
    {"arrivals: {shape: points, points: [[08:00, 0/s], [09:00, 0/s]]}\n", 4, 27,
     "arrivals.points: all rates are 0, so nobody would come", "nobody"},
    {"arrivals: {shape: recorded, curve: c, day: 23.11.2026}\n", 4, 44,
     "arrivals.day: \"23.11.2026\" is not a date, like 2026-12-31, nor worst or average",
     "another order"},
    {"farm: {capacity: 700}\n", 4, 18,
     "farm.capacity: \"700\" is not a count in a time, like 700 in 10m", "in what time?"},
    {"farm: {capacity: 0 in 10m}\n", 4, 18,
     "farm.capacity: \"0 in 10m\" is not a count in a time, like 700 in 10m", "nobody"},
    {"farm: {capacity: 700 in 0s}\n", 4, 18,
     "farm.capacity: \"700 in 0s\" is not a count in a time, like 700 in 10m", "at once"},
};

static void forms_of_their_own_are_explained(void **state)
{
    (void)state;
    check_refusals(forms, sizeof forms / sizeof forms[0]);
}

static void presets_give_their_connections(void **state)
{
    static const struct {
        const char *word;
        int connections;
    } rows[] = {{"ras-gateway", 2}, {"ras-direct", 1}, {"ras-html5", 4}, {"horizon", 3},
                {"citrix-ica", 3},  {"rdg", 2},        {"vpn", 1},       {"7", 7}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[80];
        struct ls_scenario *s;

        (void)snprintf(text, sizeof text, "populations: [{connections: %s}]\n", rows[i].word);
        s = parse_with(text);
        assert_int_equal(s->populations[0].connections, rows[i].connections);
        ls_scenario_free(s);
    }
}

static void versions_become_a_range(void **state)
{
    static const struct {
        const char *text;
        enum ls_tls_version min, max;
    } rows[] = {{"[1.2]", LS_TLS_1_2, LS_TLS_1_2},
                {"[1.3]", LS_TLS_1_3, LS_TLS_1_3},
                {"[1.3, 1.2]", LS_TLS_1_2, LS_TLS_1_3},
                {"[\"1.2\", \"1.3\"]", LS_TLS_1_2, LS_TLS_1_3}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[80];
        struct ls_scenario *s;

        (void)snprintf(text, sizeof text, "populations: [{tls: {versions: %s}}]\n", rows[i].text);
        s = parse_with(text);
        assert_int_equal(s->populations[0].tls.min, rows[i].min);
        assert_int_equal(s->populations[0].tls.max, rows[i].max);
        ls_scenario_free(s);
    }
}

static void an_outside_gateway_is_typed(void **state)
{
    struct ls_scenario *s = parse_with(
        "gateway:\n"
        "  target: \"[2001:db8::1]:443\"\n"
        "  allow: {addresses: [192.0.2.10, 2001:db8::1], authorised_by: \"J. Doe\", until: "
        "2026-12-31, max_connections_per_s: 200}\n"
        "  cpu: {from: exporter, url: \"http://gw1:9182/metrics\", process: RASGateway}\n");

    (void)state;
    assert_string_equal(s->gateway.allow_addresses[0], "192.0.2.10");
    assert_string_equal(s->gateway.allow_addresses[1], "2001:db8::1");
    assert_null(s->gateway.allow_addresses[2]);
    assert_string_equal(s->gateway.authorised_by, "J. Doe");
    assert_string_equal(s->gateway.until, "2026-12-31");
    assert_int_equal(s->gateway.max_connections_per_s, 200);
    assert_int_equal(s->gateway.cpu_from, LS_CPU_EXPORTER);
    assert_string_equal(s->gateway.cpu_url, "http://gw1:9182/metrics");
    assert_string_equal(s->gateway.cpu_process, "RASGateway");
    ls_scenario_free(s);
}

static void points_are_offsets_and_rates(void **state)
{
    struct ls_scenario *s = parse_with("arrivals:\n  shape: points\n  points: [[08:00, 20/min], "
                                       "[08:25, 5/s], [09:00, 0/h]]\n");
    const struct ls_wave *wave = &s->waves[0];

    (void)state;
    assert_int_equal(wave->points_count, 3);
    assert_true(wave->points[0].at_ns == 0 && wave->points[1].at_ns == 1500000000000);
    assert_true(wave->points[2].at_ns == s->window_ns);
    assert_true(wave->points[1].per_s > 4.999 && wave->points[1].per_s < 5.001);
    ls_scenario_free(s);
}

static void a_whole_days_last_point_is_its_end(void **state)
{
    struct ls_scenario *s = parse_with("window: {from: 06:00, to: 06:00}\narrivals:\n  shape: "
                                       "points\n  points: [[06:00, 1/s], [06:00, 2/s]]\n");

    (void)state;
    assert_true(s->window_ns == 86400000000000);
    assert_true(s->waves[0].points[0].at_ns == 0);
    assert_true(s->waves[0].points[1].at_ns == s->window_ns);
    ls_scenario_free(s);
}

static void holds_have_three_forms(void **state)
{
    struct ls_scenario *none = parse_with("login: {hold: none}\n");
    struct ls_scenario *timed = parse_with("login: {hold: 20m}\n");

    (void)state;
    assert_int_equal(none->login.hold, LS_HOLD_NONE);
    assert_int_equal(timed->login.hold, LS_HOLD_DURATION);
    assert_true(timed->login.hold_ns == 1200000000000);
    ls_scenario_free(none);
    ls_scenario_free(timed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forms_of_their_own_are_explained),
        cmocka_unit_test(presets_give_their_connections),
        cmocka_unit_test(versions_become_a_range),
        cmocka_unit_test(an_outside_gateway_is_typed),
        cmocka_unit_test(points_are_offsets_and_rates),
        cmocka_unit_test(a_whole_days_last_point_is_its_end),
        cmocka_unit_test(holds_have_three_forms),
    };

    return cmocka_run_group_tests_name("scenario/read_special", tests, NULL, NULL);
}
