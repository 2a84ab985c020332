/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TLS_CHAIN_H
#define TLS_CHAIN_H

/*
 * A certificate chain from a file, looked at as closely as an administrator would: each message names the file, which
 * certificate of it, and what to do. The caller's `name` is the file's.
 */

#include <stdbool.h>
#include <stddef.h>
#include <time.h>
#include <wolfssl/ssl.h>
#include <wolfssl/wolfcrypt/asn.h>

#include "loginstorm/error.h"

/* The library serves and takes nine. */
#define CHAIN_MAX 9
#define KEY_WORD_MAX 24
#define WHO_MAX 96

struct link {
    unsigned char *der;
    size_t size;
    DecodedCert *cert;
};

struct chain {
    const char *name;
    struct link links[CHAIN_MAX]; /* leaf first */
    size_t count;
};

/* Reads PEM; chain_free after success only. */
LS_MUST_CHECK
enum ls_code chain_parse(struct chain *chain, const char *name, const char *text,
                         struct ls_error *err);
/* Sets the error for a text without a certificate: LS_EINPUT. */
enum ls_code chain_none(const char *name, const char *text, struct ls_error *err);
void chain_free(struct chain *chain);

/* In order, of today, and strong enough. */
LS_MUST_CHECK
enum ls_code chain_check(const struct chain *chain, time_t now, struct ls_error *err);

/*
 * Each was signed by the next one, and the last by an issuer of `trust` (PEM, from the file trust_name), where that is not
 * NULL.
 */
LS_MUST_CHECK
enum ls_code chain_verify(const struct chain *chain, const char *trust, const char *trust_name,
                          struct ls_error *err);

/* The kind of the leaf's key: "rsa-4096", "ecdsa-p256"; LS_EINPUT for one that is not served here. */
LS_MUST_CHECK
enum ls_code chain_key(const struct chain *chain, char word[KEY_WORD_MAX], struct ls_error *err);

/* The first and the last moment at which it is valid; false where they cannot be read. */
bool chain_dates(const struct chain *chain, size_t at, time_t *from, time_t *until);

bool chain_is_self_signed(const struct chain *chain, size_t at);

/* "certificate 2 (CORP-CA01-CA)", of what a file says: nothing that a terminal would obey. */
const char *chain_who(const struct chain *chain, size_t at, char out[WHO_MAX]);

/* Of a certificate with an RSA key; 0: cannot be read. */
int chain_rsa_bits(const struct link *link);

#endif
