/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every allocation of the room, of base and of the TLS library comes through here: counted, and one
 * of them at a time refused. */
#include "tls/load.h"
#include "unit/tls/pair.h"

#include <errno.h>
#include <malloc.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void __real_free(void *p);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void __wrap_free(void *p);

static long blocks; /* now held */
static long bytes;
static long allocations; /* so far */
static long refuse_at = -1, refuse_until = -1;
static bool refused;

static bool refuse(void)
{
    const long number = allocations++;

    if (refuse_at >= 0 && number >= refuse_at && number < refuse_until) {
        refused = true;
        errno = ENOMEM; /* as malloc does */
        return true;
    }
    return false;
}

static void *count(void *p)
{
    if (p != NULL) {
        blocks++;
        bytes += (long)malloc_usable_size(p);
    }
    return p;
}

static void uncount(void *p)
{
    if (p != NULL) {
        blocks--;
        bytes -= (long)malloc_usable_size(p);
    }
}

void *__wrap_malloc(size_t size)
{
    return refuse() ? NULL : count(__real_malloc(size));
}

void *__wrap_calloc(size_t number, size_t size)
{
    return refuse() ? NULL : count(__real_calloc(number, size));
}

void *__wrap_realloc(void *old, size_t size)
{
    if (refuse()) {
        return NULL;
    }
    uncount(old);
    return count(__real_realloc(old, size));
}

void __wrap_free(void *p)
{
    uncount(p);
    __real_free(p);
}

/* Refuses the allocation `at` from now, or all from there on. */
static void refuse_from(long at, bool all)
{
    allocations = 0;
    refused = false;
    refuse_at = at;
    refuse_until = all ? 1L << 40 : at + 1;
}

static bool refuse_no_more(void)
{
    refuse_at = refuse_until = -1;
    return refused;
}

static struct ls_identity *identity;
static const struct ls_identity_wish wish = {
    .key = "ecdsa-p256", .issuer_key = "ecdsa-p256", .name = NAME, .send_chain = true};

static int start(void **state)
{
    if (start_tls(state) != 0) {
        return -1;
    }
    identity = new_identity("ecdsa-p256", "ecdsa-p256");
    return 0;
}

static int stop(void **state)
{
    ls_identity_free(identity);
    return stop_tls(state);
}

static const struct ls_tls_client_wish *client_wish(bool tls13)
{
    static const char *const groups[] = {"X25519", "P-256", NULL};
    static struct ls_tls_client_wish w;

    w = (struct ls_tls_client_wish){.tls12 = !tls13,
                                    .tls13 = tls13,
                                    .groups = groups,
                                    .server_name = NAME,
                                    .check = LS_CHECK_CHAIN,
                                    .trust = identity->trust};
    return &w;
}

/* One that offers protocols, has a certificate of its own, and looks at the server's. */
static const struct ls_tls_client_wish *curious_wish(bool tls13)
{
    static const char *const protocols[] = {"http/1.1", NULL};
    static struct ls_tls_client_wish w;

    w = *client_wish(tls13);
    w.alpn = protocols;
    w.identity = identity;
    w.check = LS_CHECK_NONE;
    w.looks = true;
    return &w;
}

static void a_held_endpoint_is_small(void **state)
{
    /* The whole injector may hold 6,000 bytes a connection; libuv, the socket and the slot are in
     * that, too. */
    static const struct {
        bool tls13, tickets;
        long client_most, server_most;
    } rows[] = {
        {true, false, 3600, 3600},
        {true, true, 4200, 3600},
        {false, false, 3700, 3700},
    };
    enum { HELD = 8 };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_tls_context *server = new_server(identity, rows[i].tickets);
        struct ls_tls_context *client = new_client(client_wish(rows[i].tls13));
        struct pair p[HELD];
        long all, alone;

        for (int k = 0; k < HELD; k++) {
            pair_init(&p[k], client, server);
            pump(&p[k], SIZE_MAX);
            assert_secured(&p[k]);
        }
        all = bytes;
        for (int k = 0; k < HELD; k++) {
            ls_tls_end_free(p[k].client);
            p[k].client = NULL;
        }
        alone = bytes;
        for (int k = 0; k < HELD; k++) {
            ls_tls_end_free(p[k].server);
            p[k].server = NULL;
        }
        print_message("TLS 1.%d, tickets %d: client %ld, server %ld bytes\n", rows[i].tls13 ? 3 : 2,
                      rows[i].tickets, (all - alone) / HELD, (alone - bytes) / HELD);
        assert_in_range((all - alone) / HELD, 1, rows[i].client_most);
        assert_in_range((alone - bytes) / HELD, 1, rows[i].server_most);
        for (int k = 0; k < HELD; k++) {
            pair_free(&p[k]);
        }
        ls_tls_context_free(client);
        ls_tls_context_free(server);
    }
}

