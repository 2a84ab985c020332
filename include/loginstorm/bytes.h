/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_BYTES_H
#define LOGINSTORM_BYTES_H

/*
 * A byte queue: written at the end, read from the front. It holds no memory while it is empty, so
 * that thousands of held connections cost nothing here.
 *
 *     TLS library <-> [bytes] <-> socket
 */

#include <stddef.h>
#include <stdint.h>

#include "loginstorm/error.h"

struct ls_bytes {
    uint8_t *data;
    size_t begin, end, capacity;
};

/* An empty queue is all zeroes; ls_bytes_free leaves it so. */
void ls_bytes_free(struct ls_bytes *queue);

/* Appends a copy; LS_ENOMEM leaves the queue as it was. */
LS_MUST_CHECK
enum ls_code ls_bytes_put(struct ls_bytes *queue, const void *data, size_t size);

size_t ls_bytes_size(const struct ls_bytes *queue);
const uint8_t *ls_bytes_front(const struct ls_bytes *queue);

/* Drops size bytes, or all where there are fewer, from the front; frees the memory when that
 * empties the queue. */
void ls_bytes_drop(struct ls_bytes *queue, size_t size);

#endif
