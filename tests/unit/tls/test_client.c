/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit/tls/pair.h"

/* What a Client Hello says, read from its bytes by the RFC and not by the library that wrote it. */
struct hello {
    uint16_t ciphers[32], groups[16], shares[16], versions[4];
    size_t ciphers_count, groups_count, shares_count, versions_count;
    char name[256];
};

static unsigned two(const uint8_t *p)
{
    return (unsigned)p[0] << 8 | p[1];
}

static void read_extension(struct hello *h, unsigned kind, const uint8_t *p, size_t size)
{
    size_t at;

    switch (kind) {
    case 0: /* server_name */
        assert_true(size > 5 && size - 5 < sizeof h->name && p[2] == 0);
        memcpy(h->name, p + 5, size - 5);
        break;
    case 10: /* supported_groups */
        for (at = 2; at < size; at += 2) {
            h->groups[h->groups_count++] = (uint16_t)two(p + at);
        }
        break;
    case 43: /* supported_versions */
        for (at = 1; at < size; at += 2) {
            h->versions[h->versions_count++] = (uint16_t)two(p + at);
        }
        break;
    case 51: /* key_share */
        for (at = 2; at < size; at += 4 + two(p + at + 2)) {
            h->shares[h->shares_count++] = (uint16_t)two(p + at);
        }
        break;
    default:
        break;
    }
}

static void read_hello(struct hello *h, const struct ls_bytes *out)
{
    const uint8_t *p = ls_bytes_front(out);
    const size_t size = ls_bytes_size(out);
    size_t at = 43, end;

    *h = (struct hello){.name = ""};
    assert_true(size > 100);
    assert_int_equal(p[0], 22);
    assert_int_equal(two(p + 3) + 5, size); /* one record, nothing behind it */
    assert_int_equal(p[5], 1);
    at += 1U + p[at]; /* session id */
    end = at + 2 + two(p + at);
    for (at += 2; at < end; at += 2) {
        if (two(p + at) != 0x00ff) { /* not a cipher: no renegotiation */
            h->ciphers[h->ciphers_count++] = (uint16_t)two(p + at);
        }
    }
    at += 1U + p[at]; /* compression */
    at += 2;
    while (at < size) {
        read_extension(h, two(p + at), p + at + 4, two(p + at + 2));
        at += 4 + two(p + at + 2);
    }
    assert_int_equal(at, size);
}

static void say_hello(const struct ls_tls_client_wish *wish, struct hello *h, size_t *size)
{
    struct ls_tls_context *context = new_client(wish);
    struct ls_tls_end *end = new_end(context);
    struct ls_bytes out = {0}, plain = {0};

    assert_int_equal(ls_tls_end_step(end, NULL, 0, &out, &plain), LS_TLS_HANDSHAKING);
    read_hello(h, &out);
    *size = ls_bytes_size(&out);
    ls_bytes_free(&out);
    ls_tls_end_free(end);
    ls_tls_context_free(context);
}

