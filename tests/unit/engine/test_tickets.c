/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/login.h"
#include "unit/engine/stage.h"

int64_t __real_ls_now_ns(void);
int64_t __wrap_ls_now_ns(void);

static int64_t later_ns; /* how far the clock of our rooms is ahead */

int64_t __wrap_ls_now_ns(void)
{
    return __real_ls_now_ns() + later_ns;
}

#define ASKED "{hold: none, request: {send: 300B, receive: 300B}}"
#define TLS13(share) "{server_name: " NAME ", resume: " share "}"
#define TLS12(share) "{server_name: " NAME ", versions: [1.2], resume: " share "}"

struct seen {
    size_t rows, offered, resumed, resumed_13;
};

static struct seen look(const struct stage *stage)
{
    struct seen seen = {0};
    const struct ls_handshake *rows = ls_record_handshakes(stage->record, &seen.rows);

    for (size_t i = 0; i < seen.rows; i++) {
        seen.offered += rows[i].offered;
        seen.resumed += rows[i].resumed;
        seen.resumed_13 += rows[i].resumed && rows[i].tls13;
    }
    return seen;
}

static void who_resumes_is_a_draw_of_seed_and_user(void **state)
{
    enum { USERS = 6000 };
    struct ls_population population = {.tls.resume_share = 0};
    struct ls_scenario scenario = {.seed = 7, .populations = &population, .populations_count = 1};
    struct ls_schedule *schedule = stage_schedule(USERS, 1);
    int64_t before = 0;
    size_t differ = 0;

    (void)state;
    for (int percent = 0; percent <= 100; percent += 5) {
        int64_t count;

        population.tls.resume_share = percent / 100.0;
        count = ls_engine_resuming(&scenario, schedule);
        /* four standard deviations at the most */
        assert_in_range(count, USERS * (size_t)percent / 100 - (percent == 0 ? 0 : 150),
                        USERS * (size_t)percent / 100 + (percent % 100 == 0 ? 0 : 150));
        assert_true(count >= before); /* who resumes at a share does so at any higher one */
        before = count;
    }
    assert_int_equal(before, USERS);
    population.tls.resume_share = 0.35;
    for (size_t i = 0; i < USERS; i++) {
        struct ls_scenario other = scenario;

        other.seed = 8;
        differ +=
            ls_engine_resumes(&scenario, schedule, i) != ls_engine_resumes(&other, schedule, i);
        assert_int_equal(ls_engine_resumes(&scenario, schedule, i),
                         ls_engine_resumes(&scenario, schedule, i));
    }
    assert_in_range(differ, USERS * 0.40, USERS * 0.51); /* 2 x 0.35 x 0.65 */
    free(schedule);
}

