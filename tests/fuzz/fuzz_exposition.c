/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an exporter answers: any bytes, once, and once more another part of them. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "loginstorm/units.h"
#include "meter/counters.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds)
{
    if (!holds) {
        abort();
    }
}

static void play(const char *process, const char *first, size_t first_size, const char *second,
                 size_t second_size)
{
    struct counters counters = {.process = process};
    const char *const texts[] = {first, second, first};
    const size_t sizes[] = {first_size, second_size, first_size};
    int64_t before_ns = 0;

    for (size_t i = 0; i < 3; i++) {
        const bool begun = counters.family != NULL;
        const struct counters_when when = {.asked_ns = (int64_t)i * LS_NS_PER_S,
                                           .answered_ns = (int64_t)i * LS_NS_PER_S};
        struct ls_error err;
        const enum ls_code code = counters_take(&counters, texts[i], sizes[i], &when, &err);

        check(code == LS_OK || (code == LS_EINPUT && err.text[0] != '\0'));
        /* It never goes back, and begins with nothing. */
        check(counters.total.cpu_ns >= before_ns);
        check(code == LS_OK || counters.total.cpu_ns == before_ns);
        check(begun || counters.total.cpu_ns == 0);
        before_ns = counters.total.cpu_ns;
    }
    counters_free(&counters);
}

/* A first byte 0xff in the text parts it. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    const uint8_t *mark = size > 0 ? memchr(data, 0xff, size) : NULL;
    const size_t first = mark != NULL ? (size_t)(mark - data) : size;
    const size_t skip = mark != NULL ? first + 1 : size;

    play(NULL, text, first, text + skip, size - skip);
    play("nginx", text, first, text + skip, size - skip);
    play("w3wp", text, first, text + skip, size - skip);
    return 0;
}
