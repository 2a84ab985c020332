/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit/tls/pair.h"

/* RSA 4096 is slow to make: one identity of each kind serves all tests. */
static const char *const kinds[] = {"rsa-2048",   "rsa-3072",   "rsa-4096", "ecdsa-p256",
                                    "ecdsa-p384", "ecdsa-p521", "ed25519"};
#define KINDS (sizeof kinds / sizeof kinds[0])
static struct ls_identity *identities[KINDS];

static int make_identities(void **state)
{
    if (start_tls(state) != 0) {
        return -1;
    }
    for (size_t i = 0; i < KINDS; i++) {
        identities[i] = new_identity(kinds[i], "ecdsa-p256");
    }
    return 0;
}

static int free_identities(void **state)
{
    for (size_t i = 0; i < KINDS; i++) {
        ls_identity_free(identities[i]);
    }
    return stop_tls(state);
}

static const struct ls_identity *identity_of(const char *kind)
{
    size_t i = 0;

    while (strcmp(kinds[i], kind) != 0) {
        i++;
    }
    return identities[i];
}

/* Both ways, more than a record each. */
static void talk(struct pair *p)
{
    static uint8_t request[40000], answer[70000];
    struct ls_error err;

    memset(request, 'q', sizeof request);
    memset(answer, 'a', sizeof answer);
    assert_int_equal(ls_tls_end_write(p->client, request, sizeof request, &p->up, &err), LS_OK);
    pump(p, SIZE_MAX);
    assert_int_equal(ls_bytes_size(&p->at_server), sizeof request);
    assert_memory_equal(ls_bytes_front(&p->at_server), request, sizeof request);
    assert_int_equal(ls_tls_end_write(p->server, answer, sizeof answer, &p->down, &err), LS_OK);
    pump(p, SIZE_MAX);
    assert_int_equal(ls_bytes_size(&p->at_client), sizeof answer);
    assert_memory_equal(ls_bytes_front(&p->at_client), answer, sizeof answer);
}

static void every_key_kind_version_and_group_shakes_hands(void **state)
{
    /* In TLS 1.2 our gateway takes the smallest curve, and the first of those of one size. */
    static const struct {
        const char *groups[5];
        bool tls13, tls12;
    } offers[] = {
        {{"X25519"}, true, false},
        {{"P-256"}, true, false},
        {{"P-384"}, true, false},
        {{"P-521"}, true, false},
        {{"X25519MLKEM768"}, true, false},
        {{"SecP256r1MLKEM768"}, true, false},
        {{"SecP384r1MLKEM1024"}, true, false},
        {{"X25519", "P-256", "P-384", "P-521"}, false, true},
        {{"P-256", "P-384", "P-521"}, false, true},
        {{"P-384", "P-521"}, false, true},
        {{"X25519"}, false, true},
    };

    (void)state;
    for (size_t k = 0; k < KINDS; k++) {
        struct ls_tls_context *server = new_server(identities[k], false);

        for (size_t i = 0; i < sizeof offers / sizeof offers[0]; i++) {
            struct ls_tls_context *client =
                new_client(&(struct ls_tls_client_wish){.tls12 = offers[i].tls12,
                                                        .tls13 = offers[i].tls13,
                                                        .groups = offers[i].groups,
                                                        .server_name = NAME,
                                                        .check = LS_CHECK_CHAIN,
                                                        .trust = identities[k]->trust});
            struct ls_tls_facts c, s;
            struct pair p;

            print_message("%s, %s, TLS 1.%d\n", kinds[k], offers[i].groups[0],
                          offers[i].tls13 ? 3 : 2);
            pair_init(&p, client, server);
            pump(&p, SIZE_MAX);
            assert_secured(&p);
            ls_tls_end_facts(p.client, &c);
            ls_tls_end_facts(p.server, &s);
            assert_string_equal(c.group, offers[i].groups[0]);
            assert_string_equal(s.group, offers[i].groups[0]);
            assert_int_equal(c.tls13, offers[i].tls13);
            assert_int_equal(s.tls13, offers[i].tls13);
            assert_false(c.resumed || s.resumed || c.hello_retry || s.hello_retry);
            assert_string_equal(c.cipher, s.cipher);
            assert_string_equal(c.text, "");
            talk(&p);
            pair_free(&p);
            ls_tls_context_free(client);
        }
        ls_tls_context_free(server);
    }
}

