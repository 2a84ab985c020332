/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What comes out of a TLS connection at the gateway: any bytes, in any parts. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "gateway/http.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds)
{
    if (!holds) {
        abort();
    }
}

static void check_answer(const struct http_request *request)
{
    char head[512];
    size_t body;
    const size_t length = http_answer(request, head, sizeof head, &body);

    check(length > 0 && length < sizeof head && memcmp(head + length - 4, "\r\n\r\n", 4) == 0);
    if (request->bytes >= 0 && !request->head && request->bytes >= (int64_t)length) {
        check(length + body == (size_t)request->bytes);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t at = 0;

    while (at < size) {
        struct http_request request, again;
        const enum http_found found = http_parse(data + at, size - at, &request);

        if (found != HTTP_REQUEST) {
            break;
        }
        check(request.size >= 4 && request.size <= size - at && request.size <= HTTP_HEAD_MAX);
        check(request.bytes >= -1 && request.bytes <= HTTP_BYTES_MAX);
        /* The same head alone is the same request, and without its last byte none yet. */
        check(http_parse(data + at, request.size, &again) == HTTP_REQUEST);
        check(again.size == request.size && again.bytes == request.bytes &&
              again.keep_alive == request.keep_alive && again.head == request.head);
        check(http_parse(data + at, request.size - 1, &again) == HTTP_MORE);
        check_answer(&request);
        at += request.size;
    }
    return 0;
}
