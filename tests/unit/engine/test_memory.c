/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One allocation fails, each in turn, from setting up to the end: no crash, no hang, and everyone
 * counted, or a clean error. The linker leads malloc, calloc and realloc of our rooms and of the
 * TLS library here; libuv keeps its own, since it aborts when its table of watchers cannot grow. */
#include <limits.h>

#include "unit/engine/stage.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);

static struct {
    long count; /* allocations since armed */
    long fails; /* the first that fails; 0: none */
    long times; /* how many fail from there */
    bool armed;
} torture;

static bool fails_now(void)
{
    if (!torture.armed) {
        return false;
    }
    torture.count++;
    return torture.fails > 0 && torture.count >= torture.fails &&
           torture.count < torture.fails + torture.times;
}

void *__wrap_malloc(size_t size)
{
    return fails_now() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails_now() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
    return fails_now() ? NULL : __real_realloc(memory, size);
}

static void arm(long fails, long times)
{
    torture.count = 0;
    torture.fails = fails;
    torture.times = times;
    torture.armed = true;
}

static void disarm(void)
{
    torture.armed = false;
}

static const struct stage_wish wish = {
    .users = 2,
    .connections = 2,
    /* Long enough that a login that is forgotten shows as a hang and not as a time-out. */
    .login = "{hold: until_end, timeouts: {connect: 1h, handshake: 1h, login: 2h}, request: "
             "{send: 900B, receive: 20kB}}",
};

/* Returns false when no allocation was left to fail. */
static bool play_with_failure(long fails, long times)
{
    struct stage stage;
    struct ls_error err = {0};
    enum ls_code code;
    bool reached;

    stage_set(&stage, identity, &wish);
    arm(fails, times);
    code = ls_engine_new(&stage.engine, &stage.loop, &stage.job, &err);
    if (code != LS_OK) {
        disarm();
        assert_true(code == LS_ENOMEM || code == LS_ETLS);
        assert_null(stage.engine);
        assert_true(strlen(err.text) > 0);
        stage_clear(&stage);
        stage_end(&stage);
        return true;
    }
    stage_start(&stage);
    while (stage.closed == 0) {
        (void)uv_run(&stage.loop, UV_RUN_ONCE);
    }
    disarm();
    reached = torture.count >= fails;
    ls_engine_facts(stage.engine, &stage.facts);
    stage_check(&stage);
    /* One that fails takes one user with it at the most. */
    assert_true(times > 1 || stage.facts.logged_in >= wish.users - 1);
    stage_clear(&stage);
    assert_int_equal(stage.counts.accepted, stage.counts.secured + stage.counts.failed);
    stage_end(&stage);
    return reached;
}

static void any_one_allocation_may_fail(void **state)
{
    long fails = 1;

    (void)state;
    while (play_with_failure(fails, 1)) {
        fails++;
    }
    print_message("%ld allocations failed in turn\n", fails - 1);
    assert_true(fails > 200);
}

/* The same for users who fetch a ticket first: without theirs there is no storm. */
static bool resume_with_failure(long fails)
{
    struct stage_wish resuming = wish;
    struct stage stage;
    struct ls_error err = {0};
    enum ls_code code;
    bool reached;

    resuming.tls = "{server_name: " NAME ", resume: 100%}";
    resuming.resumes = true;
    stage_set(&stage, identity, &resuming);
    stage_engine(&stage);
    arm(fails, 1);
    code = ls_engine_fetch(stage.engine, &err);
    while (code == LS_OK && stage.fetched == 0) {
        (void)uv_run(&stage.loop, UV_RUN_ONCE);
    }
    if (code == LS_OK && stage.fetch_why.code == LS_OK) {
        stage_start(&stage);
    } else {
        assert_true(code == LS_OK || code == LS_ENOMEM);
        assert_true(strlen(code == LS_OK ? stage.fetch_why.text : err.text) > 0);
        ls_engine_stop(stage.engine);
    }
    stage_run_until_closed(&stage);
    disarm();
    reached = torture.count >= fails;
    stage_check(&stage);
    assert_true(stage.facts.started == 0 || stage.facts.logged_in >= resuming.users - 1);
    assert_int_equal(stage.facts.tickets_fetched == resuming.users, stage.facts.started > 0);
    stage_clear(&stage);
    stage_end(&stage);
    return reached;
}

static void any_one_allocation_of_a_resumption_may_fail(void **state)
{
    long fails = 1;

    (void)state;
    while (resume_with_failure(fails)) {
        fails++;
    }
    print_message("%ld allocations failed in turn\n", fails - 1);
    assert_true(fails > 300);
}

