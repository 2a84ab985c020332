/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <arpa/inet.h>
#include <stdio.h>

#include "unit/wire/peer.h"

static void a_closed_port_refuses(void **state)
{
    struct rig *rig = rig_new(identity);
    const struct node plain = {0};
    struct node *client;

    (void)state;
    uv_close((uv_handle_t *)&rig->listener, NULL);
    (void)uv_run(&rig->loop, UV_RUN_NOWAIT);
    client = rig_connect(rig, &plain, NULL);
    rig_run(rig);
    assert_string_equal(client->heard, "ex");
    assert_int_equal(client->why, LS_WIRE_REFUSED);
    assert_int_equal(client->sent, 0);
    rig_listen(&rig->loop, &rig->listener, &rig->address, rig_accept, rig);
    rig_free(rig);
}

static void a_peer_that_does_not_speak_tls_is_named_by_what_it_did(void **state)
{
    static const struct {
        enum peer_way way;
        enum ls_wire_why why;
        const char *reason;
    } rows[] = {
        {PEER_SHUTS, LS_WIRE_PEER_CLOSED, "a FIN instead of an answer"},
        {PEER_CLOSES, LS_WIRE_PEER_CLOSED, "a FIN after the Client Hello"},
        {PEER_RESETS, LS_WIRE_RESET, "a RST after the Client Hello"},
        {PEER_GARBAGE, LS_WIRE_PROTOCOL, "speaks first, as SSH does"},
        {PEER_HTTP, LS_WIRE_PROTOCOL, "plain HTTP on the port"},
        {PEER_ALERT, LS_WIRE_ALERT, "a TLS server that wants nothing of it"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct rig *rig = rig_new(identity);
        static struct peer peer;
        const struct node plain = {0};
        struct node *client;

        print_message("%s\n", rows[i].reason);
        peer = (struct peer){.way = rows[i].way};
        peer_listen(&peer, &rig->loop);
        rig->address = peer.address;
        client = rig_connect(rig, &plain, NULL);
        rig_run(rig);
        assert_string_equal(client->heard, "cfex");
        assert_int_equal(client->why, rows[i].why);
        assert_int_equal(peer.accepted, 1);
        peer_stop(&peer);
        rig_free(rig);
    }
}

static void the_first_bytes_of_a_client_are_one_client_hello(void **state)
{
    struct rig *rig = rig_new(identity);
    static struct peer peer;
    const struct node plain = {0};
    struct node *client;

    (void)state;
    peer = (struct peer){.way = PEER_CLOSES};
    peer_listen(&peer, &rig->loop);
    rig->address = peer.address;
    client = rig_connect(rig, &plain, NULL);
    rig_run(rig);
    assert_int_equal(peer.first_read, client->first_sent);
    assert_int_equal(peer.record[0], 22);
    assert_int_equal(peer.record[3] * 256 + peer.record[4] + 5, client->first_sent);
    assert_int_equal(client->sent, client->first_sent);
    peer_stop(&peer);
    rig_free(rig);
}

static void a_wire_may_be_closed_while_it_connects(void **state)
{
    (void)state;
    for (int reset = 0; reset < 2; reset++) {
        struct rig *rig = rig_new(identity);
        const struct node plain = {0};
        struct node *client = rig_connect(rig, &plain, NULL);

        ls_wire_close(&client->wire, reset != 0);
        assert_int_equal(client->wire.state, LS_WIRE_CLOSING);
        rig_run(rig);
        assert_string_equal(client->heard, "x");
        rig_free(rig);
    }
}

static void a_connection_comes_from_the_address_that_was_asked_for(void **state)
{
    struct rig *rig = rig_new(identity);
    const struct node closer = {.at = 's'};
    struct sockaddr_in source;
    char text[INET_ADDRSTRLEN];

    (void)state;
    for (int i = 5; i < 8; i++) {
        (void)snprintf(text, sizeof text, "127.0.0.%d", i);
        assert_int_equal(uv_ip4_addr(text, 0, &source), 0);
        (void)rig_connect(rig, &closer, (const struct sockaddr *)&source);
        rig_run(rig);
        assert_int_equal(rig->servers[i - 5].peer.sin_addr.s_addr, source.sin_addr.s_addr);
        assert_string_equal(rig->clients[i - 5].heard, "cfsx");
    }
    rig_free(rig);
}

static void an_address_that_is_not_ours_is_our_own_limit(void **state)
{
    struct rig *rig = rig_new(identity);
    const struct node plain = {0};
    struct sockaddr_in source;
    struct node *client;

    (void)state;
    assert_int_equal(uv_ip4_addr("192.0.2.1", 0, &source), 0);
    client = rig_connect(rig, &plain, (const struct sockaddr *)&source);
    rig_run(rig);
    assert_string_equal(client->heard, "ex");
    assert_int_equal(client->why, LS_WIRE_OWN_PORTS);
    rig_free(rig);
}

/* What the server answers to them, if anything, is an alert and no flight: nothing was paid for. */
static void a_client_that_speaks_no_tls_gets_no_flight(void **state)
{
    static const struct {
        const char *bytes;
        size_t size;
        const char *reason;
    } rows[] = {
        {"GET / HTTP/1.1\r\nHost: a\r\n\r\n", 27, "plain HTTP"},
        {"\x16\x03\x01\x00\x05\x01\x00\x00\x01\x00", 10, "a Client Hello of one byte"},
        {"\x17\x03\x03\x00\x01\x00", 6, "application data before a handshake"},
        {"\x15\x03\x03\x00\x02\x02\x28", 7, "an alert"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct rig *rig = rig_new(identity);
        uv_tcp_t tcp;
        uv_connect_t connect;
        uv_buf_t buf = {.base = (char *)(uintptr_t)rows[i].bytes, .len = rows[i].size};

        print_message("%s\n", rows[i].reason);
        assert_int_equal(uv_tcp_init(&rig->loop, &tcp), 0);
        assert_int_equal(
            uv_tcp_connect(&connect, &tcp, (const struct sockaddr *)&rig->address, NULL), 0);
        while (uv_try_write((uv_stream_t *)&tcp, &buf, 1) < 0) {
            (void)uv_run(&rig->loop, UV_RUN_ONCE);
        }
        while (rig->servers_count == 0 || rig->servers[0].open) {
            (void)uv_run(&rig->loop, UV_RUN_ONCE);
        }
        assert_string_equal(rig->servers[0].heard, "ex");
        assert_int_equal(rig->servers[0].why, i == 3 ? LS_WIRE_ALERT : LS_WIRE_PROTOCOL);
        uv_close((uv_handle_t *)&tcp, NULL);
        rig_free(rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_closed_port_refuses),
        cmocka_unit_test(a_peer_that_does_not_speak_tls_is_named_by_what_it_did),
        cmocka_unit_test(the_first_bytes_of_a_client_are_one_client_hello),
        cmocka_unit_test(a_wire_may_be_closed_while_it_connects),
        cmocka_unit_test(a_connection_comes_from_the_address_that_was_asked_for),
        cmocka_unit_test(an_address_that_is_not_ours_is_our_own_limit),
        cmocka_unit_test(a_client_that_speaks_no_tls_gets_no_flight),
    };

    return cmocka_run_group_tests(tests, rig_set_up, rig_tear_down);
}
