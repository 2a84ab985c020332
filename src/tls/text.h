/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TLS_TEXT_H
#define TLS_TEXT_H

#include <stdlib.h>
#include <string.h>

/* A NUL-ended copy on the heap; NULL: no memory. (The tests that refuse allocations see malloc, not what strdup does inside
 * of the C library.) */
static inline char *text_copy(const char *text, size_t size)
{
    char *copy = malloc(size + 1);

    if (copy != NULL) {
        memcpy(copy, text, size);
        copy[size] = '\0';
    }
    return copy;
}

#endif
