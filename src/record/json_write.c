/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "loginstorm/comparison.h"
#include "loginstorm/zone.h"

#include "record/fields.h"

/* Names come from files and from the system; bytes that are no UTF-8 become '?' rather than cost
 * the whole result. */
static json_t *text_json(const char *text)
{
    json_t *value;
    char *clean;

    if (text == NULL) {
        return json_null();
    }
    value = json_string(text);
    if (value != NULL) {
        return value;
    }
    clean = strdup(text);
    if (clean == NULL) {
        return NULL;
    }
    for (char *c = clean; *c != '\0'; c++) {
        if ((unsigned char)*c >= 0x80) {
            *c = '?';
        }
    }
    value = json_string(clean);
    free(clean);
    return value;
}

static json_t *seed_json(uint64_t seed)
{
    char digits[24];

    if (seed <= INT64_MAX) {
        return json_integer((json_int_t)seed);
    }
    (void)snprintf(digits, sizeof digits, "%llu", (unsigned long long)seed);
    return json_string(digits);
}

static json_t *known_real_json(double value)
{
    return value < 0 ? json_null() : json_real(value);
}

static json_t *clock_json(int64_t since_midnight_ns)
{
    char text[32];

    if (since_midnight_ns < 0) {
        return json_null();
    }
    clock_write(since_midnight_ns, text, sizeof text);
    return json_string(text);
}

static json_t *moment_json(int64_t utc_ns)
{
    char text[36];

    if (utc_ns < 0) {
        return json_null();
    }
    ls_moment_write(utc_ns, text, sizeof text);
    return json_string(text);
}

static json_t *sentences_json(const struct ls_validity *validity)
{
    json_t *list = json_array();

    for (size_t i = 0; i < validity->reasons_count; i++) {
        (void)json_array_append_new(list, text_json(validity->reasons[i]));
    }
    return list;
}

static json_t *quantiles_json(const struct ls_quantiles *q)
{
    return json_pack("{s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "count", (json_int_t)q->count,
                     "min", ls_json_us(q->min), "mean", ls_json_us(q->mean), "p50",
                     ls_json_us(q->p50), "p90", ls_json_us(q->p90), "p95", ls_json_us(q->p95),
                     "p99", ls_json_us(q->p99), "p99_9", ls_json_us(q->p99_9), "p100",
                     ls_json_us(q->p100));
}

static json_t *shown_json(const struct ls_shown *shown)
{
    if (shown->chain_length == 0) {
        return json_null();
    }
    return json_pack("{s:s, s:s, s:s, s:i, s:s, s:I}", "key", shown->key, "version", shown->version,
                     "group", shown->group, "chain_length", shown->chain_length, "expires",
                     shown->expires, "days_left", (json_int_t)shown->days_left);
}

static json_t *by_reason_json(const int64_t *counts)
{
    json_t *object = json_object();

    for (unsigned i = 0; i < LS_REASON_COUNT; i++) {
        if (counts[i] != 0) {
            (void)json_object_set_new(object, ls_reason_word((enum ls_reason)i),
                                      json_integer(counts[i]));
        }
    }
    return object;
}

/* A window is there when it has a length. */
static json_t *window_json(const struct field *field, const void *base)
{
    const int64_t at = *(const int64_t *)(const void *)((const char *)base + field->offset);
    const int64_t other =
        *(const int64_t *)(const void *)((const char *)base + field->other_offset);
    const int64_t length = field->kind == WINDOW_END ? at : other;

    if (length <= 0) {
        return json_null();
    }
    return clock_json(field->kind == WINDOW_END ? other + at : at);
}

static json_t *value_json(const struct field *field, const void *base)
{
    const void *at = (const char *)base + field->offset;

    switch (field->kind) {
    case TEXT:
    case NAME:
        return text_json(*(char *const *)at);
    case SEED:
        return seed_json(*(const uint64_t *)at);
    case COUNT:
        return json_integer(*(const int64_t *)at);
    case KNOWN_COUNT:
    case COUNT_SINCE:
        return *(const int64_t *)at < 0 ? json_null() : json_integer(*(const int64_t *)at);
    case SMALL:
        return json_integer(*(const int *)at);
    case REAL:
    case SIGNED_REAL:
        return json_real(*(const double *)at);
    case KNOWN_REAL:
        return known_real_json(*(const double *)at);
    case US:
    case US_SINCE:
        return ls_json_us(*(const int64_t *)at);
    case US_REAL:
        return us_real_json(*(const double *)at);
    case SPREAD:
        return spread_json(at);
    case FLAG:
        return json_boolean(*(const bool *)at);
    case ENGINE:
    case LOOP:
    case WAVE_SHAPE:
        return json_string(choice_word(field->kind, *(const bool *)at));
    case CLOCK:
        return clock_json(*(const int64_t *)at);
    case WINDOW_BEGIN:
    case WINDOW_END:
        return window_json(field, base);
    case VERDICT:
        return text_json(ls_verdict_word(*(const enum ls_verdict *)at));
    case SENTENCES:
        return sentences_json(at);
    case QUANTILES:
        return quantiles_json(at);
    case METHOD:
        return text_json(ls_method_word(*(const enum ls_method *)at));
    case FINDING:
        return text_json(ls_finding_word(*(const enum ls_finding *)at));
    case SHOWN:
        return shown_json(at);
    case BY_REASON:
        return by_reason_json(at);
    case MOMENT:
        return moment_json(*(const int64_t *)at);
    case PLACED:
        return text_json(at);
    }
    return NULL;
}

/* Sets a value where its path says, making the objects on the way. -1 when there is no memory;
 * takes the value either way. */
