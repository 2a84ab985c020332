/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tls/chain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tls/fault.h"
#include "tls/pem.h"

const char *chain_who(const struct chain *chain, size_t at, char out[WHO_MAX])
{
    const DecodedCert *cert = chain->links[at].cert;
    const char *name = cert->subjectCN;
    size_t length = name == NULL ? 0 : (size_t)cert->subjectCNLen;
    size_t used = (size_t)snprintf(out, WHO_MAX, "certificate %zu (", at + 1);

    if (length == 0) {
        name = cert->subject;
        length = strlen(name);
    }
    for (size_t i = 0; i < length && used < WHO_MAX - 2; i++) {
        out[used++] = name[i];
        if ((unsigned char)name[i] < ' ' || name[i] == 0x7f) {
            out[used - 1] = '?';
        }
    }
    out[used++] = ')';
    out[used] = '\0';
    return out;
}

static enum ls_code add_link(struct chain *chain, const struct pem_block *block,
                             struct ls_error *err)
{
    const size_t number = chain->count + 1;
    struct link *link = &chain->links[chain->count];
    enum ls_code code;
    int rc;

    if (number > CHAIN_MAX) {
        return ls_error_set(err, LS_EINPUT, "%s: more than %d certificates in a chain", chain->name,
                            CHAIN_MAX);
    }
    if (!block->whole) {
        return ls_error_set(err, LS_EINPUT, "%s: certificate %zu has no end; is the file cut off?",
                            chain->name, number);
    }
    code = pem_decode(block, &link->der, &link->size, err);
    if (code != LS_OK) {
        return code == LS_ENOMEM ? code
                                 : ls_error_set(err, code, "%s: certificate %zu is no base64",
                                                chain->name, number);
    }
    link->cert = calloc(1, sizeof *link->cert);
    if (link->cert == NULL) {
        free(link->der);
        return ls_error_set(err, LS_ENOMEM, "%s: out of memory", chain->name);
    }
    chain->count = number;
    wc_InitDecodedCert(link->cert, link->der, (word32)link->size, NULL);
    rc = wc_ParseCert(link->cert, CERT_TYPE, NO_VERIFY, NULL);
    if (rc != 0) {
        char what[512];

        (void)snprintf(what, sizeof what, "%.400s: certificate %zu cannot be read", chain->name,
                       number);
        return fault(err, LS_EINPUT, rc, what);
    }
    return LS_OK;
}

enum ls_code chain_none(const char *name, const char *text, struct ls_error *err)
{
    if ((unsigned char)text[0] == 0x30) {
        return ls_error_set(
            err, LS_EINPUT,
            "%s: is binary (DER or PKCS#12), not PEM; `openssl x509 -inform DER -in FILE -out "
            "FILE.pem` or `openssl pkcs12 -in FILE -nokeys -out FILE.pem` converts it",
            name);
    }
    if (strstr(text, "-----BEGIN PKCS7-----") != NULL) {
        return ls_error_set(err, LS_EINPUT,
                            "%s: is PKCS#7; `openssl pkcs7 -print_certs -in FILE -out FILE.pem` "
                            "converts it",
                            name);
    }
    return ls_error_set(err, LS_EINPUT,
                        "%s: no certificate in PEM (-----BEGIN CERTIFICATE-----) is in it", name);
}

enum ls_code chain_parse(struct chain *chain, const char *name, const char *text,
                         struct ls_error *err)
{
    struct pem_block block;
    size_t at = 0;
    enum ls_code code = LS_OK;

    *chain = (struct chain){.name = name};
    while (code == LS_OK && pem_next(text, &at, &block)) {
        if (pem_is(&block, "CERTIFICATE") || pem_is(&block, "X509 CERTIFICATE")) {
            code = add_link(chain, &block, err);
        }
    }
    if (code == LS_OK && chain->count == 0) {
        code = chain_none(name, text, err);
    }
    if (code != LS_OK) {
        chain_free(chain);
    }
    return code;
}

void chain_free(struct chain *chain)
{
    for (size_t i = 0; i < chain->count; i++) {
        wc_FreeDecodedCert(chain->links[i].cert);
        free(chain->links[i].cert);
        free(chain->links[i].der);
    }
    chain->count = 0;
}

int chain_rsa_bits(const struct link *link)
{
    RsaKey rsa;
    word32 at = 0;
    int bits = 0;

    if (wc_InitRsaKey(&rsa, NULL) != 0) {
        return 0;
    }
    if (wc_RsaPublicKeyDecode(link->cert->publicKey, &at, &rsa, link->cert->pubKeySize) == 0) {
        bits = 8 * wc_RsaEncryptSize(&rsa);
    }
    (void)wc_FreeRsaKey(&rsa);
    return bits;
}

enum ls_code chain_key(const struct chain *chain, char word[KEY_WORD_MAX], struct ls_error *err)
{
    static const struct {
        word32 key, curve;
        const char *word;
    } kinds[] = {
        {ECDSAk, ECC_SECP256R1_OID, "ecdsa-p256"},
        {ECDSAk, ECC_SECP384R1_OID, "ecdsa-p384"},
        {ECDSAk, ECC_SECP521R1_OID, "ecdsa-p521"},
        {ED25519k, 0, "ed25519"},
        {ML_DSA_44k, 0, "ml-dsa-44"},
        {ML_DSA_65k, 0, "ml-dsa-65"},
        {ML_DSA_87k, 0, "ml-dsa-87"},
    };
    const struct link *leaf = &chain->links[0];
    char text[WHO_MAX];

    if (leaf->cert->keyOID == RSAk) {
        (void)snprintf(word, KEY_WORD_MAX, "rsa-%d", chain_rsa_bits(leaf));
        return LS_OK;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (leaf->cert->keyOID == kinds[i].key &&
            (kinds[i].curve == 0 || leaf->cert->pkCurveOID == kinds[i].curve)) {
            (void)snprintf(word, KEY_WORD_MAX, "%s", kinds[i].word);
            return LS_OK;
        }
    }
    return ls_error_set(err, LS_EINPUT,
                        "%s: %s has a key of a kind that is not served here; RSA, ECDSA on P-256, "
                        "P-384 or P-521, Ed25519 and ML-DSA are",
                        chain->name, chain_who(chain, 0, text));
}