static struct ls_tls_context *plain_client(const char *const *groups, const char *const *key_shares)
{
    return new_client(&(struct ls_tls_client_wish){.tls13 = true,
                                                   .groups = groups,
                                                   .key_shares = key_shares,
                                                   .server_name = NAME,
                                                   .check = LS_CHECK_NONE});
}

static void bytes_fed_one_by_one_do_the_same(void **state)
{
    (void)state;
    for (int tls13 = 0; tls13 < 2; tls13++) {
        const struct ls_identity *identity = identity_of("ecdsa-p384");
        struct ls_tls_context *server = new_server(identity, true);
        struct ls_tls_context *client =
            new_client(&(struct ls_tls_client_wish){.tls12 = tls13 == 0,
                                                    .tls13 = tls13 != 0,
                                                    .groups = LIST("X25519", "P-384"),
                                                    .server_name = NAME,
                                                    .check = LS_CHECK_CHAIN,
                                                    .trust = identity->trust});
        struct ls_error err;
        struct pair p;

        pair_init(&p, client, server);
        pump(&p, 1);
        assert_secured(&p);
        assert_int_equal(ls_tls_end_write(p.client, "ping", 4, &p.up, &err), LS_OK);
        pump(&p, 1);
        assert_holds(&p.at_server, "ping");
        assert_int_equal(ls_tls_end_write(p.server, "pong", 4, &p.down, &err), LS_OK);
        pump(&p, 1);
        assert_holds(&p.at_client, "pong");
        pair_free(&p);
        ls_tls_context_free(client);
        ls_tls_context_free(server);
    }
}

static void data_behind_the_handshake_in_one_chunk_is_read(void **state)
{
    struct ls_tls_context *server = new_server(identity_of("ecdsa-p256"), false);
    struct ls_tls_context *client = plain_client(LIST("X25519"), NULL);
    struct ls_error err;
    struct pair p;

    (void)state;
    pair_init(&p, client, server);
    (void)hand_over(p.client, &p.down, &p.up, &p.at_client, SIZE_MAX);
    (void)hand_over(p.server, &p.up, &p.down, &p.at_server, SIZE_MAX);
    assert_int_equal(hand_over(p.client, &p.down, &p.up, &p.at_client, SIZE_MAX), LS_TLS_SECURED);
    assert_int_equal(ls_tls_end_write(p.client, "early bird", 10, &p.up, &err), LS_OK);
    assert_int_equal(hand_over(p.server, &p.up, &p.down, &p.at_server, SIZE_MAX), LS_TLS_SECURED);
    assert_holds(&p.at_server, "early bird");
    pair_free(&p);
    ls_tls_context_free(client);
    ls_tls_context_free(server);
}

static void queues_that_already_hold_something_are_appended_to(void **state)
{
    struct ls_tls_context *server = new_server(identity_of("ecdsa-p256"), false);
    struct ls_tls_context *client = plain_client(LIST("X25519"), NULL);
    struct ls_error err;
    struct pair p;

    (void)state;
    pair_init(&p, client, server);
    assert_int_equal(ls_bytes_put(&p.up, "left", 4), LS_OK);
    (void)ls_tls_end_step(p.client, NULL, 0, &p.up, &p.at_client);
    assert_memory_equal(ls_bytes_front(&p.up), "left\x16\x03", 6);
    ls_bytes_drop(&p.up, 4);
    pump(&p, SIZE_MAX);
    assert_secured(&p);
    assert_int_equal(ls_bytes_put(&p.at_server, "left ", 5), LS_OK);
    assert_int_equal(ls_tls_end_write(p.client, "right", 5, &p.up, &err), LS_OK);
    pump(&p, SIZE_MAX);
    assert_holds(&p.at_server, "left right");
    pair_free(&p);
    ls_tls_context_free(client);
    ls_tls_context_free(server);
}

