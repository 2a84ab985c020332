/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tls/load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "loginstorm/file.h"
#include "tls/chain.h"
#include "tls/fault.h"
#include "tls/key.h"
#include "tls/text.h"

/* A bundle of all the CAs that a system trusts has 200 kB. */
#define FILE_MAX (1 << 20)
#define PASSWORD_MAX 4096

static enum ls_code copy(char **out, const char *text, struct ls_error *err)
{
    *out = text_copy(text, strlen(text));
    return *out != NULL ? LS_OK : ls_error_set(err, LS_ENOMEM, "certificate: out of memory");
}

/* The chain as PEM again, without what else stood in the file: a private key, say. */
static enum ls_code put_chain(struct ls_identity *identity, const struct chain *chain,
                              struct ls_error *err)
{
    char *all = NULL;
    size_t used = 0;

    for (size_t i = 0; i < chain->count; i++) {
        char *one, *more;
        const enum ls_code code =
            pem_of_der(&one, chain->links[i].der, (int)chain->links[i].size, CERT_TYPE, err);
        size_t length;

        if (code != LS_OK) {
            free(all);
            return code;
        }
        length = strlen(one);
        more = realloc(all, used + length + 1);
        if (more == NULL) {
            free(one);
            free(all);
            return ls_error_set(err, LS_ENOMEM, "certificate chain: out of memory");
        }
        all = more;
        memcpy(all + used, one, length + 1);
        used += length;
        free(one);
    }
    identity->chain = all;
    return LS_OK;
}

static enum ls_code put_trust(struct ls_identity *identity, const struct chain *chain,
                              const char *trust, struct ls_error *err)
{
    const size_t last = chain->count - 1;

    if (trust != NULL) {
        return copy(&identity->trust, trust, err);
    }
    if (!chain_is_self_signed(chain, last)) {
        return LS_OK; /* a client that trusts an intermediate alone takes no chain that holds it */
    }
    return pem_of_der(&identity->trust, chain->links[last].der, (int)chain->links[last].size,
                      CERT_TYPE, err);
}

/* The library takes both, and they belong together. */
static enum ls_code check_key(const struct ls_identity *identity,
                              const struct ls_identity_files *files, struct ls_error *err)
{
    const unsigned char *key = (const unsigned char *)identity->private_key;
    WOLFSSL_CTX *ctx = wolfSSL_CTX_new(wolfSSLv23_server_method());
    enum ls_code code = LS_OK;

    if (ctx == NULL) {
        return ls_error_set(err, LS_ENOMEM, "certificate: out of memory");
    }
    if (wolfSSL_CTX_use_PrivateKey_buffer(ctx, key, (long)strlen(identity->private_key),
                                          WOLFSSL_FILETYPE_PEM) != WOLFSSL_SUCCESS) {
        code = fault_is_memory(0)
                   ? ls_error_set(err, LS_ENOMEM, "%s: out of memory", files->private_key)
                   : ls_error_set(err, LS_EINPUT,
                                  "%s: no key of a kind that is served here; RSA, ECDSA on P-256, "
                                  "P-384 or P-521, Ed25519 and ML-DSA are",
                                  files->private_key);
    }
    if (code == LS_OK) {
        const int rc = wolfSSL_CTX_use_certificate_chain_buffer(
            ctx, (const unsigned char *)identity->chain, (long)strlen(identity->chain));

        code = rc == WOLFSSL_SUCCESS ? LS_OK : fault(err, LS_EINPUT, rc, files->chain);
    }
    if (code == LS_OK && wolfSSL_CTX_check_private_key(ctx) != WOLFSSL_SUCCESS) {
        code = fault_is_memory(0)
                   ? ls_error_set(err, LS_ENOMEM, "%s: out of memory", files->private_key)
                   : ls_error_set(err, LS_EINPUT,
                                  "%s: does not belong to the first certificate of %s; are they "
                                  "of one request, and is the gateway's certificate first?",
                                  files->private_key, files->chain);
    }
    wolfSSL_CTX_free(ctx);
    return code;
}

