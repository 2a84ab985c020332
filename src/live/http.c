/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "live/http_work.h"
#include "loginstorm/units.h"

#define TICK_MS 1000

void caller_wake(struct caller *caller)
{
    if (caller->state == CALLER_STREAMING && caller->waits) {
        caller->waits = false;
        caller->http->library.MHD_resume_connection(caller->connection);
    }
}

static struct caller *new_caller(struct http *http)
{
    for (size_t i = 0; i < HTTP_CONNECTIONS_MAX; i++) {
        if (http->callers[i].state == CALLER_NONE) {
            return &http->callers[i];
        }
    }
    return NULL;
}

static void on_connection(void *data, struct MHD_Connection *connection, void **context,
                          enum MHD_ConnectionNotificationCode what)
{
    struct http *http = data;
    struct caller *caller = *context;
    const union MHD_ConnectionInfo *info;

    if (what == MHD_CONNECTION_NOTIFY_CLOSED) {
        if (caller != NULL) {
            caller->state = CALLER_NONE;
        }
        return;
    }
    info = http->library.MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    caller = new_caller(http);
    *context = caller; /* a connection without one is refused when it asks */
    if (caller != NULL) {
        *caller = (struct caller){
            .http = http,
            .connection = connection,
            .fd = info == NULL ? -1 : info->connect_fd,
            .state = CALLER_ASKING,
            .since_ns = ls_now_ns(),
        };
    }
}

static bool heard_all(const struct caller *caller)
{
    return caller->sent == caller->http->wish.log->last_id &&
           caller->offset == caller->pending_bytes;
}

static void broke(struct http *http)
{
    http->broken++;
    http->broken_ns = ls_now_ns();
}

/* A request is over: it was answered, or its client is gone. */
static void on_completed(void *data, struct MHD_Connection *connection, void **request,
                         enum MHD_RequestTerminationCode how)
{
    struct http *http = data;
    struct caller *caller = *request;
    const bool whole = how == MHD_REQUEST_TERMINATED_COMPLETED_OK;

    (void)connection;
    if (caller == NULL) {
        return;
    }
    if (caller->state == CALLER_STREAMING) {
        http->streams--;
        if (!http->over && caller->watches) {
            broke(http);
        }
        /* Who heard the end comes for the report, often by a connection of its own. */
        http->waiting -=
            http->over && caller->watches && (!heard_all(caller) || http->report == NULL);
    }
    http->waiting -= whole && caller->takes_report && http->waiting > 0;
    caller->state = CALLER_ASKING;
    caller->since_ns = ls_now_ns();
    caller->takes_report = caller->watches = caller->waits = false;
}

static enum ls_code start(struct http *http, struct ls_error *err)
{
    http->daemon = http->library.MHD_start_daemon(
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, answer, http,
        MHD_OPTION_LISTEN_SOCKET, http->wish.listen_fd, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)HTTP_CONNECTIONS_MAX, MHD_OPTION_CONNECTION_MEMORY_LIMIT, HTTP_CONNECTION_BYTES,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)http->wish.patience.read_s,
        MHD_OPTION_NOTIFY_CONNECTION, on_connection, http, MHD_OPTION_NOTIFY_COMPLETED,
        on_completed, http, MHD_OPTION_END);
    if (http->daemon == NULL) {
        return ls_error_set(err, LS_ESYSTEM, "--live: libmicrohttpd does not start");
    }
    return LS_OK;
}

enum ls_code http_new(struct http **out, const struct http_wish *wish, struct ls_error *err)
{
    struct http *http = calloc(1, sizeof *http);
    enum ls_code code;

    *out = NULL;
    if (http == NULL) {
        (void)close(wish->listen_fd);
        return ls_error_set(err, LS_ENOMEM, "no memory for the live page's server");
    }
    http->wish = *wish;
    code = library_load(&http->library, err);
    if (code != LS_OK) {
        (void)close(wish->listen_fd);
    } else {
        code = start(http, err);
    }
    if (code != LS_OK) {
        library_unload(&http->library);
        free(http);
        return code;
    }
    *out = http;
    return LS_OK;
}

