/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CURVE_SLICE_H
#define LOGINSTORM_CURVE_SLICE_H

/* A piece of a log's bytes, where they lie: nothing is copied and nothing ends in a NUL. */

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

struct slice {
    const char *at; /* NULL: there is none */
    size_t size;
};

static inline bool slice_is(struct slice slice, const char *word)
{
    return slice.at != NULL && slice.size == strlen(word) &&
           memcmp(slice.at, word, slice.size) == 0;
}

/* As slice_is, whatever the case of the letters. */
static inline bool slice_is_like(struct slice slice, const char *word)
{
    return slice.at != NULL && slice.size == strlen(word) &&
           strncasecmp(slice.at, word, slice.size) == 0;
}

static inline bool slice_begins(struct slice slice, const char *word)
{
    const size_t size = strlen(word);

    return slice.at != NULL && slice.size >= size && memcmp(slice.at, word, size) == 0;
}

/* Without blanks at its ends. */
static inline struct slice slice_trim(struct slice slice)
{
    while (slice.size > 0 && (*slice.at == ' ' || *slice.at == '\t')) {
        slice.at++;
        slice.size--;
    }
    while (slice.size > 0 &&
           (slice.at[slice.size - 1] == ' ' || slice.at[slice.size - 1] == '\t')) {
        slice.size--;
    }
    return slice;
}

/* What stands before the next mark, and *rest behind it; all of it, and none, where there is no
 * mark. */
static inline struct slice slice_cut(struct slice *rest, char mark)
{
    const char *at = rest->size == 0 ? NULL : memchr(rest->at, mark, rest->size);
    struct slice out = *rest;

    if (at == NULL) {
        *rest = (struct slice){NULL, 0};
        return out;
    }
    out.size = (size_t)(at - out.at);
    rest->at = at + 1;
    rest->size -= out.size + 1;
    return out;
}

#endif
