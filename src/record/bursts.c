/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/bursts.h"

#define MAGIC UINT64_C(0x3120737473727562) /* "bursts 1"; another layout gets another */

struct ls_bursts {
    uint64_t magic;
    uint64_t capacity, count; /* of rows */
    uint64_t stride;          /* every so manieth is kept: a power of two */
    uint64_t seen;
    uint64_t unused[3];
    struct ls_burst rows[];
};

size_t ls_bursts_size(size_t capacity)
{
    return sizeof(struct ls_bursts) + capacity * sizeof(struct ls_burst);
}

struct ls_bursts *ls_bursts_init(void *memory, size_t capacity)
{
    struct ls_bursts *bursts = memory;

    bursts->magic = MAGIC;
    bursts->capacity = capacity;
    ls_bursts_clear(bursts);
    return bursts;
}

enum ls_code ls_bursts_attach(struct ls_bursts **out, void *memory, size_t size,
                              struct ls_error *err)
{
    struct ls_bursts *bursts = memory;

    *out = NULL;
    if (memory == NULL || size < sizeof *bursts || bursts->magic != MAGIC || bursts->capacity < 2 ||
        bursts->capacity % 2 != 0 ||
        bursts->capacity > (size - sizeof *bursts) / sizeof bursts->rows[0] ||
        bursts->count > bursts->capacity || bursts->stride < 1) {
        return ls_error_set(err, LS_EBROKEN, "the memory of a gateway's bursts is damaged");
    }
    *out = bursts;
    return LS_OK;
}

void ls_bursts_clear(struct ls_bursts *bursts)
{
    bursts->count = 0;
    bursts->seen = 0;
    bursts->stride = 1;
}

static uint32_t fit(int64_t ns)
{
    return ns < 0 ? 0 : ns > UINT32_MAX ? UINT32_MAX : (uint32_t)ns;
}

/* Rows 0, 2, 4, ... are those of twice the stride. */
static void thin(struct ls_bursts *bursts)
{
    for (uint64_t i = 0; i < bursts->count / 2; i++) {
        bursts->rows[i] = bursts->rows[2 * i];
    }
    bursts->count /= 2;
    bursts->stride *= 2;
}

void ls_bursts_add(struct ls_bursts *bursts, int64_t hello_ns, int64_t finish_ns)
{
    const uint64_t number = bursts->seen++;

    if (number % bursts->stride != 0) {
        return;
    }
    if (bursts->count == bursts->capacity) {
        thin(bursts); /* number is capacity x the old stride: one of the new stride too */
    }
    bursts->rows[bursts->count++] =
        (struct ls_burst){.hello_ns = fit(hello_ns), .finish_ns = fit(finish_ns)};
}

const struct ls_burst *ls_bursts_rows(const struct ls_bursts *bursts, size_t *count, size_t *stride)
{
    *count = (size_t)bursts->count;
    *stride = (size_t)bursts->stride;
    return bursts->rows;
}

size_t ls_bursts_copy(const struct ls_bursts *bursts, size_t stride, struct ls_burst *rows)
{
    const uint64_t step = stride > bursts->stride ? stride / bursts->stride : 1;
    size_t copied = 0;

    for (uint64_t i = 0; i < bursts->count; i += step) {
        rows[copied++] = bursts->rows[i];
    }
    return copied;
}
