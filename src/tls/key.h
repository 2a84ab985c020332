/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TLS_KEY_H
#define TLS_KEY_H

/* A private key of any kind that a certificate can be made for. */

#include <wolfssl/ssl.h>
#include <wolfssl/wolfcrypt/asn_public.h>
#include <wolfssl/wolfcrypt/ecc.h>
#include <wolfssl/wolfcrypt/ed25519.h>
#include <wolfssl/wolfcrypt/random.h>
#include <wolfssl/wolfcrypt/rsa.h>

#include "loginstorm/error.h"

struct key_kind {
    const char *word; /* as in the scenario */
    int type;         /* RSA_TYPE, ECC_TYPE, ED25519_TYPE */
    int bits;         /* RSA */
    int curve;        /* ECC */
    int signature;    /* what such a key signs certificates with */
    int pem;          /* the kind of its PEM block */
};

struct key {
    const struct key_kind *kind;
    union {
        RsaKey rsa;
        ecc_key ecc;
        ed25519_key ed25519;
        char any; /* the library takes it as a pointer to nothing in particular */
    } of;
};

/* LS_EINPUT for a word that is no key kind, or one that cannot be made here. */
LS_MUST_CHECK
enum ls_code key_kind_of(const struct key_kind **out, const char *word, struct ls_error *err);

/* key_free after success only. */
LS_MUST_CHECK
enum ls_code key_make(struct key *key, const struct key_kind *kind, WC_RNG *rng,
                      struct ls_error *err);
void key_free(struct key *key);

/* PEM on the heap, to be freed by the caller. */
LS_MUST_CHECK
enum ls_code key_pem(struct key *key, char **out, struct ls_error *err);
LS_MUST_CHECK
enum ls_code pem_of_der(char **out, const unsigned char *der, int size, int type,
                        struct ls_error *err);

#endif
