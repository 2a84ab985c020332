/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gateway/http.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static const char greeting[] =
    "loginstorm's embedded gateway. GET /bytes/N answers with N bytes, its header included.\n";

const char *http_greeting(void)
{
    return greeting;
}

const char *http_refusal(void)
{
    return "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
}

/* -1 when the path is not /bytes/N with an N that we serve. */
static int64_t parse_bytes(const char *path, size_t size)
{
    static const char prefix[] = "/bytes/";
    int64_t bytes = 0;
    size_t i = sizeof prefix - 1;

    if (size <= i || memcmp(path, prefix, i) != 0) {
        return -1;
    }
    for (; i < size; i++) {
        if (path[i] < '0' || path[i] > '9') {
            return -1;
        }
        bytes = bytes * 10 + (path[i] - '0');
        if (bytes > HTTP_BYTES_MAX) {
            return -1;
        }
    }
    return bytes;
}

static bool starts_with(const char *line, size_t size, const char *word)
{
    return size >= strlen(word) && strncasecmp(line, word, strlen(word)) == 0;
}

/* "Name: value" with the value's surrounding spaces left out of the comparison. */
static bool header_is(const char *line, size_t size, const char *name, const char *value)
{
    if (!starts_with(line, size, name)) {
        return false;
    }
    line += strlen(name);
    size -= strlen(name);
    while (size > 0 && (*line == ' ' || *line == '\t')) {
        line++;
        size--;
    }
    while (size > 0 && (line[size - 1] == ' ' || line[size - 1] == '\t')) {
        size--;
    }
    return size == strlen(value) && strncasecmp(line, value, size) == 0;
}

static bool parse_request_line(const char *line, size_t size, struct http_request *request)
{
    static const char least[] = "GET / HTTP/1.x";
    static const char tail[] = " HTTP/1.x";
    const char *path;
    const char *version;

    if (size < sizeof least - 1) {
        return false;
    }
    request->head = memcmp(line, "HEAD ", 5) == 0;
    if (!request->head && memcmp(line, "GET ", 4) != 0) {
        return false;
    }
    path = line + (request->head ? 5 : 4);
    version = line + size - (sizeof tail - 1);
    if (path >= version || memchr(path, ' ', (size_t)(version - path)) != NULL ||
        memcmp(version, tail, sizeof tail - 2) != 0 || line[size - 1] < '0' ||
        line[size - 1] > '9') {
        return false;
    }
    request->bytes = parse_bytes(path, (size_t)(version - path));
    request->keep_alive = line[size - 1] != '0';
    return true;
}

static bool parse_header(const char *line, size_t size, struct http_request *request)
{
    if (header_is(line, size, "Connection:", "close")) {
        request->keep_alive = false;
    } else if (header_is(line, size, "Connection:", "keep-alive")) {
        request->keep_alive = true;
    }
    /* A body would have to be read past; none of our clients sends one with GET. */
    return !(starts_with(line, size, "Content-Length:") &&
             !header_is(line, size, "Content-Length:", "0")) &&
           !starts_with(line, size, "Transfer-Encoding:");
}

enum http_found http_parse(const void *data, size_t size, struct http_request *request)
{
    const char *text = data;
    const size_t seen = size < HTTP_HEAD_MAX ? size : HTTP_HEAD_MAX;
    const char *end = memmem(text, seen, "\r\n\r\n", 4);
    const char *line = text;
    bool first = true;

    *request = (struct http_request){.bytes = -1};
    if (end == NULL) {
        return size >= HTTP_HEAD_MAX ? HTTP_BAD : HTTP_MORE;
    }
    request->size = (size_t)(end - text) + 4;
    while (line <= end) {
        const char *stop = memmem(line, (size_t)(end + 2 - line), "\r\n", 2);
        const size_t length = (size_t)(stop - line);

        if (first ? !parse_request_line(line, length, request)
                  : !parse_header(line, length, request)) {
            return HTTP_BAD;
        }
        first = false;
        line = stop + 2;
    }
    return HTTP_REQUEST;
}

/*
 * The length's field is of one width, its spaces before the digits: a head whose size hung on the
 * digits could not make up every N (with 99 bytes of body one too few, with 100 one too many).
 */
size_t http_answer(const struct http_request *request, char *out, size_t size, size_t *body_bytes)
{
    static const char format[] = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
                                 "Content-Length: %8zu\r\nConnection: %s\r\n\r\n";
    const char *after = request->keep_alive ? "keep-alive" : "close";
    size_t body = sizeof greeting - 1;
    int head = snprintf(out, size, format, body, after);

    if (request->bytes >= 0) {
        body = request->bytes > head ? (size_t)(request->bytes - head) : 0;
        head = snprintf(out, size, format, body, after);
    }
    *body_bytes = request->head ? 0 : body;
    return (size_t)head;
}
