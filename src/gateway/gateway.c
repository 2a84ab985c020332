/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/gateway.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "gateway/http.h"
#include "loginstorm/limit.h"
#include "loginstorm/units.h"
#include "loginstorm/wire.h"

struct session {
    struct ls_wire wire; /* first, so that a wire is its session */
    struct ls_gateway *gateway;
    struct session *next, *previous;
    bool secured;
};

struct ls_gateway {
    struct ls_gateway_job job;
    uv_tcp_t listener;
    struct ls_hub hub;
    struct ls_tls_context *context;
    struct ls_gateway_counts counts;
    struct session *sessions;
    struct session *spare; /* for a connection that comes when memory is short */
    bool pending;          /* such a connection waits for a spare */
    bool stopping;
};

static struct session *session_of(struct ls_wire *wire)
{
    return (struct session *)wire;
}

static void on_flight(struct ls_wire *wire)
{
    session_of(wire)->gateway->counts.server_flights++;
}

static void on_secured(struct ls_wire *wire)
{
    struct session *session = session_of(wire);

    session->secured = true;
    session->gateway->counts.secured++;
    if (session->gateway->job.bursts != NULL) {
        ls_bursts_add(session->gateway->job.bursts, wire->hello_ns, wire->finish_ns);
    }
}

/* Sends a body of any bytes in pieces of a TLS record's size. */
static void write_body(struct ls_wire *wire, size_t size)
{
    static const char filler[16 * 1024];

    while (size > 0) {
        const size_t piece = size < sizeof filler ? size : sizeof filler;

        ls_wire_write(wire, filler, piece);
        size -= piece;
    }
}

/* Head and a small body leave in one record: one write for the usual answer. */
static void answer(struct ls_wire *wire, const struct http_request *request)
{
    char out[16 * 1024];
    size_t body;
    size_t size = http_answer(request, out, sizeof out, &body);

    if (request->bytes < 0 && body > 0) {
        memcpy(out + size, http_greeting(), body);
        size += body;
        body = 0;
    } else {
        const size_t piece = body < sizeof out - size ? body : sizeof out - size;

        memset(out + size, '.', piece);
        size += piece;
        body -= piece;
    }
    ls_wire_write(wire, out, size);
    write_body(wire, body);
    session_of(wire)->gateway->counts.requests++;
}

static void on_plain(struct ls_wire *wire)
{
    struct http_request request;

    /* Who asks faster than it reads is answered when it has read: the wire calls again then. */
    while (wire->state == LS_WIRE_OPEN && !wire->writing && ls_bytes_size(&wire->plain) > 0) {
        const enum http_found found =
            http_parse(ls_bytes_front(&wire->plain), ls_bytes_size(&wire->plain), &request);

        if (found == HTTP_MORE) {
            return;
        }
        if (found == HTTP_BAD) {
            ls_wire_write(wire, http_refusal(), strlen(http_refusal()));
            ls_wire_close(wire, false);
            return;
        }
        ls_bytes_drop(&wire->plain, request.size);
        answer(wire, &request);
        if (!request.keep_alive) {
            ls_wire_close(wire, false);
        }
    }
}

static void on_ended(struct ls_wire *wire)
{
    ls_wire_close(wire, false);
}

static void check_closed(struct ls_gateway *gateway)
{
    if (gateway->stopping && gateway->counts.open == 0) {
        gateway->stopping = false;
        ls_hub_stop(&gateway->hub);
        gateway->job.closed(gateway->job.data);
    }
}

static void on_connection(uv_stream_t *listener, int status);

/* A session's memory is the next spare, when that is gone. */
static void let_go(struct ls_gateway *gateway, struct session *session)
{
    if (gateway->spare != NULL) {
        free(session);
        return;
    }
    *session = (struct session){0};
    gateway->spare = session;
    if (gateway->pending) {
        gateway->pending = false;
        on_connection((uv_stream_t *)&gateway->listener, 0);
    }
}

static void on_closed(struct ls_wire *wire)
{
    struct session *session = session_of(wire);
    struct ls_gateway *gateway = session->gateway;

    if (session->previous == NULL) {
        gateway->sessions = session->next;
    } else {
        session->previous->next = session->next;
    }
    if (session->next != NULL) {
        session->next->previous = session->previous;
    }
    gateway->counts.failed += !session->secured;
    gateway->counts.open--;
    let_go(gateway, session);
    check_closed(gateway);
}

static const struct ls_wire_calls calls = {
    .flight = on_flight,
    .secured = on_secured,
    .plain = on_plain,
    .ended = on_ended,
    .closed = on_closed,
};

/* Without memory the spare is used. A listener whose connection is not taken listens no more, so
 * there is always one, or a session whose end gives one back. */
static struct session *new_session(struct ls_gateway *gateway)
{
    struct session *session = calloc(1, sizeof *session);

    if (session == NULL) {
        session = gateway->spare;
        gateway->spare = NULL;
    }
    return session;
}

