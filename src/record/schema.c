/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON Schemas of a result and of a cost profile, made of the tables that they are written and read by. */
#include "record/fields.h"

#include <string.h>

#include "loginstorm/comparison.h"
#include "record/costs.h"

#define CLOCK_PATTERN "^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\\.[0-9]{1,9})?)?$"
#define MOMENT_PATTERN                                                                             \
    "^(19[7-9][0-9]|2[0-2][0-9]{2})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T"                     \
    "([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,9})?Z$"

/* Jansson gives NULL where there is no memory, and a value that holds a NULL is none. */
static json_t *at_least_0(const char *type, bool or_null)
{
    return or_null ? json_pack("{s:[s, s], s:i}", "type", type, "null", "minimum", 0)
                   : json_pack("{s:s, s:i}", "type", type, "minimum", 0);
}

static json_t *one_of(const char *const *words, size_t count)
{
    json_t *list = json_array();

    for (size_t i = 0; i < count; i++) {
        if (json_array_append_new(list, json_string(words[i])) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return json_pack("{s:o}", "enum", list);
}

static json_t *either(const char *one, const char *other)
{
    const char *const words[] = {one, other};

    return one_of(words, 2);
}

static json_t *verdict_schema(void)
{
    const char *const words[] = {ls_verdict_word(LS_VALID), ls_verdict_word(LS_SUSPECT),
                                 ls_verdict_word(LS_INVALID)};

    return one_of(words, 3);
}

static json_t *method_schema(void)
{
    const char *words[LS_METHOD_SINGLE + 1];

    for (enum ls_method m = LS_METHOD_NONE; m <= LS_METHOD_SINGLE; m++) {
        words[m] = ls_method_word(m);
    }
    return one_of(words, LS_METHOD_SINGLE + 1);
}

static json_t *finding_schema(void)
{
    const char *words[LS_MORE + 2];

    for (enum ls_finding f = LS_NOT_KNOWN; f <= LS_MORE; f++) {
        words[f] = ls_finding_word(f);
    }
    words[LS_MORE + 1] = "no_difference"; /* in older files */
    return one_of(words, LS_MORE + 2);
}

static json_t *reasons_schema(void)
{
    json_t *schema =
        json_pack("{s:s, s:{}, s:b}", "type", "object", "properties", "additionalProperties", 0);
    json_t *properties = json_object_get(schema, "properties");

    for (unsigned i = 0; i < LS_REASON_COUNT; i++) {
        json_t *value = at_least_0("integer", false);

        if (value == NULL ||
            json_object_set_new(value, "description",
                                json_string(ls_reason_text((enum ls_reason)i))) != 0) {
            json_decref(value);
            value = NULL;
        }
        if (json_object_set_new(properties, ls_reason_word((enum ls_reason)i), value) != 0) {
            json_decref(schema);
            return NULL;
        }
    }
    return schema;
}

static json_t *shown_schema(void)
{
    static const struct {
        const char *key;
        size_t most;
        const char *doc;
    } texts[] = {
        {"key", sizeof((struct ls_shown *)0)->key - 1,
         "of its certificate, like rsa-4096; empty where the kind is not known here"},
        {"version", sizeof((struct ls_shown *)0)->version - 1, "of TLS"},
        {"group", sizeof((struct ls_shown *)0)->group - 1, "of the key exchange"},
        {"expires", sizeof((struct ls_shown *)0)->expires - 1, "its certificate's last day"},
    };
    json_t *schema =
        json_pack("{s:[s, s], s:b}", "type", "object", "null", "additionalProperties", 0);
    bool good = schema_put(
        schema, "chain_length",
        json_pack("{s:s, s:i, s:i}", "type", "integer", "minimum", 1, "maximum", INT32_MAX), true,
        "certificates that were sent");

    good = good && schema_put(schema, "days_left", json_pack("{s:s}", "type", "integer"), true,
                              "until then; negative: it has expired");
    for (size_t i = 0; good && i < sizeof texts / sizeof texts[0]; i++) {
        good = schema_put(
            schema, texts[i].key,
            json_pack("{s:s, s:I}", "type", "string", "maxLength", (json_int_t)texts[i].most), true,
            texts[i].doc);
    }
    if (!good) {
        json_decref(schema);
        return NULL;
    }
    return schema;
}

/* Keys of an object that all are times. */
static json_t *quantiles_schema(void)
{
    static const char *const keys[] = {"min", "mean", "p50", "p90", "p95", "p99", "p99_9", "p100"};
    json_t *schema = json_pack("{s:s}", "type", "object");
    bool good = schema_put(schema, "count", at_least_0("integer", false), true, NULL);

    for (size_t i = 0; good && i < sizeof keys / sizeof keys[0]; i++) {
        good = schema_put(schema, keys[i], at_least_0("number", true), true, NULL);
    }
    if (!good) {
        json_decref(schema);
        return NULL;
    }
    return schema;
}

/* The least, 1 % ... 100 %; none where nothing is known. */
static json_t *spread_schema(void)
{
    json_t *points = schema_list(at_least_0("number", false));
    json_t *schema = json_pack("{s:s, s:b}", "type", "object", "additionalProperties", 0);
    const bool good = points != NULL &&
                      json_object_set_new(points, "maxItems", json_integer(LS_SPREAD_POINTS)) == 0;

    if (!good) {
        json_decref(points);
        points = NULL;
    }
    if (!schema_put(schema, "points", points, true, NULL) ||
        !schema_put(schema, "count", at_least_0("integer", false), true, NULL) ||
        !schema_put(schema, "mean", at_least_0("number", true), true, NULL)) {
        json_decref(schema);
        return NULL;
    }
    return schema;
}

static json_t *seed_schema(void)
{
    return json_pack("{s:[o, {s:s, s:s}]}", "anyOf", at_least_0("integer", false), "type", "string",
                     "pattern", "^[0-9]+$");
}

static json_t *sentences_schema(void)
{
    return json_pack("{s:s, s:i, s:{s:s}}", "type", "array", "maxItems", LS_REASONS_MAX, "items",
                     "type", "string");
}

static json_t *schema_of_kind(const struct field *field)
{
    switch (field->kind) {
    case TEXT:
        return json_pack("{s:[s, s]}", "type", "string", "null");
    case NAME:
        return json_pack("{s:s}", "type", "string");
    case SEED:
        return seed_schema();
    case COUNT:
    case SMALL:
        return at_least_0("integer", false);
    case KNOWN_COUNT:
    case COUNT_SINCE:
        return at_least_0("integer", true);
    case REAL:
        return at_least_0("number", false);
    case SIGNED_REAL:
        return json_pack("{s:s}", "type", "number");
    case KNOWN_REAL:
    case US:
    case US_SINCE:
    case US_REAL:
        return at_least_0("number", true);
    case SPREAD:
        return spread_schema();
    case FLAG:
        return json_pack("{s:s}", "type", "boolean");
    case ENGINE:
    case WAVE_SHAPE:
        return either(choice_word(field->kind, true), choice_word(field->kind, false));
    case LOOP:
        return either(choice_word(field->kind, false), choice_word(field->kind, true));
    case CLOCK:
    case WINDOW_BEGIN:
    case WINDOW_END:
        return json_pack("{s:[s, s], s:s}", "type", "string", "null", "pattern", CLOCK_PATTERN);
    case VERDICT:
        return verdict_schema();
    case SENTENCES:
        return sentences_schema();
    case QUANTILES:
        return quantiles_schema();
    case METHOD:
        return method_schema();
    case FINDING:
        return finding_schema();
    case SHOWN:
        return shown_schema();
    case BY_REASON:
        return reasons_schema();
    case MOMENT:
        return json_pack("{s:[s, s], s:s}", "type", "string", "null", "pattern", MOMENT_PATTERN);
    case PLACED:
        return json_pack("{s:s, s:I}", "type", "string", "maxLength",
                         (json_int_t)field->other_offset - 1);
    }
    return NULL;
}

json_t *schema_list(json_t *items)
{
    return json_pack("{s:s, s:o}", "type", "array", "items", items);
}

static json_t *object_schema(void)
{
    return json_pack("{s:s}", "type", "object");
}

/* The part of an object's schema under key, made where it is not there yet. */
static json_t *part(json_t *schema, const char *key, json_t *(*make)(void))
{
    json_t *there = json_object_get(schema, key);

    if (there == NULL && json_object_set_new(schema, key, make()) == 0) {
        there = json_object_get(schema, key);
    }
    return there;
}

static bool add_required(json_t *schema, const char *key)
{
    json_t *list = part(schema, "required", json_array);

    for (size_t i = 0; i < json_array_size(list); i++) {
        if (strcmp(json_string_value(json_array_get(list, i)), key) == 0) {
            return true;
        }
    }
    return list != NULL && json_array_append_new(list, json_string(key)) == 0;
}

bool schema_put(json_t *schema, const char *key, json_t *value, bool required, const char *doc)
{
    json_t *properties = part(schema, "properties", json_object);

    if (value != NULL && doc != NULL &&
        json_object_set_new(value, "description", json_string(doc)) != 0) {
        json_decref(value);
        return false;
    }
    return json_object_set_new(properties, key, value) == 0 &&
           (!required || add_required(schema, key));
}

/* The object that the last key of a path stands in, made on the way; the path goes on to that key. */
static json_t *walk(json_t *schema, const char **path)
{
    const char *dot;

    while (schema != NULL && (dot = strchr(*path, '.')) != NULL) {
        json_t *properties = part(schema, "properties", json_object);
        char key[64];

        (void)snprintf(key, sizeof key, "%.*s", (int)(dot - *path), *path);
        if (!add_required(schema, key)) {
            return NULL;
        }
        schema = part(properties, key, object_schema);
        *path = dot + 1;
    }
    return schema;
}

json_t *schema_of_fields(const struct field *fields, size_t count)
{
    json_t *schema = json_pack("{s:s}", "type", "object");

    for (size_t i = 0; schema != NULL && i < count; i++) {
        const char *path = fields[i].path;
        json_t *object = walk(schema, &path);

        if (!schema_put(object, path, schema_of_kind(&fields[i]),
                        fields[i].kind != US_SINCE && fields[i].kind != COUNT_SINCE &&
                            fields[i].kind != SHOWN,
                        fields[i].doc)) {
            json_decref(schema);
            return NULL;
        }
    }
    return schema;
}
