/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit/engine/stage.h"

static struct ls_identity *stranger;

static int set_up(void **state)
{
    const int status = rig_set_up(state);

    stranger = status == 0 ? rig_identity() : NULL;
    return status;
}

static int tear_down(void **state)
{
    ls_identity_free(stranger);
    return rig_tear_down(state);
}

static void every_user_logs_in_by_every_connection(void **state)
{
    static const struct {
        int users, connections;
        const char *login;
        bool asks;
        bool stays; /* sessions are open when all is decided */
        const char *reason;
    } rows[] = {
        {200, 1, "{hold: none}", false, false, "handshake only"},
        {50, 3, "{hold: none}", false, false, "three connections each"},
        {50, 3, "{hold: none, close: reset}", false, false, "the same, closed by resets"},
        {50, 1, "{hold: none, request: {send: 900B, receive: 6kB}}", true, false, "a request"},
        {50, 3, "{hold: none, request: {send: 200B, receive: 40kB}}", true, false,
         "an answer of several records, three times"},
        {50, 2, "{hold: none, request: {send: 200B, receive: 0B}}", true, false,
         "any answer will do"},
        {50, 2, "{hold: 50ms, request: {send: 900B, receive: 6kB}}", true, true, "held a while"},
        {50, 2, "{hold: until_end, request: {send: 900B, receive: 6kB}}", true, true,
         "held until the end"},
        {50, 2, "{hold: until_end, close: reset}", false, true, "held, then reset"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const int64_t connections = rows[i].users * rows[i].connections;
        const struct stage_wish wish = {.users = rows[i].users,
                                        .connections = rows[i].connections,
                                        .login = rows[i].login,
                                        .step_ns = 100 * LS_NS_PER_US};
        struct stage stage;

        print_message("%s\n", rows[i].reason);
        stage_play(&stage, identity, &wish);
        assert_int_equal(stage.decided, 1);
        assert_int_equal(stage.facts.logged_in, rows[i].users);
        assert_int_equal(stage.facts.started, rows[i].users);
        assert_int_equal(stage.facts.sessions_lost, 0);
        assert_int_equal(stage_handshakes(&stage, LS_OUTCOME_LOGGED_IN), connections);
        assert_int_equal(stage.counts.accepted, connections);
        assert_int_equal(stage.counts.server_flights, connections);
        assert_int_equal(stage.counts.secured, connections);
        assert_int_equal(stage.counts.failed, 0);
        assert_int_equal(stage.counts.requests, rows[i].asks ? connections : 0);
        if (rows[i].stays && strstr(rows[i].login, "until_end") != NULL) {
            assert_int_equal(stage.at_decided.open, connections);
        }
        stage_end(&stage);
    }
}

static void a_handshake_s_row_says_what_it_was(void **state)
{
    const struct stage_wish wish = {
        .users = 10, .connections = 2, .login = "{hold: none}", .step_ns = LS_NS_PER_MS};
    struct stage stage;
    const struct ls_handshake *rows;
    size_t count;
    int seen[10][2] = {{0}};

    (void)state;
    stage_play(&stage, identity, &wish);
    rows = ls_record_handshakes(stage.record, &count);
    assert_int_equal(count, 20);
    for (size_t i = 0; i < count; i++) {
        assert_in_range(rows[i].user, 0, 9);
        assert_in_range(rows[i].connection, 0, 1);
        seen[rows[i].user][rows[i].connection]++;
        assert_int_equal(rows[i].attempt, 1);
        assert_int_equal(rows[i].outcome, LS_OUTCOME_LOGGED_IN);
        assert_int_equal(rows[i].reason, LS_REASON_NONE);
        assert_true(rows[i].started_ns <= rows[i].connected_ns);
        assert_true(rows[i].connected_ns <= rows[i].ended_ns);
        assert_true(rows[i].client_hello_bytes > 100);
        /* The Client Hello and the Finished. */
        assert_true(rows[i].sent_bytes > rows[i].client_hello_bytes);
        assert_true(rows[i].received_bytes > 500);
        assert_int_equal(rows[i].server_flight_bytes, rows[i].received_bytes);
        assert_int_equal(rows[i].retransmits, 0);
        assert_int_equal(rows[i].tls13, 1);
        assert_int_equal(rows[i].resumed, 0);
        assert_int_equal(rows[i].hello_retry, 0);
        assert_int_equal(rows[i].client_hello_bytes, rows[0].client_hello_bytes);
    }
    for (int user = 0; user < 10; user++) {
        assert_int_equal(seen[user][0], 1);
        assert_int_equal(seen[user][1], 1);
    }
    stage_end(&stage);
}

/* What a ticket weighs is known to who stayed for it; who left at once does not say that there was none. */
static void tickets_are_counted_apart_from_the_flight(void **state)
{
    static const struct {
        const char *login, *tls;
        bool tickets;
        int least, most; /* rows of ten that know */
        const char *reason;
    } rows[] = {
        {"{hold: none, request: {send: 200B, receive: 6kB}}", NULL, true, 10, 10,
         "they come before the answer"},
        {"{hold: none, request: {send: 200B, receive: 6kB}}", NULL, false, 10, 10,
         "and an answer without one says so"},
        {"{hold: none}", NULL, true, 5, 5, "the last connection is left at once"},
        {"{hold: none}", NULL, false, 0, 0, "nothing came: who can tell"},
        {"{hold: none}", "{server_name: " NAME ", versions: [1.2]}", false, 10, 10,
         "TLS 1.2: they would be in the handshake"},
    };
    uint32_t flight = 0;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct stage_wish wish = {.users = 5,
                                        .connections = 2,
                                        .login = rows[i].login,
                                        .tls = rows[i].tls,
                                        .tickets = rows[i].tickets};
        const struct ls_handshake *handshakes;
        struct stage stage;
        size_t count;
        int known = 0;

        print_message("%s\n", rows[i].reason);
        stage_play(&stage, identity, &wish);
        handshakes = ls_record_handshakes(stage.record, &count);
        assert_int_equal(count, 10);
        for (size_t n = 0; n < count; n++) {
            const struct ls_handshake *row = &handshakes[n];

            known += row->ticket_bytes >= 0;
            if (row->ticket_bytes >= 0) {
                assert_int_equal(row->ticket_bytes > 0, rows[i].tickets);
            }
            assert_int_equal(row->received_bytes,
                             (int64_t)row->server_flight_bytes +
                                 (row->ticket_bytes > 0 ? row->ticket_bytes : 0));
            if (flight == 0) {
                flight = row->server_flight_bytes;
            }
            /* ECDSA signatures are 70 to 72 bytes, one a handshake. */
            assert_in_range(row->server_flight_bytes, row->tls13 ? flight - 3 : 500,
                            row->tls13 ? flight + 3 : 1500);
        }
        assert_in_range(known, rows[i].least, rows[i].most);
        stage_end(&stage);
    }
}

