/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether the users can log in to a gateway with such a certificate at all. Found out by real handshakes of every key with
 * every version and group (tests/unit/storm/test_combinations.c): a group never stands against a certificate's kind of key, with our gateway. */
#include <stdio.h>
#include <string.h>

#include "scenario/field.h"

static bool offers_suite_of(const struct ls_tls_wish *tls, const char *kind)
{
    for (char *const *cipher = tls->ciphers; cipher != NULL && *cipher != NULL; cipher++) {
        if (strstr(*cipher, kind) != NULL) {
            return true;
        }
    }
    return false;
}

const char *ls_key_refusal(const char *key, const struct ls_tls_wish *tls)
{
    const bool rsa = strncmp(key, "rsa-", 4) == 0;

    if (tls->max != LS_TLS_1_2 || strcmp(key, ls_key_name(LS_KEY_FILE)) == 0) {
        return NULL; /* who offers both gets TLS 1.3, whose suites name no kind of key */
    }
    if (strncmp(key, "ml-dsa-", 7) == 0) {
        return "a post-quantum key exists in TLS 1.3 only, and these users offer 1.2 alone; add "
               "1.3 to their "
               "versions, or take the certificate out";
    }
    if (!offers_suite_of(tls, rsa ? "_RSA_WITH_" : "_ECDSA_WITH_")) {
        return rsa ? "these users offer TLS 1.2 without a cipher for RSA keys; add "
                     "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384, or take the certificate out"
                   : "these users offer TLS 1.2 without a cipher for ECDSA and Ed25519 keys; add "
                     "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, or take the certificate out";
    }
    return NULL;
}

static void check_key(struct ls_reading *reading, const struct ls_node *list, size_t index,
                      const struct ls_certificate *certificate,
                      const struct ls_population *population)
{
    const char *why = ls_key_refusal(ls_key_name(certificate->key), &population->tls);
    const struct ls_node *item = list != NULL ? ls_node_at(list, index) : NULL;
    const struct ls_node *key = ls_node_get(item, "key");
    char shown[LS_SHOWN_MAX];
    size_t length;

    if (why == NULL || key == NULL) {
        return;
    }
    length = ls_path_enter(reading, "certificates");
    (void)ls_path_enter_item(reading, index);
    (void)ls_path_enter(reading, "key");
    ls_complain(reading, key->place, "%s for the population \"%s\": %s", key->text,
                ls_show(population->name, shown), why);
    ls_path_leave(reading, length);
}

void ls_check_keys(struct ls_reading *reading, const struct ls_node *node,
                   const struct ls_scenario *s)
{
    const struct ls_node *list = ls_node_get(node, "certificates");

    for (size_t i = 0; s->gateway.embedded && i < s->certificates_count; i++) {
        for (size_t k = 0; k < s->populations_count; k++) {
            check_key(reading, list, i, &s->certificates[i], &s->populations[k]);
        }
    }
}
