/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tls/certificate.h"

#include <arpa/inet.h>
#include <string.h>
#include <time.h>
#include <wolfssl/wolfcrypt/sha.h>

#include "tls/fault.h"

#define DAY_S 86400
/* A clock that is a day behind must not make a fresh certificate invalid; a Windows CA allows for ten minutes. */
#define PLAIN_EARLY_S DAY_S
#define ADCS_EARLY_S 600
#define PLAIN_DAYS 90
#define ADCS_DAYS 730 /* two years: the WebServer template's */
#define ADCS_ISSUER_DAYS 1826
#define SERIAL_MAX 19
#define PUBLIC_MAX 4096

struct work {
    struct der der;
    const struct certificate_wish *wish;
    WC_RNG *rng;
    unsigned char public_key[PUBLIC_MAX]; /* SubjectPublicKeyInfo */
    size_t public_size;
};

static bool is_leaf(const struct work *work)
{
    return work->wish->names != NULL;
}

static bool is_adcs(const struct work *work)
{
    return work->wish->profile != LS_PROFILE_OF_PLAIN;
}

static void put_time(struct der *der, time_t at)
{
    struct tm utc;
    char text[32];

    (void)gmtime_r(&at, &utc);
    (void)strftime(text, sizeof text, "%Y%m%d%H%M%SZ", &utc);
    /* RFC 5280: two digits of the year until 2049. */
    if (utc.tm_year < 150) {
        der_text(der, DER_UTC_TIME, text + 2);
    } else {
        der_text(der, DER_GENERALIZED_TIME, text);
    }
}

static void put_validity(struct work *work)
{
    const time_t now = time(NULL);
    const int days = !is_adcs(work) ? PLAIN_DAYS : is_leaf(work) ? ADCS_DAYS : ADCS_ISSUER_DAYS;
    const size_t mark = der_open(&work->der, DER_SEQUENCE);

    put_time(&work->der, now - (is_adcs(work) ? ADCS_EARLY_S : PLAIN_EARLY_S));
    put_time(&work->der, now + (time_t)days * DAY_S);
    der_close(&work->der, mark);
}

/* A Windows CA's serial number has 19 bytes: the number of the request stands in front and at the end, a time and
 * chance between. Others draw it. */
static int put_serial(struct work *work)
{
    unsigned char serial[SERIAL_MAX];
    const size_t size = is_adcs(work) ? SERIAL_MAX : 16;
    const int rc = wc_RNG_GenerateBlock(work->rng, serial, (word32)size);

    serial[0] = (unsigned char)((serial[0] & 0x3f) | 0x40); /* positive, and never shorter */
    if (is_adcs(work)) {
        serial[0] = 0x1d;
        memset(serial + 1, 0, 3);
        memset(serial + 13, 0, 5);
        serial[18] = serial[4];
    }
    der_put(&work->der, DER_INTEGER, serial, size);
    return rc;
}

/* The key identifier of RFC 5280: SHA-1 of the key without its algorithm. */
static enum ls_code key_identifier(struct key *key, unsigned char id[WC_SHA_DIGEST_SIZE],
                                   struct ls_error *err)
{
    unsigned char info[PUBLIC_MAX], tag;
    const unsigned char *inner, *value;
    size_t inner_size, size, skipped, length;
    enum ls_code code = key_public(key, info, sizeof info, &length, err);
    int rc;

    if (code != LS_OK) {
        return code;
    }
    if (der_read(info, length, &tag, &inner, &inner_size) == 0 ||
        (skipped = der_read(inner, inner_size, &tag, &value, &size)) == 0 ||
        der_read(inner + skipped, inner_size - skipped, &tag, &value, &size) == 0 || size == 0) {
        return ls_error_set(err, LS_ETLS, "the public key cannot be read");
    }
    rc = wc_ShaHash(value + 1, (word32)(size - 1), id); /* behind the count of unused bits */
    return rc == 0 ? LS_OK : fault(err, LS_ETLS, rc, "SHA-1");
}

static enum ls_code put_identifiers(struct work *work, struct ls_error *err)
{
    unsigned char id[WC_SHA_DIGEST_SIZE];
    struct der *der = &work->der;
    struct extension extension;
    size_t mark;
    enum ls_code code = key_identifier(work->wish->key, id, err);

    if (code != LS_OK) {
        return code;
    }
    extension = extension_open(der, "2.5.29.14", false);
    der_put(der, DER_OCTETS, id, sizeof id);
    extension_close(der, extension);
    if (!is_leaf(work)) {
        return LS_OK;
    }
    code = key_identifier(work->wish->issuer_key, id, err);
    if (code != LS_OK) {
        return code;
    }
    extension = extension_open(der, "2.5.29.35", false);
    mark = der_open(der, DER_SEQUENCE);
    der_put(der, DER_CONTEXT(0), id, sizeof id);
    der_close(der, mark);
    extension_close(der, extension);
    return LS_OK;
}

