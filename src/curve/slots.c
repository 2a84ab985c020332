/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "curve/slots.h"

#include <stdlib.h>

void slots_free(struct slots *slots)
{
    free(slots->rows);
    free(slots->places);
    *slots = (struct slots){0};
}

static size_t place_of(const struct slots *slots, int64_t from_ns, int64_t to_ns)
{
    uint64_t hash = (uint64_t)from_ns * 0x9e3779b97f4a7c15U ^ (uint64_t)to_ns;
    size_t at;

    hash = (hash ^ hash >> 32) * 0xd6e8feb86659fd93U;
    hash ^= hash >> 32;
    at = (size_t)hash & (slots->places_room - 1);
    while (slots->places[at] != 0) {
        const struct slot *row = &slots->rows[slots->places[at] - 1];

        if (row->from_ns == from_ns && row->to_ns == to_ns) {
            break;
        }
        at = (at + 1) & (slots->places_room - 1);
    }
    return at;
}

/* At least half of the places are free. */
static enum ls_code grow(struct slots *slots, struct ls_error *err)
{
    const size_t room = slots->room == 0 ? 512 : slots->room * 2;
    struct slot *rows = realloc(slots->rows, room * sizeof *rows);
    size_t *places;

    if (rows != NULL) {
        slots->rows = rows;
    }
    places = rows == NULL ? NULL : calloc(room * 2, sizeof *places);
    if (places == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for %zu intervals", slots->count + 1);
    }
    free(slots->places);
    slots->places = places;
    slots->places_room = room * 2;
    slots->room = room;
    for (size_t i = 0; i < slots->count; i++) {
        places[place_of(slots, rows[i].from_ns, rows[i].to_ns)] = i + 1;
    }
    return LS_OK;
}

enum ls_code slots_add(struct slots *slots, int64_t from_ns, int64_t to_ns, double amount,
                       struct ls_error *err)
{
    const size_t next = slots->last + 1;
    enum ls_code code;
    size_t at;

    /* Series mostly have the same samples, in the same order. */
    if (next < slots->count && slots->rows[next].from_ns == from_ns &&
        slots->rows[next].to_ns == to_ns) {
        slots->rows[next].amount += amount;
        slots->last = next;
        return LS_OK;
    }
    code = slots->count < slots->room ? LS_OK : grow(slots, err);
    if (code != LS_OK) {
        return code;
    }
    at = place_of(slots, from_ns, to_ns);
    if (slots->places[at] == 0) {
        slots->rows[slots->count++] = (struct slot){from_ns, to_ns, 0};
        slots->places[at] = slots->count;
    }
    slots->last = slots->places[at] - 1;
    slots->rows[slots->last].amount += amount;
    return LS_OK;
}

static int by_time(const void *a, const void *b)
{
    const struct slot *left = a;
    const struct slot *right = b;

    if (left->from_ns != right->from_ns) {
        return left->from_ns < right->from_ns ? -1 : 1;
    }
    return (left->to_ns > right->to_ns) - (left->to_ns < right->to_ns);
}

void slots_sort(struct slots *slots)
{
    if (slots->count > 1) {
        qsort(slots->rows, slots->count, sizeof *slots->rows, by_time);
    }
}