static void talking_leaves_a_held_endpoint_as_small_as_it_was(void **state)
{
    static uint8_t data[50000];
    struct ls_tls_context *server = new_server(identity, false);
    struct ls_tls_context *client = new_client(client_wish(true));
    struct ls_error err;
    struct pair p;
    long before;

    (void)state;
    pair_init(&p, client, server);
    pump(&p, SIZE_MAX);
    before = bytes;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(ls_tls_end_write(p.client, data, sizeof data, &p.up, &err), LS_OK);
        pump(&p, 1000);
        ls_bytes_free(&p.at_server);
    }
    assert_int_equal(bytes, before);
    pair_free(&p);
    ls_tls_context_free(client);
    ls_tls_context_free(server);
}

static void nothing_is_left_behind(void **state)
{
    const long before = blocks;

    (void)state;
    for (int i = 0; i < 3; i++) {
        struct ls_identity *own = new_identity("rsa-2048", "ed25519");
        struct ls_tls_context *server = new_server(own, i == 1);
        struct ls_tls_context *client = new_client(client_wish(i != 2));
        struct pair p;

        pair_init(&p, client, server);
        pump(&p, i == 0 ? 7 : SIZE_MAX); /* ends in a certificate that is not trusted */
        assert_int_equal(ls_tls_end_why(p.client), LS_WHY_CERTIFICATE);
        pair_free(&p);
        ls_tls_context_free(client);
        ls_tls_context_free(server);
        ls_identity_free(own);
        assert_int_equal(blocks, before);
    }
}

static void an_identity_survives_any_refused_allocation(void **state)
{
    const long before = blocks;

    (void)state;
    for (int all = 0; all < 2; all++) {
        long at = 0;
        bool hit;

        do {
            struct ls_identity *own = NULL;
            struct ls_error err = {0};
            enum ls_code code;

            refuse_from(at++, all != 0);
            code = ls_identity_new(&own, &wish, &err);
            hit = refuse_no_more();
            if (code == LS_OK) {
                ls_identity_free(own);
            } else if (code != LS_ENOMEM) {
                fail_msg("allocation %ld: %s", at - 1, err.text);
            }
            assert_true(hit || code == LS_OK);
            assert_int_equal(blocks, before);
        } while (hit);
        assert_in_range(at, 10, 100000);
    }
}

static void loading_survives_any_refused_allocation(void **state)
{
    static const struct ls_identity_files files = {
        .chain = "chain.pem", .private_key = "key.pem", .trust = "trust.pem"};
    const struct load_texts texts = {.chain = identity->chain,
                                     .private_key = identity->private_key,
                                     .trust = identity->trust,
                                     .files = &files};
    const long before = blocks;
    long at = 0;
    bool hit;

    (void)state;
    do {
        struct ls_identity *own = NULL;
        struct ls_error err = {0};
        enum ls_code code;

        refuse_from(at++, false);
        code = load_identity(&own, &texts, &err);
        hit = refuse_no_more();
        if (code == LS_OK) {
            ls_identity_free(own);
        } else if (code != LS_ENOMEM) {
            fail_msg("allocation %ld: %s", at - 1, err.text);
        }
        assert_true(hit || code == LS_OK);
        assert_int_equal(blocks, before);
    } while (hit);
    assert_in_range(at, 10, 100000);
}

