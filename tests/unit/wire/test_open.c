/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sessions on a wire: told when they come, and offered when one is set. */
#include "unit/wire/peer.h"

static const uint8_t ping[] = "ping";

static struct ls_tls_session *kept; /* the newest that came */
static bool closes;                 /* at a ticket */

static void on_ticket(struct ls_wire *wire)
{
    struct ls_error err;

    note((struct node *)wire, 't');
    ls_tls_session_free(kept);
    assert_int_equal(ls_tls_end_take_session(wire->end, &kept, &err), LS_OK);
    assert_non_null(kept);
    if (closes) {
        ls_wire_close(wire, false);
    }
}

static void on_secured(struct ls_wire *wire)
{
    struct ls_tls_facts facts;

    ls_tls_end_facts(wire->end, &facts);
    note((struct node *)wire, facts.resumed ? 'r' : ls_tls_end_offered(wire->end) ? 'o' : 'n');
    rig_secured(wire);
}

static struct rig *rig_with_tickets(const struct ls_wire_calls *calls, bool tls13)
{
    struct rig *rig = rig_new(identity);
    const struct ls_tls_server_wish shown = {.identity = identity, .tickets = true};
    const struct ls_tls_client_wish wish = {.tls12 = !tls13,
                                            .tls13 = tls13,
                                            .groups = (const char *const[]){"X25519", NULL},
                                            .server_name = NAME,
                                            .check = LS_CHECK_CHAIN,
                                            .trust = identity->trust,
                                            .tickets = true};
    struct ls_error err;

    ls_tls_context_free(rig->server);
    ls_tls_context_free(rig->client);
    assert_int_equal(ls_tls_server_new(&rig->server, &shown, &err), LS_OK);
    assert_int_equal(ls_tls_client_new(&rig->client, &wish, &err), LS_OK);
    rig->client_hub.calls = calls;
    rig->server_model = (struct node){.says = ping, .says_size = 4, .at = 'p', .stays = true};
    return rig;
}

static struct node *connect_with(struct rig *rig, struct ls_tls_session *session)
{
    const struct node talker = {.says = ping, .says_size = 4, .at = 'p', .wire.session = session};

    return rig_connect(rig, &talker, NULL);
}

static void a_session_is_told_of_before_what_came_with_it(void **state)
{
    struct ls_wire_calls calls = rig_calls;
    static const struct {
        bool tls13;
        const char *first, *second;
    } rows[] = {
        {true, "cfnstpx", "cfrstpx"},  /* before the answer */
        {false, "cftnspx", "cftrspx"}, /* before the end of the handshake */
    };

    (void)state;
    calls.ticket = on_ticket;
    calls.secured = on_secured;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct rig *rig = rig_with_tickets(&calls, rows[i].tls13);
        const struct node *first = connect_with(rig, NULL), *second;
        struct ls_tls_session *session;

        rig_run(rig);
        assert_string_equal(first->heard, rows[i].first);
        session = kept;
        kept = NULL;
        second = connect_with(rig, session);
        rig_run(rig);
        assert_string_equal(second->heard, rows[i].second);
        assert_null(second->wire.session);
        ls_tls_session_free(kept);
        kept = NULL;
        rig_free(rig);
    }
}

static void a_ticket_may_close_its_wire(void **state)
{
    struct ls_wire_calls calls = rig_calls;

    (void)state;
    calls.ticket = on_ticket;
    closes = true;
    for (int tls13 = 0; tls13 < 2; tls13++) {
        struct rig *rig = rig_with_tickets(&calls, tls13 == 1);
        const struct node *client = connect_with(rig, NULL);

        rig_run(rig);
        assert_string_equal(client->heard, tls13 == 1 ? "cfstx" : "cftx");
        assert_true(rig->servers[0].heard[1] == 's');
        assert_int_equal(rig->servers[0].why, LS_WIRE_PEER_CLOSED);
        ls_tls_session_free(kept);
        kept = NULL;
        rig_free(rig);
    }
    closes = false;
}

static void a_session_that_no_hello_came_of_is_still_there(void **state)
{
    struct ls_wire_calls calls = rig_calls;
    struct rig *rig;
    struct node *client;

    (void)state;
    calls.ticket = on_ticket;
    rig = rig_with_tickets(&calls, true);
    (void)connect_with(rig, NULL);
    rig_run(rig);
    client = connect_with(rig, kept);
    kept = NULL;
    assert_non_null(client->wire.session); /* until TCP is there */
    ls_wire_close(&client->wire, true);
    rig_run(rig);
    assert_string_equal(client->heard, "x");
    assert_null(client->wire.session); /* freed with the wire */
    rig_free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_session_is_told_of_before_what_came_with_it),
        cmocka_unit_test(a_ticket_may_close_its_wire),
        cmocka_unit_test(a_session_that_no_hello_came_of_is_still_there),
    };

    return cmocka_run_group_tests(tests, rig_set_up, rig_tear_down);
}
