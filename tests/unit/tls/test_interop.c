/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Our client with OpenSSL's server: what a storm to another gateway meets. */
#include "unit/tls/pair.h"

#include <arpa/inet.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char folder[] = "/tmp/loginstorm-interop-XXXXXX";

static int start(void **state)
{
    return mkdtemp(folder) == NULL || chdir(folder) != 0 ? -1 : start_tls(state);
}

static int stop(void **state)
{
    return unlink("chain") == 0 && unlink("key") == 0 && chdir("/") == 0 && rmdir(folder) == 0
               ? stop_tls(state)
               : -1;
}

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");

    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* A port that was free a moment ago. */
static int free_port(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    const int fd = socket(AF_INET, SOCK_STREAM, 0);

    assert_true(fd >= 0);
    assert_int_equal(bind(fd, (const struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &size), 0);
    assert_int_equal(close(fd), 0);
    return ntohs(address.sin_port);
}

static pid_t start_server(int port)
{
    char where[32];
    const pid_t pid = fork();

    assert_true(pid >= 0);
    if (pid == 0) {
        (void)snprintf(where, sizeof where, "127.0.0.1:%d", port);
        (void)execlp("openssl", "openssl", "s_server", "-accept", where, "-cert", "chain", "-key",
                     "key", "-www", "-quiet", (char *)NULL);
        _exit(127);
    }
    return pid;
}

static int connect_to(int port)
{
    const struct sockaddr_in address = {.sin_family = AF_INET,
                                        .sin_port = htons((uint16_t)port),
                                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const struct timespec moment = {.tv_nsec = 20000000};

    for (int i = 0; i < 1000; i++) {
        const int fd = socket(AF_INET, SOCK_STREAM, 0);

        assert_true(fd >= 0);
        if (connect(fd, (const struct sockaddr *)&address, sizeof address) == 0) {
            return fd;
        }
        assert_int_equal(close(fd), 0);
        (void)nanosleep(&moment, NULL);
    }
    fail_msg("openssl s_server does not listen");
    return -1;
}

static void send_all(int fd, struct ls_bytes *out)
{
    while (ls_bytes_size(out) > 0) {
        const ssize_t sent = send(fd, ls_bytes_front(out), ls_bytes_size(out), MSG_NOSIGNAL);

        assert_true(sent > 0);
        ls_bytes_drop(out, (size_t)sent);
    }
}

/* A handshake and a request, until the answer's first bytes. */
static void log_in(struct ls_tls_context *client, int port, struct ls_tls_facts *facts)
{
    struct ls_tls_end *end = new_end(client);
    struct ls_bytes out = {0}, plain = {0};
    const int fd = connect_to(port);
    bool asked = false;
    struct ls_error err;

    (void)ls_tls_end_step(end, NULL, 0, &out, &plain);
    while (ls_bytes_size(&plain) == 0 && ls_tls_end_state(end) != LS_TLS_FAILED &&
           ls_tls_end_state(end) != LS_TLS_CLOSED) {
        uint8_t buffer[4096];
        ssize_t size;

        if (!asked && ls_tls_end_state(end) == LS_TLS_SECURED) {
            asked = true;
            assert_int_equal(ls_tls_end_write(end, "GET / HTTP/1.0\r\n\r\n", 18, &out, &err),
                             LS_OK);
        }
        send_all(fd, &out);
        size = recv(fd, buffer, sizeof buffer, 0);
        if (size <= 0) {
            break;
        }
        (void)ls_tls_end_step(end, buffer, (size_t)size, &out, &plain);
    }
    ls_tls_end_facts(end, facts);
    if (ls_bytes_size(&plain) == 0) {
        fail_msg("no answer: %s", facts->text);
    }
    assert_memory_equal(ls_bytes_front(&plain), "HTTP/1.0 200", 12);
    assert_int_equal(close(fd), 0);
    ls_bytes_free(&out);
    ls_bytes_free(&plain);
    ls_tls_end_free(end);
}

static void openssl_s_server_takes_our_client_with_every_kind_of_certificate(void **state)
{
    static const char *const keys[] = {"rsa-2048",   "rsa-3072",   "rsa-4096", "ecdsa-p256",
                                       "ecdsa-p384", "ecdsa-p521", "ed25519"};

    (void)state;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        struct ls_identity *identity =
            new_identity(keys[i], i % 2 == 0 ? "rsa-2048" : "ecdsa-p384");
        const int port = free_port();
        pid_t pid;

        write_file("chain", identity->chain);
        write_file("key", identity->private_key);
        pid = start_server(port);
        for (int tls13 = 0; tls13 < 2; tls13++) {
            /* OpenSSL's server wants an ECDSA certificate's curve among the groups of TLS 1.2. */
            struct ls_tls_context *client = new_client(&(struct ls_tls_client_wish){
                .tls12 = tls13 == 0,
                .tls13 = tls13 == 1,
                .groups = LIST("X25519", "P-256", "P-384", "P-521"),
                .server_name = NAME,
                .check = LS_CHECK_CHAIN,
                .trust = identity->trust,
            });
            struct ls_tls_facts facts;

            print_message("%s, TLS 1.%d\n", keys[i], tls13 == 1 ? 3 : 2);
            log_in(client, port, &facts);
            assert_int_equal(facts.tls13, tls13);
            ls_tls_context_free(client);
        }
        assert_int_equal(kill(pid, SIGTERM), 0);
        assert_int_equal(waitpid(pid, NULL, 0), pid);
        ls_identity_free(identity);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(openssl_s_server_takes_our_client_with_every_kind_of_certificate),
    };

    return cmocka_run_group_tests_name("tls/interop", tests, start, stop);
}
