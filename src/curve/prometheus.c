/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * What a range query of Prometheus (or Thanos, Mimir, VictoriaMetrics) answers: series one behind
 * the other, each with its samples over the whole time. Amounts are added up by interval while they
 * come; the counts are given when all series are there.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "curve/formats.h"
#include "curve/json_stream.h"
#include "curve/rises.h"
#include "loginstorm/units.h"

#define NAME_SIZE 256
#define ERROR_MAX 200

struct prometheus {
    struct sink *sink;
    struct json_stream stream;
    struct rises rises;
    int64_t documents;
    char error[ERROR_MAX], kind[NAME_SIZE]; /* of an answer that is an error */
    bool is_error;
    char name[NAME_SIZE]; /* of the series being read */
    /* Of the sample. */
    int64_t at_ns;
    double value;
    const char *time_why, *value_why; /* why it has none */
};

static enum ls_code refuse_kind(const struct prometheus *prometheus, const char *what,
                                struct ls_error *err)
{
    return ls_error_set_at(err, prometheus->sink->path, 0, 0,
                           "it is no range query: %s; ask /api/v1/query_range, with start, end and "
                           "step",
                           what);
}

static void take_text(char *out, size_t room, struct slice text)
{
    size_t i = 0;

    for (; i + 1 < room && i < text.size; i++) {
        out[i] = (unsigned char)text.at[i] < 0x20 || text.at[i] == 0x7f ? ' ' : text.at[i];
    }
    out[i] = '\0';
}

/* Up to 15 digits, which are most values. */
static bool read_whole(struct slice text, double *value)
{
    int64_t whole = 0;

    for (size_t i = 0; i < text.size; i++) {
        if (text.at[i] < '0' || text.at[i] > '9' || i == 15) {
            return false;
        }
        whole = whole * 10 + (text.at[i] - '0');
    }
    *value = (double)whole;
    return text.size > 0;
}

/* "17", "1.5e+06", "NaN", "+Inf": a string, since JSON has no words for the last. */
static void read_value(struct prometheus *prometheus, struct slice text)
{
    char number[64];
    char *end;

    prometheus->value_why = NULL;
    if (read_whole(text, &prometheus->value)) {
        return;
    }
    prometheus->value_why = "a value that is no number";
    if (text.size == 0 || text.size >= sizeof number ||
        strchr("+-.0123456789NI", text.at[0]) == NULL) {
        return;
    }
    memcpy(number, text.at, text.size);
    number[text.size] = '\0';
    prometheus->value = strtod(number, &end);
    if (*end == '\0' && !isnan(prometheus->value)) {
        prometheus->value_why = isinf(prometheus->value)        ? "an infinite value"
                                : prometheus->value < 0         ? "a value below 0"
                                : prometheus->value > RISES_MAX ? "a value beyond 10^15"
                                                                : NULL;
    } else if (*end == '\0') {
        prometheus->value_why = "NaN, so no value";
    }
}

/* Ten digits, which are the seconds of our time, and perhaps a fraction; the rest is for stamp_read. */
static bool read_seconds(struct slice text, int64_t *utc_ns)
{
    int64_t unit_ns = LS_NS_PER_S / 10;
    double seconds;

    if (text.size < 10 || text.at[0] > '8' || text.size == 11 || text.size > 20 ||
        !read_whole((struct slice){text.at, 10}, &seconds) ||
        (text.size > 10 && text.at[10] != '.')) {
        return false;
    }
    *utc_ns = (int64_t)seconds * LS_NS_PER_S;
    for (size_t i = 11; i < text.size; i++, unit_ns /= 10) {
        if (text.at[i] < '0' || text.at[i] > '9') {
            return false;
        }
        *utc_ns += (text.at[i] - '0') * unit_ns;
    }
    return true;
}

static void begin_sample(struct prometheus *prometheus)
{
    prometheus->sink->record++;
    prometheus->time_why = "a sample without a time";
    prometheus->value_why = "a sample without a value";
}

/* The two of a sample: when, as a number, and how much, as a string. */
static void take_of_sample(struct prometheus *prometheus, const struct json_item *item)
{
    struct stamp stamp;
    const char *why = NULL;

    if (item->index == 1 && (item->kind == JSON_STRING || item->kind == JSON_NUMBER)) {
        read_value(prometheus, item->text);
    } else if (item->index == 0 && item->kind == JSON_NUMBER) {
        if (read_seconds(item->text, &prometheus->at_ns)) {
            prometheus->time_why = NULL;
        } else if (stamp_read(&stamp, item->text.at, item->text.size, LS_DATE_UNKNOWN, &why) ==
                       item->text.size &&
                   stamp.is_utc_ns) {
            prometheus->at_ns = stamp.utc_ns;
            prometheus->time_why = NULL;
        }
    }
}

static enum ls_code end_sample(struct prometheus *prometheus, struct ls_error *err)
{
    const char *why = prometheus->time_why != NULL ? prometheus->time_why : prometheus->value_why;

    if (why != NULL) {
        prometheus->sink->skip(prometheus->sink, why, "", 0);
        return LS_OK;
    }
    return rises_sample(&prometheus->rises, prometheus->at_ns, prometheus->value, err);
}

static enum ls_code end_document(struct prometheus *prometheus, struct ls_error *err)
{
    prometheus->documents++;
    if (!prometheus->is_error) {
        return LS_OK;
    }
    return ls_error_set_at(err, prometheus->sink->path, 0, 0,
                           "Prometheus answered with an error: %s%s%s", prometheus->kind,
                           prometheus->kind[0] == '\0' || prometheus->error[0] == '\0' ? "" : ": ",
                           prometheus->error);
}

