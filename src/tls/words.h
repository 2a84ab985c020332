/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TLS_WORDS_H
#define TLS_WORDS_H

/* The scenario's words for groups and ciphers beside the TLS library's own, and alerts by name. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct group_word {
    const char *word;    /* as in the scenario */
    const char *library; /* as the library names it after a handshake */
    uint16_t number;
    bool only13;  /* does not exist in TLS 1.2 */
    bool server;  /* our gateway takes it; what it does not take ends in a hello retry */
    bool signing; /* a curve of ECDSA certificates */
};

struct cipher_word {
    const char *word;    /* IANA's name */
    const char *library; /* the library's name in cipher lists */
    bool only13;         /* else only TLS 1.2 */
    bool ecdsa;          /* TLS 1.2: the certificate's kind */
    bool defaults;       /* offered when a wish names no ciphers */
};

/* Tables in the order that a gateway prefers. */
extern const struct group_word group_words[];
extern const size_t group_words_count;
extern const struct cipher_word cipher_words[];
extern const size_t cipher_words_count;

/* NULL: unknown. */
const struct group_word *group_of_word(const char *word);
const struct cipher_word *cipher_of_word(const char *word);

/* The scenario's words for the library's; the library's own where there is none, "" for NULL. */
const char *group_of_library(const char *name);
const char *cipher_of_library(const char *name);

/* "handshake_failure"; NULL: a number that no RFC names. */
const char *alert_name(int number);

#endif
