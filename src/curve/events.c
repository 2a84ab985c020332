/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "curve/events.h"

#include <string.h>

#define TOO_LONG "a field of more than 512 bytes"
#define WORD_MAX 64

/* "Event" of "e:Event". */
static const char *local_name(const char *name)
{
    const char *colon = strchr(name, ':');

    return colon == NULL ? name : colon + 1;
}

static const char *attribute(const char *const *attributes, const char *name)
{
    for (; attributes[0] != NULL; attributes += 2) {
        if (strcmp(attributes[0], name) == 0) {
            return attributes[1];
        }
    }
    return NULL;
}

static void add(struct events *events, struct event_value *value, const char *text, size_t size)
{
    if (size > EVENT_LONGEST - value->size) {
        events->too_long = true;
        size = EVENT_LONGEST - value->size;
    }
    memcpy(value->text + value->size, text, size);
    value->size += size;
}

/* A field whose text comes; of two of one name the first counts. */
static void open_value(struct events *events, size_t field, size_t depth)
{
    struct event_value *value = &events->values[field];

    if (!value->is_there) {
        value->is_there = true;
        events->open = value;
        events->open_depth = depth;
    }
}

static void set_value(struct events *events, size_t field, const char *const *attributes,
                      const char *name)
{
    const char *text = attribute(attributes, name);

    if (text != NULL && !events->values[field].is_there) {
        events->values[field].is_there = true;
        add(events, &events->values[field], text, strlen(text));
    }
}

static void start_of_system(struct events *events, size_t depth, const char *name,
                            const char *const *attributes)
{
    if (strcmp(name, "EventID") == 0) {
        open_value(events, EVENT_ID, depth);
    } else if (strcmp(name, "Computer") == 0) {
        open_value(events, EVENT_COMPUTER, depth);
    } else if (strcmp(name, "Provider") == 0) {
        set_value(events, EVENT_PROVIDER, attributes, "Name");
    } else if (strcmp(name, "TimeCreated") == 0) {
        set_value(events, EVENT_TIME, attributes, "SystemTime");
    } else if (strcmp(name, "Correlation") == 0) {
        set_value(events, EVENT_ACTIVITY, attributes, "ActivityID");
    }
}

static void start_of_own(struct events *events, size_t depth, const char *name)
{
    for (size_t i = 0; name != NULL && events->own[i] != NULL; i++) {
        if (strcmp(name, events->own[i]) == 0) {
            open_value(events, EVENT_OWN + i, depth);
            return;
        }
    }
}

static void begin_event(struct events *events, size_t depth)
{
    events->at = depth;
    events->line = xml_line(events->xml);
    events->part = PART_NONE;
    events->open = NULL;
    events->too_long = false;
    for (size_t i = 0; i < EVENT_FIELDS; i++) {
        events->values[i].is_there = false;
        events->values[i].size = 0;
    }
}

static void start(void *data, size_t depth, const char *name, const char *const *attributes)
{
    struct events *events = data;
    const size_t within = depth - events->at; /* the event's own elements: 1 */

    name = local_name(name);
    if (events->at == 0) {
        if (strcmp(name, "Event") == 0) {
            begin_event(events, depth);
        }
    } else if (within == 1) {
        events->part = strcmp(name, "System") == 0      ? PART_SYSTEM
                       : strcmp(name, "EventData") == 0 ? PART_DATA
                       : strcmp(name, "UserData") == 0  ? PART_USER
                                                        : PART_NONE;
    } else if (within == 2 && events->part == PART_SYSTEM) {
        start_of_system(events, depth, name, attributes);
    } else if (within == 2 && events->part == PART_DATA && strcmp(name, "Data") == 0) {
        start_of_own(events, depth, attribute(attributes, "Name"));
    } else if (within == 3 && events->part == PART_USER) {
        start_of_own(events, depth, name);
    }
}