/* What stands around the series. */
static enum ls_code take_around(struct prometheus *prometheus, const struct json_item *item,
                                struct ls_error *err)
{
    if (item->path.size == 0 && item->kind == JSON_OBJECT_END) {
        return end_document(prometheus, err);
    }
    if (json_is_at(item, "/data/resultType") && item->kind == JSON_STRING &&
        !slice_is(item->text, "matrix")) {
        char type[40], what[96];

        take_text(type, sizeof type, item->text);
        (void)snprintf(what, sizeof what, "its resultType is %s, one moment alone", type);
        return refuse_kind(prometheus, what, err);
    }
    if (json_is_at(item, "/status") && slice_is(item->text, "error")) {
        prometheus->is_error = true;
    } else if (json_is_at(item, "/error") && item->kind == JSON_STRING) {
        take_text(prometheus->error, sizeof prometheus->error, item->text);
    } else if (json_is_at(item, "/errorType") && item->kind == JSON_STRING) {
        take_text(prometheus->kind, sizeof prometheus->kind, item->text);
    } else if (json_is_at(item, "/warnings/*") && item->kind == JSON_STRING) {
        char text[200] = "Prometheus warns: ";

        take_text(text + strlen(text), 180, item->text);
        prometheus->sink->note(prometheus->sink, text);
    }
    return LS_OK;
}

/* What a series has, by the way from there. */
static enum ls_code take_of_series(struct prometheus *prometheus, const struct json_item *item,
                                   struct slice way, struct ls_error *err)
{
    struct sink *sink = prometheus->sink;

    if (slice_is(way, "/values/*/*")) {
        take_of_sample(prometheus, item);
    } else if (slice_is(way, "/values/*") && item->kind == JSON_ARRAY) {
        begin_sample(prometheus);
    } else if (slice_is(way, "/values/*") && item->kind == JSON_ARRAY_END) {
        return end_sample(prometheus, err);
    } else if (slice_is(way, "/metric/__name__") && item->kind == JSON_STRING) {
        take_text(prometheus->name, sizeof prometheus->name, item->text);
    } else if (slice_is(way, "/value") && item->kind == JSON_ARRAY) {
        return refuse_kind(prometheus, "its series have one value each", err);
    } else if (slice_is(way, "/histograms/*") && item->kind == JSON_ARRAY) {
        sink->record++;
        sink->skip(sink, "a native histogram: ask for histogram_count() of it", "", 0);
    }
    return LS_OK;
}

/* A whole answer, or its result alone, as jq .data.result gives it. */
static enum ls_code take(void *data, const struct json_item *item, struct ls_error *err)
{
    static const char *const roots[] = {"/data/result/*", "/*"};
    struct prometheus *prometheus = data;

    for (size_t i = 0; i < 2; i++) {
        const size_t size = strlen(roots[i]);
        const struct slice way = {item->path.at + size, item->path.size - size};

        if (!slice_begins(item->path, roots[i]) || (way.size > 0 && way.at[0] != '/')) {
            continue;
        }
        if (way.size > 0) {
            return take_of_series(prometheus, item, way, err);
        }
        if (item->kind == JSON_OBJECT) {
            prometheus->name[0] = '\0';
            rises_begin_series(&prometheus->rises);
        } else if (item->kind == JSON_OBJECT_END) {
            rises_end_series(&prometheus->rises, prometheus->name);
        }
        return LS_OK;
    }
    return take_around(prometheus, item, err);
}

static enum ls_code begin(void **state, struct sink *sink, struct ls_error *err)
{
    struct prometheus *prometheus = calloc(1, sizeof *prometheus);
    enum ls_code code;

    if (prometheus == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory to read JSON");
    }
    code = rises_init(&prometheus->rises, sink, err);
    if (code != LS_OK) {
        free(prometheus);
        return code;
    }
    prometheus->sink = sink;
    json_stream_init(&prometheus->stream, sink, take, prometheus);
    *state = prometheus;
    return LS_OK;
}

static enum ls_code feed(void *state, const char *bytes, size_t size, struct ls_error *err)
{
    return json_stream_feed(&((struct prometheus *)state)->stream, bytes, size, err);
}

static enum ls_code end(void *state, struct ls_error *err)
{
    struct prometheus *prometheus = state;
    enum ls_code code = json_stream_end(&prometheus->stream, err);
    char text[200];

    if (prometheus->documents > 1) {
        (void)snprintf(text, sizeof text,
                       "%" PRId64 " answers in one log are added up: a series that is in two of "
                       "them over the same time counts twice",
                       prometheus->documents);
        prometheus->sink->note(prometheus->sink, text);
    }
    return code == LS_OK ? rises_end(&prometheus->rises, err) : code;
}

static void drop(void *state)
{
    struct prometheus *prometheus = state;

    rises_free(&prometheus->rises);
    free(prometheus);
}

static bool has(const char *head, size_t size, const char *word)
{
    return memmem(head, size, word, strlen(word)) != NULL;
}

static int sniff(const char *head, size_t size)
{
    size_t at = 0;

    while (at < size && strchr(" \t\r\n", head[at]) != NULL && head[at] != '\0') {
        at++;
    }
    if (at == size || (head[at] != '{' && head[at] != '[')) {
        return 0;
    }
    if (has(head, size, "\"resultType\"") ||
        (has(head, size, "\"status\"") && has(head, size, "\"errorType\"")) ||
        (has(head, size, "\"metric\"") && has(head, size, "\"values\""))) {
        return 88;
    }
    return 0;
}

const struct format format_prometheus = {
    .word = "prometheus",
    .text = "range query of Prometheus, as JSON",
    .counts = "increases of a counter between samples, all series added up",
    .words = RISES_WORDS,
    .unit = "sample",
    .sniff = sniff,
    .begin = begin,
    .feed = feed,
    .end = end,
    .free = drop,
};
