/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "loginstorm/comparison.h"

#include "record/fields.h"

/* 10,000 slices a run, some certificates: far below this; a wrong file is refused before it is
 * held. */

json_t *get_at(const json_t *object, const char *path)
{
    const char *dot;

    while ((dot = strchr(path, '.')) != NULL) {
        object = json_object_getn(object, path, (size_t)(dot - path));
        path = dot + 1;
    }
    return json_object_get(object, path);
}

enum ls_code wrong(const char *path, const json_t *value, const char *where, struct ls_error *err)
{
    return ls_error_set_at(err, path, 0, 0, "%s: %s", where,
                           value == NULL ? "missing" : "not a value that loginstorm writes there");
}

enum ls_code get_fields(const json_t *root, const struct field *fields, size_t count, void *base,
                        struct spot spot, struct ls_error *err)
{
    for (size_t i = 0; i < count; i++) {
        json_t *const none = json_null();
        json_t *value = get_at(root, fields[i].path);

        if (value == NULL && (fields[i].kind == US_SINCE || fields[i].kind == COUNT_SINCE ||
                              fields[i].kind == SHOWN)) {
            value = none;
        }
        if (value == NULL || !read_value(&fields[i], value, base)) {
            char where[160];

            (void)snprintf(where, sizeof where, "%s%s", spot.prefix, fields[i].path);
            if (json_is_string(value) && (fields[i].kind == TEXT || fields[i].kind == NAME)) {
                return ls_error_set(err, LS_ENOMEM, "no memory for %s of %s", where, spot.path);
            }
            return wrong(spot.path, value, where, err);
        }
    }
    return LS_OK;
}

static enum ls_code get_timeline(const json_t *root, struct ls_run *run, int64_t from_ns,
                                 struct spot spot, struct ls_error *err)
{
    const json_t *list = json_object_get(root, "timeline");
    const size_t count = json_array_size(list);
    char where[80];

    (void)snprintf(where, sizeof where, "%stimeline", spot.prefix);
    if (!json_is_array(list) || run->slice_ns <= 0 ||
        (count > 0 && run->slice_ns > INT64_MAX / 2 / (int64_t)count)) {
        return wrong(spot.path, list, where, err);
    }
    run->timeline = calloc(count + 1, sizeof *run->timeline);
    if (run->timeline == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for a timeline of %zu slices", count);
    }
    run->timeline_count = count;
    for (size_t i = 0; i < count; i++) {
        const json_t *row = json_array_get(list, i);
        const char *at = json_string_value(json_object_get(row, "at"));
        enum ls_code code;
        char expected[32];

        run->timeline[i].at_ns = (int64_t)i * run->slice_ns;
        slice_clock(from_ns, run, &run->timeline[i], expected, sizeof expected);
        (void)snprintf(where, sizeof where, "%stimeline[%zu].", spot.prefix, i);
        if (at == NULL || strcmp(at, expected) != 0) {
            return ls_error_set_at(err, spot.path, 0, 0, "%sat: not %s, where that slice begins",
                                   where, expected);
        }
        code = get_fields(row, moment_fields, moment_fields_count, &run->timeline[i],
                          (struct spot){spot.path, where}, err);
        if (code != LS_OK) {
            return code;
        }
    }
    return LS_OK;
}

/* Each handshake of a sequence. */
static enum ls_code get_each(const json_t *row, struct ls_wave_figures *wave, struct spot spot,
                             struct ls_error *err)
{
    const json_t *list = json_object_get(row, "handshakes_us");
    const size_t count = json_array_size(list);
    char where[96];

    (void)snprintf(where, sizeof where, "%shandshakes_us", spot.prefix);
    if (!json_is_array(list) || count > LS_EACH_MAX) {
        return wrong(spot.path, list, where, err);
    }
    wave->each_ns = calloc(count + 1, sizeof *wave->each_ns);
    if (wave->each_ns == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for %zu handshakes", count);
    }
    wave->each_count = count;
    for (size_t i = 0; i < count; i++) {
        const json_t *value = json_array_get(list, i);

        if (!read_us(value, &wave->each_ns[i])) {
            return wrong(spot.path, value, where, err);
        }
    }
    return LS_OK;
}

