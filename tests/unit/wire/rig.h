/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TESTS_WIRE_RIG_H
#define TESTS_WIRE_RIG_H

/*
 * Two hubs on one loop, a listener whose connections become wires of the one, and connecting wires
 * of the other. Every end puts down what it hears, a letter a call, and may act at one of them:
 *
 *     c connected   f flight   s secured   p plain (several in a row once)   e ended   x closed
 */

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <netinet/tcp.h>
#include <sys/socket.h>

#include "loginstorm/wire.h"

#define NAME "ras.example.lan"
/* For what takes milliseconds, or seconds where others have the cores: only a hang takes it all. */
#define PATIENCE_MS 120000
#define NODES_MAX 64

struct rig;

struct node {
    struct ls_wire wire; /* first, so that a wire is its node */
    struct rig *rig;
    char heard[16];
    char at;             /* the call at which it acts; 0: never */
    bool reset;          /* acts by a reset, not by a polite close */
    bool stays;          /* acts by saying and not by closing */
    const uint8_t *says; /* at 's' or, when it stays, at `at` */
    size_t says_size;
    size_t wants;       /* acts at 'p' once so many bytes have come */
    char begins[16];    /* the first decrypted bytes, as text */
    size_t plain;       /* decrypted bytes so far */
    uint64_t plain_sum; /* over them and their places */
    enum ls_wire_why why;
    uint32_t sent, received, first_sent, received_at_secured; /* as last seen */
    uint32_t segments;                                        /* with data, come by the last call */
    struct sockaddr_in peer;
    bool open;
};

struct rig {
    uv_loop_t loop;
    uv_timer_t guard;
    uv_tcp_t listener;
    struct sockaddr_in address;
    struct ls_hub client_hub, server_hub;
    struct ls_tls_context *client, *server;
    struct node clients[NODES_MAX], servers[NODES_MAX];
    size_t clients_count, servers_count;
    struct node server_model; /* what an accepted end begins as */
};

static inline uint64_t sum_of(const uint8_t *data, size_t size, size_t place, uint64_t sum)
{
    for (size_t i = 0; i < size; i++) {
        sum = (sum ^ data[i] ^ (place + i)) * UINT64_C(1099511628211);
    }
    return sum;
}

/* The kernel tells more than the C library's struct holds, and its own header cannot be included
 * beside that. */
struct longer_tcp_info {
    struct tcp_info known;
    uint64_t rates[2], bytes[2];
    uint32_t segs_out, segs_in, notsent_bytes, min_rtt, data_segs_in;
};

static inline uint32_t segments_in(const struct ls_wire *wire)
{
    struct longer_tcp_info info = {0};
    socklen_t size = sizeof info;
    uv_os_fd_t fd;

    if (uv_fileno((const uv_handle_t *)&wire->tcp, &fd) == 0) {
        (void)getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size);
    }
    return info.data_segs_in;
}

static inline void note(struct node *node, char call)
{
    const size_t length = strlen(node->heard);

    if (length + 1 < sizeof node->heard &&
        !(call == 'p' && length > 0 && node->heard[length - 1] == 'p')) {
        node->heard[length] = call;
    }
    node->sent = node->wire.sent;
    node->received = node->wire.received;
    node->first_sent = node->wire.first_sent;
    if (call != 'x') {
        node->segments = segments_in(&node->wire);
    }
}

static inline void say_or_act(struct node *node, char call)
{
    if (node->says != NULL && call == (node->stays ? node->at : 's')) {
        ls_wire_write(&node->wire, node->says, node->says_size);
    }
    if (call == node->at && !node->stays && (call != 'p' || node->plain >= node->wants)) {
        ls_wire_close(&node->wire, node->reset);
    }
}

static inline void rig_connected(struct ls_wire *wire)
{
    note((struct node *)wire, 'c');
    say_or_act((struct node *)wire, 'c');
}

static inline void rig_flight(struct ls_wire *wire)
{
    note((struct node *)wire, 'f');
    say_or_act((struct node *)wire, 'f');
}

static inline void rig_secured(struct ls_wire *wire)
{
    struct node *node = (struct node *)wire;

    note(node, 's');
    node->received_at_secured = wire->received;
    say_or_act(node, 's');
}

static inline void rig_plain(struct ls_wire *wire)
{
    struct node *node = (struct node *)wire;
    const size_t size = ls_bytes_size(&wire->plain);

    note(node, 'p');
    for (size_t i = 0; i < size && node->plain + i < sizeof node->begins - 1; i++) {
        node->begins[node->plain + i] = (char)ls_bytes_front(&wire->plain)[i];
    }
    node->plain_sum = sum_of(ls_bytes_front(&wire->plain), size, node->plain, node->plain_sum);
    node->plain += size;
    ls_bytes_drop(&wire->plain, size);
    say_or_act(node, 'p');
}

static inline void rig_ended(struct ls_wire *wire)
{
    struct node *node = (struct node *)wire;

    note(node, 'e');
    node->why = (enum ls_wire_why)wire->why;
    ls_wire_close(wire, node->reset && node->at == 'e');
}

static inline void rig_closed(struct ls_wire *wire)
{
    struct node *node = (struct node *)wire;

    note(node, 'x');
    node->open = false;
}

static const struct ls_wire_calls rig_calls = {
    .connected = rig_connected,
    .flight = rig_flight,
    .secured = rig_secured,
    .plain = rig_plain,
    .ended = rig_ended,
    .closed = rig_closed,
};

