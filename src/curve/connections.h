/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CURVE_CONNECTIONS_H
#define LOGINSTORM_CURVE_CONNECTIONS_H

/*
 * The last connections that were seen, in 4 MiB whatever comes: so many that a packet which is sent
 * again some minutes later is known again.
 */

#include <stddef.h>
#include <stdint.h>

#include "loginstorm/error.h"

#define CONNECTIONS_MAX 262144

struct connections {
    struct connection *entries;
    uint32_t clock;
};

enum connections_kind {
    CONNECTION_NEW,
    CONNECTION_AGAIN, /* the same sequence number */
    CONNECTION_NEAR,  /* within span of it: the same connection, a bit later */
};

LS_MUST_CHECK
enum ls_code connections_init(struct connections *connections, struct ls_error *err);
void connections_free(struct connections *connections);

/* ends tells a connection; a new one is kept. */
enum connections_kind connections_see(struct connections *connections, const void *ends,
                                      size_t size, uint32_t sequence, uint32_t span);

#endif
