/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A private key and the PKCS#10 request (RFC 2986) that a CA signs. */
#include <stdlib.h>
#include <string.h>

#include "tls/certificate.h"
#include "tls/fault.h"

#define PUBLIC_MAX 4096

/* What is needed while a request is made. */
struct asking {
    const struct ls_request_wish *wish;
    WC_RNG rng;
    struct key key;
    unsigned char public_key[PUBLIC_MAX]; /* SubjectPublicKeyInfo */
    size_t public_size;
    unsigned char der[CERTIFICATE_MAX];
};

/* Said in so many words: a Windows CA that is not told what the key is for gives an RSA key what browsers refuse
 * (ERR_SSL_KEY_USAGE_INCOMPATIBLE). */
static void put_usage(struct der *der, const struct key_kind *kind)
{
    /* Unused bits, then from the left: digitalSignature, -, keyEncipherment. */
    const char *bits = kind->type == RSA_TYPE ? "\x05\xa0" : "\x07\x80";
    struct extension extension = extension_open(der, "2.5.29.15", true);
    size_t mark;

    der_put(der, DER_BITS, bits, 2);
    extension_close(der, extension);
    extension = extension_open(der, "2.5.29.37", false);
    mark = der_open(der, DER_SEQUENCE);
    der_oid(der, "1.3.6.1.5.5.7.3.1"); /* serverAuth */
    der_close(der, mark);
    extension_close(der, extension);
}

static void put_body(struct der *der, const struct asking *a)
{
    const size_t body = der_open(der, DER_SEQUENCE);
    size_t marks[4];

    der_put(der, DER_INTEGER, "\x00", 1);
    profile_put_subject(der, LS_PROFILE_OF_PLAIN, a->wish->names[0]);
    der_raw(der, a->public_key, a->public_size);
    marks[0] = der_open(der, DER_WRAP(0));
    marks[1] = der_open(der, DER_SEQUENCE);
    der_oid(der, "1.2.840.113549.1.9.14"); /* extensionRequest */
    marks[2] = der_open(der, DER_SET);
    marks[3] = der_open(der, DER_SEQUENCE);
    certificate_put_names(der, a->wish->names);
    put_usage(der, a->key.kind);
    for (size_t i = 4; i-- > 0;) {
        der_close(der, marks[i]);
    }
    der_close(der, body);
}

static enum ls_code sign(struct ls_request *request, struct asking *a, struct ls_error *err)
{
    struct der der = {.bytes = a->der, .size = sizeof a->der};
    int size;

    put_body(&der, a);
    if (der.full) {
        return ls_error_set(err, LS_EINPUT, "a request of so many names is too long");
    }
    size = wc_SignCert_ex((int)der.used, a->key.kind->signature, a->der, sizeof a->der,
                          a->key.kind->type, &a->key.of.any, &a->rng);
    return size > 0 ? pem_of_der(&request->request, a->der, size, CERTREQ_TYPE, err)
                    : fault(err, LS_ETLS, size, "certificate request");
}

static enum ls_code fill(struct ls_request *request, struct asking *a, struct ls_error *err)
{
    const struct key_kind *kind;
    enum ls_code code = key_kind_of(&kind, a->wish->key, err);

    for (const char *const *name = a->wish->names; code == LS_OK && *name != NULL; name++) {
        code = certificate_check_name(*name, err);
    }
    if (code == LS_OK) {
        code = key_make(&a->key, kind, &a->rng, err);
    }
    if (code != LS_OK) {
        return code;
    }
    code = key_public(&a->key, a->public_key, sizeof a->public_key, &a->public_size, err);
    if (code == LS_OK) {
        code = sign(request, a, err);
    }
    if (code == LS_OK) {
        code = key_pkcs8_pem(&a->key, &request->private_key, err);
    }
    key_free(&a->key);
    return code;
}

enum ls_code ls_request_new(struct ls_request **out, const struct ls_request_wish *wish,
                            struct ls_error *err)
{
    struct ls_request *request = calloc(1, sizeof *request);
    struct asking *a = calloc(1, sizeof *a);
    enum ls_code code;
    int rc;

    if (request == NULL || a == NULL) {
        free(request);
        free(a);
        return ls_error_set(err, LS_ENOMEM, "certificate request: out of memory");
    }
    a->wish = wish;
    fault_forget();
    rc = wc_InitRng(&a->rng);
    if (rc == 0) {
        code = fill(request, a, err);
        (void)wc_FreeRng(&a->rng);
    } else {
        code = fault(err, LS_ETLS, rc, "random numbers");
    }
    explicit_bzero(a, sizeof *a);
    free(a);
    if (code != LS_OK) {
        ls_request_free(request);
        return code;
    }
    *out = request;
    return LS_OK;
}

void ls_request_free(struct ls_request *request)
{
    if (request == NULL) {
        return;
    }
    if (request->private_key != NULL) {
        explicit_bzero(request->private_key, strlen(request->private_key));
    }
    free(request->private_key);
    free(request->request);
    free(request);
}
