/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a wire begins, on either side, and how its bytes come in. */
#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "wire/wire_work.h"

static void give_buffer(uv_handle_t *handle, size_t suggested, uv_buf_t *buf)
{
    struct ls_wire *wire = handle->data;

    (void)suggested;
    *buf = uv_buf_init((char *)wire->hub->buffer, sizeof wire->hub->buffer);
}

/* Where bytes and a reset come in one poll, libuv tells of the bytes and then of an end; the socket
 * still knows better. */
static int end_of(const struct ls_wire *wire, int status)
{
    int error = 0;
    socklen_t size = sizeof error;
    uv_os_fd_t fd;

    if (status == UV_EOF && uv_fileno((const uv_handle_t *)&wire->tcp, &fd) == 0 &&
        getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error != 0) {
        return uv_translate_sys_error(error);
    }
    return status;
}

static void on_read(uv_stream_t *stream, ssize_t size, const uv_buf_t *buf)
{
    struct ls_wire *wire = stream->data;

    if (size == 0 || wire->state >= LS_WIRE_ENDED) {
        return;
    }
    if (size < 0) {
        wire->peer_end = end_of(wire, (int)size);
        (void)uv_read_stop(stream);
    } else if (ls_bytes_put(&wire->inbox, buf->base, (size_t)size) != LS_OK) {
        wire->peer_end = UV_ENOMEM;
        (void)uv_read_stop(stream);
    } else {
        wire->received += (uint32_t)size;
    }
    ls_hub_queue(wire);
}

/* From TCP being there to the first byte of TLS. */
static int begin_securing(struct ls_wire *wire, struct ls_tls_context *context)
{
    struct ls_error ignored;

    wire->state = LS_WIRE_SECURING;
    if (ls_tls_end_new(&wire->end, context, &ignored) != LS_OK) {
        wire->end = NULL;
        return UV_ENOMEM;
    }
    if (wire->session != NULL) {
        (void)ls_tls_end_offer(wire->end, wire->session);
        ls_tls_session_free(wire->session);
        wire->session = NULL;
    }
    /* A login is a few small writes; waiting for acknowledgements between them would be measured as
     * the gateway's time. */
    (void)uv_tcp_nodelay(&wire->tcp, 1);
    return uv_read_start((uv_stream_t *)&wire->tcp, give_buffer, on_read);
}

static void on_connect(uv_connect_t *connect, int status)
{
    struct ls_wire *wire = connect->handle->data;
    struct ls_tls_context *context = connect->data;

    free(connect);
    if (wire->state != LS_WIRE_CONNECTING) {
        return;
    }
    if (status == 0) {
        if (wire->hub->calls->connected != NULL) {
            wire->hub->calls->connected(wire);
        }
        if (wire->state != LS_WIRE_CONNECTING) {
            return;
        }
        status = begin_securing(wire, context);
    }
    if (status < 0) {
        wire_finish(wire, wire_why_of(status));
        return;
    }
    ls_hub_queue(wire);
}

enum ls_code ls_wire_preface(struct ls_wire *wire, const void *data, size_t size)
{
    return ls_bytes_put(&wire->outbox, data, size);
}

/* Without it, bind() to a source address takes a port for that address alone, and a large storm
 * runs out of them. */
static int bind_source(struct ls_wire *wire, const struct sockaddr *source)
{
    const int on = 1;
    uv_os_fd_t fd;
    int status = uv_fileno((uv_handle_t *)&wire->tcp, &fd);

    if (status == 0 && setsockopt(fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on) != 0) {
        status = uv_translate_sys_error(errno);
    }
    return status < 0 ? status : uv_tcp_bind(&wire->tcp, source, 0);
}

void ls_wire_connect(struct ls_wire *wire, struct ls_hub *hub, struct ls_tls_context *context,
                     const struct sockaddr *target, const struct sockaddr *source)
{
    uv_connect_t *connect = malloc(sizeof *connect);
    int status;

    ls_hub_wake(hub);
    wire->hub = hub;
    wire->state = LS_WIRE_CONNECTING;
    status = uv_tcp_init_ex(hub->loop, &wire->tcp, target->sa_family);
    if (status < 0) {
        (void)uv_tcp_init(hub->loop,
                          &wire->tcp); /* without a socket: a handle to close all the same */
    }
    wire->tcp.data = wire;
    if (status == 0 && connect == NULL) {
        status = UV_ENOMEM;
    }
    if (status == 0 && source != NULL) {
        status = bind_source(wire, source);
    }
    if (status == 0) {
        connect->data = context;
        status = uv_tcp_connect(connect, &wire->tcp, target, on_connect);
    }
    if (status != 0) {
        free(connect);
        wire_finish(wire, wire_why_of(status));
    }
}

enum ls_code ls_wire_accept(struct ls_wire *wire, struct ls_hub *hub,
                            struct ls_tls_context *context, uv_stream_t *listener)
{
    int status;

    ls_hub_wake(hub);
    wire->hub = hub;
    wire->server = true;
    (void)uv_tcp_init(hub->loop, &wire->tcp); /* cannot fail: it makes no socket */
    wire->tcp.data = wire;
    status = uv_accept(listener, (uv_stream_t *)&wire->tcp);
    if (status == 0) {
        status = begin_securing(wire, context);
    }
    if (status < 0) {
        wire->state = LS_WIRE_ENDED;
        wire->why = (uint8_t)wire_why_of(status);
        return LS_ESYSTEM;
    }
    return LS_OK;
}
