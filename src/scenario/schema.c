/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenario/schema.h"

#include <string.h>

#include "scenario/scalar.h"

/* Adds to an object; false when there is no memory. Takes value in any case. */
static bool put(json_t *object, const char *key, json_t *value)
{
    return json_object_set_new(object, key, value) == 0;
}

/* One word of the table's own text, as JSON has it: 1 is a number, the rest are strings. */
static json_t *fallback_word(const char *text, size_t length)
{
    char word[64];
    int64_t whole = 0;
    double number = 0;

    if (length >= sizeof word) {
        return NULL;
    }
    memcpy(word, text, length);
    word[length] = '\0';
    if (ls_scalar_integer(word, &whole)) {
        return json_integer(whole);
    }
    return ls_scalar_number(word, &number) ? json_real(number) : json_string(word);
}

static json_t *fallback_of(const struct ls_field *field)
{
    const char *text = field->fallback;
    json_t *list;

    if (field->kind != LS_KIND_WORDS && field->kind != LS_KIND_VERSIONS) {
        return fallback_word(text, strlen(text));
    }
    list = json_array();
    while (list != NULL && *text != '\0') {
        const size_t length = strcspn(text, ",");

        if (json_array_append_new(list, fallback_word(text, length)) != 0) {
            json_decref(list);
            return NULL;
        }
        text += length;
        text += strspn(text, ", ");
    }
    return list;
}

static bool put_field(json_t *properties, const struct ls_field *field)
{
    json_t *value = ls_schema_of_value(field);

    return value != NULL && put(properties, field->key, value) &&
           put(value, "description", json_string(field->doc)) &&
           (field->fallback == NULL || put(value, "default", fallback_of(field)));
}

static bool add_key(json_t *list, const char *key)
{
    return json_array_append_new(list, json_string(key)) == 0;
}

/* What follows when the deciding key has the word of a case: which keys are needed, which are not
 * taken. */
static json_t *consequence(const struct ls_map *map, unsigned which)
{
    json_t *required = json_array();
    json_t *properties = json_object();
    bool good = required != NULL && properties != NULL;

    for (size_t i = 0; i < map->count && good; i++) {
        const struct ls_field *field = &map->fields[i];
        const bool applies = (field->cases & 1U << which) != 0;

        if (field->cases != 0 && !applies) {
            good = put(properties, field->key, json_false());
        } else if (field->cases != 0 && (field->flags & LS_REQUIRED) != 0) {
            good = add_key(required, field->key);
        }
    }
    if (!good) {
        json_decref(required);
        json_decref(properties);
        return NULL;
    }
    return json_pack("{s:o, s:o}", "required", required, "properties", properties);
}

static json_t *case_of(const struct ls_map *map, const struct ls_field *field, unsigned which)
{
    const char *word = field->words[which];
    json_t *condition = json_pack("{s:{s:{s:s}}}", "properties", field->key, "const", word);

    /* Left out, the key has its default: then the condition holds too. */
    if (condition != NULL && (field->fallback == NULL || strcmp(field->fallback, word) != 0) &&
        !put(condition, "required", json_pack("[s]", field->key))) {
        json_decref(condition);
        return NULL;
    }
    return json_pack("{s:o, s:o}", "if", condition, "then", consequence(map, which));
}

static bool put_cases(json_t *schema, const struct ls_map *map)
{
    const struct ls_field *field = map->fields;
    json_t *list;

    while (field < map->fields + map->count &&
           ((field->flags & LS_DECIDES) == 0 || field->kind != LS_KIND_WORD)) {
        field++;
    }
    if (field == map->fields + map->count) {
        return true;
    }
    list = json_array();
    if (list == NULL || !put(schema, "allOf", list)) {
        return false;
    }
    for (unsigned i = 0; field->words[i] != NULL; i++) {
        if (json_array_append_new(list, case_of(map, field, i)) != 0) {
            return false;
        }
    }
    return true;
}

json_t *ls_schema_of_map(const struct ls_map *map)
{
    json_t *schema = json_pack("{s:s}", "type", "object");
    json_t *properties = json_object();
    json_t *required = json_array();
    bool good = schema != NULL && properties != NULL && required != NULL;

    for (size_t i = 0; i < map->count && good; i++) {
        const struct ls_field *field = &map->fields[i];

        good = put_field(properties, field) &&
               (field->cases != 0 || (field->flags & LS_REQUIRED) == 0 ||
                add_key(required, field->key));
    }
    if (json_array_size(required) > 0) {
        good = good && put(schema, "required", json_incref(required));
    }
    good = good && put(schema, "additionalProperties", json_false()) &&
           put(schema, "properties", json_incref(properties)) && put_cases(schema, map);
    json_decref(properties);
    json_decref(required);
    if (!good) {
        json_decref(schema);
        return NULL;
    }
    return schema;
}

enum ls_code ls_scenario_write_schema(FILE *stream, struct ls_error *err)
{
    json_t *body = ls_schema_of_map(&ls_scenario_map);
    /* Users may come from a recorded curve, certificates from an outside gateway. */
    json_t *schema = json_pack(
        "{s:s, s:s, s:s, s:[{s:[{s:[s]}, {s:[s]}]}, {s:[{s:[s]}, {s:[s]}]}]}", "$schema",
        "http://json-schema.org/draft-07/schema#", "title", "loginstorm scenario", "description",
        "A morning of logins, format 1", "allOf", "anyOf", "required", "users", "required",
        "arrivals", "anyOf", "required", "certificates", "required", "gateway");
    enum ls_code code = LS_ENOMEM;

    if (body != NULL && schema != NULL && json_object_update(schema, body) == 0) {
        code = ls_json_write(schema, stream, err);
    } else {
        (void)ls_error_set(err, LS_ENOMEM, "the schema: no memory");
    }
    json_decref(body);
    json_decref(schema);
    return code;
}