void http_free(struct http *http)
{
    if (http == NULL) {
        return;
    }
    for (size_t i = 0; i < HTTP_CONNECTIONS_MAX; i++) {
        caller_wake(&http->callers[i]); /* none may be suspended when it stops */
    }
    http->library.MHD_stop_daemon(http->daemon);
    library_unload(&http->library);
    free(http->report);
    free(http);
}

int http_fd(const struct http *http)
{
    const union MHD_DaemonInfo *info =
        http->library.MHD_get_daemon_info(http->daemon, MHD_DAEMON_INFO_EPOLL_FD);

    return info == NULL ? -1 : info->epoll_fd;
}

int http_timeout_ms(const struct http *http)
{
    MHD_UNSIGNED_LONG_LONG timeout_ms;

    if (http->library.MHD_get_timeout(http->daemon, &timeout_ms) == MHD_YES &&
        timeout_ms < TICK_MS) {
        return (int)timeout_ms;
    }
    return TICK_MS;
}

/* The library ends who is silent. Who sends a byte now and then, or takes one, it would serve for ever. */
static void look_after(const struct http_patience *patience, struct caller *caller, int64_t now_ns)
{
    const int64_t waited_ns = now_ns - caller->since_ns;

    switch (caller->state) {
    case CALLER_NONE:
        break;
    case CALLER_ASKING:
        if (waited_ns > patience->ask_s * LS_NS_PER_S) {
            (void)shutdown(caller->fd, SHUT_RDWR);
        }
        break;
    case CALLER_TAKING:
        if (waited_ns > patience->take_s * LS_NS_PER_S) {
            (void)shutdown(caller->fd, SHUT_RDWR);
        }
        break;
    case CALLER_STREAMING:
        if (waited_ns >= patience->beat_s * LS_NS_PER_S) {
            caller_wake(caller);
        }
        break;
    }
}

void http_run(struct http *http)
{
    const int64_t now_ns = ls_now_ns();

    for (size_t i = 0; i < HTTP_CONNECTIONS_MAX; i++) {
        look_after(&http->wish.patience, &http->callers[i], now_ns);
    }
    (void)http->library.MHD_run(http->daemon);
}

void http_told(struct http *http)
{
    for (size_t i = 0; i < HTTP_CONNECTIONS_MAX; i++) {
        caller_wake(&http->callers[i]);
    }
}

/* A stream that waits is not watched for its client's end, and what is written to it then seems to be sent. */
static bool has_left(const struct caller *caller)
{
    char byte;

    return recv(caller->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

void http_over(struct http *http, char *report, size_t report_bytes)
{
    http->over = true;
    http->over_ns = ls_now_ns();
    http->report = report;
    http->report_bytes = report_bytes;
    for (size_t i = 0; i < HTTP_CONNECTIONS_MAX; i++) {
        struct caller *caller = &http->callers[i];

        if (caller->state != CALLER_STREAMING || !caller->watches) {
            continue;
        }
        if (has_left(caller)) {
            caller->watches = false;
            broke(http);
        } else {
            http->waiting++;
        }
    }
    http_told(http);
}

static int connections(const struct http *http)
{
    int count = 0;

    for (size_t i = 0; i < HTTP_CONNECTIONS_MAX; i++) {
        count += http->callers[i].state != CALLER_NONE;
    }
    return count;
}

bool http_wanted(const struct http *http)
{
    const int64_t now_ns = ls_now_ns(), back_ns = http->wish.patience.back_s * LS_NS_PER_S;

    return http->waiting > 0 || (connections(http) > 0 && now_ns - http->over_ns < back_ns) ||
           (http->broken > 0 && now_ns - http->broken_ns < back_ns);
}
