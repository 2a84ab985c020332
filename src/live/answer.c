/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "live/address.h"
#include "live/http_work.h"
#include "loginstorm/units.h"

#define NO_POLICY "default-src 'none'"
#define BLOCK_BYTES 4096
#define AGAIN_MS 1000

struct kind {
    unsigned status;
    const char *type; /* NULL: no body */
};

static const struct {
    const char *name, *value;
} always[] = {
    {"Cache-Control", "no-store"},
    {"X-Content-Type-Options", "nosniff"},
    {"Referrer-Policy", "no-referrer"},
    {"X-Frame-Options", "DENY"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
};

/* Sends response, which may be NULL, and lets go of it. */
static enum MHD_Result respond(struct caller *caller, struct MHD_Response *response,
                               const struct kind *kind)
{
    const struct http *http = caller->http;
    const struct library *library = &http->library;
    const char *policy = http->wish.policy == NULL ? NO_POLICY : http->wish.policy;
    enum MHD_Result good = MHD_YES;

    if (response == NULL) {
        return MHD_NO;
    }
    for (size_t i = 0; good == MHD_YES && i < sizeof always / sizeof always[0]; i++) {
        good = library->MHD_add_response_header(response, always[i].name, always[i].value);
    }
    if (good == MHD_YES) {
        good = library->MHD_add_response_header(response, "Content-Security-Policy", policy);
    }
    if (good == MHD_YES && kind->type != NULL) {
        good = library->MHD_add_response_header(response, "Content-Type", kind->type);
    }
    if (good == MHD_YES && kind->status == MHD_HTTP_METHOD_NOT_ALLOWED) {
        good = library->MHD_add_response_header(response, "Allow", "GET, HEAD");
    }
    if (good == MHD_YES && kind->status == MHD_HTTP_SERVICE_UNAVAILABLE) {
        good = library->MHD_add_response_header(response, "Retry-After", "5");
    }
    if (good == MHD_YES) {
        good = library->MHD_queue_response(caller->connection, kind->status, response);
    }
    library->MHD_destroy_response(response);
    return good;
}

/* body must stay as it is, and is left so. */
static enum MHD_Result send_bytes(struct caller *caller, unsigned status, const char *type,
                                  const char *body, size_t bytes)
{
    struct MHD_Response *response;
    void *same;

    memcpy(&same, &body, sizeof same); /* the library's parameter has no const */
    response =
        caller->http->library.MHD_create_response_from_buffer(bytes, same, MHD_RESPMEM_PERSISTENT);
    caller->state = CALLER_TAKING;
    caller->since_ns = ls_now_ns();
    return respond(caller, response, &(struct kind){status, type});
}

static enum MHD_Result send_words(struct caller *caller, unsigned status, const char *words)
{
    return send_bytes(caller, status, "text/plain; charset=utf-8", words, strlen(words));
}

/* The next event into pending; false when there is none yet. */
static bool take_next(struct caller *caller)
{
    const struct http *http = caller->http;
    const struct log_event *event = log_behind(http->wish.log, caller->sent);
    const int64_t silent_ns = ls_now_ns() - caller->since_ns;

    caller->offset = caller->pending_bytes = 0;
    if (event != NULL) {
        memcpy(caller->pending, event->text, event->size);
        caller->pending_bytes = event->size;
        caller->sent = event->id;
    } else if (!http->over && silent_ns >= http->wish.patience.beat_s * LS_NS_PER_S) {
        caller->pending_bytes = (size_t)snprintf(caller->pending, sizeof caller->pending, ":\n\n");
    }
    return caller->pending_bytes > 0;
}

static ssize_t on_room(void *data, uint64_t position, char *out, size_t room)
{
    struct caller *caller = data;
    size_t used = 0;

    (void)position;
    while (used < room) {
        size_t part;

        if (caller->offset == caller->pending_bytes && !take_next(caller)) {
            break;
        }
        part = caller->pending_bytes - caller->offset;
        part = part < room - used ? part : room - used;
        memcpy(out + used, caller->pending + caller->offset, part);
        caller->offset += part;
        used += part;
    }
    if (used > 0) {
        caller->since_ns = ls_now_ns();
        return (ssize_t)used;
    }
    if (caller->http->over) {
        return MHD_CONTENT_READER_END_OF_STREAM;
    }
    caller->waits = true;
    caller->http->library.MHD_suspend_connection(caller->connection);
    return 0;
}

static const char *header(const struct caller *caller, const char *name)
{
    return caller->http->library.MHD_lookup_connection_value(caller->connection, MHD_HEADER_KIND,
                                                             name);
}

/* All events so far, and then each as it comes; those that it has already (it was cut off, and comes again) are left out. */
static enum MHD_Result stream(struct caller *caller)
{
    struct http *http = caller->http;
    const char *accepted = header(caller, MHD_HTTP_HEADER_ACCEPT);
    const char *last = header(caller, "Last-Event-ID");
    struct MHD_Response *response;
    enum MHD_Result good;

    if (http->streams >= HTTP_STREAMS_MAX) {
        return send_words(caller, MHD_HTTP_SERVICE_UNAVAILABLE,
                          "as many browsers watch this storm as may; close one of them\n");
    }
    response = http->library.MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK_BYTES,
                                                               on_room, caller, NULL);
    caller->sent = last == NULL ? 0 : log_id(http->wish.log, last);
    http->broken -= last != NULL;
    caller->offset = 0;
    caller->pending_bytes =
        (size_t)snprintf(caller->pending, sizeof caller->pending,
                         "retry: %d\nevent: storm\ndata: {\"storm\":\"%" PRIx64 "\"}\n\n", AGAIN_MS,
                         (uint64_t)http->wish.log->storm);
    good =
        respond(caller, response, &(struct kind){MHD_HTTP_OK, "text/event-stream; charset=utf-8"});
    if (good == MHD_YES) {
        caller->state = CALLER_STREAMING;
        caller->since_ns = ls_now_ns();
        caller->watches = accepted != NULL && strstr(accepted, "text/event-stream") != NULL;
        http->streams++;
        http->waiting += http->over && caller->watches;
    }
    return good;
}

