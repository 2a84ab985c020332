/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_WIRE_H
#define LOGINSTORM_WIRE_H

/*
 * A wire: one TCP stream that carries one TLS endpoint, on a libuv loop.
 *
 *     engine / gateway -> [wire] -> socket
 *
 *     IDLE --ls_wire_connect--> CONNECTING --on_connect--> SECURING --ls_wire_work--> OPEN
 *     IDLE --ls_wire_accept-------------------------------^
 *     any --finish--> ENDED --ls_wire_close--> CLOSING --on_close--> (calls->closed)
 *
 * After calls->closed the memory is its owner's again.
 *
 * Reading a socket is cheap and TLS is not, so bytes are only gathered when they come; the TLS work
 * waits in its hub's queue and is done first come, first served, a budget of time per turn of the
 * loop. That keeps moments of connect exact, keeps a gateway accepting while thousands are in
 * handshake, and lets an injector start users between two steps.
 */

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>

#include <uv.h>

#include "loginstorm/bytes.h"
#include "loginstorm/error.h"
#include "loginstorm/tls.h"

enum ls_wire_state {
    LS_WIRE_IDLE,
    LS_WIRE_CONNECTING,
    LS_WIRE_SECURING,
    LS_WIRE_OPEN,
    LS_WIRE_ENDED,
    LS_WIRE_CLOSING,
};

/* Why a wire ended. */
enum ls_wire_why {
    LS_WIRE_FINE,
    LS_WIRE_REFUSED,
    LS_WIRE_RESET,
    LS_WIRE_UNREACHABLE,
    LS_WIRE_SYN_TIMEOUT, /* the kernel gave up on the connection */
    LS_WIRE_PEER_CLOSED, /* the peer closed: FIN or close_notify */
    LS_WIRE_ALERT,
    LS_WIRE_CERTIFICATE,
    LS_WIRE_PROTOCOL,
    LS_WIRE_OWN_DESCRIPTORS,
    LS_WIRE_OWN_PORTS,
    LS_WIRE_OWN_MEMORY,
    LS_WIRE_OWN_OTHER,
};

struct ls_wire;

/* What an owner hears, each from inside the loop. Any of them may close the wire. A NULL entry is
 * not called. */
struct ls_wire_calls {
    void (*connected)(struct ls_wire *wire); /* TCP is there; not for accepted ones */
    void (*flight)(struct ls_wire *wire);    /* a server sent its first flight */
    void (*ticket)(struct ls_wire *wire); /* a client has got a session: ls_tls_end_take_session on
                                             wire->end; may come before secured, in the same step */
    void (*secured)(struct ls_wire *wire);
    void (*plain)(struct ls_wire
                      *wire); /* decrypted bytes lie in wire->plain; the owner drops what it took */
    void (*ended)(
        struct ls_wire *wire); /* once, see wire->why; the owner must call ls_wire_close */
    void (*closed)(struct ls_wire *wire);
};

/* What the wires of a loop share: the read buffer and the queue of TLS work. */
struct ls_hub {
    uv_loop_t *loop;
    const struct ls_wire_calls *calls;
    void (*between)(void *data); /* called between two pieces of work, or NULL */
    void *between_data;
    bool account;          /* add up tls_ns */
    int64_t tls_ns;        /* thread CPU inside the TLS endpoint */
    int64_t worst_turn_ns; /* longest turn of the loop, less the wait for events */
    uv_prepare_t prepare;
    uv_check_t check;
    uv_idle_t idle;
    int64_t turn_began_ns; /* 0 while the loop waits for events */
    struct ls_wire *first, *last;
    uint8_t buffer[64 * 1024];
};

/* Open, so that it lies inside its owner's struct. Fields are for reading; sent and received count
 * TLS bytes. */
struct ls_wire {
    uv_tcp_t tcp;
    struct ls_hub *hub;
    struct ls_tls_end *end;
    struct ls_tls_session *session; /* for a client to offer: set before ls_wire_connect, the wire's
                                       from then on; NULL: none, or offered by now */
    struct ls_bytes inbox;          /* came, not yet worked on */
    struct ls_bytes outbox;         /* made, not yet given to the socket */
    struct ls_bytes sending;        /* lent to libuv until it is written */
    struct ls_bytes plain;
    struct ls_wire *next, *previous; /* in the hub's queue */
    uint32_t sent, received;
    /* Thread CPU inside the TLS endpoint up to the first flight sent, and from there until it is
     * secured; counted where the hub accounts. */
    int64_t hello_ns, finish_ns;
    uint32_t
        first_sent; /* size of the first flight sent: a client's Client Hello, a server's flight */
    int peer_end;   /* libuv's word on the stream's end, 0 while it flows */
    uint8_t state;  /* enum ls_wire_state */
    uint8_t why;    /* enum ls_wire_why */
    bool queued;
    bool server;
    bool writing;
    bool corked; /* inside a piece of work, whose end flushes */
};

void ls_hub_init(struct ls_hub *hub, uv_loop_t *loop, const struct ls_wire_calls *calls);

/* Stops the hub's handles, so that the loop can end; every wire must be closed before. */
void ls_hub_stop(struct ls_hub *hub);

/*
 * Begins to connect a zeroed wire from source (NULL: the kernel chooses; the port is left to the
 * kernel until connect, so that it may serve many targets). Always answers by a call: connected, or
 * ended with the reason.
 */
void ls_wire_connect(struct ls_wire *wire, struct ls_hub *hub, struct ls_tls_context *context,
                     const struct sockaddr *target, const struct sockaddr *source);

/* What goes out before the first byte of TLS, in the same segment, and is counted nowhere: a PROXY
 * header. Inside the connected call. LS_ENOMEM. */
LS_MUST_CHECK
enum ls_code ls_wire_preface(struct ls_wire *wire, const void *data, size_t size);

/* Takes the next connection of a listening handle into a zeroed wire. On failure the wire is ENDED
 * without a call. */
LS_MUST_CHECK
enum ls_code ls_wire_accept(struct ls_wire *wire, struct ls_hub *hub,
                            struct ls_tls_context *context, uv_stream_t *listener);

/* Encrypts and sends application data of an OPEN wire. A failure ends the wire (calls->ended comes
 * from the queue). */
void ls_wire_write(struct ls_wire *wire, const void *data, size_t size);

/* Closes from any state but IDLE: by FIN with a close_notify behind all that was written, or by a
 * reset; a closed call follows later. Safe inside a call. A wire that is closing already may still
 * be reset: a peer that never reads would keep it for ever. */
void ls_wire_close(struct ls_wire *wire, bool reset);

/* TCP segments that were sent again so far, SYNs too; 0 when the kernel does not say. */
int ls_wire_retransmits(const struct ls_wire *wire);

#endif
