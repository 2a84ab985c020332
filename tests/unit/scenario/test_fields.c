/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "help.h"

#include "loginstorm/file.h"
#include "loginstorm/units.h"

static bool near(double a, double b)
{
    return a > b - 1e-12 && a < b + 1e-12;
}

static struct ls_scenario *load_every_key(void)
{
    struct ls_scenario *s = NULL;
    struct ls_errors errors = {0};

    if (ls_scenario_load(&s, LS_SOURCE_DIR "/tests/data/every-key.yaml", NULL, 0, &errors) !=
        LS_OK) {
        fail_msg("%d: %s", errors.item[0].line, errors.item[0].text);
    }
    return s;
}

static void every_key_of_the_head_is_typed(void **state)
{
    struct ls_scenario *s = load_every_key();

    (void)state;
    assert_string_equal(s->name, "Monday morning, 6,000 users");
    assert_int_equal(s->users, 6000);
    assert_int_equal(s->seed, 20261130);
    assert_false(s->seed_drawn);
    assert_true(s->from_ns == 8 * LS_NS_PER_H);
    assert_true(s->window_ns == LS_NS_PER_H);
    assert_string_equal(s->timezone, "Europe/Paris");
    assert_true(near(s->speedup, 60));
    assert_int_equal(s->waves_count, 1);
    assert_int_equal(s->waves[0].shape, LS_SHAPE_NORMAL);
    assert_int_equal(s->waves[0].placement, LS_PLACEMENT_RANDOM);
    assert_true(near(s->waves[0].share, 1));
    assert_true(s->waves[0].middle_at_ns == 30 * LS_NS_PER_MIN);
    assert_true(near(s->waves[0].share_in_middle_sixth, 0.4));
    assert_true(s->waves[0].spread_ns / LS_NS_PER_MS == 572081);
    ls_scenario_free(s);
}

static void every_key_of_the_users_is_typed(void **state)
{
    struct ls_scenario *s = load_every_key();
    const struct ls_population *office = &s->populations[0];
    const struct ls_population *home = &s->populations[1];

    (void)state;
    assert_int_equal(s->populations_count, 2);
    assert_string_equal(office->name, "office");
    assert_true(near(office->share, 0.8) && near(home->share, 0.2));
    assert_int_equal(office->connections, 2);
    assert_int_equal(office->tls.min, LS_TLS_1_3);
    assert_string_equal(office->tls.groups[0], "X25519MLKEM768");
    assert_string_equal(office->tls.groups[2], "P-256");
    assert_null(office->tls.groups[3]);
    assert_string_equal(office->tls.key_shares[0], "X25519MLKEM768");
    assert_null(office->tls.key_shares[1]);
    assert_string_equal(office->tls.ciphers[0], "TLS_AES_256_GCM_SHA384");
    assert_null(office->tls.ciphers[1]);
    assert_true(near(office->tls.resume_share, 0));
    assert_string_equal(office->tls.server_name, "ras.example.lan");
    assert_int_equal(office->tls.verify, LS_VERIFY_CHAIN);
    assert_true(office->rtt_ns == LS_NS_PER_MS && office->jitter_ns == 0);
    assert_true(home->rtt_ns == 35 * LS_NS_PER_MS && home->jitter_ns == 10 * LS_NS_PER_MS);
    assert_int_equal(home->tls.min, LS_TLS_1_2);
    assert_int_equal(home->tls.max, LS_TLS_1_3);
    ls_scenario_free(s);
}

static void every_key_of_a_login_is_typed(void **state)
{
    struct ls_scenario *s = load_every_key();

    (void)state;
    assert_int_equal(s->login.send_bytes, 900);
    assert_int_equal(s->login.receive_bytes, 6000);
    assert_int_equal(s->login.hold, LS_HOLD_UNTIL_END);
    assert_true(s->login.connect_timeout_ns == 5 * LS_NS_PER_S);
    assert_true(s->login.handshake_timeout_ns == 10 * LS_NS_PER_S);
    assert_true(s->login.login_timeout_ns == 30 * LS_NS_PER_S);
    assert_int_equal(s->login.attempts, 3);
    assert_true(s->login.retry_wait_ns == 2 * LS_NS_PER_S);
    assert_true(near(s->login.retry_factor, 2));
    assert_int_equal(s->login.retry_jitter, LS_JITTER_FULL);
    assert_int_equal(s->login.close, LS_CLOSE_FIN);
    ls_scenario_free(s);
}

static void every_key_of_the_gateway_is_typed(void **state)
{
    struct ls_scenario *s = load_every_key();

    (void)state;
    assert_true(s->gateway.embedded);
    assert_int_equal(s->gateway.workers, 1);
    assert_int_equal(s->gateway.cores_count, 1);
    assert_int_equal(s->gateway.cores[0], 0);
    assert_int_equal(s->gateway.backlog, 4096);
    assert_false(s->gateway.tickets);
    assert_int_equal(s->gateway.cpu_from, LS_CPU_EMBEDDED);
    assert_int_equal(s->certificates_count, 3);
    assert_string_equal(s->certificates[0].name, "RSA 4096");
    assert_int_equal(s->certificates[0].key, LS_KEY_RSA_4096);
    assert_string_equal(s->certificates[0].published.source, "who, when, with what");
    assert_int_equal(s->certificates[0].published.server_flight_bytes, 3505);
    assert_int_equal(s->certificates[2].key, LS_KEY_ECDSA_P384);
    assert_int_equal(s->issuer.key, LS_KEY_RSA_2048);
    assert_int_equal(s->issuer.send, LS_SEND_LEAF);
    assert_int_equal(s->issuer.profile, LS_PROFILE_ADCS_WEBSERVER);
    ls_scenario_free(s);
}

