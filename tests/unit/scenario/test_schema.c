/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "help.h"

#include "loginstorm/file.h"
#include "loginstorm/json.h"
#include "scenario/field.h"

static char *schema_text(void)
{
    struct ls_error err = {0};
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);

    assert_non_null(stream);
    assert_int_equal(ls_scenario_write_schema(stream, &err), LS_OK);
    assert_int_equal(fclose(stream), 0);
    return text;
}

/* LS_GOLDEN=write in the environment makes it anew. */
static void the_schema_that_is_shipped_is_the_tables(void **state)
{
    struct ls_error err = {0};
    const char *mode = getenv("LS_GOLDEN");
    char *made = schema_text();
    char *shipped = NULL;
    size_t size = 0;

    (void)state;
    if (mode != NULL && strcmp(mode, "write") == 0) {
        FILE *file = fopen(LS_SOURCE_DIR "/scenarios/loginstorm.schema.json", "w");

        assert_non_null(file);
        assert_true(fputs(made, file) >= 0);
        assert_int_equal(fclose(file), 0);
    }
    assert_int_equal(ls_file_read(LS_SOURCE_DIR "/scenarios/loginstorm.schema.json", 1 << 20,
                                  &shipped, &size, &err),
                     LS_OK);
    assert_string_equal(made, shipped);
    free(made);
    free(shipped);
}

/* Every key of the map has a description and a meaning; unknown keys are refused, as by the
 * parser. */
static void check_map(const json_t *schema, const struct ls_map *map)
{
    const json_t *properties = json_object_get(schema, "properties");

    assert_true(json_is_false(json_object_get(schema, "additionalProperties")));
    assert_int_equal(json_object_size(properties), map->count);
    for (size_t i = 0; i < map->count; i++) {
        const json_t *value = json_object_get(properties, map->fields[i].key);

        assert_string_equal(json_string_value(json_object_get(value, "description")),
                            map->fields[i].doc);
        assert_true(json_object_size(value) >= 2);
        if (map->fields[i].kind == LS_KIND_MAP) {
            check_map(value, map->fields[i].map);
        } else if (map->fields[i].kind == LS_KIND_LIST) {
            check_map(json_object_get(value, "items"), map->fields[i].map);
        }
    }
}

static void every_key_of_the_table_is_described(void **state)
{
    struct ls_error err = {0};
    char *text = schema_text();
    json_t *schema = NULL;

    (void)state;
    assert_int_equal(ls_json_parse(&schema, "schema", text, strlen(text), &err), LS_OK);
    check_map(schema, &ls_scenario_map);
    json_decref(schema);
    free(text);
}

static void a_shapes_keys_are_tied_to_the_shape(void **state)
{
    struct ls_error err = {0};
    char *text = schema_text();
    json_t *schema = NULL;
    const json_t *wave;
    const json_t *burst;

    (void)state;
    assert_int_equal(ls_json_parse(&schema, "schema", text, strlen(text), &err), LS_OK);
    wave = json_object_get(json_object_get(schema, "properties"), "arrivals");
    wave = json_array_get(json_object_get(wave, "anyOf"), 0);
    burst = json_array_get(json_object_get(wave, "allOf"), LS_SHAPE_BURST);
    burst = json_object_get(burst, "then");
    assert_int_equal(json_array_size(json_object_get(burst, "required")), 2);
    assert_true(json_is_false(
        json_object_get(json_object_get(burst, "properties"), "share_in_middle_sixth")));
    assert_null(json_object_get(json_object_get(burst, "properties"), "over"));
    json_decref(schema);
    free(text);
}

static void a_stream_that_fails_is_told(void **state)
{
    struct ls_error err = {0};
    FILE *full = fopen("/dev/full", "w");

    (void)state;
    assert_non_null(full);
    assert_int_equal(ls_scenario_write_schema(full, &err), LS_EWRITE);
    (void)fclose(full);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_schema_that_is_shipped_is_the_tables),
        cmocka_unit_test(every_key_of_the_table_is_described),
        cmocka_unit_test(a_shapes_keys_are_tied_to_the_shape),
        cmocka_unit_test(a_stream_that_fails_is_told),
    };

    return cmocka_run_group_tests_name("scenario/schema", tests, NULL, NULL);
}
