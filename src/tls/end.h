/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TLS_END_H
#define TLS_END_H

#include "loginstorm/bytes.h"
#include "tls/context.h"
#include "tls/records.h"

/* What lives as long as one call into the library. */
struct end_io {
    const uint8_t *data; /* the caller's chunk, what is left of it */
    size_t size;
    struct ls_bytes *out;
};

/* One for each held connection: kept small. */
struct ls_tls_end {
    WOLFSSL
    *ssl; /* NULL in a server of several certificates that has not read which one is wanted */
    const struct ls_tls_context *context;
    char *shown;            /* PEM, where a client looks; else NULL */
    struct ls_bytes early;  /* what came of the Client Hello until then */
    struct end_io *io;      /* NULL outside a call */
    struct records records; /* came from the server; a client's alone */
    uint32_t hello_bytes;   /* a client's Client Hellos */
    uint32_t flight_bytes; /* of records.done, those up to the server's Finished, without tickets */
    uint32_t ticket_bytes;
    uint32_t settled; /* of records.done, what is known to be a ticket or not */
    int error;
    uint8_t state, why;
    uint8_t first;  /* the peer's first byte: tells whether it speaks TLS at all */
    uint8_t hellos; /* Client Hellos sent */
    bool heard;     /* first is set */
    bool hello_retry;
    bool no_memory; /* out could not grow */
    bool secured;   /* at some time: it may be closed by now */
    bool offered;   /* a session goes into the Client Hello */
    bool ticket;    /* one came that was not taken yet */
    bool tls13;     /* of a secured one */
};

/*
 * Whether it is known which certificate the client wants, so that end->context is the one to go on with. What io brought
 * is in end->early then, or still in io. A server without a choice knows it at once. False and no_memory: no room for what came.
 */
bool sni_known(struct ls_tls_end *end, struct end_io *io);

/* To be called when a handshake is complete; in session.c. */
void session_keep(struct ls_tls_end *end);

/* Sets why and error for a call that failed with the library's number. */
void end_fail(struct ls_tls_end *end, int number);

#endif
