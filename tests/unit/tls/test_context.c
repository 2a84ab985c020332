/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit/tls/pair.h"

static void an_identity_that_does_not_fit_together_is_refused(void **state)
{
    struct ls_identity *a = new_identity("ecdsa-p256", "ecdsa-p256");
    struct ls_identity *b = new_identity("ecdsa-p256", "ecdsa-p256");
    struct ls_identity *rsa = new_identity("rsa-2048", "ecdsa-p256");
    char nothing[] = "", text[] = "no PEM at all";
    const struct {
        struct ls_identity identity;
        const char *why;
    } rows[] = {
        {{.private_key = b->private_key, .chain = a->chain}, "another key of the same kind"},
        {{.private_key = rsa->private_key, .chain = a->chain}, "another kind of key"},
        {{.private_key = nothing, .chain = a->chain}, "no key"},
        {{.private_key = a->private_key, .chain = nothing}, "no certificate"},
        {{.private_key = text, .chain = a->chain}, "a key that is none"},
        {{.private_key = a->private_key, .chain = text}, "a certificate that is none"},
        {{.private_key = a->chain, .chain = a->private_key}, "both in each other's place"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_tls_context *context = NULL;
        struct ls_error err = {0};

        print_message("%s\n", rows[i].why);
        assert_int_equal(
            ls_tls_server_new(&context, &(struct ls_tls_server_wish){.identity = &rows[i].identity},
                              &err),
            LS_EINPUT);
        assert_memory_equal(err.text, "certificate and private key: ", 29);
        assert_null(context);
    }
    ls_identity_free(a);
    ls_identity_free(b);
    ls_identity_free(rsa);
}

static void server_flights_are_as_large_as_the_certificates_make_them(void **state)
{
    /* Measured elsewhere for self-signed leaves; an issuer's name and identifiers come on top. */
    static const struct {
        const char *key, *issuer_key;
        bool send_chain;
        size_t least, most;
    } rows[] = {
        {"rsa-4096", "rsa-4096", false, 3177, 3177 + 120},
        {"ecdsa-p256", "ecdsa-p256", false, 1828, 1828 + 120},
        {"ecdsa-p384", "ecdsa-p384", false, 1920, 1920 + 120},
        {"ecdsa-p256", "ecdsa-p256", true, 1828 + 300, 1828 + 620},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct ls_identity_wish wish = {.key = rows[i].key,
                                              .issuer_key = rows[i].issuer_key,
                                              .name = NAME,
                                              .send_chain = rows[i].send_chain};
        struct ls_tls_context *server, *client;
        struct ls_identity *identity;
        struct ls_error err;
        struct pair p;

        assert_int_equal(ls_identity_new(&identity, &wish, &err), LS_OK);
        server = new_server(identity, false);
        client = new_client(&(struct ls_tls_client_wish){.tls13 = true,
                                                         .groups = LIST("X25519MLKEM768"),
                                                         .server_name = NAME,
                                                         .check = LS_CHECK_CHAIN,
                                                         .trust = identity->trust});
        pair_init(&p, client, server);
        pump(&p, SIZE_MAX);
        assert_secured(&p);
        print_message("%s: %zu bytes\n", rows[i].key, p.first_flight);
        assert_in_range(p.first_flight, rows[i].least, rows[i].most);
        pair_free(&p);
        ls_tls_context_free(client);
        ls_tls_context_free(server);
        ls_identity_free(identity);
    }
}

static void every_cipher_can_be_agreed_on(void **state)
{
    static const struct {
        const char *cipher;
        const char *key;
        bool tls13;
    } rows[] = {
        {"TLS_AES_256_GCM_SHA384", "rsa-2048", true},
        {"TLS_AES_128_GCM_SHA256", "rsa-2048", true},
        {"TLS_CHACHA20_POLY1305_SHA256", "rsa-2048", true},
        {"TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384", "ecdsa-p256", false},
        {"TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384", "rsa-2048", false},
        {"TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", "ecdsa-p256", false},
        {"TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", "rsa-2048", false},
        {"TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256", "ecdsa-p256", false},
        {"TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256", "rsa-2048", false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_identity *identity = new_identity(rows[i].key, "ecdsa-p256");
        struct ls_tls_context *server = new_server(identity, false);
        struct ls_tls_context *client =
            new_client(&(struct ls_tls_client_wish){.tls12 = !rows[i].tls13,
                                                    .tls13 = rows[i].tls13,
                                                    .groups = LIST("X25519"),
                                                    .ciphers = LIST(rows[i].cipher),
                                                    .check = LS_CHECK_NONE});
        struct ls_tls_facts c, s;
        struct pair p;

        pair_init(&p, client, server);
        pump(&p, SIZE_MAX);
        assert_secured(&p);
        ls_tls_end_facts(p.client, &c);
        ls_tls_end_facts(p.server, &s);
        assert_string_equal(c.cipher, rows[i].cipher);
        assert_string_equal(s.cipher, rows[i].cipher);
        pair_free(&p);
        ls_tls_context_free(client);
        ls_tls_context_free(server);
        ls_identity_free(identity);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_identity_that_does_not_fit_together_is_refused),
        cmocka_unit_test(server_flights_are_as_large_as_the_certificates_make_them),
        cmocka_unit_test(every_cipher_can_be_agreed_on),
    };

    return cmocka_run_group_tests_name("tls/context", tests, start_tls, stop_tls);
}