static void text(void *data, const char *bytes, size_t size)
{
    struct events *events = data;

    if (events->open != NULL) {
        add(events, events->open, bytes, size);
    }
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static struct slice slice_of(const struct event_value *value)
{
    struct slice slice = {value->text, value->size};

    while (slice.size > 0 && is_blank(slice.at[0])) {
        slice.at++;
        slice.size--;
    }
    while (slice.size > 0 && is_blank(slice.at[slice.size - 1])) {
        slice.size--;
    }
    return slice;
}

static enum ls_code end_event(struct events *events, struct ls_error *err)
{
    struct slice values[EVENT_FIELDS];

    events->at = 0;
    events->sink->line = events->line;
    events->sink->record++;
    if (events->too_long) {
        events->sink->skip(events->sink, TOO_LONG, "", 0);
        return LS_OK;
    }
    for (size_t i = 0; i < EVENT_FIELDS; i++) {
        values[i] = slice_of(&events->values[i]);
    }
    return events->take(events->data, values, err);
}

static enum ls_code end(void *data, size_t depth, struct ls_error *err)
{
    struct events *events = data;

    if (events->open != NULL && depth == events->open_depth) {
        events->open = NULL;
    }
    return events->at != 0 && depth == events->at ? end_event(events, err) : LS_OK;
}

enum ls_code events_init(struct events *events, struct sink *sink, const char *const *own,
                         events_take *take, void *data, struct ls_error *err)
{
    static const struct xml_calls calls = {start, text, end};

    *events = (struct events){.sink = sink, .own = own, .take = take, .data = data};
    return xml_new(&events->xml, sink, &calls, events, err);
}

void events_free(struct events *events)
{
    xml_free(events->xml);
    events->xml = NULL;
}

enum ls_code events_feed(struct events *events, const char *bytes, size_t size,
                         struct ls_error *err)
{
    const enum ls_code code = xml_feed(events->xml, bytes, size, err);

    if (code == LS_OK) {
        events->sink->line = xml_line(events->xml); /* for a log whose packing breaks off here */
    }
    return code;
}

enum ls_code events_end(struct events *events, struct ls_error *err)
{
    const enum ls_code code = xml_end(events->xml, err);

    /* What is counted is events: a document without any has nothing. */
    events->sink->line = events->sink->record == 0 ? 0 : events->sink->line;
    return code;
}

bool events_time(struct stamp *stamp, struct slice text, const char **why)
{
    size_t taken;

    if (text.size == 0) {
        *why = "no time stamp";
        return false;
    }
    taken = stamp_read(stamp, text.at, text.size, LS_DATE_UNKNOWN, why);
    if (taken != text.size) {
        *why = taken == 0 ? *why : "a time stamp with something behind it";
        return false;
    }
    if (!stamp->is_utc_ns && !stamp->has_offset) {
        stamp->has_offset = true;
        stamp->offset_s = 0;
    }
    return true;
}

/* Where a word stands in ASCII or UTF-16 of either order; size: nowhere. */
static size_t find(const char *head, size_t size, const char *word)
{
    const size_t length = strlen(word);
    const char *at = memmem(head, size, word, length);
    char wide[2 * WORD_MAX] = {0};

    if (at == NULL && length <= WORD_MAX) {
        for (size_t i = 0; i < length; i++) {
            wide[2 * i] = word[i];
        }
        at = memmem(head, size, wide, 2 * length - 1);
    }
    return at == NULL ? size : (size_t)(at - head);
}

bool events_are_there(const char *head, size_t size)
{
    size_t i = 0;

    while (i < size &&
           (is_blank(head[i]) || head[i] == '\0' || strchr("\xef\xbb\xbf\xfe\xff", head[i]))) {
        i++;
    }
    return i < size && head[i] == '<' && find(head, size, "<Event") < size;
}

int events_sniff(const char *head, size_t size, const char *provider)
{
    const bool is_gateway = strcmp(provider, EVENTS_GATEWAY) == 0;
    const size_t own = find(head, size, provider);
    const size_t other = find(head, size, is_gateway ? EVENTS_SECURITY : EVENTS_GATEWAY);

    return own < other && events_are_there(head, size) ? 95 : 0;
}