static void a_context_survives_any_refused_allocation(void **state)
{
    const long before = blocks;

    (void)state;
    /* Client 1.3, client 1.2, server, server with tickets, server of two certificates, client that looks. */
    for (int side = 0; side < 6; side++) {
        long at = 0;
        bool hit;

        do {
            const struct ls_identity *const others[] = {identity};
            const struct ls_tls_server_wish shown = {.identity = identity,
                                                     .others = others,
                                                     .others_count = side == 4 ? 1 : 0,
                                                     .tickets = side == 3};
            struct ls_tls_context *context = NULL;
            struct ls_error err = {0};
            enum ls_code code;

            refuse_from(at++, false);
            code = side < 2    ? ls_tls_client_new(&context, client_wish(side == 0), &err)
                   : side == 5 ? ls_tls_client_new(&context, curious_wish(true), &err)
                               : ls_tls_server_new(&context, &shown, &err);
            hit = refuse_no_more();
            if (code == LS_OK) {
                ls_tls_context_free(context);
            } else if (code != LS_ENOMEM) {
                fail_msg("side %d, allocation %ld: %s", side, at - 1, err.text);
            }
            assert_true(hit || code == LS_OK);
            assert_int_equal(blocks, before);
        } while (hit);
        assert_in_range(at, 5, 100000);
    }
}

/* Whether what was refused allows for it: an error of memory, and no other. */
static bool out_of_memory(const struct pair *p)
{
    return ls_tls_end_why(p->client) == LS_WHY_MEMORY || ls_tls_end_why(p->server) == LS_WHY_MEMORY;
}

/* A whole login, as far as it goes; true when all of it was done. It offers a session and takes the
 * next one, each where there is one to go with. */
static bool log_in(struct ls_tls_context *client, struct ls_tls_context *server,
                   struct ls_tls_session *offered, struct ls_tls_session **taken, long at)
{
    struct pair p = {0};
    struct ls_error err;
    bool done = false, sent = false;
    enum ls_code code;

    code = ls_tls_end_new(&p.client, client, &err);
    if (code == LS_OK && offered != NULL) {
        assert_true(ls_tls_end_offer(p.client, offered));
    }
    if (code == LS_OK) {
        code = ls_tls_end_new(&p.server, server, &err);
    }
    if (code == LS_OK) {
        for (int i = 0; i < 4; i++) {
            struct ls_bytes in = p.down;

            p.down = (struct ls_bytes){0};
            (void)ls_tls_end_step(p.client, ls_bytes_front(&in), ls_bytes_size(&in), &p.up,
                                  &p.at_client);
            ls_bytes_free(&in);
            in = p.up;
            p.up = (struct ls_bytes){0};
            (void)ls_tls_end_step(p.server, ls_bytes_front(&in), ls_bytes_size(&in), &p.down,
                                  &p.at_server);
            ls_bytes_free(&in);
            if (!sent && ls_tls_end_state(p.client) == LS_TLS_SECURED) {
                sent = true;
                code = ls_tls_end_write(p.client, "hello", 5, &p.up, &err);
            }
        }
        done = ls_bytes_size(&p.at_server) == 5;
        if (!done && !out_of_memory(&p)) {
            struct ls_tls_facts c, s;

            ls_tls_end_facts(p.client, &c);
            ls_tls_end_facts(p.server, &s);
            print_message("allocation %ld: client %d %s, server %d %s\n", at, c.error, c.text,
                          s.error, s.text);
            fail();
        }
    } else {
        assert_int_equal(code, LS_ENOMEM);
    }
    if (done && taken != NULL && ls_tls_end_has_ticket(p.client)) {
        code = ls_tls_end_take_session(p.client, taken, &err);
        assert_true(code == LS_OK || code == LS_ENOMEM);
        done = code == LS_OK;
    }
    pair_free(&p);
    return done;
}

