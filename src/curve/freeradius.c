/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * FreeRADIUS's detail files: a record is a line with the time of day, then a line an attribute that
 * begins with a tab, then an empty line.
 *
 *     Mon Nov 30 08:27:47 2026
 *         Acct-Status-Type = Start
 *         User-Name = "alice"
 *         Acct-Session-Id = "00000012"
 *         Timestamp = 1796027267
 *
 * The first line is local time; Timestamp, where it is there, is the same moment as an epoch and
 * leaves nothing open. A network access server sends a record again until it is answered: one that
 * came just before is told by its session and not counted twice.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "curve/formats.h"
#include "curve/siphash.h"
#include "curve/slice.h"

#define SESSIONS 4096 /* that are remembered: minutes of the busiest server */
#define VALUE 256

enum type { TYPE_NONE, TYPE_START, TYPE_UPDATE, TYPE_STOP, TYPE_OTHER };

struct record {
    bool open;
    int64_t line;
    char header[64], user[VALUE], time[32];
    uint64_t session; /* hash of what tells sessions apart; 0: not told */
    int64_t delay_s;
    enum type type;
    bool is_request, is_accept; /* Packet-Type, of auth-detail and reply-detail */
};

enum count { COUNT_START, COUNT_REQUEST, COUNT_ACCEPT };

struct freeradius {
    struct sink *sink;
    enum count count;
    struct record record;
    uint64_t sessions[SESSIONS]; /* a ring */
    size_t next;
};

static enum ls_code begin(void **state, struct sink *sink, struct ls_error *err)
{
    static const char *const words[] = {"start", "request", "accept"};
    static const char *const counted[] = {
        "Accounting Start, once a session; a user is a User-Name",
        "Access-Request; a user is a User-Name",
        "Access-Accept; a user is a User-Name",
    };
    const char *word = sink->wish->count == NULL ? words[0] : sink->wish->count;
    size_t which = 0;
    struct freeradius *freeradius;

    while (which < 3 && strcmp(word, words[which]) != 0) {
        which++;
    }
    if (which == 3) {
        return ls_error_set(err, LS_EUSAGE, "--count: \"%.40s\" is none of start, request, accept",
                            word);
    }
    freeradius = calloc(1, sizeof *freeradius);
    if (freeradius == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory to read a log");
    }
    freeradius->sink = sink;
    freeradius->count = (enum count)which;
    (void)snprintf(sink->counted, sizeof sink->counted, "%s", counted[which]);
    *state = freeradius;
    return LS_OK;
}

static bool was_met(struct freeradius *freeradius, uint64_t session)
{
    for (size_t i = 0; i < SESSIONS && session != 0; i++) {
        if (freeradius->sessions[i] == session) {
            return true;
        }
    }
    freeradius->sessions[freeradius->next++ % SESSIONS] = session;
    return false;
}

/* NULL for a login, else why it is none. */
static const char *refuse(struct freeradius *freeradius, const struct record *record)
{
    static const char *const types[] = {
        [TYPE_NONE] = "no Acct-Status-Type",       [TYPE_START] = NULL,
        [TYPE_UPDATE] = "Interim-Update",          [TYPE_STOP] = "Stop",
        [TYPE_OTHER] = "another Acct-Status-Type",
    };

    if (freeradius->count == COUNT_REQUEST) {
        return record->is_request ? NULL : "no Access-Request";
    }
    if (freeradius->count == COUNT_ACCEPT) {
        return record->is_accept ? NULL : "no Access-Accept";
    }
    if (types[record->type] != NULL) {
        return types[record->type];
    }
    return was_met(freeradius, record->session) ? "a Start that was sent again" : NULL;
}

static const char *read_time(const struct record *record, struct stamp *stamp)
{
    const char *text = record->time[0] != '\0' ? record->time : record->header;
    const char *why = NULL;

    if (stamp_read(stamp, text, strlen(text), LS_DATE_UNKNOWN, &why) == 0) {
        return why;
    }
    if (stamp->is_utc_ns) {
        stamp->utc_ns -= record->delay_s * INT64_C(1000000000);
    }
    return NULL;
}

static enum ls_code close_record(struct freeradius *freeradius, struct ls_error *err)
{
    struct record *record = &freeradius->record;
    struct sink *sink = freeradius->sink;
    const int64_t now = sink->line;
    struct event event = {.count = 1, .who = record->user, .who_size = strlen(record->user)};
    enum ls_code code = LS_OK;
    const char *why;

