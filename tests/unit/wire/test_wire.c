/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <linux/filter.h>
#include <unistd.h>

#include "unit/wire/peer.h"

static const uint8_t ping[] = "ping";

static void two_ends_shake_hands_and_talk_both_ways(void **state)
{
    struct rig *rig = rig_new(identity);
    const struct node talker = {.says = ping, .says_size = 4, .at = 'p'};
    struct node *client;
    struct node *server = &rig->servers[0];

    (void)state;
    rig->server_model = (struct node){.says = ping, .says_size = 4, .at = 'p', .stays = true};
    client = rig_connect(rig, &talker, NULL);
    rig_run(rig);
    assert_string_equal(client->heard, "cfspx");
    assert_string_equal(server->heard, "fspex");
    assert_int_equal(server->why, LS_WIRE_PEER_CLOSED);
    assert_int_equal(client->plain, 4);
    assert_int_equal(server->plain, 4);
    assert_int_equal(client->plain_sum, sum_of(ping, 4, 0, 0));
    assert_int_equal(server->plain_sum, sum_of(ping, 4, 0, 0));
    rig_free(rig);
}

static void what_one_end_counts_as_sent_the_other_counts_as_received(void **state)
{
    struct rig *rig = rig_new(identity);
    const struct node talker = {.says = ping, .says_size = 4, .at = 'p'};
    struct node *client;
    struct node *server = &rig->servers[0];

    (void)state;
    rig->server_model = (struct node){.says = ping, .says_size = 4, .at = 'p', .stays = true};
    client = rig_connect(rig, &talker, NULL);
    rig_run(rig);
    /* The client's last bytes are its close_notify; they count, too. */
    assert_int_equal(client->sent, server->received);
    assert_int_equal(client->received, server->sent);
    assert_int_equal(server->first_sent, client->received_at_secured);
    assert_in_range(client->first_sent, 100, client->sent - 1);
    rig_free(rig);
}

static void many_wires_share_a_hub(void **state)
{
    struct rig *rig = rig_new(identity);
    const struct node talker = {.says = ping, .says_size = 4, .at = 'p'};

    (void)state;
    rig->server_model = (struct node){.says = ping, .says_size = 4, .at = 'p', .stays = true};
    for (int i = 0; i < NODES_MAX; i++) {
        (void)rig_connect(rig, &talker, NULL);
    }
    rig_run(rig);
    assert_int_equal(rig->servers_count, NODES_MAX);
    for (int i = 0; i < NODES_MAX; i++) {
        assert_string_equal(rig->clients[i].heard, "cfspx");
        assert_string_equal(rig->servers[i].heard, "fspex");
    }
    rig_free(rig);
}

