/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "live/serve.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "loginstorm/units.h"

#define MESSAGES_A_TURN 64

struct server {
    const struct serve_wish *wish;
    struct http *http;
    struct log log;
    char report[FEED_MESSAGE_MAX + 1]; /* its path */
    bool fed;                          /* the feed is not over */
    int64_t over_ns;
};

/* The file's bytes, on the heap; NULL when it cannot be read whole: the page then says where it is. */
static char *read_report(const char *path, size_t *bytes)
{
    FILE *file = path[0] == '\0' ? NULL : fopen(path, "rbe");
    char *text = NULL;
    long size;

    *bytes = 0;
    if (file == NULL) {
        return NULL;
    }
    if (fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) > 0 &&
        (size_t)size <= HTTP_REPORT_MAX && fseek(file, 0, SEEK_SET) == 0) {
        text = malloc((size_t)size);
        if (text != NULL) {
            *bytes = fread(text, 1, (size_t)size, file);
        }
        if (*bytes != (size_t)size) {
            free(text);
            text = NULL;
        }
    }
    (void)fclose(file);
    return text;
}

static void end(struct server *server)
{
    size_t bytes;
    char *report = read_report(server->report, &bytes);

    server->fed = false;
    server->over_ns = ls_now_ns();
    http_over(server->http, report, bytes);
}

static void take(struct server *server, char *message)
{
    struct ls_error err;
    char *text = strchr(message, ' ');

    if (text == NULL) {
        return;
    }
    *text++ = '\0';
    if (strcmp(message, "report") == 0) {
        (void)snprintf(server->report, sizeof server->report, "%s", text);
        return;
    }
    if (log_add(&server->log, message, text, &err) != LS_OK && strcmp(message, "end") != 0) {
        return; /* the page has a point less; the end comes through all the same */
    }
    if (strcmp(message, "end") == 0) {
        end(server);
    }
}

static void feed(struct server *server)
{
    const int64_t before = server->log.last_id;
    char message[FEED_MESSAGE_MAX + 1];

    for (int i = 0; server->fed && i < MESSAGES_A_TURN; i++) {
        const ssize_t size = recv(server->wish->feed_fd, message, sizeof message - 1, MSG_DONTWAIT);

        if (size > 0) {
            message[size] = '\0';
            take(server, message);
        } else if (size == 0 || (errno != EAGAIN && errno != EINTR)) {
            server->report[0] = '\0'; /* the conductor died: there is none */
            end(server);
        } else {
            break;
        }
    }
    if (server->log.last_id != before) {
        http_told(server->http);
    }
}

static bool goes_on(const struct server *server)
{
    const int64_t over_ns = ls_now_ns() - server->over_ns;

    if (server->fed) {
        return true;
    }
    if (over_ns >= server->wish->linger_s * LS_NS_PER_S) {
        return false;
    }
    return http_wanted(server->http);
}

static void run(struct server *server)
{
    while (goes_on(server)) {
        struct pollfd fds[] = {
            {.fd = http_fd(server->http), .events = POLLIN},
            {.fd = server->fed ? server->wish->feed_fd : -1, .events = POLLIN},
        };

        (void)poll(fds, sizeof fds / sizeof fds[0], http_timeout_ms(server->http));
        if (fds[1].revents != 0) {
            feed(server);
        }
        http_run(server->http);
    }
}

enum ls_code serve(const struct serve_wish *wish, struct ls_error *err)
{
    struct server server = {.wish = wish, .fed = true};
    struct http_wish http = wish->http;
    char text[sizeof err->text + 32];
    enum ls_code code;

    server.log.storm = (int64_t)time(NULL) << 20 ^ ls_now_ns();
    http.log = &server.log;
    code = http_new(&server.http, &http, err);
    if (code != LS_OK) {
        (void)snprintf(text, sizeof text, "error %d %s", (int)code, err->text);
        (void)send(wish->feed_fd, text, strlen(text), MSG_NOSIGNAL);
        return code;
    }
    (void)send(wish->feed_fd, "ready ", strlen("ready "), MSG_NOSIGNAL);
    run(&server);
    http_free(server.http);
    log_clear(&server.log);
    return LS_OK;
}
