/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "help.h"

#include "loginstorm/file.h"

/* Written, read and written again: not a byte may differ, with notes or without. */
static void check_round_trip(const struct ls_scenario *first, const char *what)
{
    char *once = written(first, false);
    char *noted = written(first, true);
    struct ls_scenario *again = parse_good(once);
    struct ls_scenario *from_noted = parse_good(noted);
    char *twice = written(again, false);
    char *thrice = written(from_noted, false);
    struct ls_login_wish login;

    if (strcmp(once, twice) != 0 || strcmp(once, thrice) != 0) {
        fail_msg("%s\nfirst:\n%s\nagain:\n%s", what, once, twice);
    }
    assert_true(again->seed == first->seed);
    assert_true(again->from_ns == first->from_ns && again->window_ns == first->window_ns);
    for (size_t i = 0; i < first->waves_count; i++) {
        struct ls_wave wave = again->waves[i];

        wave.points = first->waves[i].points;
        wave.curve = first->waves[i].curve;
        wave.day = first->waves[i].day;
        assert_memory_equal(&wave, &first->waves[i], sizeof wave);
        if (wave.points_count > 0) {
            assert_memory_equal(again->waves[i].points, wave.points,
                                wave.points_count * sizeof *wave.points);
        }
    }
    login = again->login;
    assert_string_equal(login.path, first->login.path);
    login.path = first->login.path;
    assert_memory_equal(&login, &first->login, sizeof login);
    assert_memory_equal(&again->targets, &first->targets, sizeof again->targets);
    ls_scenario_free(again);
    ls_scenario_free(from_noted);
    free(once);
    free(noted);
    free(twice);
    free(thrice);
}

static void what_is_written_reads_back_the_same(void **state)
{
    static const char *const rows[] = {
        "",
        "name: \"with \\\"quotes\\\", a \\\\ and é: # no comment\"\n",
        "name: \"null\"\n",
        "name: \"- no\"\n",
        "name: \" blanks \"\n",
        "name: 'yes'\n",
        "seed: 9223372036854775807\n",
        "window: {from: 22:30, to: 02:15:30.5, timezone: Europe/Paris}\n",
        ("window: {from: 00:00, to: 24:00}\narrivals: {shape: points, points: [[0:00, 1/s], "
         "[24:00, 2/s]]}\n"),
        ("window: {from: 08:00, to: 08:00}\narrivals: {shape: points, points: [[8:00, 1/s], "
         "[8:00, 0.7/h]]}\n"),
        "window: {from: 08:00, to: 08:00:00.000000003}\n",
        "arrivals: {share_in_middle_sixth: 0.123456789012345678, middle: 08:00}\n",
        "arrivals: {spread: 9m32s}\n",
        "arrivals: {shape: ramp, from_rate: 0/s, to_rate: 33.333333333333336/min}\n",
        "arrivals: {shape: burst, at: 08:00, over: 0}\n",
        "arrivals: {shape: recorded, curve: a b.csv, day: 2026-11-23}\n",
        ("arrivals:\n  - {shape: normal, share: 90%}\n  - {shape: burst, at: 08:30, over: 60s, "
         "share: 10%}\n  - {shape: uniform, share: 0, placement: even}\n"),
        "populations: [{tls: {versions: [1.2]}}]\n",
        "populations: [{name: a, share: 33.3%}, {name: b, share: 66.7%, connections: horizon}]\n",
        "login: {hold: none, close: reset, request: {send: 1B, receive: 6KiB}}\n",
        "login: {hold: 1h1ms}\n",
        "gateway: {workers: 3, cores: [3, 1, 2], tickets: yes}\n",
        "gateway: {target: \"h:1\", cpu: {from: process, pid: 12}}\n",
        "gateway: {target: \"h:1\", cpu: {from: process, process: \"a, b}\"}}\n",
        "gateway: {target: \"h:1\", cpu: {from: exporter, url: \"http://h/#x\"}}\n",
        "gateway: {target: \"h:1\", cpu: {from: cgroup, path: system.slice/a b}}\n",
        ("gateway: {target: \"[::1]:1\", allow: {addresses: [\"::1\", 10.0.0.8], authorised_by: "
         "\"J. Doe, change 4711\", until: 2026-12-31}}\n"),
        "farm: {}\n",
        "farm: {cpu: {openssl_speed: speed.txt}, capacity: 700 in 10m}\n",
        "farm: {costs: {lognormal: {mean: 17.5ms, scv: 0.1}}, syn_retries: classic}\n",
        "farm: {costs: {fixed: 1ns}, drops_closed: yes}\n",
        "farm: {costs: {exponential: 1h}}\n",
        "farm: {costs: \"a: b.json\"}\n",
        "events: [{at: 09:00, reconnect: 33%}, {at: 08:00, gateway_down: 2, for: 5m}]\n",
        "targets: {login_p50: 0, failed: 0}\n",
        "targets: {}\n",
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_scenario *s = parse_with(rows[i]);

        check_round_trip(s, rows[i]);
        ls_scenario_free(s);
    }
}

static void every_key_reads_back_the_same(void **state)
{
    struct ls_scenario *s = NULL;
    struct ls_errors errors = {0};

    (void)state;
    assert_int_equal(
        ls_scenario_load(&s, LS_SOURCE_DIR "/tests/data/every-key.yaml", NULL, 0, &errors), LS_OK);
    check_round_trip(s, "every-key.yaml");
    ls_scenario_free(s);
}

static void notes_stand_behind_each_key(void **state)
{
    struct ls_scenario *s = parse_with("");
    char *text = written(s, true);

    (void)state;
    assert_non_null(strstr(text, "users: 100                                  # how many users "
                                 "log in\n"));
    assert_non_null(strstr(text, "    connect: 5s                             # for the TCP "
                                 "connection\n"));
    free(text);
    ls_scenario_free(s);
}

static void a_stream_that_fails_is_told(void **state)
{
    struct ls_scenario *s = parse_with("");
    struct ls_error err = {0};
    FILE *full = fopen("/dev/full", "w");

    (void)state;
    assert_non_null(full);
    assert_int_equal(ls_scenario_write(s, true, full, &err), LS_EWRITE);
    assert_string_equal(err.text, "the scenario cannot be written: No space left on device");
    (void)fclose(full);
    ls_scenario_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_reads_back_the_same),
        cmocka_unit_test(every_key_reads_back_the_same),
        cmocka_unit_test(notes_stand_behind_each_key),
        cmocka_unit_test(a_stream_that_fails_is_told),
    };

    return cmocka_run_group_tests_name("scenario/write", tests, NULL, NULL);
}