static void close_notify_closes_the_other_side_after_its_data(void **state)
{
    struct ls_tls_context *server = new_server(identity_of("ecdsa-p256"), false);
    struct ls_tls_context *client = plain_client(LIST("X25519"), NULL);
    struct ls_error err;
    struct pair p;

    (void)state;
    pair_init(&p, client, server);
    pump(&p, SIZE_MAX);
    assert_int_equal(ls_tls_end_write(p.client, "bye", 3, &p.up, &err), LS_OK);
    ls_tls_end_close(p.client, &p.up);
    assert_int_equal(ls_tls_end_state(p.client), LS_TLS_CLOSED);
    assert_int_equal(ls_tls_end_write(p.client, "more", 4, &p.up, &err), LS_EBROKEN);
    assert_int_equal(hand_over(p.server, &p.up, &p.down, &p.at_server, SIZE_MAX), LS_TLS_CLOSED);
    assert_holds(&p.at_server, "bye");
    assert_int_equal(ls_tls_end_why(p.server), LS_WHY_NONE);
    pair_free(&p);
    ls_tls_context_free(client);
    ls_tls_context_free(server);
}

static void an_endpoint_closed_before_it_is_secured_sends_nothing(void **state)
{
    struct ls_tls_context *client = plain_client(LIST("X25519"), NULL);
    struct ls_tls_end *end = new_end(client);
    struct ls_bytes out = {0};

    (void)state;
    ls_tls_end_close(end, &out);
    assert_int_equal(ls_tls_end_state(end), LS_TLS_CLOSED);
    assert_int_equal(ls_bytes_size(&out), 0);
    ls_tls_end_free(end);
    ls_tls_context_free(client);
}

static void hello_retry_is_seen_on_both_sides(void **state)
{
    static const struct {
        const char *groups[3], *key_shares[3];
        bool retry;
        const char *group;
        const char *why;
    } rows[] = {
        {{"X25519", "P-256"}, {"P-256"}, false, "P-256", "a share that is there is taken"},
        {{"X25519", "P-256"}, {NULL}, false, "X25519", "the first group is the default share"},
        {{"X25519MLKEM768", "X25519"}, {"X25519"}, false, "X25519", "no retry for a better group"},
        {{"X25519", "P-256"}, {"P-256", "X25519"}, false, "X25519", "the server's favourite"},
        {{"ffdhe2048", "X25519"}, {"ffdhe2048"}, true, "X25519", "the server has no ffdhe2048"},
        {{"ffdhe2048", "P-384"}, {NULL}, true, "P-384", "and none by default either"},
    };
    struct ls_tls_context *server = new_server(identity_of("ecdsa-p256"), false);

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_tls_context *client = plain_client(rows[i].groups, rows[i].key_shares);
        struct ls_tls_facts c, s;
        struct pair p;

        print_message("%s\n", rows[i].why);
        pair_init(&p, client, server);
        pump(&p, SIZE_MAX);
        assert_secured(&p);
        ls_tls_end_facts(p.client, &c);
        ls_tls_end_facts(p.server, &s);
        assert_int_equal(c.hello_retry, rows[i].retry);
        assert_int_equal(s.hello_retry, rows[i].retry);
        assert_string_equal(c.group, rows[i].group);
        assert_string_equal(s.group, rows[i].group);
        pair_free(&p);
        ls_tls_context_free(client);
    }
    ls_tls_context_free(server);
}