static void who_comes_with_a_ticket_resumes_and_nobody_else_does(void **state)
{
    static const struct {
        int connections;
        const char *tls, *login;
        bool tls13, all;
        const char *reason;
    } rows[] = {
        {1, TLS13("35%"), ASKED, true, false, "TLS 1.3"},
        {1, TLS12("35%"), ASKED, false, false, "TLS 1.2"},
        {3, TLS13("35%"), ASKED, true, false, "further connections take the newest ticket"},
        {3, TLS12("35%"), ASKED, false, false, "the same in TLS 1.2"},
        {2, TLS13("35%"), "{hold: none}", true, false, "the second waits for the first's ticket"},
        {3, TLS13("35%"), "{hold: until_end}", true, false, "and the third for the second's"},
        {4, TLS13("35%"), "{hold: none}", true, false, "four, not one of them full"},
        {4, TLS13("35%"), ASKED, true, false, "the same with a request on each"},
        {2, TLS12("35%"), "{hold: none}", false, false, "its ticket comes within the handshake"},
        {3, TLS12("35%"), "{hold: none}", false, false, "three of TLS 1.2"},
        {4, TLS12("35%"), ASKED, false, false, "four of TLS 1.2"},
        {1, TLS13("100%"), "{hold: until_end}", true, true, "everybody, no request"},
        {1, TLS13("0%"), ASKED, true, false, "nobody"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct stage_wish wish = {.users = 200,
                                        .connections = rows[i].connections,
                                        .tls = rows[i].tls,
                                        .login = rows[i].login,
                                        .step_ns = 100 * LS_NS_PER_US,
                                        .resumes = true};
        struct stage stage;
        struct seen seen;
        size_t resuming, count;
        const struct ls_handshake *row;

        print_message("%s\n", rows[i].reason);
        stage_set(&stage, identity, &wish);
        resuming = (size_t)ls_engine_resuming(stage.scenario, stage.schedule);
        stage_engine(&stage);
        stage_fetch(&stage);
        assert_string_equal(stage.fetch_why.text, "");
        row = ls_record_handshakes(stage.record, &count);
        assert_int_equal(count, 0); /* what came before the storm is in no record */
        stage_start(&stage);
        stage_run_until_closed(&stage);
        stage_check(&stage);
        (void)ls_record_handshakes(stage.record, &count);
        for (size_t k = 0; k < count; k++) {
            assert_int_equal(row[k].offered,
                             ls_engine_resumes(stage.scenario, stage.schedule, row[k].user));
            assert_int_equal(row[k].resumed, row[k].offered);
        }
        seen = look(&stage);
        stage_clear(&stage);
        assert_int_equal(stage.fetched, 1);
        assert_int_equal(stage.facts.tickets_fetched, resuming);
        assert_int_equal(stage.facts.logged_in, 200);
        assert_int_equal(seen.rows, 200 * rows[i].connections);
        assert_int_equal(seen.resumed, resuming * (size_t)rows[i].connections);
        assert_int_equal(seen.resumed_13, rows[i].tls13 ? seen.resumed : 0);
        assert_int_equal(stage.counts.accepted, seen.rows + resuming);
        assert_true(rows[i].all ? resuming == 200 : resuming < 100);
        stage_end(&stage);
    }
}

static void shards_fetch_each_their_own(void **state)
{
    enum { SHARDS = 3 };
    size_t resumed = 0, resuming = 0;

    (void)state;
    for (int shard = 0; shard < SHARDS; shard++) {
        const struct stage_wish wish = {
            .users = 100, .tls = TLS13("40%"), .login = ASKED, .resumes = true};
        struct stage stage;

        stage_set(&stage, identity, &wish);
        resuming = (size_t)ls_engine_resuming(stage.scenario, stage.schedule);
        stage.job.shard = shard;
        stage.job.shards = SHARDS;
        stage_engine(&stage);
        stage_fetch(&stage);
        stage_start(&stage);
        stage_run_until_closed(&stage);
        stage_check(&stage);
        assert_int_equal(look(&stage).resumed, stage.facts.tickets_fetched);
        resumed += look(&stage).resumed;
        stage_clear(&stage);
        stage_end(&stage);
    }
    assert_true(resuming > 0);
    assert_int_equal(resumed, resuming);
}

/* Whether the first fetches have gone as far as they can. */
static bool under_way(const struct stage *stage)
{
    struct ls_gateway_counts counts;

    if (stage->wish.peer != NULL || stage->wish.target != NULL) {
        return stage->wish.peer == NULL || stage->wish.peer->accepted > 0;
    }
    ls_gateway_counts(stage->gateway, &counts);
    return counts.secured >= 16;
}

/* Sets the clock on once the fetches are under way. */
static void wait_in_vain(struct stage *stage)
{
    struct ls_error err = {0};

    assert_int_equal(ls_engine_fetch(stage->engine, &err), LS_OK);
    while (stage->fetched == 0 && !under_way(stage)) {
        (void)uv_run(&stage->loop, UV_RUN_ONCE);
    }
    later_ns = 11 * LS_NS_PER_S;
    while (stage->fetched == 0) {
        (void)uv_run(&stage->loop, UV_RUN_ONCE);
    }
    later_ns = 0;
}

static void a_gateway_without_tickets_is_told_before_the_storm(void **state)
{
    static struct peer silent = {.way = PEER_SILENT}, web = {.way = PEER_HTTP},
                       alert = {.way = PEER_ALERT};
    struct sockaddr_in closed = {
        .sin_family = AF_INET, .sin_port = htons(1), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const struct {
        const char *tls;
        struct peer *peer;
        const struct sockaddr *target;
        enum ls_code code;
        const char *text;
    } rows[] = {
        {TLS12("50%"), NULL, NULL, LS_EINPUT,
         "tls.resume: the gateway gave no session ticket with a full handshake (TLS 1.2): turn its "
         "tickets on, or write `resume: 0%`"},
        {TLS13("50%"), NULL, NULL, LS_EINPUT,
         "tls.resume: the gateway gave no session ticket within 10 s of a full handshake (TLS "
         "1.3): turn its tickets on, or write `resume: 0%`"},
        {TLS13("50%"), NULL, NULL, LS_EUNREACHABLE,
         "tls.resume: no ticket of an earlier session: the gateway did not answer within 10 s of a "
         "full handshake"},
        {TLS13("50%"), &silent, NULL, LS_EUNREACHABLE,
         "tls.resume: no ticket of an earlier session: a full handshake took longer than 10 s"},
        {TLS13("50%"), &web, NULL, LS_EUNREACHABLE,
         "tls.resume: no ticket of an earlier session: what the gateway sent is not valid TLS"},
        {TLS13("50%"), &alert, NULL, LS_EUNREACHABLE,
         "tls.resume: no ticket of an earlier session: the gateway sent a TLS alert"},
        {TLS13("50%"), NULL, (const struct sockaddr *)&closed, LS_EUNREACHABLE,
         "tls.resume: no ticket of an earlier session: the gateway refused the connection"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct stage_wish wish = {.users = 60,
                                        .tls = rows[i].tls,
                                        .login = ASKED,
                                        .peer = rows[i].peer,
                                        .target = rows[i].target,
                                        .resumes = true,
                                        .keeps_tickets = true};
        struct stage stage;

        print_message("%s\n", rows[i].text);
        stage_set(&stage, identity, &wish);
        stage.scenario->gateway.embedded = rows[i].code != LS_EINPUT; /* ours has them */
        stage_engine(&stage);
        wait_in_vain(&stage);
        assert_int_equal(stage.fetch_why.code, rows[i].code);
        assert_string_equal(stage.fetch_why.text, rows[i].text);
        ls_engine_stop(stage.engine);
        stage_run_until_closed(&stage);
        assert_int_equal(stage.fetched, 1);
        stage_clear(&stage);
        stage_end(&stage);
    }
}

static void an_engine_may_be_stopped_while_it_fetches(void **state)
{
    static struct peer silent = {.way = PEER_SILENT};
    const struct stage_wish wish = {
        .users = 60, .tls = TLS13("50%"), .login = ASKED, .peer = &silent, .resumes = true};
    struct ls_error err = {0};
    struct stage stage;

    (void)state;
    for (int turns = 0; turns < 4; turns++) {
        stage_set(&stage, identity, &wish);
        stage_engine(&stage);
        assert_int_equal(ls_engine_fetch(stage.engine, &err), LS_OK);
        for (int i = 0; i < turns; i++) {
            (void)uv_run(&stage.loop, UV_RUN_ONCE);
        }
        ls_engine_stop(stage.engine);
        stage_run_until_closed(&stage);
        assert_int_equal(stage.fetched, 0);
        stage_check(&stage); /* everybody is cut off */
        assert_int_equal(stage.facts.logged_in + stage.facts.failed, 0);
        stage_clear(&stage);
        stage_end(&stage);
    }
}

/* One user with a ticket, two attempts, of which the first meets a peer, or, where that is NULL, a closed port. */
static void play_two_attempts(struct stage *stage, struct peer *peer)
{
    const struct sockaddr_in closed = {
        .sin_family = AF_INET, .sin_port = htons(1), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const struct stage_wish wish = {.users = 1,
                                    .tls = TLS13("100%"),
                                    .login = "{hold: none, retry: {attempts: 2, wait: 20ms}, "
                                             "request: {send: 300B, receive: 300B}}",
                                    .resumes = true};
    size_t count = 0;

    stage_set(stage, identity, &wish);
    if (peer != NULL) {
        peer_listen(peer, &stage->loop);
    }
    stage_engine(stage);
    stage_fetch(stage);
    memcpy(&stage->engine->job.target.addresses[0], peer != NULL ? &peer->address : &closed,
           sizeof closed);
    stage_start(stage);
    while (count == 0) {
        (void)uv_run(&stage->loop, UV_RUN_ONCE);
        (void)ls_record_handshakes(stage->record, &count);
    }
    stage->engine->job.target = stage->job.target;
    stage_run_until_closed(stage);
    stage_check(stage);
    assert_int_equal(stage->facts.logged_in, 1);
    if (peer != NULL) {
        peer_stop(peer);
    }
}

static void a_ticket_is_offered_once_whatever_became_of_it(void **state)
{
    static struct peer resets = {.way = PEER_RESETS};
    static const struct {
        struct peer *peer;
        enum ls_reason reason;
        bool first, second; /* whether it is offered */
    } rows[] = {
        {&resets, LS_REASON_HANDSHAKE_RESET, true, false},
        {NULL, LS_REASON_CONNECT_REFUSED, false, true}, /* no Client Hello went out with it */
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct stage stage;
        size_t count;
        const struct ls_handshake *row;

        play_two_attempts(&stage, rows[i].peer);
        row = ls_record_handshakes(stage.record, &count);
        assert_int_equal(count, 2);
        assert_int_equal(row[0].reason, rows[i].reason);
        assert_int_equal(row[0].offered, rows[i].first);
        assert_false(row[0].resumed);
        assert_int_equal(row[1].outcome, LS_OUTCOME_LOGGED_IN);
        assert_int_equal(row[1].offered, rows[i].second);
        assert_int_equal(row[1].resumed, rows[i].second);
        stage_clear(&stage);
        stage_end(&stage);
    }
}

/* A gateway that gives no tickets and takes none: those of the stage's own are of no use there. */
static struct ls_gateway *gateway_without_tickets(struct stage *stage)
{
    struct ls_gateway_job job = {
        .tls = {.identity = identity}, .backlog = 64, .closed = stage_gateway_closed};
    struct ls_gateway *gateway;
    struct ls_error err = {0};

    assert_int_equal(uv_ip4_addr("127.0.0.1", 0, (struct sockaddr_in *)&job.address), 0);
    assert_int_equal(ls_gateway_new(&gateway, &stage->loop, &job, &err), LS_OK);
    ls_gateway_address(gateway, &stage->engine->job.target.addresses[0]);
    return gateway;
}

static void a_ticket_that_never_comes_is_waited_for_as_long_as_a_handshake(void **state)
{
    static const struct {
        const char *tls, *login;
        bool waits, gets_in;
        const char *reason;
    } rows[] = {
        {TLS13("100%"), "{hold: none, timeouts: {handshake: 200ms}}", true, true,
         "then a full one, without an offer"},
        {TLS13("100%"), "{hold: none, timeouts: {handshake: 20s, login: 300ms}}", true, false,
         "no longer than a login may take"},
        {TLS12("100%"), "{hold: none, timeouts: {handshake: 20s}}", false, true,
         "in TLS 1.2 none comes later"},
        {TLS13("0%"), "{hold: none, timeouts: {handshake: 20s}}", false, true,
         "who does not resume waits for none"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct stage_wish wish = {.users = 1,
                                        .connections = 2,
                                        .tls = rows[i].tls,
                                        .login = rows[i].login,
                                        .resumes = true};
        const bool resumes = i < 3;
        struct stage stage;
        struct ls_gateway *other;
        size_t count, logins;
        const struct ls_handshake *row;
        const struct ls_login *login;

        print_message("%s\n", rows[i].reason);
        stage_set(&stage, identity, &wish);
        stage_engine(&stage);
        stage_fetch(&stage);
        other = gateway_without_tickets(&stage);
        stage_start(&stage);
        stage_run_until_closed(&stage);
        stage_check(&stage);
        row = ls_record_handshakes(stage.record, &count);
        login = ls_record_logins(stage.record, &logins);
        assert_int_equal(count, rows[i].gets_in ? 2 : 1);
        assert_int_equal(row[0].outcome, LS_OUTCOME_LOGGED_IN);
        assert_int_equal(row[0].offered, resumes);
        assert_false(row[0].resumed);
        assert_int_equal(login->secured_ns, row[0].ended_ns);
        assert_int_equal(login->outcome,
                         rows[i].gets_in ? LS_OUTCOME_LOGGED_IN : LS_OUTCOME_FAILED);
        if (rows[i].gets_in) {
            assert_false(row[1].offered);
            assert_false(row[1].resumed);
            assert_true(login->done_ns >= row[1].ended_ns);
            assert_true(!rows[i].waits ||
                        row[1].started_ns - row[0].ended_ns >= 200 * LS_NS_PER_MS);
        } else {
            assert_int_equal(login->reason, LS_REASON_LOGIN_TIMEOUT);
        }
        ls_gateway_stop(other);
        stage_clear(&stage);
        ls_gateway_free(other);
        stage_end(&stage);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_resumes_is_a_draw_of_seed_and_user),
        cmocka_unit_test(who_comes_with_a_ticket_resumes_and_nobody_else_does),
        cmocka_unit_test(shards_fetch_each_their_own),
        cmocka_unit_test(a_gateway_without_tickets_is_told_before_the_storm),
        cmocka_unit_test(an_engine_may_be_stopped_while_it_fetches),
        cmocka_unit_test(a_ticket_is_offered_once_whatever_became_of_it),
        cmocka_unit_test(a_ticket_that_never_comes_is_waited_for_as_long_as_a_handshake),
    };

    return cmocka_run_group_tests(tests, rig_set_up, rig_tear_down);
}
