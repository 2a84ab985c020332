/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TEST_UNIT_REFUSING_STREAMS_H
#define TEST_UNIT_REFUSING_STREAMS_H

/* The same for text whose memory comes from within the C library, and is freed by who asked for it. */

#include <stdarg.h>
#include <stdio.h>

#include "unit/refusing.h"

FILE *__real_open_memstream(char **text, size_t *size);
FILE *__wrap_open_memstream(char **text, size_t *size);
int __real_vasprintf(char **out, const char *fmt, va_list args);
int __wrap_vasprintf(char **out, const char *fmt, va_list args);

FILE *__wrap_open_memstream(char **text, size_t *size)
{
    FILE *stream;

    if (refuse()) {
        return NULL;
    }
    stream = __real_open_memstream(text, size);
    blocks += stream != NULL;
    return stream;
}

int __wrap_vasprintf(char **out, const char *fmt, va_list args)
{
    int length;

    if (refuse()) {
        return -1;
    }
    length = __real_vasprintf(out, fmt, args);
    blocks += length >= 0;
    return length;
}

#endif
