/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A client that only looks at what a server shows, and what clients show themselves. */
#include "unit/tls/pair.h"

#include <time.h>

#define DAY_S 86400

static void who_looks_sees_the_certificates_whoever_signed_them(void **state)
{
    static const struct {
        const char *key;
        const char *names;
        bool chain, tls12;
        const char *reason;
    } rows[] = {
        {"rsa-2048", NAME, false, false, "a leaf alone"},
        {"rsa-4096", NAME, false, true, "in TLS 1.2"},
        {"ecdsa-p256", NAME, true, false, "with its issuer"},
        {"ecdsa-p384", NAME, true, true, "the same in TLS 1.2"},
        {"ed25519", NAME, false, false, "another kind"},
        {"ecdsa-p256", NAME ", a.example, b.example", false, false, "several names"},
        {"ecdsa-p256",
         NAME ", a.example, b.example, *.c.example, a-rather-long-name-of-a-server.d.example, "
              "another-rather-long-one.e.example and 2 more",
         false, false, "more names than there is room for"},
    };
    static const char *const more[] = {"a.example",
                                       "b.example",
                                       "*.c.example",
                                       "a-rather-long-name-of-a-server.d.example",
                                       "another-rather-long-one.e.example",
                                       "a-third-rather-long-one.f.example",
                                       "g.example",
                                       NULL};
    static const char *const two[] = {"a.example", "b.example", NULL};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct ls_identity_wish wish = {.key = rows[i].key,
                                              .issuer_key = "ecdsa-p256",
                                              .name = NAME,
                                              .more_names =
                                                  strstr(rows[i].names, "more") != NULL ? more
                                                  : strchr(rows[i].names, ',') != NULL  ? two
                                                                                        : NULL,
                                              .send_chain = rows[i].chain};
        const struct ls_tls_client_wish looks = {.tls12 = rows[i].tls12,
                                                 .tls13 = !rows[i].tls12,
                                                 .groups = LIST("P-256", "P-384"),
                                                 .server_name = "other.example",
                                                 .check = LS_CHECK_NONE,
                                                 .looks = true};
        struct ls_identity *identity;
        struct ls_tls_context *client, *server;
        struct ls_tls_shown shown;
        struct ls_error err = {0};
        struct pair p;

        print_message("%s\n", rows[i].reason);
        assert_int_equal(ls_identity_new(&identity, &wish, &err), LS_OK);
        client = new_client(&looks);
        server = new_server(identity, false);
        pair_init(&p, client, server);
        pump(&p, 4096);
        assert_int_equal(ls_tls_end_state(p.client), LS_TLS_SECURED);
        assert_int_equal(ls_tls_end_shown(p.client, &shown, &err), LS_OK);
        assert_string_equal(shown.key, rows[i].key);
        assert_string_equal(shown.names, rows[i].names);
        assert_int_equal(shown.chain_length, rows[i].chain ? 2 : 1);
        assert_false(shown.self_signed);
        assert_true(strlen(shown.issuer) > 0);
        assert_true(shown.from_s < time(NULL) && shown.until_s > time(NULL) + 80 * DAY_S &&
                    shown.until_s < time(NULL) + 91 * DAY_S);
        pair_free(&p);
        ls_tls_context_free(client);
        ls_tls_context_free(server);
        ls_identity_free(identity);
    }
}

static void who_does_not_look_keeps_nothing(void **state)
{
    const struct ls_tls_client_wish wish = {
        .tls13 = true, .groups = LIST("X25519"), .check = LS_CHECK_NONE};
    struct ls_identity *identity = new_identity("ecdsa-p256", "ecdsa-p256");
    struct ls_tls_context *client = new_client(&wish), *server = new_server(identity, false);
    struct ls_tls_shown shown;
    struct ls_error err = {0};
    struct pair p;

    (void)state;
    pair_init(&p, client, server);
    pump(&p, 4096);
    assert_int_equal(ls_tls_end_state(p.client), LS_TLS_SECURED);
    assert_int_equal(ls_tls_end_shown(p.client, &shown, &err), LS_EINPUT);
    assert_string_equal(err.text, "no certificate was shown");
    pair_free(&p);
    ls_tls_context_free(client);
    ls_tls_context_free(server);
    ls_identity_free(identity);
}

