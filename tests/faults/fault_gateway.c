/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A gateway that does one thing wrong, for the tests: a process for each connection, which talks TLS
 * by our own endpoint and does with the bytes what FAULT says.
 *
 *     fault_gateway CERT KEY FAULT [EVERY [BAD_CERT BAD_KEY]]
 *
 * FAULT is ACTION@PHASE, or a word for what is wrong with all of it:
 *
 *     accept -> hello -> part -> flight -> finished -> answer
 *     TCP is    Client   half of  all of    the client  half of
 *     there     Hello    our      it is     is done     the answer
 *               came     flight   sent                  is sent
 *
 * reset, stall, close (half: our side alone), garbage, alertN, notify (a close_notify), drip and dripN (a byte at a time,
 * 50 or N ms between two), late (after 20 s as if nothing were), kill (the whole gateway dies), flood
 * (without an end).
 *
 * fine; bad (shows BAD_CERT); gone (listens no more); full (accepts no more); slow (accepts no more
 * until some were turned away); back (listens no more for a while); keys (other ticket keys); again
 * (a second hello retry); segment and silence (looks at 1,208 bytes of a Client Hello,
 * and resets, or says nothing, when it is longer).
 *
 * The first connection is served well, and of the others every EVERYth is not; 0: none is. Prints "port N", and "fault"
 * for each connection that it did wrong.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "loginstorm/tls.h"

#define SEGMENT 1208 /* what the smallest path of IPv6 carries */
#define BACK_MS 700
#define LATE_MS 20000
#define DRIP_MS 50
#define ANSWER_BYTES 1000

static const char *const phases[] = {"accept", "hello", "part", "flight", "finished", "answer"};
enum phase { ACCEPT, HELLO, PART, FLIGHT, FINISHED, ANSWER, PHASES };

struct visit {
    int fd;
    const char *action; /* "" when it is served well */
    size_t action_size;
    enum phase phase;
    enum phase now;
    struct ls_tls_end *end;
    struct ls_bytes out, plain;
};

static void wait_ms(int ms)
{
    (void)poll(NULL, 0, ms);
}

static void die(const char *what)
{
    perror(what);
    exit(70);
}

static void say(const char *line)
{
    (void)!write(STDOUT_FILENO, line, strlen(line));
}

static bool is(const struct visit *visit, const char *word)
{
    return visit->action_size == strlen(word) &&
           memcmp(visit->action, word, visit->action_size) == 0;
}

static void leave(struct visit *visit)
{
    (void)close(visit->fd);
    _exit(0);
}

/* Whatever comes is taken and thrown away until the client has gone. */
static void outlast(struct visit *visit)
{
    char buffer[4096];

    while (read(visit->fd, buffer, sizeof buffer) > 0) {
    }
    leave(visit);
}

static void reset(struct visit *visit)
{
    const struct linger linger = {.l_onoff = 1};

    (void)setsockopt(visit->fd, SOL_SOCKET, SO_LINGER, &linger, sizeof linger);
    leave(visit);
}

static void put(struct visit *visit, const void *data, size_t size)
{
    if (send(visit->fd, data, size, MSG_NOSIGNAL) != (ssize_t)size) {
        leave(visit);
    }
}

static void put_slowly(struct visit *visit, const uint8_t *data, size_t size, int ms)
{
    for (size_t i = 0; i < size; i++) {
        put(visit, data + i, 1);
        wait_ms(ms);
    }
}

static void put_out(struct visit *visit, size_t size)
{
    const uint8_t *data = ls_bytes_front(&visit->out);

    if (visit->now >= visit->phase && strncmp(visit->action, "drip", 4) == 0) {
        put_slowly(visit, data, size, is(visit, "drip") ? DRIP_MS : atoi(visit->action + 4));
    } else if (size > 0) {
        put(visit, data, size);
    }
    ls_bytes_drop(&visit->out, size);
}

static void flood(struct visit *visit, enum phase phase)
{
    static const uint8_t change[] = {20, 3, 3, 0, 1, 1};
    static const char text[1024];
    struct ls_error err;

    while (phase < FINISHED) {
        put(visit, change, sizeof change);
    }
    while (ls_tls_end_write(visit->end, text, sizeof text, &visit->out, &err) == LS_OK) {
        put_out(visit, ls_bytes_size(&visit->out));
    }
    leave(visit);
}