static void a_client_hello_offers_exactly_what_was_wished(void **state)
{
    static const struct {
        const char *why;
        bool tls12, tls13;
        const char *groups[6], *key_shares[4], *ciphers[4], *name;
        uint16_t want_groups[6], want_shares[4], want_ciphers[10], want_versions[3];
        const char *want_name;
    } rows[] = {
        {"the default share is the first group",
         false,
         true,
         {"X25519", "P-256"},
         {NULL},
         {NULL},
         NAME,
         {29, 23},
         {29},
         {0x1302, 0x1301},
         {0x0304},
         NAME},
        {"groups in the wish's order, not the library's",
         false,
         true,
         {"P-256", "X25519MLKEM768", "P-521", "X25519", "P-384"},
         {NULL},
         {NULL},
         NULL,
         {23, 4588, 25, 29, 24},
         {23},
         {0x1302, 0x1301},
         {0x0304},
         ""},
        {"several shares, in the groups' order",
         false,
         true,
         {"X25519MLKEM768", "X25519", "P-256"},
         {"X25519", "X25519MLKEM768"},
         {"TLS_AES_128_GCM_SHA256"},
         NAME,
         {4588, 29, 23},
         {4588, 29},
         {0x1301},
         {0x0304},
         NAME},
        {"a share that is not the first group's",
         false,
         true,
         {"X25519", "P-384"},
         {"P-384"},
         {"TLS_CHACHA20_POLY1305_SHA256", "TLS_AES_256_GCM_SHA384"},
         NAME,
         {29, 24},
         {24},
         {0x1303, 0x1302},
         {0x0304},
         NAME},
        {"both versions, and the ECDHE GCM ciphers of both",
         true,
         true,
         {"X25519", "P-256"},
         {NULL},
         {NULL},
         NAME,
         {29, 23},
         {29},
         {0x1302, 0x1301, 0xc02c, 0xc030, 0xc02b, 0xc02f},
         {0x0304, 0x0303},
         NAME},
        {"TLS 1.2 alone has no shares and no supported_versions",
         true,
         false,
         {"X25519", "P-256"},
         {NULL},
         {"TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"},
         NAME,
         {29, 23},
         {0},
         {0xc02f},
         {0},
         NAME},
        {"SNI carries no addresses",
         false,
         true,
         {"X25519"},
         {NULL},
         {NULL},
         "192.0.2.7",
         {29},
         {29},
         {0x1302, 0x1301},
         {0x0304},
         ""},
        {"nor addresses of six",
         false,
         true,
         {"X25519"},
         {NULL},
         {NULL},
         "2001:db8::7",
         {29},
         {29},
         {0x1302, 0x1301},
         {0x0304},
         ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct hello h;
        size_t size;

        print_message("%s\n", rows[i].why);
        say_hello(&(struct ls_tls_client_wish){.tls12 = rows[i].tls12,
                                               .tls13 = rows[i].tls13,
                                               .groups = rows[i].groups,
                                               .key_shares = rows[i].key_shares,
                                               .ciphers = rows[i].ciphers,
                                               .server_name = rows[i].name,
                                               .check = LS_CHECK_NONE},
                  &h, &size);
        /* Both sides end in zeroes. */
        assert_memory_equal(h.groups, rows[i].want_groups, sizeof rows[i].want_groups);
        assert_memory_equal(h.shares, rows[i].want_shares, sizeof rows[i].want_shares);
        assert_memory_equal(h.ciphers, rows[i].want_ciphers, sizeof rows[i].want_ciphers);
        assert_memory_equal(h.versions, rows[i].want_versions, sizeof rows[i].want_versions);
        assert_string_equal(h.name, rows[i].want_name);
    }
}

static void a_client_hello_takes_the_bytes_that_its_offers_take(void **state)
{
    static const struct {
        const char *groups[4];
        size_t size;
    } rows[] = {
        {{"X25519"}, 185},
        {{"X25519MLKEM768", "X25519", "P-256"}, 1373},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct hello h;
        size_t size;

        say_hello(&(struct ls_tls_client_wish){.tls13 = true,
                                               .groups = rows[i].groups,
                                               .server_name = NAME,
                                               .check = LS_CHECK_NONE},
                  &h, &size);
        assert_int_equal(size, rows[i].size);
    }
}

static void what_cannot_work_is_refused_with_the_reason(void **state)
{
    static const struct {
        const char *why;
        bool tls12, tls13;
        const char *groups[12], *key_shares[3], *ciphers[3], *name, *trust;
        enum ls_tls_check check;
        const char *text;
    } rows[] = {
        {"no version",
         false,
         false,
         {"X25519"},
         {0},
         {0},
         NULL,
         NULL,
         LS_CHECK_NONE,
         "no version of TLS is offered"},
        {"no group",
         false,
         true,
         {NULL},
         {0},
         {0},
         NULL,
         NULL,
         LS_CHECK_NONE,
         "no group is offered"},
        {"unknown group",
         false,
         true,
         {"x25519"},
         {0},
         {0},
         NULL,
         NULL,
         LS_CHECK_NONE,
         "unknown group x25519; there are X25519, P-256, P-384, P-521, X25519MLKEM768, "
         "SecP256r1MLKEM768, SecP384r1MLKEM1024 and ffdhe2048"},
        {"twice",
         false,
         true,
         {"P-256", "X25519", "P-256"},
         {0},
         {0},
         NULL,
         NULL,
         LS_CHECK_NONE,
         "group P-256 stands twice in the list"},
        {"hybrids are of 1.3",
         true,
         false,
         {"X25519MLKEM768"},
         {0},
         {0},
         NULL,
         NULL,
         LS_CHECK_NONE,
         "group X25519MLKEM768 exists only in TLS 1.3, and only TLS 1.2 is offered"},
        {"1.2 needs a group too",
         true,
         true,
         {"X25519MLKEM768"},
         {0},
         {0},
         NULL,
         NULL,
         LS_CHECK_NONE,
         "TLS 1.2 is offered, but all of the groups exist only in TLS 1.3"},
        {"unknown share",
         false,
         true,
         {"X25519"},
         {"P-255"},
         {0},
         NULL,
         NULL,
         LS_CHECK_NONE,
         "unknown group P-255; there are X25519, P-256, P-384, P-521, X25519MLKEM768, "
         "SecP256r1MLKEM768, SecP384r1MLKEM1024 and ffdhe2048"},
        {"share without group",
         false,
         true,
         {"X25519"},
         {"P-256"},
         {0},
         NULL,
         NULL,
         LS_CHECK_NONE,
         "a key share for P-256, which is not among the groups"},
        {"unknown cipher",
         false,
         true,
         {"X25519"},
         {0},
         {"AES256"},
         NULL,
         NULL,
         LS_CHECK_NONE,
         "unknown cipher AES256"},
        {"cipher of 1.3",
         true,
         false,
         {"X25519"},
         {0},
         {"TLS_AES_128_GCM_SHA256"},
         NULL,
         NULL,
         LS_CHECK_NONE,
         "cipher TLS_AES_128_GCM_SHA256 is of TLS 1.3, and only TLS 1.2 is offered"},
        {"cipher of 1.2",
         false,
         true,
         {"X25519"},
         {0},
         {"TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"},
         NULL,
         NULL,
         LS_CHECK_NONE,
         "cipher TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256 is of TLS 1.2, and only TLS 1.3 is "
         "offered"},
        {"nothing for 1.2",
         true,
         true,
         {"X25519"},
         {0},
         {"TLS_AES_128_GCM_SHA256"},
         NULL,
         NULL,
         LS_CHECK_NONE,
         "TLS 1.2 is offered, but none of the ciphers is of TLS 1.2"},
        {"nothing for 1.3",
         true,
         true,
         {"X25519"},
         {0},
         {"TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"},
         NULL,
         NULL,
         LS_CHECK_NONE,
         "TLS 1.3 is offered, but none of the ciphers is of TLS 1.3"},
        {"empty name",
         false,
         true,
         {"X25519"},
         {0},
         {0},
         "",
         NULL,
         LS_CHECK_NONE,
         "the server name \"\" is empty; write a name like gw.corp.example"},
        {"a name that the library does not take",
         false,
         true,
         {"X25519"},
         {0},
         {0},
         "a.test:8443",
         NULL,
         LS_CHECK_CHAIN,
         "the server name \"a.test:8443\" is neither a host name nor an address; write it "
         "alone, without brackets, scheme, port or path"},
        {"no trust",
         false,
         true,
         {"X25519"},
         {0},
         {0},
         NAME,
         NULL,
         LS_CHECK_CHAIN,
         "a chain is to be checked, but no issuer is trusted"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct ls_tls_client_wish wish = {.tls12 = rows[i].tls12,
                                                .tls13 = rows[i].tls13,
                                                .groups = rows[i].groups,
                                                .key_shares = rows[i].key_shares,
                                                .ciphers = rows[i].ciphers,
                                                .server_name = rows[i].name,
                                                .check = rows[i].check,
                                                .trust = rows[i].trust};
        struct ls_tls_context *context = NULL;
        struct ls_error err = {0};

        print_message("%s\n", rows[i].why);
        assert_int_equal(ls_tls_client_new(&context, &wish, &err), LS_EINPUT);
        assert_string_equal(err.text, rows[i].text);
        assert_null(context);
    }
}

static void a_trust_that_is_no_certificate_is_refused(void **state)
{
    static const char *const trusts[] = {
        "", "no PEM", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"};

    (void)state;
    for (size_t i = 0; i < sizeof trusts / sizeof trusts[0]; i++) {
        struct ls_tls_context *context = NULL;
        struct ls_error err = {0};

        assert_int_equal(ls_tls_client_new(&context,
                                           &(struct ls_tls_client_wish){.tls13 = true,
                                                                        .groups = LIST("X25519"),
                                                                        .server_name = NAME,
                                                                        .check = LS_CHECK_CHAIN,
                                                                        .trust = trusts[i]},
                                           &err),
                         LS_EINPUT);
        assert_memory_equal(err.text, "the trusted issuer's certificate: ", 34);
        assert_null(context);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_client_hello_offers_exactly_what_was_wished),
        cmocka_unit_test(a_client_hello_takes_the_bytes_that_its_offers_take),
        cmocka_unit_test(what_cannot_work_is_refused_with_the_reason),
        cmocka_unit_test(a_trust_that_is_no_certificate_is_refused),
    };

    return cmocka_run_group_tests_name("tls/client", tests, start_tls, stop_tls);
}