static bool hello_holds(const struct ls_tls_client_wish *wish, const char *bytes, size_t size)
{
    struct ls_tls_context *client = new_client(wish);
    struct ls_tls_end *end = new_end(client);
    struct ls_bytes out = {0}, plain = {0};
    bool found = false;

    assert_int_equal(ls_tls_end_step(end, NULL, 0, &out, &plain), LS_TLS_HANDSHAKING);
    for (size_t i = 0; !found && i + size <= ls_bytes_size(&out); i++) {
        found = memcmp(ls_bytes_front(&out) + i, bytes, size) == 0;
    }
    ls_bytes_free(&out);
    ls_tls_end_free(end);
    ls_tls_context_free(client);
    return found;
}

static void protocols_are_offered_in_their_order(void **state)
{
    /* extension 16, its length, the list's, a length before each protocol */
    static const char both[] = "\0\x10\0\x14\0\x12\x08http/1.1\x08http/1.0";
    static const char one[] = "\0\x10\0\x0b\0\x09\x08http/1.1";
    struct ls_tls_client_wish wish = {
        .tls13 = true, .groups = LIST("X25519"), .check = LS_CHECK_NONE};

    (void)state;
    assert_false(hello_holds(&wish, "http", 4));
    wish.alpn = LIST("http/1.1", "http/1.0");
    assert_true(hello_holds(&wish, both, sizeof both - 1));
    wish.alpn = LIST("http/1.1");
    assert_true(hello_holds(&wish, one, sizeof one - 1));
}

static void what_cannot_be_offered_is_told(void **state)
{
    struct ls_tls_client_wish wish = {
        .tls13 = true, .groups = LIST("X25519"), .check = LS_CHECK_NONE};
    struct ls_tls_context *context = NULL;
    char text[300];
    struct ls_error err = {0};

    (void)state;
    memset(text, 'a', sizeof text);
    text[250] = '\0';
    wish.alpn = LIST("a,b");
    assert_int_equal(ls_tls_client_new(&context, &wish, &err), LS_EINPUT);
    assert_string_equal(err.text, "the protocol \"a,b\" cannot be offered by ALPN");
    wish.alpn = LIST("");
    assert_int_equal(ls_tls_client_new(&context, &wish, &err), LS_EINPUT);
    wish.alpn = LIST(text);
    assert_int_equal(ls_tls_client_new(&context, &wish, &err), LS_EINPUT);
}

static void a_client_s_key_must_be_its_certificate_s(void **state)
{
    struct ls_identity *identity = new_identity("ecdsa-p256", "ecdsa-p256");
    struct ls_identity *other = new_identity("ecdsa-p256", "ecdsa-p256");
    const struct ls_identity mixed = {.chain = identity->chain, .private_key = other->private_key};
    struct ls_tls_client_wish wish = {
        .tls13 = true, .groups = LIST("X25519"), .check = LS_CHECK_NONE, .identity = identity};
    struct ls_tls_context *context = NULL;
    struct ls_error err = {0};

    (void)state;
    assert_int_equal(ls_tls_client_new(&context, &wish, &err), LS_OK);
    ls_tls_context_free(context);
    wish.identity = &mixed;
    assert_int_equal(ls_tls_client_new(&context, &wish, &err), LS_EINPUT);
    ls_identity_free(identity);
    ls_identity_free(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_looks_sees_the_certificates_whoever_signed_them),
        cmocka_unit_test(who_does_not_look_keeps_nothing),
        cmocka_unit_test(protocols_are_offered_in_their_order),
        cmocka_unit_test(what_cannot_be_offered_is_told),
        cmocka_unit_test(a_client_s_key_must_be_its_certificate_s),
    };

    return cmocka_run_group_tests(tests, start_tls, stop_tls);
}
