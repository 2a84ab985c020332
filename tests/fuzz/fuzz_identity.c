/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Certificates and keys from a user's files. An input is three texts, with a line of three equals signs between them: the
 * chain, the private key, whom to trust (nothing: nobody named). A key is never decrypted here: how long that takes is what the
 * file says.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tls/load.h"

#define PARTS 3
#define BORDER "===\n"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int held)
{
    if (!held) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct ls_identity_files files = {
        .chain = "chain.pem", .private_key = "key.pem", .trust = "trust.pem"};
    struct load_texts texts = {.files = &files};
    const char *parts[PARTS] = {"", "", NULL};
    struct ls_identity *identity = NULL;
    struct ls_error err = {0};
    char *text = malloc(size + 1);
    char *at = text;

    must(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    for (size_t i = 0; i < PARTS && at != NULL; i++) {
        char *border = strstr(at, BORDER);

        parts[i] = at;
        at = border == NULL ? NULL : border + strlen(BORDER);
        if (border != NULL) {
            *border = '\0';
        }
    }
    texts.chain = parts[0];
    texts.private_key = parts[1];
    texts.trust = parts[2];
    if (load_identity(&identity, &texts, &err) == LS_OK) {
        struct ls_tls_context *context;
        bool fits;

        must(identity->key[0] != '\0' && strchr(identity->chain, '=') != identity->chain);
        must(ls_identity_fits(identity, "a.example", &fits, &err) == LS_OK);
        must(ls_tls_server_new(&context, &(struct ls_tls_server_wish){.identity = identity},
                               &err) == LS_OK);
        ls_tls_context_free(context);
        ls_identity_free(identity);
    } else {
        must(identity == NULL && err.code == LS_EINPUT && err.text[0] != '\0');
    }
    free(text);
    return 0;
}