    if (!record->open) {
        return LS_OK;
    }
    sink->line = record->line;
    why = refuse(freeradius, record);
    why = why == NULL ? read_time(record, &event.stamp) : why;
    if (why != NULL) {
        sink->skip(sink, why, record->header, strlen(record->header));
    } else {
        code = sink->event(sink, &event, err);
    }
    sink->line = now;
    record->open = false;
    return code;
}

static void copy(char *out, size_t room, struct slice value)
{
    const size_t size = value.size < room ? value.size : room - 1;

    memcpy(out, value.at, size);
    out[size] = '\0';
}

static int64_t read_seconds(struct slice value)
{
    int64_t seconds = 0;

    for (size_t i = 0; i < value.size && i < 6 && value.at[i] >= '0' && value.at[i] <= '9'; i++) {
        seconds = seconds * 10 + (value.at[i] - '0');
    }
    return seconds;
}

static void take_attribute(struct record *record, struct slice name, struct slice value)
{
    static const uint64_t key[2] = {0, 0}; /* sessions are compared, and not kept beyond this log */

    if (slice_is(name, "User-Name")) {
        copy(record->user, sizeof record->user, value);
    } else if (slice_is(name, "Acct-Status-Type")) {
        record->type = slice_is(value, "Start")            ? TYPE_START
                       : slice_is(value, "Interim-Update") ? TYPE_UPDATE
                       : slice_is(value, "Alive")          ? TYPE_UPDATE
                       : slice_is(value, "Stop")           ? TYPE_STOP
                                                           : TYPE_OTHER;
    } else if (slice_is(name, "Packet-Type")) {
        record->is_request = slice_is(value, "Access-Request");
        record->is_accept = slice_is(value, "Access-Accept");
    } else if (slice_is(name, "Timestamp")) {
        copy(record->time, sizeof record->time, value);
    } else if (slice_is(name, "Acct-Delay-Time")) {
        record->delay_s = read_seconds(value);
    } else if (slice_is(name, "Acct-Session-Id") || slice_is(name, "NAS-IP-Address") ||
               slice_is(name, "NAS-Identifier")) {
        /* In any order: a session's number is one server's own. */
        record->session += siphash(key, value.at, value.size);
    }
}

static enum ls_code take_line(void *state, const char *line, size_t size, struct ls_error *err)
{
    struct freeradius *freeradius = state;
    struct record *record = &freeradius->record;
    struct slice text = slice_trim((struct slice){line, size});
    const char *equals;
    enum ls_code code = LS_OK;

    if (text.size == 0) {
        return close_record(freeradius, err);
    }
    if (line[0] != '\t' && line[0] != ' ') {
        code = close_record(freeradius, err);
        *record = (struct record){.open = true, .line = freeradius->sink->line};
        copy(record->header, sizeof record->header, text);
        return code;
    }
    equals = memmem(text.at, text.size, "= ", 2);
    if (!record->open || equals == NULL) {
        freeradius->sink->skip(freeradius->sink, "no attribute of a record", line, size);
        return LS_OK;
    }
    /* "User-Name = ", and "+= " for a further one. */
    {
        struct slice name = {text.at, (size_t)(equals - text.at)};
        struct slice value = {equals + 2, text.size - name.size - 2};

        while (name.size > 0 && (name.at[name.size - 1] == ' ' || name.at[name.size - 1] == '+' ||
                                 name.at[name.size - 1] == ':')) {
            name.size--;
        }
        if (value.size >= 2 && value.at[0] == '"' && value.at[value.size - 1] == '"') {
            value.at++;
            value.size -= 2;
        }
        take_attribute(record, name, value);
    }
    return code;
}

static enum ls_code end(void *state, struct ls_error *err)
{
    return close_record(state, err);
}

/* A time alone in the first line, an attribute in the second. */
static int sniff(const char *head, size_t size)
{
    struct slice rest = {head, size};
    struct slice line;
    struct stamp stamp;
    const char *why;

    do {
        line = slice_cut(&rest, '\n');
    } while (line.size == 0 && rest.at != NULL);
    if (line.size == 0 ||
        stamp_read(&stamp, line.at, line.size, LS_DATE_UNKNOWN, &why) != slice_trim(line).size) {
        return 0;
    }
    line = slice_cut(&rest, '\n');
    return line.size > 1 && line.at[0] == '\t' && memmem(line.at, line.size, " = ", 3) != NULL ? 95
                                                                                               : 0;
}

const struct format format_freeradius = {
    .word = "freeradius",
    .text = "detail file of FreeRADIUS",
    .counts = "Accounting Start, once a session; a user is a User-Name",
    .words = "start (default), request (Access-Request, of auth-detail), accept (Access-Accept, of "
             "reply-detail)",
    .sniff = sniff,
    .begin = begin,
    .line = take_line,
    .end = end,
    .free = free,
};
