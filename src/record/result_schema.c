/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The schemas as a whole: what lies beside the tables, and onto a stream. */
#include <string.h>

#include "loginstorm/comparison.h"
#include "record/costs.h"
#include "record/fields.h"

static json_t *of_type(const char *type)
{
    return json_pack("{s:s}", "type", type);
}

static json_t *time_schema(void)
{
    return json_pack("{s:[s, s], s:i}", "type", "number", "null", "minimum", 0);
}

/* Good, or nothing. */
static json_t *whole(json_t *schema, bool good)
{
    if (!good) {
        json_decref(schema);
        return NULL;
    }
    return schema;
}

static json_t *wave_schema(void)
{
    json_t *schema = schema_of_fields(wave_fields, wave_fields_count);
    json_t *each = schema_list(time_schema());
    bool good =
        each != NULL && json_object_set_new(each, "maxItems", json_integer(LS_EACH_MAX)) == 0;

    if (!good) {
        json_decref(each);
        each = NULL;
    }
    good = schema_put(schema, "handshakes_us", each, true,
                      "of a short sequence each one in its order, else empty");
    return whole(schema, good);
}

static json_t *moment_schema(void)
{
    json_t *schema = schema_of_fields(moment_fields, moment_fields_count);

    return whole(schema, schema_put(schema, "at", of_type("string"), true,
                                    "time of day in the scenario at which the slice begins; of a "
                                    "closed loop, time since its start"));
}

static json_t *run_schema(void)
{
    json_t *schema = schema_of_fields(run_fields, run_fields_count);
    bool good = schema_put(schema, "waves", schema_list(wave_schema()), true,
                           "the closed loops; none: open arrivals");

    good = good && schema_put(schema, "distribution_us", schema_of_distributions(), false,
                              "whole curves of latency; older files do not have them");
    good = good && schema_put(schema, "mornings", schema_of_mornings(), false,
                              "of a simulation: all of its mornings, of which the run is the "
                              "first");
    good = good && schema_put(schema, "shard", schema_of_shard_run(), false,
                              "of a shard, and of merged ones: when it began");
    good = good && schema_put(schema, "timeline", schema_list(moment_schema()), true,
                              "the run in slices of timeline_slice_us");
    return whole(schema, good);
}

static json_t *target_schema(void)
{
    static const struct {
        const char *key;
        bool required;
        const char *doc;
    } amounts[] = {
        {"limit", true, "what the scenario asks for, in unit"},
        {"value", true, "what the worst run came to; null: not known, or never"},
        {"missed_by", false, "value - limit; null where it was not missed, and where never"},
    };
    json_t *schema = of_type("object");
    bool good =
        schema_put(schema, "name", json_pack("{s:s, s:i}", "type", "string", "maxLength", 31), true,
                   "as in the scenario");

    good = good && schema_put(schema, "unit", json_pack("{s:[s, s]}", "enum", "us", "share"), true,
                              "of limit, value and missed_by");
    for (size_t i = 0; good && i < sizeof amounts / sizeof amounts[0]; i++) {
        good =
            schema_put(schema, amounts[i].key, time_schema(), amounts[i].required, amounts[i].doc);
    }
    good =
        good && schema_put(schema, "met", of_type("boolean"), true, "false: missed, or not known");
    good = good && schema_put(schema, "never", of_type("boolean"), false,
                              "so many failed that the latency has no end");
    return whole(schema, good);
}

static json_t *comparison_schema(void)
{
    json_t *comparison = schema_of_comparison();

    return json_pack("{s:[{s:s}, o]}", "anyOf", "type", "null", comparison);
}

static bool put_format(json_t *schema, const char *format, int version)
{
    return schema_put(schema, "format", json_pack("{s:s}", "const", format), true, NULL) &&
           schema_put(schema, "version", json_pack("{s:i}", "const", version), true, NULL);
}

