/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Windows Security events as XML. An elevated logon is two events, one for each of its tokens, that
 * name each other (TargetLogonId, TargetLinkedLogonId): the first that comes counts, the other does
 * not, as long as no more than RECENT (recent.h) such pairs stand between them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "curve/account.h"
#include "curve/events.h"
#include "curve/formats.h"
#include "curve/logon.h"
#include "curve/recent.h"

enum own { USER, DOMAIN, TYPE, ID, LINKED, VIRTUAL };

static const char *const own[] = {
    "TargetUserName",      "TargetDomainName", "LogonType", "TargetLogonId",
    "TargetLinkedLogonId", "VirtualAccount",   NULL};

struct windows {
    struct sink *sink;
    struct logon_types types;
    struct recent twins;
    struct events events;
};

/* Whether the other of a pair has been counted; a computer's numbers are its own. */
static bool is_second(struct windows *windows, const struct slice *values)
{
    const struct slice computer = values[EVENT_COMPUTER];
    const struct slice id = values[EVENT_OWN + ID];
    const struct slice linked = values[EVENT_OWN + LINKED];
    char pair[2 * EVENT_LONGEST + 1];
    uint64_t key;

    if (linked.size == 0 || slice_is_like(linked, "0x0") || id.size == 0) {
        return false;
    }
    key = recent_key(computer.at, computer.size, pair, account_join(pair, linked, id));
    if (recent_take(&windows->twins, key)) {
        return true;
    }
    key = recent_key(computer.at, computer.size, pair, account_join(pair, id, linked));
    recent_put(&windows->twins, key);
    return false;
}

static const char *refuse(const struct windows *windows, const struct slice *values)
{
    const struct slice virtual = values[EVENT_OWN + VIRTUAL];
    const struct logon logon = {
        .type = values[EVENT_OWN + TYPE],
        .user = values[EVENT_OWN + USER],
        .is_virtual = slice_is(virtual, "%%1842") || slice_is_like(virtual, "yes"),
    };

    if (values[EVENT_PROVIDER].size > 0 && !slice_is(values[EVENT_PROVIDER], EVENTS_SECURITY)) {
        return "an event of another provider";
    }
    if (slice_is(values[EVENT_ID], "4625")) {
        return "a logon that failed (event 4625)";
    }
    if (!slice_is(values[EVENT_ID], "4624")) {
        return "another event than 4624";
    }
    return logon_refuse(&logon, &windows->types);
}

static enum ls_code take(void *data, const struct slice values[EVENT_FIELDS], struct ls_error *err)
{
    struct windows *windows = data;
    struct event event = {.count = 1};
    char who[2 * EVENT_LONGEST + 1];
    const char *why = refuse(windows, values);

    if (why == NULL) {
        (void)events_time(&event.stamp, values[EVENT_TIME], &why);
    }
    if (why == NULL && is_second(windows, values)) {
        why = "the twin of an elevated logon that is counted";
    }
    if (why != NULL) {
        windows->sink->skip(windows->sink, why, "", 0);
        return LS_OK;
    }
    event.who = who;
    event.who_size = account_name(who, values[EVENT_OWN + DOMAIN], values[EVENT_OWN + USER]);
    return windows->sink->event(windows->sink, &event, err);
}

static void drop(void *state)
{
    struct windows *windows = state;

    events_free(&windows->events);
    free(windows);
}

static enum ls_code begin(void **state, struct sink *sink, struct ls_error *err)
{
    struct windows *windows;
    struct logon_types types;
    enum ls_code code = logon_types_read(&types, sink->wish->count, err);

    if (code != LS_OK) {
        return code;
    }
    windows = calloc(1, sizeof *windows);
    if (windows == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory to read events");
    }
    windows->sink = sink;
    windows->types = types;
    code = events_init(&windows->events, sink, own, take, windows, err);
    if (code != LS_OK) {
        drop(windows);
        return code;
    }
    (void)snprintf(sink->counted, sizeof sink->counted,
                   "events 4624 of logon %s, elevated twins once; a user is DOMAIN\\name",
                   types.words);
    *state = windows;
    return LS_OK;
}

static enum ls_code feed(void *state, const char *bytes, size_t size, struct ls_error *err)
{
    return events_feed(&((struct windows *)state)->events, bytes, size, err);
}

static enum ls_code end(void *state, struct ls_error *err)
{
    return events_end(&((struct windows *)state)->events, err);
}

static int sniff(const char *head, size_t size)
{
    return events_sniff(head, size, EVENTS_SECURITY);
}

const struct format format_windows_xml = {
    .word = "windows-xml",
    .text = "Windows Security events as XML (wevtutil, Event Viewer, ToXml)",
    .counts = LOGON_COUNTS "DOMAIN\\name",
    .words = LOGON_TYPES_WORDS,
    .unit = "event",
    .sniff = sniff,
    .begin = begin,
    .feed = feed,
    .end = end,
    .free = drop,
};
