/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CURVE_EVENTS_H
#define LOGINSTORM_CURVE_EVENTS_H

/*
 * Events of Windows as XML (wevtutil qe /f:xml, Event Viewer's "save as XML", ToXml() of Get-WinEvent)
 * -> an event's fields, one event after another: those of System that every event has, and the wanted
 * ones of EventData (Data by its Name) or UserData (an element by its name).
 */

#include <stddef.h>

#include "curve/format.h"
#include "curve/slice.h"
#include "curve/xml.h"

enum event_field {
    EVENT_PROVIDER,
    EVENT_ID,
    EVENT_TIME,
    EVENT_ACTIVITY,
    EVENT_COMPUTER,
    EVENT_OWN /* the first of the wanted ones */
};

#define EVENT_OWN_MAX 8
#define EVENT_FIELDS (EVENT_OWN + EVENT_OWN_MAX)
#define EVENT_LONGEST ((size_t)512) /* of a field; an event with a longer one is skipped */

/* Without blanks at their ends; empty: not there. They stay until it returns. */
typedef enum ls_code events_take(void *data, const struct slice values[EVENT_FIELDS],
                                 struct ls_error *err);

struct event_value {
    char text[EVENT_LONGEST];
    size_t size;
    bool is_there;
};

struct events {
    struct sink *sink;
    struct xml *xml;
    const char *const *own; /* names, ended by NULL; the caller's */
    events_take *take;
    void *data;
    size_t at; /* the depth of the event that is open; 0: none */
    int64_t line;
    enum { PART_NONE, PART_SYSTEM, PART_DATA, PART_USER } part;
    struct event_value *open; /* what text belongs to */
    size_t open_depth;
    bool too_long;
    struct event_value values[EVENT_FIELDS];
};

/* events stays where it is, since the parser knows it. */
LS_MUST_CHECK
enum ls_code events_init(struct events *events, struct sink *sink, const char *const *own,
                         events_take *take, void *data, struct ls_error *err);
void events_free(struct events *events);

LS_MUST_CHECK
enum ls_code events_feed(struct events *events, const char *bytes, size_t size,
                         struct ls_error *err);
LS_MUST_CHECK
enum ls_code events_end(struct events *events, struct ls_error *err);

/* The moment of an event, which is in UTC whatever is written; *why: what is wrong. */
bool events_time(struct stamp *stamp, struct slice text, const char **why);

#define EVENTS_SECURITY "Microsoft-Windows-Security-Auditing"
#define EVENTS_GATEWAY "Microsoft-Windows-TerminalServices-Gateway"

/* How sure it is that it is a log of that provider: which of the two comes first tells. */
int events_sniff(const char *head, size_t size, const char *provider);

/* Whether it is events, of whomever. */
bool events_are_there(const char *head, size_t size);

#endif
