/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LS_MODEL_QUEUE_H
#define LS_MODEL_QUEUE_H

/*
 * What is yet to happen, in the order of (time, sequence). What is caused in the order in which it
 * happens needs no sorting: it goes into a lane, a ring, as long as that order holds. All else goes into
 * a heap.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "loginstorm/error.h"

struct event {
    int64_t at_ns;
    uint32_t order;
    uint32_t row;     /* whose; or a number that the kind says */
    uint32_t gateway; /* where a step arrives */
    uint8_t kind, step, connection, attempt;
};

struct lane {
    struct event *ring; /* room is a power of two */
    size_t head, count, room;
    int64_t last_ns;
};

#define LANES 5
#define NO_LANE (-1)
struct queue {
    struct event *heap;
    size_t heap_count, heap_room;
    struct lane lanes[LANES];
    int64_t head_ns[LANES]; /* of each lane's first; INT64_MAX when it is empty */
    uint32_t order;
};

void queue_free(struct queue *queue);
void queue_clear(struct queue *queue);

/* The order is set here. False when there is no memory. */
LS_MUST_CHECK
bool queue_put(struct queue *queue, int lane, const struct event *event);

/* Takes the first one, if it happens before then_ns. */
bool queue_take_before(struct queue *queue, int64_t then_ns, struct event *out);

#endif