/* Does the action when its phase has come. Some of them come back, and it goes on as if nothing were. */
static void act(struct visit *visit, enum phase phase)
{
    static const char garbage[] = "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n";

    visit->now = phase;
    if (visit->action_size == 0 || visit->phase != phase) {
        return;
    }
    if (is(visit, "reset")) {
        reset(visit);
    } else if (is(visit, "stall")) {
        outlast(visit);
    } else if (is(visit, "close")) {
        (void)shutdown(visit->fd, SHUT_WR);
        outlast(visit);
    } else if (is(visit, "garbage")) {
        for (int i = 0; i < 100; i++) { /* more than is left of any record */
            put(visit, garbage, sizeof garbage - 1);
        }
        outlast(visit);
    } else if (strncmp(visit->action, "alert", 5) == 0) {
        const uint8_t alert[] = {21, 3, 3, 0, 2, 2, (uint8_t)atoi(visit->action + 5)};

        put(visit, alert, sizeof alert);
        outlast(visit);
    } else if (is(visit, "notify")) {
        ls_tls_end_close(visit->end, &visit->out);
        put_out(visit, ls_bytes_size(&visit->out));
        outlast(visit);
    } else if (is(visit, "late")) {
        wait_ms(LATE_MS);
    } else if (is(visit, "flood")) {
        flood(visit, phase);
    } else if (is(visit, "kill")) {
        (void)kill(getppid(), SIGKILL);
        reset(visit);
    }
}

/* What comes next, at most so much; leaves when there is nothing more. */
static size_t get(struct visit *visit, uint8_t *buffer, size_t size)
{
    const ssize_t got = read(visit->fd, buffer, size);

    if (got <= 0) {
        leave(visit);
    }
    return (size_t)got;
}

/* A record, whole: its length stands in its head. */
static size_t get_hello(struct visit *visit, uint8_t *buffer, size_t size)
{
    const bool first = is(visit, "segment") || is(visit, "silence");
    size_t got = get(visit, buffer, first ? SEGMENT : size);

    while (got < 5 || got < 5 + ((size_t)buffer[3] << 8 | buffer[4])) {
        if (first && got >= 5) {
            say("fault\n");
            if (is(visit, "segment")) {
                reset(visit);
            }
            outlast(visit);
        }
        got += get(visit, buffer + got, size - got);
    }
    return got;
}

/* A hello retry request for P-256, which no transcript of ours knows: twice, which is once too often. */
static void retry_again(struct visit *visit, uint8_t *buffer, size_t size)
{
    uint8_t hello[128] = {22, 3, 3, 0, 0, 2, 0, 0, 0, 3, 3,
                          /* SHA-256 of "HelloRetryRequest" stands for the random */
                          0xcf, 0x21, 0xad, 0x74, 0xe5, 0x9a, 0x61, 0x11, 0xbe, 0x1d, 0x8c, 0x02,
                          0x1e, 0x65, 0xb8, 0x91, 0xc2, 0xa2, 0x11, 0x16, 0x7a, 0xbb, 0x8c, 0x5e,
                          0x07, 0x9e, 0x09, 0xe2, 0xc8, 0xa8, 0x33, 0x9c};
    static const uint8_t rest[] = {0x13, 0x02, 0, 0, 12, 0, 43, 0, 2, 3, 4, 0, 51, 0, 2, 0, 23};
    const size_t id = buffer[43] <= 32 ? 1 + (size_t)buffer[43] : 1;
    const size_t length = 43 + id + sizeof rest;

    memcpy(hello + 43, buffer + 43, id); /* the session's id comes back to the client */
    memcpy(hello + 43 + id, rest, sizeof rest);
    hello[4] = (uint8_t)(length - 5);
    hello[8] = (uint8_t)(length - 9);
    put(visit, hello, length);
    (void)get_hello(visit, buffer, size);
    put(visit, hello, length);
    outlast(visit);
}

static void step(struct visit *visit, const uint8_t *data, size_t size)
{
    if (ls_tls_end_step(visit->end, data, size, &visit->out, &visit->plain) == LS_TLS_FAILED) {
        put_out(visit, ls_bytes_size(&visit->out)); /* its alert */
        outlast(visit);
    }
}

