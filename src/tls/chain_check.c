/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tls/chain.h"

#include <stdio.h>
#include <string.h>

#include "tls/fault.h"

static bool is_issuer(const struct chain *chain, size_t issuer, size_t of)
{
    return memcmp(chain->links[issuer].cert->subjectHash, chain->links[of].cert->issuerHash,
                  sizeof chain->links[of].cert->issuerHash) == 0;
}

bool chain_is_self_signed(const struct chain *chain, size_t at)
{
    return is_issuer(chain, at, at);
}

static enum ls_code check_order(const struct chain *chain, struct ls_error *err)
{
    char one[WHO_MAX], other[WHO_MAX];

    for (size_t i = 0; i + 1 < chain->count; i++) {
        bool elsewhere = false;

        if (is_issuer(chain, i + 1, i)) {
            continue;
        }
        for (size_t k = 0; k < chain->count; k++) {
            elsewhere |= k != i && is_issuer(chain, k, i);
            elsewhere |= k <= i && is_issuer(chain, k, i + 1);
        }
        if (elsewhere) {
            return ls_error_set(err, LS_EINPUT,
                                "%s: %s is not followed by its issuer; put the gateway's "
                                "certificate first, then its issuer, then the issuer's issuer",
                                chain->name, chain_who(chain, i, one));
        }
        return ls_error_set(err, LS_EINPUT,
                            "%s: %s has nothing to do with %s before it; take it out, or put the "
                            "issuer there",
                            chain->name, chain_who(chain, i + 1, other), chain_who(chain, i, one));
    }
    return LS_OK;
}

static bool moment_of(const unsigned char *date, int size, time_t *moment, char day[16])
{
    const unsigned char *text;
    unsigned char format;
    int length;
    struct tm utc = {0};

    if (wc_GetDateInfo(date, size, &text, &format, &length) != 0 ||
        wc_GetDateAsCalendarTime(text, length, format, &utc) != 0) {
        return false;
    }
    *moment = timegm(&utc);
    return strftime(day, 16, "%Y-%m-%d", &utc) > 0;
}

bool chain_dates(const struct chain *chain, size_t at, time_t *from, time_t *until)
{
    const DecodedCert *cert = chain->links[at].cert;
    char day[16];

    return moment_of(cert->beforeDate, cert->beforeDateLen, from, day) &&
           moment_of(cert->afterDate, cert->afterDateLen, until, day);
}

static enum ls_code check_dates(const struct chain *chain, size_t at, time_t now,
                                struct ls_error *err)
{
    const DecodedCert *cert = chain->links[at].cert;
    char text[WHO_MAX], from_day[16], until_day[16];
    time_t from, until;

    if (!moment_of(cert->beforeDate, cert->beforeDateLen, &from, from_day) ||
        !moment_of(cert->afterDate, cert->afterDateLen, &until, until_day)) {
        return ls_error_set(err, LS_EINPUT, "%s: %s: its dates cannot be read", chain->name,
                            chain_who(chain, at, text));
    }
    if (now > until) {
        return ls_error_set(err, LS_EINPUT, "%s: %s expired on %s; have it renewed", chain->name,
                            chain_who(chain, at, text), until_day);
    }
    if (now < from) {
        return ls_error_set(err, LS_EINPUT,
                            "%s: %s is not valid before %s; wait, or look at this machine's clock",
                            chain->name, chain_who(chain, at, text), from_day);
    }
    return LS_OK;
}

/* Nobody checks the signature of a root on itself. */
static enum ls_code check_signature(const struct chain *chain, size_t at, struct ls_error *err)
{
    const word32 signature = chain->links[at].cert->signatureOID;
    const char *weak =
        signature == CTC_SHAwRSA || signature == CTC_SHAwECDSA || signature == CTC_SHAwDSA ? "SHA-1"
        : signature == CTC_MD5wRSA || signature == CTC_MD2wRSA                             ? "MD5"
                                                                                           : NULL;
    char text[WHO_MAX];

    if (weak == NULL || (chain_is_self_signed(chain, at) && at > 0)) {
        return LS_OK;
    }
    return ls_error_set(err, LS_EINPUT,
                        "%s: %s is signed with %s, which clients of today refuse; have it signed "
                        "with SHA-256",
                        chain->name, chain_who(chain, at, text), weak);
}

static enum ls_code check_strength(const struct chain *chain, size_t at, struct ls_error *err)
{
    const struct link *link = &chain->links[at];
    const int bits = link->cert->keyOID == RSAk ? chain_rsa_bits(link) : 0;
    char text[WHO_MAX];

    if (link->cert->keyOID != RSAk) {
        return LS_OK;
    }
    if (bits == 0 || bits > 4096) {
        return ls_error_set(err, LS_EINPUT,
                            "%s: %s has an RSA key that is not served here; keys of 2048 to 4096 "
                            "bits are",
                            chain->name, chain_who(chain, at, text));
    }
    if (bits < 2048) {
        return ls_error_set(err, LS_EINPUT,
                            "%s: %s has an RSA key of %d bits, which is too short; make one of "
                            "2048 bits or more, or an ECDSA key",
                            chain->name, chain_who(chain, at, text), bits);
    }
    return LS_OK;
}

