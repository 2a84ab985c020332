/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/queue.h"

#include <stdlib.h>

#define FIRST_ROOM 256

void queue_free(struct queue *queue)
{
    free(queue->heap);
    for (int i = 0; i < LANES; i++) {
        free(queue->lanes[i].ring);
    }
}

void queue_clear(struct queue *queue)
{
    queue->heap_count = 0;
    queue->order = 0;
    for (int i = 0; i < LANES; i++) {
        queue->lanes[i].head = queue->lanes[i].count = 0;
        queue->head_ns[i] = INT64_MAX;
    }
}

static bool before(const struct event *a, const struct event *b)
{
    return a->at_ns != b->at_ns ? a->at_ns < b->at_ns : a->order < b->order;
}

static bool heap_grow(struct queue *queue)
{
    const size_t room = queue->heap_room == 0 ? FIRST_ROOM : queue->heap_room * 2;
    struct event *heap = realloc(queue->heap, room * sizeof *heap);

    if (heap == NULL) {
        return false;
    }
    queue->heap = heap;
    queue->heap_room = room;
    return true;
}

static bool heap_put(struct queue *queue, const struct event *event)
{
    size_t at = queue->heap_count;

    if (at == queue->heap_room && !heap_grow(queue)) {
        return false;
    }
    queue->heap_count++;
    while (at > 0) {
        const size_t parent = (at - 1) / 4;

        if (before(&queue->heap[parent], event)) {
            break;
        }
        queue->heap[at] = queue->heap[parent];
        at = parent;
    }
    queue->heap[at] = *event;
    return true;
}

static bool lane_grow(struct lane *lane)
{
    const size_t room = lane->room == 0 ? FIRST_ROOM : lane->room * 2;
    struct event *ring = malloc(room * sizeof *ring);

    if (ring == NULL) {
        return false;
    }
    for (size_t i = 0; i < lane->count; i++) {
        ring[i] = lane->ring[(lane->head + i) & (lane->room - 1)];
    }
    free(lane->ring);
    lane->ring = ring;
    lane->head = 0;
    lane->room = room;
    return true;
}

bool queue_put(struct queue *queue, int index, const struct event *given)
{
    struct event event = *given;
    struct lane *lane;

    event.order = queue->order++;
    if (index == NO_LANE ||
        (queue->lanes[index].count > 0 && event.at_ns < queue->lanes[index].last_ns)) {
        return heap_put(queue, &event);
    }
    lane = &queue->lanes[index];
    if (lane->count == lane->room && !lane_grow(lane)) {
        return false;
    }
    if (lane->count == 0) {
        queue->head_ns[index] = event.at_ns;
    }
    lane->ring[(lane->head + lane->count) & (lane->room - 1)] = event;
    lane->count++;
    lane->last_ns = event.at_ns;
    return true;
}

static void heap_take(struct queue *queue, struct event *out)
{
    const struct event last = queue->heap[--queue->heap_count];
    const size_t count = queue->heap_count;
    size_t at = 0;

    *out = queue->heap[0];
    for (;;) {
        const size_t first = at * 4 + 1;
        const size_t end = first + 4 < count ? first + 4 : count;
        size_t least = first;

        if (first >= count) {
            break;
        }
        for (size_t child = first + 1; child < end; child++) {
            if (before(&queue->heap[child], &queue->heap[least])) {
                least = child;
            }
        }
        if (before(&last, &queue->heap[least])) {
            break;
        }
        queue->heap[at] = queue->heap[least];
        at = least;
    }
    queue->heap[at] = last; /* of an empty one its old place */
}

static const struct event *first_of(const struct queue *queue, int lane)
{
    return &queue->lanes[lane].ring[queue->lanes[lane].head];
}

static void lane_take(struct queue *queue, int index, struct event *out)
{
    struct lane *lane = &queue->lanes[index];

    *out = *first_of(queue, index);
    lane->head = (lane->head + 1) & (lane->room - 1);
    lane->count--;
    queue->head_ns[index] = lane->count > 0 ? first_of(queue, index)->at_ns : INT64_MAX;
}

bool queue_take_before(struct queue *queue, int64_t then_ns, struct event *out)
{
    int64_t best_ns = queue->heap_count > 0 ? queue->heap[0].at_ns : INT64_MAX;
    int from = NO_LANE;

    for (int i = 0; i < LANES; i++) {
        if (queue->head_ns[i] < best_ns) {
            best_ns = queue->head_ns[i];
            from = i;
        } else if (queue->head_ns[i] == best_ns && best_ns != INT64_MAX &&
                   before(first_of(queue, i),
                          from == NO_LANE ? &queue->heap[0] : first_of(queue, from))) {
            from = i;
        }
    }
    if (best_ns >= then_ns) {
        return false;
    }
    if (from == NO_LANE) {
        heap_take(queue, out);
    } else {
        lane_take(queue, from, out);
    }
    return true;
}
