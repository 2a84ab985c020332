/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * What Citrix Monitor's OData interface answers as JSON: pages of connections, in a log each or one
 * behind the other. {"value": [...], "@odata.nextLink": ...} of version 4, "odata.nextLink" of 3,
 * {"d": {"results": [...], "__next": ...}} of 2, and the array alone, as PowerShell saves it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "curve/formats.h"
#include "curve/json_stream.h"

#define TIME_DEFAULT "LogOnStartDate"
#define WHO_NONE 99
#define WHO_MAX 512 /* of a user's id, which is hashed */

static const char *const times[] = {"LogOnStartDate", "LogOnEndDate", "BrokeringDate",
                                    "EstablishmentDate", NULL};

/* Where a person is told, the surest first: of a connection itself, or with its session. A
 * SessionKey is of one session and a ClientAddress of a house or a proxy. */
static const char *const persons[] = {"UserId",
                                      "User/Id",
                                      "Session/UserId",
                                      "Session/User/Id",
                                      "UserName",
                                      "User/UserName",
                                      "Session/User/UserName",
                                      "Upn",
                                      "User/Upn",
                                      "Session/User/Upn",
                                      "User/Sid",
                                      "Session/User/Sid",
                                      NULL};

static const char *const records[] = {"/value/*", "/d/results/*", "/d/*", "/*", NULL};
static const char *const follows[] = {"/@odata.nextLink", "/odata.nextLink", "/d/__next", NULL};
static const char *const errors[] = {"/error/message", "/error/message/value",
                                     "/odata.error/message/value", NULL};

struct citrix {
    struct sink *sink;
    const char *time; /* which of them is counted */
    char reasons[3][64];
    struct json_stream stream;
    size_t record_size; /* of the way to the record that we are in; 0: in none */
    bool page_follows, is_null;
    char text[64]; /* the time */
    size_t text_size;
    int who_rank;
    char who[WHO_MAX];
    size_t who_size;
};

/* Its place among the words, or -1. */
static int place_of(struct slice text, const char *const *words)
{
    for (int i = 0; words[i] != NULL; i++) {
        if (slice_is(text, words[i])) {
            return i;
        }
    }
    return -1;
}

/* "/Date(1480492930123)/", as OData wrote it before version 3: milliseconds, and perhaps the writer's
 * zone, which changes nothing. */
static struct slice undress(struct slice text)
{
    static const char before[] = "/Date(";
    size_t size = 0;

    if (!slice_begins(text, before)) {
        return text;
    }
    text.at += sizeof before - 1;
    text.size -= sizeof before - 1;
    while (size < text.size && text.at[size] >= '0' && text.at[size] <= '9') {
        size++;
    }
    return (struct slice){text.at, size};
}

static enum ls_code end_record(struct citrix *citrix, struct ls_error *err)
{
    struct sink *sink = citrix->sink;
    const struct slice text = undress(slice_trim((struct slice){citrix->text, citrix->text_size}));
    struct event event = {.count = 1};
    const char *why = NULL;

    if (citrix->text_size == 0) {
        why = citrix->reasons[citrix->is_null ? 1 : 0];
    } else if (stamp_read(&event.stamp, text.at, text.size, sink->order, &why) == text.size) {
        why = NULL;
    } else if (why == NULL) {
        why = citrix->reasons[2];
    }
    if (why != NULL) {
        sink->skip(sink, why, citrix->text, citrix->text_size);
        return LS_OK;
    }
    event.who = citrix->who;
    event.who_size = citrix->who_size;
    return sink->event(sink, &event, err);
}

static void begin_record(struct citrix *citrix, const struct json_item *item)
{
    citrix->sink->record++;
    citrix->record_size = item->path.size;
    citrix->text_size = 0;
    citrix->is_null = false;
    citrix->who_rank = WHO_NONE;
    citrix->who_size = 0;
}

/* A value of a record, by the way from there. */
static void take_field(struct citrix *citrix, const struct json_item *item)
{
    const struct slice name = {item->path.at + citrix->record_size + 1,
                               item->path.size - citrix->record_size - 1};
    int rank;

    if (slice_is(name, citrix->time)) {
        citrix->is_null = item->kind == JSON_NULL;
        citrix->text_size = item->text.size < sizeof citrix->text ? item->text.size : 0;
        if (citrix->text_size > 0) {
            memcpy(citrix->text, item->text.at, citrix->text_size);
        }
        return;
    }
    rank = item->text.size == 0 || item->text.size > WHO_MAX ? -1 : place_of(name, persons);
    if (rank >= 0 && rank < citrix->who_rank) {
        citrix->who_rank = rank;
        citrix->who_size = item->text.size;
        memcpy(citrix->who, item->text.at, item->text.size);
    }
}

