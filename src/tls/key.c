/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tls/key.h"

#include <stdlib.h>
#include <string.h>

#include "loginstorm/tls.h"
#include "tls/fault.h"

/* An ML-DSA-65 private key with its public half takes 6,000 bytes, one of RSA 4096 2,350. */
#define DER_MAX 8192
#define RSA(bits) RSA_TYPE, bits, 0, 0, CTC_SHA256wRSA, PRIVATEKEY_TYPE, "1.2.840.113549.1.1.11"
#define ECDSA(curve, hash, oid) ECC_TYPE, 0, curve, 0, CTC_##hash##wECDSA, ECC_PRIVATEKEY_TYPE, oid

static const struct key_kind kinds[] = {
    {"rsa-2048", RSA(2048)},
    {"rsa-3072", RSA(3072)},
    {"rsa-4096", RSA(4096)},
    {"ecdsa-p256", ECDSA(ECC_SECP256R1, SHA256, "1.2.840.10045.4.3.2")},
    {"ecdsa-p384", ECDSA(ECC_SECP384R1, SHA384, "1.2.840.10045.4.3.3")},
    {"ecdsa-p521", ECDSA(ECC_SECP521R1, SHA512, "1.2.840.10045.4.3.4")},
    {"ed25519", ED25519_TYPE, 0, 0, 0, CTC_ED25519, PKCS8_PRIVATEKEY_TYPE, "1.3.101.112"},
    {"ml-dsa-44", ML_DSA_44_TYPE, 0, 0, WC_ML_DSA_44, CTC_ML_DSA_44, PKCS8_PRIVATEKEY_TYPE,
     "2.16.840.1.101.3.4.3.17"},
    {"ml-dsa-65", ML_DSA_65_TYPE, 0, 0, WC_ML_DSA_65, CTC_ML_DSA_65, PKCS8_PRIVATEKEY_TYPE,
     "2.16.840.1.101.3.4.3.18"},
};

const char *ls_key_word(size_t index)
{
    return index < sizeof kinds / sizeof kinds[0] ? kinds[index].word : NULL;
}

enum ls_code key_kind_of(const struct key_kind **out, const char *word, struct ls_error *err)
{
    for (size_t i = 0; word != NULL && i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(kinds[i].word, word) == 0) {
            *out = &kinds[i];
            return LS_OK;
        }
    }
    return ls_error_set(err, LS_EINPUT,
                        "a key of kind %s cannot be made here; there are rsa-2048, rsa-3072, "
                        "rsa-4096, ecdsa-p256, ecdsa-p384, ecdsa-p521, ed25519, ml-dsa-44 and "
                        "ml-dsa-65",
                        word == NULL ? "(none)" : word);
}

static int make_rsa(RsaKey *rsa, int bits, WC_RNG *rng)
{
    int rc = wc_InitRsaKey(rsa, NULL);

    if (rc != 0) {
        return rc;
    }
    rc = wc_MakeRsaKey(rsa, bits, WC_RSA_EXPONENT, rng);
    if (rc == 0) {
        rc = wc_RsaSetRNG(rsa, rng); /* blinding, when it signs a certificate */
    }
    if (rc != 0) {
        (void)wc_FreeRsaKey(rsa);
    }
    return rc;
}

static int make_ecc(ecc_key *ecc, int curve, WC_RNG *rng)
{
    int rc = wc_ecc_init(ecc);

    if (rc != 0) {
        return rc;
    }
    rc = wc_ecc_make_key_ex(rng, wc_ecc_get_curve_size_from_id(curve), ecc, curve);
    if (rc != 0) {
        (void)wc_ecc_free(ecc);
    }
    return rc;
}

static int make_ed25519(ed25519_key *ed25519, WC_RNG *rng)
{
    int rc = wc_ed25519_init(ed25519);

    if (rc != 0) {
        return rc;
    }
    rc = wc_ed25519_make_key(rng, ED25519_KEY_SIZE, ed25519);
    if (rc != 0) {
        wc_ed25519_free(ed25519);
    }
    return rc;
}

static int make_ml_dsa(wc_MlDsaKey *ml_dsa, int level, WC_RNG *rng)
{
    int rc = wc_MlDsaKey_Init(ml_dsa, NULL, INVALID_DEVID);

    if (rc != 0) {
        return rc;
    }
    rc = wc_MlDsaKey_SetParams(ml_dsa, (byte)level);
    if (rc == 0) {
        rc = wc_MlDsaKey_MakeKey(ml_dsa, rng);
    }
    if (rc != 0) {
        wc_MlDsaKey_Free(ml_dsa);
    }
    return rc;
}

enum ls_code key_make(struct key *key, const struct key_kind *kind, WC_RNG *rng,
                      struct ls_error *err)
{
    int rc;

    key->kind = kind;
    switch (kind->type) {
    case RSA_TYPE:
        rc = make_rsa(&key->of.rsa, kind->bits, rng);
        break;
    case ECC_TYPE:
        rc = make_ecc(&key->of.ecc, kind->curve, rng);
        break;
    case ED25519_TYPE:
        rc = make_ed25519(&key->of.ed25519, rng);
        break;
    default:
        rc = make_ml_dsa(&key->of.ml_dsa, kind->level, rng);
        break;
    }
    return rc == 0 ? LS_OK : fault(err, LS_ETLS, rc, kind->word);
}

