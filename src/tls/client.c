/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/tls.h"

#include <stdlib.h>
#include <string.h>

#include "loginstorm/name.h"
#include "tls/context.h"
#include "tls/fault.h"
#include "tls/text.h"
#include "tls/words.h"

/* Every cipher of the table at once, with colons, takes less. */
#define CIPHER_LIST_MAX 512
#define ALPN_MAX 200

static const char *versions_of(const struct ls_tls_client_wish *wish)
{
    if (wish->tls12 && wish->tls13) {
        return "TLS 1.2 and 1.3";
    }
    return wish->tls12 ? "TLS 1.2" : "TLS 1.3";
}

static enum ls_code find_group(const struct group_word **out, const char *word,
                               struct ls_error *err)
{
    *out = group_of_word(word);
    if (*out == NULL) {
        return ls_error_set(err, LS_EINPUT,
                            "unknown group %s; there are X25519, P-256, P-384, P-521, "
                            "X25519MLKEM768, SecP256r1MLKEM768, SecP384r1MLKEM1024 and ffdhe2048",
                            word);
    }
    return LS_OK;
}

static size_t find_number(const int *numbers, size_t count, int number)
{
    size_t i = 0;

    while (i < count && numbers[i] != number) {
        i++;
    }
    return i;
}

/* Fills numbers in the wish's order. */
static enum ls_code read_groups(const struct ls_tls_client_wish *wish, int numbers[GROUPS_MAX],
                                size_t *count, struct ls_error *err)
{
    bool for12 = false;

    *count = 0;
    for (const char *const *word = wish->groups; word != NULL && *word != NULL; word++) {
        const struct group_word *group;
        const enum ls_code code = find_group(&group, *word, err);

        if (code != LS_OK) {
            return code;
        }
        if (group->only13 && !wish->tls13) {
            return ls_error_set(err, LS_EINPUT,
                                "group %s exists only in TLS 1.3, and only TLS 1.2 is offered",
                                group->word);
        }
        if (find_number(numbers, *count, group->number) < *count) {
            return ls_error_set(err, LS_EINPUT, "group %s stands twice in the list", group->word);
        }
        if (*count == GROUPS_MAX) {
            return ls_error_set(err, LS_EINPUT, "more than %d groups", GROUPS_MAX);
        }
        numbers[(*count)++] = group->number;
        for12 |= !group->only13;
    }
    if (*count == 0) {
        return ls_error_set(err, LS_EINPUT, "no group is offered");
    }
    if (wish->tls12 && !for12) {
        return ls_error_set(err, LS_EINPUT,
                            "TLS 1.2 is offered, but all of the groups exist only in TLS 1.3");
    }
    return LS_OK;
}

/* RFC 8446 wants the shares in the order of the groups. */
static enum ls_code read_key_shares(struct ls_tls_context *context,
                                    const struct ls_tls_client_wish *wish, const int *numbers,
                                    size_t count, struct ls_error *err)
{
    bool wanted[GROUPS_MAX] = {false};

    if (wish->key_shares == NULL || wish->key_shares[0] == NULL) {
        wanted[0] = true;
    }
    for (const char *const *word = wish->key_shares; word != NULL && *word != NULL; word++) {
        const struct group_word *group;
        const enum ls_code code = find_group(&group, *word, err);
        size_t at;

        if (code != LS_OK) {
            return code;
        }
        at = find_number(numbers, count, group->number);
        if (at == count) {
            return ls_error_set(err, LS_EINPUT, "a key share for %s, which is not among the groups",
                                group->word);
        }
        wanted[at] = true;
    }
    for (size_t i = 0; wish->tls13 && i < count; i++) {
        if (wanted[i]) {
            context->key_shares[context->key_shares_count++] = (uint16_t)numbers[i];
        }
    }
    return LS_OK;
}

static enum ls_code set_groups(struct ls_tls_context *context,
                               const struct ls_tls_client_wish *wish, struct ls_error *err)
{
    int numbers[GROUPS_MAX];
    size_t count;
    enum ls_code code = read_groups(wish, numbers, &count, err);

    if (code == LS_OK) {
        code = read_key_shares(context, wish, numbers, count, err);
    }
    if (code != LS_OK) {
        return code;
    }
    for (size_t i = 0; i < count; i++) {
        const int rc = wolfSSL_CTX_UseSupportedCurve(context->ctx, (word16)numbers[i]);

        if (rc != WOLFSSL_SUCCESS) {
            return fault(err, LS_ETLS, rc, "TLS groups");
        }
    }
    return LS_OK;
}

