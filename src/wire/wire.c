/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/wire.h"

#include <netinet/tcp.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "loginstorm/units.h"
#include "wire/wire_work.h"

/* A long answer does not wait for its end. */
#define CORK_BYTES 16384

enum ls_wire_why wire_why_of(int uv_error)
{
    switch (uv_error) {
    case UV_EOF:
    case UV_EPIPE:
        return LS_WIRE_PEER_CLOSED;
    case UV_ECONNREFUSED:
        return LS_WIRE_REFUSED;
    case UV_ECONNRESET:
    case UV_ECONNABORTED:
        return LS_WIRE_RESET;
    case UV_ENETUNREACH:
    case UV_EHOSTUNREACH:
    case UV_ENETDOWN:
        return LS_WIRE_UNREACHABLE;
    case UV_ETIMEDOUT:
        return LS_WIRE_SYN_TIMEOUT;
    case UV_EMFILE:
    case UV_ENFILE:
        return LS_WIRE_OWN_DESCRIPTORS;
    case UV_EADDRNOTAVAIL:
    case UV_EADDRINUSE:
        return LS_WIRE_OWN_PORTS;
    case UV_ENOMEM:
    case UV_ENOBUFS:
        return LS_WIRE_OWN_MEMORY;
    default:
        return LS_WIRE_OWN_OTHER;
    }
}

void wire_finish(struct ls_wire *wire, enum ls_wire_why why)
{
    if (wire->state >= LS_WIRE_ENDED) {
        return;
    }
    wire->state = LS_WIRE_ENDED;
    wire->why = (uint8_t)why;
    ls_hub_unqueue(wire);
    if (wire->hub->calls->ended != NULL) {
        wire->hub->calls->ended(wire);
    }
}

static enum ls_wire_why tls_why(const struct ls_tls_end *end)
{
    switch (ls_tls_end_why(end)) {
    case LS_WHY_ALERT:
        return LS_WIRE_ALERT;
    case LS_WHY_CERTIFICATE:
        return LS_WIRE_CERTIFICATE;
    case LS_WHY_MEMORY:
        return LS_WIRE_OWN_MEMORY;
    case LS_WHY_NONE:
    case LS_WHY_PROTOCOL:
        break;
    }
    return LS_WIRE_PROTOCOL;
}

static int flush(struct ls_wire *wire);

static void on_close(uv_handle_t *handle)
{
    struct ls_wire *wire = handle->data;

    ls_bytes_free(&wire->outbox);
    ls_tls_session_free(wire->session);
    wire->session = NULL;
    if (wire->hub->calls->closed != NULL) {
        wire->hub->calls->closed(wire);
    }
}

static void close_handle(struct ls_wire *wire, bool reset)
{
    if (!reset || uv_tcp_close_reset(&wire->tcp, on_close) != 0) {
        uv_close((uv_handle_t *)&wire->tcp, on_close);
    }
}

static void on_written(uv_write_t *request, int status)
{
    struct ls_wire *wire = request->data;

    free(request);
    wire->writing = false;
    ls_bytes_free(&wire->sending);
    if (wire->state < LS_WIRE_ENDED) {
        if (status < 0 && wire->peer_end == 0) {
            wire->peer_end = status;
        }
        ls_hub_queue(wire);
    } else if (wire->state == LS_WIRE_CLOSING && !uv_is_closing((uv_handle_t *)&wire->tcp)) {
        if (status == 0) {
            (void)flush(wire);
        }
        if (!wire->writing) {
            close_handle(wire, false);
        }
    }
}

/* Hands the rest that the socket would not take at once to libuv. */
static int write_later(struct ls_wire *wire)
{
    uv_write_t *request = malloc(sizeof *request);
    uv_buf_t buf;
    int status;

    if (request == NULL) {
        return UV_ENOMEM;
    }
    wire->sending = wire->outbox;
    wire->outbox = (struct ls_bytes){0};
    request->data = wire;
    buf = uv_buf_init((char *)wire->sending.data + wire->sending.begin,
                      (unsigned)ls_bytes_size(&wire->sending));
    status = uv_write(request, (uv_stream_t *)&wire->tcp, &buf, 1, on_written);
    if (status < 0) {
        free(request);
        ls_bytes_free(&wire->sending);
        return status;
    }
    wire->writing = true;
    return 0;
}

/* Sends what lies in the outbox. A negative libuv code when the stream is broken. */
static int flush(struct ls_wire *wire)
{
    const size_t size = ls_bytes_size(&wire->outbox);
    uv_buf_t buf;
    int wrote;

    if (size == 0 || wire->writing) {
        return 0;
    }
    buf = uv_buf_init((char *)wire->outbox.data + wire->outbox.begin, (unsigned)size);
    wrote = uv_try_write((uv_stream_t *)&wire->tcp, &buf, 1);
    if (wrote < 0 && wrote != UV_EAGAIN) {
        return wrote;
    }
    if (wrote > 0) {
        ls_bytes_drop(&wire->outbox, (size_t)wrote);
    }
    return ls_bytes_size(&wire->outbox) > 0 ? write_later(wire) : 0;
}

static enum ls_tls_state step(struct ls_wire *wire)
{
    const size_t size = ls_bytes_size(&wire->inbox);
    const size_t before = ls_bytes_size(&wire->outbox);
    const int64_t cpu_ns = wire->hub->account ? ls_thread_cpu_ns() : 0;
    enum ls_tls_state state;
    size_t made;

