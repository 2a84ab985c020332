/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "live/log.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The newest stays: it may be the end. */
static void thin(struct log *log)
{
    size_t kept = 0;

    for (size_t i = 0; i < log->count; i++) {
        if ((log->count - 1 - i) % 2 == 0) {
            log->events[kept++] = log->events[i];
        } else {
            log->bytes -= log->events[i].size;
            free(log->events[i].text);
        }
    }
    log->count = kept;
}

static enum ls_code grow(struct log *log, struct ls_error *err)
{
    const size_t capacity = log->capacity == 0 ? 256 : log->capacity * 2;
    struct log_event *events = realloc(log->events, capacity * sizeof *events);

    if (events == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for %zu events of the live page", capacity);
    }
    log->events = events;
    log->capacity = capacity;
    return LS_OK;
}

enum ls_code log_add(struct log *log, const char *name, const char *data, struct ls_error *err)
{
    struct log_event event = {.id = log->last_id + 1};
    char text[LOG_EVENT_MAX];
    const int size =
        snprintf(text, sizeof text, "id: %" PRIx64 "-%" PRId64 "\nevent: %s\ndata: %s\n\n",
                 (uint64_t)log->storm, event.id, name, data);

    if (size < 0 || (size_t)size >= sizeof text) {
        return ls_error_set(err, LS_ERANGE, "an event of the live page is too long");
    }
    if (log->count == log->capacity && grow(log, err) != LS_OK) {
        return LS_ENOMEM;
    }
    event.size = (size_t)size;
    event.text = malloc(event.size);
    if (event.text == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for an event of the live page");
    }
    memcpy(event.text, text, event.size);
    log->events[log->count++] = event;
    log->bytes += event.size;
    log->last_id = event.id;
    while (log->count > 1 && (log->count >= LOG_EVENTS_MAX || log->bytes > LOG_BYTES_MAX)) {
        thin(log);
    }
    return LS_OK;
}

int64_t log_id(const struct log *log, const char *text)
{
    char *end;
    unsigned long long storm;
    long long id;

    errno = 0;
    storm = strtoull(text, &end, 16);
    if (end == text || *end != '-' || storm != (uint64_t)log->storm) {
        return 0;
    }
    text = end + 1;
    id = strtoll(text, &end, 10);
    return errno == 0 && end != text && *end == '\0' && id > 0 && id <= log->last_id ? id : 0;
}

const struct log_event *log_behind(const struct log *log, int64_t id)
{
    size_t low = 0, high = log->count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (log->events[middle].id <= id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < log->count ? &log->events[low] : NULL;
}

void log_clear(struct log *log)
{
    for (size_t i = 0; i < log->count; i++) {
        free(log->events[i].text);
    }
    free(log->events);
    *log = (struct log){0};
}
