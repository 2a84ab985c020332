/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_LIVE_LOG_H
#define LOGINSTORM_LIVE_LOG_H

/* All that was told so far, as server-sent events, for browsers that come late or again. It is bounded: when it is
 * full, every second event goes, so that a day has as many points as an hour. */

#include <stddef.h>
#include <stdint.h>

#include "loginstorm/error.h"

#define LOG_EVENTS_MAX 16384
#define LOG_BYTES_MAX ((size_t)16 << 20)

#define LOG_EVENT_MAX 4096

struct log_event {
    int64_t id; /* from 1, ascending */
    size_t size;
    char *text; /* without a nul: "id: STORM-1\nevent: point\ndata: {}\n\n" */
};

struct log {
    int64_t storm; /* which one this is, so that nobody goes on with the points of another */
    struct log_event *events;
    size_t count, capacity, bytes;
    int64_t last_id;
};

/* Adds one; data is a line. LS_ENOMEM, or LS_ERANGE when it is longer than LOG_EVENT_MAX with its id: the log is as it was. */
LS_MUST_CHECK
enum ls_code log_add(struct log *log, const char *name, const char *data, struct ls_error *err);

/* The number of an event's id, 0 for what is no id of this storm. */
int64_t log_id(const struct log *log, const char *text);

/* The first event behind that id, NULL when there is none yet. */
const struct log_event *log_behind(const struct log *log, int64_t id);

void log_clear(struct log *log);

#endif
