/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The line that a row of a cost profile is the slope of, in its file. */
#include "record/costs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loginstorm/slope.h"

/* As many as are judged. */
#define POINTS_MAX LS_SLOPE_POINTS_MAX

void cost_line_clear(struct ls_cost_line *line)
{
    free(line->gateway);
    free(line->clock);
    free(line->counted);
    free(line->points);
    *line = (struct ls_cost_line){0};
}

int put_cost_line(json_t *row, const struct ls_cost_line *line)
{
    json_t *part, *list;

    if (line->points_count == 0) {
        return 0;
    }
    part = json_object();
    if (json_object_set_new(row, "regression", part) != 0 ||
        put_fields(part, cost_line_fields, cost_line_fields_count, line) != 0) {
        return -1;
    }
    list = json_array();
    if (json_object_set_new(part, "points", list) != 0) {
        return -1;
    }
    for (size_t i = 0; i < line->points_count; i++) {
        json_t *point = json_object();

        if (json_array_append_new(list, point) != 0 ||
            put_fields(point, cost_point_fields, cost_point_fields_count, &line->points[i]) != 0) {
            return -1;
        }
    }
    return 0;
}

static enum ls_code get_points(const json_t *object, struct ls_cost_line *line, struct spot spot,
                               struct ls_error *err)
{
    const struct known known = {.fields = cost_point_fields, .count = cost_point_fields_count};
    json_t *list = json_object_get(object, "points");
    const size_t count = json_array_size(list);
    enum ls_code code = LS_OK;
    char where[120];

    (void)snprintf(where, sizeof where, "%spoints", spot.prefix);
    if (!json_is_array(list)) {
        return wrong(spot.path, list, where, err);
    }
    if (count < LS_SLOPE_RATES || count > POINTS_MAX) {
        return ls_error_set_at(err, spot.path, 0, 0, "%s: not %d to %d points", where,
                               LS_SLOPE_RATES, POINTS_MAX);
    }
    line->points = calloc(count, sizeof *line->points);
    if (line->points == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for the points of a line");
    }
    line->points_count = count;
    for (size_t i = 0; code == LS_OK && i < count; i++) {
        (void)snprintf(where, sizeof where, "%spoints[%zu].", spot.prefix, i);
        code = cost_take(json_array_get(list, i), &known, &line->points[i],
                         (struct spot){spot.path, where}, err);
    }
    return code;
}

enum ls_code get_cost_line(const json_t *row, struct ls_cost_line *line, struct spot spot,
                           struct ls_error *err)
{
    const struct known known = {
        .fields = cost_line_fields, .count = cost_line_fields_count, .others = {"points"}};
    json_t *object = json_object_get(row, "regression");
    char prefix[80];
    const struct spot here = {spot.path, prefix};
    enum ls_code code;

    if (object == NULL) {
        return LS_OK;
    }
    (void)snprintf(prefix, sizeof prefix, "%sregression", spot.prefix);
    if (!json_is_object(object)) {
        return wrong(spot.path, object, prefix, err);
    }
    (void)snprintf(prefix, sizeof prefix, "%sregression.", spot.prefix);
    code = cost_take(object, &known, line, here, err);
    if (code == LS_OK &&
        !(line->idle_low <= line->idle_cores && line->idle_cores <= line->idle_high)) {
        code = cost_bad(here, err, "idle_cores: not a value within its interval");
    }
    if (code == LS_OK && line->r2 > 1) {
        code = cost_bad(here, err, "r2: out of range (0 to 1)");
    }
    return code == LS_OK ? get_points(object, line, here, err) : code;
}

#define IDLE_LEAST 0.01

bool ls_costs_idle_text(const struct ls_costs *costs, char *out, size_t size)
{
    const struct ls_cost_line *most = NULL;

    for (size_t i = 0; i < costs->count; i++) {
        const struct ls_cost_line *line = &costs->rows[i].line;

        if (line->points_count > 0 && line->idle_high >= IDLE_LEAST &&
            (most == NULL || line->idle_high > most->idle_high)) {
            most = line;
        }
    }
    if (most == NULL) {
        return false;
    }
    (void)snprintf(
        out, size,
        "what %.100s takes with nobody logging in comes on top: %.2f cores (%.2f to %.2f)",
        most->gateway, most->idle_cores > 0 ? most->idle_cores : 0,
        most->idle_low > 0 ? most->idle_low : 0, most->idle_high);
    return true;
}

json_t *schema_of_cost_line(void)
{
    json_t *schema = schema_of_fields(cost_line_fields, cost_line_fields_count);
    json_t *points = json_pack("{s:s, s:o, s:i, s:i}", "type", "array", "items",
                               schema_of_fields(cost_point_fields, cost_point_fields_count),
                               "minItems", LS_SLOPE_RATES, "maxItems", POINTS_MAX);

    if (!schema_put(schema, "points", points, true, "in the order in which they were played")) {
        json_decref(schema);
        return NULL;
    }
    return schema;
}