static void take_root(struct citrix *citrix, const struct json_item *item)
{
    struct sink *sink = citrix->sink;
    char text[200];

    if (item->path.size == 0) {
        if (item->kind == JSON_OBJECT || item->kind == JSON_ARRAY) {
            citrix->page_follows = false;
        } else if (item->kind == JSON_OBJECT_END) {
            sink->pages++;
            sink->pages_followed += citrix->page_follows;
        }
    } else if (item->kind == JSON_STRING && item->text.size > 0) {
        citrix->page_follows = citrix->page_follows || place_of(item->path, follows) >= 0;
        if (place_of(item->path, errors) >= 0) {
            (void)snprintf(text, sizeof text, "a page is an error of Citrix: %.*s",
                           item->text.size > 150 ? 150 : (int)item->text.size, item->text.at);
            sink->note(sink, text);
        }
    }
}

static enum ls_code take(void *data, const struct json_item *item, struct ls_error *err)
{
    struct citrix *citrix = data;

    if (citrix->record_size == 0) {
        if (item->kind == JSON_OBJECT && place_of(item->path, records) >= 0) {
            begin_record(citrix, item);
        } else {
            take_root(citrix, item);
        }
        return LS_OK;
    }
    if (item->path.size > citrix->record_size) {
        if (item->kind >= JSON_STRING) {
            take_field(citrix, item);
        }
        return LS_OK;
    }
    citrix->record_size = 0; /* its end */
    return end_record(citrix, err);
}

static enum ls_code begin(void **state, struct sink *sink, struct ls_error *err)
{
    const char *wanted = sink->wish->count == NULL ? TIME_DEFAULT : sink->wish->count;
    struct citrix *citrix;
    size_t i = 0;

    while (times[i] != NULL && strcasecmp(times[i], wanted) != 0) {
        i++;
    }
    if (times[i] == NULL) {
        return ls_error_set(err, LS_EUSAGE,
                            "--count: \"%.40s\" is none of LogOnStartDate, LogOnEndDate, "
                            "BrokeringDate, EstablishmentDate",
                            wanted);
    }
    citrix = malloc(sizeof *citrix);
    if (citrix == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory to read JSON");
    }
    memset(citrix, 0, offsetof(struct citrix, stream));
    citrix->sink = sink;
    citrix->time = times[i];
    citrix->record_size = 0;
    json_stream_init(&citrix->stream, sink, take, citrix);
    (void)snprintf(citrix->reasons[0], sizeof citrix->reasons[0], "no %s", times[i]);
    (void)snprintf(citrix->reasons[1], sizeof citrix->reasons[1], "%s is null", times[i]);
    (void)snprintf(citrix->reasons[2], sizeof citrix->reasons[2], "%s with something behind it",
                   times[i]);
    (void)snprintf(sink->counted, sizeof sink->counted,
                   "connections by their %s; a user is a UserId or UserName", times[i]);
    *state = citrix;
    return LS_OK;
}

static enum ls_code feed(void *state, const char *bytes, size_t size, struct ls_error *err)
{
    return json_stream_feed(&((struct citrix *)state)->stream, bytes, size, err);
}

static enum ls_code end(void *state, struct ls_error *err)
{
    return json_stream_end(&((struct citrix *)state)->stream, err);
}

static bool has(const char *head, size_t size, const char *word)
{
    return memmem(head, size, word, strlen(word)) != NULL;
}

/* A page, whose records may begin behind the first bytes; an object a line is of the format json. */
static int sniff(const char *head, size_t size)
{
    size_t at = 0;
    const bool is_odata = has(head, size, "odata.") || has(head, size, "\"results\"");
    const bool is_page = is_odata || has(head, size, "\"value\"");

    while (at < size && strchr(" \t\r\n", head[at]) != NULL && head[at] != '\0') {
        at++;
    }
    if (at == size || (head[at] != '[' && !(head[at] == '{' && is_page))) {
        return 0;
    }
    for (size_t i = 0; times[i] != NULL; i++) {
        if (has(head, size, times[i])) {
            return 90;
        }
    }
    return is_odata ? 40 : 0;
}

const struct format format_citrix = {
    .word = "citrix",
    .text = "Citrix Monitor, OData as JSON",
    .counts = "connections by their LogOnStartDate; a user is a UserId or UserName",
    .words = "LogOnStartDate, LogOnEndDate, BrokeringDate, EstablishmentDate",
    .unit = "record",
    .sniff = sniff,
    .begin = begin,
    .feed = feed,
    .end = end,
    .free = free,
};
