/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a gateway of others answers: any bytes, in any parts. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "engine/answer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds)
{
    if (!holds) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct answer whole = {0}, parts = {0};
    const enum answer_is is = answer_take(&whole, data, size);
    enum answer_is now = ANSWER_MORE;

    for (size_t i = 0; i < size; i++) {
        now = answer_take(&parts, data + i, 1);
    }
    check(size == 0 || now == is);
    check(answer_ends_with_connection(&whole) == answer_ends_with_connection(&parts));
    check(!answer_ends_with_connection(&whole) || is == ANSWER_MORE);
    check(whole.left == parts.left && whole.status == parts.status);
    return 0;
}
