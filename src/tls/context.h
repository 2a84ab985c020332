/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TLS_CONTEXT_H
#define TLS_CONTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <wolfssl/ssl.h>

#include "loginstorm/error.h"
#include "loginstorm/tls.h"

#define GROUPS_MAX 10 /* the library's own limit */

struct ls_tls_context {
    WOLFSSL_CTX *ctx;
    bool client;
    bool name_is_address;
    bool looks;                              /* a client's, that keeps what is shown to it */
    uint8_t ticket_key[LS_TICKET_KEY_BYTES]; /* a server's: 16 bytes of name, 32 of key */
    char *alpn;                              /* a client's list with commas; or NULL */
    char *check_name;                        /* a client's with LS_CHECK_CHAIN; else NULL */
    char **names;                /* a server's, where it shows several certificates; else NULL */
    struct ls_tls_context *next; /* its next certificate; sni.c chooses */
    size_t key_shares_count;
    uint16_t key_shares[GROUPS_MAX]; /* in the order of the groups */
};

/* The endpoint's two callbacks, in end.c. */
int end_receive(WOLFSSL *ssl, char *buffer, int size, void *context);
int end_send(WOLFSSL *ssl, char *buffer, int size, void *context);

/* The certificate and key that an end shows; LS_EINPUT when they are not each other's. */
LS_MUST_CHECK
enum ls_code context_show(WOLFSSL_CTX *ctx, const struct ls_identity *identity,
                          struct ls_error *err);

/* A server's tickets, sealed with context->ticket_key; in session.c. */
LS_MUST_CHECK
enum ls_code session_serve(struct ls_tls_context *context, const struct ls_tls_server_wish *wish,
                           struct ls_error *err);

/* A client's endpoint hears of tickets; in session.c. */
void session_listen(struct ls_tls_end *end);

/* What is the same on both sides; frees nothing on failure. */
LS_MUST_CHECK
enum ls_code context_init(struct ls_tls_context *context, WOLFSSL_METHOD *method,
                          struct ls_error *err);

#endif
