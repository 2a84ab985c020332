/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_LIVE_HTTP_H
#define LOGINSTORM_LIVE_HTTP_H

/*
 * The HTTP side: libmicrohttpd over an epoll descriptor, without a thread. Page, events and report, read only. What a client
 * can take of us is bounded: so many connections, each with so much memory, and none for ever that does not ask or does
 * not read.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "live/log.h"
#include "loginstorm/error.h"

#define HTTP_CONNECTIONS_MAX 32
#define HTTP_STREAMS_MAX 16
#define HTTP_CONNECTION_BYTES ((size_t)32 * 1024)
#define HTTP_REPORT_MAX ((size_t)64 << 20)

struct http_patience {
    int ask_s;  /* for a whole request */
    int read_s; /* for a client that takes nothing of what it is sent */
    int take_s; /* for all of an answer, streams apart */
    int beat_s; /* silence on a stream, after which a comment shows who is gone */
    int back_s; /* for a browser to come back by a new connection, when everything is over */
};

struct http;

struct http_wish {
    int listen_fd; /* becomes the server's */
    const char *page;
    size_t page_bytes;
    const char *policy;
    bool own_host_only; /* refuse a Host that is not this one: it listens on loopback */
    const struct log *log;
    struct http_patience patience;
};

/* Loads the library. LS_ESYSTEM when it is missing, or refuses; LS_ENOMEM. Leans on what wish points to. */
LS_MUST_CHECK
enum ls_code http_new(struct http **out, const struct http_wish *wish, struct ls_error *err);
void http_free(struct http *http);

/* Readable when http_run has something to do; which it has by *timeout_ms at the latest, too. */
int http_fd(const struct http *http);
int http_timeout_ms(const struct http *http);
void http_run(struct http *http);

/* The log has grown. */
void http_told(struct http *http);

/* Everything was told: streams end behind their last event. The report's bytes, on the heap, become the server's; NULL: none.
 */
void http_over(struct http *http, char *report, size_t report_bytes);

/* Whether there is somebody still to serve when everything is over: a browser that watched and has not got the report yet, or
 * one whose connection broke and that may be on its way back. */
bool http_wanted(const struct http *http);

#endif
