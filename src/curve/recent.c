/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "curve/recent.h"

#include "curve/siphash.h"

uint64_t recent_key(const void *a, size_t a_size, const void *b, size_t b_size)
{
    static const uint64_t first[2] = {1, 2}; /* nothing hangs on that they are secret */
    uint64_t hash = siphash(first, a, a_size);
    const uint64_t second[2] = {hash, a_size};

    hash = siphash(second, b, b_size);
    return hash != 0 ? hash : 1;
}

void recent_put(struct recent *recent, uint64_t key)
{
    recent->keys[recent->next] = key;
    recent->next = (recent->next + 1) % RECENT;
    recent->count += recent->count < RECENT;
}

/* The place of a key, the newest first, since what belongs together stands together; RECENT: none. */
static size_t place_of(const struct recent *recent, uint64_t key)
{
    for (size_t i = 1; i <= recent->count; i++) {
        const size_t at = (recent->next + RECENT - i) % RECENT;

        if (recent->keys[at] == key) {
            return at;
        }
    }
    return RECENT;
}

bool recent_has(const struct recent *recent, uint64_t key)
{
    return place_of(recent, key) != RECENT;
}

bool recent_take(struct recent *recent, uint64_t key)
{
    const size_t at = place_of(recent, key);

    if (at != RECENT) {
        recent->keys[at] = 0;
    }
    return at != RECENT;
}