static void a_reset_is_told_from_a_close_in_each_phase(void **state)
{
    static const struct {
        char at; /* what the server hears before it acts */
        bool reset;
        const char *heard; /* by the client */
        enum ls_wire_why why;
        const char *reason;
    } rows[] = {
        {'f', false, "cfsex", LS_WIRE_PEER_CLOSED, "a whole flight, then a FIN"},
        {'s', false, "cfsex", LS_WIRE_PEER_CLOSED, "a close_notify after the handshake"},
        {'s', true, "cfsex", LS_WIRE_RESET, "a RST after the handshake"},
        {'p', false, "cfsex", LS_WIRE_PEER_CLOSED, "a close_notify instead of an answer"},
        {'p', true, "cfsex", LS_WIRE_RESET, "a RST instead of an answer"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct rig *rig = rig_new(identity);
        const struct node talker = {.says = ping, .says_size = 4};
        struct node *client;

        print_message("%s\n", rows[i].reason);
        rig->server_model = (struct node){.at = rows[i].at, .reset = rows[i].reset};
        client = rig_connect(rig, &talker, NULL);
        rig_run(rig);
        assert_string_equal(client->heard, rows[i].heard);
        assert_int_equal(client->why, rows[i].why);
        rig_free(rig);
    }
}

/* Every call of either side may close its wire, either way; the other side hears an end, once. */
static void any_call_may_close_the_wire(void **state)
{
    static const struct {
        const char *calls;
        bool by_client;
    } sides[] = {{"cfspe", true}, {"fspe", false}};

    (void)state;
    for (size_t s = 0; s < 2; s++) {
        for (const char *call = sides[s].calls; *call != '\0'; call++) {
            for (int reset = 0; reset < 2; reset++) {
                struct rig *rig = rig_new(identity);
                struct node actor = {
                    .says = ping, .says_size = 4, .at = *call, .reset = reset != 0};
                struct node other = {.says = ping, .says_size = 4, .at = *call == 'e' ? 'p' : '\0'};
                struct node *client;
                const struct node *acted;

                print_message("%s, at %c, by %s\n", sides[s].by_client ? "client" : "server", *call,
                              reset ? "reset" : "close");
                rig->server_model = sides[s].by_client ? other : actor;
                client = rig_connect(rig, sides[s].by_client ? &actor : &other, NULL);
                rig_run(rig);
                assert_int_equal(rig->servers_count, 1);
                acted = sides[s].by_client ? client : &rig->servers[0];
                assert_string_equal(strchr(acted->heard, *call) + 1, "x");
                assert_non_null(strstr(client->heard, "x"));
                assert_non_null(strstr(rig->servers[0].heard, "x"));
                rig_free(rig);
            }
        }
    }
}

static void a_second_close_changes_nothing(void **state)
{
    struct rig *rig = rig_new(identity);
    const struct node plain = {0};
    struct node *client = rig_connect(rig, &plain, NULL);

    (void)state;
    ls_wire_close(&client->wire, false);
    ls_wire_close(&client->wire, true);
    ls_wire_close(&client->wire, false);
    rig_run(rig);
    assert_string_equal(client->heard, "x");
    rig_free(rig);
}

#define LARGE ((size_t)8 * 1024 * 1024)

static uint8_t *large_bytes(void)
{
    uint8_t *bytes = malloc(LARGE);

    assert_non_null(bytes);
    for (size_t i = 0; i < LARGE; i++) {
        bytes[i] = (uint8_t)(i * 7 + i / 251);
    }
    return bytes;
}

static void a_polite_close_sends_all_that_was_written_first(void **state)
{
    uint8_t *bytes = large_bytes();

    (void)state;
    for (int by_client = 0; by_client < 2; by_client++) {
        struct rig *rig = rig_new(identity);
        const struct node writer = {.says = bytes, .says_size = LARGE, .at = 's'};
        const struct node plain = {0};
        const struct node *reader;
        struct node *client;

        rig->server_model = by_client ? plain : writer;
        client = rig_connect(rig, by_client ? &writer : &plain, NULL);
        rig_run(rig);
        reader = by_client ? &rig->servers[0] : client;
        assert_int_equal(reader->plain, LARGE);
        assert_int_equal(reader->plain_sum, sum_of(bytes, LARGE, 0, 0));
        assert_int_equal(reader->why, LS_WIRE_PEER_CLOSED);
        rig_free(rig);
    }
    free(bytes);
}

/* The reader stops at its first piece: what is left must neither hang nor leak. */
static void a_reader_that_leaves_ends_a_large_write(void **state)
{
    uint8_t *bytes = large_bytes();

    (void)state;
    for (int reset = 0; reset < 2; reset++) {
        for (int closing = 0; closing < 2; closing++) {
            struct rig *rig = rig_new(identity);
            const struct node leaver = {.at = 'p', .reset = reset != 0};
            struct node *client;

            rig->server_model = (struct node){
                .says = bytes, .says_size = LARGE, .at = closing ? 's' : '\0', .stays = false};
            client = rig_connect(rig, &leaver, NULL);
            rig_run(rig);
            assert_in_range(client->plain, 1, LARGE - 1);
            assert_string_equal(client->heard, "cfspx");
            rig_free(rig);
        }
    }
    free(bytes);
}

static void wait_for_writing(struct rig *rig, const struct node *node)
{
    while (!node->wire.writing) {
        (void)uv_run(&rig->loop, UV_RUN_ONCE);
    }
}

static void a_reset_cuts_a_polite_close_short(void **state)
{
    uint8_t *bytes = large_bytes();
    struct rig *rig = rig_new(identity);
    const struct node writer = {.says = bytes, .says_size = LARGE, .at = 's'};
    const struct node plain = {0};
    struct node *client;
    struct node *server = &rig->servers[0];

    (void)state;
    rig->server_model = writer;
    client = rig_connect(rig, &plain, NULL);
    wait_for_writing(rig, server);
    (void)uv_read_stop((uv_stream_t *)&client->wire.tcp); /* a peer that reads no more */
    assert_int_equal(server->wire.state, LS_WIRE_CLOSING);
    assert_true(server->open);
    ls_wire_close(&server->wire, true);
    while (server->open) {
        (void)uv_run(&rig->loop, UV_RUN_ONCE);
    }
    assert_string_equal(server->heard, "fsx");
    ls_wire_close(&client->wire, true);
    rig_run(rig);
    rig_free(rig);
    free(bytes);
}

/* A client's Finished is its part of the handshake: a gateway that never saw it would count a
 * failure. */
static void a_client_that_resets_when_it_is_secured_has_still_finished_its_handshake(void **state)
{
    struct rig *rig = rig_new(identity);
    const struct node resetter = {.at = 's', .reset = true};

    (void)state;
    (void)rig_connect(rig, &resetter, NULL);
    rig_run(rig);
    assert_string_equal(rig->servers[0].heard, "fsex");
    assert_int_equal(rig->servers[0].why, LS_WIRE_RESET);
    rig_free(rig);
}

static void an_answer_leaves_with_the_goodbye_and_a_request_with_the_finished(void **state)
{
    struct rig *rig = rig_new(identity);
    const struct node asker = {.says = ping, .says_size = 4};
    struct node *client;
    struct node *server = &rig->servers[0];

    (void)state;
    rig->server_model = (struct node){.says = ping, .says_size = 4, .at = 'p'};
    client = rig_connect(rig, &asker, NULL);
    rig_run(rig);
    assert_string_equal(client->heard, "cfspex");
    assert_int_equal(client->plain, 4);
    assert_int_equal(client->segments, 2); /* the server's flight; its answer with the goodbye */
    assert_int_equal(server->segments, 2); /* a Client Hello; the Finished with the request */
    rig_free(rig);
}

static void loopback_loses_nothing(void **state)
{
    struct rig *rig = rig_new(identity);
    const struct node talker = {.says = ping, .says_size = 4, .stays = true};
    struct node *client = rig_connect(rig, &talker, NULL);

    (void)state;
    while (client->wire.state != LS_WIRE_OPEN) {
        (void)uv_run(&rig->loop, UV_RUN_ONCE);
    }
    assert_int_equal(ls_wire_retransmits(&client->wire), 0);
    ls_wire_close(&client->wire, false);
    rig_run(rig);
    rig_free(rig);
}

/* A socket's filter stands for the network: what it refuses is never acknowledged. */
static void lose_all(struct ls_wire *wire, bool lose)
{
    struct sock_filter refuse = {.code = BPF_RET | BPF_K, .k = 0};
    const struct sock_fprog program = {.len = 1, .filter = &refuse};
    const int off = 0;
    uv_os_fd_t fd;

    assert_int_equal(uv_fileno((const uv_handle_t *)&wire->tcp, &fd), 0);
    assert_int_equal(lose ? setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program)
                          : setsockopt(fd, SOL_SOCKET, SO_DETACH_FILTER, &off, sizeof off),
                     0);
}

