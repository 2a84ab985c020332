/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit/tls/pair.h"

#include <time.h>
#include <wolfssl/ssl.h>
#include <wolfssl/wolfcrypt/asn_public.h>

#include "tls/context.h"

static struct ls_identity *identity, *other;

static int start(void **state)
{
    if (start_tls(state) != 0) {
        return -1;
    }
    identity = new_identity("ecdsa-p256", "ecdsa-p256");
    other = new_identity("ecdsa-p256", "ecdsa-p256");
    return 0;
}

static int stop(void **state)
{
    ls_identity_free(identity);
    ls_identity_free(other);
    return stop_tls(state);
}

static struct ls_tls_context *client_of(enum ls_tls_check check, const char *name,
                                        const char *trust, bool tls13)
{
    return new_client(&(struct ls_tls_client_wish){.tls12 = !tls13,
                                                   .tls13 = tls13,
                                                   .groups = LIST("X25519", "P-256"),
                                                   .server_name = name,
                                                   .check = check,
                                                   .trust = trust});
}

static void assert_failed(const struct ls_tls_end *end, enum ls_tls_why why, const char *text)
{
    struct ls_tls_facts facts;

    ls_tls_end_facts(end, &facts);
    assert_string_equal(facts.text, text);
    assert_int_equal(ls_tls_end_state(end), LS_TLS_FAILED);
    assert_int_equal(ls_tls_end_why(end), why);
    assert_int_not_equal(facts.error, 0);
}

static void bytes_that_are_no_tls_are_told_apart(void **state)
{
    static const struct {
        const char *bytes;
        size_t size;
        enum ls_tls_why why;
        const char *text;
    } rows[] = {
        {"HTTP/1.1 400 Bad Request\r\n\r\n", 28, LS_WHY_PROTOCOL,
         "the peer does not speak TLS: record layer version error"},
        {"SSH-2.0-OpenSSH_9.2p1\r\n", 23, LS_WHY_PROTOCOL,
         "the peer does not speak TLS: record layer version error"},
        {"\0\0\0\0\0\0\0\0", 8, LS_WHY_PROTOCOL,
         "the peer does not speak TLS: record layer version error"},
        {"\x15\x03\x03\0\x02\x02\x28", 7, LS_WHY_ALERT,
         "the peer sent the alert handshake_failure(40)"},
        {"\x15\x03\x01\0\x02\x02\x46", 7, LS_WHY_ALERT,
         "the peer sent the alert protocol_version(70)"},
        {"\x15\x03\x03\0\x02\x02\xee", 7, LS_WHY_ALERT, "the peer sent the alert unknown(238)"},
        {"\x15\x03\x03\0\x02\x01\0", 7, LS_WHY_ALERT, "the peer sent the alert close_notify(0)"},
    };
    struct ls_tls_context *client = client_of(LS_CHECK_NONE, NAME, NULL, true);

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_tls_end *end = new_end(client);
        struct ls_bytes out = {0}, plain = {0};

        (void)ls_tls_end_step(end, NULL, 0, &out, &plain);
        (void)ls_tls_end_step(end, rows[i].bytes, rows[i].size, &out, &plain);
        assert_failed(end, rows[i].why, rows[i].text);
        /* And it stays so, whatever else comes. */
        assert_int_equal(ls_tls_end_step(end, "more", 4, &out, &plain), LS_TLS_FAILED);
        assert_failed(end, rows[i].why, rows[i].text);
        ls_bytes_free(&out);
        ls_tls_end_free(end);
    }
    ls_tls_context_free(client);
}

static void a_server_that_gets_plain_http_says_so(void **state)
{
    struct ls_tls_context *server = new_server(identity, false);
    struct ls_tls_end *end = new_end(server);
    struct ls_bytes out = {0}, plain = {0};

    (void)state;
    (void)ls_tls_end_step(end, "GET / HTTP/1.1\r\n\r\n", 18, &out, &plain);
    assert_failed(end, LS_WHY_PROTOCOL, "the peer does not speak TLS: unknown type in record hdr");
    ls_bytes_free(&out);
    ls_tls_end_free(end);
    ls_tls_context_free(server);
}

static int64_t shift_s;