static void want_of_memory_may_last_a_while(void **state)
{
    long fails = 1;

    (void)state;
    while (play_with_failure(fails, 50)) {
        fails += 7;
    }
    assert_true(fails > 200);
}

/* The gateway's setting up. */
static void a_gateway_that_cannot_be_set_up_is_a_clean_error(void **state)
{
    long fails = 0;
    enum ls_code code;

    (void)state;
    do {
        struct ls_gateway_job job = {
            .tls.identity = identity, .backlog = 16, .closed = stage_gateway_closed};
        struct ls_gateway *gateway;
        struct ls_error err = {0};
        uv_loop_t loop;

        fails++;
        assert_int_equal(uv_loop_init(&loop), 0);
        assert_int_equal(uv_ip4_addr("127.0.0.1", 0, (struct sockaddr_in *)&job.address), 0);
        arm(fails, 1);
        code = ls_gateway_new(&gateway, &loop, &job, &err);
        disarm();
        if (code == LS_OK) {
            ls_gateway_stop(gateway);
        } else {
            assert_null(gateway);
            assert_true(strlen(err.text) > 0);
        }
        (void)uv_run(&loop, UV_RUN_DEFAULT);
        if (code == LS_OK) {
            ls_gateway_free(gateway);
        }
        assert_int_equal(uv_loop_close(&loop), 0);
    } while (torture.count >= fails);
    assert_int_equal(code, LS_OK);
    assert_true(fails > 10);
}

static bool all_came(struct ls_gateway *gateway, int64_t clients)
{
    struct ls_gateway_counts counts;

    ls_gateway_counts(gateway, &counts);
    return counts.accepted == clients && counts.open == 0;
}

/* Nobody is served then, but whoever comes is taken and closed, and who comes after that is served:
 * a listener that leaves one connection lying never listens again. */
static void a_gateway_without_memory_goes_on_listening(void **state)
{
    enum { CLIENTS = 5 };
    struct rig *rig = rig_new(identity);
    struct ls_gateway_job job = {
        .tls.identity = identity, .backlog = 16, .closed = stage_gateway_closed};
    const struct node closer = {.at = 's'};
    struct ls_gateway *gateway;
    struct ls_gateway_counts counts;
    struct sockaddr_storage address;
    uv_tcp_t clients[CLIENTS];
    uv_connect_t connects[CLIENTS];

    (void)state;
    assert_int_equal(uv_ip4_addr("127.0.0.1", 0, (struct sockaddr_in *)&job.address), 0);
    assert_int_equal(ls_gateway_new(&gateway, &rig->loop, &job, &(struct ls_error){0}), LS_OK);
    ls_gateway_address(gateway, &address);
    memcpy(&rig->address, &address, sizeof rig->address);
    for (int i = 0; i < CLIENTS; i++) {
        assert_int_equal(uv_tcp_init(&rig->loop, &clients[i]), 0);
        assert_int_equal(
            uv_tcp_connect(&connects[i], &clients[i], (const struct sockaddr *)&rig->address, NULL),
            0);
    }
    arm(1, LONG_MAX / 2);
    while (!all_came(gateway, CLIENTS)) {
        (void)uv_run(&rig->loop, UV_RUN_ONCE);
    }
    disarm();
    for (int i = 0; i < CLIENTS; i++) {
        uv_close((uv_handle_t *)&clients[i], NULL);
    }
    (void)rig_connect(rig, &closer, NULL);
    while (!all_came(gateway, CLIENTS + 1)) {
        (void)uv_run(&rig->loop, UV_RUN_ONCE);
    }
    assert_string_equal(rig->clients[0].heard, "cfsx");
    ls_gateway_counts(gateway, &counts);
    assert_int_equal(counts.failed, CLIENTS);
    assert_int_equal(counts.secured, 1);
    ls_gateway_stop(gateway);
    (void)uv_run(&rig->loop, UV_RUN_DEFAULT);
    ls_gateway_free(gateway);
    rig_free(rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_one_allocation_may_fail),
        cmocka_unit_test(any_one_allocation_of_a_resumption_may_fail),
        cmocka_unit_test(want_of_memory_may_last_a_while),
        cmocka_unit_test(a_gateway_that_cannot_be_set_up_is_a_clean_error),
        cmocka_unit_test(a_gateway_without_memory_goes_on_listening),
    };

    return cmocka_run_group_tests(tests, rig_set_up, rig_tear_down);
}