static void serve_handshake(struct visit *visit, uint8_t *buffer, size_t size)
{
    size_t got, flight;

    act(visit, ACCEPT);
    got = get_hello(visit, buffer, size);
    if (is(visit, "again")) {
        retry_again(visit, buffer, size);
    }
    step(visit, buffer, got);
    act(visit, HELLO);
    flight = ls_bytes_size(&visit->out);
    if (visit->phase == PART && visit->action_size > 0) {
        put_out(visit, flight / 2);
    }
    act(visit, PART);
    put_out(visit, ls_bytes_size(&visit->out));
    act(visit, FLIGHT);
    while (!ls_tls_end_was_secured(visit->end)) {
        step(visit, buffer, get(visit, buffer, size));
        if (!ls_tls_end_was_secured(visit->end)) {
            put_out(visit, ls_bytes_size(&visit->out));
        }
    }
    act(visit, FINISHED);
    put_out(visit, ls_bytes_size(&visit->out));
}

static void serve_answer(struct visit *visit, uint8_t *buffer, size_t size)
{
    char answer[ANSWER_BYTES + 128];
    const int head = snprintf(answer, sizeof answer,
                              "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n", ANSWER_BYTES);
    const size_t length = (size_t)head + ANSWER_BYTES;
    struct ls_error err;

    memset(answer + head, 'x', ANSWER_BYTES);
    for (;;) {
        size_t sent = 0;

        while (ls_bytes_size(&visit->plain) < 4 ||
               memcmp(ls_bytes_front(&visit->plain) + ls_bytes_size(&visit->plain) - 4, "\r\n\r\n",
                      4) != 0) {
            step(visit, buffer, get(visit, buffer, size));
        }
        ls_bytes_drop(&visit->plain, ls_bytes_size(&visit->plain));
        visit->now = ANSWER;
        if (visit->phase == ANSWER && visit->action_size > 0 &&
            strncmp(visit->action, "drip", 4) != 0) {
            sent = (size_t)head + 10;
            if (ls_tls_end_write(visit->end, answer, sent, &visit->out, &err) != LS_OK) {
                leave(visit);
            }
            put_out(visit, ls_bytes_size(&visit->out));
            act(visit, ANSWER);
        }
        if (ls_tls_end_write(visit->end, answer + sent, length - sent, &visit->out, &err) !=
            LS_OK) {
            leave(visit);
        }
        put_out(visit, ls_bytes_size(&visit->out));
    }
}

static void serve(int fd, struct ls_tls_context *context, const char *fault)
{
    static uint8_t buffer[65536];
    struct visit visit = {.fd = fd, .action = fault, .action_size = strcspn(fault, "@")};
    const char *at = fault + visit.action_size;
    struct ls_error err;

    if (*at == '@') {
        while (visit.phase < PHASES && strcmp(at + 1, phases[visit.phase]) != 0) {
            visit.phase++;
        }
    } else {
        visit.phase = PHASES;
    }
    if (*at == '@' || strcmp(fault, "bad") == 0 || strcmp(fault, "again") == 0) {
        say("fault\n");
    }
    (void)signal(SIGCHLD, SIG_DFL);
    if (ls_tls_end_new(&visit.end, context, &err) != LS_OK) {
        _exit(70);
    }
    serve_handshake(&visit, buffer, sizeof buffer);
    serve_answer(&visit, buffer, sizeof buffer);
}

static int listen_at(struct sockaddr_in *address, int backlog)
{
    const int on = 1;
    socklen_t size = sizeof *address;
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
        bind(fd, (const struct sockaddr *)address, sizeof *address) != 0 ||
        listen(fd, backlog) != 0 || getsockname(fd, (struct sockaddr *)address, &size) != 0) {
        die("cannot listen");
    }
    return fd;
}