static void both_versions_offered_agree_on_1_3(void **state)
{
    struct ls_tls_context *server = new_server(identity_of("rsa-2048"), false);
    struct ls_tls_context *client = new_client(&(struct ls_tls_client_wish){
        .tls12 = true, .tls13 = true, .groups = LIST("X25519", "P-256"), .check = LS_CHECK_LEAF});
    struct ls_tls_facts facts;
    struct pair p;

    (void)state;
    pair_init(&p, client, server);
    pump(&p, SIZE_MAX);
    assert_secured(&p);
    ls_tls_end_facts(p.client, &facts);
    assert_true(facts.tls13);
    assert_string_equal(facts.cipher, "TLS_AES_256_GCM_SHA384");
    pair_free(&p);
    ls_tls_context_free(client);
    ls_tls_context_free(server);
}

static void without_tickets_nothing_follows_the_server_flight(void **state)
{
    static const struct {
        bool tickets;
        size_t least, most;
    } rows[] = {{false, 0, 0}, {true, 150, 400}};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct ls_tls_context *server = new_server(identity_of("ecdsa-p256"), rows[i].tickets);
        struct ls_tls_context *client = plain_client(LIST("X25519"), NULL);
        struct pair p;

        pair_init(&p, client, server);
        pump(&p, SIZE_MAX);
        assert_secured(&p);
        assert_in_range(p.down_total - p.first_flight, rows[i].least, rows[i].most);
        pair_free(&p);
        ls_tls_context_free(client);
        ls_tls_context_free(server);
    }
}

/* Every way to cut what comes counts the same, and what is counted is what went over the wire. */
static void a_client_counts_its_handshake_s_bytes(void **state)
{
    static const struct {
        bool tls12, tickets;
        const char *groups[3], *key_shares[2];
        bool retry;
        const char *why;
    } rows[] = {
        {false, false, {"X25519"}, {NULL}, false, "1.3"},
        {false, true, {"X25519"}, {NULL}, false, "1.3 with a ticket"},
        {false, true, {"X25519MLKEM768"}, {NULL}, false, "a hybrid"},
        {false, true, {"ffdhe2048", "X25519"}, {"ffdhe2048"}, true, "two Client Hellos"},
        {true, false, {"X25519", "P-256"}, {NULL}, false, "1.2"},
    };
    static const size_t parts[] = {1, 2, 7, 1000, SIZE_MAX};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_tls_context *server = new_server(identity_of("ecdsa-p256"), rows[i].tickets);
        struct ls_tls_context *client =
            new_client(&(struct ls_tls_client_wish){.tls12 = rows[i].tls12,
                                                    .tls13 = !rows[i].tls12,
                                                    .groups = rows[i].groups,
                                                    .key_shares = rows[i].key_shares,
                                                    .check = LS_CHECK_LEAF});

        print_message("%s\n", rows[i].why);
        for (size_t n = 0; n < sizeof parts / sizeof parts[0]; n++) {
            struct ls_tls_bytes bytes;
            struct ls_error err;
            struct pair p;

            pair_init(&p, client, server);
            pump(&p, parts[n]);
            assert_secured(&p);
            assert_int_equal(ls_tls_end_write(p.server, "answer", 6, &p.down, &err), LS_OK);
            pump(&p, parts[n]);
            assert_holds(&p.at_client, "answer");
            ls_tls_end_bytes(p.client, &bytes);
            assert_true(rows[i].retry ? bytes.client_hello > p.hello + 100
                                      : bytes.client_hello == p.hello);
            assert_int_equal(bytes.server_flight + bytes.tickets, p.down_total);
            assert_true(rows[i].tickets ? bytes.tickets > 150 && bytes.tickets < 400
                                        : bytes.tickets == 0);
            if (!rows[i].tls12 && !rows[i].retry && parts[n] == SIZE_MAX) {
                assert_int_equal(bytes.server_flight, p.first_flight);
            }
            ls_tls_end_bytes(p.server, &bytes);
            assert_int_equal(bytes.client_hello + bytes.server_flight + bytes.tickets, 0);
            pair_free(&p);
        }
        ls_tls_context_free(client);
        ls_tls_context_free(server);
    }
}

