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
#include <wolfssl/wolfcrypt/wc_mldsa.h>

#include "loginstorm/error.h"
#include "tls/der.h"

struct key_kind {
    const char *word; /* as in the scenario */
    int type;         /* RSA_TYPE, ECC_TYPE, ED25519_TYPE, ML_DSA_44_TYPE, ML_DSA_65_TYPE */
    int bits;         /* RSA */
    int curve;        /* ECC */
    int level;        /* ML-DSA */
    int signature;    /* what such a key signs certificates with */
    int pem;          /* the kind of its PEM block */
    const char *oid;  /* of the signature */
};

struct key {
    const struct key_kind *kind;
    union {
        RsaKey rsa;
        ecc_key ecc;
        ed25519_key ed25519;
        wc_MlDsaKey ml_dsa;
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

/* The public half as a certificate holds it (SubjectPublicKeyInfo). */
LS_MUST_CHECK
enum ls_code key_public(struct key *key, unsigned char *out, size_t size, size_t *length,
                        struct ls_error *err);

/* The AlgorithmIdentifier of its signatures. */
void key_put_algorithm(const struct key_kind *kind, struct der *der);

/* PEM on the heap, to be freed by the caller. */
LS_MUST_CHECK
enum ls_code key_pem(struct key *key, char **out, struct ls_error *err);
/* The same as PKCS#8, whatever the kind. */
LS_MUST_CHECK
enum ls_code key_pkcs8_pem(struct key *key, char **out, struct ls_error *err);
LS_MUST_CHECK
enum ls_code pem_of_der(char **out, const unsigned char *der, int size, int type,
                        struct ls_error *err);

#endif
