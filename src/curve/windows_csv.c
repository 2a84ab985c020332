/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Windows Security events as a table: what Event Viewer saves as CSV ("Date and Time", "Event ID",
 * and the message in a column that has no name), and what Get-WinEvent | Export-Csv writes
 * ("TimeCreated", "Id", "Message"). Event 4624 is a logon, its message a text of many lines.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "curve/formats.h"
#include "curve/logon.h"
#include "curve/rows.h"

#define NO_COLUMN ROWS_FIELDS

struct windows {
    struct sink *sink;
    struct rows rows;
    bool has_names;
    size_t time, id, message;
    struct logon_types types;
};

/* The columns of a header; false where it is none of these tables'. */
static bool find_columns(struct windows *windows, const struct slice *names, size_t count)
{
    windows->time = NO_COLUMN;
    windows->id = NO_COLUMN;
    windows->message = count; /* of Event Viewer: behind the last that has a name */
    for (size_t i = 0; i < count; i++) {
        const struct slice name = slice_trim(names[i]);

        if (slice_is_like(name, "Date and Time") || slice_is_like(name, "TimeCreated")) {
            windows->time = i;
        } else if (slice_is_like(name, "Event ID") || slice_is_like(name, "Id")) {
            windows->id = i;
        } else if (slice_is_like(name, "Message")) {
            windows->message = i;
        }
    }
    return windows->time != NO_COLUMN && windows->id != NO_COLUMN;
}

/* What stands behind a label of the message, to the line's end. */
static struct slice value_of(struct slice message, const char *label)
{
    const char *at = memmem(message.at, message.size, label, strlen(label));
    struct slice rest = {NULL, 0};

    if (at == NULL) {
        return rest;
    }
    at += strlen(label);
    rest = (struct slice){at, (size_t)(message.at + message.size - at)};
    rest = slice_trim(slice_cut(&rest, '\n'));
    while (rest.size > 0 && rest.at[rest.size - 1] == '\r') {
        rest.size--;
    }
    return slice_trim(rest);
}

/* The part of the message from a heading on. */
static struct slice part_of(struct slice message, const char *heading)
{
    const char *at = memmem(message.at, message.size, heading, strlen(heading));

    return at == NULL ? (struct slice){NULL, 0}
                      : (struct slice){at, (size_t)(message.at + message.size - at)};
}

static const char *refuse(const struct windows *windows, struct slice message, struct slice *user)
{
    const struct slice type = value_of(message, "Logon Type:");
    const struct slice who = part_of(message, "New Logon:");
    const struct slice linked = value_of(message, "Linked Logon ID:");
    const struct slice elevated = value_of(message, "Elevated Token:");
    const struct slice virtual = value_of(message, "Virtual Account:");
    struct logon logon = {.is_virtual = slice_is(virtual, "Yes") || slice_is(virtual, "%%1842")};
    const char *why;

    if (type.size == 0 || who.at == NULL) {
        return "a message that is not English, or has no Logon Type";
    }
    *user = value_of(who, "Account Name:");
    logon.type = type;
    logon.user = *user;
    why = logon_refuse(&logon, &windows->types);
    if (why != NULL) {
        return why;
    }
    if (linked.size > 0 && !slice_is(linked, "0x0") &&
        (slice_is(elevated, "Yes") || slice_is(elevated, "%%1842"))) {
        return "the elevated twin of a logon";
    }
    return NULL;
}

static enum ls_code take_row(void *state, const struct slice *fields, size_t count,
                             struct slice row, struct ls_error *err)
{
    struct windows *windows = state;
    struct sink *sink = windows->sink;
    struct event event = {.count = 1};
    struct slice user = {NULL, 0};
    const char *why = NULL;

    if (!windows->has_names) {
        if (!find_columns(windows, fields, count)) {
            return ls_error_set_at(err, sink->path, (int)sink->line, 0,
                                   "its first row names no columns \"Date and Time\" and \"Event "
                                   "ID\", or TimeCreated and Id");
        }
        windows->has_names = true;
        return LS_OK;
    }
    if (windows->time >= count || windows->id >= count || windows->message >= count) {
        why = "fewer fields than the first row says";
    } else if (!slice_is(slice_trim(fields[windows->id]), "4624")) {
        why = "another event than 4624";
    } else {
        why = refuse(windows, fields[windows->message], &user);
    }
    if (why == NULL) {
        const struct slice text = slice_trim(fields[windows->time]);

        (void)stamp_read(&event.stamp, text.at, text.size, sink->order, &why);
    }
    if (why != NULL) {
        sink->skip(sink, why, row.at, row.size);
        return LS_OK;
    }
    event.who = user.at;
    event.who_size = user.size;
    return sink->event(sink, &event, err);
}

static enum ls_code begin(void **state, struct sink *sink, struct ls_error *err)
{
    struct windows *windows;
    struct logon_types types;
    const enum ls_code code = logon_types_read(&types, sink->wish->count, err);

    if (code != LS_OK) {
        return code;
    }
    windows = calloc(1, sizeof *windows);
    if (windows == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory to read a table");
    }
    windows->sink = sink;
    windows->types = types;
    rows_init(&windows->rows, sink, take_row, windows);
    (void)snprintf(sink->counted, sizeof sink->counted,
                   "events 4624 of logon %s, elevated twins once; a user is an Account Name",
                   types.words);
    *state = windows;
    return LS_OK;
}

static enum ls_code take_line(void *state, const char *line, size_t size, struct ls_error *err)
{
    return rows_line(&((struct windows *)state)->rows, line, size, err);
}

static enum ls_code end(void *state, struct ls_error *err)
{
    return rows_end(&((struct windows *)state)->rows, err);
}

static void drop(void *state)
{
    struct windows *windows = state;

    rows_free(&windows->rows);
    free(windows);
}

static int sniff(const char *head, size_t size)
{
    struct slice rest = {head, size};
    struct slice names[ROWS_FIELDS];
    struct windows windows;
    struct slice row;
    char delimiter;

    delimiter = rows_first(&rest, &row);
    if (delimiter == '\0' || !find_columns(&windows, names, rows_split(row, delimiter, names)) ||
        memmem(head, size, "Security-Auditing", strlen("Security-Auditing")) == NULL) {
        return 0;
    }
    return 92;
}

const struct format format_windows_csv = {
    .word = "windows-csv",
    .text = "Windows Security events as CSV (Event Viewer, Export-Csv)",
    .counts = LOGON_COUNTS "an Account Name",
    .words = LOGON_TYPES_WORDS,
    .sniff = sniff,
    .begin = begin,
    .line = take_line,
    .end = end,
    .free = drop,
};
