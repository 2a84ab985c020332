/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit/tls/pair.h"

#define SHOWN 4

static struct ls_identity *identities[SHOWN];
static struct ls_tls_context *server;

static int start(void **state)
{
    static const struct ls_identity_wish wishes[SHOWN] = {
        {.key = "rsa-2048", .issuer_key = "ecdsa-p256", .name = "a.example"},
        {.key = "ecdsa-p256", .issuer_key = "ecdsa-p256", .name = "*.wild.example"},
        {.key = "ed25519", .issuer_key = "ecdsa-p256", .name = "exact.wild.example"},
        {.key = "ecdsa-p384", .issuer_key = "ecdsa-p256", .name = "b.example"},
    };
    struct ls_error err;

    if (start_tls(state) != 0) {
        return -1;
    }
    for (size_t i = 0; i < SHOWN; i++) {
        if (ls_identity_new(&identities[i], &wishes[i], &err) != LS_OK) {
            return -1;
        }
    }
    return ls_tls_server_new(&server,
                             &(struct ls_tls_server_wish){
                                 .identity = identities[0],
                                 .others = (const struct ls_identity *const *)(identities + 1),
                                 .others_count = SHOWN - 1},
                             &err) == LS_OK
               ? 0
               : -1;
}

static int stop(void **state)
{
    ls_tls_context_free(server);
    for (size_t i = 0; i < SHOWN; i++) {
        ls_identity_free(identities[i]);
    }
    return stop_tls(state);
}

static const struct {
    const char *asked;
    size_t shown;
    const char *why;
} rows[] = {
    {"a.example", 0, "the first one's name"},
    {"b.example", 3, "another one's"},
    {"B.Example", 3, "in any case"},
    {"x.wild.example", 1, "a label for a star"},
    {"exact.wild.example", 2, "just that name goes before a star, though it comes later"},
    {"x.y.wild.example", 0, "two labels: nobody's, so the first"},
    {"unknown.example", 0, "nobody's"},
    {"192.0.2.7", 0, "an address is not asked for"},
    {NULL, 0, "no name"},
};

/* Who was shown is told by whose issuer the client trusts: each identity has its own. */
static bool is_shown(size_t row, size_t identity, bool tls13, size_t part)
{
    const struct ls_tls_client_wish wish = {
        .tls12 = !tls13,
        .tls13 = tls13,
        .groups = LIST("X25519", "P-256"),
        .server_name = rows[row].asked,
        .check = LS_CHECK_LEAF,
    };
    struct ls_tls_context *client = new_client(&wish);
    struct ls_tls_facts facts;
    struct pair p;
    bool secured;

    pair_init(&p, client, server);
    pump(&p, part);
    assert_secured(&p);
    ls_tls_end_facts(p.server, &facts);
    assert_int_equal(facts.tls13, tls13);
    pair_free(&p);
    ls_tls_context_free(client);

    client = new_client(&(struct ls_tls_client_wish){
        .tls12 = !tls13,
        .tls13 = tls13,
        .groups = LIST("X25519", "P-256"),
        .server_name = rows[row].asked,
        .check = LS_CHECK_CHAIN,
        .trust = identities[identity]->trust,
    });
    pair_init(&p, client, server);
    pump(&p, part);
    secured = ls_tls_end_state(p.client) == LS_TLS_SECURED;
    ls_tls_end_facts(p.client, &facts);
    /* The name of the first one's certificate is not what such a client asked for. */
    secured = secured || strstr(facts.text, "not for this server name") != NULL ||
              strstr(facts.text, "not for this address") != NULL;
    pair_free(&p);
    ls_tls_context_free(client);
    return secured;
}

static void the_certificate_is_the_one_that_is_asked_for(void **state)
{
    static const size_t parts[] = {SIZE_MAX, 1, 7};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        print_message("%s: %s\n", rows[i].asked == NULL ? "-" : rows[i].asked, rows[i].why);
        for (size_t k = 0; k < SHOWN; k++) {
            for (size_t way = 0; way < 6; way++) {
                assert_int_equal(is_shown(i, k, way % 2 == 0, parts[way / 2]), k == rows[i].shown);
            }
        }
    }
}

/* A hello retry brings a second Client Hello, of the same name. */
static void a_hello_retry_keeps_the_certificate(void **state)
{
    struct ls_tls_context *client = new_client(&(struct ls_tls_client_wish){
        .tls13 = true,
        .groups = LIST("ffdhe2048", "P-256"),
        .key_shares = LIST("ffdhe2048"),
        .server_name = "b.example",
        .check = LS_CHECK_CHAIN,
        .trust = identities[3]->trust,
    });
    struct ls_tls_facts facts;
    struct pair p;

    (void)state;
    pair_init(&p, client, server);
    pump(&p, SIZE_MAX);
    assert_secured(&p);
    ls_tls_end_facts(p.server, &facts);
    assert_true(facts.hello_retry);
    pair_free(&p);
    ls_tls_context_free(client);
}

static void before_the_hello_is_whole_nothing_is_known_and_nothing_said(void **state)
{
    struct ls_tls_end *end = new_end(server);
    struct ls_bytes out = {0}, plain = {0};
    struct ls_tls_facts facts;
    static const uint8_t part[] = {22, 3, 1, 1, 0, 1};

    (void)state;
    assert_int_equal(ls_tls_end_step(end, NULL, 0, &out, &plain), LS_TLS_HANDSHAKING);
    for (size_t i = 0; i < sizeof part; i++) {
        assert_int_equal(ls_tls_end_step(end, part + i, 1, &out, &plain), LS_TLS_HANDSHAKING);
        ls_tls_end_facts(end, &facts);
        assert_string_equal(facts.group, "");
        assert_string_equal(facts.cipher, "");
        assert_string_equal(facts.text, "");
    }
    assert_int_equal(ls_bytes_size(&out), 0);
    ls_tls_end_close(end, &out);
    assert_int_equal(ls_bytes_size(&out), 0);
    assert_int_equal(ls_tls_end_state(end), LS_TLS_CLOSED);
    ls_tls_end_free(end);
}

static void what_is_not_tls_is_refused_as_ever(void **state)
{
    struct ls_tls_end *end = new_end(server);
    struct ls_bytes out = {0}, plain = {0};
    struct ls_tls_facts facts;

    (void)state;
    assert_int_equal(ls_tls_end_step(end, "GET / HTTP/1.0\r\n\r\n", 18, &out, &plain),
                     LS_TLS_FAILED);
    ls_tls_end_facts(end, &facts);
    assert_memory_equal(facts.text, "the peer does not speak TLS: ", 29);
    ls_bytes_free(&out);
    ls_tls_end_free(end);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_certificate_is_the_one_that_is_asked_for),
        cmocka_unit_test(a_hello_retry_keeps_the_certificate),
        cmocka_unit_test(before_the_hello_is_whole_nothing_is_known_and_nothing_said),
        cmocka_unit_test(what_is_not_tls_is_refused_as_ever),
    };

    return cmocka_run_group_tests_name("tls/sni", tests, start, stop);
}
