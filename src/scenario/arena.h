/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_SCENARIO_ARENA_H
#define LOGINSTORM_SCENARIO_ARENA_H

/*
 * Memory that is given back all at once: a scenario owns one, its YAML tree another. The limit
 * keeps a hostile file from taking the machine with it.
 */

#include <stddef.h>

struct ls_arena;

/* NULL when there is no memory, or limit is too small for anything. */
struct ls_arena *ls_arena_new(size_t limit);
void ls_arena_free(struct ls_arena *arena);

/* Zeroed and aligned for anything; NULL when there is no memory or the limit is reached. */
void *ls_arena_alloc(struct ls_arena *arena, size_t count, size_t size);

/* A NUL-ended copy. */
char *ls_arena_text(struct ls_arena *arena, const char *text, size_t length);

#endif
