/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "arrivals/sort.h"

#include <stdlib.h>
#include <string.h>

#define DIGIT_BITS 11
#define DIGITS (1U << DIGIT_BITS)
#define FEW 1024 /* below that counting digits costs more than comparing */

static int by_time(const void *left, const void *right)
{
    const struct ls_arrival *a = left, *b = right;

    if (a->at_ns != b->at_ns) {
        return a->at_ns < b->at_ns ? -1 : 1;
    }
    return (a->due_ns > b->due_ns) - (a->due_ns < b->due_ns);
}

static void pass(const struct ls_arrival *from, struct ls_arrival *to, size_t count, int shift)
{
    size_t place[DIGITS] = {0};
    size_t next = 0;

    for (size_t i = 0; i < count; i++) {
        place[((uint64_t)from[i].at_ns >> shift) & (DIGITS - 1)]++;
    }
    for (size_t d = 0; d < DIGITS; d++) {
        const size_t here = place[d];

        place[d] = next;
        next += here;
    }
    for (size_t i = 0; i < count; i++) {
        struct ls_arrival *here = &to[place[((uint64_t)from[i].at_ns >> shift) & (DIGITS - 1)]++];

        memcpy(here, &from[i], sizeof *here); /* padding too */
    }
}

/* The least digit first; equal moments keep the order in which they lie. */
static void radix_sort(struct ls_arrival *rows, size_t count, int64_t most_ns,
                       struct ls_arrival *work)
{
    struct ls_arrival *from = rows, *to = work;

    for (int shift = 0; shift < 63 && most_ns >> shift > 0; shift += DIGIT_BITS) {
        struct ls_arrival *sorted = to;

        pass(from, to, count, shift);
        to = from;
        from = sorted;
    }
    if (from != rows) {
        memcpy(rows, from, count * sizeof *rows);
    }
}

void rows_sort(struct ls_arrival *rows, size_t count)
{
    bool by_number = true, not_negative = true;
    int64_t most_ns = 0;
    struct ls_arrival *work = NULL;

    for (size_t i = 0; i < count; i++) {
        by_number = by_number && (i == 0 || rows[i - 1].due_ns < rows[i].due_ns);
        not_negative = not_negative && rows[i].at_ns >= 0;
        most_ns = rows[i].at_ns > most_ns ? rows[i].at_ns : most_ns;
    }
    if (count >= FEW && by_number && not_negative) {
        work = malloc(count * sizeof *work);
    }
    if (work == NULL) {
        qsort(rows, count, sizeof *rows, by_time);
        return;
    }
    radix_sort(rows, count, most_ns, work);
    free(work);
}
