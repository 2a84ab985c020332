/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tls/words.h"

#include <string.h>
#include <wolfssl/ssl.h>

const struct group_word group_words[] = {
    {"X25519MLKEM768", "X25519MLKEM768", WOLFSSL_X25519MLKEM768, true, true, false},
    {"SecP256r1MLKEM768", "SecP256r1MLKEM768", WOLFSSL_SECP256R1MLKEM768, true, true, false},
    {"SecP384r1MLKEM1024", "SecP384r1MLKEM1024", WOLFSSL_SECP384R1MLKEM1024, true, true, false},
    {"X25519", "X25519", WOLFSSL_ECC_X25519, false, true, false},
    {"P-256", "SECP256R1", WOLFSSL_ECC_SECP256R1, false, true, true},
    {"P-384", "SECP384R1", WOLFSSL_ECC_SECP384R1, false, true, true},
    {"P-521", "SECP521R1", WOLFSSL_ECC_SECP521R1, false, true, true},
    {"ffdhe2048", "FFDHE_2048", WOLFSSL_FFDHE_2048, true, false, false},
};
const size_t group_words_count = sizeof group_words / sizeof group_words[0];

const struct cipher_word cipher_words[] = {
    {"TLS_AES_256_GCM_SHA384", "TLS13-AES256-GCM-SHA384", true, false, true},
    {"TLS_AES_128_GCM_SHA256", "TLS13-AES128-GCM-SHA256", true, false, true},
    {"TLS_CHACHA20_POLY1305_SHA256", "TLS13-CHACHA20-POLY1305-SHA256", true, false, false},
    {"TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384", "ECDHE-ECDSA-AES256-GCM-SHA384", false, true, true},
    {"TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384", "ECDHE-RSA-AES256-GCM-SHA384", false, false, true},
    {"TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", "ECDHE-ECDSA-AES128-GCM-SHA256", false, true, true},
    {"TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", "ECDHE-RSA-AES128-GCM-SHA256", false, false, true},
    {"TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256", "ECDHE-ECDSA-CHACHA20-POLY1305", false, true,
     false},
    {"TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256", "ECDHE-RSA-CHACHA20-POLY1305", false, false,
     false},
};
const size_t cipher_words_count = sizeof cipher_words / sizeof cipher_words[0];

const struct group_word *group_of_word(const char *word)
{
    for (size_t i = 0; i < group_words_count; i++) {
        if (strcmp(group_words[i].word, word) == 0) {
            return &group_words[i];
        }
    }
    return NULL;
}

const struct cipher_word *cipher_of_word(const char *word)
{
    for (size_t i = 0; i < cipher_words_count; i++) {
        if (strcmp(cipher_words[i].word, word) == 0) {
            return &cipher_words[i];
        }
    }
    return NULL;
}

const char *group_of_library(const char *name)
{
    for (size_t i = 0; name != NULL && i < group_words_count; i++) {
        if (strcmp(group_words[i].library, name) == 0) {
            return group_words[i].word;
        }
    }
    return name == NULL ? "" : name;
}

const char *cipher_of_library(const char *name)
{
    for (size_t i = 0; name != NULL && i < cipher_words_count; i++) {
        if (strcmp(cipher_words[i].library, name) == 0 || strcmp(cipher_words[i].word, name) == 0) {
            return cipher_words[i].word;
        }
    }
    return name == NULL ? "" : name;
}

const char *alert_name(int number)
{
    static const struct {
        int number;
        const char *name;
    } alerts[] = {
        {0, "close_notify"},
        {10, "unexpected_message"},
        {20, "bad_record_mac"},
        {21, "decryption_failed"},
        {22, "record_overflow"},
        {30, "decompression_failure"},
        {40, "handshake_failure"},
        {41, "no_certificate"},
        {42, "bad_certificate"},
        {43, "unsupported_certificate"},
        {44, "certificate_revoked"},
        {45, "certificate_expired"},
        {46, "certificate_unknown"},
        {47, "illegal_parameter"},
        {48, "unknown_ca"},
        {49, "access_denied"},
        {50, "decode_error"},
        {51, "decrypt_error"},
        {60, "export_restriction"},
        {70, "protocol_version"},
        {71, "insufficient_security"},
        {80, "internal_error"},
        {86, "inappropriate_fallback"},
        {90, "user_canceled"},
        {100, "no_renegotiation"},
        {109, "missing_extension"},
        {110, "unsupported_extension"},
        {111, "certificate_unobtainable"},
        {112, "unrecognized_name"},
        {113, "bad_certificate_status_response"},
        {114, "bad_certificate_hash_value"},
        {115, "unknown_psk_identity"},
        {116, "certificate_required"},
        {120, "no_application_protocol"},
        {121, "ech_required"},
    };

    for (size_t i = 0; i < sizeof alerts / sizeof alerts[0]; i++) {
        if (alerts[i].number == number) {
            return alerts[i].name;
        }
    }
    return NULL;
}
