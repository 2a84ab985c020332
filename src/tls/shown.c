/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tls/shown.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tls/chain.h"
#include "tls/fault.h"
#include "tls/key.h"
#include "tls/names.h"

static bool add(struct ls_tls_end *end, const WOLFSSL_BUFFER_INFO *cert)
{
    const size_t before = end->shown == NULL ? 0 : strlen(end->shown);
    struct ls_error ignored;
    char *one, *all;

    if (pem_of_der(&one, cert->buffer, (int)cert->length, CERT_TYPE, &ignored) != LS_OK) {
        return false;
    }
    all = realloc(end->shown, before + strlen(one) + 1);
    if (all != NULL) {
        memcpy(all + before, one, strlen(one) + 1);
        end->shown = all;
    }
    free(one);
    return all != NULL;
}

/* Nobody is trusted, so the library asks of each certificate, from the last one on, with all of them
 * at hand. */
static int on_verify(int trusted, WOLFSSL_X509_STORE_CTX *store)
{
    struct ls_tls_end *end = store->userCtx;
    const bool first = end->shown == NULL;

    (void)trusted;
    for (int i = 0; first && !end->no_memory && i < store->totalCerts; i++) {
        end->no_memory = !add(end, &store->certs[i]);
    }
    if (end->no_memory) {
        free(end->shown); /* half of it would be told as all */
        end->shown = NULL;
    }
    return 1;
}

void shown_listen(struct ls_tls_end *end)
{
    wolfSSL_set_verify(end->ssl, WOLFSSL_VERIFY_PEER, on_verify);
    wolfSSL_SetCertCbCtx(end->ssl, end);
}

/* Nothing that a terminal would obey, and no half of a character that was cut. */
static void make_plain(char *text)
{
    for (char *c = text; *c != '\0'; c++) {
        if (*c < ' ' || *c == 0x7f) {
            *c = '?';
        }
    }
}

/* "a.example, b.example and 3 more". The library has them in the reverse of the certificate's order. */
static void put_names(char *out, size_t size, char *const *names)
{
    size_t count = 0, used = 0;

    while (names[count] != NULL) {
        count++;
    }
    out[0] = '\0';
    for (; count > 0; count--) {
        const char *name = names[count - 1];

        if (used > 0 && used + strlen(name) + sizeof ", and 999 more" > size) {
            (void)snprintf(out + used, size - used, " and %zu more", count);
            break;
        }
        (void)snprintf(out + used, size - used, "%s%s", used > 0 ? ", " : "", name);
        used = strlen(out);
    }
    make_plain(out);
}

/* The common name of "/C=DE/O=Corp/CN=Corp CA", or all of it. */
static void put_issuer(char *out, size_t size, const char *issuer)
{
    const char *name = strstr(issuer, "/CN=");
    const char *begin = name == NULL ? issuer : name + 4;

    (void)snprintf(out, size, "%.*s", (int)(name == NULL ? strlen(begin) : strcspn(begin, "/")),
                   begin);
    make_plain(out);
}

static enum ls_code describe(struct ls_tls_shown *out, const struct chain *chain, const char *pem,
                             struct ls_error *err)
{
    struct ls_error ignored;
    char word[KEY_WORD_MAX], **names;
    time_t from = 0, until = 0;
    enum ls_code code = names_of(&names, pem, err);

    if (code != LS_OK) {
        return code;
    }
    put_names(out->names, sizeof out->names, names);
    names_free(names);
    if (chain_key(chain, word, &ignored) == LS_OK) {
        (void)snprintf(out->key, sizeof out->key, "%s", word);
    }
    put_issuer(out->issuer, sizeof out->issuer, chain->links[0].cert->issuer);
    if (chain_dates(chain, 0, &from, &until)) {
        out->from_s = from;
        out->until_s = until;
    }
    out->self_signed = chain_is_self_signed(chain, 0);
    out->chain_length = (int)chain->count;
    return LS_OK;
}

enum ls_code shown_describe(struct ls_tls_shown *out, const char *pem, struct ls_error *err)
{
    struct chain chain;
    enum ls_code code = chain_parse(&chain, "what it shows", pem, err);

    *out = (struct ls_tls_shown){.chain_length = 0};
    if (code != LS_OK) {
        return code;
    }
    code = describe(out, &chain, pem, err);
    chain_free(&chain);
    return code;
}

enum ls_code ls_tls_end_shown(const struct ls_tls_end *end, struct ls_tls_shown *out,
                              struct ls_error *err)
{
    fault_forget();
    if (end->no_memory) {
        return ls_error_set(err, LS_ENOMEM, "what it shows: out of memory");
    }
    if (end->shown == NULL) {
        return ls_error_set(err, LS_EINPUT, "no certificate was shown");
    }
    return shown_describe(out, end->shown, err);
}
