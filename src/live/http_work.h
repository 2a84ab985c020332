/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_LIVE_HTTP_WORK_H
#define LOGINSTORM_LIVE_HTTP_WORK_H

/* What http.c (connections and their time) and answer.c (requests and what they get) share. */

#include "live/http.h"
#include "live/library.h"

enum caller_state {
    CALLER_NONE,
    CALLER_ASKING,    /* its request is not whole yet, or it rests between two */
    CALLER_TAKING,    /* it is being answered */
    CALLER_STREAMING, /* with events, until the end */
};

/* One connection. */
struct caller {
    struct http *http;
    struct MHD_Connection *connection;
    int fd;
    enum caller_state state;
    int64_t since_ns; /* in this state; of a stream: since it was last sent something */
    bool takes_report;
    /* A stream's: */
    bool watches;  /* a page, rather than curl: it is waited for at the end */
    bool waits;    /* suspended until there is something to send */
    int64_t sent;  /* the last event's id that went into pending */
    size_t offset; /* of pending, sent already */
    size_t pending_bytes;
    char pending[LOG_EVENT_MAX];
};

struct http {
    struct library library;
    struct http_wish wish;
    struct MHD_Daemon *daemon;
    struct caller callers[HTTP_CONNECTIONS_MAX];
    int streams;
    bool over;
    int64_t over_ns;
    int waiting; /* watched when it was over, have not got the report yet, nor gone away */
    /* Streams that broke before they heard the end, less those that were taken up again; a return may be seen before the break. */
    int broken;
    int64_t broken_ns; /* the last one */
    char *report;
    size_t report_bytes;
};

/* Wakes a suspended stream. */
void caller_wake(struct caller *caller);

/* The handler of requests, as MHD calls it; data is the server. */
enum MHD_Result answer(void *data, struct MHD_Connection *connection, const char *url,
                       const char *method, const char *version, const char *upload,
                       size_t *upload_bytes, void **request);

#endif
