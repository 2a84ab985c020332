/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_BURSTS_H
#define LOGINSTORM_BURSTS_H

/*
 * Bursts: the CPU that a gateway worker spent in the TLS library on each single handshake.
 *
 *     gateway worker -> [bursts] -> conductor -> measurement -> cost profile
 *
 * They lie in one piece of memory that the caller gives, shared between a worker and the conductor. Each
 * handshake is kept until the memory is full; then every second one, every fourth and so on, so that what
 * is kept lies evenly over all of them. Adding one neither allocates nor fails.
 */

#include <stddef.h>
#include <stdint.h>

#include "loginstorm/error.h"

/* ns of thread CPU; what does not fit (4.29 s) is the most that does. */
struct ls_burst {
    uint32_t hello_ns;  /* from the Client Hello's arrival to the server's first flight */
    uint32_t finish_ns; /* all the rest up to where the handshake is through */
};

struct ls_bursts;

/* Bytes that so many rows take. */
size_t ls_bursts_size(size_t capacity);

/* Lays none over zeroed memory of ls_bursts_size bytes, aligned to 64. capacity is even, and not 0. */
struct ls_bursts *ls_bursts_init(void *memory, size_t capacity);

/* Finds those that another process laid there; LS_EBROKEN when there are none. */
LS_MUST_CHECK
enum ls_code ls_bursts_attach(struct ls_bursts **out, void *memory, size_t size,
                              struct ls_error *err);

void ls_bursts_add(struct ls_bursts *bursts, int64_t hello_ns, int64_t finish_ns);

/* Forgets all, while nobody adds one. */
void ls_bursts_clear(struct ls_bursts *bursts);

/* What is kept, in the order in which it came: every stride-th. */
const struct ls_burst *ls_bursts_rows(const struct ls_bursts *bursts, size_t *count,
                                      size_t *stride);

/* Appends what is kept of bursts to rows, no more of it than every stride-th handshake (not below its
 * own), and returns how many; rows has room for all. */
size_t ls_bursts_copy(const struct ls_bursts *bursts, size_t stride, struct ls_burst *rows);

#endif