void key_free(struct key *key)
{
    switch (key->kind->type) {
    case RSA_TYPE:
        (void)wc_FreeRsaKey(&key->of.rsa);
        break;
    case ECC_TYPE:
        (void)wc_ecc_free(&key->of.ecc);
        break;
    case ED25519_TYPE:
        wc_ed25519_free(&key->of.ed25519);
        break;
    default:
        wc_MlDsaKey_Free(&key->of.ml_dsa);
        break;
    }
}

enum ls_code pem_of_der(char **out, const unsigned char *der, int size, int type,
                        struct ls_error *err)
{
    const int room = wc_DerToPem(der, (word32)size, NULL, 0, type);
    char *pem;
    int length;

    if (room <= 0) {
        return fault(err, LS_ETLS, room, "PEM");
    }
    pem = malloc((size_t)room + 1);
    if (pem == NULL) {
        return ls_error_set(err, LS_ENOMEM, "PEM: out of memory");
    }
    length = wc_DerToPem(der, (word32)size, (unsigned char *)pem, (word32)room, type);
    if (length <= 0) {
        free(pem);
        return fault(err, LS_ETLS, length, "PEM");
    }
    pem[length] = '\0';
    *out = pem;
    return LS_OK;
}

static int der_of_key(struct key *key, unsigned char *der)
{
    switch (key->kind->type) {
    case RSA_TYPE:
        return wc_RsaKeyToDer(&key->of.rsa, der, DER_MAX);
    case ECC_TYPE:
        return wc_EccKeyToDer(&key->of.ecc, der, DER_MAX);
    case ED25519_TYPE:
        return wc_Ed25519PrivateKeyToDer(&key->of.ed25519, der, DER_MAX);
    default:
        return wc_MlDsaKey_KeyToDer(&key->of.ml_dsa, der, DER_MAX);
    }
}

static int der_of_public(struct key *key, unsigned char *der, word32 size)
{
    switch (key->kind->type) {
    case RSA_TYPE:
        return wc_RsaKeyToPublicDer(&key->of.rsa, der, size);
    case ECC_TYPE:
        return wc_EccPublicKeyToDer(&key->of.ecc, der, size, 1);
    case ED25519_TYPE:
        return wc_Ed25519PublicKeyToDer(&key->of.ed25519, der, size, 1);
    default:
        return wc_MlDsaKey_PublicKeyToDer(&key->of.ml_dsa, der, size, 1);
    }
}

enum ls_code key_public(struct key *key, unsigned char *out, size_t size, size_t *length,
                        struct ls_error *err)
{
    const int rc = der_of_public(key, out, (word32)size);

    *length = rc > 0 ? (size_t)rc : 0;
    return rc > 0 ? LS_OK : fault(err, LS_ETLS, rc, "public key");
}

void key_put_algorithm(const struct key_kind *kind, struct der *der)
{
    const size_t mark = der_open(der, DER_SEQUENCE);

    der_oid(der, kind->oid);
    if (kind->type == RSA_TYPE) {
        der_raw(der, "\x05\x00", 2); /* RFC 4055 wants a NULL here, and nothing elsewhere */
    }
    der_close(der, mark);
}

enum ls_code key_pem(struct key *key, char **out, struct ls_error *err)
{
    unsigned char der[DER_MAX];
    const int size = der_of_key(key, der);
    enum ls_code code;

    code = size > 0 ? pem_of_der(out, der, size, key->kind->pem, err)
                    : fault(err, LS_ETLS, size, "private key");
    explicit_bzero(der, sizeof der);
    return code;
}

/* The library writes RSA's and ECC's own formats; PrivateKeyInfo (RFC 5208) is around them. */
static size_t wrap_rsa(struct key *key, struct der *der)
{
    unsigned char inner[DER_MAX];
    const int length = der_of_key(key, inner);
    size_t whole, algorithm;

    if (length <= 0) {
        return 0;
    }
    whole = der_open(der, DER_SEQUENCE);
    der_put(der, DER_INTEGER, "\x00", 1);
    algorithm = der_open(der, DER_SEQUENCE);
    der_oid(der, "1.2.840.113549.1.1.1"); /* rsaEncryption */
    der_raw(der, "\x05\x00", 2);
    der_close(der, algorithm);
    der_put(der, DER_OCTETS, inner, (size_t)length);
    der_close(der, whole);
    explicit_bzero(inner, sizeof inner);
    return der->full ? 0 : der->used;
}

enum ls_code key_pkcs8_pem(struct key *key, char **out, struct ls_error *err)
{
    unsigned char der[DER_MAX];
    word32 size = sizeof der;
    enum ls_code code;

    if (key->kind->type == RSA_TYPE) {
        size = (word32)wrap_rsa(key, &(struct der){.bytes = der, .size = sizeof der});
    } else if (key->kind->type != ECC_TYPE) {
        return key_pem(key, out, err);
    } else if (wc_EccKeyToPKCS8(&key->of.ecc, der, &size) < 0) {
        size = 0;
    }
    if (size > 0) {
        code = pem_of_der(out, der, (int)size, PKCS8_PRIVATEKEY_TYPE, err);
    } else {
        code = ls_error_set(err, LS_ETLS, "private key: it cannot be written as PKCS#8");
    }
    explicit_bzero(der, sizeof der);
    return code;
}
