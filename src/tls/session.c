/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sessions: the tickets that a server seals, and that a client keeps and offers. */
#include <string.h>
#include <wolfssl/wolfcrypt/chacha20_poly1305.h>
#include <wolfssl/wolfcrypt/random.h>

#include "loginstorm/random.h"
#include "tls/end.h"
#include "tls/fault.h"

/* As long as a day: a storm at its own pace may last one, and the library's five minutes would turn
 * the later resumptions of an hour into full handshakes. */
#define LIFETIME_S 86400

_Static_assert(WOLFSSL_TICKET_NAME_SZ + CHACHA20_POLY1305_AEAD_KEYSIZE == LS_TICKET_KEY_BYTES,
               "a ticket key is a name and a key");
_Static_assert(CHACHA20_POLY1305_AEAD_IV_SIZE <= WOLFSSL_TICKET_IV_SZ, "room for the nonce");
_Static_assert(CHACHA20_POLY1305_AEAD_AUTHTAG_SIZE <= WOLFSSL_TICKET_MAC_SZ, "room for the tag");

/*
 * Seals and opens a ticket in place. The library's own callback does the same with a key that it
 * makes up for each context, of which another worker of the gateway knows nothing: a part of the
 * resumptions would be full handshakes.
 */
/* NOLINTNEXTLINE(readability-function-size): the library's own nine parameters */
static int seal(WOLFSSL *ssl, unsigned char name[WOLFSSL_TICKET_NAME_SZ],
                unsigned char iv[WOLFSSL_TICKET_IV_SZ], unsigned char mac[WOLFSSL_TICKET_MAC_SZ],
                int encrypts, unsigned char *ticket, int size, int *out_size, void *data)
{
    const uint8_t *key_name = data;
    const uint8_t *key = key_name + WOLFSSL_TICKET_NAME_SZ;
    int rc;

    *out_size = size;
    if (encrypts) {
        memcpy(name, key_name, WOLFSSL_TICKET_NAME_SZ);
        memset(mac, 0, WOLFSSL_TICKET_MAC_SZ);
        rc = wc_RNG_GenerateBlock(wolfSSL_GetRNG(ssl), iv, WOLFSSL_TICKET_IV_SZ);
        if (rc == 0) {
            rc = wc_ChaCha20Poly1305_Encrypt(key, iv, name, WOLFSSL_TICKET_NAME_SZ, ticket,
                                             (word32)size, ticket, mac);
        }
        return rc == 0 ? WOLFSSL_TICKET_RET_OK : WOLFSSL_TICKET_RET_REJECT;
    }
    if (memcmp(name, key_name, WOLFSSL_TICKET_NAME_SZ) != 0) {
        return WOLFSSL_TICKET_RET_REJECT;
    }
    rc = wc_ChaCha20Poly1305_Decrypt(key, iv, name, WOLFSSL_TICKET_NAME_SZ, ticket, (word32)size,
                                     mac, ticket);
    if (rc != 0) {
        return WOLFSSL_TICKET_RET_REJECT;
    }
    /* TLS 1.3 gives a new one with every handshake; 1.2 only when it is told to. */
    return wolfSSL_GetVersion(ssl) == WOLFSSL_TLSV1_3 ? WOLFSSL_TICKET_RET_OK
                                                      : WOLFSSL_TICKET_RET_CREATE;
}

enum ls_code session_serve(struct ls_tls_context *context, const struct ls_tls_server_wish *wish,
                           struct ls_error *err)
{
    WOLFSSL_CTX *ctx = context->ctx;
    enum ls_code code = LS_OK;

    if (!wish->tickets) {
        return wolfSSL_CTX_no_ticket_TLSv13(ctx) == 0 &&
                       wolfSSL_CTX_NoTicketTLSv12(ctx) == WOLFSSL_SUCCESS
                   ? LS_OK
                   : ls_error_set(err, LS_ETLS, "session tickets cannot be turned off");
    }
    if (wish->ticket_key != NULL) {
        memcpy(context->ticket_key, wish->ticket_key, sizeof context->ticket_key);
    } else {
        code = ls_random_bytes(context->ticket_key, sizeof context->ticket_key, err);
    }
    if (code != LS_OK) {
        return code;
    }
    if (wolfSSL_CTX_set_TicketEncCb(ctx, seal) != WOLFSSL_SUCCESS ||
        wolfSSL_CTX_set_TicketEncCtx(ctx, context->ticket_key) != WOLFSSL_SUCCESS ||
        wolfSSL_CTX_set_TicketHint(ctx, LIFETIME_S) != WOLFSSL_SUCCESS ||
        /* What it says to clients is one thing, what it takes itself another. */
        wolfSSL_CTX_set_timeout(ctx, LIFETIME_S) <= 0) {
        return ls_error_set(err, LS_ETLS, "session tickets cannot be turned on");
    }
    return LS_OK;
}

static int on_ticket(WOLFSSL *ssl, const unsigned char *ticket, int size, void *data)
{
    struct ls_tls_end *end = data;

    (void)ssl;
    (void)ticket;
    end->ticket = size > 0;
    return 0;
}

void session_listen(struct ls_tls_end *end)
{
    (void)wolfSSL_set_SessionTicket_cb(end->ssl, on_ticket, end);
}

/* In TLS 1.2 most servers give no new ticket to who comes with one: the client keeps that (RFC 5077,
 * 3.3), and so does its next connection. */
void session_keep(struct ls_tls_end *end)
{
    if (end->context->client && !end->tls13 && end->offered &&
        wolfSSL_session_reused(end->ssl) != 0) {
        end->ticket = true;
    }
}

/* The library's own object: a handle for it would be one more allocation a ticket. */
static WOLFSSL_SESSION *library_session(struct ls_tls_session *session)
{
    return (WOLFSSL_SESSION *)session;
}

void ls_tls_session_free(struct ls_tls_session *session)
{
    wolfSSL_SESSION_free(library_session(session));
}

bool ls_tls_end_has_ticket(const struct ls_tls_end *end)
{
    return end->ticket && end->secured;
}

/* A copy: the endpoint's own session changes with every ticket that comes, and with its next
 * handshake when it is offered. */
enum ls_code ls_tls_end_take_session(struct ls_tls_end *end, struct ls_tls_session **out,
                                     struct ls_error *err)
{
    WOLFSSL_SESSION *own;

    *out = NULL;
    if (!ls_tls_end_has_ticket(end)) {
        return LS_OK;
    }
    fault_forget();
    own = wolfSSL_get1_session(end->ssl);
    *out = (struct ls_tls_session *)wolfSSL_SESSION_dup(own);
    wolfSSL_SESSION_free(own);
    if (*out == NULL) {
        return ls_error_set(err, LS_ENOMEM, "TLS session: out of memory");
    }
    end->ticket = false;
    return LS_OK;
}

bool ls_tls_end_offer(struct ls_tls_end *end, struct ls_tls_session *session)
{
    fault_forget();
    end->offered = end->context->client &&
                   wolfSSL_set_session(end->ssl, library_session(session)) == WOLFSSL_SUCCESS;
    return end->offered;
}

bool ls_tls_end_offered(const struct ls_tls_end *end)
{
    return end->offered;
}