static void every_key_of_the_farm_is_typed(void **state)
{
    struct ls_scenario *s = load_every_key();

    (void)state;
    assert_true(s->farm.given);
    assert_int_equal(s->farm.gateways, 2);
    assert_int_equal(s->farm.cores, 2);
    assert_true(near(s->farm.cpu_factor, 0.6));
    assert_int_equal(s->farm.balancing, LS_LEAST_CONNECTIONS);
    assert_int_equal(s->farm.backlog, 511);
    assert_int_equal(s->farm.cost_kind, LS_COST_PROFILE);
    assert_string_equal(s->farm.costs, "costs.json");
    assert_int_equal(s->farm.login_cpu_ns, 0);
    assert_false(s->farm.drops_closed);
    assert_false(s->farm.classic_syn_retries);
    assert_int_equal(s->farm.capacity_logins, 0);
    assert_int_equal(s->farm.spare, 1);
    ls_scenario_free(s);
}

static void every_event_and_target_is_typed(void **state)
{
    struct ls_scenario *s = load_every_key();

    (void)state;
    assert_int_equal(s->events_count, 2);
    assert_int_equal(s->events[0].kind, LS_EVENT_GATEWAY_DOWN);
    assert_true(s->events[0].at_ns == 30 * LS_NS_PER_MIN);
    assert_int_equal(s->events[0].gateways, 1);
    assert_true(s->events[0].duration_ns == 5 * LS_NS_PER_MIN);
    assert_int_equal(s->events[1].kind, LS_EVENT_RECONNECT);
    assert_true(near(s->events[1].share, 1));
    assert_true(s->events[1].duration_ns == 30 * LS_NS_PER_S);
    assert_true(s->targets.login_p50_ns < 0 && s->targets.login_p95_ns < 0);
    assert_true(s->targets.login_p99_ns == LS_NS_PER_S);
    assert_true(s->targets.login_p100_ns == 5 * LS_NS_PER_S);
    assert_true(near(s->targets.failed_share, 0.001));
    assert_true(near(s->targets.gateway_cpu_peak_share, 0.7));
    ls_scenario_free(s);
}

static const char defaults[] = "loginstorm: 1\n"
                               "name: monday\n"
                               "users: 100\n"
                               "seed: 1\n"
                               "window:\n"
                               "  from: 08:00\n"
                               "  to: 09:00\n"
                               "arrivals:\n"
                               "  shape: normal\n"
                               "  share: 100%\n"
                               "  middle: 08:30\n"
                               "  share_in_middle_sixth: 40%\n"
                               "  placement: random\n"
                               "populations:\n"
                               "  - name: users\n"
                               "    share: 100%\n"
                               "    connections: 1\n"
                               "    tls:\n"
                               "      versions: [1.3]\n"
                               "      groups: [X25519, P-256]\n"
                               "      key_shares: [X25519]\n"
                               "      ciphers: [TLS_AES_256_GCM_SHA384, TLS_AES_128_GCM_SHA256]\n"
                               "      resume: 0%\n"
                               "      server_name: gateway.loginstorm.test\n"
                               "      verify: chain\n"
                               "    network:\n"
                               "      rtt: 0s\n"
                               "      jitter: 0s\n"
                               "login:\n"
                               "  request:\n"
                               "    send: 0B\n"
                               "    receive: 0B\n"
                               "    path: /\n"
                               "  hold: until_end\n"
                               "  timeouts:\n"
                               "    connect: 5s\n"
                               "    handshake: 10s\n"
                               "    login: 30s\n"
                               "  retry:\n"
                               "    attempts: 1\n"
                               "    wait: 2s\n"
                               "    factor: 2\n"
                               "    jitter: full\n"
                               "  close: fin\n"
                               "gateway:\n"
                               "  target: embedded\n"
                               "  workers: 1\n"
                               "  backlog: 4096\n"
                               "  tickets: no\n"
                               "  cpu: embedded\n"
                               "certificates:\n"
                               "  - name: ecdsa-p256\n"
                               "    key: ecdsa-p256\n"
                               "issuer:\n"
                               "  key: rsa-2048\n"
                               "  send: leaf\n"
                               "  profile: plain\n"
                               "pace:\n"
                               "  speedup: 1\n";

static void what_is_left_out_has_its_documented_default(void **state)
{
    struct ls_scenario *s = parse_with("seed: 1\n");
    char *text = written(s, false);

    (void)state;
    assert_string_equal(text, defaults);
    assert_false(s->farm.given);
    assert_int_equal(s->events_count, 0);
    assert_true(s->targets.login_p99_ns < 0 && s->targets.failed_share < 0);
    assert_null(s->timezone);
    free(text);
    ls_scenario_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key_of_the_head_is_typed),
        cmocka_unit_test(every_key_of_the_users_is_typed),
        cmocka_unit_test(every_key_of_a_login_is_typed),
        cmocka_unit_test(every_key_of_the_gateway_is_typed),
        cmocka_unit_test(every_key_of_the_farm_is_typed),
        cmocka_unit_test(every_event_and_target_is_typed),
        cmocka_unit_test(what_is_left_out_has_its_documented_default),
    };

    return cmocka_run_group_tests_name("scenario/fields", tests, NULL, NULL);
}
