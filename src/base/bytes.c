/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/bytes.h"

#include <stdlib.h>
#include <string.h>

void ls_bytes_free(struct ls_bytes *queue)
{
    free(queue->data);
    *queue = (struct ls_bytes){0};
}

static enum ls_code make_room(struct ls_bytes *queue, size_t size)
{
    const size_t held = queue->end - queue->begin;
    size_t capacity = queue->capacity < 512 ? 512 : queue->capacity;
    uint8_t *data;

    if (size > SIZE_MAX / 4 - held) {
        return LS_ENOMEM;
    }
    if (queue->data != NULL && held + size <= queue->capacity) {
        memmove(queue->data, queue->data + queue->begin, held);
        queue->begin = 0;
        queue->end = held;
        return LS_OK;
    }
    while (capacity < held + size) {
        capacity *= 2;
    }
    data = malloc(capacity);
    if (data == NULL) {
        return LS_ENOMEM;
    }
    if (queue->data != NULL) {
        memcpy(data, queue->data + queue->begin, held);
    }
    free(queue->data);
    *queue = (struct ls_bytes){.data = data, .end = held, .capacity = capacity};
    return LS_OK;
}

enum ls_code ls_bytes_put(struct ls_bytes *queue, const void *data, size_t size)
{
    if (size == 0) {
        return LS_OK;
    }
    if (queue->data == NULL || size > queue->capacity - queue->end) {
        const enum ls_code code = make_room(queue, size);

        if (code != LS_OK) {
            return code;
        }
    }
    memcpy(queue->data + queue->end, data, size);
    queue->end += size;
    return LS_OK;
}

size_t ls_bytes_size(const struct ls_bytes *queue)
{
    return queue->end - queue->begin;
}

const uint8_t *ls_bytes_front(const struct ls_bytes *queue)
{
    return queue->data == NULL ? NULL : queue->data + queue->begin;
}

void ls_bytes_drop(struct ls_bytes *queue, size_t size)
{
    const size_t held = queue->end - queue->begin;

    queue->begin += size < held ? size : held;
    if (queue->begin == queue->end) {
        ls_bytes_free(queue);
    }
}
