/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A cost profile's file, written and read by the same tables. */
#include "record/costs.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "loginstorm/near.h"
#include "record/fields.h"

#define TOP_FIELDS_MAX 64
#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static int put_loads(json_t *row, const struct ls_cost *cost)
{
    json_t *list = json_array();

    if (json_object_set_new(row, "loads", list) != 0) {
        return -1;
    }
    for (size_t i = 0; i < cost->at_count; i++) {
        json_t *at = json_object();

        if (json_array_append_new(list, at) != 0 ||
            put_fields(at, at_fields, at_fields_count, &cost->at[i]) != 0) {
            return -1;
        }
    }
    return 0;
}

static int put_rows(json_t *root, const struct ls_costs *costs)
{
    json_t *list = json_array();

    if (json_object_set_new(root, "handshakes", list) != 0) {
        return -1;
    }
    for (size_t i = 0; i < costs->count; i++) {
        json_t *row = json_object();

        if (json_array_append_new(list, row) != 0 ||
            put_fields(row, cost_fields, cost_fields_count, &costs->rows[i]) != 0 ||
            put_cost_line(row, &costs->rows[i].line) != 0 || put_loads(row, &costs->rows[i]) != 0) {
            return -1;
        }
    }
    return 0;
}

enum ls_code ls_costs_to_json(const struct ls_costs *costs, json_t **root, struct ls_error *err)
{
    json_t *top = json_pack("{s:s, s:i}", "format", COSTS_FORMAT, "version", COSTS_VERSION);

    *root = NULL;
    if (top == NULL || put_fields(top, costs_fields, costs_fields_count, costs) != 0 ||
        put_rows(top, costs) != 0) {
        json_decref(top);
        return ls_error_set(err, LS_ENOMEM, "no memory for the cost profile");
    }
    *root = top;
    return LS_OK;
}

/* 2: a value; 1: an object with more in it; 0: neither. */
static int known_as(const struct known *known, const char *path)
{
    const size_t length = strlen(path);

    for (size_t i = 0; i < COUNT_OF(known->others); i++) {
        if (known->others[i] != NULL && strcmp(known->others[i], path) == 0) {
            return 2;
        }
    }
    for (size_t i = 0; i < known->count; i++) {
        const char *field = known->fields[i].path;

        if (strncmp(field, path, length) == 0 && (field[length] == '\0' || field[length] == '.')) {
            return field[length] == '\0' ? 2 : 1;
        }
    }
    return 0;
}

static enum ls_code unknown(const struct known *known, const char *path, struct spot spot,
                            struct ls_error *err)
{
    const char *dot = strrchr(path, '.'), *words[32] = {0}, *nearest;
    const size_t within = dot == NULL ? 0 : (size_t)(dot + 1 - path);

    for (size_t i = 0; i < known->count && i < COUNT_OF(words); i++) {
        if (strncmp(known->fields[i].path, path, within) == 0) {
            words[i] = known->fields[i].path + within;
        }
    }
    nearest = ls_nearest(path + within, words, COUNT_OF(words));
    return ls_error_set_at(err, spot.path, 0, 0, "%s%.100s: a cost profile has no such field%s%s%s",
                           spot.prefix, path, nearest == NULL ? "" : "; did you mean ",
                           nearest == NULL ? "" : nearest, nearest == NULL ? "" : "?");
}

/* within: "" or "host.". A field's path has no more than three objects. */
static enum ls_code refuse_unknown(json_t *object, const struct known *known, const char *within,
                                   int depth, struct spot spot, struct ls_error *err)
{
    enum ls_code code = LS_OK;
    const char *key;
    json_t *value;

    json_object_foreach(object, key, value)
    {
        char path[160], inner[164];
        int is = 0;

        if (snprintf(path, sizeof path, "%s%s", within, key) < (int)sizeof path &&
            strchr(key, '.') == NULL) {
            is = known_as(known, path);
        }
        if (is == 0) {
            return unknown(known, path, spot, err);
        }
        if (is == 1 && depth > 0) {
            (void)snprintf(inner, sizeof inner, "%s.", path);
            code = refuse_unknown(value, known, inner, depth - 1, spot, err);
        }
        if (code != LS_OK) {
            return code;
        }
    }
    return LS_OK;
}

enum ls_code cost_take(json_t *object, const struct known *known, void *base, struct spot spot,
                       struct ls_error *err)
{
    enum ls_code code = refuse_unknown(object, known, "", 3, spot, err);

