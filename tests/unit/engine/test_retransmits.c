/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Segments sent again, as the kernel tells them in each of its answers: this test's own kernel. */
#include "engine/login.h"
#include "unit/engine/stage.h"

static int (*kernel)(const struct connection *connection);

int __wrap_ls_wire_retransmits(const struct ls_wire *wire);

int __wrap_ls_wire_retransmits(const struct ls_wire *wire)
{
    return kernel((const struct connection *)(const void *)wire);
}

static int none(const struct connection *connection)
{
    (void)connection;
    return 0;
}

static int one_each(const struct connection *connection)
{
    (void)connection;
    return 1;
}

static int behind_the_answer(const struct connection *connection)
{
    return connection->received_plain_bytes > 0 ? 2 : 0;
}

static int of_the_first_when_the_third_is_there(const struct connection *connection)
{
    return connection->row.connection == 0 && connection->slot->begun == 3 ? 3 : 0;
}

static int while_held(const struct connection *connection)
{
    return connection->slot == NULL || connection->slot->decided ? 4 : 0;
}

static int more_than_a_row_holds(const struct connection *connection)
{
    (void)connection;
    return 70000;
}

#define ASKS "request: {send: 900B, receive: 6kB}"

static void what_was_sent_again_up_to_a_login_s_end_is_in_its_rows(void **state)
{
    static const struct {
        int (*kernel)(const struct connection *connection);
        const char *login;
        int expected[3]; /* by connection */
        const char *why;
    } rows[] = {
        {none, "{hold: none, " ASKS "}", {0, 0, 0}, "nothing was"},
        {one_each, "{hold: none}", {1, 1, 1}, "in each handshake"},
        {behind_the_answer, "{hold: none, " ASKS "}", {2, 2, 2}, "a request or its answer"},
        {of_the_first_when_the_third_is_there,
         "{hold: none, " ASKS "}",
         {3, 0, 0},
         "on the first connection, while the third was made"},
        {while_held, "{hold: until_end, " ASKS "}", {0, 0, 0}, "in the session: no login's"},
        {more_than_a_row_holds, "{hold: none}", {65535, 65535, 65535}, "very often"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct stage_wish wish = {.users = 5, .connections = 3, .login = rows[i].login};
        const struct ls_handshake *handshakes;
        struct stage stage;
        size_t count;

        print_message("%s\n", rows[i].why);
        kernel = rows[i].kernel;
        stage_play(&stage, identity, &wish);
        assert_int_equal(stage.facts.logged_in, 5);
        handshakes = ls_record_handshakes(stage.record, &count);
        assert_int_equal(count, 15);
        for (size_t n = 0; n < count; n++) {
            assert_int_equal(handshakes[n].retransmits, rows[i].expected[handshakes[n].connection]);
        }
        stage_end(&stage);
    }
}

static void a_failed_attempt_s_row_says_it_too(void **state)
{
    static struct peer peer;
    const struct stage_wish wish = {
        .users = 5, .login = "{retry: {attempts: 2, wait: 1ms, jitter: none}}", .peer = &peer};
    const struct ls_handshake *handshakes;
    struct stage stage;
    size_t count;

    (void)state;
    kernel = one_each;
    peer = (struct peer){.way = PEER_RESETS};
    stage_play(&stage, identity, &wish);
    handshakes = ls_record_handshakes(stage.record, &count);
    assert_int_equal(count, 10);
    for (size_t n = 0; n < count; n++) {
        assert_int_equal(handshakes[n].outcome, LS_OUTCOME_FAILED);
        assert_int_equal(handshakes[n].retransmits, 1);
    }
    stage_end(&stage);
}

static void so_does_the_row_of_who_is_cut_off(void **state)
{
    static struct peer peer;
    const struct stage_wish wish = {.users = 5, .login = "{hold: none}", .peer = &peer};
    const struct ls_handshake *handshakes;
    struct stage stage;
    size_t count;

    (void)state;
    kernel = one_each;
    peer = (struct peer){.way = PEER_SILENT};
    stage_set(&stage, identity, &wish);
    stage_engine(&stage);
    stage_start(&stage);
    while (peer.accepted < 5) {
        (void)uv_run(&stage.loop, UV_RUN_ONCE);
    }
    ls_engine_stop(stage.engine);
    stage_run_until_closed(&stage);
    stage_check(&stage);
    handshakes = ls_record_handshakes(stage.record, &count);
    assert_int_equal(count, 5);
    for (size_t n = 0; n < count; n++) {
        assert_int_equal(handshakes[n].outcome, LS_OUTCOME_CUT_OFF);
        assert_int_equal(handshakes[n].retransmits, 1);
    }
    stage_clear(&stage);
    stage_end(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_sent_again_up_to_a_login_s_end_is_in_its_rows),
        cmocka_unit_test(a_failed_attempt_s_row_says_it_too),
        cmocka_unit_test(so_does_the_row_of_who_is_cut_off),
    };

    return cmocka_run_group_tests(tests, rig_set_up, rig_tear_down);
}
