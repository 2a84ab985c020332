/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/tls.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tls/fault.h"
#include "tls/key.h"

/* A leaf with an RSA 4096 key, signed by such a key, takes 1,400 bytes without its name. */
#define DER_MAX 4096
#define DNS_NAME_MAX 253
#define DAYS_VALID 90

/* What is needed while an identity is made; both keys are large. */
struct making {
    const struct ls_identity_wish *wish;
    WC_RNG rng;
    struct key key, issuer_key;
    Cert cert;
    unsigned char der[DER_MAX];
};

static enum ls_code check_name(const char *name, struct ls_error *err)
{
    const size_t length = name == NULL ? 0 : strlen(name);

    if (length == 0 || length > DNS_NAME_MAX) {
        return ls_error_set(err, LS_EINPUT, "a certificate's name has 1 to %d characters",
                            DNS_NAME_MAX);
    }
    for (size_t i = 0; i < length; i++) {
        if (name[i] <= ' ' || name[i] > '~') {
            return ls_error_set(err, LS_EINPUT,
                                "a certificate's name has only letters, digits, dots and dashes");
        }
    }
    return LS_OK;
}

static size_t put_header(unsigned char *out, unsigned char tag, size_t length)
{
    size_t at = 0;

    out[at++] = tag;
    if (length > 255) {
        out[at++] = 0x82;
        out[at++] = (unsigned char)(length >> 8);
    } else if (length > 127) {
        out[at++] = 0x81;
    }
    out[at++] = (unsigned char)length;
    return at;
}

/* GeneralNames with one entry: dNSName [2], or iPAddress [7] for an address. */
static void put_alt_name(Cert *cert, const char *name)
{
    unsigned char value[DNS_NAME_MAX], inner[4];
    unsigned char tag = 0x87;
    size_t length, inner_size, at;

    if (inet_pton(AF_INET, name, value) == 1) {
        length = 4;
    } else if (inet_pton(AF_INET6, name, value) == 1) {
        length = 16;
    } else {
        tag = 0x82;
        length = strlen(name);
        memcpy(value, name, length);
    }
    inner_size = put_header(inner, tag, length);
    at = put_header(cert->altNames, 0x30, inner_size + length);
    memcpy(cert->altNames + at, inner, inner_size);
    memcpy(cert->altNames + at + inner_size, value, length);
    cert->altNamesSz = (int)(at + inner_size + length);
}

/* A common name has at most 64 characters; a longer name stands in the SAN alone, where it counts.
 */
static void put_common_name(CertName *to, const char *name)
{
    if (strlen(name) < sizeof to->commonName) {
        (void)snprintf(to->commonName, sizeof to->commonName, "%s", name);
    }
}

static int describe_issuer(struct making *m)
{
    Cert *cert = &m->cert;
    int rc = wc_InitCert(cert);

    if (rc != 0) {
        return rc;
    }
    put_common_name(&cert->subject, "loginstorm issuer");
    put_common_name(&cert->issuer, "loginstorm issuer");
    cert->daysValid = DAYS_VALID;
    cert->sigType = m->issuer_key.kind->signature;
    cert->isCA = 1;
    cert->basicConstSet = 1;
    cert->basicConstCrit = 1;
    cert->selfSigned = 1;
    rc = wc_SetKeyUsage(cert, "keyCertSign,cRLSign");
    if (rc == 0) {
        rc = wc_SetSubjectKeyIdFromPublicKey_ex(cert, m->issuer_key.kind->type,
                                                &m->issuer_key.of.any);
    }
    return rc;
}

static int describe_leaf(struct making *m)
{
    Cert *cert = &m->cert;
    int rc = wc_InitCert(cert);

    if (rc != 0) {
        return rc;
    }
    put_common_name(&cert->subject, m->wish->name);
    if (cert->subject.commonName[0] == '\0') {
        (void)snprintf(cert->subject.org, sizeof cert->subject.org, "loginstorm");
    }
    put_common_name(&cert->issuer, "loginstorm issuer");
    put_alt_name(cert, m->wish->name);
    cert->daysValid = DAYS_VALID;
    cert->sigType = m->issuer_key.kind->signature;
    cert->selfSigned = 0;
    rc = wc_SetKeyUsage(cert, m->key.kind->type == RSA_TYPE ? "digitalSignature,keyEncipherment"
                                                            : "digitalSignature");
    if (rc == 0) {
        rc = wc_SetExtKeyUsage(cert, "serverAuth");
    }
    if (rc == 0) {
        rc = wc_SetSubjectKeyIdFromPublicKey_ex(cert, m->key.kind->type, &m->key.of.any);
    }
    if (rc == 0) {
        rc = wc_SetAuthKeyIdFromPublicKey_ex(cert, m->issuer_key.kind->type, &m->issuer_key.of.any);
    }
    return rc;
}

