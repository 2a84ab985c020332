/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/login.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Padding goes into one header, so that any HTTP server takes the request for what it is. */
enum ls_code request_build(char **out, const struct ls_login_wish *login, bool embedded,
                           const char *host, struct ls_error *err)
{
    const int64_t size = login->send_bytes;
    char head[2 * LS_REQUEST_PATH_MAX], path[32];
    const char tail[] = "\r\n\r\n";
    int64_t least;
    int length;

    (void)snprintf(path, sizeof path, "/bytes/%" PRId64, login->receive_bytes);
    length = snprintf(head, sizeof head,
                      "GET %s HTTP/1.1\r\nHost: %s\r\nX-Pad: ", embedded ? path : login->path,
                      host == NULL ? "gateway" : host);
    *out = NULL;
    if (length < 0 || (size_t)length >= sizeof head) {
        return ls_error_set(err, LS_EINPUT, "tls.server_name is too long for a request");
    }
    least = length + (int64_t)strlen(tail);
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

enum answer_is request_hear(struct connection *connection, const struct profile *profile,
                            const struct ls_login_wish *login)
{
    const struct ls_bytes *plain = &connection->wire.plain;
    /* Who wants no bytes waits for an answer all the same: its first byte. */
    const int64_t wanted = login->receive_bytes > 0 ? login->receive_bytes : 1;
    enum answer_is is = ANSWER_FOREIGN;

    connection->received_plain_bytes += (int64_t)ls_bytes_size(plain);
    if (profile->http) {
        is = answer_take(&connection->answer, ls_bytes_front(plain), ls_bytes_size(plain));
    }
    if (is != ANSWER_FOREIGN) {
        return is;
    }
    return connection->received_plain_bytes >= wanted ? ANSWER_WHOLE : ANSWER_MORE;
}