/* dNSName [2], or iPAddress [7] for an address. */
void certificate_put_names(struct der *der, const char *const *names)
{
    const struct extension extension = extension_open(der, "2.5.29.17", false);
    const size_t mark = der_open(der, DER_SEQUENCE);

    for (const char *const *name = names; *name != NULL; name++) {
        unsigned char address[16];

        if (inet_pton(AF_INET, *name, address) == 1) {
            der_put(der, DER_CONTEXT(7), address, 4);
        } else if (inet_pton(AF_INET6, *name, address) == 1) {
            der_put(der, DER_CONTEXT(7), address, 16);
        } else {
            der_text(der, DER_CONTEXT(2), *name);
        }
    }
    der_close(der, mark);
    extension_close(der, extension);
}

static void put_usage(struct work *work)
{
    struct der *der = &work->der;
    const bool enciphers = is_adcs(work) || work->wish->key->kind->type == RSA_TYPE;
    /* Unused bits, then from the left: digitalSignature, -, keyEncipherment, ..., keyCertSign, cRLSign. */
    const char *bits = !is_leaf(work) ? "\x01\x06" : enciphers ? "\x05\xa0" : "\x07\x80";
    struct extension extension = extension_open(der, "2.5.29.15", true);
    size_t mark;

    der_put(der, DER_BITS, bits, 2);
    extension_close(der, extension);
    if (is_leaf(work)) {
        extension = extension_open(der, "2.5.29.37", false);
        mark = der_open(der, DER_SEQUENCE);
        der_oid(der, "1.3.6.1.5.5.7.3.1"); /* serverAuth */
        der_close(der, mark);
        extension_close(der, extension);
        return;
    }
    extension = extension_open(der, "2.5.29.19", true);
    mark = der_open(der, DER_SEQUENCE);
    der_put(der, DER_BOOLEAN, "\xff", 1); /* cA */
    der_close(der, mark);
    extension_close(der, extension);
}

/* In the order that a Windows CA has. */
static enum ls_code put_extensions(struct work *work, struct ls_error *err)
{
    struct der *der = &work->der;
    const size_t wrap = der_open(der, DER_WRAP(3));
    const size_t list = der_open(der, DER_SEQUENCE);
    enum ls_code code;

    if (is_leaf(work)) {
        certificate_put_names(der, work->wish->names);
    }
    code = put_identifiers(work, err);
    if (is_leaf(work) && is_adcs(work)) {
        profile_put_places(der);
        profile_put_template(der, work->wish->profile);
    }
    put_usage(work);
    if (is_leaf(work) && work->wish->profile == LS_PROFILE_OF_ADCS_V2) {
        profile_put_policies(der);
    }
    der_close(der, list);
    der_close(der, wrap);
    return code;
}

static enum ls_code put_body(struct work *work, struct ls_error *err)
{
    struct der *der = &work->der;
    const size_t body = der_open(der, DER_SEQUENCE);
    const size_t version = der_open(der, DER_WRAP(0));
    const struct key_kind *signer = work->wish->issuer_key->kind;
    enum ls_code code;
    int rc;

    der_put(der, DER_INTEGER, "\x02", 1); /* version 3 */
    der_close(der, version);
    rc = put_serial(work);
    if (rc != 0) {
        return fault(err, LS_ETLS, rc, "random numbers");
    }
    key_put_algorithm(signer, der);
    profile_put_issuer(der, work->wish->profile);
    put_validity(work);
    if (is_leaf(work)) {
        profile_put_subject(der, work->wish->profile, work->wish->names[0]);
    } else {
        profile_put_issuer(der, work->wish->profile);
    }
    der_raw(der, work->public_key, work->public_size);
    code = put_extensions(work, err);
    der_close(der, body);
    return code;
}

enum ls_code certificate_make(unsigned char *out, size_t size, size_t *length,
                              const struct certificate_wish *wish, WC_RNG *rng,
                              struct ls_error *err)
{
    struct work work = {.der = {.bytes = out, .size = size}, .wish = wish, .rng = rng};
    struct key *signer = wish->issuer_key;
    enum ls_code code =
        key_public(wish->key, work.public_key, sizeof work.public_key, &work.public_size, err);
    int rc;

    if (code == LS_OK) {
        code = put_body(&work, err);
    }
    if (code != LS_OK) {
        return code;
    }
    if (work.der.full) {
        return ls_error_set(err, LS_EINPUT, "a certificate of so many names is too long");
    }
    rc = wc_SignCert_ex((int)work.der.used, signer->kind->signature, out, (word32)size,
                        signer->kind->type, &signer->of.any, rng);
    if (rc <= 0) {
        return fault(err, LS_ETLS, rc, "certificate");
    }
    *length = (size_t)rc;
    return LS_OK;
}
