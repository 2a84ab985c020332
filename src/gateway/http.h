/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_GATEWAY_HTTP_H
#define LOGINSTORM_GATEWAY_HTTP_H

/* As much of HTTP/1.1 as load tools need: one request's head at a time, no body, keep-alive. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "loginstorm/gateway.h"

enum http_found {
    HTTP_MORE, /* the head is not whole yet */
    HTTP_REQUEST,
    HTTP_BAD, /* not HTTP, too long, or with a body */
};

struct http_request {
    size_t size;   /* bytes of the head, the empty line included */
    int64_t bytes; /* of /bytes/N, else -1 */
    bool keep_alive;
    bool head; /* the method HEAD: no body wanted */
};

#define HTTP_HEAD_MAX ((size_t)64 * 1024)
#define HTTP_BYTES_MAX LS_GATEWAY_ANSWER_MAX

enum http_found http_parse(const void *data, size_t size, struct http_request *request);

/*
 * The answer's head for request into out, and how many bytes of body (any bytes) follow it. An
 * answer to /bytes/N is N bytes with its head; where N is too small for one, it is the head alone.
 */
size_t http_answer(const struct http_request *request, char *out, size_t size, size_t *body_bytes);

/* The answer to HTTP_BAD. */
const char *http_refusal(void);

/* The body of an answer to a person's request. */
const char *http_greeting(void);

#endif
