/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What counts a handshake's bytes: any bytes, in any parts. The first byte says how large these are. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "tls/records.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds)
{
    if (!holds) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct records whole = {0}, parts = {0};
    size_t part;
    uint8_t hellos = 0;

    if (size == 0) {
        return 0;
    }
    part = (size_t)data[0] + 1;
    data++;
    size--;
    records_take(&whole, data, size);
    for (size_t at = 0; at < size; at += part) {
        records_take(&parts, data + at, size - at < part ? size - at : part);
    }
    check(whole.done == parts.done && whole.last == parts.last && whole.tickets == parts.tickets &&
          whole.left == parts.left && whole.message_left == parts.message_left);
    check(whole.done <= size && whole.last <= whole.done && whole.tickets <= size);
    /* What is not done lies in the record that is under way. */
    check(size - whole.done ==
          whole.have + (whole.have == RECORD_HEADER ? (size_t)(whole.payload - whole.left) : 0));
    check(records_client_hello(data, size, &hellos) <= whole.done);
    (void)records_hello_retry(data, size);
    return 0;
}
