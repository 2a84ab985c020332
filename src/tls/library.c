/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/tls.h"

#include <stdio.h>
#include <wolfssl/ssl.h>
#include <wolfssl/version.h>
#include <wolfssl/wolfcrypt/sha256.h>

enum ls_code ls_tls_start(struct ls_error *err)
{
    if (wolfSSL_Init() != WOLFSSL_SUCCESS) {
        return ls_error_set(err, LS_ETLS, "the TLS library cannot be started");
    }
    return LS_OK;
}

void ls_tls_stop(void)
{
    (void)wolfSSL_Cleanup();
}

const char *ls_tls_library(void)
{
    return "wolfSSL " LIBWOLFSSL_VERSION_STRING;
}

const char *ls_tls_build(void)
{
    return LS_TLS_BUILD;
}

enum ls_code ls_tls_sha256(const void *data, size_t size, char hex[65], struct ls_error *err)
{
    const unsigned char *p = data;
    unsigned char hash[WC_SHA256_DIGEST_SIZE];
    wc_Sha256 sha;
    int rc = wc_InitSha256(&sha);

    if (rc == 0) {
        /* The library counts in 32 bits. */
        while (rc == 0 && size > 0) {
            const word32 part = size > 0x40000000 ? 0x40000000 : (word32)size;

            rc = wc_Sha256Update(&sha, p, part);
            p += part;
            size -= part;
        }
        if (rc == 0) {
            rc = wc_Sha256Final(&sha, hash);
        }
        wc_Sha256Free(&sha);
    }
    if (rc != 0) {
        return ls_error_set(err, LS_ETLS, "SHA-256: the TLS library's error %d", rc);
    }
    for (size_t i = 0; i < sizeof hash; i++) {
        (void)snprintf(hex + 2 * i, 3, "%02x", hash[i]);
    }
    return LS_OK;
}
