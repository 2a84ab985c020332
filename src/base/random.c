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

uint64_t ls_random_u64(uint64_t seed, enum ls_stream stream, uint64_t user, uint64_t draw)
{
    /* The golden-ratio step between rounds keeps small neighbouring counters from cancelling each
     * other out. */
    const uint64_t step = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t x = mix(seed + step);

    x = mix(x ^ ((uint64_t)stream + step));
    x = mix(x + user * step);
    return mix(x ^ (draw + step));
}

double ls_random_unit(uint64_t seed, enum ls_stream stream, uint64_t user, uint64_t draw)
{
    /* The middle of one of 2^52 cells: never 0, never 1, exact in a double. */
    return ((double)(ls_random_u64(seed, stream, user, draw) >> 12) + 0.5) * 0x1p-52;
}

enum ls_code ls_random_seed(uint64_t *seed, struct ls_error *err)
{
    if (getrandom(seed, sizeof *seed, 0) != (ssize_t)sizeof *seed) {
        return ls_error_set_errno(err, LS_ESYSTEM, "no random seed");
    }
    *seed >>= 11;
    return LS_OK;
}