static void tls_settings_of_a_population_are_those_on_the_wire(void **state)
{
    static const struct {
        const char *tls;
        int tls13, hello_retry;
        const char *reason;
    } rows[] = {
        {"{server_name: " NAME ", versions: [1.2]}", 0, 0, "TLS 1.2"},
        {"{server_name: " NAME ", versions: [1.2, 1.3]}", 1, 0, "both"},
        {"{server_name: " NAME ", verify: leaf}", 1, 0, "the leaf alone"},
        {"{server_name: " NAME ", groups: [X25519MLKEM768, X25519]}", 1, 0, "a hybrid group"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct stage_wish wish = {.users = 3,
                                        .tls = rows[i].tls,
                                        .login = "{hold: none, request: {send: 900B, receive: "
                                                 "6kB}}"};
        const struct ls_handshake *handshakes;
        struct stage stage;
        size_t count;

        print_message("%s\n", rows[i].reason);
        stage_play(&stage, identity, &wish);
        assert_int_equal(stage.facts.logged_in, 3);
        handshakes = ls_record_handshakes(stage.record, &count);
        assert_int_equal(count, 3);
        for (size_t n = 0; n < count; n++) {
            assert_int_equal(handshakes[n].tls13, rows[i].tls13);
            assert_int_equal(handshakes[n].hello_retry, rows[i].hello_retry);
        }
        stage_end(&stage);
    }
}

/* Whom nobody serves: each fails by what was done to it, as often as it tried. */
static void check_failures(struct stage *stage, enum ls_reason reason, int attempts)
{
    size_t count;
    const struct ls_login *logins = ls_record_logins(stage->record, &count);
    const struct ls_handshake *handshakes;

    assert_int_equal(stage->decided, 1);
    assert_int_equal(stage->facts.failed, (int64_t)count);
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(ls_reason_word((enum ls_reason)logins[i].reason),
                            ls_reason_word(reason));
        assert_int_equal(logins[i].attempts, attempts);
    }
    handshakes = ls_record_handshakes(stage->record, &count);
    assert_int_equal(count, stage->wish.users * attempts);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(handshakes[i].outcome, LS_OUTCOME_FAILED);
        assert_string_equal(ls_reason_word((enum ls_reason)handshakes[i].reason),
                            ls_reason_word(reason));
    }
}

