/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TLS_END_H
#define TLS_END_H

#include "tls/context.h"

/* What lives as long as one call into the library. */
struct end_io {
    const uint8_t *data; /* the caller's chunk, what is left of it */
    size_t size;
    struct ls_bytes *out;
};

/* One for each held connection: kept small. */
struct ls_tls_end {
    WOLFSSL *ssl;
    const struct ls_tls_context *context;
    struct end_io *io; /* NULL outside a call */
    int error;
    uint8_t state, why;
    uint8_t first;  /* the peer's first byte: tells whether it speaks TLS at all */
    uint8_t hellos; /* Client Hellos sent */
    bool heard;     /* first is set */
    bool hello_retry;
    bool no_memory; /* out could not grow */
    bool secured;   /* at some time: it may be closed by now */
};

/* Sets why and error for a call that failed with the library's number. */
void end_fail(struct ls_tls_end *end, int number);

#endif
