/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One allocation of a first look fails, each in turn: no crash, no hang, nothing left behind, and our own want of memory is never
 * told as the gateway's fault. The gateways are processes of their own, which keep theirs. */
#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "loginstorm/gateway.h"
#include "loginstorm/result.h"
#include "loginstorm/storm.h"
#include "storm/visit.h"
#include "unit/tls/pair.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);

static struct {
    long count, fails;
    bool armed;
} torture;

static bool fails_now(void)
{
    const bool fails = torture.armed && ++torture.count == torture.fails;

    if (fails) {
        errno = ENOMEM; /* as the C library has it */
    }
    return fails;
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

static char folder[] = "/tmp/loginstorm-look-XXXXXX";
static struct ls_identity *identity, *stranger;

struct server {
    pid_t pid;
    struct sockaddr_in address;
};

static bool put_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "we");
    const bool written = file != NULL && fputs(text, file) >= 0;

    return (file == NULL || fclose(file) == 0) && written;
}

static int start(void **state)
{
    if (start_tls(state) != 0 || mkdtemp(folder) == NULL || chdir(folder) != 0) {
        return -1;
    }
    identity = new_identity("ecdsa-p256", "ecdsa-p256");
    stranger = new_identity("ecdsa-p256", "ecdsa-p256");
    return put_file("trust.pem", identity->trust) && put_file("stranger.pem", stranger->trust) &&
                   put_file("user.pem", stranger->chain) &&
                   put_file("user.key", stranger->private_key)
               ? 0
               : -1;
}

static int stop(void **state)
{
    static const char *const names[] = {"trust.pem", "stranger.pem", "user.pem", "user.key"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        (void)unlink(names[i]);
    }
    (void)rmdir(folder);
    ls_identity_free(identity);
    ls_identity_free(stranger);
    return stop_tls(state);
}

static void on_closed(void *data)
{
    (void)data;
}

static void serve_well(int told)
{
    struct ls_gateway_job job = {
        .tls = {.identity = identity, .tickets = true}, .backlog = 64, .closed = on_closed};
    struct ls_gateway *gateway;
    struct sockaddr_storage address;
    struct ls_error err;
    uv_loop_t loop;

    if (uv_loop_init(&loop) != 0 ||
        uv_ip4_addr("127.0.0.1", 0, (struct sockaddr_in *)&job.address) != 0 ||
        ls_gateway_new(&gateway, &loop, &job, &err) != LS_OK) {
        _exit(70);
    }
    ls_gateway_address(gateway, &address);
    (void)!write(told, &address, sizeof(struct sockaddr_in));
    (void)uv_run(&loop, UV_RUN_DEFAULT);
    _exit(0);
}

/* What takes no Client Hello of two segments: it resets, and answers a shorter one by handshake_failure(40). */
static void serve_short_hellos(int told)
{
    static const unsigned char alert[] = {21, 3, 3, 0, 2, 2, 40};
    const struct linger at_once = {.l_onoff = 1};
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    const int listener = socket(AF_INET, SOCK_STREAM, 0);

    if (bind(listener, (const struct sockaddr *)&address, size) != 0 || listen(listener, 64) != 0 ||
        getsockname(listener, (struct sockaddr *)&address, &size) != 0) {
        _exit(70);
    }
    (void)!write(told, &address, sizeof address);
    for (;;) {
        const int fd = accept(listener, NULL, NULL);
        unsigned char head[5];

        if (recv(fd, head, sizeof head, MSG_WAITALL) == (ssize_t)sizeof head &&
            (head[3] << 8 | head[4]) < LS_LONG_HELLO_BYTES) {
            unsigned char rest[LS_LONG_HELLO_BYTES];

            (void)recv(fd, rest, (size_t)(head[3] << 8 | head[4]), MSG_WAITALL);
            (void)!write(fd, alert, sizeof alert);
        } else {
            (void)setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
        }
        (void)close(fd);
    }
}

static struct server serve(void (*how)(int told))
{
    struct server server = {.pid = -1};
    int told[2];

    assert_int_equal(pipe(told), 0);
    server.pid = fork();
    assert_true(server.pid >= 0);
    if (server.pid == 0) {
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
        how(told[1]);
    }
    (void)close(told[1]);
    assert_int_equal(read(told[0], &server.address, sizeof server.address), sizeof server.address);
    (void)close(told[0]);
    return server;
}

static void end(const struct server *server)
{
    (void)kill(server->pid, SIGKILL);
    (void)waitpid(server->pid, NULL, 0);
}

static struct ls_scenario *parse(const struct server *server, const char *trust)
{
    struct ls_scenario *scenario = NULL;
    struct ls_errors errors = {0};
    char text[1024];

