/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TESTS_TLS_PAIR_H
#define TESTS_TLS_PAIR_H

/* Two endpoints and the bytes between them. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "loginstorm/bytes.h"
#include "loginstorm/tls.h"

#define NAME "ras.example.lan"
#define LIST(...) ((const char *const[]){__VA_ARGS__, NULL})

struct pair {
    struct ls_tls_end *client, *server;
    struct ls_bytes up, down;             /* on their way to the server, to the client */
    struct ls_bytes at_client, at_server; /* decrypted */
    size_t up_total, down_total;
    size_t hello; /* bytes of the first Client Hello */
    size_t first_flight;
};

static inline struct ls_identity *new_identity(const char *key, const char *issuer_key)
{
    const struct ls_identity_wish wish = {.key = key, .issuer_key = issuer_key, .name = NAME};
    struct ls_identity *identity = NULL;
    struct ls_error err = {0};

    if (ls_identity_new(&identity, &wish, &err) != LS_OK) {
        fail_msg("identity %s: %s", key, err.text);
    }
    return identity;
}

static inline struct ls_tls_context *new_server(const struct ls_identity *identity, bool tickets)
{
    const struct ls_tls_server_wish wish = {.identity = identity, .tickets = tickets};
    struct ls_tls_context *context = NULL;
    struct ls_error err = {0};

    if (ls_tls_server_new(&context, &wish, &err) != LS_OK) {
        fail_msg("server: %s", err.text);
    }
    return context;
}

static inline struct ls_tls_context *new_client(const struct ls_tls_client_wish *wish)
{
    struct ls_tls_context *context = NULL;
    struct ls_error err = {0};

    if (ls_tls_client_new(&context, wish, &err) != LS_OK) {
        fail_msg("client: %s", err.text);
    }
    return context;
}

static inline struct ls_tls_end *new_end(struct ls_tls_context *context)
{
    struct ls_tls_end *end = NULL;
    struct ls_error err = {0};

    if (ls_tls_end_new(&end, context, &err) != LS_OK) {
        fail_msg("endpoint: %s", err.text);
    }
    return end;
}

/* Hands what lies in a queue to an endpoint, in parts of at most `part` bytes. */
static inline enum ls_tls_state hand_over(struct ls_tls_end *end, struct ls_bytes *in,
                                          struct ls_bytes *out, struct ls_bytes *plain, size_t part)
{
    enum ls_tls_state state = ls_tls_end_state(end);

    if (ls_bytes_size(in) == 0) {
        return ls_tls_end_step(end, NULL, 0, out, plain);
    }
    while (ls_bytes_size(in) > 0) {
        const size_t left = ls_bytes_size(in), size = left < part ? left : part;
        /* A copy of its own size: a read beyond it is a read beyond an allocation. */
        uint8_t *copy = malloc(size);

        assert_non_null(copy);
        memcpy(copy, ls_bytes_front(in), size);
        ls_bytes_drop(in, size);
        state = ls_tls_end_step(end, copy, size, out, plain);
        free(copy);
    }
    return state;
}

/* Goes on until nothing moves any more. */
static inline void pump(struct pair *p, size_t part)
{
    bool first = true;

    do {
        (void)hand_over(p->client, &p->down, &p->up, &p->at_client, part);
        p->up_total += ls_bytes_size(&p->up);
        if (first && p->hello == 0) {
            p->hello = ls_bytes_size(&p->up);
        }
        (void)hand_over(p->server, &p->up, &p->down, &p->at_server, part);
        p->down_total += ls_bytes_size(&p->down);
        if (first && p->first_flight == 0) {
            p->first_flight = ls_bytes_size(&p->down);
        }
        first = false;
    } while (ls_bytes_size(&p->down) > 0);
}

static inline void pair_init(struct pair *p, struct ls_tls_context *client,
                             struct ls_tls_context *server)
{
    *p = (struct pair){0};
    p->client = new_end(client);
    p->server = new_end(server);
}

static inline void pair_free(struct pair *p)
{
    ls_tls_end_free(p->client);
    ls_tls_end_free(p->server);
    ls_bytes_free(&p->up);
    ls_bytes_free(&p->down);
    ls_bytes_free(&p->at_client);
    ls_bytes_free(&p->at_server);
}

static inline void assert_secured(const struct pair *p)
{
    struct ls_tls_facts facts;

    ls_tls_end_facts(p->client, &facts);
    if (ls_tls_end_state(p->client) != LS_TLS_SECURED) {
        fail_msg("the client is not secured: %s", facts.text);
    }
    ls_tls_end_facts(p->server, &facts);
    if (ls_tls_end_state(p->server) != LS_TLS_SECURED) {
        fail_msg("the server is not secured: %s", facts.text);
    }
}

static inline void assert_holds(struct ls_bytes *queue, const char *text)
{
    assert_int_equal(ls_bytes_size(queue), strlen(text));
    assert_memory_equal(ls_bytes_front(queue), text, strlen(text));
    ls_bytes_drop(queue, strlen(text));
}

static inline int start_tls(void **state)
{
    struct ls_error err = {0};

    (void)state;
    return ls_tls_start(&err) == LS_OK ? 0 : -1;
}

static inline int stop_tls(void **state)
{
    (void)state;
    ls_tls_stop();
    return 0;
}

#endif
