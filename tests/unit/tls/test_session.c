/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit/tls/pair.h"

#include <sys/time.h>
#include <time.h>

time_t __real_time(time_t *out);
time_t __wrap_time(time_t *out);
int __real_gettimeofday(struct timeval *now, void *zone);
int __wrap_gettimeofday(struct timeval *now, void *zone);

static time_t later_s; /* how far all clocks are ahead */

time_t __wrap_time(time_t *out)
{
    const time_t now = __real_time(NULL) + later_s;

    if (out != NULL) {
        *out = now;
    }
    return now;
}

int __wrap_gettimeofday(struct timeval *now, void *zone)
{
    const int rc = __real_gettimeofday(now, zone);

    now->tv_sec += later_s;
    return rc;
}

static struct ls_identity *identity;
static struct ls_tls_context *server; /* gives tickets */

static const uint8_t a_key[LS_TICKET_KEY_BYTES] = "the name of it..and of the key the 32 bytes too";

static struct ls_tls_context *server_with(const uint8_t *key)
{
    const struct ls_tls_server_wish wish = {
        .identity = identity, .tickets = true, .ticket_key = key};
    struct ls_tls_context *context = NULL;
    struct ls_error err = {0};

    assert_int_equal(ls_tls_server_new(&context, &wish, &err), LS_OK);
    return context;
}

static int start(void **state)
{
    if (start_tls(state) != 0) {
        return -1;
    }
    identity = new_identity("rsa-2048", "ecdsa-p256");
    server = server_with(NULL);
    return 0;
}

static int stop(void **state)
{
    ls_tls_context_free(server);
    ls_identity_free(identity);
    return stop_tls(state);
}

static struct ls_tls_client_wish wish_of(bool tls12, bool tls13)
{
    static const char *const groups[] = {"X25519", "P-256", NULL};

    return (struct ls_tls_client_wish){.tls12 = tls12,
                                       .tls13 = tls13,
                                       .groups = groups,
                                       .server_name = NAME,
                                       .check = LS_CHECK_CHAIN,
                                       .trust = identity->trust,
                                       .tickets = true};
}

static struct ls_tls_session *take(struct ls_tls_end *end)
{
    struct ls_tls_session *session = NULL;
    struct ls_error err = {0};

    assert_int_equal(ls_tls_end_take_session(end, &session, &err), LS_OK);
    return session;
}

/* One connection that offers a session, which is used up by it; NULL: none. */
static void connect_with(struct pair *p, struct ls_tls_context *client, struct ls_tls_context *to,
                         struct ls_tls_session *session)
{
    pair_init(p, client, to);
    if (session != NULL) {
        (void)ls_tls_end_offer(p->client, session);
        ls_tls_session_free(session);
    }
    pump(p, SIZE_MAX);
    assert_secured(p);
}

static void assert_facts(const struct pair *p, bool offered, bool resumed, bool hello_retry)
{
    struct ls_tls_facts c, s;

    ls_tls_end_facts(p->client, &c);
    ls_tls_end_facts(p->server, &s);
    assert_int_equal(ls_tls_end_offered(p->client), offered);
    assert_int_equal(c.resumed, resumed);
    assert_int_equal(s.resumed, resumed);
    assert_int_equal(c.hello_retry, hello_retry);
    assert_int_equal(s.hello_retry, hello_retry);
    assert_string_equal(c.group, s.group);
    assert_int_equal(c.tls13, s.tls13);
}

static void talk(struct pair *p)
{
    struct ls_error err = {0};

    assert_int_equal(ls_tls_end_write(p->client, "ping", 4, &p->up, &err), LS_OK);
    pump(p, SIZE_MAX);
    assert_holds(&p->at_server, "ping");
    assert_int_equal(ls_tls_end_write(p->server, "pong", 4, &p->down, &err), LS_OK);
    pump(p, SIZE_MAX);
    assert_holds(&p->at_client, "pong");
}

