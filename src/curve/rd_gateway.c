/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The operational log of an RD Gateway as XML. Event 302 is a connection to a computer behind it, and
 * comes for the HTTP channel and for each UDP one beside it: all of one ActivityID, which counts once
 * as long as no more than RECENT (recent.h) others stand between them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "curve/account.h"
#include "curve/events.h"
#include "curve/formats.h"
#include "curve/recent.h"

enum own { USER, PROTOCOL };

static const char *const own[] = {"Username", "ConnectionProtocol", NULL};

/* What --count may name, and what such an event is where another is counted. */
static const struct {
    const char *id, *what, *otherwise;
} counted[] = {
    {"302", "connected", "a connection (event 302)"},
    {"200", "connection authorised", "a connection authorised, not made yet (event 200)"},
    {"300", "resource authorised", "a resource authorised, not reached yet (event 300)"},
};

struct gateway {
    struct sink *sink;
    size_t wanted; /* of counted */
    struct recent activities;
    struct events events;
};

static const char *refuse(const struct gateway *gateway, const struct slice *values)
{
    const struct slice id = values[EVENT_ID];

    if (values[EVENT_PROVIDER].size > 0 && !slice_is(values[EVENT_PROVIDER], EVENTS_GATEWAY)) {
        return "an event of another provider";
    }
    for (size_t i = 0; i < sizeof counted / sizeof counted[0]; i++) {
        if (slice_is(id, counted[i].id)) {
            return i == gateway->wanted ? NULL : counted[i].otherwise;
        }
    }
    if (slice_is(id, "303")) {
        return "a connection's end (event 303)";
    }
    if (slice_is(id, "201") || slice_is(id, "301") || slice_is(id, "304")) {
        return "a connection that was refused or failed (event 201, 301 or 304)";
    }
    return "an event of another number";
}

/* Whether its connection has been counted; one without an ActivityID is told by its channel. */
static bool is_again(struct gateway *gateway, const struct slice *values)
{
    const struct slice activity = values[EVENT_ACTIVITY];
    const struct slice computer = values[EVENT_COMPUTER];
    uint64_t key;

    if (activity.size == 0) {
        return slice_is_like(values[EVENT_OWN + PROTOCOL], "UDP");
    }
    key = recent_key(computer.at, computer.size, activity.at, activity.size);
    if (recent_has(&gateway->activities, key)) {
        return true;
    }
    recent_put(&gateway->activities, key);
    return false;
}

static enum ls_code take(void *data, const struct slice values[EVENT_FIELDS], struct ls_error *err)
{
    struct gateway *gateway = data;
    struct event event = {.count = 1};
    char who[EVENT_LONGEST];
    const char *why = refuse(gateway, values);

    if (why == NULL) {
        (void)events_time(&event.stamp, values[EVENT_TIME], &why);
    }
    if (why == NULL && is_again(gateway, values)) {
        why = "another channel of a connection that is counted";
    }
    if (why != NULL) {
        gateway->sink->skip(gateway->sink, why, "", 0);
        return LS_OK;
    }
    event.who = who;
    event.who_size = account_name(who, (struct slice){NULL, 0}, values[EVENT_OWN + USER]);
    return gateway->sink->event(gateway->sink, &event, err);
}

static void drop(void *state)
{
    struct gateway *gateway = state;

    events_free(&gateway->events);
    free(gateway);
}

static enum ls_code begin(void **state, struct sink *sink, struct ls_error *err)
{
    const char *count = sink->wish->count == NULL ? counted[0].id : sink->wish->count;
    const size_t all = sizeof counted / sizeof counted[0];
    struct gateway *gateway;
    size_t wanted = 0;
    enum ls_code code;

    while (wanted < all && strcmp(count, counted[wanted].id) != 0) {
        wanted++;
    }
    if (wanted == all) {
        return ls_error_set(err, LS_EUSAGE, "--count: \"%.40s\" is none of 302, 200, 300", count);
    }
    gateway = calloc(1, sizeof *gateway);
    if (gateway == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory to read events");
    }
    gateway->sink = sink;
    gateway->wanted = wanted;
    code = events_init(&gateway->events, sink, own, take, gateway, err);
    if (code != LS_OK) {
        drop(gateway);
        return code;
    }
    (void)snprintf(sink->counted, sizeof sink->counted,
                   "events %s (%s), once an ActivityID; a user is a Username", counted[wanted].id,
                   counted[wanted].what);
    *state = gateway;
    return LS_OK;
}

static enum ls_code feed(void *state, const char *bytes, size_t size, struct ls_error *err)
{
    return events_feed(&((struct gateway *)state)->events, bytes, size, err);
}

static enum ls_code end(void *state, struct ls_error *err)
{
    return events_end(&((struct gateway *)state)->events, err);
}

static int sniff(const char *head, size_t size)
{
    return events_sniff(head, size, EVENTS_GATEWAY);
}

const struct format format_rd_gateway = {
    .word = "rd-gateway",
    .text = "operational log of an RD Gateway as XML",
    .counts = "events 302 (connected), once an ActivityID; a user is a Username",
    .words = "302 (connected, default), 200 (connection authorised) or 300 (resource authorised)",
    .unit = "event",
    .sniff = sniff,
    .begin = begin,
    .feed = feed,
    .end = end,
    .free = drop,
};
