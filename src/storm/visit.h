/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_STORM_VISIT_H
#define LOGINSTORM_STORM_VISIT_H

/* One TLS handshake with a gateway, waited for: a socket of its own, no loop, in no count. Private to this room. */

#include <sys/socket.h>

#include "loginstorm/tls.h"

struct visit_wish {
    const struct sockaddr *target;
    const struct ls_tls_client_wish *tls;
    const void *preface; /* before TLS: a PROXY header, or nothing */
    size_t preface_size;
    int64_t connect_timeout_ns, handshake_timeout_ns;
};

enum visit_end {
    VISIT_SECURED,
    VISIT_NO_TCP,  /* errno_ says why */
    VISIT_TIMEOUT, /* TCP, but no end of the handshake */
    VISIT_CLOSED,  /* closed or reset (errno_) amid it */
    VISIT_TLS,     /* facts say why */
};

struct visit {
    enum visit_end end;
    int errno_;
    size_t hello_bytes; /* the Client Hello, with the heads of its records */
    bool answered;      /* a byte came */
    enum ls_tls_why why;
    struct ls_tls_facts facts;
    bool has_shown;
    struct ls_tls_shown shown; /* where tls->looks */
};

/* Makes one. LS_OK however it ended; our own limits alone are errors. */
LS_MUST_CHECK
enum ls_code visit_make(struct visit *visit, const struct visit_wish *wish, struct ls_error *err);

#endif