static void a_ticket_resumes_once_and_brings_the_next_one(void **state)
{
    static const struct {
        bool tls12, tls13;
        const char *why;
    } rows[] = {
        {false, true, "TLS 1.3: the ticket comes after the handshake"},
        {true, false, "TLS 1.2: it comes within"},
        {true, true, "both are offered, and 1.3 is taken"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct ls_tls_client_wish wish = wish_of(rows[i].tls12, rows[i].tls13);
        struct ls_tls_context *client = new_client(&wish);
        struct ls_tls_session *session;
        size_t full;
        struct pair p;

        print_message("%s\n", rows[i].why);
        connect_with(&p, client, server, NULL);
        assert_facts(&p, false, false, false);
        full = p.first_flight;
        assert_true(ls_tls_end_has_ticket(p.client));
        assert_false(ls_tls_end_has_ticket(p.server));
        session = take(p.client);
        assert_non_null(session);
        assert_false(ls_tls_end_has_ticket(p.client));
        assert_null(take(p.client));
        pair_free(&p);
        for (int again = 0; again < 4; again++) {
            connect_with(&p, client, server, session);
            assert_facts(&p, true, true, false);
            /* no certificate in it */
            assert_true(p.first_flight > 0 && p.first_flight < full / 2);
            talk(&p);
            session = take(p.client);
            assert_non_null(session);
            pair_free(&p);
        }
        ls_tls_session_free(session);
        ls_tls_context_free(client);
    }
}

static void who_gives_no_tickets_or_is_not_asked_for_them_gives_none(void **state)
{
    struct ls_tls_context *without = new_server(identity, false);
    static const struct {
        bool tls13, asks, gives, comes;
    } rows[] = {
        {true, true, false, false},
        {false, true, false, false},
        {false, false, true, false},
        {true, false, true, true}, /* in 1.3 there is no asking */
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_tls_client_wish wish = wish_of(!rows[i].tls13, rows[i].tls13);
        struct ls_tls_context *client;
        struct pair p;

        wish.tickets = rows[i].asks;
        client = new_client(&wish);
        connect_with(&p, client, rows[i].gives ? server : without, NULL);
        assert_int_equal(ls_tls_end_has_ticket(p.client), rows[i].comes);
        if (!rows[i].comes) {
            assert_null(take(p.client));
        }
        pair_free(&p);
        ls_tls_context_free(client);
    }
    ls_tls_context_free(without);
}

static void servers_of_one_key_take_each_others_tickets_and_no_others(void **state)
{
    static uint8_t same_name[LS_TICKET_KEY_BYTES];
    struct ls_tls_context *first = server_with(a_key), *second = server_with(a_key);
    struct ls_tls_context *forged;

    (void)state;
    memcpy(same_name, a_key, sizeof same_name);
    same_name[LS_TICKET_KEY_BYTES - 1] ^= 1;
    forged = server_with(same_name);
    for (int tls13 = 0; tls13 < 2; tls13++) {
        const struct ls_tls_client_wish wish = wish_of(tls13 == 0, tls13 == 1);
        struct ls_tls_context *client = new_client(&wish);
        const struct {
            struct ls_tls_context *server;
            bool resumed;
        } rows[] = {{second, true}, {forged, false}, {server, false}};

        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            struct ls_tls_session *session;
            struct pair p;

            connect_with(&p, client, first, NULL);
            session = take(p.client);
            assert_non_null(session);
            pair_free(&p);
            connect_with(&p, client, rows[i].server, session);
            assert_facts(&p, true, rows[i].resumed, false);
            talk(&p);
            /* a new one of its own; the library's TLS 1.2 server gives none to who brought a wrong one */
            assert_int_equal(ls_tls_end_has_ticket(p.client), rows[i].resumed || tls13 == 1);
            pair_free(&p);
        }
        ls_tls_context_free(client);
    }
    ls_tls_context_free(first);
    ls_tls_context_free(second);
    ls_tls_context_free(forged);
}

static void a_hello_retry_of_a_resumption_is_both(void **state)
{
    struct ls_tls_client_wish wish = wish_of(false, true);
    struct ls_tls_context *client;
    struct ls_tls_session *session;
    struct pair p;

    (void)state;
    wish.groups = LIST("ffdhe2048", "P-256");
    wish.key_shares = LIST("ffdhe2048"); /* which the server does not take */
    client = new_client(&wish);
    connect_with(&p, client, server, NULL);
    assert_facts(&p, false, false, true);
    session = take(p.client);
    assert_non_null(session);
    pair_free(&p);
    connect_with(&p, client, server, session);
    assert_facts(&p, true, true, true);
    pair_free(&p);
    ls_tls_context_free(client);
}

static void a_tls13_resumption_still_exchanges_keys(void **state)
{
    const struct ls_tls_client_wish wish = wish_of(false, true);
    struct ls_tls_context *client = new_client(&wish);
    struct ls_tls_facts facts;
    struct ls_tls_session *session;
    size_t full;
    struct pair p;

    (void)state;
    connect_with(&p, client, server, NULL);
    full = p.hello;
    session = take(p.client);
    pair_free(&p);
    connect_with(&p, client, server, session);
    assert_true(p.hello > full + 200); /* the ticket beside the share, not instead of it */
    ls_tls_end_facts(p.client, &facts);
    assert_string_equal(facts.group, "X25519");
    assert_string_equal(facts.cipher, "TLS_AES_256_GCM_SHA384");
    pair_free(&p);
    ls_tls_context_free(client);
}