/* A head, then the body. NULL when there is no memory; takes body. */
static json_t *titled(const char *title, const char *description, json_t *body)
{
    json_t *schema =
        json_pack("{s:s, s:s, s:s}", "$schema", "http://json-schema.org/draft-07/schema#", "title",
                  title, "description", description);
    const bool good = body != NULL && schema != NULL && json_object_update(schema, body) == 0;

    json_decref(body);
    return whole(schema, good);
}

static enum ls_code put(json_t *schema, FILE *stream, struct ls_error *err)
{
    enum ls_code code;

    if (schema == NULL) {
        return ls_error_set(err, LS_ENOMEM, "the schema: no memory");
    }
    code = ls_json_write(schema, stream, err);
    json_decref(schema);
    return code;
}

enum ls_code ls_result_write_schema(FILE *stream, struct ls_error *err)
{
    json_t *schema = schema_of_fields(result_fields, result_fields_count);
    bool good = put_format(schema, FORMAT, VERSION);

    good = good && schema_put(schema, "costs", json_pack("{s:[s, s]}", "type", "string", "null"),
                              false, "of a simulation: where its costs are from, for people");
    good = good && schema_put(schema, "target", json_pack("{s:[s, s]}", "type", "string", "null"),
                              false, "of a storm: embedded, or the outside gateway's HOST:PORT");
    good = good && schema_put(schema, "shard", schema_of_shard(), false,
                              "of a storm that several machines play: which part of it this is");
    good = good && schema_put(schema, "shards", schema_of_merged(), false,
                              "of merged shards: each of them, in their order");
    good = good && schema_put(schema, "notes", schema_list(of_type("string")), true,
                              "what was left out, and other things to know, for people");
    good = good && schema_put(schema, "runs", schema_list(run_schema()), true,
                              "a run a certificate, and round of --repeat");
    good = good && schema_put(schema, "comparison", comparison_schema(), false,
                              "of the certificates; null where there is one only");
    good = good && schema_put(schema, "targets", schema_list(target_schema()), true,
                              "of the scenario; the worst run counts, of a simulation what 95 % of "
                              "its mornings stay at or below");
    return put(
        titled("loginstorm result",
               "result.json of a storm or a simulation, format 1. Times are in microseconds, "
               "null is not known. Further keys may come.",
               whole(schema, good)),
        stream, err);
}

/* A cost profile takes no key that it does not know. */
static bool close_objects(json_t *schema)
{
    json_t *properties = json_object_get(schema, "properties"), *value;
    const char *key;

    json_object_foreach(properties, key, value)
    {
        if (!close_objects(value)) {
            return false;
        }
    }
    if (properties != NULL &&
        json_object_set_new(schema, "additionalProperties", json_false()) != 0) {
        return false;
    }
    value = json_object_get(schema, "items");
    return value == NULL || close_objects(value);
}

static json_t *rows_schema(json_t *items, int most)
{
    return json_pack("{s:s, s:o, s:i, s:i}", "type", "array", "items", items, "minItems", 1,
                     "maxItems", most);
}

static json_t *cost_schema(void)
{
    json_t *schema = schema_of_fields(cost_fields, cost_fields_count);
    const bool good = schema_put(schema, "regression", schema_of_cost_line(), false,
                                 "of a gateway that is not ours: the line of its CPU over "
                                 "handshakes, whose slope is the cost");

    return whole(schema,
                 good && schema_put(schema, "loads",
                                    rows_schema(schema_of_fields(at_fields, at_fields_count),
                                                LS_COST_LOADS_MAX),
                                    true, "from idle to busy"));
}

enum ls_code ls_costs_write_schema(FILE *stream, struct ls_error *err)
{
    json_t *schema = schema_of_fields(costs_fields, costs_fields_count);
    bool good = put_format(schema, COSTS_FORMAT, COSTS_VERSION);

    good = good && schema_put(schema, "handshakes", rows_schema(cost_schema(), COSTS_ROWS_MAX),
                              true, "a row a kind of handshake");
    good = good && close_objects(schema);
    return put(titled("loginstorm cost profile",
                      "What a handshake costs a gateway, format 1. Times are in microseconds, null "
                      "is not known.",
                      whole(schema, good)),
               stream, err);
}