static struct ls_tls_context *new_server_of_two(void)
{
    const struct ls_identity *const others[] = {identity};
    const struct ls_tls_server_wish shown = {
        .identity = identity, .others = others, .others_count = 1};
    struct ls_tls_context *context = NULL;
    struct ls_error err;

    assert_int_equal(ls_tls_server_new(&context, &shown, &err), LS_OK);
    return context;
}

static void a_handshake_survives_any_refused_allocation(void **state)
{
    (void)state;
    /* 1.3, with tickets, 1.2, 1.2 with tickets; 1.3 and 1.2 with a certificate that is chosen first, with a client that looks. */
    for (int kind = 0; kind < 8; kind++) {
        struct ls_tls_context *server =
            kind == 4 || kind == 5 ? new_server_of_two() : new_server(identity, kind % 2 == 1);
        struct ls_tls_context *client =
            new_client(kind > 5 ? curious_wish(kind == 6) : client_wish(kind < 2 || kind == 4));
        long at = 0, before;
        bool hit, done;

        assert_true(log_in(client, server, NULL, NULL, -1));
        before = blocks;
        do {
            refuse_from(at++, false);
            done = log_in(client, server, NULL, NULL, at - 1);
            hit = refuse_no_more();
            assert_true(hit || done);
            assert_int_equal(blocks, before);
        } while (hit);
        print_message("%ld allocations\n", at - 1);
        assert_in_range(at, 50, 100000);
        ls_tls_context_free(client);
        ls_tls_context_free(server);
    }
}

static void a_resumption_survives_any_refused_allocation(void **state)
{
    (void)state;
    for (int tls13 = 0; tls13 < 2; tls13++) {
        struct ls_tls_context *server = new_server(identity, true);
        struct ls_tls_client_wish asking = *client_wish(tls13 == 1);
        struct ls_tls_context *client;
        long at = 0, before;
        bool hit, done;

        asking.tickets = true;
        client = new_client(&asking);
        before = blocks;
        do {
            struct ls_tls_session *session = NULL, *next = NULL;

            assert_true(log_in(client, server, NULL, &session, -1));
            assert_non_null(session);
            refuse_from(at++, false);
            done = log_in(client, server, session, &next, at - 1);
            ls_tls_session_free(session);
            hit = refuse_no_more();
            assert_true(hit || (done && next != NULL));
            ls_tls_session_free(next);
            assert_int_equal(blocks, before);
        } while (hit);
        print_message("%ld allocations\n", at - 1);
        assert_in_range(at, 50, 100000);
        ls_tls_context_free(client);
        ls_tls_context_free(server);
    }
}

static void a_kept_session_is_small(void **state)
{
    (void)state;
    for (int tls13 = 0; tls13 < 2; tls13++) {
        struct ls_tls_context *server = new_server(identity, true);
        struct ls_tls_client_wish asking = *client_wish(tls13 == 1);
        struct ls_tls_context *client;
        struct ls_tls_session *session = NULL;
        long before;

        asking.tickets = true;
        client = new_client(&asking);
        assert_true(log_in(client, server, NULL, NULL, -1));
        before = bytes;
        assert_true(log_in(client, server, NULL, &session, -1));
        print_message("%ld bytes\n", bytes - before);
        assert_in_range(bytes - before, 1, 1024);
        ls_tls_session_free(session);
        assert_int_equal(bytes, before);
        ls_tls_context_free(client);
        ls_tls_context_free(server);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_held_endpoint_is_small),
        cmocka_unit_test(talking_leaves_a_held_endpoint_as_small_as_it_was),
        cmocka_unit_test(nothing_is_left_behind),
        cmocka_unit_test(an_identity_survives_any_refused_allocation),
        cmocka_unit_test(loading_survives_any_refused_allocation),
        cmocka_unit_test(a_context_survives_any_refused_allocation),
        cmocka_unit_test(a_handshake_survives_any_refused_allocation),
        cmocka_unit_test(a_resumption_survives_any_refused_allocation),
        cmocka_unit_test(a_kept_session_is_small),
    };

    return cmocka_run_group_tests_name("tls/memory", tests, start, stop);
}