/* Signs the certificate that m->cert describes, for the public half of key. */
static enum ls_code sign(struct making *m, struct key *key, char **out, struct ls_error *err)
{
    int size =
        wc_MakeCert_ex(&m->cert, m->der, sizeof m->der, key->kind->type, &key->of.any, &m->rng);

    if (size > 0) {
        size = wc_SignCert_ex(m->cert.bodySz, m->cert.sigType, m->der, sizeof m->der,
                              m->issuer_key.kind->type, &m->issuer_key.of.any, &m->rng);
    }
    if (size <= 0) {
        return fault(err, LS_ETLS, size, "certificate");
    }
    return pem_of_der(out, m->der, size, CERT_TYPE, err);
}

static enum ls_code join_chain(struct ls_identity *identity, struct ls_error *err)
{
    const size_t leaf = strlen(identity->chain), issuer = strlen(identity->trust);
    char *chain = realloc(identity->chain, leaf + issuer + 1);

    if (chain == NULL) {
        return ls_error_set(err, LS_ENOMEM, "certificate chain: out of memory");
    }
    memcpy(chain + leaf, identity->trust, issuer + 1);
    identity->chain = chain;
    return LS_OK;
}

/* Both keys are there. */
static enum ls_code certify(struct ls_identity *identity, struct making *m, struct ls_error *err)
{
    int rc = describe_issuer(m);
    enum ls_code code = rc == 0 ? sign(m, &m->issuer_key, &identity->trust, err)
                                : fault(err, LS_ETLS, rc, "issuer's certificate");

    if (code != LS_OK) {
        return code;
    }
    rc = describe_leaf(m);
    code =
        rc == 0 ? sign(m, &m->key, &identity->chain, err) : fault(err, LS_ETLS, rc, "certificate");
    if (code != LS_OK) {
        return code;
    }
    if (m->wish->send_chain) {
        code = join_chain(identity, err);
    }
    return code == LS_OK ? key_pem(&m->key, &identity->private_key, err) : code;
}

static enum ls_code fill(struct ls_identity *identity, struct making *m, struct ls_error *err)
{
    const struct key_kind *kind, *issuer_kind;
    enum ls_code code = check_name(m->wish->name, err);

    if (code == LS_OK) {
        code = key_kind_of(&kind, m->wish->key, err);
    }
    if (code == LS_OK) {
        code = key_kind_of(&issuer_kind, m->wish->issuer_key, err);
    }
    if (code == LS_OK) {
        code = key_make(&m->key, kind, &m->rng, err);
    }
    if (code != LS_OK) {
        return code;
    }
    code = key_make(&m->issuer_key, issuer_kind, &m->rng, err);
    if (code == LS_OK) {
        code = certify(identity, m, err);
        key_free(&m->issuer_key);
    }
    key_free(&m->key);
    return code;
}

enum ls_code ls_identity_new(struct ls_identity **out, const struct ls_identity_wish *wish,
                             struct ls_error *err)
{
    struct ls_identity *identity = calloc(1, sizeof *identity);
    struct making *m = calloc(1, sizeof *m);
    enum ls_code code;
    int rc;

    if (identity == NULL || m == NULL) {
        free(identity);
        free(m);
        return ls_error_set(err, LS_ENOMEM, "certificate: out of memory");
    }
    m->wish = wish;
    fault_forget();
    rc = wc_InitRng(&m->rng);
    if (rc == 0) {
        code = fill(identity, m, err);
        (void)wc_FreeRng(&m->rng);
    } else {
        code = fault(err, LS_ETLS, rc, "random numbers");
    }
    explicit_bzero(m, sizeof *m);
    free(m);
    if (code != LS_OK) {
        ls_identity_free(identity);
        return code;
    }
    *out = identity;
    return LS_OK;
}

void ls_identity_free(struct ls_identity *identity)
{
    if (identity == NULL) {
        return;
    }
    if (identity->private_key != NULL) {
        explicit_bzero(identity->private_key, strlen(identity->private_key));
    }
    free(identity->private_key);
    free(identity->chain);
    free(identity->trust);
    free(identity);
}
