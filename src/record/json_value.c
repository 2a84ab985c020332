/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "loginstorm/comparison.h"
#include "loginstorm/zone.h"

#include "record/fields.h"

bool read_text(const json_t *value, char **out)
{
    if (json_is_null(value)) {
        *out = NULL;
        return true;
    }
    *out = json_is_string(value) ? strdup(json_string_value(value)) : NULL;
    return *out != NULL;
}

static bool read_seed(const json_t *value, uint64_t *out)
{
    const char *text = json_string_value(value);
    char *end;

    if (json_is_integer(value) && json_integer_value(value) >= 0) {
        *out = (uint64_t)json_integer_value(value);
        return true;
    }
    if (text == NULL || text[0] < '0' || text[0] > '9') {
        return false;
    }
    errno = 0;
    *out = strtoull(text, &end, 10);
    return errno == 0 && *end == '\0';
}

static bool read_count(const json_t *value, int64_t least, int64_t most, int64_t *out)
{
    *out = (int64_t)json_integer_value(value);
    return json_is_integer(value) && *out >= least && *out <= most;
}

bool read_us(const json_t *value, int64_t *ns)
{
    if (json_is_null(value)) {
        *ns = LS_NEVER_NS;
        return true;
    }
    if (json_is_integer(value)) {
        const json_int_t us = json_integer_value(value);

        *ns = us >= 0 && us <= INT64_MAX / 1000 ? (int64_t)us * 1000 : LS_NEVER_NS;
    } else {
        const double us = json_real_value(value);

        *ns = json_is_real(value) && us >= 0 && us < 9e15 ? (int64_t)llround(us * 1000.0)
                                                          : LS_NEVER_NS;
    }
    return *ns >= 0;
}

bool read_real(const json_t *value, bool null_allowed, double *out)
{
    if (null_allowed && json_is_null(value)) {
        *out = -1;
        return true;
    }
    *out = json_number_value(value);
    return json_is_number(value) && *out >= 0;
}

static bool read_signed(const json_t *value, double *out)
{
    *out = json_number_value(value);
    return json_is_number(value);
}

static bool read_flag(const json_t *value, bool *out)
{
    *out = json_is_true(value);
    return json_is_boolean(value);
}

bool read_word(const json_t *value, const char *yes, const char *no, bool *out)
{
    const char *word = json_string_value(value);

    *out = word != NULL && strcmp(word, yes) == 0;
    return word != NULL && (*out || strcmp(word, no) == 0);
}

static bool read_clock(const json_t *value, int64_t *out)
{
    *out = -1;
    if (json_is_null(value)) {
        return true;
    }
    return json_is_string(value) && clock_read(json_string_value(value), out);
}

/* No window begins at 0. */
static bool read_window_begin(const json_t *value, int64_t *from_ns)
{
    if (!read_clock(value, from_ns)) {
        return false;
    }
    *from_ns = *from_ns < 0 ? 0 : *from_ns;
    return true;
}

/* `to` at or before `from` is the next day. Without an end there is no window, and so no begin. */
static bool read_window_end(const json_t *value, int64_t from_ns, int64_t *window_ns)
{
    int64_t to_ns;

    *window_ns = 0;
    if (!read_clock(value, &to_ns)) {
        return false;
    }
    if (to_ns < 0) {
        return from_ns == 0;
    }
    *window_ns = to_ns > from_ns ? to_ns - from_ns : to_ns + LS_NS_PER_DAY - from_ns;
    return true;
}

static bool read_verdict(const json_t *value, enum ls_verdict *out)
{
    const char *word = json_string_value(value);

    for (enum ls_verdict v = LS_VALID; word != NULL && v <= LS_INVALID; v++) {
        if (strcmp(word, ls_verdict_word(v)) == 0) {
            *out = v;
            return true;
        }
    }
    return false;
}

static bool read_method(const json_t *value, enum ls_method *out)
{
    const char *word = json_string_value(value);

    for (enum ls_method m = LS_METHOD_NONE; word != NULL && m <= LS_METHOD_SINGLE; m++) {
        if (strcmp(word, ls_method_word(m)) == 0) {
            *out = m;
            return true;
        }
    }
    return false;
}

static bool read_finding(const json_t *value, enum ls_finding *out)
{
    const char *word = json_string_value(value);

    for (enum ls_finding f = LS_NOT_KNOWN; word != NULL && f <= LS_MORE; f++) {
        if (strcmp(word, ls_finding_word(f)) == 0) {
            *out = f;
            return true;
        }
    }
    if (word != NULL && strcmp(word, "no_difference") == 0) {
        *out = LS_NOT_SHOWN; /* in results made before the two were told apart */
        return true;
    }
    return false;
}

static bool read_sentences(const json_t *value, struct ls_validity *validity)
{
    const size_t count = json_array_size(value);

    if (!json_is_array(value) || count > LS_REASONS_MAX) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        const char *text = json_string_value(json_array_get(value, i));

        if (text == NULL || strlen(text) >= sizeof validity->reasons[i]) {
            return false;
        }
        (void)snprintf(validity->reasons[i], sizeof validity->reasons[i], "%s", text);
    }
    validity->reasons_count = count;
    return true;
}