static enum ls_code fill(struct ls_identity *identity, const struct load_texts *texts,
                         const struct chain *chain, struct ls_error *err)
{
    char word[KEY_WORD_MAX];
    enum ls_code code = chain_check(chain, time(NULL), err);

    if (code == LS_OK) {
        code = chain_verify(chain, texts->trust, texts->files->trust, err);
    }
    if (code == LS_OK) {
        code = chain_key(chain, word, err);
    }
    if (code == LS_OK) {
        code = copy(&identity->key, word, err);
    }
    if (code == LS_OK) {
        code = put_chain(identity, chain, err);
    }
    if (code == LS_OK) {
        code = put_trust(identity, chain, texts->trust, err);
    }
    if (code == LS_OK) {
        code = private_parse(&identity->private_key, texts->files->private_key, texts->private_key,
                             texts->password, err);
    }
    return code == LS_OK ? check_key(identity, texts->files, err) : code;
}

enum ls_code load_identity(struct ls_identity **out, const struct load_texts *texts,
                           struct ls_error *err)
{
    struct ls_identity *identity;
    struct chain chain;
    enum ls_code code;

    fault_forget();
    code = chain_parse(&chain, texts->files->chain, texts->chain, err);
    if (code != LS_OK) {
        return code;
    }
    identity = calloc(1, sizeof *identity);
    if (identity == NULL) {
        code = ls_error_set(err, LS_ENOMEM, "certificate: out of memory");
    } else {
        code = fill(identity, texts, &chain, err);
    }
    chain_free(&chain);
    if (code != LS_OK) {
        ls_identity_free(identity);
        return code;
    }
    *out = identity;
    return LS_OK;
}

/* What a file holds, or a variable: wiped when it is let go. */
struct piece {
    char *text;
    size_t size;
};

static enum ls_code read_piece(struct piece *piece, const char *path, size_t limit,
                               struct ls_error *err)
{
    return ls_file_read(path, limit, &piece->text, &piece->size, err);
}

static void forget(struct piece *piece)
{
    if (piece->text != NULL) {
        explicit_bzero(piece->text, piece->size);
        free(piece->text);
    }
}

/* NULL where there is none. */
static enum ls_code read_password(struct piece *password, const struct ls_identity_files *files,
                                  struct ls_error *err)
{
    const char *value;
    enum ls_code code;

    if (files->password_file != NULL) {
        code = read_piece(password, files->password_file, PASSWORD_MAX, err);
        if (code == LS_OK) {
            password->text[strcspn(password->text, "\r\n")] = '\0';
        }
        return code;
    }
    if (files->password_env == NULL) {
        return LS_OK;
    }
    value = getenv(files->password_env);
    if (value == NULL) {
        return ls_error_set(err, LS_EINPUT,
                            "password_env: the variable %s, which should hold the password of %s, "
                            "is not set",
                            files->password_env, files->private_key);
    }
    password->size = strlen(value);
    return copy(&password->text, value, err);
}

static bool is_exposed(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && S_ISREG(info.st_mode) && (info.st_mode & (mode_t)S_IROTH) != 0;
}

enum ls_code ls_identity_load(struct ls_identity **out, const struct ls_identity_files *files,
                              struct ls_error *err)
{
    struct piece chain = {0}, key = {0}, trust = {0}, password = {0};
    enum ls_code code = read_piece(&chain, files->chain, FILE_MAX, err);

    if (code == LS_OK) {
        code = read_piece(&key, files->private_key, FILE_MAX, err);
    }
    if (code == LS_OK && files->trust != NULL) {
        code = read_piece(&trust, files->trust, FILE_MAX, err);
    }
    if (code == LS_OK) {
        code = read_password(&password, files, err);
    }
    if (code == LS_OK) {
        const struct load_texts texts = {.chain = chain.text,
                                         .private_key = key.text,
                                         .trust = trust.text,
                                         .password = password.text,
                                         .files = files};

        code = load_identity(out, &texts, err);
    }
    if (code == LS_OK) {
        (*out)->exposed = is_exposed(files->private_key);
    }
    forget(&chain);
    forget(&key);
    forget(&trust);
    forget(&password);
    return code;
}
