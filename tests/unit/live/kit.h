/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TEST_UNIT_LIVE_KIT_H
#define TEST_UNIT_LIVE_KIT_H

/* A server in a process of its own, and clients that misbehave. What has to happen is waited for without a bound of
 * ours: a test that hangs is ended by its runner. */

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "live/address.h"
#include "live/serve.h"

#define PAGE "<!doctype html><title>a storm</title>"
#define POLICY "default-src 'none'; connect-src 'self'"

struct kit {
    pid_t pid;
    int feed;
    uint16_t port;
};

static inline struct http_patience kit_patience(void)
{
    /* Longer than any test takes: what ends is ended by what the test does. Few tests have somebody come back. */
    return (struct http_patience){
        .ask_s = 600, .read_s = 600, .take_s = 600, .beat_s = 600, .back_s = 1};
}

static inline void kit_start_with(struct kit *kit, struct http_patience patience, int linger_s)
{
    struct sockaddr_storage address;
    struct ls_error err;
    char text[64];
    int ends[2], listener;
    ssize_t size;

    assert_int_equal(address_parse(&address, "127.0.0.1:0", &err), LS_OK);
    assert_int_equal(address_listen(&listener, &address, &err), LS_OK);
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
    kit->port = ntohs(((struct sockaddr_in *)&address)->sin_port);
    kit->pid = fork();
    if (kit->pid == 0) {
        const struct serve_wish wish = {
            .feed_fd = ends[1],
            .http = {.listen_fd = listener,
                     .page = PAGE,
                     .page_bytes = strlen(PAGE),
                     .policy = POLICY,
                     .own_host_only = true,
                     .patience = patience},
            .linger_s = linger_s,
        };

        (void)close(ends[0]);
        _exit(serve(&wish, &err) == LS_OK ? 0 : 1);
    }
    (void)close(listener);
    (void)close(ends[1]);
    kit->feed = ends[0];
    size = recv(kit->feed, text, sizeof text, 0);
    assert_int_equal(size, strlen("ready "));
    assert_memory_equal(text, "ready ", strlen("ready "));
}

static inline void kit_start(struct kit *kit)
{
    kit_start_with(kit, kit_patience(), 600);
}

static inline void kit_tell(struct kit *kit, const char *message)
{
    assert_int_equal(send(kit->feed, message, strlen(message), MSG_NOSIGNAL), strlen(message));
}

/* Waits for the server's end, which must be a good one. */
static inline void kit_ended(struct kit *kit)
{
    int status;

    assert_int_equal(waitpid(kit->pid, &status, 0), kit->pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    if (kit->feed >= 0) {
        (void)close(kit->feed);
    }
}

static inline void kit_stop(struct kit *kit)
{
    (void)close(kit->feed);
    kit->feed = -1;
    kit_ended(kit);
}

/* A client with a small buffer of its own, when bytes is not 0. */
static inline int kit_connect_with(const struct kit *kit, int bytes)
{
    const struct sockaddr_in address = {.sin_family = AF_INET,
                                        .sin_port = htons(kit->port),
                                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    assert_true(fd >= 0);
    if (bytes > 0) {
        assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes), 0);
    }
    assert_int_equal(connect(fd, (const struct sockaddr *)&address, sizeof address), 0);
    return fd;
}

static inline int kit_connect(const struct kit *kit)
{
    return kit_connect_with(kit, 0);
}

static inline void kit_send(int fd, const char *text)
{
    assert_int_equal(send(fd, text, strlen(text), MSG_NOSIGNAL), strlen(text));
}

static inline int kit_ask(const struct kit *kit, const char *request)
{
    const int fd = kit_connect(kit);

    kit_send(fd, request);
    return fd;
}

/* Reads until the other side is through; returns how much, cut to size. */
static inline size_t kit_read(int fd, char *out, size_t size)
{
    size_t used = 0;
    ssize_t got;
    char rest[4096];

    do {
        got = used + 1 < size ? recv(fd, out + used, size - used - 1, 0)
                              : recv(fd, rest, sizeof rest, 0);
        used += got > 0 && used + 1 < size ? (size_t)got : 0;
    } while (got > 0 || (got < 0 && errno == EINTR));
    out[used] = '\0';
    (void)close(fd);
    return used;
}

/* Reads until text has come. */
static inline void kit_await(int fd, const char *text, char *out, size_t size)
{
    size_t used = 0;

    out[0] = '\0';
    while (strstr(out, text) == NULL) {
        const ssize_t got = recv(fd, out + used, size - used - 1, 0);

        if (got <= 0) {
            fail_msg("closed before \"%s\": %s", text, out);
        }
        used += (size_t)got;
        out[used] = '\0';
    }
}

/* What GET of a path on a connection of its own answers, headers included. */
static inline void kit_get(const struct kit *kit, const char *path, const char *headers, char *out,
                           size_t size)
{
    char request[512];

    (void)snprintf(request, sizeof request,
                   "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n%s\r\n", path,
                   headers);
    (void)kit_read(kit_ask(kit, request), out, size);
}

/* The beginning of a request for the stream, as a page sends it. */
#define WATCH "GET /events HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n"

#endif
