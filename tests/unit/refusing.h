/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TEST_UNIT_REFUSING_H
#define TEST_UNIT_REFUSING_H

/* Every allocation of the linked rooms comes through here: counted, and one of them at a time refused. For a test program that
 * is one source file; the linker is told by tests/CMakeLists.txt. */

#include <stdbool.h>
#include <stddef.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t number, size_t size);
void *__real_realloc(void *old, size_t size);
char *__real_strdup(const char *text);
void __real_free(void *p);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t number, size_t size);
void *__wrap_realloc(void *old, size_t size);
char *__wrap_strdup(const char *text);
void __wrap_free(void *p);

static long blocks; /* now held */
static long allocations, refuse_at = -1;

static bool refuse(void)
{
    return allocations++ == refuse_at;
}

static void *count(void *p)
{
    blocks += p != NULL;
    return p;
}

void *__wrap_malloc(size_t size)
{
    return refuse() ? NULL : count(__real_malloc(size));
}

void *__wrap_calloc(size_t number, size_t size)
{
    return refuse() ? NULL : count(__real_calloc(number, size));
}

void *__wrap_realloc(void *old, size_t size)
{
    void *p;

    if (refuse()) {
        return NULL;
    }
    p = __real_realloc(old, size);
    blocks += p != NULL && old == NULL;
    return p;
}

char *__wrap_strdup(const char *text)
{
    return refuse() ? NULL : count(__real_strdup(text));
}

void __wrap_free(void *p)
{
    blocks -= p != NULL;
    __real_free(p);
}

#endif
