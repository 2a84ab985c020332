/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "curve/people.h"

#include <stdlib.h>

#include "curve/siphash.h"
#include "loginstorm/random.h"

#define ROOM_FIRST 1024

enum ls_code people_init(struct people *people, struct ls_error *err)
{
    *people = (struct people){0};
    return ls_random_bytes(people->key, sizeof people->key, err);
}

void people_free(struct people *people)
{
    free(people->hashes);
    free(people->numbers);
    *people = (struct people){0};
}

/* Where hash is, or would be. */
static size_t place_of(const uint64_t *hashes, size_t room, uint64_t hash)
{
    size_t at = (size_t)hash & (room - 1);

    while (hashes[at] != 0 && hashes[at] != hash) {
        at = (at + 1) & (room - 1);
    }
    return at;
}

static enum ls_code grow(struct people *people, struct ls_error *err)
{
    const size_t room = people->room == 0 ? ROOM_FIRST : people->room * 2;
    uint64_t *hashes = calloc(room, sizeof *hashes);
    uint32_t *numbers = calloc(room, sizeof *numbers);

    if (hashes == NULL || numbers == NULL) {
        free(hashes);
        free(numbers);
        return ls_error_set(err, LS_ENOMEM, "no memory to tell %zu people apart", people->count);
    }
    for (size_t i = 0; i < people->room; i++) {
        if (people->hashes[i] != 0) {
            const size_t at = place_of(hashes, room, people->hashes[i]);

            hashes[at] = people->hashes[i];
            numbers[at] = people->numbers[i];
        }
    }
    free(people->hashes);
    free(people->numbers);
    people->hashes = hashes;
    people->numbers = numbers;
    people->room = room;
    return LS_OK;
}

uint64_t people_hash(const struct people *people, const char *who, size_t size)
{
    const uint64_t hash = siphash(people->key, who, size);

    return hash == 0 ? 1 : hash;
}

enum ls_code people_number(struct people *people, uint64_t hash, uint64_t *number,
                           struct ls_error *err)
{
    size_t at;

    if (people->count * 3 >= people->room * 2) {
        enum ls_code code = grow(people, err);

        if (code != LS_OK) {
            return code;
        }
    }
    at = place_of(people->hashes, people->room, hash);
    if (people->hashes[at] == 0) {
        people->hashes[at] = hash;
        people->numbers[at] = (uint32_t)++people->count;
    }
    *number = people->numbers[at];
    return LS_OK;
}
