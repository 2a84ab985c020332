/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenario/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_BYTES ((size_t)8 * 1024)

struct block {
    struct block *next;
    size_t used, size;
    alignas(max_align_t) unsigned char data[];
};

struct ls_arena {
    struct block *blocks;
    size_t left;
};

struct ls_arena *ls_arena_new(size_t limit)
{
    struct ls_arena *arena;

    if (limit == 0) {
        return NULL;
    }
    arena = malloc(sizeof *arena);
    if (arena != NULL) {
        *arena = (struct ls_arena){.left = limit};
    }
    return arena;
}

void ls_arena_free(struct ls_arena *arena)
{
    if (arena == NULL) {
        return;
    }
    while (arena->blocks != NULL) {
        struct block *block = arena->blocks;

        arena->blocks = block->next;
        free(block);
    }
    free(arena);
}

static struct block *block_for(struct ls_arena *arena, size_t bytes)
{
    struct block *block = arena->blocks;
    size_t size = bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES;

    if (block != NULL && block->size - block->used >= bytes) {
        return block;
    }
    block = calloc(1, sizeof *block + size);
    if (block == NULL) {
        return NULL;
    }
    block->size = size;
    block->next = arena->blocks;
    arena->blocks = block;
    return block;
}

void *ls_arena_alloc(struct ls_arena *arena, size_t count, size_t size)
{
    const size_t grain = alignof(max_align_t);
    struct block *block;
    size_t bytes;
    void *place;

    if (size != 0 && count > (SIZE_MAX / 2) / size) {
        return NULL;
    }
    bytes = (count * size + grain - 1) / grain * grain;
    if (bytes > arena->left) {
        return NULL;
    }
    block = block_for(arena, bytes);
    if (block == NULL) {
        return NULL;
    }
    place = block->data + block->used;
    block->used += bytes;
    arena->left -= bytes;
    return place;
}

char *ls_arena_text(struct ls_arena *arena, const char *text, size_t length)
{
    char *copy = ls_arena_alloc(arena, length + 1, 1);

    if (copy != NULL) {
        memcpy(copy, text, length);
    }
    return copy;
}