    state =
        ls_tls_end_step(wire->end, ls_bytes_front(&wire->inbox), size, &wire->outbox, &wire->plain);
    if (size > 0) {
        ls_bytes_drop(&wire->inbox, size);
    }
    if (wire->hub->account) {
        const int64_t spent_ns = ls_thread_cpu_ns() - cpu_ns;

        wire->hub->tls_ns += spent_ns;
        if (wire->state == LS_WIRE_SECURING) {
            *(wire->first_sent == 0 ? &wire->hello_ns : &wire->finish_ns) += spent_ns;
        }
    }
    made = ls_bytes_size(&wire->outbox) - before;
    wire->sent += (uint32_t)made;
    return state;
}

static void tell_first_flight(struct ls_wire *wire)
{
    if (wire->first_sent == 0 && wire->sent > 0) {
        wire->first_sent = wire->sent;
        if (wire->hub->calls->flight != NULL) {
            wire->hub->calls->flight(wire);
        }
    }
}

/* First of all that a step may bring: what comes after it may be the owner's next connection. */
static void tell_of_tickets(struct ls_wire *wire)
{
    if (wire->state == LS_WIRE_OPEN && wire->hub->calls->ticket != NULL &&
        ls_tls_end_has_ticket(wire->end)) {
        wire->hub->calls->ticket(wire);
    }
}

void ls_wire_work(struct ls_wire *wire)
{
    const struct ls_wire_calls *calls = wire->hub->calls;
    const bool fresh = wire->state == LS_WIRE_SECURING && !wire->server && wire->sent == 0;
    enum ls_tls_state state = wire->end == NULL ? LS_TLS_FAILED : ls_tls_end_state(wire->end);
    bool secured = false;
    int status = 0;

    if (ls_bytes_size(&wire->inbox) > 0 || fresh) {
        state = step(wire);
    }
    /* What the owner writes now leaves with what the endpoint made, in one segment: a first request
     * with the Finished, an answer with the goodbye. */
    wire->corked = true;
    if (wire->state == LS_WIRE_SECURING && wire->end != NULL && ls_tls_end_was_secured(wire->end)) {
        wire->state = LS_WIRE_OPEN;
        secured = true;
    }
    tell_of_tickets(wire);
    if (secured && wire->state == LS_WIRE_OPEN && calls->secured != NULL) {
        calls->secured(wire);
    }
    if (wire->state < LS_WIRE_ENDED && wire->first_sent == 0) {
        status = flush(wire);
        /* What a failed handshake sends is an alert. */
        if (state != LS_TLS_FAILED) {
            tell_first_flight(wire);
        }
    }
    if (wire->state == LS_WIRE_OPEN && ls_bytes_size(&wire->plain) > 0 && calls->plain != NULL) {
        calls->plain(wire);
    }
    wire->corked = false;
    if (wire->state >= LS_WIRE_ENDED) {
        return;
    }
    if (status == 0) {
        status = flush(wire);
    }
    if (state == LS_TLS_FAILED) {
        wire_finish(wire, wire->end == NULL ? LS_WIRE_OWN_MEMORY : tls_why(wire->end));
    } else if (state == LS_TLS_CLOSED) {
        wire_finish(wire, LS_WIRE_PEER_CLOSED);
    } else if (wire->peer_end != 0) {
        /* Before what became of a write: one behind the peer's reset is told of a broken pipe. */
        wire_finish(wire, wire_why_of(wire->peer_end));
    } else if (status < 0) {
        wire_finish(wire, wire_why_of(status));
    }
}

void ls_wire_write(struct ls_wire *wire, const void *data, size_t size)
{
    const size_t before = ls_bytes_size(&wire->outbox);
    struct ls_error ignored;
    int status = 0;

    if (wire->state != LS_WIRE_OPEN) {
        return;
    }
    if (ls_tls_end_write(wire->end, data, size, &wire->outbox, &ignored) != LS_OK) {
        status = UV_ENOMEM;
    } else {
        wire->sent += (uint32_t)(ls_bytes_size(&wire->outbox) - before);
        if (!wire->corked || ls_bytes_size(&wire->outbox) >= CORK_BYTES) {
            status = flush(wire);
        }
    }
    if (status < 0) {
        if (wire->peer_end == 0) {
            wire->peer_end = status;
        }
        ls_hub_queue(wire);
    }
}

static void say_goodbye(struct ls_wire *wire)
{
    const size_t before = ls_bytes_size(&wire->outbox);

    ls_tls_end_close(wire->end, &wire->outbox);
    wire->sent += (uint32_t)(ls_bytes_size(&wire->outbox) - before);
}

void ls_wire_close(struct ls_wire *wire, bool reset)
{
    const bool open = wire->state == LS_WIRE_OPEN;

    if (wire->state == LS_WIRE_CLOSING) {
        if (reset && !uv_is_closing((uv_handle_t *)&wire->tcp)) {
            close_handle(wire, true);
        }
        return;
    }
    wire->state = LS_WIRE_CLOSING;
    ls_hub_unqueue(wire);
    (void)uv_read_stop((uv_stream_t *)&wire->tcp);
    if (open && !reset) {
        say_goodbye(wire);
    }
    if (open) {
        /* Before a reset, too: a Finished that was made in this very step ends the peer's
         * handshake. */
        (void)flush(wire);
    }
    ls_tls_end_free(wire->end);
    wire->end = NULL;
    ls_bytes_free(&wire->inbox);
    ls_bytes_free(&wire->plain);
    /* What the socket has not taken yet is still owed to the peer: then on_written closes. */
    if (!open || reset || !wire->writing) {
        close_handle(wire, reset);
    }
}

int ls_wire_retransmits(const struct ls_wire *wire)
{
    struct tcp_info info = {0};
    socklen_t size = sizeof info;
    uv_os_fd_t fd;

    if (uv_fileno((const uv_handle_t *)&wire->tcp, &fd) != 0 ||
        getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) {
        return 0;
    }
    return (int)info.tcpi_total_retrans;
}