    return code == LS_OK ? get_fields(object, known->fields, known->count, base, spot, err) : code;
}

enum ls_code cost_bad(struct spot spot, struct ls_error *err, const char *what)
{
    return ls_error_set_at(err, spot.path, 0, 0, "%s%s", spot.prefix, what);
}

/* A profile that was made before pauses were measured knows none, which it says by both keys' absence. */
static bool knows_of_pauses(const json_t *root)
{
    const json_t *host = json_object_get(root, "host");

    return !json_is_object(host) || json_object_get(host, "pauses_per_s") != NULL ||
           json_object_get(host, "pauses_us") != NULL;
}

static enum ls_code take_top(json_t *root, struct ls_costs *costs, const char *path,
                             struct ls_error *err)
{
    struct field fields[TOP_FIELDS_MAX];
    struct known known = {.fields = fields, .others = {"format", "version", "handshakes"}};
    const bool all = knows_of_pauses(root);

    for (size_t i = 0; i < costs_fields_count && known.count < TOP_FIELDS_MAX; i++) {
        if (all || strncmp(costs_fields[i].path, "host.pauses_", strlen("host.pauses_")) != 0) {
            fields[known.count++] = costs_fields[i];
        }
    }
    if (!all) {
        costs->pauses_per_s = -1;
        ls_spread_of(&costs->pauses, NULL, 0);
    }
    return cost_take(root, &known, costs, (struct spot){path, ""}, err);
}

/* Figures that are each a number but cannot be together. */
static enum ls_code check_load(const struct ls_cost *cost, size_t i, struct spot spot,
                               struct ls_error *err)
{
    const struct ls_cost_at *at = &cost->at[i];

    if (at->cpu_ns < 0) {
        return cost_bad(spot, err,
                        "cpu_us.mean: missing: without it nothing is known of this load");
    }
    if (at->cpu_ns < 1) {
        return cost_bad(spot, err,
                        "cpu_us.mean: no handshake is free: at least 0.001 (microseconds of CPU)");
    }
    if (at->per_s > 1e9 || at->core_share > 1e3 || at->handshakes < 1 || at->rounds < 1) {
        return cost_bad(spot, err, "per_s, core_share, handshakes or rounds: out of range");
    }
    if ((at->cpu_low_ns < 0) != (at->cpu_high_ns < 0) || at->cpu_low_ns > at->cpu_high_ns) {
        return cost_bad(spot, err, "cpu_us.low, cpu_us.high: not an interval");
    }
    if (i > 0 && at->core_share < cost->at[i - 1].core_share) {
        return cost_bad(spot, err, "core_share: below that of the load before it");
    }
    return LS_OK;
}

static enum ls_code get_loads(const json_t *row, struct ls_cost *cost, struct spot spot,
                              struct ls_error *err)
{
    const struct known known = {.fields = at_fields, .count = at_fields_count};
    json_t *list = json_object_get(row, "loads");
    const size_t count = json_array_size(list);
    enum ls_code code = LS_OK;
    char where[96];

    if (!json_is_array(list) || count < 1 || count > LS_COST_LOADS_MAX) {
        (void)snprintf(where, sizeof where, "%sloads", spot.prefix);
        return list == NULL ? wrong(spot.path, list, where, err)
                            : ls_error_set_at(err, spot.path, 0, 0, "%s: not 1 to %d loads", where,
                                              LS_COST_LOADS_MAX);
    }
    cost->at_count = count;
    for (size_t i = 0; code == LS_OK && i < count; i++) {
        const struct spot here = {spot.path, where};

        (void)snprintf(where, sizeof where, "%sloads[%zu].", spot.prefix, i);
        code = cost_take(json_array_get(list, i), &known, &cost->at[i], here, err);
        if (code == LS_OK) {
            code = check_load(cost, i, here, err);
        }
    }
    return code;
}

static enum ls_code check_row(const struct ls_cost *cost, struct spot spot, struct ls_error *err)
{
    if (cost->version != NULL && strcmp(cost->version, "1.2") != 0 &&
        strcmp(cost->version, "1.3") != 0) {
        return cost_bad(spot, err, "version: not \"1.2\", \"1.3\" or null");
    }
    if (cost->resumed_share > 1 || cost->resumed != (cost->resumed_share >= 1)) {
        return cost_bad(spot, err, "resumed_share: not a share that fits `resumed`");
    }
    return LS_OK;
}