static time_t shifted_time(time_t *out)
{
    const time_t now = time(NULL) + (time_t)shift_s;

    if (out != NULL) {
        *out = now;
    }
    return now;
}

static void a_certificate_that_will_not_do_says_why(void **state)
{
    static const struct {
        const char *name;
        bool wrong_issuer;
        int days; /* the client's clock */
        const char *text, *alert;
    } rows[] = {
        {"other.example.lan", false, 0, "the peer's certificate: not for this server name",
         "the peer sent the alert bad_certificate(42)"},
        {"192.0.2.7", false, 0, "the peer's certificate: not for this address",
         "the peer sent the alert bad_certificate(42)"},
        {NAME, true, 0, "the peer's certificate: signed by nobody who is trusted",
         "the peer sent the alert unknown_ca(48)"},
        {NAME, false, 91, "the peer's certificate: expired",
         "the peer sent the alert certificate_expired(45)"},
        {NAME, false, -2, "the peer's certificate: not yet valid",
         "the peer sent the alert certificate_expired(45)"},
    };
    struct ls_tls_context *server = new_server(identity, false);

    (void)state;
    assert_int_equal(wc_SetTimeCb(shifted_time), 0);
    for (size_t i = 0; i < 2 * sizeof rows / sizeof rows[0]; i++) {
        const size_t k = i / 2;
        struct ls_tls_context *client =
            client_of(LS_CHECK_CHAIN, rows[k].name,
                      rows[k].wrong_issuer ? other->trust : identity->trust, i % 2 == 0);
        struct pair p;

        shift_s = INT64_C(86400) * rows[k].days;
        pair_init(&p, client, server);
        pump(&p, SIZE_MAX);
        shift_s = 0;
        assert_failed(p.client, LS_WHY_CERTIFICATE, rows[k].text);
        assert_failed(p.server, LS_WHY_ALERT, rows[k].alert);
        pair_free(&p);
        ls_tls_context_free(client);
    }
    ls_tls_context_free(server);
}

static void without_a_chain_check_any_certificate_will_do(void **state)
{
    static const enum ls_tls_check checks[] = {LS_CHECK_LEAF, LS_CHECK_NONE};
    struct ls_tls_context *server = new_server(identity, false);

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        struct ls_tls_context *client =
            client_of(checks[i / 2], "other.example.lan", NULL, i % 2 == 0);
        struct pair p;

        pair_init(&p, client, server);
        pump(&p, SIZE_MAX);
        assert_secured(&p);
        pair_free(&p);
        ls_tls_context_free(client);
    }
    ls_tls_context_free(server);
}

static void no_check_accepts_a_server_without_the_private_key(void **state)
{
    static const enum ls_tls_check checks[] = {LS_CHECK_CHAIN, LS_CHECK_LEAF, LS_CHECK_NONE};
    struct ls_tls_context *server = new_server(identity, false);

    (void)state;
    /* Behind the room's back: it would refuse such a pair. */
    assert_int_equal(
        wolfSSL_CTX_use_PrivateKey_buffer(server->ctx, (const unsigned char *)other->private_key,
                                          (long)strlen(other->private_key), WOLFSSL_FILETYPE_PEM),
        WOLFSSL_SUCCESS);
    for (size_t i = 0; i < 6; i++) {
        struct ls_tls_context *client = client_of(checks[i / 2], NAME, identity->trust, i % 2 == 0);
        struct pair p;

        pair_init(&p, client, server);
        pump(&p, SIZE_MAX);
        assert_failed(p.client, LS_WHY_CERTIFICATE,
                      "the peer's certificate: the peer does not hold its private key");
        if (i % 2 == 0) { /* in TLS 1.2 the library leaves it to the close of the connection */
            assert_failed(p.server, LS_WHY_ALERT, "the peer sent the alert decrypt_error(51)");
        }
        pair_free(&p);
        ls_tls_context_free(client);
    }
    ls_tls_context_free(server);
}