/* A root of old times says nothing about itself, and nobody asks. */
static enum ls_code check_issuer(const struct chain *chain, size_t at, struct ls_error *err)
{
    char text[WHO_MAX];

    if (at == 0 || chain->links[at].cert->isCA || chain_is_self_signed(chain, at)) {
        return LS_OK;
    }
    return ls_error_set(err, LS_EINPUT,
                        "%s: %s is no CA's (basicConstraints without CA:TRUE), so clients refuse "
                        "what it signed; have the certificate signed by a CA",
                        chain->name, chain_who(chain, at, text));
}

enum ls_code chain_check(const struct chain *chain, time_t now, struct ls_error *err)
{
    enum ls_code code = check_order(chain, err);

    for (size_t i = 0; code == LS_OK && i < chain->count; i++) {
        code = check_dates(chain, i, now, err);
        if (code == LS_OK) {
            code = check_signature(chain, i, err);
        }
        if (code == LS_OK) {
            code = check_strength(chain, i, err);
        }
        if (code == LS_OK) {
            code = check_issuer(chain, i, err);
        }
    }
    return code;
}

static enum ls_code say_why(const struct chain *chain, size_t at, const char *trust_name, int rc,
                            struct ls_error *err)
{
    char text[WHO_MAX], what[640];

    if (rc == ASN_NO_SIGNER_E && at + 1 == chain->count && trust_name != NULL) {
        return ls_error_set(err, LS_EINPUT,
                            "%s: does not hold the issuer of %s of %s; put the CA's certificate "
                            "there",
                            trust_name, chain_who(chain, at, text), chain->name);
    }
    if (rc == ASN_SIG_CONFIRM_E || rc == ASN_NO_SIGNER_E) {
        return ls_error_set(err, LS_EINPUT,
                            "%s: %s was not signed by the issuer that it names; the issuer's "
                            "certificate is of another key",
                            chain->name, chain_who(chain, at, text));
    }
    (void)snprintf(what, sizeof what, "%.400s: %s does not verify", chain->name,
                   chain_who(chain, at, text));
    return fault(err, LS_EINPUT, rc, what);
}

static enum ls_code add_issuer(WOLFSSL_CERT_MANAGER *manager, const struct chain *chain, size_t at,
                               struct ls_error *err)
{
    char text[WHO_MAX], what[640];
    const int rc = wolfSSL_CertManagerLoadCABuffer(
        manager, chain->links[at].der, (long)chain->links[at].size, WOLFSSL_FILETYPE_ASN1);

    if (rc == WOLFSSL_SUCCESS) {
        return LS_OK;
    }
    (void)snprintf(what, sizeof what, "%.400s: %s cannot be an issuer", chain->name,
                   chain_who(chain, at, text));
    return fault(err, LS_EINPUT, rc, what);
}

static enum ls_code verify_with(WOLFSSL_CERT_MANAGER *manager, const struct chain *chain,
                                const char *trust, const char *trust_name, struct ls_error *err)
{
    size_t left = chain->count; /* to be verified, from the end */
    enum ls_code code = LS_OK;

    if (trust != NULL && strstr(trust, "CERTIFICATE-----") == NULL) {
        return chain_none(trust_name, trust, err);
    }
    if (trust != NULL) {
        const int rc = wolfSSL_CertManagerLoadCABuffer(manager, (const unsigned char *)trust,
                                                       (long)strlen(trust), WOLFSSL_FILETYPE_PEM);

        if (rc != WOLFSSL_SUCCESS) {
            return fault(err, LS_EINPUT, rc, trust_name);
        }
    } else if (--left > 0) {
        code = add_issuer(manager, chain, left, err);
    }
    while (code == LS_OK && left-- > 0) {
        const struct link *link = &chain->links[left];
        const int rc = wolfSSL_CertManagerVerifyBuffer(manager, link->der, (long)link->size,
                                                       WOLFSSL_FILETYPE_ASN1);

        if (rc != WOLFSSL_SUCCESS) {
            return say_why(chain, left, trust_name, rc, err);
        }
        if (left > 0) {
            code = add_issuer(manager, chain, left, err);
        }
    }
    return code;
}

enum ls_code chain_verify(const struct chain *chain, const char *trust, const char *trust_name,
                          struct ls_error *err)
{
    WOLFSSL_CERT_MANAGER *manager = wolfSSL_CertManagerNew();
    enum ls_code code;

    if (manager == NULL) {
        return ls_error_set(err, LS_ENOMEM, "%s: out of memory", chain->name);
    }
    code = verify_with(manager, chain, trust, trust_name, err);
    wolfSSL_CertManagerFree(manager);
    return code;
}
