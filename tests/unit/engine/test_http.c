/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gateways of others answer in HTTP, and close when they like. */
#include "unit/engine/stage.h"

#define OK "HTTP/1.1 200 OK\r\n"

static void play(struct stage *stage, const struct stage_wish *wish, const struct node *server)
{
    struct rig *rig = rig_new(identity);
    struct stage_wish there = *wish;

    there.outside = true;
    there.target = (const struct sockaddr *)&rig->address;
    rig->server_model = *server;
    stage_set(stage, identity, &there);
    assert_int_equal(ls_engine_new(&stage->engine, &rig->loop, &stage->job, &(struct ls_error){0}),
                     LS_OK);
    stage_start(stage);
    while (stage->closed == 0) {
        (void)uv_run(&rig->loop, UV_RUN_ONCE);
    }
    for (size_t i = 0; i < rig->servers_count; i++) {
        if (rig->servers[i].open) {
            ls_wire_close(&rig->servers[i].wire, true);
        }
    }
    rig_run(rig);
    ls_engine_facts(stage->engine, &stage->facts);
    stage_check(stage);
    rig_free(rig);
    stage_clear(stage);
}

static void an_answer_decides_the_login(void **state)
{
    static const struct {
        const char *answer;
        bool closes; /* when the request has come */
        enum ls_reason why;
        const char *reason;
    } rows[] = {
        {OK "Content-Length: 2\r\n\r\nhi", false, LS_REASON_NONE, "a length below receive"},
        {OK "Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n", false, LS_REASON_NONE,
         "chunks"},
        {OK "\r\nwelcome", true, LS_REASON_NONE, "up to the connection's end"},
        {OK "Content-Length: 9\r\n\r\nhi", true, LS_REASON_REQUEST_CLOSED, "cut off"},
        {OK "Content", true, LS_REASON_REQUEST_CLOSED, "cut off in its head"},
        {"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n", false,
         LS_REASON_REQUEST_REFUSED, "refused"},
        {OK "Content-Length: many\r\n\r\n", false, LS_REASON_REQUEST_PROTOCOL, "no HTTP"},
        {"220 welcome, a greeting that is as long as 50 bytes.\r\n", false, LS_REASON_NONE,
         "another protocol, of as many bytes as are wished"},
        {"220 hi\r\n", true, LS_REASON_REQUEST_CLOSED, "of fewer"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct stage_wish wish = {
            .users = 2, .login = "{hold: none, request: {send: 900B, receive: 50B}}"};
        const struct node server = {.says = (const uint8_t *)rows[i].answer,
                                    .says_size = strlen(rows[i].answer),
                                    .at = rows[i].closes ? 'p' : 0,
                                    .wants = 900};
        struct stage stage;
        const struct ls_login *logins;
        size_t count;

        print_message("%s\n", rows[i].reason);
        play(&stage, &wish, &server);
        logins = ls_record_logins(stage.record, &count);
        assert_int_equal(count, 2);
        for (size_t n = 0; n < count; n++) {
            assert_string_equal(ls_reason_word((enum ls_reason)logins[n].reason),
                                ls_reason_word(rows[i].why));
            assert_int_equal(logins[n].outcome, rows[i].why == LS_REASON_NONE ? LS_OUTCOME_LOGGED_IN
                                                                              : LS_OUTCOME_FAILED);
        }
        stage_end(&stage);
    }
}

/* Servers keep a connection that has answered for a minute, or not at all; nobody's session is lost by that. */
static void a_connection_that_has_answered_may_be_closed(void **state)
{
    static const struct {
        const char *answer;
        int connections;
        const char *login;
        const char *tls;
        const char *reason;
    } rows[] = {
        {OK "Content-Length: 2\r\n\r\nhi", 3, "{hold: none, request: {send: 900B}}", NULL,
         "the login goes on with the next"},
        {OK "\r\nhi", 3, "{hold: none, request: {send: 900B}}", NULL, "the end is the answer's"},
        {OK "Content-Length: 2\r\n\r\nhi", 2, "{hold: 300ms, request: {send: 900B}}", NULL,
         "the session is held without it"},
        {OK "\r\nhi", 2, "{hold: until_end, request: {send: 900B}}", NULL, "and until the end"},
        {OK "\r\nhi", 2, "{hold: none, request: {send: 900B}}",
         "{resume: 1, server_name: " NAME "}",
         "a ticket that cannot come any more is not waited for"},
        {OK "Content-Length: 2\r\n\r\nhi", 2, "{hold: none, request: {send: 900B}}",
         "{resume: 1, server_name: " NAME "}", "the same with a length"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct stage_wish wish = {.users = 3,
                                        .connections = rows[i].connections,
                                        .login = rows[i].login,
                                        .tls = rows[i].tls};
        const struct node server = {.says = (const uint8_t *)rows[i].answer,
                                    .says_size = strlen(rows[i].answer),
                                    .at = 'p',
                                    .wants = 900};
        struct stage stage;

        print_message("%s\n", rows[i].reason);
        play(&stage, &wish, &server);
        assert_int_equal(stage.facts.logged_in, 3);
        assert_int_equal(stage.facts.sessions_lost, 0);
        assert_int_equal(stage_handshakes(&stage, LS_OUTCOME_LOGGED_IN), 3 * rows[i].connections);
        stage_end(&stage);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_answer_decides_the_login),
        cmocka_unit_test(a_connection_that_has_answered_may_be_closed),
    };

    return cmocka_run_group_tests(tests, rig_set_up, rig_tear_down);
}
