/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_RANDOM_H
#define LOGINSTORM_RANDOM_H

/*
 * Counter-based random numbers: every draw is a hash of (seed, stream, user, draw) and nothing
 * else. So any number of injectors yields the same users at the same moments, and two designs meet
 * the same users.
 */

#include <stddef.h>
#include <stdint.h>

#include "loginstorm/error.h"

/* What a draw is for; a new use is a new stream, so that it disturbs no other. */
enum ls_stream {
    LS_STREAM_ARRIVAL = 1,
    LS_STREAM_POPULATION = 2,
    LS_STREAM_RETRY = 3,
    LS_STREAM_NETWORK = 4,
    LS_STREAM_RESUME = 5,
    LS_STREAM_SERVICE = 6,
    LS_STREAM_RECORDED = 7,
    LS_STREAM_BALANCE = 8,
    LS_STREAM_EVENT = 9,
    LS_STREAM_MORNING = 10,
    LS_STREAM_PAUSE = 11,
    LS_STREAM_COSTS = 12,
};

uint64_t ls_random_u64(uint64_t seed, enum ls_stream stream, uint64_t user, uint64_t draw);

/* The same draws where many of one stream are wanted: what seed and stream come to, once. */
uint64_t ls_random_stream(uint64_t seed, enum ls_stream stream);
double ls_random_unit_in(uint64_t state, uint64_t user, uint64_t draw);

/* In (0, 1), both ends excluded, 52 bits; safe for an inverse distribution function. */
double ls_random_unit(uint64_t seed, enum ls_stream stream, uint64_t user, uint64_t draw);

/* size bytes (256 at most) from the kernel, good enough for a key. */
LS_MUST_CHECK
enum ls_code ls_random_bytes(void *out, size_t size, struct ls_error *err);

/* A fresh seed from the kernel, small enough (below 2^53) to be exact in every JSON reader. */
enum ls_code ls_random_seed(uint64_t *seed, struct ls_error *err);

#endif
