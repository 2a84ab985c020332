/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Any bytes for a file of the tz database. What is taken are spans in order, each less than a day
 * from UTC, so that a clock can be asked about any moment.
 */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/tzif.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool good, const char *what)
{
    if (!good) {
        (void)fprintf(stderr, "%s\n", what);
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct spans spans;
    struct ls_error err = {0};
    const enum ls_code code = tzif_read(&spans, (const char *)data, size, &err);

    if (code != LS_OK) {
        must(code == LS_EINPUT && err.text[0] != '\0', "a word comes with a refusal");
        must(spans.item == NULL, "and nothing else");
        return 0;
    }
    must(spans.count > 0 && spans.item[0].from_ns == INT64_MIN, "all time is covered");
    for (size_t i = 0; i < spans.count; i++) {
        must(i == 0 || spans.item[i].from_ns > spans.item[i - 1].from_ns, "in order");
        must(spans.item[i].offset_s > -OFFSET_LIMIT_S && spans.item[i].offset_s < OFFSET_LIMIT_S,
             "less than 26 hours");
    }
    free(spans.item);
    return 0;
}
