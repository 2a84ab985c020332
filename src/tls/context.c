/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tls/context.h"

#include <stdlib.h>
#include <string.h>

#include "tls/fault.h"
#include "tls/names.h"
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

enum ls_code context_show(WOLFSSL_CTX *ctx, const struct ls_identity *identity,
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
                                  const struct ls_tls_server_wish *wish,
                                  const struct ls_identity *identity, struct ls_error *err)
{
    enum ls_code code = context_init(context, wolfSSLv23_server_method(), err);

    if (code == LS_OK) {
        code = context_show(context->ctx, identity, err);
    }
    if (code == LS_OK) {
        code = set_server_groups(context->ctx, err);
    }
    if (code != LS_OK) {
        return code;
    }
    (void)wolfSSL_CTX_SetMinVersion(context->ctx, WOLFSSL_TLSV1_2);
    wolfSSL_CTX_set_verify(context->ctx, WOLFSSL_VERIFY_NONE, NULL);
    return session_serve(context, wish, err);
}

static enum ls_code new_server(struct ls_tls_context **out, const struct ls_tls_server_wish *wish,
                               const struct ls_identity *identity, struct ls_error *err)
{
    struct ls_tls_context *context = calloc(1, sizeof *context);
    enum ls_code code;

    if (context == NULL) {
        return ls_error_set(err, LS_ENOMEM, "TLS context: out of memory");
    }
    code = set_up_server(context, wish, identity, err);
    if (code == LS_OK && wish->others_count > 0) {
        code = names_of(&context->names, identity->chain, err);
    }
    if (code != LS_OK) {
        ls_tls_context_free(context);
        return code;
    }
    *out = context;
    return LS_OK;
}

enum ls_code ls_tls_server_new(struct ls_tls_context **out, const struct ls_tls_server_wish *wish,
                               struct ls_error *err)
{
    struct ls_tls_context *first;
    struct ls_tls_context **last;
    enum ls_code code;

    fault_forget();
    code = new_server(&first, wish, wish->identity, err);
    if (code != LS_OK) {
        return code;
    }
    last = &first->next;
    for (size_t i = 0; code == LS_OK && i < wish->others_count; i++) {
        code = new_server(last, wish, wish->others[i], err);
        if (code == LS_OK) {
            last = &(*last)->next;
        }
    }
    if (code != LS_OK) {
        ls_tls_context_free(first);
        return code;
    }
    *out = first;
    return LS_OK;
}

void ls_tls_context_free(struct ls_tls_context *context)
{
    while (context != NULL) {
        struct ls_tls_context *next = context->next;

        wolfSSL_CTX_free(context->ctx);
        names_free(context->names);
        free(context->check_name);
        free(context->alpn);
        free(context);
        context = next;
    }
}