static void peers_that_share_no_version_or_cipher_part_with_an_alert(void **state)
{
    struct ls_tls_context *server = new_server(identity, false);
    struct ls_tls_context *client = new_client(
        &(struct ls_tls_client_wish){.tls12 = true,
                                     .groups = LIST("X25519"),
                                     .ciphers = LIST("TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"),
                                     .check = LS_CHECK_NONE});
    struct pair p;

    (void)state;
    pair_init(&p, client, server);
    pump(&p, SIZE_MAX);
    assert_failed(p.server, LS_WHY_PROTOCOL, "can't match cipher suite");
    assert_failed(p.client, LS_WHY_ALERT, "the peer sent the alert handshake_failure(40)");
    pair_free(&p);
    ls_tls_context_free(client);
    ls_tls_context_free(server);
}

/* The two bytes of a record's version are for middleboxes; RFC 8446 has them ignored. */
static bool is_record_version(const uint8_t *flight, size_t size, size_t at)
{
    size_t record = 0;

    while (record < size && at >= record + 5) {
        record += 5U + ((size_t)flight[record + 3] << 8 | flight[record + 4]);
    }
    return at == record + 1 || at == record + 2;
}

static void one_changed_byte_anywhere_keeps_a_client_from_being_secured(void **state)
{
    struct ls_tls_context *server = new_server(identity, false);
    struct ls_tls_context *client = client_of(LS_CHECK_NONE, NAME, NULL, true);
    size_t size = 1;

    (void)state;
    for (size_t at = 0; at < size; at++) {
        struct pair p;
        uint8_t *flight;

        pair_init(&p, client, server);
        (void)hand_over(p.client, &p.down, &p.up, &p.at_client, SIZE_MAX);
        (void)hand_over(p.server, &p.up, &p.down, &p.at_server, SIZE_MAX);
        size = ls_bytes_size(&p.down);
        flight = p.down.data + p.down.begin;
        if (at < size && !is_record_version(flight, size, at)) {
            flight[at] ^= 0x20;
            assert_int_not_equal(hand_over(p.client, &p.down, &p.up, &p.at_client, SIZE_MAX),
                                 LS_TLS_SECURED);
            if (ls_tls_end_state(p.client) == LS_TLS_FAILED) {
                assert_int_not_equal(ls_tls_end_why(p.client), LS_WHY_NONE);
                assert_int_not_equal(ls_tls_end_why(p.client), LS_WHY_MEMORY);
            }
        }
        pair_free(&p);
    }
    assert_in_range(size, 700, 1500);
    ls_tls_context_free(client);
    ls_tls_context_free(server);
}

static void a_record_changed_on_its_way_ends_a_secured_endpoint(void **state)
{
    struct ls_tls_context *server = new_server(identity, false);
    struct ls_tls_context *client = client_of(LS_CHECK_NONE, NAME, NULL, true);
    struct ls_error err;
    struct pair p;

    (void)state;
    pair_init(&p, client, server);
    pump(&p, SIZE_MAX);
    assert_int_equal(ls_tls_end_write(p.client, "good", 4, &p.up, &err), LS_OK);
    assert_int_equal(ls_tls_end_write(p.client, "bad", 3, &p.up, &err), LS_OK);
    p.up.data[p.up.end - 1] ^= 1;
    pump(&p, SIZE_MAX);
    assert_holds(&p.at_server, "good");
    assert_failed(p.server, LS_WHY_PROTOCOL, "AES-GCM Authentication check fail");
    assert_failed(p.client, LS_WHY_ALERT, "the peer sent the alert bad_record_mac(20)");
    pair_free(&p);
    ls_tls_context_free(client);
    ls_tls_context_free(server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_that_are_no_tls_are_told_apart),
        cmocka_unit_test(a_server_that_gets_plain_http_says_so),
        cmocka_unit_test(a_certificate_that_will_not_do_says_why),
        cmocka_unit_test(without_a_chain_check_any_certificate_will_do),
        cmocka_unit_test(no_check_accepts_a_server_without_the_private_key),
        cmocka_unit_test(peers_that_share_no_version_or_cipher_part_with_an_alert),
        cmocka_unit_test(one_changed_byte_anywhere_keeps_a_client_from_being_secured),
        cmocka_unit_test(a_record_changed_on_its_way_ends_a_secured_endpoint),
    };

    return cmocka_run_group_tests_name("tls/facts", tests, start, stop);
}