/* A ticket, an answer and the goodbye that come in one read are three things. */
static void a_ticket_is_told_from_what_comes_with_it(void **state)
{
    struct ls_tls_context *server = new_server(identity_of("ecdsa-p256"), true);
    struct ls_tls_context *client = plain_client(LIST("X25519"), NULL);
    struct ls_tls_bytes bytes;
    struct ls_error err;
    struct pair p;
    size_t ticket;

    (void)state;
    pair_init(&p, client, server);
    for (int i = 0; i < 2; i++) {
        (void)hand_over(p.client, &p.down, &p.up, &p.at_client, SIZE_MAX);
        (void)hand_over(p.server, &p.up, &p.down, &p.at_server, SIZE_MAX);
    }
    assert_secured(&p);
    ticket = ls_bytes_size(&p.down);
    ls_tls_end_bytes(p.client, &bytes);
    assert_int_equal(bytes.tickets, 0);
    assert_int_equal(ls_tls_end_write(p.server, "answer", 6, &p.down, &err), LS_OK);
    ls_tls_end_close(p.server, &p.down);
    assert_int_equal(hand_over(p.client, &p.down, &p.up, &p.at_client, SIZE_MAX), LS_TLS_CLOSED);
    assert_holds(&p.at_client, "answer");
    ls_tls_end_bytes(p.client, &bytes);
    assert_int_equal(bytes.tickets, ticket);
    pair_free(&p);
    ls_tls_context_free(client);
    ls_tls_context_free(server);
}

static void a_handshake_takes_one_flight_each_way(void **state)
{
    struct ls_tls_context *server = new_server(identity_of("rsa-4096"), false);
    struct ls_tls_context *client = plain_client(LIST("X25519MLKEM768"), NULL);
    struct pair p;

    (void)state;
    pair_init(&p, client, server);
    assert_int_equal(hand_over(p.client, &p.down, &p.up, &p.at_client, SIZE_MAX),
                     LS_TLS_HANDSHAKING);
    assert_int_equal(hand_over(p.server, &p.up, &p.down, &p.at_server, SIZE_MAX),
                     LS_TLS_HANDSHAKING);
    assert_int_equal(hand_over(p.client, &p.down, &p.up, &p.at_client, SIZE_MAX), LS_TLS_SECURED);
    assert_int_equal(hand_over(p.server, &p.up, &p.down, &p.at_server, SIZE_MAX), LS_TLS_SECURED);
    assert_int_equal(ls_bytes_size(&p.down), 0);
    pair_free(&p);
    ls_tls_context_free(client);
    ls_tls_context_free(server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key_kind_version_and_group_shakes_hands),
        cmocka_unit_test(bytes_fed_one_by_one_do_the_same),
        cmocka_unit_test(data_behind_the_handshake_in_one_chunk_is_read),
        cmocka_unit_test(queues_that_already_hold_something_are_appended_to),
        cmocka_unit_test(close_notify_closes_the_other_side_after_its_data),
        cmocka_unit_test(an_endpoint_closed_before_it_is_secured_sends_nothing),
        cmocka_unit_test(hello_retry_is_seen_on_both_sides),
        cmocka_unit_test(both_versions_offered_agree_on_1_3),
        cmocka_unit_test(without_tickets_nothing_follows_the_server_flight),
        cmocka_unit_test(a_client_counts_its_handshake_s_bytes),
        cmocka_unit_test(a_ticket_is_told_from_what_comes_with_it),
        cmocka_unit_test(a_handshake_takes_one_flight_each_way),
    };

    return cmocka_run_group_tests_name("tls/end", tests, make_identities, free_identities);
}