#define RETRIES "retry: {attempts: 3, wait: 2ms, factor: 2, jitter: none}"

static void a_refused_connection_is_tried_again(void **state)
{
    struct sockaddr_in target;
    const struct stage_wish wish = {
        .users = 20, .login = "{" RETRIES "}", .target = (const struct sockaddr *)&target};
    uv_loop_t loop;
    uv_tcp_t listener;
    struct stage stage;
    size_t count;
    const struct ls_login *logins;

    (void)state;
    /* A port that was just let go of: nobody listens there. */
    assert_int_equal(uv_loop_init(&loop), 0);
    rig_listen(&loop, &listener, &target, NULL, NULL);
    uv_close((uv_handle_t *)&listener, NULL);
    (void)uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&loop), 0);
    stage_play(&stage, identity, &wish);
    check_failures(&stage, LS_REASON_CONNECT_REFUSED, 3);
    logins = ls_record_logins(stage.record, &count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(logins[i].connected_ns, LS_NEVER_NS);
        assert_int_equal(logins[i].secured_ns, LS_NEVER_NS);
    }
    stage_end(&stage);
}

static void retries_wait_longer_each_time(void **state)
{
    static struct peer peer;
    const struct stage_wish wish = {
        .users = 5,
        .login = "{retry: {attempts: 4, wait: 4ms, factor: 2, jitter: none}}",
        .peer = &peer};
    struct stage stage;
    const struct ls_handshake *rows;
    size_t count;
    int64_t started_ns[5][4], ended_ns[5][4];

    (void)state;
    peer = (struct peer){.way = PEER_CLOSES};
    stage_play(&stage, identity, &wish);
    check_failures(&stage, LS_REASON_HANDSHAKE_CLOSED, 4);
    rows = ls_record_handshakes(stage.record, &count);
    for (size_t i = 0; i < count; i++) {
        assert_in_range(rows[i].attempt, 1, 4);
        started_ns[rows[i].user][rows[i].attempt - 1] = rows[i].started_ns;
        ended_ns[rows[i].user][rows[i].attempt - 1] = rows[i].ended_ns;
    }
    for (int user = 0; user < 5; user++) {
        for (int n = 1; n < 4; n++) {
            /* 4, 8, 16 ms, never earlier. */
            assert_true(started_ns[user][n] - ended_ns[user][n - 1] >=
                        (INT64_C(2) << n) * LS_NS_PER_MS);
        }
    }
    stage_end(&stage);
}

