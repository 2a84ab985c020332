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
    char *check_name; /* a client's with LS_CHECK_CHAIN; else NULL */
    size_t key_shares_count;
    uint16_t key_shares[GROUPS_MAX]; /* in the order of the groups */
};

/* The endpoint's two callbacks, in end.c. */
int end_receive(WOLFSSL *ssl, char *buffer, int size, void *context);
int end_send(WOLFSSL *ssl, char *buffer, int size, void *context);

/* What is the same on both sides; frees nothing on failure. */
LS_MUST_CHECK
enum ls_code context_init(struct ls_tls_context *context, WOLFSSL_METHOD *method,
                          struct ls_error *err);

#endif
