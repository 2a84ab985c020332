/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Access logs of nginx and Apache: the combined layout, which both have as their usual one (what
 * stands behind the status is not looked at, so Apache's common layout is well too), or one that
 * --log-format tells.
 */
#include <stdlib.h>
#include <string.h>

#include "curve/formats.h"
#include "curve/pattern.h"
#include "curve/request.h"

#define COMBINED "$remote_addr $ident $remote_user [$time_local] \"$request\" $status "

/* nginx and Apache write the request's end, so one that still runs is not in the log. */
struct web {
    struct sink *sink;
    struct pattern pattern;
    struct request_wish wish;
};

static enum ls_code begin(void **state, struct sink *sink, struct ls_error *err)
{
    const char *words = sink->wish->log_format == NULL ? COMBINED : sink->wish->log_format;
    struct web *web = calloc(1, sizeof *web);
    enum ls_code code;

    if (web == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory to read a log");
    }
    web->sink = sink;
    code = pattern_compile(&web->pattern, words, err);
    if (code == LS_OK) {
        code = request_wish_init(&web->wish, sink, err);
    }
    if (code == LS_OK && web->wish.count == REQUEST_FULL && !web->pattern.has[VAR_REUSED]) {
        code = ls_error_set(err, LS_EUSAGE,
                            "--count full: that needs $ssl_session_reused in --log-format");
    }
    if (code == LS_OK && web->wish.url.at != NULL && !web->pattern.has[VAR_REQUEST] &&
        !web->pattern.has[VAR_URI]) {
        code = ls_error_set(err, LS_EUSAGE,
                            "--url: that needs $request or $request_uri in --log-format");
    }
    if (code != LS_OK) {
        free(web);
        return code;
    }
    if (web->wish.url.size > 0) {
        sink->must = web->wish.url.at;
        sink->must_size = web->wish.url.size;
        sink->must_reason = "another URL";
    }
    request_counted(&web->wish, sink, "its user name, else its address");
    if (web->pattern.has[VAR_REQUEST] || web->pattern.has[VAR_URI]) {
        request_note(&web->wish, sink);
    }
    *state = web;
    return LS_OK;
}

static enum ls_code take_line(void *state, const char *line, size_t size, struct ls_error *err)
{
    struct web *web = state;
    struct sink *sink = web->sink;
    struct slice values[VAR_COUNT];
    struct request request;
    struct event event = {.count = 1};
    const char *why = NULL;
    struct slice who;

    if (size == 0) {
        return LS_OK;
    }
    if (!pattern_match(&web->pattern, line, size, values)) {
        sink->skip(sink, "not in the log's layout", line, size);
        return LS_OK;
    }
    request = (struct request){.line = values[VAR_REQUEST],
                               .method = values[VAR_METHOD],
                               .path = values[VAR_URI],
                               .status = values[VAR_STATUS]};
    why = request_refuse(&web->wish, &request);
    if (why == NULL && web->wish.count == REQUEST_FULL && !slice_is(values[VAR_REUSED], ".")) {
        why = slice_is(values[VAR_REUSED], "r") ? "a resumed TLS session" : "no TLS";
    }
    if (why == NULL && stamp_read(&event.stamp, values[VAR_TIME].at, values[VAR_TIME].size,
                                  sink->order, &why) != 0) {
        why = NULL;
    }
    if (why != NULL) {
        sink->skip(sink, why, line, size);
        return LS_OK;
    }
    who = values[VAR_USER];
    if (who.size == 0 || slice_is(who, "-")) {
        who = values[VAR_ADDRESS];
    }
    event.who = who.at;
    event.who_size = who.size;
    return sink->event(sink, &event, err);
}

/* The share of whole lines in the head that are of the combined layout, with a time. */
static int sniff(const char *head, size_t size)
{
    struct pattern pattern;
    struct slice rest = {head, size};
    int lines = 0;
    int good = 0;

    if (pattern_compile(&pattern, COMBINED, NULL) != LS_OK) {
        return 0;
    }
    while (rest.at != NULL && lines < 50) {
        const struct slice line = slice_cut(&rest, '\n');
        struct slice values[VAR_COUNT];
        struct stamp stamp;
        const char *why;

        if (line.size == 0 || (rest.at == NULL && lines > 0)) {
            continue;
        }
        lines++;
        if (pattern_match(&pattern, line.at, line.size, values) && values[VAR_STATUS].size == 3 &&
            stamp_read(&stamp, values[VAR_TIME].at, values[VAR_TIME].size, LS_DATE_UNKNOWN, &why) !=
                0) {
            good++;
        }
    }
    return lines == 0 ? 0 : good * 95 / lines;
}

const struct format format_web = {
    .word = "web",
    .text = "access log of nginx or Apache",
    .counts = "requests with a status below 400",
    .words = "ok (status below 400), all (whatever the status), full (ok, and the TLS session is a "
             "new one)",
    .takes_url = true,
    .sniff = sniff,
    .begin = begin,
    .line = take_line,
    .free = free,
};
