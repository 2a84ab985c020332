/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/near.h"

#include <string.h>

#define LETTERS_MAX 64

static size_t least(size_t a, size_t b, size_t c)
{
    const size_t ab = a < b ? a : b;

    return ab < c ? ab : c;
}

/* Optimal string alignment distance: insertions, deletions, replacements, and swaps of neighbours.
 */
static size_t distance(const char *a, size_t a_size, const char *b, size_t b_size)
{
    size_t rows[3][LETTERS_MAX + 1];

    for (size_t j = 0; j <= b_size; j++) {
        rows[0][j] = j;
    }
    for (size_t i = 1; i <= a_size; i++) {
        size_t *now = rows[i % 3];
        const size_t *above = rows[(i + 2) % 3];
        const size_t *above2 = rows[(i + 1) % 3];

        now[0] = i;
        for (size_t j = 1; j <= b_size; j++) {
            const size_t change = a[i - 1] == b[j - 1] ? 0 : 1;

            now[j] = least(above[j] + 1, now[j - 1] + 1, above[j - 1] + change);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                above2[j - 2] + 1 < now[j]) {
                now[j] = above2[j - 2] + 1;
            }
        }
    }
    return rows[a_size % 3][b_size];
}

const char *ls_nearest(const char *text, const char *const *words, size_t count)
{
    return ls_nearest_within(text, words, count, strlen(text) / 3 + 1);
}

const char *ls_nearest_within(const char *text, const char *const *words, size_t count,
                              size_t edits_max)
{
    const size_t size = strlen(text);
    const char *nearest = NULL;
    size_t best = edits_max;

    if (size > LETTERS_MAX) {
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        const size_t length = words[i] == NULL ? 0 : strlen(words[i]);
        size_t edits;

        if (length == 0 || length > LETTERS_MAX) {
            continue;
        }
        edits = distance(text, size, words[i], length);
        if (edits <= best && edits < length && (nearest == NULL || edits < best)) {
            best = edits;
            nearest = words[i];
        }
    }
    return nearest;
}
