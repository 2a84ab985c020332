/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_GATEWAY_H
#define LOGINSTORM_GATEWAY_H

/*
 * The gateway: the process that is logged in to. A worker is one process with one libuv loop;
 * several share a port by SO_REUSEPORT, which spreads connections by a hash of their addresses.
 *
 *     injector -> wire -> [gateway worker]
 *
 * It speaks enough HTTP/1.1 for loginstorm's own logins and for curl, ab, wrk and h2load: GET
 * /bytes/N answers with exactly N bytes, its own header included; any other path with a line of
 * text.
 */

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>

#include <uv.h>

#include "loginstorm/bursts.h"
#include "loginstorm/error.h"
#include "loginstorm/tls.h"

struct ls_gateway;

/* The most that GET /bytes/N answers with; a larger N gets the greeting. */
#define LS_GATEWAY_ANSWER_MAX (INT64_C(64) * 1024 * 1024)

struct ls_gateway_job {
    struct ls_tls_server_wish tls;
    struct sockaddr_storage address; /* port 0: the kernel chooses */
    int backlog;
    int64_t connections_max;    /* expected at once, for the limit of open files; 0: what the limit
                                   allows */
    struct ls_bursts *bursts;   /* where each handshake's CPU goes; NULL: nowhere */
    void (*closed)(void *data); /* after ls_gateway_stop, when the last connection is closed */
    void *data;
};

/* What a worker counted since its start. */
struct ls_gateway_counts {
    int64_t accepted;
    int64_t server_flights; /* Client Hellos answered: what was paid for */
    int64_t secured;
    int64_t failed;   /* ended before they were secured */
    int64_t requests; /* answered */
    int64_t open;     /* connections now */
    int64_t tls_ns;   /* thread CPU inside the TLS library */
};

/* Listens at once. LS_ECREATE for an address that cannot be had, LS_ELIMIT for descriptors,
 * LS_ETLS. */
LS_MUST_CHECK
enum ls_code ls_gateway_new(struct ls_gateway **out, uv_loop_t *loop,
                            const struct ls_gateway_job *job, struct ls_error *err);

/* The address that it listens on, with the real port. */
void ls_gateway_address(const struct ls_gateway *gateway, struct sockaddr_storage *address);
void ls_gateway_counts(const struct ls_gateway *gateway, struct ls_gateway_counts *counts);

/* Stops listening and closes every connection; an answer that its client does not take is cut off.
 */
void ls_gateway_stop(struct ls_gateway *gateway);

/* After closed was called and the loop has run out. */
void ls_gateway_free(struct ls_gateway *gateway);

/* A TCP socket bound with SO_REUSEPORT, not listening: keeps a port for workers that are yet to
 * start. The caller closes *fd. address gets the port. */
LS_MUST_CHECK
enum ls_code ls_gateway_reserve(int *fd, struct sockaddr_storage *address, struct ls_error *err);

#endif
