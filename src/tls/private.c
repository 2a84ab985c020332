/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tls/load.h"

#include <stdlib.h>
#include <string.h>
#include <wolfssl/ssl.h>
#include <wolfssl/wolfcrypt/asn_public.h>

#include "tls/fault.h"
#include "tls/key.h"
#include "tls/pem.h"

#define CONVERT "`openssl pkcs8 -topk8 -v2 aes-256-cbc -in FILE -out FILE.new` converts it"

static bool holds(const unsigned char *der, size_t size, const char *oid, size_t oid_size)
{
    return memmem(der, size, oid, oid_size) != NULL;
}

/* The library cannot tell a wrong password from a cipher that it does not have; the names of those that it has stand in
 * the clear. */
static bool is_ours(const unsigned char *der, size_t size)
{
    static const char pbes2[] = "\x2a\x86\x48\x86\xf7\x0d\x01\x05\x0d";
    static const char pbkdf2[] = "\x2a\x86\x48\x86\xf7\x0d\x01\x05\x0c";
    static const char aes[] = "\x60\x86\x48\x01\x65\x03\x04\x01"; /* and one byte */
    const unsigned char *at = memmem(der, size, aes, sizeof aes - 1);
    const size_t next = at == NULL ? size : (size_t)(at - der) + sizeof aes - 1;

    return holds(der, size, pbes2, sizeof pbes2 - 1) &&
           holds(der, size, pbkdf2, sizeof pbkdf2 - 1) && next < size &&
           (der[next] == 0x02 || der[next] == 0x16 || der[next] == 0x2a); /* CBC of 128, 192, 256 */
}

static enum ls_code decrypt(char **out, const char *name, const struct pem_block *block,
                            const char *password, struct ls_error *err)
{
    unsigned char *der;
    size_t size;
    enum ls_code code;
    int rc;

    if (password == NULL) {
        return ls_error_set(err, LS_EINPUT,
                            "%s: is encrypted; say where its password is: password_file (its "
                            "first line) or password_env (a variable)",
                            name);
    }
    code = pem_decode(block, &der, &size, err);
    if (code != LS_OK) {
        return code == LS_ENOMEM ? code : ls_error_set(err, code, "%s: is no base64", name);
    }
    if (!is_ours(der, size)) {
        code = ls_error_set(err, LS_EINPUT,
                            "%s: is encrypted in a way that is not read here; " CONVERT, name);
    } else {
        rc = wc_DecryptPKCS8Key(der, (word32)size, password, (int)strlen(password));
        if (fault_is_memory(rc)) {
            code = ls_error_set(err, LS_ENOMEM, "%s: out of memory", name);
        } else if (rc <= 0 || rc > (int)size) {
            code = ls_error_set(err, LS_EINPUT, "%s: the password is wrong", name);
        } else {
            code = pem_of_der(out, der, rc, PKCS8_PRIVATEKEY_TYPE, err);
        }
    }
    explicit_bzero(der, size);
    free(der);
    return code;
}

static enum ls_code take(char **out, const char *name, const struct pem_block *block,
                         struct ls_error *err)
{
    if (pem_says(block, "Proc-Type: 4,ENCRYPTED") || pem_says(block, "DEK-Info:")) {
        return ls_error_set(err, LS_EINPUT,
                            "%s: is encrypted in the old way (Proc-Type: 4,ENCRYPTED), which is "
                            "not read here; " CONVERT,
                            name);
    }
    *out = malloc(block->size + 2);
    if (*out == NULL) {
        return ls_error_set(err, LS_ENOMEM, "%s: out of memory", name);
    }
    memcpy(*out, block->begin, block->size);
    memcpy(*out + block->size, "\n", 2);
    return LS_OK;
}

static enum ls_code say_what_it_is(const char *name, const char *text, struct ls_error *err)
{
    if ((unsigned char)text[0] == 0x30) {
        return ls_error_set(err, LS_EINPUT,
                            "%s: is binary (DER or PKCS#12), not PEM; `openssl pkey -inform DER "
                            "-in FILE -out FILE.pem` or `openssl pkcs12 -in FILE -nocerts -out "
                            "FILE.pem` converts it",
                            name);
    }
    return ls_error_set(err, LS_EINPUT,
                        "%s: no private key in PEM (-----BEGIN PRIVATE KEY-----) is in it", name);
}

enum ls_code private_parse(char **out, const char *name, const char *text, const char *password,
                           struct ls_error *err)
{
    struct pem_block block;
    size_t at = 0;

    *out = NULL;
    while (pem_next(text, &at, &block)) {
        const bool encrypted = pem_is(&block, "ENCRYPTED PRIVATE KEY");

        if (pem_is(&block, "OPENSSH PRIVATE KEY")) {
            return ls_error_set(err, LS_EINPUT,
                                "%s: is a key in OpenSSH's own form; `ssh-keygen -p -m PEM -f "
                                "FILE` converts it",
                                name);
        }
        if (!encrypted && !pem_is(&block, "PRIVATE KEY") && !pem_is(&block, "RSA PRIVATE KEY") &&
            !pem_is(&block, "EC PRIVATE KEY")) {
            continue;
        }
        if (!block.whole) {
            return ls_error_set(err, LS_EINPUT, "%s: the key has no end; is the file cut off?",
                                name);
        }
        return encrypted ? decrypt(out, name, &block, password, err) : take(out, name, &block, err);
    }
    return say_what_it_is(name, text, err);
}