struct cipher_list {
    char text[CIPHER_LIST_MAX];
    size_t length;
    bool tls12, tls13; /* holds a cipher of it */
};

static enum ls_code add_cipher(struct cipher_list *list, const struct cipher_word *cipher,
                               struct ls_error *err)
{
    const size_t length = strlen(cipher->library);

    if (list->length + length + 2 > sizeof list->text) {
        return ls_error_set(err, LS_EINPUT, "too many ciphers");
    }
    if (list->length > 0) {
        list->text[list->length++] = ':';
    }
    memcpy(list->text + list->length, cipher->library, length + 1);
    list->length += length;
    list->tls13 |= cipher->only13;
    list->tls12 |= !cipher->only13;
    return LS_OK;
}

static enum ls_code read_ciphers(struct cipher_list *list, const struct ls_tls_client_wish *wish,
                                 struct ls_error *err)
{
    enum ls_code code = LS_OK;

    if (wish->ciphers == NULL || wish->ciphers[0] == NULL) {
        for (size_t i = 0; code == LS_OK && i < cipher_words_count; i++) {
            const struct cipher_word *c = &cipher_words[i];

            if (c->defaults && (c->only13 ? wish->tls13 : wish->tls12)) {
                code = add_cipher(list, c, err);
            }
        }
        return code;
    }
    for (const char *const *word = wish->ciphers; code == LS_OK && *word != NULL; word++) {
        const struct cipher_word *c = cipher_of_word(*word);

        if (c == NULL) {
            return ls_error_set(err, LS_EINPUT, "unknown cipher %s", *word);
        }
        if (!(c->only13 ? wish->tls13 : wish->tls12)) {
            return ls_error_set(err, LS_EINPUT, "cipher %s is of TLS %s, and only %s is offered",
                                c->word, c->only13 ? "1.3" : "1.2", versions_of(wish));
        }
        code = add_cipher(list, c, err);
    }
    return code;
}

static enum ls_code set_ciphers(WOLFSSL_CTX *ctx, const struct ls_tls_client_wish *wish,
                                struct ls_error *err)
{
    struct cipher_list list = {.length = 0};
    const enum ls_code code = read_ciphers(&list, wish, err);

    if (code != LS_OK) {
        return code;
    }
    if ((wish->tls12 && !list.tls12) || (wish->tls13 && !list.tls13)) {
        const char *missing = list.tls12 ? "1.3" : "1.2";

        return ls_error_set(err, LS_EINPUT,
                            "TLS %s is offered, but none of the ciphers is of TLS %s", missing,
                            missing);
    }
    if (wolfSSL_CTX_set_cipher_list(ctx, list.text) != WOLFSSL_SUCCESS) {
        return fault(err, LS_ETLS, BAD_FUNC_ARG, "TLS ciphers");
    }
    return LS_OK;
}

static enum ls_code set_server_name(struct ls_tls_context *context,
                                    const struct ls_tls_client_wish *wish, struct ls_error *err)
{
    const bool check = wish->check == LS_CHECK_CHAIN;
    const char *refusal =
        ls_name_refusal(wish->server_name, check ? LS_NAME_CHECKED : LS_NAME_ASKED);
    int rc;

    if (refusal != NULL) {
        return ls_error_set(err, LS_EINPUT, "the server name \"%.260s\" %s", wish->server_name,
                            refusal);
    }
    context->name_is_address = ls_name_is_address(wish->server_name);
    if (check) {
        context->check_name = text_copy(wish->server_name, strlen(wish->server_name));
        if (context->check_name == NULL) {
            return ls_error_set(err, LS_ENOMEM, "server name: out of memory");
        }
    }
    if (context->name_is_address) {
        return LS_OK; /* RFC 6066: SNI carries no addresses */
    }
    rc = wolfSSL_CTX_UseSNI(context->ctx, WOLFSSL_SNI_HOST_NAME, wish->server_name,
                            (unsigned short)strlen(wish->server_name));
    return rc == WOLFSSL_SUCCESS ? LS_OK : fault(err, LS_ETLS, rc, "server name");
}