static void asking_for_tickets_changes_the_hello_of_tls12_alone(void **state)
{
    (void)state;
    for (int tls13 = 0; tls13 < 2; tls13++) {
        size_t hello[2];

        for (int asks = 0; asks < 2; asks++) {
            struct ls_tls_client_wish wish = wish_of(tls13 == 0, tls13 == 1);
            struct ls_tls_context *client;
            struct pair p;

            wish.tickets = asks == 1;
            client = new_client(&wish);
            connect_with(&p, client, server, NULL);
            hello[asks] = p.hello;
            pair_free(&p);
            ls_tls_context_free(client);
        }
        assert_int_equal(hello[1], hello[0] + (tls13 == 1 ? 0 : 4));
    }
}

static void a_session_outlives_its_connection_and_may_go_unused(void **state)
{
    const struct ls_tls_client_wish wish = wish_of(false, true);
    struct ls_tls_context *client = new_client(&wish), *other = new_client(&wish);
    struct ls_tls_session *used, *unused;
    struct pair p, q;

    (void)state;
    connect_with(&p, client, server, NULL);
    connect_with(&q, client, server, NULL);
    used = take(p.client);
    unused = take(q.client);
    pair_free(&p);
    pair_free(&q);
    ls_tls_context_free(client);
    connect_with(&p, other, server, used);
    assert_facts(&p, true, true, false);
    pair_free(&p);
    ls_tls_session_free(unused);
    ls_tls_session_free(NULL);
    ls_tls_context_free(other);
}

static void a_held_connection_is_untouched_by_the_session_taken_from_it(void **state)
{
    const struct ls_tls_client_wish wish = wish_of(false, true);
    struct ls_tls_context *client = new_client(&wish);
    struct pair held, p;

    (void)state;
    connect_with(&held, client, server, NULL);
    connect_with(&p, client, server, take(held.client));
    assert_facts(&p, true, true, false);
    pair_free(&p);
    talk(&held);
    assert_facts(&held, false, false, false);
    pair_free(&held);
    ls_tls_context_free(client);
}

static void nothing_counts_as_resumed_before_it_is_secured(void **state)
{
    const struct ls_tls_client_wish wish = wish_of(false, true);
    struct ls_tls_context *client = new_client(&wish);
    struct ls_tls_session *session;
    struct ls_tls_facts facts;
    struct pair p;

    (void)state;
    connect_with(&p, client, server, NULL);
    session = take(p.client);
    assert_false(ls_tls_end_offer(p.server, session));
    pair_free(&p);
    pair_init(&p, client, server);
    assert_true(ls_tls_end_offer(p.client, session));
    ls_tls_session_free(session);
    (void)ls_tls_end_step(p.client, NULL, 0, &p.up, &p.at_client);
    ls_tls_end_facts(p.client, &facts);
    assert_true(ls_tls_end_offered(p.client));
    assert_false(facts.resumed);
    assert_false(ls_tls_end_has_ticket(p.client));
    assert_null(take(p.client));
    pair_free(&p);
    ls_tls_context_free(client);
}

static void a_ticket_is_good_for_a_day_and_not_offered_after_it(void **state)
{
    static const struct {
        time_t age_s;
        bool resumed;
    } rows[] = {{0, true}, {3600, true}, {86000, true}, {86500, false}};

    (void)state;
    for (int tls13 = 0; tls13 < 2; tls13++) {
        const struct ls_tls_client_wish wish = wish_of(tls13 == 0, tls13 == 1);
        struct ls_tls_context *client = new_client(&wish);

        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            struct ls_tls_session *session;
            struct pair p;

            connect_with(&p, client, server, NULL);
            session = take(p.client);
            pair_free(&p);
            later_s = rows[i].age_s;
            connect_with(&p, client, server, session);
            assert_facts(&p, rows[i].resumed, rows[i].resumed, false);
            later_s = 0;
            pair_free(&p);
        }
        ls_tls_context_free(client);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ticket_resumes_once_and_brings_the_next_one),
        cmocka_unit_test(who_gives_no_tickets_or_is_not_asked_for_them_gives_none),
        cmocka_unit_test(servers_of_one_key_take_each_others_tickets_and_no_others),
        cmocka_unit_test(a_hello_retry_of_a_resumption_is_both),
        cmocka_unit_test(a_tls13_resumption_still_exchanges_keys),
        cmocka_unit_test(asking_for_tickets_changes_the_hello_of_tls12_alone),
        cmocka_unit_test(a_session_outlives_its_connection_and_may_go_unused),
        cmocka_unit_test(a_held_connection_is_untouched_by_the_session_taken_from_it),
        cmocka_unit_test(nothing_counts_as_resumed_before_it_is_secured),
        cmocka_unit_test(a_ticket_is_good_for_a_day_and_not_offered_after_it),
    };

    return cmocka_run_group_tests_name("tls/session", tests, start, stop);
}