static void a_segment_that_gets_lost_is_counted_when_it_is_sent_again(void **state)
{
    struct rig *rig = rig_new(identity);
    const struct node asker = {.at = 'p'};
    struct node *client = rig_connect(rig, &asker, NULL);
    struct node *server = &rig->servers[0];

    (void)state;
    rig->server_model = (struct node){.says = ping, .says_size = 4, .at = 'p', .stays = true};
    while (client->wire.state != LS_WIRE_OPEN || server->wire.state != LS_WIRE_OPEN) {
        (void)uv_run(&rig->loop, UV_RUN_ONCE);
    }
    lose_all(&server->wire, true);
    ls_wire_write(&client->wire, ping, sizeof ping);
    while (ls_wire_retransmits(&client->wire) == 0) {
        (void)uv_run(&rig->loop, UV_RUN_NOWAIT);
        (void)usleep(1000);
    }
    lose_all(&server->wire, false);
    rig_run(rig);
    assert_string_equal(client->heard, "cfspx");
    assert_string_equal(server->heard, "fspex");
    rig_free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_ends_shake_hands_and_talk_both_ways),
        cmocka_unit_test(what_one_end_counts_as_sent_the_other_counts_as_received),
        cmocka_unit_test(many_wires_share_a_hub),
        cmocka_unit_test(a_reset_is_told_from_a_close_in_each_phase),
        cmocka_unit_test(any_call_may_close_the_wire),
        cmocka_unit_test(a_second_close_changes_nothing),
        cmocka_unit_test(a_polite_close_sends_all_that_was_written_first),
        cmocka_unit_test(a_reader_that_leaves_ends_a_large_write),
        cmocka_unit_test(a_reset_cuts_a_polite_close_short),
        cmocka_unit_test(a_client_that_resets_when_it_is_secured_has_still_finished_its_handshake),
        cmocka_unit_test(an_answer_leaves_with_the_goodbye_and_a_request_with_the_finished),
        cmocka_unit_test(loopback_loses_nothing),
        cmocka_unit_test(a_segment_that_gets_lost_is_counted_when_it_is_sent_again),
    };

    return cmocka_run_group_tests(tests, rig_set_up, rig_tear_down);
}