static void what_a_gateway_does_wrong_has_its_name(void **state)
{
    static const struct {
        enum peer_way way;
        const char *login;
        enum ls_reason reason;
        const char *why;
    } rows[] = {
        {PEER_SILENT, "{timeouts: {handshake: 20ms}, " RETRIES "}", LS_REASON_HANDSHAKE_TIMEOUT,
         "listens and says nothing"},
        {PEER_SHUTS, "{" RETRIES "}", LS_REASON_HANDSHAKE_CLOSED, "closes at once"},
        {PEER_CLOSES, "{" RETRIES "}", LS_REASON_HANDSHAKE_CLOSED, "closes on the Client Hello"},
        {PEER_RESETS, "{" RETRIES "}", LS_REASON_HANDSHAKE_RESET, "resets"},
        {PEER_GARBAGE, "{" RETRIES "}", LS_REASON_HANDSHAKE_PROTOCOL, "speaks something else"},
        {PEER_HTTP, "{" RETRIES "}", LS_REASON_HANDSHAKE_PROTOCOL, "plain HTTP"},
        {PEER_ALERT, "{" RETRIES "}", LS_REASON_HANDSHAKE_ALERT, "a fatal alert"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        static struct peer peer;
        const struct stage_wish wish = {.users = 10, .login = rows[i].login, .peer = &peer};
        struct stage stage;

        print_message("%s\n", rows[i].why);
        peer = (struct peer){.way = rows[i].way};
        stage_play(&stage, identity, &wish);
        check_failures(&stage, rows[i].reason, 3);
        assert_int_equal(peer.accepted, 30);
        stage_end(&stage);
    }
}

static void a_login_is_over_when_its_own_time_is(void **state)
{
    static struct peer peer;
    const struct stage_wish wish = {
        .users = 10,
        .login = "{timeouts: {connect: 5s, handshake: 5s, login: 30ms}, " RETRIES "}",
        .peer = &peer};
    struct stage stage;

    (void)state;
    peer = (struct peer){.way = PEER_SILENT};
    stage_play(&stage, identity, &wish);
    check_failures(&stage, LS_REASON_LOGIN_TIMEOUT, 1);
    stage_end(&stage);
}

static void no_try_begins_that_the_login_s_time_does_not_reach(void **state)
{
    static struct peer peer;
    const struct stage_wish wish = {
        .users = 10,
        .login = "{timeouts: {login: 2s}, retry: {attempts: 3, wait: 1h, jitter: none}}",
        .peer = &peer};
    struct stage stage;

    (void)state;
    peer = (struct peer){.way = PEER_CLOSES};
    stage_play(&stage, identity, &wish);
    check_failures(&stage, LS_REASON_HANDSHAKE_CLOSED, 1);
    stage_end(&stage);
}

static void a_certificate_of_another_issuer_is_rejected(void **state)
{
    const struct stage_wish wish = {
        .users = 10, .login = "{retry: {attempts: 1}}", .trusts = stranger};
    struct stage stage;

    (void)state;
    stage_play(&stage, identity, &wish);
    check_failures(&stage, LS_REASON_CERTIFICATE_REJECTED, 1);
    assert_int_equal(stage.counts.server_flights, 10);
    assert_int_equal(stage.counts.secured, 0);
    assert_int_equal(stage.counts.failed, 10);
    stage_end(&stage);
}

static void a_certificate_of_another_name_is_rejected(void **state)
{
    const struct stage_wish wish = {
        .users = 10, .login = "{retry: {attempts: 1}}", .tls = "{server_name: other.example.lan}"};
    struct stage stage;

    (void)state;
    stage_play(&stage, identity, &wish);
    check_failures(&stage, LS_REASON_CERTIFICATE_REJECTED, 1);
    stage_end(&stage);
}

/* A gateway that shakes hands and then goes, by a close or a reset, on a loop that the engine
 * shares. */
static void a_gateway_that_goes_after_the_handshake_fails_the_request(void **state)
{
    static const struct {
        bool reset;
        enum ls_reason reason;
    } rows[] = {{false, LS_REASON_REQUEST_CLOSED}, {true, LS_REASON_REQUEST_RESET}};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct rig *rig = rig_new(identity);
        const struct stage_wish wish = {
            .users = 5,
            .login = "{retry: {attempts: 1}, request: {send: 900B, receive: 6kB}}",
            .target = (const struct sockaddr *)&rig->address};
        struct stage stage;
        size_t count;
        const struct ls_login *logins;

        rig->server_model = (struct node){.at = 's', .reset = rows[i].reset};
        stage_set(&stage, identity, &wish);
        assert_int_equal(
            ls_engine_new(&stage.engine, &rig->loop, &stage.job, &(struct ls_error){0}), LS_OK);
        stage_start(&stage);
        while (stage.closed == 0) {
            (void)uv_run(&rig->loop, UV_RUN_ONCE);
        }
        rig_run(rig);
        ls_engine_facts(stage.engine, &stage.facts);
        stage_check(&stage);
        assert_int_equal(stage_handshakes(&stage, LS_OUTCOME_LOGGED_IN), 5);
        logins = ls_record_logins(stage.record, &count);
        for (size_t n = 0; n < count; n++) {
            assert_string_equal(ls_reason_word((enum ls_reason)logins[n].reason),
                                ls_reason_word(rows[i].reason));
            assert_int_not_equal(logins[n].secured_ns, LS_NEVER_NS);
        }
        rig_free(rig);
        stage_clear(&stage);
        stage_end(&stage);
    }
}

/* It has answered, and reads the rest of a long request no more: the login is through, and its end
 * must not wait for a reader that there is not. */
static void a_gateway_that_answers_before_it_has_read_all_keeps_nobody(void **state)
{
    static uint8_t answer[6000];
    struct rig *rig = rig_new(identity);
    const struct stage_wish wish = {.users = 2,
                                    .login = "{hold: none, request: {send: 900B, receive: 6kB}}",
                                    .target = (const struct sockaddr *)&rig->address};
    struct stage stage;

    (void)state;
    rig->server_model = (struct node){.says = answer, .says_size = sizeof answer};
    stage_set(&stage, identity, &wish);
    stage.scenario->login.send_bytes = INT64_C(32) * 1024 * 1024;
    assert_int_equal(ls_engine_new(&stage.engine, &rig->loop, &stage.job, &(struct ls_error){0}),
                     LS_OK);
    stage_start(&stage);
    while (stage.closed == 0) {
        (void)uv_run(&rig->loop, UV_RUN_ONCE);
        for (size_t i = 0; i < rig->servers_count; i++) {
            if (strchr(rig->servers[i].heard, 's') != NULL && rig->servers[i].open) {
                (void)uv_read_stop((uv_stream_t *)&rig->servers[i].wire.tcp);
            }
        }
    }
    ls_engine_facts(stage.engine, &stage.facts);
    stage_check(&stage);
    assert_int_equal(stage.facts.logged_in, 2);
    for (size_t i = 0; i < rig->servers_count; i++) {
        ls_wire_close(&rig->servers[i].wire, true);
    }
    rig_run(rig);
    rig_free(rig);
    stage_clear(&stage);
    stage_end(&stage);
}

