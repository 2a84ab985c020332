/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One handshake in memory: what a client says to a certificate is known before anybody is told to log in. */
#include <wolfssl/error-ssl.h>
#include <wolfssl/wolfcrypt/error-crypt.h>

#include "loginstorm/tls.h"
#include "tls/end.h"

/* A hello retry needs two flights more than a handshake; none needs as many. */
#define FLIGHTS_MAX 16

static const char *remedy_of(int number)
{
    switch (number) {
    case EXTKEYUSE_AUTH_E:
        return "; have it issued with serverAuth in its extendedKeyUsage";
    case KEYUSE_SIGNATURE_E:
        return "; have it issued with digitalSignature in its keyUsage";
    case NOT_CA_ERROR:
        return "; each issuer in the chain needs basicConstraints CA:TRUE and keyCertSign in its "
               "keyUsage";
    default:
        return "";
    }
}

static void hand_over(struct ls_tls_end *to, struct ls_bytes *in, struct ls_bytes *out,
                      struct ls_bytes *plain)
{
    (void)ls_tls_end_step(to, ls_bytes_front(in), ls_bytes_size(in), out, plain);
    ls_bytes_drop(in, ls_bytes_size(in));
}

static enum ls_code judge(const struct ls_tls_end *client, const struct ls_tls_end *server,
                          struct ls_error *err)
{
    const bool by_server =
        ls_tls_end_state(client) != LS_TLS_FAILED || ls_tls_end_why(client) == LS_WHY_ALERT;
    struct ls_tls_facts facts;

    if (ls_tls_end_was_secured(client) && ls_tls_end_was_secured(server)) {
        return LS_OK;
    }
    if (ls_tls_end_why(client) == LS_WHY_MEMORY || ls_tls_end_why(server) == LS_WHY_MEMORY) {
        return ls_error_set(err, LS_ENOMEM, "a handshake as a trial: out of memory");
    }
    ls_tls_end_facts(by_server ? server : client, &facts);
    return ls_error_set(err, LS_EINPUT, "%s%s", facts.text, remedy_of(facts.error));
}

static enum ls_code shake(struct ls_tls_context *for_client, struct ls_tls_context *for_server,
                          struct ls_error *err)
{
    struct ls_tls_end *client, *server;
    struct ls_bytes up = {0}, down = {0}, plain = {0};
    enum ls_code code = ls_tls_end_new(&client, for_client, err);

    if (code != LS_OK) {
        return code;
    }
    code = ls_tls_end_new(&server, for_server, err);
    if (code != LS_OK) {
        ls_tls_end_free(client);
        return code;
    }
    for (size_t i = 0; i == 0 || (ls_bytes_size(&down) > 0 && i < FLIGHTS_MAX); i++) {
        hand_over(client, &down, &up, &plain);
        hand_over(server, &up, &down, &plain);
    }
    code = judge(client, server, err);
    ls_tls_end_free(client);
    ls_tls_end_free(server);
    ls_bytes_free(&up);
    ls_bytes_free(&down);
    ls_bytes_free(&plain);
    return code;
}

enum ls_code ls_identity_try(const struct ls_identity *identity,
                             const struct ls_tls_client_wish *wish, struct ls_error *err)
{
    struct ls_tls_context *client, *server;
    enum ls_code code =
        ls_tls_server_new(&server, &(struct ls_tls_server_wish){.identity = identity}, err);

    if (code != LS_OK) {
        return code;
    }
    code = ls_tls_client_new(&client, wish, err);
    if (code == LS_OK) {
        code = shake(client, server, err);
        ls_tls_context_free(client);
    }
    ls_tls_context_free(server);
    return code;
}