static int set_at(json_t *root, const char *path, json_t *value)
{
    const char *dot;
    json_t *object = root;

    while ((dot = strchr(path, '.')) != NULL) {
        const size_t length = (size_t)(dot - path);
        json_t *inner = json_object_getn(object, path, length);

        if (inner == NULL) {
            inner = json_object();
            if (json_object_setn_new(object, path, length, inner) != 0) {
                json_decref(value);
                return -1;
            }
        }
        object = inner;
        path = dot + 1;
    }
    return json_object_set_new(object, path, value);
}

int put_fields(json_t *root, const struct field *fields, size_t count, const void *base)
{
    for (size_t i = 0; i < count; i++) {
        if (set_at(root, fields[i].path, value_json(&fields[i], base)) != 0) {
            return -1;
        }
    }
    return 0;
}

static int put_timeline(json_t *root, const struct ls_run *run, int64_t from_ns)
{
    json_t *list = json_array();

    if (json_object_set_new(root, "timeline", list) != 0) {
        return -1;
    }
    for (size_t i = 0; i < run->timeline_count; i++) {
        json_t *row = json_object();
        char at[32];

        slice_clock(from_ns, run, &run->timeline[i], at, sizeof at);
        if (json_array_append_new(list, row) != 0 ||
            json_object_set_new(row, "at", json_string(at)) != 0 ||
            put_fields(row, moment_fields, moment_fields_count, &run->timeline[i]) != 0) {
            return -1;
        }
    }
    return 0;
}

static int put_waves(json_t *root, const struct ls_run *run)
{
    json_t *list = json_array();

    if (json_object_set_new(root, "waves", list) != 0) {
        return -1;
    }
    for (size_t i = 0; i < run->waves_count; i++) {
        const struct ls_wave_figures *wave = &run->waves[i];
        json_t *row = json_object(), *each = json_array();

        if (json_array_append_new(list, row) != 0 ||
            json_object_set_new(row, "handshakes_us", each) != 0 ||
            put_fields(row, wave_fields, wave_fields_count, wave) != 0) {
            return -1;
        }
        for (size_t n = 0; n < wave->each_count; n++) {
            if (json_array_append_new(each, ls_json_us(wave->each_ns[n])) != 0) {
                return -1;
            }
        }
    }
    return 0;
}

static int put_runs(json_t *root, const struct ls_result *result)
{
    json_t *list = json_array();

    if (json_object_set_new(root, "runs", list) != 0) {
        return -1;
    }
    for (size_t i = 0; i < result->runs_count; i++) {
        json_t *run = json_object();

        if (json_array_append_new(list, run) != 0 ||
            put_fields(run, run_fields, run_fields_count, &result->runs[i]) != 0 ||
            put_waves(run, &result->runs[i]) != 0 ||
            put_distributions(run, &result->runs[i]) != 0 ||
            put_mornings(run, &result->runs[i].mornings) != 0 ||
            put_shard_run(run, &result->runs[i].shard) != 0 ||
            put_timeline(run, &result->runs[i], result->from_ns) != 0) {
            return -1;
        }
    }
    return 0;
}

static json_t *target_value(const struct ls_target_outcome *target, int64_t value)
{
    if (!target->is_share) {
        return ls_json_us(value);
    }
    return value < 0 ? json_null() : json_real((double)value / 1e6);
}

static int put_targets(json_t *root, const struct ls_result *result)
{
    json_t *list = json_array();

    if (json_object_set_new(root, "targets", list) != 0) {
        return -1;
    }
    for (size_t i = 0; i < result->targets_count; i++) {
        const struct ls_target_outcome *target = &result->targets[i];
        json_t *row = json_pack(
            "{s:s, s:s, s:o, s:o, s:b, s:o, s:b}", "name", target->name, "unit",
            target->is_share ? "share" : "us", "limit", target_value(target, target->limit),
            "value", target_value(target, target->value), "met", target->met, "missed_by",
            target_value(target, ls_target_excess(target)), "never", target->never);

        if (json_array_append_new(list, row) != 0) {
            return -1;
        }
    }
    return 0;
}

int put_note_list(json_t *root, char *const *notes)
{
    json_t *list = json_array();

    if (json_object_set_new(root, "notes", list) != 0) {
        return -1;
    }
    for (; notes != NULL && *notes != NULL; notes++) {
        if (json_array_append_new(list, text_json(*notes)) != 0) {
            return -1;
        }
    }
    return 0;
}

/* Where there is none there is no such key either: costs belong to a simulation, a target to a live
 * storm. */
static int put_text(json_t *root, const char *key, const char *text)
{
    return text == NULL ? 0 : json_object_set_new(root, key, text_json(text));
}

static int put_comparison(json_t *root, const struct ls_comparison *comparison)
{
    json_t *value = json_null();

    if (comparison != NULL && ls_comparison_to_json(comparison, &value, NULL) != LS_OK) {
        return -1;
    }
    return json_object_set_new(root, "comparison", value);
}

enum ls_code ls_result_to_json(const struct ls_result *result, json_t **root, struct ls_error *err)
{
    json_t *top = json_pack("{s:s, s:i}", "format", FORMAT, "version", VERSION);

    *root = NULL;
    if (top == NULL || put_fields(top, result_fields, result_fields_count, result) != 0 ||
        put_text(top, "costs", result->costs) != 0 ||
        put_text(top, "target", result->target) != 0 || put_shards(top, result) != 0 ||
        put_note_list(top, result->notes) != 0 || put_runs(top, result) != 0 ||
        put_comparison(top, result->comparison) != 0 || put_targets(top, result) != 0) {
        json_decref(top);
        return ls_error_set(err, LS_ENOMEM, "no memory for the result");
    }
    *root = top;
    return LS_OK;
}
