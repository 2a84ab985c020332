/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FUZZ_PEER_H
#define FUZZ_PEER_H

/*
 * An endpoint under fire. The first byte of an input says how it is used:
 *
 *     0..127    the rest are the peer's bytes, in parts of (first byte + 1) bytes
 *     128..255  a real peer speaks; the rest are changes to what it says on its way: two bytes of
 *               place, one to be XORed (0: cut off there)
 *
 * Keys are made once a process, so that an input takes a handshake and no more.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "loginstorm/tls.h"

struct peers {
    struct ls_tls_context *client, *server;
};

static inline void must(bool held)
{
    if (!held) {
        abort();
    }
}

static inline struct peers new_peers(void)
{
    static const char *const groups[] = {"X25519", "P-256", NULL};
    const struct ls_identity_wish wish = {
        .key = "ecdsa-p256", .issuer_key = "ecdsa-p256", .name = "fuzz.example"};
    const struct ls_identity_wish other_wish = {
        .key = "ecdsa-p256", .issuer_key = "ecdsa-p256", .name = "*.fuzz.example"};
    struct ls_identity *identity, *other;
    struct ls_error err;
    struct peers peers;

    must(ls_tls_start(&err) == LS_OK);
    must(ls_identity_new(&identity, &wish, &err) == LS_OK);
    must(ls_identity_new(&other, &other_wish, &err) == LS_OK);
    must(ls_tls_server_new(
             &peers.server,
             &(struct ls_tls_server_wish){.identity = other,
                                          .others = (const struct ls_identity *const[]){identity},
                                          .others_count = 1,
                                          .tickets = true},
             &err) == LS_OK);
    ls_identity_free(other);
    must(ls_tls_client_new(&peers.client,
                           &(struct ls_tls_client_wish){.tls12 = true,
                                                        .tls13 = true,
                                                        .groups = groups,
                                                        .server_name = "fuzz.example",
                                                        .check = LS_CHECK_CHAIN,
                                                        .trust = identity->trust},
                           &err) == LS_OK);
    ls_identity_free(identity);
    return peers;
}

/* What holds after every step, whatever came. */
static inline void look(const struct ls_tls_end *end)
{
    struct ls_tls_facts facts;
    const enum ls_tls_state state = ls_tls_end_state(end);

    ls_tls_end_facts(end, &facts);
    must((state == LS_TLS_FAILED) == (ls_tls_end_why(end) != LS_WHY_NONE));
    must((state == LS_TLS_FAILED) == (facts.text[0] != '\0'));
    must(memchr(facts.text, '\0', sizeof facts.text) != NULL);
    must(ls_tls_end_why(end) != LS_WHY_MEMORY);
}

/* A copy of exactly its size, so that a read beyond it is seen. */
static inline void feed(struct ls_tls_end *end, const uint8_t *data, size_t size,
                        struct ls_bytes *out, struct ls_bytes *plain)
{
    uint8_t *copy = malloc(size > 0 ? size : 1);

    must(copy != NULL);
    if (size > 0) {
        memcpy(copy, data, size);
    }
    (void)ls_tls_end_step(end, copy, size, out, plain);
    free(copy);
    look(end);
}

static inline void fire(struct ls_tls_end *end, const uint8_t *data, size_t size, size_t part)
{
    struct ls_bytes out = {0}, plain = {0};

    feed(end, NULL, 0, &out, &plain);
    while (size > 0) {
        const size_t now = size < part ? size : part;

        feed(end, data, now, &out, &plain);
        data += now;
        size -= now;
    }
    must(ls_bytes_size(&plain) == 0); /* nobody can guess the keys */
    ls_tls_end_close(end, &out);
    ls_bytes_free(&out);
    ls_bytes_free(&plain);
}

/* Changes bytes from `from` on of all that was said so far. */
static inline void change(struct ls_bytes *queue, size_t from, const uint8_t *changes, size_t size)
{
    const size_t length = ls_bytes_size(queue);

    for (; size >= 3; changes += 3, size -= 3) {
        const size_t at = ((size_t)changes[0] << 8 | changes[1]);

        if (at < from || at - from >= length) {
            continue;
        }
        if (changes[2] == 0) {
            queue->end = queue->begin + (at - from);
            return;
        }
        queue->data[queue->begin + (at - from)] ^= changes[2];
    }
}

static inline void between(struct ls_tls_end *end, struct ls_tls_end *peer, const uint8_t *changes,
                           size_t size)
{
    struct ls_bytes out = {0}, in = {0}, plain = {0};
    size_t said = 0;

    for (int i = 0; i < 4; i++) {
        (void)ls_tls_end_step(peer, ls_bytes_front(&out), ls_bytes_size(&out), &in, &plain);
        ls_bytes_free(&out);
        change(&in, said, changes, size);
        said += ls_bytes_size(&in);
        feed(end, ls_bytes_front(&in), ls_bytes_size(&in), &out, &plain);
        ls_bytes_free(&in);
    }
    ls_bytes_free(&out);
    ls_bytes_free(&plain);
}

static inline void fuzz(struct ls_tls_context *under_fire, struct ls_tls_context *other,
                        const uint8_t *data, size_t size)
{
    struct ls_tls_end *end, *peer;
    struct ls_error err;

    if (size < 1) {
        return;
    }
    must(ls_tls_end_new(&end, under_fire, &err) == LS_OK);
    if (data[0] < 128) {
        fire(end, data + 1, size - 1, data[0] + 1U);
    } else {
        must(ls_tls_end_new(&peer, other, &err) == LS_OK);
        between(end, peer, data + 1, size - 1);
        ls_tls_end_free(peer);
    }
    ls_tls_end_free(end);
}

#endif