static inline void rig_accept(uv_stream_t *listener, int status)
{
    struct rig *rig = listener->data;
    struct node *node = &rig->servers[rig->servers_count];
    int size = sizeof node->peer;

    assert_int_equal(status, 0);
    assert_in_range(rig->servers_count, 0, NODES_MAX - 1);
    *node = rig->server_model;
    node->rig = rig;
    node->open = true;
    rig->servers_count++;
    assert_int_equal(ls_wire_accept(&node->wire, &rig->server_hub, rig->server, listener), LS_OK);
    /* Nobody any more, when the client has gone meanwhile. */
    (void)uv_tcp_getpeername(&node->wire.tcp, (struct sockaddr *)&node->peer, &size);
}

static inline void rig_hangs(uv_timer_t *guard)
{
    (void)guard;
    fail_msg("nothing ends it");
}

static inline void rig_listen(uv_loop_t *loop, uv_tcp_t *listener, struct sockaddr_in *address,
                              uv_connection_cb accept, void *data)
{
    int size = sizeof *address;

    assert_int_equal(uv_tcp_init(loop, listener), 0);
    listener->data = data;
    assert_int_equal(uv_ip4_addr("127.0.0.1", 0, address), 0);
    assert_int_equal(uv_tcp_bind(listener, (const struct sockaddr *)address, 0), 0);
    assert_int_equal(uv_listen((uv_stream_t *)listener, 128, accept), 0);
    assert_int_equal(uv_tcp_getsockname(listener, (struct sockaddr *)address, &size), 0);
    uv_unref((uv_handle_t *)listener);
}

/* The guard ends a test that hangs; it does not keep the loop alive itself. */
static inline void rig_guard(uv_loop_t *loop, uv_timer_t *guard)
{
    assert_int_equal(uv_timer_init(loop, guard), 0);
    assert_int_equal(uv_timer_start(guard, rig_hangs, PATIENCE_MS, 0), 0);
    uv_unref((uv_handle_t *)guard);
}

static inline struct rig *rig_new(const struct ls_identity *identity)
{
    struct rig *rig = calloc(1, sizeof *rig);
    struct ls_error err;
    const struct ls_tls_client_wish wish = {.tls12 = true,
                                            .tls13 = true,
                                            .groups = (const char *const[]){"X25519", NULL},
                                            .server_name = NAME,
                                            .check = LS_CHECK_CHAIN,
                                            .trust = identity->trust};

    assert_non_null(rig);
    assert_int_equal(uv_loop_init(&rig->loop), 0);
    rig_guard(&rig->loop, &rig->guard);
    assert_int_equal(ls_tls_client_new(&rig->client, &wish, &err), LS_OK);
    assert_int_equal(
        ls_tls_server_new(&rig->server, &(struct ls_tls_server_wish){.identity = identity}, &err),
        LS_OK);
    ls_hub_init(&rig->client_hub, &rig->loop, &rig_calls);
    ls_hub_init(&rig->server_hub, &rig->loop, &rig_calls);
    rig_listen(&rig->loop, &rig->listener, &rig->address, rig_accept, rig);
    return rig;
}

static inline struct node *rig_connect(struct rig *rig, const struct node *model,
                                       const struct sockaddr *source)
{
    struct node *node = &rig->clients[rig->clients_count++];

    *node = *model;
    node->rig = rig;
    node->open = true;
    ls_wire_connect(&node->wire, &rig->client_hub, rig->client,
                    (const struct sockaddr *)&rig->address, source);
    return node;
}

/* Until every wire is closed. */
static inline void rig_run(struct rig *rig)
{
    (void)uv_run(&rig->loop, UV_RUN_DEFAULT);
    for (size_t i = 0; i < rig->clients_count; i++) {
        assert_false(rig->clients[i].open);
    }
    for (size_t i = 0; i < rig->servers_count; i++) {
        assert_false(rig->servers[i].open);
    }
}

/* No handle may be left behind, and (by the leak checker) no memory. */
static inline void rig_free(struct rig *rig)
{
    ls_hub_stop(&rig->client_hub);
    ls_hub_stop(&rig->server_hub);
    uv_close((uv_handle_t *)&rig->listener, NULL);
    uv_close((uv_handle_t *)&rig->guard, NULL);
    (void)uv_run(&rig->loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&rig->loop), 0);
    ls_tls_context_free(rig->client);
    ls_tls_context_free(rig->server);
    free(rig);
}

/* A process of sockets leaves SIGPIPE to the calls that would raise it. */
static inline struct ls_identity *rig_identity(void)
{
    const struct ls_identity_wish wish = {
        .key = "ecdsa-p256", .issuer_key = "ecdsa-p256", .name = NAME};
    struct ls_identity *made = NULL;
    struct ls_error err;

    (void)signal(SIGPIPE, SIG_IGN);
    assert_int_equal(ls_identity_new(&made, &wish, &err), LS_OK);
    return made;
}

/* What the tests of a program share: making it takes longer than most of them. */
static struct ls_identity *identity;

static inline int rig_set_up(void **state)
{
    struct ls_error err;

    (void)state;
    if (ls_tls_start(&err) != LS_OK) {
        return -1;
    }
    identity = rig_identity();
    return 0;
}

static inline int rig_tear_down(void **state)
{
    (void)state;
    ls_identity_free(identity);
    ls_tls_stop();
    return 0;
}

#endif
