/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tls/context.h"

#include <stdlib.h>
#include <string.h>

#include "tls/fault.h"
#include "tls/words.h"

enum ls_code context_init(struct ls_tls_context *context, WOLFSSL_METHOD *method,
                          struct ls_error *err)
{
    WOLFSSL_CTX *ctx;

    if (method == NULL) {
        return ls_error_set(err, LS_ENOMEM, "TLS context: out of memory");
    }
    ctx = wolfSSL_CTX_new(method); /* takes the method, also when it fails */
    if (ctx == NULL) {
        return ls_error_set(err, LS_ENOMEM, "TLS context: out of memory");
    }
    context->ctx = ctx;
#ifdef SINGLE_THREADED
    /* One generator for all endpoints of the context: seeding one for each costs 7 us. */
    if (wolfSSL_CTX_new_rng(ctx) != WOLFSSL_SUCCESS) {
        return ls_error_set(err, LS_ENOMEM, "TLS context: no random numbers");
    }
#endif
    wolfSSL_CTX_SetIORecv(ctx, end_receive);
    wolfSSL_CTX_SetIOSend(ctx, end_send);
    (void)wolfSSL_CTX_set_group_messages(ctx);
    (void)wolfSSL_CTX_set_session_cache_mode(ctx, WOLFSSL_SESS_CACHE_OFF);
    /* A resumption without a key exchange is nothing that browsers or clients of today offer. */
    (void)wolfSSL_CTX_only_dhe_psk(ctx);
    return LS_OK;
}

static enum ls_code load_identity(WOLFSSL_CTX *ctx, const struct ls_identity *identity,
                                  struct ls_error *err)
{
    int rc = wolfSSL_CTX_use_certificate_chain_buffer(ctx, (const unsigned char *)identity->chain,
                                                      (long)strlen(identity->chain));

    if (rc == WOLFSSL_SUCCESS) {
        rc = wolfSSL_CTX_use_PrivateKey_buffer(ctx, (const unsigned char *)identity->private_key,
                                               (long)strlen(identity->private_key),
                                               WOLFSSL_FILETYPE_PEM);
    }
    if (rc != WOLFSSL_SUCCESS) {
        return fault(err, LS_EINPUT, rc, "certificate and private key");
    }
    rc = wolfSSL_CTX_check_private_key(ctx);
    if (rc != WOLFSSL_SUCCESS) {
        return fault(err, LS_EINPUT, WC_KEY_MISMATCH_E, "certificate and private key");
    }
    return LS_OK;
}

static enum ls_code set_server_groups(WOLFSSL_CTX *ctx, struct ls_error *err)
{
    int groups[GROUPS_MAX];
    int count = 0;

    for (size_t i = 0; i < group_words_count; i++) {
        if (group_words[i].server) {
            groups[count++] = group_words[i].number;
        }
    }
    if (wolfSSL_CTX_set_groups(ctx, groups, count) != WOLFSSL_SUCCESS) {
        return ls_error_set(err, LS_ENOMEM, "TLS groups: out of memory");
    }
    return LS_OK;
}

static enum ls_code set_up_server(struct ls_tls_context *context,
                                  const struct ls_identity *identity, bool tickets,
                                  struct ls_error *err)
{
    enum ls_code code = context_init(context, wolfSSLv23_server_method(), err);

    if (code == LS_OK) {
        code = load_identity(context->ctx, identity, err);
    }
    if (code == LS_OK) {
        code = set_server_groups(context->ctx, err);
    }
    if (code != LS_OK) {
        return code;
    }
    (void)wolfSSL_CTX_SetMinVersion(context->ctx, WOLFSSL_TLSV1_2);
    wolfSSL_CTX_set_verify(context->ctx, WOLFSSL_VERIFY_NONE, NULL);
    if (!tickets && (wolfSSL_CTX_no_ticket_TLSv13(context->ctx) != 0 ||
                     wolfSSL_CTX_NoTicketTLSv12(context->ctx) != WOLFSSL_SUCCESS)) {
        return ls_error_set(err, LS_ETLS, "session tickets cannot be turned off");
    }
    return LS_OK;
}

enum ls_code ls_tls_server_new(struct ls_tls_context **out, const struct ls_identity *identity,
                               bool tickets, struct ls_error *err)
{
    struct ls_tls_context *context = calloc(1, sizeof *context);
    enum ls_code code;

    if (context == NULL) {
        return ls_error_set(err, LS_ENOMEM, "TLS context: out of memory");
    }
    fault_forget();
    code = set_up_server(context, identity, tickets, err);
    if (code != LS_OK) {
        ls_tls_context_free(context);
        return code;
    }
    *out = context;
    return LS_OK;
}

void ls_tls_context_free(struct ls_tls_context *context)
{
    if (context == NULL) {
        return;
    }
    wolfSSL_CTX_free(context->ctx);
    free(context->check_name);
    free(context);
}
