/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/gateway.h"

#include <arpa/inet.h>
#include <errno.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit/wire/rig.h"

/* A gateway, and clients of it on the same loop. */
struct field {
    struct rig *rig;
    struct ls_gateway *gateway;
    struct ls_gateway_counts counts;
    int closed;
};

static void on_closed(void *data)
{
    struct field *field = data;

    field->closed++;
}

static struct ls_gateway_job job_at(struct field *field, const char *address)
{
    struct ls_gateway_job job = {
        .tls.identity = identity, .backlog = 128, .closed = on_closed, .data = field};

    if (strchr(address, ':') != NULL) {
        assert_int_equal(uv_ip6_addr(address, 0, (struct sockaddr_in6 *)&job.address), 0);
    } else {
        assert_int_equal(uv_ip4_addr(address, 0, (struct sockaddr_in *)&job.address), 0);
    }
    return job;
}

static void field_init(struct field *field)
{
    struct ls_gateway_job job;
    struct sockaddr_storage address;
    struct ls_error err = {0};

    *field = (struct field){.rig = rig_new(identity)};
    job = job_at(field, "127.0.0.1");
    if (ls_gateway_new(&field->gateway, &field->rig->loop, &job, &err) != LS_OK) {
        fail_msg("%s", err.text);
    }
    ls_gateway_address(field->gateway, &address);
    memcpy(&field->rig->address, &address, sizeof field->rig->address);
    assert_int_not_equal(field->rig->address.sin_port, 0);
}

static void gateway_stop_and_free(struct field *field)
{
    ls_gateway_stop(field->gateway);
    ls_gateway_stop(field->gateway);
    (void)uv_run(&field->rig->loop, UV_RUN_DEFAULT);
    assert_int_equal(field->closed, 1);
    ls_gateway_stop(field->gateway);
    ls_gateway_counts(field->gateway, &field->counts);
    assert_int_equal(field->counts.open, 0);
    ls_gateway_free(field->gateway);
}

static void field_free(struct field *field)
{
    gateway_stop_and_free(field);
    rig_free(field->rig);
}

static void run_until(struct field *field, bool (*is)(const struct field *field))
{
    for (;;) {
        ls_gateway_counts(field->gateway, &field->counts);
        if (is(field)) {
            return;
        }
        (void)uv_run(&field->rig->loop, UV_RUN_ONCE);
    }
}

static bool clients_are_closed(const struct field *field)
{
    for (size_t i = 0; i < field->rig->clients_count; i++) {
        if (field->rig->clients[i].open) {
            return false;
        }
    }
    return true;
}

static bool all_is_closed(const struct field *field)
{
    return clients_are_closed(field) && field->counts.open == 0;
}

/* One client that says text, and closes when it has got wants bytes (0: waits for the end). */
static struct node *ask(struct field *field, const char *text, size_t wants)
{
    const struct node model = {.says = (const uint8_t *)text,
                               .says_size = strlen(text),
                               .at = wants > 0 ? 'p' : '\0',
                               .wants = wants};
    struct node *node = rig_connect(field->rig, &model, NULL);

    run_until(field, all_is_closed);
    return node;
}

#define END "\r\n\r\n"