static void on_connection(uv_stream_t *listener, int status)
{
    struct ls_gateway *gateway = listener->data;
    struct session *session;

    if (status < 0 || gateway->stopping) {
        return;
    }
    session = new_session(gateway);
    if (session == NULL) {
        gateway->pending = true;
        return;
    }
    session->gateway = gateway;
    session->next = gateway->sessions;
    if (session->next != NULL) {
        session->next->previous = session;
    }
    gateway->sessions = session;
    gateway->counts.open++;
    gateway->counts.accepted++;
    if (ls_wire_accept(&session->wire, &gateway->hub, gateway->context, listener) != LS_OK) {
        ls_wire_close(&session->wire, true);
    }
}

static socklen_t address_size(const struct sockaddr_storage *address)
{
    return address->ss_family == AF_INET6 ? sizeof(struct sockaddr_in6)
                                          : sizeof(struct sockaddr_in);
}

enum ls_code ls_gateway_reserve(int *fd, struct sockaddr_storage *address, struct ls_error *err)
{
    const int on = 1;
    socklen_t size = sizeof *address;

    *fd = socket(address->ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (*fd < 0) {
        return ls_error_set_errno(err, LS_ESYSTEM, "no socket for the gateway");
    }
    if (setsockopt(*fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
        setsockopt(*fd, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on) != 0 ||
        bind(*fd, (const struct sockaddr *)address, address_size(address)) != 0 ||
        getsockname(*fd, (struct sockaddr *)address, &size) != 0) {
        (void)ls_error_set_errno(err, LS_ECREATE, "the gateway cannot have its address");
        (void)close(*fd);
        *fd = -1;
        return LS_ECREATE;
    }
    return LS_OK;
}

/* A gateway that does not know how many will come takes what it may have. */
static enum ls_code prepare_descriptors(int64_t connections, struct ls_error *err)
{
    struct rlimit limit;

    if (connections > 0) {
        return ls_limit_open_files(connections, "the embedded gateway", err);
    }
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
    }
    return LS_OK;
}

static enum ls_code listen_on(struct ls_gateway *gateway, uv_loop_t *loop, struct ls_error *err)
{
    int fd;
    int status;
    enum ls_code code = ls_gateway_reserve(&fd, &gateway->job.address, err);

    if (code != LS_OK) {
        return code;
    }
    (void)uv_tcp_init(loop, &gateway->listener);
    gateway->listener.data = gateway;
    status = uv_tcp_open(&gateway->listener, fd);
    if (status != 0) {
        (void)close(fd);
    } else {
        status = uv_listen((uv_stream_t *)&gateway->listener, gateway->job.backlog, on_connection);
    }
    if (status != 0) {
        uv_close((uv_handle_t *)&gateway->listener, NULL);
        (void)uv_run(loop, UV_RUN_NOWAIT);
        return ls_error_set(err, LS_ECREATE, "the gateway cannot listen: %s", uv_strerror(status));
    }
    return LS_OK;
}

enum ls_code ls_gateway_new(struct ls_gateway **out, uv_loop_t *loop,
                            const struct ls_gateway_job *job, struct ls_error *err)
{
    struct ls_gateway *gateway = calloc(1, sizeof *gateway);
    enum ls_code code;

    *out = NULL;
    if (gateway == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for the gateway");
    }
    gateway->job = *job;
    gateway->spare = calloc(1, sizeof *gateway->spare);
    if (gateway->spare == NULL) {
        code = ls_error_set(err, LS_ENOMEM, "no memory for the gateway");
    } else {
        code = prepare_descriptors(job->connections_max, err);
    }
    if (code == LS_OK) {
        code = ls_tls_server_new(&gateway->context, &job->tls, err);
    }
    if (code == LS_OK) {
        code = listen_on(gateway, loop, err);
    }
    if (code != LS_OK) {
        ls_gateway_free(gateway);
        return code;
    }
    ls_hub_init(&gateway->hub, loop, &calls);
    gateway->hub.account = true;
    *out = gateway;
    return LS_OK;
}

void ls_gateway_address(const struct ls_gateway *gateway, struct sockaddr_storage *address)
{
    *address = gateway->job.address;
}

void ls_gateway_counts(const struct ls_gateway *gateway, struct ls_gateway_counts *counts)
{
    *counts = gateway->counts;
    counts->tls_ns = gateway->hub.tls_ns;
}

void ls_gateway_stop(struct ls_gateway *gateway)
{
    struct session *next;

    if (gateway->stopping || uv_is_closing((uv_handle_t *)&gateway->listener)) {
        return;
    }
    gateway->stopping = true;
    uv_close((uv_handle_t *)&gateway->listener, NULL);
    for (struct session *session = gateway->sessions; session != NULL; session = next) {
        next = session->next;
        /* A peer that does not read would keep an answer, and this process, for ever. */
        ls_wire_close(&session->wire, session->wire.writing);
    }
    check_closed(gateway);
}

void ls_gateway_free(struct ls_gateway *gateway)
{
    if (gateway == NULL) {
        return;
    }
    ls_tls_context_free(gateway->context);
    free(gateway->spare);
    free(gateway);
}