/* Our own connections fill the queue of a listener that accepts nobody any more. */
static void fill(int *listener, const struct sockaddr_in *address, int *fill_fds, int count)
{
    (void)listen(*listener, 0);
    for (int i = 0; i < count; i++) {
        fill_fds[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        (void)connect(fill_fds[i], (const struct sockaddr *)address, sizeof *address);
    }
}

static char *text_of(const char *path)
{
    FILE *file = fopen(path, "re");
    char *text = calloc(1, 65536);

    if (file == NULL || text == NULL || fread(text, 1, 65535, file) == 0) {
        die(path);
    }
    (void)fclose(file);
    return text;
}

static struct ls_tls_context *context_of(const char *chain, const char *key, int epoch)
{
    uint8_t ticket_key[LS_TICKET_KEY_BYTES];
    struct ls_identity identity = {.private_key = text_of(key), .chain = text_of(chain)};
    const struct ls_tls_server_wish wish = {
        .identity = &identity, .tickets = true, .ticket_key = ticket_key};
    struct ls_tls_context *context;
    struct ls_error err;

    memset(ticket_key, 'A' + epoch, sizeof ticket_key);
    if (ls_tls_server_new(&context, &wish, &err) != LS_OK) {
        (void)fprintf(stderr, "%s: %s\n", chain, err.text);
        exit(70);
    }
    free(identity.private_key);
    free(identity.chain);
    return context;
}

/* Connections that listeners of this machine turned away so far. */
static long turned_away(void)
{
    char names[8192], values[8192];
    FILE *file = fopen("/proc/net/netstat", "re");
    long drops = 0;

    while (file != NULL && fgets(names, sizeof names, file) != NULL &&
           fgets(values, sizeof values, file) != NULL) {
        char *rest_of_names, *rest_of_values;
        const char *name = strtok_r(names, " \n", &rest_of_names);
        const char *value = strtok_r(values, " \n", &rest_of_values);

        while (name != NULL && value != NULL) {
            if (strcmp(name, "ListenDrops") == 0) {
                drops = atol(value);
            }
            name = strtok_r(NULL, " \n", &rest_of_names);
            value = strtok_r(NULL, " \n", &rest_of_values);
        }
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return drops;
}

/* What ails the listener, once so many connections were accepted. */
static void ail(const char *fault, long accepted, int *listener, struct sockaddr_in *address)
{
    int fds[3];
    const long before = turned_away();

    if (accepted == 1 && strcmp(fault, "gone") == 0) {
        (void)close(*listener);
        (void)pause();
    } else if (accepted == 5 && strcmp(fault, "back") == 0) {
        (void)close(*listener);
        wait_ms(BACK_MS);
        *listener = listen_at(address, SOMAXCONN);
    } else if (accepted == 1 && (strcmp(fault, "full") == 0 || strcmp(fault, "slow") == 0)) {
        fill(listener, address, fds, 3);
        while (strcmp(fault, "full") == 0 || turned_away() < before + 6) {
            wait_ms(10);
        }
        for (int i = 0; i < 3; i++) {
            (void)close(fds[i]);
        }
        (void)listen(*listener, SOMAXCONN);
    }
}

int main(int argc, char **argv)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const char *fault = argc > 3 ? argv[3] : "fine";
    const long every = argc > 4 ? atol(argv[4]) : 1;
    struct ls_tls_context *good, *later, *bad = NULL;
    struct ls_error err;
    char line[32];
    int listener;

    if (argc < 4 || every < 0 || ls_tls_start(&err) != LS_OK) {
        (void)fputs("usage: fault_gateway CERT KEY FAULT [EVERY [BAD_CERT BAD_KEY]]\n", stderr);
        return 64;
    }
    good = context_of(argv[1], argv[2], 0);
    later = context_of(argv[1], argv[2], 1);
    if (argc > 6) {
        bad = context_of(argv[5], argv[6], 0);
    }
    (void)signal(SIGCHLD, SIG_IGN);
    listener = listen_at(&address, SOMAXCONN);
    (void)snprintf(line, sizeof line, "port %d\n", ntohs(address.sin_port));
    say(line);
    for (long n = 0;; n++) {
        const bool wrong = every == 0 || (n > 0 && n % every == 0);
        const bool renewed = strcmp(fault, "keys") == 0;
        const int fd = accept(listener, NULL, NULL);

        if (fd < 0) {
            continue;
        }
        if (fork() == 0) {
            (void)close(listener);
            serve(fd,
                  wrong && strcmp(fault, "bad") == 0 && bad != NULL ? bad
                  : wrong && renewed                                ? later
                                                                    : good,
                  wrong ? fault : "");
        }
        (void)close(fd);
        ail(fault, n + 1, &listener, &address);
    }
}