static enum ls_code get_rows(const json_t *root, struct ls_costs *costs, const char *path,
                             struct ls_error *err)
{
    const struct known known = {
        .fields = cost_fields, .count = cost_fields_count, .others = {"loads", "regression"}};
    json_t *list = json_object_get(root, "handshakes");
    const size_t count = json_array_size(list);
    enum ls_code code = LS_OK;

    if (!json_is_array(list)) {
        return wrong(path, list, "handshakes", err);
    }
    if (count < 1 || count > COSTS_ROWS_MAX) {
        return ls_error_set_at(err, path, 0, 0, "handshakes: not 1 to %d kinds", COSTS_ROWS_MAX);
    }
    costs->rows = calloc(count, sizeof *costs->rows);
    if (costs->rows == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for %zu kinds of handshake", count);
    }
    costs->count = count;
    for (size_t i = 0; code == LS_OK && i < count; i++) {
        json_t *row = json_array_get(list, i);
        char prefix[48];
        const struct spot spot = {path, prefix};

        (void)snprintf(prefix, sizeof prefix, "handshakes[%zu].", i);
        code = cost_take(row, &known, &costs->rows[i], spot, err);
        if (code == LS_OK) {
            code = check_row(&costs->rows[i], spot, err);
        }
        if (code == LS_OK) {
            code = get_cost_line(row, &costs->rows[i].line, spot, err);
        }
        if (code == LS_OK) {
            code = get_loads(row, &costs->rows[i], spot, err);
        }
    }
    return code;
}

static enum ls_code check_top(const struct ls_costs *costs, const char *path, struct ls_error *err)
{
    const struct spot spot = {path, ""};

    if (strcmp(costs->source, "calibrate") != 0 && strcmp(costs->source, "outside") != 0 &&
        strcmp(costs->source, "run") != 0 && strcmp(costs->source, "published") != 0) {
        return cost_bad(spot, err,
                        "source: none of \"calibrate\", \"outside\", \"run\", \"published\"");
    }
    if (!(costs->factor >= 1e-6 && costs->factor <= 1e6)) {
        return cost_bad(spot, err, "factor: out of range (0.000001 to 1000000)");
    }
    if (!(costs->low > 0 && costs->low <= 1 && costs->high >= 1 && costs->high <= 1e6)) {
        return cost_bad(spot, err, "low, high: not an interval around 1");
    }
    for (size_t i = 0; i < LS_SPEED_KEYS; i++) {
        const double per_s = costs->openssl.sign_per_s[i];

        if (per_s > 1e12 || (per_s >= 0 && per_s < 1e-6)) {
            return cost_bad(spot, err, "openssl_speed.sign_per_s: out of range");
        }
    }
    return LS_OK;
}

static enum ls_code check_format(const json_t *root, const char *path, struct ls_error *err)
{
    const char *format = json_string_value(json_object_get(root, "format"));
    const json_t *version = json_object_get(root, "version");

    if (format == NULL || strcmp(format, COSTS_FORMAT) != 0) {
        return ls_error_set_at(err, path, 0, 0,
                               "neither a cost profile (loginstorm calibrate makes one) nor the "
                               "result.json of a live run");
    }
    if (!json_is_integer(version) || json_integer_value(version) != COSTS_VERSION) {
        return ls_error_set_at(err, path, 0, 0, "version: this loginstorm reads version %d only",
                               COSTS_VERSION);
    }
    return LS_OK;
}

enum ls_code ls_costs_from_json(struct ls_costs **out, const json_t *root, const char *path,
                                struct ls_error *err)
{
    /* What is only looked at here has an iterator for what may be written alone. */
    const union {
        const json_t *read;
        json_t *walked;
    } object = {.read = root};
    struct ls_costs *costs;
    enum ls_code code = check_format(root, path, err);

    *out = NULL;
    if (code != LS_OK) {
        return code;
    }
    costs = calloc(1, sizeof *costs);
    if (costs == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for the cost profile");
    }
    code = take_top(object.walked, costs, path, err);
    if (code == LS_OK) {
        code = check_top(costs, path, err);
    }
    if (code == LS_OK) {
        code = get_rows(root, costs, path, err);
    }
    if (code == LS_OK && !text_copy(&costs->path, path)) {
        code = ls_error_set(err, LS_ENOMEM, "no memory for the cost profile");
    }
    if (code != LS_OK) {
        ls_costs_free(costs);
        return code;
    }
    *out = costs;
    return LS_OK;
}