static enum ls_code set_check(struct ls_tls_context *context, const struct ls_tls_client_wish *wish,
                              struct ls_error *err)
{
    int rc;

    if (wish->check != LS_CHECK_CHAIN) {
        wolfSSL_CTX_set_verify(context->ctx, WOLFSSL_VERIFY_NONE, NULL);
        return LS_OK;
    }
    if (wish->trust == NULL) {
        return ls_error_set(err, LS_EINPUT, "a chain is to be checked, but no issuer is trusted");
    }
    wolfSSL_CTX_set_verify(context->ctx, WOLFSSL_VERIFY_PEER, NULL);
    rc = wolfSSL_CTX_load_verify_buffer(context->ctx, (const unsigned char *)wish->trust,
                                        (long)strlen(wish->trust), WOLFSSL_FILETYPE_PEM);
    if (rc != WOLFSSL_SUCCESS) {
        return fault(err, LS_EINPUT, rc, "the trusted issuer's certificate");
    }
    return LS_OK;
}

/* The library wants them as a text with commas, once an endpoint. */
static enum ls_code set_alpn(struct ls_tls_context *context, const struct ls_tls_client_wish *wish,
                             struct ls_error *err)
{
    char list[ALPN_MAX + 2];
    size_t used = 0;

    for (const char *const *word = wish->alpn; word != NULL && *word != NULL; word++) {
        const size_t length = strlen(*word);

        if (length == 0 || used + length + 1 > ALPN_MAX || strchr(*word, ',') != NULL) {
            return ls_error_set(err, LS_EINPUT, "the protocol \"%.40s\" cannot be offered by ALPN",
                                *word);
        }
        if (used > 0) {
            list[used++] = ',';
        }
        memcpy(list + used, *word, length);
        used += length;
    }
    if (used == 0) {
        return LS_OK;
    }
    context->alpn = text_copy(list, used);
    return context->alpn != NULL ? LS_OK
                                 : ls_error_set(err, LS_ENOMEM, "TLS context: out of memory");
}

static WOLFSSL_METHOD *method_of(const struct ls_tls_client_wish *wish)
{
    if (wish->tls12 && wish->tls13) {
        return wolfSSLv23_client_method();
    }
    return wish->tls13 ? wolfTLSv1_3_client_method() : wolfTLSv1_2_client_method();
}

static enum ls_code set_up(struct ls_tls_context *context, const struct ls_tls_client_wish *wish,
                           struct ls_error *err)
{
    enum ls_code code;

    if (!wish->tls12 && !wish->tls13) {
        return ls_error_set(err, LS_EINPUT, "no version of TLS is offered");
    }
    context->client = true;
    code = context_init(context, method_of(wish), err);
    if (code != LS_OK) {
        return code;
    }
    if (wish->tls12) {
        (void)wolfSSL_CTX_SetMinVersion(context->ctx, WOLFSSL_TLSV1_2);
    }
    if (wish->tls12 && wish->tickets &&
        wolfSSL_CTX_UseSessionTicket(context->ctx) != WOLFSSL_SUCCESS) {
        return ls_error_set(err, LS_ENOMEM, "TLS context: out of memory");
    }
    code = set_groups(context, wish, err);
    if (code == LS_OK) {
        code = set_ciphers(context->ctx, wish, err);
    }
    if (code == LS_OK && wish->server_name != NULL) {
        code = set_server_name(context, wish, err);
    }
    if (code == LS_OK) {
        code = set_alpn(context, wish, err);
    }
    if (code == LS_OK && wish->identity != NULL) {
        code = context_show(context->ctx, wish->identity, err);
    }
    context->looks = wish->looks;
    return code == LS_OK ? set_check(context, wish, err) : code;
}

enum ls_code ls_tls_client_new(struct ls_tls_context **out, const struct ls_tls_client_wish *wish,
                               struct ls_error *err)
{
    struct ls_tls_context *context = calloc(1, sizeof *context);
    enum ls_code code;

    if (context == NULL) {
        return ls_error_set(err, LS_ENOMEM, "TLS context: out of memory");
    }
    fault_forget();
    code = set_up(context, wish, err);
    if (code != LS_OK) {
        ls_tls_context_free(context);
        return code;
    }
    *out = context;
    return LS_OK;
}