static void answers_are_as_long_as_they_were_asked_for(void **state)
{
    static const struct {
        const char *request;
        size_t bytes;
        int64_t answered;
        const char *reason;
    } rows[] = {
        {"GET /bytes/6000 HTTP/1.1\r\nConnection: close" END, 6000, 1, "one record"},
        {"GET /bytes/16384 HTTP/1.0" END, 16384, 1, "a full record"},
        {"GET /bytes/16385 HTTP/1.0" END, 16385, 1, "a byte more"},
        {"GET /bytes/5000000 HTTP/1.0" END, 5000000, 1, "more than a socket takes"},
        {"GET /bytes/500 HTTP/1.1" END "GET /bytes/700 HTTP/1.0" END, 1200, 2, "two at once"},
        {"GET /bytes/500 HTTP/1.0" END "GET /bytes/700 HTTP/1.0" END, 500, 1,
         "the second behind a close"},
        {"HEAD /bytes/500 HTTP/1.0" END, 0, 1, "the head alone"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct field field;
        struct node *node;

        print_message("%s\n", rows[i].reason);
        field_init(&field);
        node = ask(&field, rows[i].request, 0);
        if (rows[i].bytes > 0) {
            assert_int_equal(node->plain, rows[i].bytes);
        } else {
            assert_in_range(node->plain, 1, 250);
        }
        assert_string_equal(node->begins, "HTTP/1.1 200 OK");
        assert_int_equal(node->why, LS_WIRE_PEER_CLOSED);
        assert_int_equal(field.counts.requests, rows[i].answered);
        assert_int_equal(field.counts.accepted, 1);
        assert_int_equal(field.counts.server_flights, 1);
        assert_int_equal(field.counts.secured, 1);
        assert_int_equal(field.counts.failed, 0);
        field_free(&field);
    }
}

static void what_is_not_http_is_refused_in_http(void **state)
{
    struct field field;
    struct node *node;

    (void)state;
    field_init(&field);
    node = ask(&field, "EHLO gateway" END, 0);
    assert_string_equal(node->begins, "HTTP/1.1 400 Ba");
    assert_int_equal(node->why, LS_WIRE_PEER_CLOSED);
    assert_int_equal(field.counts.requests, 0);
    field_free(&field);
}

static void a_connection_that_is_kept_serves_many_requests(void **state)
{
    struct field field;
    char text[4000];
    size_t length = 0;

    (void)state;
    field_init(&field);
    for (int i = 0; i < 100; i++) {
        length +=
            (size_t)snprintf(text + length, sizeof text - length, "GET /bytes/200 HTTP/1.1" END);
    }
    assert_int_equal(ask(&field, text, 20000)->plain, 20000);
    assert_int_equal(field.counts.requests, 100);
    assert_int_equal(field.counts.accepted, 1);
    field_free(&field);
}

static void everything_that_comes_is_counted_once(void **state)
{
    enum { TALKERS = 20, LEAVERS = 5, STRANGERS = 7 };
    const struct node talker = {.says = (const uint8_t *)"GET /bytes/900 HTTP/1.1" END,
                                .says_size = 27,
                                .at = 'p',
                                .wants = 900};
    const struct node leaver = {.at = 'c', .reset = true};
    const struct node stranger = {.at = 'f', .reset = true}; /* goes after its Client Hello */
    struct field field;

    (void)state;
    field_init(&field);
    for (int i = 0; i < TALKERS; i++) {
        (void)rig_connect(field.rig, &talker, NULL);
    }
    for (int i = 0; i < LEAVERS; i++) {
        (void)rig_connect(field.rig, &leaver, NULL);
    }
    run_until(&field, all_is_closed);
    assert_int_equal(field.counts.secured, TALKERS);
    assert_int_equal(field.counts.requests, TALKERS);
    assert_int_equal(field.counts.server_flights, TALKERS);
    assert_int_equal(field.counts.accepted, field.counts.secured + field.counts.failed);
    assert_true(field.counts.tls_ns > 0);
    field.rig->clients_count = 0;
    for (int i = 0; i < STRANGERS; i++) {
        (void)rig_connect(field.rig, &stranger, NULL);
    }
    run_until(&field, all_is_closed);
    assert_int_equal(field.counts.secured, TALKERS);
    assert_int_equal(field.counts.accepted, field.counts.secured + field.counts.failed);
    assert_in_range(field.counts.server_flights, TALKERS, TALKERS + STRANGERS);
    field_free(&field);
}

static bool ten_are_secured(const struct field *field)
{
    return field->counts.secured == 10;
}

static void a_stop_closes_the_sessions_that_are_open(void **state)
{
    const struct node stayer = {0};
    struct field field;

    (void)state;
    field_init(&field);
    for (int i = 0; i < 10; i++) {
        (void)rig_connect(field.rig, &stayer, NULL);
    }
    run_until(&field, ten_are_secured);
    assert_int_equal(field.counts.open, 10);
    gateway_stop_and_free(&field);
    for (int i = 0; i < 10; i++) {
        assert_string_equal(field.rig->clients[i].heard, "cfsex");
        assert_int_equal(field.rig->clients[i].why, LS_WIRE_PEER_CLOSED);
    }
    assert_int_equal(field.counts.secured, 10);
    assert_int_equal(field.counts.failed, 0);
    rig_free(field.rig);
}

static bool one_is_answered(const struct field *field)
{
    return field->counts.requests == 1;
}

static void a_stop_does_not_wait_for_a_client_that_never_reads(void **state)
{
    static const char *const requests[] = {"GET /bytes/60000000 HTTP/1.1" END,
                                           "GET /bytes/60000000 HTTP/1.0" END};

    (void)state;
    for (int i = 0; i < 2; i++) {
        const struct node asker = {.says = (const uint8_t *)requests[i],
                                   .says_size = strlen(requests[i])};
        struct field field;
        struct node *node;

        field_init(&field);
        node = rig_connect(field.rig, &asker, NULL);
        run_until(&field, one_is_answered);
        (void)uv_read_stop((uv_stream_t *)&node->wire.tcp);
        assert_int_equal(field.counts.open, 1);
        ls_gateway_stop(field.gateway);
        while (field.closed == 0) {
            (void)uv_run(&field.rig->loop, UV_RUN_ONCE);
        }
        ls_wire_close(&node->wire, true);
        field_free(&field);
    }
}

static void a_gateway_that_nobody_came_to_stops_at_once(void **state)
{
    struct field field;

    (void)state;
    field_init(&field);
    ls_gateway_stop(field.gateway);
    assert_int_equal(field.closed, 1);
    field_free(&field);
}

static void after_a_stop_the_port_refuses(void **state)
{
    const struct node plain = {0};
    struct field field;
    struct node *node;

    (void)state;
    field_init(&field);
    gateway_stop_and_free(&field);
    node = rig_connect(field.rig, &plain, NULL);
    rig_run(field.rig);
    assert_int_equal(node->why, LS_WIRE_REFUSED);
    rig_free(field.rig);
}

static void it_speaks_ipv6(void **state)
{
    struct field field = {.rig = rig_new(identity)};
    struct ls_gateway_job job = job_at(&field, "::1");
    struct sockaddr_storage address;
    struct node *node = &field.rig->clients[0];
    struct ls_error err = {0};

    (void)state;
    if (ls_gateway_new(&field.gateway, &field.rig->loop, &job, &err) != LS_OK) {
        fail_msg("%s", err.text);
    }
    ls_gateway_address(field.gateway, &address);
    assert_int_equal(address.ss_family, AF_INET6);
    *node = (struct node){.rig = field.rig, .open = true, .at = 's'};
    field.rig->clients_count = 1;
    ls_wire_connect(&node->wire, &field.rig->client_hub, field.rig->client,
                    (const struct sockaddr *)&address, NULL);
    run_until(&field, all_is_closed);
    assert_string_equal(node->heard, "cfsx");
    assert_int_equal(field.counts.secured, 1);
    field_free(&field);
}

static void an_address_in_use_is_told(void **state)
{
    struct field field = {.rig = rig_new(identity)};
    struct ls_gateway_job job = job_at(&field, "127.0.0.1");
    struct sockaddr_in *address = (struct sockaddr_in *)&job.address;
    struct ls_error err = {0};

    (void)state;
    /* The rig's own listener shares its port with nobody. */
    address->sin_port = field.rig->address.sin_port;
    assert_int_equal(ls_gateway_new(&field.gateway, &field.rig->loop, &job, &err), LS_ECREATE);
    assert_null(field.gateway);
    assert_string_equal(err.text, "the gateway cannot have its address: Address already in use");
    rig_free(field.rig);
}

static void an_address_of_another_machine_is_told(void **state)
{
    struct field field = {.rig = rig_new(identity)};
    struct ls_gateway_job job = job_at(&field, "192.0.2.1");
    struct ls_error err = {0};

    (void)state;
    assert_int_equal(ls_gateway_new(&field.gateway, &field.rig->loop, &job, &err), LS_ECREATE);
    assert_string_equal(err.text, "the gateway cannot have its address: Cannot assign requested "
                                  "address");
    rig_free(field.rig);
}

static void a_key_that_is_none_is_told(void **state)
{
    struct ls_identity broken = {.private_key = (char[]){"no key"}, .chain = identity->chain};
    struct field field = {.rig = rig_new(identity)};
    struct ls_gateway_job job = job_at(&field, "127.0.0.1");
    struct ls_error err = {0};

    (void)state;
    job.tls.identity = &broken;
    assert_int_not_equal(ls_gateway_new(&field.gateway, &field.rig->loop, &job, &err), LS_OK);
    assert_null(field.gateway);
    assert_true(strlen(err.text) > 0);
    rig_free(field.rig);
}

/* Two workers, as two gateways on one loop: the kernel spreads connections by their addresses. */
static void workers_share_a_reserved_port(void **state)
{
    enum { CLIENTS = 32 };
    struct field fields[2] = {0};
    struct rig *rig = rig_new(identity);
    struct sockaddr_storage address = {0};
    const struct node closer = {.at = 's'};
    int64_t accepted = 0;
    struct ls_error err;
    int fd;

    (void)state;
    assert_int_equal(uv_ip4_addr("127.0.0.1", 0, (struct sockaddr_in *)&address), 0);
    assert_int_equal(ls_gateway_reserve(&fd, &address, &err), LS_OK);
    assert_int_not_equal(((struct sockaddr_in *)&address)->sin_port, 0);
    for (int i = 0; i < 2; i++) {
        struct ls_gateway_job job = job_at(&fields[i], "127.0.0.1");

        fields[i].rig = rig;
        job.address = address;
        assert_int_equal(ls_gateway_new(&fields[i].gateway, &rig->loop, &job, &err), LS_OK);
    }
    memcpy(&rig->address, &address, sizeof rig->address);
    for (int i = 0; i < CLIENTS; i++) {
        (void)rig_connect(rig, &closer, NULL);
    }
    for (int i = 0; i < 2; i++) {
        run_until(&fields[i], all_is_closed);
        accepted += fields[i].counts.accepted;
        assert_int_equal(fields[i].counts.secured, fields[i].counts.accepted);
        /* All at one of them: 2 in 4,294,967,296. */
        assert_in_range(fields[i].counts.accepted, 1, CLIENTS - 1);
    }
    assert_int_equal(accepted, CLIENTS);
    for (int i = 0; i < 2; i++) {
        ls_gateway_stop(fields[i].gateway);
    }
    (void)uv_run(&rig->loop, UV_RUN_DEFAULT);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(fields[i].closed, 1);
        ls_gateway_free(fields[i].gateway);
    }
    assert_int_equal(close(fd), 0);
    rig_free(rig);
}