static void a_login_that_comes_through_later_keeps_the_reason_of_its_last_failure(void **state)
{
    static struct peer peer;
    const struct stage_wish wish = {
        .users = 1,
        .login = "{hold: none, retry: {attempts: 100, wait: 5ms, factor: 1, jitter: none}}",
        .peer = &peer};
    struct stage stage;
    struct ls_gateway_job job = {
        .tls.identity = identity, .backlog = 16, .closed = stage_gateway_closed};
    size_t count;
    const struct ls_login *login;

    (void)state;
    peer = (struct peer){.way = PEER_RESETS};
    stage_set(&stage, identity, &wish);
    stage_engine(&stage);
    stage_start(&stage);
    while (peer.accepted < 2) {
        (void)uv_run(&stage.loop, UV_RUN_ONCE);
    }
    /* The peer leaves its port to a gateway, as a restarted service does. */
    peer_stop(&peer);
    (void)uv_run(&stage.loop, UV_RUN_NOWAIT);
    stage.wish.peer = NULL;
    memcpy(&job.address, &peer.address, sizeof peer.address);
    assert_int_equal(ls_gateway_new(&stage.gateway, &stage.loop, &job, &(struct ls_error){0}),
                     LS_OK);
    stage_run_until_closed(&stage);
    stage_check(&stage);
    stage_clear(&stage);
    login = ls_record_logins(stage.record, &count);
    assert_int_equal(login->outcome, LS_OUTCOME_LOGGED_IN);
    assert_true(login->attempts >= 3);
    assert_true(login->reason == LS_REASON_HANDSHAKE_RESET ||
                login->reason == LS_REASON_CONNECT_REFUSED);
    assert_int_equal(stage_handshakes(&stage, LS_OUTCOME_LOGGED_IN), 1);
    assert_int_equal(stage_handshakes(&stage, LS_OUTCOME_FAILED), login->attempts - 1);
    stage_end(&stage);
}

static void sessions_that_a_gateway_drops_are_counted_and_stay_logins(void **state)
{
    const struct stage_wish wish = {
        .users = 10, .connections = 2, .login = "{hold: until_end}", .holds_on = true};
    struct stage stage;

    (void)state;
    stage_set(&stage, identity, &wish);
    stage_engine(&stage);
    stage_start(&stage);
    while (stage.decided == 0) {
        (void)uv_run(&stage.loop, UV_RUN_ONCE);
    }
    ls_gateway_stop(stage.gateway);
    do {
        (void)uv_run(&stage.loop, UV_RUN_ONCE);
        ls_engine_facts(stage.engine, &stage.facts);
    } while (stage.facts.sessions_lost < 10);
    ls_engine_release(stage.engine);
    stage_run_until_closed(&stage);
    stage_check(&stage);
    assert_int_equal(stage.facts.logged_in, 10);
    assert_int_equal(stage.facts.sessions_lost, 10);
    stage_clear(&stage);
    stage_end(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_user_logs_in_by_every_connection),
        cmocka_unit_test(a_handshake_s_row_says_what_it_was),
        cmocka_unit_test(tickets_are_counted_apart_from_the_flight),
        cmocka_unit_test(tls_settings_of_a_population_are_those_on_the_wire),
        cmocka_unit_test(a_refused_connection_is_tried_again),
        cmocka_unit_test(retries_wait_longer_each_time),
        cmocka_unit_test(what_a_gateway_does_wrong_has_its_name),
        cmocka_unit_test(a_login_is_over_when_its_own_time_is),
        cmocka_unit_test(no_try_begins_that_the_login_s_time_does_not_reach),
        cmocka_unit_test(a_certificate_of_another_issuer_is_rejected),
        cmocka_unit_test(a_certificate_of_another_name_is_rejected),
        cmocka_unit_test(a_gateway_that_goes_after_the_handshake_fails_the_request),
        cmocka_unit_test(a_gateway_that_answers_before_it_has_read_all_keeps_nobody),
        cmocka_unit_test(a_login_that_comes_through_later_keeps_the_reason_of_its_last_failure),
        cmocka_unit_test(sessions_that_a_gateway_drops_are_counted_and_stay_logins),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
