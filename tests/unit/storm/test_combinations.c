/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a scenario lets through can be played: every key with every version and group, by real handshakes. */
#include <stdio.h>

#include "loginstorm/scenario.h"
#include "unit/tls/pair.h"

static const char *const keys[] = {"rsa-2048",   "rsa-3072",   "rsa-4096",
                                   "ecdsa-p256", "ecdsa-p384", "ecdsa-p521",
                                   "ed25519",    "ml-dsa-44",  "ml-dsa-65"};
static const char *const groups[] = {"X25519",
                                     "P-256",
                                     "P-384",
                                     "P-521",
                                     "X25519MLKEM768",
                                     "SecP256r1MLKEM768",
                                     "SecP384r1MLKEM1024"};
static const char *const settings[] = {
    "versions: [1.2]",
    "versions: [1.3]",
    "versions: [1.2, 1.3]",
    "versions: [1.2], ciphers: [TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256]",
    "versions: [1.2], ciphers: [TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256]",
    /* in brackets: two pieces of one, and no comma forgotten */
    ("versions: [1.2, 1.3], ciphers: [TLS_AES_256_GCM_SHA384, "
     "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384]"),
    "versions: [1.3], ciphers: [TLS_CHACHA20_POLY1305_SHA256]",
};

static struct ls_scenario *parse(const char *key, const char *setting, const char *group,
                                 struct ls_errors *errors)
{
    struct ls_scenario *scenario = NULL;
    char text[512];
    enum ls_code code;

    (void)snprintf(text, sizeof text,
                   "loginstorm: 1\nusers: 5\ncertificates: [{key: %s}]\n"
                   "populations: [{name: all, tls: {%s, groups: [%s], server_name: " NAME "}}]\n",
                   key, setting, group);
    code = ls_scenario_parse(&scenario, "all.yaml", text, strlen(text), NULL, 0, errors);
    assert_int_equal(code == LS_OK, errors->count == 0);
    return scenario;
}

static bool completes(const struct ls_tls_client_wish *wish, struct ls_tls_context *server)
{
    struct ls_tls_context *client = NULL;
    struct ls_error err;
    struct pair p;
    bool secured;

    if (ls_tls_client_new(&client, wish, &err) != LS_OK) {
        assert_true(strlen(err.text) > 0);
        return false;
    }
    pair_init(&p, client, server);
    pump(&p, SIZE_MAX);
    secured = ls_tls_end_state(p.client) == LS_TLS_SECURED &&
              ls_tls_end_state(p.server) == LS_TLS_SECURED;
    pair_free(&p);
    ls_tls_context_free(client);
    return secured;
}

static struct ls_tls_client_wish wish_of(const struct ls_scenario *scenario,
                                         const struct ls_identity *identity)
{
    const struct ls_tls_wish *tls = &scenario->populations[0].tls;

    return (struct ls_tls_client_wish){
        .tls12 = tls->min == LS_TLS_1_2,
        .tls13 = tls->max == LS_TLS_1_3,
        .groups = (const char *const *)tls->groups,
        .key_shares = (const char *const *)tls->key_shares,
        .ciphers = (const char *const *)tls->ciphers,
        .server_name = tls->server_name,
        .check = LS_CHECK_CHAIN,
        .trust = identity->trust,
    };
}

/* What is refused for the key's sake is tried as well, with a key that is not: a refusal of what works is wrong too. */
static void try_one(const char *key, const char *setting, const char *group,
                    const struct ls_identity *identity, struct ls_tls_context *server, int *taken)
{
    struct ls_errors errors = {0};
    struct ls_scenario *scenario = parse(key, setting, group, &errors);
    struct ls_tls_client_wish wish;
    bool secured;

    if (scenario != NULL) {
        (*taken)++;
        wish = wish_of(scenario, identity);
        secured = completes(&wish, server);
        ls_scenario_free(scenario);
        if (!secured) {
            fail_msg("taken, but no handshake: %s, %s, %s", key, setting, group);
        }
        return;
    }
    assert_int_equal(errors.count, 1);
    if (strstr(errors.item[0].text, "certificates.0.key: ") == NULL) {
        /* The group: the same is said of any key. */
        assert_non_null(strstr(errors.item[0].text, "populations.0.tls.groups: "));
        return;
    }
    errors = (struct ls_errors){0};
    scenario = parse(strstr(setting, "_ECDSA_") != NULL ? "ecdsa-p256" : "rsa-2048", setting, group,
                     &errors);
    assert_non_null(scenario);
    wish = wish_of(scenario, identity);
    secured = completes(&wish, server);
    ls_scenario_free(scenario);
    if (secured) {
        fail_msg("refused, but it works: %s, %s, %s", key, setting, group);
    }
}

static void every_combination_that_is_let_through_completes_a_handshake(void **state)
{
    int taken = 0;

    (void)state;
    for (size_t k = 0; k < 9; k++) {
        struct ls_identity *identity = new_identity(keys[k], "ecdsa-p256");
        struct ls_tls_context *server = new_server(identity, false);

        for (size_t s = 0; s < 7; s++) {
            for (size_t g = 0; g < 7; g++) {
                try_one(keys[k], settings[s], groups[g], identity, server, &taken);
            }
        }
        ls_tls_context_free(server);
        ls_identity_free(identity);
    }
    /* TLS 1.2 has 4 groups, 1.3 has 7. Nine keys: 7 x 4 with 1.2, 9 x 7 with 1.3, 9 x 4 with both, 3 x 4 and 4 x 4 with one kind of
     * cipher, 9 x 4 and 9 x 7. */
    assert_int_equal(taken, 28 + 63 + 36 + 12 + 16 + 36 + 63);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_combination_that_is_let_through_completes_a_handshake),
    };

    return cmocka_run_group_tests_name("storm/combinations", tests, start_tls, stop_tls);
}
