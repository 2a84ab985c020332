/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TESTS_WIRE_PEER_H
#define TESTS_WIRE_PEER_H

/* A gateway that does not do as it should: plain TCP, one way of misbehaving a listener. */

#include "unit/wire/rig.h"

enum peer_way {
    PEER_SILENT,  /* reads and never answers */
    PEER_SHUTS,   /* sends its FIN at once, reads on */
    PEER_CLOSES,  /* reads the Client Hello, then closes */
    PEER_RESETS,  /* reads the Client Hello, then resets */
    PEER_GARBAGE, /* speaks first, and no TLS */
    PEER_HTTP,    /* answers the Client Hello in HTTP */
    PEER_ALERT,   /* answers it with a fatal alert */
};

struct peer_session {
    uv_tcp_t tcp;
    uv_shutdown_t shutdown;
    struct peer *peer;
    bool answered;
};

struct peer {
    enum peer_way way;
    uv_tcp_t listener;
    struct sockaddr_in address;
    int64_t accepted;
    size_t first_read; /* bytes of the first read of the first session: a Client Hello */
    uint8_t record[5]; /* how they begin */
    char buffer[64 * 1024];
};

static inline void peer_closed(uv_handle_t *handle)
{
    free(handle->data);
}

static inline void peer_close(struct peer_session *session, bool reset)
{
    uv_handle_t *handle = (uv_handle_t *)&session->tcp;

    if (!uv_is_closing(handle) && (!reset || uv_tcp_close_reset(&session->tcp, peer_closed) != 0)) {
        uv_close(handle, peer_closed);
    }
}

static inline void peer_say(struct peer_session *session, const void *data, size_t size)
{
    uv_buf_t buf = {.base = (char *)(uintptr_t)data, .len = size};

    assert_int_equal(uv_try_write((uv_stream_t *)&session->tcp, &buf, 1), (int)size);
}

static inline void peer_buffer(uv_handle_t *handle, size_t suggested, uv_buf_t *buf)
{
    struct peer_session *session = handle->data;

    (void)suggested;
    *buf = uv_buf_init(session->peer->buffer, sizeof session->peer->buffer);
}

static inline void peer_read(uv_stream_t *stream, ssize_t size, const uv_buf_t *buf)
{
    static const char bad_request[] =
        "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    static const uint8_t handshake_failure[] = {21, 3, 3, 0, 2, 2, 40};
    struct peer_session *session = stream->data;
    struct peer *peer = session->peer;

    if (size < 0) {
        peer_close(session, false);
        return;
    }
    if (peer->first_read == 0 && size >= 5) {
        peer->first_read = (size_t)size;
        memcpy(peer->record, buf->base, sizeof peer->record);
    }
    if (session->answered) {
        return; /* what a client says of the answer, an alert perhaps, is only read */
    }
    session->answered = true;
    if (peer->way == PEER_CLOSES || peer->way == PEER_RESETS) {
        peer_close(session, peer->way == PEER_RESETS);
    } else if (peer->way == PEER_HTTP) {
        peer_say(session, bad_request, sizeof bad_request - 1);
    } else if (peer->way == PEER_ALERT) {
        peer_say(session, handshake_failure, sizeof handshake_failure);
    }
}

static inline void peer_accept(uv_stream_t *listener, int status)
{
    struct peer *peer = listener->data;
    struct peer_session *session = calloc(1, sizeof *session);

    assert_int_equal(status, 0);
    assert_non_null(session);
    session->peer = peer;
    session->tcp.data = session;
    peer->accepted++;
    assert_int_equal(uv_tcp_init(listener->loop, &session->tcp), 0);
    assert_int_equal(uv_accept(listener, (uv_stream_t *)&session->tcp), 0);
    assert_int_equal(uv_read_start((uv_stream_t *)&session->tcp, peer_buffer, peer_read), 0);
    if (peer->way == PEER_SHUTS) {
        assert_int_equal(uv_shutdown(&session->shutdown, (uv_stream_t *)&session->tcp, NULL), 0);
    } else if (peer->way == PEER_GARBAGE) {
        peer_say(session, "SSH-2.0-OpenSSH_9.2\r\n", 21);
    }
}

static inline void peer_listen(struct peer *peer, uv_loop_t *loop)
{
    rig_listen(loop, &peer->listener, &peer->address, peer_accept, peer);
}

static inline void peer_stop(struct peer *peer)
{
    uv_close((uv_handle_t *)&peer->listener, NULL);
}

#endif