static enum ls_code get_waves(const json_t *root, struct ls_run *run, struct spot spot,
                              struct ls_error *err)
{
    const json_t *list = json_object_get(root, "waves");
    const size_t count = json_array_size(list);
    enum ls_code code = LS_OK;
    char where[80];

    (void)snprintf(where, sizeof where, "%swaves", spot.prefix);
    if (!json_is_array(list)) {
        return wrong(spot.path, list, where, err);
    }
    run->waves = calloc(count + 1, sizeof *run->waves);
    if (run->waves == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for %zu waves", count);
    }
    run->waves_count = count;
    for (size_t i = 0; code == LS_OK && i < count; i++) {
        const json_t *row = json_array_get(list, i);
        const struct spot here = {spot.path, where};

        (void)snprintf(where, sizeof where, "%swaves[%zu].", spot.prefix, i);
        code = get_fields(row, wave_fields, wave_fields_count, &run->waves[i], here, err);
        if (code == LS_OK) {
            code = get_each(row, &run->waves[i], here, err);
        }
    }
    return code;
}

static enum ls_code get_runs(const json_t *root, struct ls_result *result, const char *path,
                             struct ls_error *err)
{
    const json_t *list = json_object_get(root, "runs");
    const size_t count = json_array_size(list);
    enum ls_code code = LS_OK;

    if (!json_is_array(list)) {
        return wrong(path, list, "runs", err);
    }
    result->runs = calloc(count + 1, sizeof *result->runs);
    if (result->runs == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for %zu runs", count);
    }
    result->runs_count = count;
    for (size_t i = 0; code == LS_OK && i < count; i++) {
        struct ls_run *run = &result->runs[i];
        const json_t *row = json_array_get(list, i);
        char prefix[40];

        (void)snprintf(prefix, sizeof prefix, "runs[%zu].", i);
        code = get_fields(row, run_fields, run_fields_count, run, (struct spot){path, prefix}, err);
        if (code == LS_OK) {
            code = get_waves(row, run, (struct spot){path, prefix}, err);
        }
        if (code == LS_OK) {
            code = get_distributions(row, run, (struct spot){path, prefix}, err);
        }
        if (code == LS_OK) {
            code = get_mornings(row, &run->mornings, (struct spot){path, prefix}, err);
        }
        if (code == LS_OK) {
            code = get_shard_run(row, &run->shard, (struct spot){path, prefix}, err);
        }
        if (code == LS_OK) {
            code = get_timeline(row, run, result->from_ns, (struct spot){path, prefix}, err);
        }
    }
    return code;
}

static bool read_share(const json_t *value, int64_t *millionths)
{
    double share;

    if (!read_real(value, true, &share) || share > 1e9) {
        return false;
    }
    *millionths = share < 0 ? -1 : (int64_t)llround(share * 1e6);
    return true;
}

static bool read_target(const json_t *row, struct ls_target_outcome *target)
{
    const char *name = json_string_value(json_object_get(row, "name"));
    const json_t *limit = json_object_get(row, "limit");
    const json_t *value = json_object_get(row, "value");
    const json_t *met = json_object_get(row, "met");
    const json_t *never = json_object_get(row, "never"); /* older files do not have it */

    if (name == NULL || strlen(name) >= sizeof target->name || !json_is_boolean(met) ||
        (never != NULL && !json_is_boolean(never)) ||
        !read_word(json_object_get(row, "unit"), "share", "us", &target->is_share)) {
        return false;
    }
    (void)snprintf(target->name, sizeof target->name, "%s", name);
    target->met = json_is_true(met);
    target->never = json_is_true(never);
    if (target->is_share) {
        return read_share(limit, &target->limit) && read_share(value, &target->value);
    }
    return read_us(limit, &target->limit) && read_us(value, &target->value);
}

static enum ls_code get_targets(const json_t *root, struct ls_result *result, const char *path,
                                struct ls_error *err)
{
    const json_t *list = json_object_get(root, "targets");
    const size_t count = json_array_size(list);

