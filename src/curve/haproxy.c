/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * HAProxy's httplog and httpslog, with or without a syslog prefix:
 *
 *     ... 10.0.1.2:33317 [06/Nov/2026:08:14:14.655] in~ app/s1 0/0/1/5/6 200 750 - - ---- 1/1/0/0/0
 *         0/0 "POST /login HTTP/1.1" 0/0000000000000000/0/0/0 gw/TLSv1.3/TLS_AES_128_GCM_SHA256
 *     ... 10.0.1.2:33318 [06/Nov/2026:08:14:15.101] in/1: SSL handshake failure
 *
 * The bracket's time is that of the request, and local; the prefix's that of its end, without a
 * year.
 */
#include <stdlib.h>
#include <string.h>

#include "curve/formats.h"
#include "curve/request.h"

struct haproxy {
    struct sink *sink;
    struct request_wish wish;
};

/* The line's parts; false for what is no line of HAProxy's. */
struct parts {
    struct slice client, time, rest;
};

static bool is_digit_at(struct slice text, const char *at)
{
    return at < text.at + text.size && *at >= '0' && *at <= '9';
}

/* "[06/Nov/", where a prefix has "haproxy[14389]:". */
static const char *find_bracket(struct slice line)
{
    const char *end = line.at + line.size;
    const char *at = line.at;

    while ((at = memchr(at, '[', (size_t)(end - at))) != NULL) {
        if (end - at > 12 && at > line.at && at[-1] == ' ' && is_digit_at(line, at + 1) &&
            is_digit_at(line, at + 2) && at[3] == '/') {
            return at;
        }
        at++;
    }
    return NULL;
}

static bool take_apart(struct slice line, struct parts *parts)
{
    const char *end = line.at + line.size;
    const char *bracket = find_bracket(line);
    const char *close = bracket == NULL ? NULL : memchr(bracket, ']', (size_t)(end - bracket));
    const char *from;

    if (close == NULL || end - close < 3 || close[1] != ' ') {
        return false;
    }
    for (from = bracket - 1; from > line.at && from[-1] != ' '; from--) {
    }
    parts->client = (struct slice){from, (size_t)(bracket - 1 - from)};
    parts->time = (struct slice){bracket + 1, (size_t)(close - bracket - 1)};
    parts->rest = (struct slice){close + 2, (size_t)(end - close - 2)};
    /* 10.0.1.2:33317, and nothing else that a bracket stands behind. */
    from = memrchr(parts->client.at, ':', parts->client.size);
    if (from == NULL || !is_digit_at(parts->client, from + 1)) {
        return false;
    }
    parts->client.size = (size_t)(from - parts->client.at);
    return true;
}

static bool has(struct slice text, const char *part)
{
    return memmem(text.at, text.size, part, strlen(part)) != NULL;
}

/* Of a line that is no request. */
static const char *what_else(struct slice rest)
{
    if (has(rest, "SSL handshake")) {
        return "a TLS handshake that failed";
    }
    return has(rest, ": ") ? "an error without a request" : "a TCP connection, not a request";
}

/* The fifth of httpslog's error codes: whether the session was resumed. */
static const char *refuse_resumed(struct slice behind)
{
    struct slice rest = slice_trim(behind);
    struct slice codes = slice_cut(&rest, ' ');
    struct slice last = {NULL, 0};
    int count = 0;

    while (codes.at != NULL) {
        last = slice_cut(&codes, '/');
        count++;
    }
    if (count != 5) {
        return "no word of a TLS session (httpslog has one)";
    }
    return slice_is(last, "0") ? NULL : slice_is(last, "1") ? "a resumed TLS session" : "no TLS";
}

/* HAProxy writes a quote within a field as #22 or %22. */
static const char *refuse(const struct haproxy *haproxy, struct slice rest)
{
    const char *quote = memchr(rest.at, '"', rest.size);
    const char *end = rest.at + rest.size;
    const char *close = quote == NULL ? NULL : memchr(quote + 1, '"', (size_t)(end - quote - 1));
    struct request request = {.line = {NULL, 0}};
    const char *why;

    if (close == NULL) {
        return what_else(rest);
    }
    request.line = (struct slice){quote + 1, (size_t)(close - quote - 1)};
    rest.size = (size_t)(quote - rest.at);
    for (int field = 0; field < 4; field++) { /* frontend, backend/server, timers, status */
        request.status = slice_cut(&rest, ' ');
    }
    if (request.status.at == NULL) {
        return "no status";
    }
    why = request_refuse(&haproxy->wish, &request);
    if (why == NULL && haproxy->wish.count == REQUEST_FULL) {
        why = refuse_resumed((struct slice){close + 1, (size_t)(end - close - 1)});
    }
    return why;
}

static enum ls_code begin(void **state, struct sink *sink, struct ls_error *err)
{
    struct haproxy *haproxy = calloc(1, sizeof *haproxy);
    enum ls_code code;

    if (haproxy == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory to read a log");
    }
    haproxy->sink = sink;
    code = request_wish_init(&haproxy->wish, sink, err);
    if (code != LS_OK) {
        free(haproxy);
        return code;
    }
    request_counted(&haproxy->wish, sink, "an address");
    request_note(&haproxy->wish, sink);
    *state = haproxy;
    return LS_OK;
}

static enum ls_code take_line(void *state, const char *line, size_t size, struct ls_error *err)
{
    struct haproxy *haproxy = state;
    struct sink *sink = haproxy->sink;
    struct event event = {.count = 1};
    struct parts parts;
    const char *why = NULL;

    if (size == 0) {
        return LS_OK;
    }
    if (!take_apart((struct slice){line, size}, &parts)) {
        sink->skip(sink, "not in the log's layout", line, size);
        return LS_OK;
    }
    why = refuse(haproxy, parts.rest);
    if (why == NULL) {
        (void)stamp_read(&event.stamp, parts.time.at, parts.time.size, sink->order, &why);
    }
    if (why != NULL) {
        sink->skip(sink, why, line, size);
        return LS_OK;
    }
    event.who = parts.client.at;
    event.who_size = parts.client.size;
    return sink->event(sink, &event, err);
}

static int sniff(const char *head, size_t size)
{
    struct slice rest = {head, size};
    int lines = 0;
    int good = 0;

    while (rest.at != NULL && lines < 50) {
        const struct slice line = slice_cut(&rest, '\n');
        struct parts parts;

        if (line.size == 0 || (rest.at == NULL && lines > 0)) {
            continue;
        }
        lines++;
        /* A millisecond and no zone. */
        good += take_apart(line, &parts) && parts.time.size == strlen("06/Nov/2026:08:14:14.655")
                    ? 1
                    : 0;
    }
    return lines == 0 ? 0 : good * 96 / lines;
}

const struct format format_haproxy = {
    .word = "haproxy",
    .text = "HAProxy's httplog or httpslog",
    .counts = "requests with a status below 400",
    .words =
        "ok (status below 400), all (whatever the status), full (ok, and httpslog says that the "
        "TLS session is a new one)",
    .takes_url = true,
    .sniff = sniff,
    .begin = begin,
    .line = take_line,
    .free = free,
};
