/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenario/presets.h"
#include "scenario/schema.h"

#include "loginstorm/units.h"

#define DECIMAL "[0-9]+(\\.[0-9]+)?"
#define DURATION "(" DECIMAL "(ns|us|µs|ms|s|min|m|h))+"
#define CLOCK "^([01]?[0-9]|2[0-4]):[0-5][0-9](:[0-5][0-9](\\.[0-9]{1,9})?)?$"
#define RATE "^" DECIMAL "/(s|min|h)$"

static json_t *pattern(const char *regex)
{
    return json_pack("{s:s, s:s}", "type", "string", "pattern", regex);
}

/* A text with a unit, or a plain 0. */
static json_t *amount(const char *regex)
{
    return json_pack("{s:[o, {s:i}]}", "anyOf", pattern(regex), "const", 0);
}

static json_t *words_of(const char *const *words)
{
    json_t *list = json_array();

    for (; list != NULL && *words != NULL; words++) {
        if (json_array_append_new(list, json_string(*words)) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return json_pack("{s:o}", "enum", list);
}

static json_t *integer(int64_t low, int64_t high)
{
    return json_pack("{s:s, s:I, s:I}", "type", "integer", "minimum", (json_int_t)low, "maximum",
                     (json_int_t)high);
}

/* Whole limits as such: 1, not 1.0. */
static json_t *real(double value)
{
    const json_int_t whole = (json_int_t)value;

    return (double)whole < value || (double)whole > value ? json_real(value) : json_integer(whole);
}

static json_t *number(const struct ls_field *field)
{
    return json_pack("{s:s, s:o, s:o}", "type", "number", "minimum", real(field->least), "maximum",
                     real(field->most));
}

static json_t *list_of(json_t *items, int64_t least, int64_t most)
{
    return json_pack("{s:s, s:o, s:I, s:I}", "type", "array", "items", items, "minItems",
                     (json_int_t)least, "maxItems", (json_int_t)most);
}

static json_t *text(const struct ls_field *field)
{
    return json_pack("{s:s, s:i, s:I}", "type", "string", "minLength", 1, "maxLength",
                     (json_int_t)field->high);
}

static json_t *points(const struct ls_field *field)
{
    json_t *point = json_pack("{s:s, s:[o, o], s:i, s:i}", "type", "array", "items", pattern(CLOCK),
                              pattern(RATE), "minItems", 2, "maxItems", 2);

    return list_of(point, 2, field->high);
}

static json_t *connections(const struct ls_field *field)
{
    const char *words[LS_PRESETS + 1] = {NULL};

    for (size_t i = 0; i < LS_PRESETS; i++) {
        words[i] = ls_presets[i].word;
    }
    return json_pack("{s:[o, o]}", "anyOf", integer(field->low, field->high), words_of(words));
}

static json_t *lone_key(const char *key, json_t *value)
{
    return json_pack("{s:s, s:{s:o}, s:[s], s:b}", "type", "object", "properties", key, value,
                     "required", key, "additionalProperties", 0);
}

static json_t *costs(void)
{
    json_t *lognormal =
        json_pack("{s:s, s:{s:o, s:{s:s, s:i}}, s:[s, s], s:b}", "type", "object", "properties",
                  "mean", pattern("^" DURATION "$"), "scv", "type", "number", "minimum", 0,
                  "required", "mean", "scv", "additionalProperties", 0);

    return json_pack("{s:[{s:s}, o, o, o]}", "anyOf", "type", "string",
                     lone_key("fixed", pattern("^" DURATION "$")),
                     lone_key("exponential", pattern("^" DURATION "$")),
                     lone_key("lognormal", lognormal));
}

static json_t *words_list(const struct ls_field *field)
{
    json_t *list = list_of(words_of(field->words), 1, 32);

    if (list != NULL && json_object_set_new(list, "uniqueItems", json_true()) != 0) {
        json_decref(list);
        return NULL;
    }
    return list;
}

static json_t *special(const struct ls_field *field)
{
    switch (field->kind) {
    case LS_KIND_VERSION:
        return json_pack("{s:i}", "const", 1);
    case LS_KIND_DATE:
        return field->words == NULL ? pattern("^[0-9]{4}-[0-9]{2}-[0-9]{2}$")
                                    : pattern("^([0-9]{4}-[0-9]{2}-[0-9]{2}|worst|average)$");
    case LS_KIND_ZONE:
        return pattern("^[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+)*$");
    case LS_KIND_ADDRESSES:
        return list_of(pattern("^[0-9a-fA-F.:]+$"), 1, 1000);
    case LS_KIND_POINTS:
        return points(field);
    case LS_KIND_CONNECTIONS:
        return connections(field);
    case LS_KIND_VERSIONS:
        return list_of(json_pack("{s:[f, f, s, s]}", "enum", 1.2, 1.3, "1.2", "1.3"), 1, 2);
    case LS_KIND_HOLD:
        return json_pack("{s:[{s:[s, s]}, o]}", "anyOf", "enum", "until_end", "none",
                         amount("^" DURATION "$"));
    case LS_KIND_TARGET:
        return json_pack("{s:[{s:s}, o]}", "anyOf", "const", "embedded",
                         pattern("^(\\[[0-9a-fA-F.:]+\\]|[A-Za-z0-9._-]+):[0-9]+$"));
    case LS_KIND_CORES:
        return list_of(integer(0, 1023), 1, LS_CORES_MAX);
    case LS_KIND_CPU:
        return json_pack("{s:[{s:[s, s]}, o]}", "anyOf", "enum", "none", "embedded",
                         ls_schema_of_map(field->map));
    case LS_KIND_COSTS:
        return costs();
    default: /* LS_KIND_CAPACITY */
        return pattern("^[0-9]+ in " DURATION "$");
    }
}

json_t *ls_schema_of_value(const struct ls_field *field)
{
    switch (field->kind) {
    case LS_KIND_TEXT:
        return text(field);
    case LS_KIND_WORD:
        return words_of(field->words);
    case LS_KIND_WORDS:
        return words_list(field);
    case LS_KIND_SWITCH:
        return json_pack("{s:[b, b, s, s, s, s]}", "enum", 1, 0, "yes", "no", "on", "off");
    case LS_KIND_INTEGER:
        return integer(field->low, field->high);
    case LS_KIND_NUMBER:
        return number(field);
    case LS_KIND_SHARE:
        return json_pack("{s:[o, o]}", "anyOf", number(field), pattern("^" DECIMAL "%$"));
    case LS_KIND_DURATION:
    case LS_KIND_SPREAD:
        return amount("^" DURATION "$");
    case LS_KIND_SIZE:
        return amount("^" DECIMAL "(B|kB|KiB|MB|MiB|GB|GiB)$");
    case LS_KIND_RATE:
        return pattern(RATE);
    case LS_KIND_CLOCK:
    case LS_KIND_MOMENT:
    case LS_KIND_WINDOW_END:
        return pattern(CLOCK);
    case LS_KIND_MAP:
        return ls_schema_of_map(field->map);
    case LS_KIND_LIST:
        return list_of(ls_schema_of_map(field->map), 1, field->high);
    case LS_KIND_ONE_OR_MORE:
        return json_pack("{s:[o, o]}", "anyOf", ls_schema_of_map(field->map),
                         list_of(ls_schema_of_map(field->map), 1, field->high));
    default:
        return special(field);
    }
}