/* In a process of its own, since a limit that was lowered may not be raised again; its status is
 * the number of the check that failed. */
static int child_without_descriptors(void)
{
    struct field field;
    struct rlimit limit;
    const struct node stayer = {0};
    const struct node closer = {.at = 's'};
    int fds[64], count = 0;

    field_init(&field);
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
        return 1;
    }
    limit.rlim_cur = 48;
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0) {
        return 2;
    }
    /* One descriptor is left for a client's socket, none for the gateway's. */
    while (count < 64 && (fds[count] = dup(0)) >= 0) {
        count++;
    }
    if (errno != EMFILE || count == 0) {
        return 3;
    }
    (void)close(fds[--count]);
    (void)rig_connect(field.rig, &stayer, NULL);
    run_until(&field, clients_are_closed); /* shed, not left waiting */
    while (count > 0) {
        (void)close(fds[--count]);
    }
    field.rig->clients_count = 0;
    (void)rig_connect(field.rig, &closer, NULL);
    run_until(&field, all_is_closed);
    if (strcmp(field.rig->clients[0].heard, "cfsx") != 0) {
        return 4;
    }
    return field.counts.secured == 1 ? 0 : 5;
}

static int in_child(int (*work)(void))
{
    const pid_t pid = fork();
    int status = -1;

    assert_true(pid >= 0);
    if (pid == 0) {
        _exit(work());
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void a_gateway_out_of_descriptors_sheds_and_serves_on(void **state)
{
    (void)state;
    assert_int_equal(in_child(child_without_descriptors), 0);
}

static int child_with_a_low_limit(void)
{
    struct field field = {.rig = rig_new(identity)};
    struct ls_gateway_job job = job_at(&field, "127.0.0.1");
    const struct rlimit low = {.rlim_cur = 256, .rlim_max = 256};
    struct ls_error err = {0};

    if (setrlimit(RLIMIT_NOFILE, &low) != 0 || (geteuid() == 0 && seteuid(65534) != 0)) {
        return 1;
    }
    job.connections_max = 1000;
    if (ls_gateway_new(&field.gateway, &field.rig->loop, &job, &err) != LS_ELIMIT) {
        return 2;
    }
    if (strcmp(err.text,
               "the embedded gateway may have to hold 1000 connections open at once, but the limit "
               "of open files is 256 and may not be raised: run `ulimit -n 1064` as root first, or "
               "use fewer --users") != 0) {
        return 3;
    }
    job.connections_max = 100;
    return ls_gateway_new(&field.gateway, &field.rig->loop, &job, &err) == LS_OK ? 0 : 4;
}

static void a_limit_that_is_too_low_is_told_with_what_to_do(void **state)
{
    (void)state;
    assert_int_equal(in_child(child_with_a_low_limit), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_as_long_as_they_were_asked_for),
        cmocka_unit_test(what_is_not_http_is_refused_in_http),
        cmocka_unit_test(a_connection_that_is_kept_serves_many_requests),
        cmocka_unit_test(everything_that_comes_is_counted_once),
        cmocka_unit_test(a_stop_closes_the_sessions_that_are_open),
        cmocka_unit_test(a_stop_does_not_wait_for_a_client_that_never_reads),
        cmocka_unit_test(a_gateway_that_nobody_came_to_stops_at_once),
        cmocka_unit_test(after_a_stop_the_port_refuses),
        cmocka_unit_test(it_speaks_ipv6),
        cmocka_unit_test(an_address_in_use_is_told),
        cmocka_unit_test(an_address_of_another_machine_is_told),
        cmocka_unit_test(a_key_that_is_none_is_told),
        cmocka_unit_test(workers_share_a_reserved_port),
        cmocka_unit_test(a_gateway_out_of_descriptors_sheds_and_serves_on),
        cmocka_unit_test(a_limit_that_is_too_low_is_told_with_what_to_do),
    };

    return cmocka_run_group_tests(tests, rig_set_up, rig_tear_down);
}
