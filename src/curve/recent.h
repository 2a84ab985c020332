/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CURVE_RECENT_H
#define LOGINSTORM_CURVE_RECENT_H

/*
 * What was met of late, so that what comes twice counts once, in constant memory: the last RECENT keys
 * (hashes of whatever tells two apart; 32 KB). What comes again behind so many others counts again.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RECENT ((size_t)4096)

struct recent {
    uint64_t keys[RECENT]; /* 0: none */
    size_t count, next;
};

/* Of two texts; never 0. */
uint64_t recent_key(const void *a, size_t a_size, const void *b, size_t b_size);

void recent_put(struct recent *recent, uint64_t key);

/* Whether it is there. */
bool recent_has(const struct recent *recent, uint64_t key);

/* The same, and takes it out. */
bool recent_take(struct recent *recent, uint64_t key);

#endif
