/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "curve/siphash.h"

static inline uint64_t turn(uint64_t x, int by)
{
    return x << by | x >> (64 - by);
}

static inline void mix(uint64_t v[4])
{
    v[0] += v[1];
    v[1] = turn(v[1], 13) ^ v[0];
    v[0] = turn(v[0], 32);
    v[2] += v[3];
    v[3] = turn(v[3], 16) ^ v[2];
    v[0] += v[3];
    v[3] = turn(v[3], 21) ^ v[0];
    v[2] += v[1];
    v[1] = turn(v[1], 17) ^ v[2];
    v[2] = turn(v[2], 32);
}

/* Up to eight bytes, the first one lowest. */
static inline uint64_t word_of(const unsigned char *at, size_t size)
{
    uint64_t word = 0;

    for (size_t i = 0; i < size; i++) {
        word |= (uint64_t)at[i] << (8 * i);
    }
    return word;
}

uint64_t siphash(const uint64_t key[2], const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    uint64_t v[4] = {key[0] ^ UINT64_C(0x736f6d6570736575), key[1] ^ UINT64_C(0x646f72616e646f6d),
                     key[0] ^ UINT64_C(0x6c7967656e657261), key[1] ^ UINT64_C(0x7465646279746573)};
    size_t left = size;
    uint64_t last;

    for (; left >= 8; left -= 8, at += 8) {
        const uint64_t word = word_of(at, 8);

        v[3] ^= word;
        mix(v);
        mix(v);
        v[0] ^= word;
    }
    last = (uint64_t)size << 56 | word_of(at, left);
    v[3] ^= last;
    mix(v);
    mix(v);
    v[0] ^= last;
    v[2] ^= 0xff;
    for (int i = 0; i < 4; i++) {
        mix(v);
    }
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}