static enum MHD_Result route(struct caller *caller, const char *url, bool head)
{
    const struct http *http = caller->http;
    const char *html = "text/html; charset=utf-8";

    if (http->wish.own_host_only && !address_is_own_host(header(caller, MHD_HTTP_HEADER_HOST))) {
        return send_words(
            caller, MHD_HTTP_MISDIRECTED_REQUEST,
            "this page is for browsers of its own machine, by 127.0.0.1 or localhost\n");
    }
    if (strcmp(url, "/") == 0) {
        return send_bytes(caller, MHD_HTTP_OK, html, http->wish.page, http->wish.page_bytes);
    }
    if (strcmp(url, "/events") == 0) {
        return head ? send_bytes(caller, MHD_HTTP_OK, "text/event-stream; charset=utf-8", "", 0)
                    : stream(caller);
    }
    if (strcmp(url, "/report.html") == 0 && http->report != NULL) {
        caller->takes_report = !head;
        return send_bytes(caller, MHD_HTTP_OK, html, http->report, http->report_bytes);
    }
    if (strcmp(url, "/favicon.ico") == 0) {
        return send_bytes(caller, MHD_HTTP_NO_CONTENT, NULL, "", 0);
    }
    return send_words(caller, MHD_HTTP_NOT_FOUND, "there is nothing here; the page is at /\n");
}

enum MHD_Result answer(void *data, struct MHD_Connection *connection, const char *url,
                       const char *method, const char *version, const char *upload,
                       size_t *upload_bytes, void **request)
{
    struct http *http = data;
    const union MHD_ConnectionInfo *info =
        http->library.MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    struct caller *caller = info == NULL ? NULL : info->socket_context;
    const bool head = strcmp(method, MHD_HTTP_METHOD_HEAD) == 0;

    (void)version;
    (void)upload;
    if (caller == NULL || *upload_bytes != 0) {
        *upload_bytes = 0; /* nobody brings anything here */
        return MHD_NO;
    }
    if (!head && strcmp(method, MHD_HTTP_METHOD_GET) != 0) {
        return send_words(caller, MHD_HTTP_METHOD_NOT_ALLOWED, "this page can be read only\n");
    }
    if (*request ==
        NULL) { /* an answer now, before the request's end, would close the connection */
        *request = caller;
        return MHD_YES;
    }
    return route(caller, url, head);
}
