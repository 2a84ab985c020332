/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tls/key.h"

#include <stdlib.h>
#include <string.h>

#include "tls/fault.h"

/* An RSA 4096 private key takes 2,350 bytes. */
#define DER_MAX 4096

static const struct key_kind kinds[] = {
    {"rsa-2048", RSA_TYPE, 2048, 0, CTC_SHA256wRSA, PRIVATEKEY_TYPE},
    {"rsa-3072", RSA_TYPE, 3072, 0, CTC_SHA256wRSA, PRIVATEKEY_TYPE},
    {"rsa-4096", RSA_TYPE, 4096, 0, CTC_SHA256wRSA, PRIVATEKEY_TYPE},
    {"ecdsa-p256", ECC_TYPE, 0, ECC_SECP256R1, CTC_SHA256wECDSA, ECC_PRIVATEKEY_TYPE},
    {"ecdsa-p384", ECC_TYPE, 0, ECC_SECP384R1, CTC_SHA384wECDSA, ECC_PRIVATEKEY_TYPE},
    {"ecdsa-p521", ECC_TYPE, 0, ECC_SECP521R1, CTC_SHA512wECDSA, ECC_PRIVATEKEY_TYPE},
    {"ed25519", ED25519_TYPE, 0, 0, CTC_ED25519, PKCS8_PRIVATEKEY_TYPE},
};

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
                        "rsa-4096, ecdsa-p256, ecdsa-p384, ecdsa-p521 and ed25519",
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
    default:
        rc = make_ed25519(&key->of.ed25519, rng);
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
    default:
        wc_ed25519_free(&key->of.ed25519);
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
    default:
        return wc_Ed25519PrivateKeyToDer(&key->of.ed25519, der, DER_MAX);
    }
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
