/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/random.h"

#include <sys/random.h>

/* The finaliser of SplitMix64 (Steele, Lea, Flood 2014, variant 13 of Stafford): every bit of the
 * input moves every bit out. */
static uint64_t mix(uint64_t x)
{
    x ^= x >> 30;
    x *= UINT64_C(0xbf58476d1ce4e5b9);
    x ^= x >> 27;
    x *= UINT64_C(0x94d049bb133111eb);
    x ^= x >> 31;
    return x;
}

/* The golden-ratio step between rounds keeps small neighbouring counters from cancelling each other
 * out. */
#define STEP UINT64_C(0x9e3779b97f4a7c15)

uint64_t ls_random_stream(uint64_t seed, enum ls_stream stream)
{
    return mix(mix(seed + STEP) ^ ((uint64_t)stream + STEP));
}

static uint64_t draw_in(uint64_t state, uint64_t user, uint64_t draw)
{
    return mix(mix(state + user * STEP) ^ (draw + STEP));
}

/* The middle of one of 2^52 cells: never 0, never 1, exact in a double. */
static double unit_of(uint64_t bits)
{
    return ((double)(bits >> 12) + 0.5) * 0x1p-52;
}

uint64_t ls_random_u64(uint64_t seed, enum ls_stream stream, uint64_t user, uint64_t draw)
{
    return draw_in(ls_random_stream(seed, stream), user, draw);
}

double ls_random_unit_in(uint64_t state, uint64_t user, uint64_t draw)
{
    return unit_of(draw_in(state, user, draw));
}

double ls_random_unit(uint64_t seed, enum ls_stream stream, uint64_t user, uint64_t draw)
{
    return unit_of(ls_random_u64(seed, stream, user, draw));
}

enum ls_code ls_random_bytes(void *out, size_t size, struct ls_error *err)
{
    if (getrandom(out, size, 0) != (ssize_t)size) {
        return ls_error_set_errno(err, LS_ESYSTEM, "no random numbers from the kernel");
    }
    return LS_OK;
}

enum ls_code ls_random_seed(uint64_t *seed, struct ls_error *err)
{
    const enum ls_code code = ls_random_bytes(seed, sizeof *seed, err);

    if (code == LS_OK) {
        *seed >>= 11;
    }
    return code;
}