    if (!json_is_array(list)) {
        return wrong(path, list, "targets", err);
    }
    result->targets = calloc(count + 1, sizeof *result->targets);
    if (result->targets == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for %zu targets", count);
    }
    result->targets_count = count;
    for (size_t i = 0; i < count; i++) {
        const json_t *row = json_array_get(list, i);

        if (!read_target(row, &result->targets[i])) {
            return wrong(path, row, "targets", err);
        }
    }
    return LS_OK;
}

enum ls_code get_note_list(const json_t *root, char ***notes, const char *path,
                           struct ls_error *err)
{
    const json_t *list = json_object_get(root, "notes");
    const size_t count = json_array_size(list);

    if (!json_is_array(list)) {
        return wrong(path, list, "notes", err);
    }
    *notes = calloc(count + 1, sizeof **notes);
    if (*notes == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for %zu notes", count);
    }
    for (size_t i = 0; i < count; i++) {
        const json_t *note = json_array_get(list, i);

        if (!json_is_string(note) || !read_text(note, &(*notes)[i])) {
            return wrong(path, note, "notes", err);
        }
    }
    return LS_OK;
}

/* A file without the key, or with null there, has none. */
static enum ls_code get_comparison(const json_t *root, struct ls_result *result, const char *path,
                                   struct ls_error *err)
{
    const json_t *value = json_object_get(root, "comparison");

    if (value == NULL || json_is_null(value)) {
        return LS_OK;
    }
    return ls_comparison_from_json(&result->comparison, value, path, err);
}

/* A text that not every file has. */
static enum ls_code get_text(const json_t *root, const char *key, char **text, const char *path,
                             struct ls_error *err)
{
    const json_t *value = json_object_get(root, key);

    if (value == NULL) {
        return LS_OK;
    }
    return read_text(value, text) ? LS_OK : wrong(path, value, key, err);
}

static enum ls_code check_format(const json_t *root, const char *path, struct ls_error *err)
{
    const char *format = json_string_value(json_object_get(root, "format"));
    const json_t *version = json_object_get(root, "version");

    if (format == NULL || strcmp(format, FORMAT) != 0) {
        return ls_error_set_at(err, path, 0, 0, "not a loginstorm result");
    }
    if (!json_is_integer(version) || json_integer_value(version) != VERSION) {
        return ls_error_set_at(err, path, 0, 0, "version: this loginstorm reads version %d only",
                               VERSION);
    }
    return LS_OK;
}

enum ls_code ls_result_from_json(struct ls_result **out, const json_t *root, const char *path,
                                 struct ls_error *err)
{
    struct ls_result *result;
    enum ls_code code = check_format(root, path, err);

    *out = NULL;
    if (code != LS_OK) {
        return code;
    }
    result = calloc(1, sizeof *result);
    if (result == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for the result");
    }
    code =
        get_fields(root, result_fields, result_fields_count, result, (struct spot){path, ""}, err);
    if (code == LS_OK) {
        code = get_text(root, "costs", &result->costs, path, err);
    }
    if (code == LS_OK) {
        code = get_text(root, "target", &result->target, path, err);
    }
    if (code == LS_OK) {
        code = get_shards(root, result, path, err);
    }
    if (code == LS_OK) {
        code = get_note_list(root, &result->notes, path, err);
    }
    if (code == LS_OK) {
        code = get_runs(root, result, path, err);
    }
    if (code == LS_OK) {
        code = get_targets(root, result, path, err);
    }
    if (code == LS_OK) {
        code = get_comparison(root, result, path, err);
    }
    if (code != LS_OK) {
        ls_result_free(result);
        return code;
    }
    *out = result;
    return LS_OK;
}

void ls_result_free(struct ls_result *result)
{
    if (result == NULL) {
        return;
    }
    for (size_t i = 0; i < result_fields_count; i++) {
        if (result_fields[i].kind == TEXT) {
            free(*(char **)(void *)((char *)result + result_fields[i].offset));
        }
    }
    for (char **note = result->notes; note != NULL && *note != NULL; note++) {
        free(*note);
    }
    free(result->notes);
    free(result->costs);
    free(result->target);
    for (size_t i = 0; i < result->runs_count; i++) {
        ls_run_clear(&result->runs[i]);
    }
    free(result->runs);
    free(result->targets);
    free(result->merged);
    ls_comparison_free(result->comparison);
    free(result);
}