static bool read_quantiles(const json_t *value, struct ls_quantiles *q)
{
    return read_count(json_object_get(value, "count"), 0, INT64_MAX, &q->count) &&
           read_us(json_object_get(value, "min"), &q->min) &&
           read_us(json_object_get(value, "mean"), &q->mean) &&
           read_us(json_object_get(value, "p50"), &q->p50) &&
           read_us(json_object_get(value, "p90"), &q->p90) &&
           read_us(json_object_get(value, "p95"), &q->p95) &&
           read_us(json_object_get(value, "p99"), &q->p99) &&
           read_us(json_object_get(value, "p99_9"), &q->p99_9) &&
           read_us(json_object_get(value, "p100"), &q->p100);
}

static bool read_by_reason(json_t *value, int64_t *counts)
{
    const char *word;
    json_t *count;

    if (!json_is_object(value)) {
        return false;
    }
    json_object_foreach(value, word, count)
    {
        enum ls_reason reason;

        if (!ls_reason_find(word, &reason) || !read_count(count, 0, INT64_MAX, &counts[reason])) {
            return false;
        }
    }
    return true;
}

static bool read_short(const json_t *value, char *out, size_t size)
{
    const char *text = json_string_value(value);

    if (text == NULL || strlen(text) >= size) {
        return false;
    }
    (void)snprintf(out, size, "%s", text);
    return true;
}

static bool read_small(const json_t *value, int *out)
{
    int64_t wide;
    const bool fits = read_count(value, 0, INT32_MAX, &wide);

    *out = fits ? (int)wide : 0;
    return fits;
}

static bool read_shown(const json_t *value, struct ls_shown *out)
{
    const json_t *days = json_object_get(value, "days_left");

    *out = (struct ls_shown){.chain_length = 0};
    if (json_is_null(value)) {
        return true;
    }
    out->days_left = json_integer_value(days);
    return json_is_integer(days) &&
           read_short(json_object_get(value, "key"), out->key, sizeof out->key) &&
           read_short(json_object_get(value, "version"), out->version, sizeof out->version) &&
           read_short(json_object_get(value, "group"), out->group, sizeof out->group) &&
           read_short(json_object_get(value, "expires"), out->expires, sizeof out->expires) &&
           read_small(json_object_get(value, "chain_length"), &out->chain_length) &&
           out->chain_length > 0;
}

static bool read_known_count(const json_t *value, int64_t *out)
{
    *out = -1;
    return json_is_null(value) || read_count(value, 0, INT64_MAX, out);
}

static bool read_moment(const json_t *value, int64_t *utc_ns)
{
    const char *text = json_string_value(value);
    char again[36];

    *utc_ns = LS_NEVER_NS;
    if (json_is_null(value)) {
        return true;
    }
    if (text == NULL || !ls_moment_read(text, utc_ns) || *utc_ns < 0) {
        return false;
    }
    ls_moment_write(*utc_ns, again, sizeof again);
    return strcmp(text, again) == 0;
}

static bool read_time(const struct field *field, const json_t *value, void *base)
{
    void *at = (char *)base + field->offset;

    switch (field->kind) {
    case CLOCK:
        return read_clock(value, at);
    case WINDOW_BEGIN:
        return read_window_begin(value, at);
    case WINDOW_END:
        return read_window_end(
            value, *(const int64_t *)(const void *)((const char *)base + field->other_offset), at);
    default:
        return read_moment(value, at);
    }
}

bool read_value(const struct field *field, json_t *value, void *base)
{
    void *at = (char *)base + field->offset;

    switch (field->kind) {
    case TEXT:
        return read_text(value, at);
    case NAME:
        return json_is_string(value) && read_text(value, at);
    case SEED:
        return read_seed(value, at);
    case COUNT:
        return read_count(value, 0, INT64_MAX, at);
    case KNOWN_COUNT:
    case COUNT_SINCE:
        return read_known_count(value, at);
    case SMALL:
        return read_small(value, at);
    case REAL:
        return read_real(value, false, at);
    case KNOWN_REAL:
        return read_real(value, true, at);
    case SIGNED_REAL:
        return read_signed(value, at);
    case US:
    case US_SINCE:
        return read_us(value, at);
    case US_REAL:
        return read_us_real(value, at);
    case SPREAD:
        return read_spread(value, at);
    case FLAG:
        return read_flag(value, at);
    case ENGINE:
    case LOOP:
    case WAVE_SHAPE:
        return read_word(value, choice_word(field->kind, true), choice_word(field->kind, false),
                         at);
    case CLOCK:
    case WINDOW_BEGIN:
    case WINDOW_END:
    case MOMENT:
        return read_time(field, value, base);
    case VERDICT:
        return read_verdict(value, at);
    case SENTENCES:
        return read_sentences(value, at);
    case QUANTILES:
        return read_quantiles(value, at);
    case METHOD:
        return read_method(value, at);
    case FINDING:
        return read_finding(value, at);
    case SHOWN:
        return read_shown(value, at);
    case BY_REASON:
        return read_by_reason(value, at);
    case PLACED:
        return read_short(value, at, field->other_offset);
    }
    return false;
}
