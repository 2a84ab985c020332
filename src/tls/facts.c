/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/tls.h"

#include <stdio.h>
#include <string.h>
#include <wolfssl/error-ssl.h>
#include <wolfssl/wolfcrypt/error-crypt.h>

#include "tls/end.h"
#include "tls/fault.h"
#include "tls/words.h"

/* The library's numbers that mean "this certificate will not do", with a person's words. */
static const struct {
    int number;
    const char *text;
} certificate_faults[] = {
    {ASN_NO_SIGNER_E, "signed by nobody who is trusted"},
    {ASN_SELF_SIGNED_E, "self-signed, and not trusted"},
    {ASN_SIG_CONFIRM_E, "its signature is wrong"},
    {ASN_SIG_HASH_E, "signed with a hash that is not supported"},
    {ASN_SIG_KEY_E, "signed with a key that is not supported"},
    {ASN_SIG_OID_E, "its signature is wrong"},
    {ASN_BEFORE_DATE_E, "not yet valid"},
    {ASN_AFTER_DATE_E, "expired"},
    {DOMAIN_NAME_MISMATCH, "not for this server name"},
    {IPADDR_MISMATCH, "not for this address"},
    {ASN_PARSE_E, "cannot be read"},
    {ASN_CRIT_EXT_E, "has a critical extension that is not supported"},
    {ASN_PATHLEN_INV_E, "its chain is longer than its issuer allows"},
    {ASN_NAME_INVALID_E, "for a name that its issuer may not vouch for"},
    {MAX_CHAIN_ERROR, "its chain is too long"},
    {NOT_CA_ERROR, "signed by a certificate that is not an issuer's"},
    {KEYUSE_SIGNATURE_E, "its key may not be used for signatures"},
    {KEYUSE_ENCIPHER_E, "its key may not be used for encryption"},
    {EXTKEYUSE_AUTH_E, "not for a server"},
    {RSA_KEY_SIZE_E, "its RSA key is too short"},
    {ECC_KEY_SIZE_E, "its ECC key is too short"},
    {NO_PEER_CERT, "none was sent"},
    {VERIFY_CERT_ERROR, "the peer does not hold its private key"},
    {VERIFY_SIGN_ERROR, "the peer does not hold its private key"},
    {SIG_VERIFY_E, "the peer does not hold its private key"},
    {UNSUPPORTED_CERTIFICATE, "of a kind that is not supported"},
    {ALGO_ID_E, "of a kind that is not supported"},
    {ECC_CURVE_OID_E, "its curve is not supported"},
    {PEER_KEY_ERROR, "its key cannot be read"},
};

static enum ls_tls_doubt doubt_of(int number)
{
    switch (number) {
    case ASN_NO_SIGNER_E:
    case ASN_SELF_SIGNED_E:
        return LS_DOUBT_ISSUER;
    case ASN_BEFORE_DATE_E:
        return LS_DOUBT_BEFORE;
    case ASN_AFTER_DATE_E:
        return LS_DOUBT_AFTER;
    case DOMAIN_NAME_MISMATCH:
    case IPADDR_MISMATCH:
        return LS_DOUBT_NAME;
    default:
        return LS_DOUBT_OTHER;
    }
}

static const char *certificate_fault(int number)
{
    for (size_t i = 0; i < sizeof certificate_faults / sizeof certificate_faults[0]; i++) {
        if (certificate_faults[i].number == number) {
            return certificate_faults[i].text;
        }
    }
    return NULL;
}

/* Record types 20 to 24: change cipher, alert, handshake, application data, heartbeat. */
static bool speaks_tls(const struct ls_tls_end *end)
{
    return !end->heard || (end->first >= 20 && end->first <= 24);
}

void end_fail(struct ls_tls_end *end, int number)
{
    end->state = LS_TLS_FAILED;
    end->error = number;
    if (end->no_memory || fault_is_memory(number)) {
        end->why = LS_WHY_MEMORY;
        end->error = MEMORY_E;
    } else if (number == FATAL_ERROR || number == WOLFSSL_ERROR_ZERO_RETURN) {
        end->why = LS_WHY_ALERT;
    } else if (certificate_fault(number) != NULL) {
        end->why = LS_WHY_CERTIFICATE;
    } else {
        end->why = LS_WHY_PROTOCOL;
    }
}

static int alert_of(const struct ls_tls_end *end)
{
    WOLFSSL_ALERT_HISTORY history = {.last_rx = {.code = -1}};

    if (end->why != LS_WHY_ALERT || end->ssl == NULL) {
        return -1;
    }
    (void)wolfSSL_get_alert_history(end->ssl, &history);
    return history.last_rx.code;
}

static void describe_alert(const struct ls_tls_end *end, char *out, size_t size)
{
    const int code = alert_of(end);
    const char *name = alert_name(code);

    (void)snprintf(out, size, "the peer sent the alert %s(%d)", name == NULL ? "unknown" : name,
                   code);
}

static void describe(const struct ls_tls_end *end, char *out, size_t size)
{
    switch ((enum ls_tls_why)end->why) {
    case LS_WHY_NONE:
        out[0] = '\0';
        break;
    case LS_WHY_ALERT:
        describe_alert(end, out, size);
        break;
    case LS_WHY_CERTIFICATE:
        (void)snprintf(out, size, "the peer's certificate: %s", certificate_fault(end->error));
        break;
    case LS_WHY_PROTOCOL:
        (void)snprintf(out, size, "%s%s", speaks_tls(end) ? "" : "the peer does not speak TLS: ",
                       wolfSSL_ERR_reason_error_string((unsigned long)end->error));
        break;
    case LS_WHY_MEMORY:
        (void)snprintf(out, size, "out of memory");
        break;
    }
}

void ls_tls_end_facts(const struct ls_tls_end *end, struct ls_tls_facts *facts)
{
    if (end->ssl == NULL) {
        *facts = (struct ls_tls_facts){.group = "", .cipher = "", .alert = -1, .error = end->error};
        describe(end, facts->text, sizeof facts->text);
        return;
    }
    *facts = (struct ls_tls_facts){
        .tls13 = wolfSSL_GetVersion(end->ssl) == WOLFSSL_TLSV1_3,
        /* Before its end, a handshake that the library hopes to resume counts as resumed there. */
        .resumed = end->secured && wolfSSL_session_reused(end->ssl) != 0,
        .hello_retry = end->hello_retry,
        .group = group_of_library(wolfSSL_get_curve_name(end->ssl)),
        .cipher = cipher_of_library(wolfSSL_get_cipher_name(end->ssl)),
        .doubt = end->why == LS_WHY_CERTIFICATE ? doubt_of(end->error) : LS_DOUBT_NONE,
        .alert = alert_of(end),
        .error = end->error,
    };
    describe(end, facts->text, sizeof facts->text);
}