    (void)snprintf(text, sizeof text,
                   "loginstorm: 1\nusers: 5\n"
                   "populations: [{name: all, tls: {server_name: " NAME
                   ", groups: [X25519MLKEM768, X25519], key_shares: [X25519MLKEM768], "
                   "client: {chain: user.pem, private_key: user.key}}}]\n"
                   "login: {timeouts: {connect: 1h, handshake: 1h, login: 2h}}\n"
                   "gateway: {target: \"127.0.0.1:%d\", trust: %s}\n",
                   ntohs(server->address.sin_port), trust);
    if (ls_scenario_parse(&scenario, "look.yaml", text, strlen(text), NULL, 0, &errors) != LS_OK) {
        fail_msg("%s", errors.item[0].text);
    }
    return scenario;
}

static int descriptors(void)
{
    const int next = dup(STDIN_FILENO);

    assert_true(next >= 0);
    (void)close(next);
    return next;
}

/* Looks until no allocation is left to fail: the look as it is when none does has that code and says these words. */
static void look_in_want(const struct server *server, const char *trust, enum ls_code code_of_all,
                         const char *words)
{
    struct ls_scenario *scenario = parse(server, trust);
    struct ls_target target = {.count = 1};
    const int open_before = descriptors();
    long refused = 0;

    memcpy(&target.addresses[0], &server->address, sizeof server->address);
    for (torture.fails = 1;; torture.fails++) {
        struct ls_shown shown[2];
        struct ls_error err = {0};
        enum ls_code code;
        bool reached;

        torture.count = 0;
        torture.armed = true;
        code = ls_storm_look(shown, scenario, &target, 1, &err);
        torture.armed = false;
        reached = torture.count >= torture.fails;
        assert_int_equal(descriptors(), open_before);
        if (code != LS_OK) {
            assert_int_equal(err.code, code);
            assert_true(strlen(err.text) > 0);
        }
        if (code == LS_ENOMEM || code == LS_ETLS) {
            assert_true(reached);
            refused++;
        } else {
            if (code != code_of_all) {
                fail_msg("allocation %ld: %d: %s", torture.fails, code, err.text);
            }
            assert_true(code == LS_OK || strstr(err.text, words) != NULL);
        }
        if (!reached) {
            break;
        }
    }
    print_message("%ld allocations failed in turn, %ld of them ended the look\n", torture.fails - 1,
                  refused);
    assert_true(refused > 100);
    ls_scenario_free(scenario);
}

static void any_allocation_of_a_look_may_fail(void **state)
{
    const struct server server = serve(serve_well);

    (void)state;
    look_in_want(&server, "trust.pem", LS_OK, "");
    end(&server);
}

static void and_of_one_that_finds_a_certificate_of_somebody_else(void **state)
{
    const struct server server = serve(serve_well);

    (void)state;
    look_in_want(&server, "stranger.pem", LS_EINPUT, "name that CA's certificate as gateway.trust");
    end(&server);
}

static void and_of_one_that_tries_a_shorter_client_hello(void **state)
{
    const struct server server = serve(serve_short_hellos);

    (void)state;
    look_in_want(&server, "trust.pem", LS_EUNREACHABLE, "in two segments");
    end(&server);
}

static void a_visit_with_a_preface_may_fail_anywhere(void **state)
{
    static const char preface[] = "a header that this gateway does not know";
    const struct server server = serve(serve_well);
    const struct ls_tls_client_wish tls = {
        .tls13 = true, .groups = LIST("X25519"), .check = LS_CHECK_NONE, .looks = true};
    const struct visit_wish wish = {
        .target = (const struct sockaddr *)&server.address,
        .tls = &tls,
        .preface = preface,
        .preface_size = sizeof preface - 1,
        .connect_timeout_ns = 3600 * LS_NS_PER_S,
        .handshake_timeout_ns = 3600 * LS_NS_PER_S,
    };
    const int open_before = descriptors();
    bool reached = true;

    (void)state;
    for (torture.fails = 1; reached; torture.fails++) {
        struct visit visit;
        struct ls_error err = {0};
        enum ls_code code;

        torture.count = 0;
        torture.armed = true;
        code = visit_make(&visit, &wish, &err);
        torture.armed = false;
        reached = torture.count >= torture.fails;
        assert_int_equal(descriptors(), open_before);
        assert_true(code == LS_OK || (reached && strlen(err.text) > 0));
        if (code == LS_OK) {
            assert_int_not_equal(visit.end, VISIT_SECURED);
            assert_true(visit.hello_bytes > 0 && visit.hello_bytes < LS_LONG_HELLO_BYTES);
        }
    }
    print_message("%ld allocations failed in turn\n", torture.fails - 2);
    assert_true(torture.fails > 20);
    end(&server);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_allocation_of_a_look_may_fail),
        cmocka_unit_test(and_of_one_that_finds_a_certificate_of_somebody_else),
        cmocka_unit_test(and_of_one_that_tries_a_shorter_client_hello),
        cmocka_unit_test(a_visit_with_a_preface_may_fail_anywhere),
    };

    return cmocka_run_group_tests(tests, start, stop);
}
