/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/login.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Padding goes into one header, so that any HTTP server takes the request for what it is. */
enum ls_code request_build(char **out, int64_t size, int64_t answer, const char *host,
                           struct ls_error *err)
{
    char head[512];
    const char tail[] = "\r\n\r\n";
    const int length = snprintf(head, sizeof head,
                                "GET /bytes/%" PRId64 " HTTP/1.1\r\nHost: %s\r\nX-Pad: ", answer,
                                host == NULL ? "gateway" : host);
    const int64_t least = length + (int64_t)strlen(tail);

    *out = NULL;
    if (length < 0 || (size_t)length >= sizeof head) {
        return ls_error_set(err, LS_EINPUT, "tls.server_name is too long for a request");
    }
    if (size < least) {
        return ls_error_set(err, LS_EINPUT,
                            "login.request.send: a request takes at least %" PRId64
                            "B here, not %" PRId64 "B",
                            least, size);
    }
    *out = malloc((size_t)size + 1);
    if (*out == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for a request of %" PRId64 " bytes", size);
    }
    memcpy(*out, head, (size_t)length);
    memset(*out + length, 'x', (size_t)(size - least));
    memcpy(*out + size - strlen(tail), tail, sizeof tail);
    return LS_OK;
}
