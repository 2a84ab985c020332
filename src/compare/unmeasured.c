/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What speaks for a certificate beside its figures. */
#include "compare/advice.h"

#include <string.h>

/* X25519MLKEM768: 1,184 bytes of ML-KEM-768 key to the gateway, 1,088 of ciphertext back (FIPS 203,
 * table 3), beside X25519's 32 each. A Client Hello without it is far below a thousand. */
#define HYBRID_HELLO_BYTES 1184
/* Below it at most a third of the hellos had one: (500 - 120) / 1184. */
#define CLASSIC_HELLO_BYTES 500

/* What speaks for a key beside its cost; none of it is measured. */
bool say_policy(struct desk *desk)
{
    static const struct {
        const char *key, *text;
    } rows[] = {
        {"rsa-", "RSA is what clients without ECDSA need; whether you have such "
                 "clients, your logs say and not this storm."},
        {"ecdsa-p384", "P-384 is for where a rule demands it, as CNSA 1.0 does."},
        {"ecdsa-p521", "P-521 is not taken by every browser."},
        {"ed25519", "Public authorities do not sign Ed25519 keys and browsers do not "
                    "take them; it is for clients that are all your own."},
        {"ml-dsa", "ML-DSA has to wait until your clients and your authority support "
                   "it; its bytes are above."},
    };
    const struct ls_comparison *comparison = desk->work->comparison;
    bool good = true;

    for (size_t row = 0; good && row < sizeof rows / sizeof rows[0]; row++) {
        for (size_t i = 0; i < comparison->sides_count; i++) {
            if (strncmp(comparison->sides[i].key, rows[row].key, strlen(rows[row].key)) == 0) {
                good = say(desk, "policy", sentence("%s", rows[row].text));
                break;
            }
        }
    }
    return good;
}

/* What the mean length of the hellos tells of hybrid key shares, which is not how many there were. */
bool say_key_exchange(struct desk *desk)
{
    size_t hybrid = 0, classic = 0, known = 0;

    for (size_t i = 0; i < desk->work->comparison->sides_count; i++) {
        const struct origin *origin = &desk->work->origins[i];
        const double hello = origin->runs_count > 0 ? origin->runs[0]->client_hello_bytes : -1;

        known += hello >= 0;
        hybrid += hello > HYBRID_HELLO_BYTES;
        classic += hello >= 0 && hello < CLASSIC_HELLO_BYTES;
    }
    if (known == 0) {
        return true;
    }
    return say(
        desk, "key_exchange",
        hybrid == known
            ? sentence(
                  "Most of the clients or all came with a hybrid key share (by the mean length "
                  "of their hello), whichever the certificate: its cost is in every figure "
                  "here.")
        : classic == known
            ? sentence("At most a third of these handshakes had a hybrid key exchange "
                       "(X25519MLKEM768), and perhaps none, by the mean length of their hello. It "
                       "is one of TLS 1.3, where it would add 2,272 bytes to each, whichever the "
                       "certificate; its CPU was not measured here.")
        : hybrid + classic == known
            ? sentence("Some of these storms had clients with a hybrid key share and some had not: "
                       "what differs is not the certificate's alone.")
            : sentence("Some of the clients may have come with a hybrid key share and some not (by "
                       "the mean length of their hello): its cost is in the figures in part."));
}
