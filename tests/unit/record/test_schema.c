/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The schemas that are shipped; every allocation comes through here, and one of them at a time is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "loginstorm/costs.h"
#include "loginstorm/file.h"
#include "loginstorm/result.h"
#include "record/fields.h"

static long blocks, allocations, refuse_at = -1;

static void *lend(size_t size)
{
    void *p = allocations++ == refuse_at ? NULL : malloc(size);

    blocks += p != NULL;
    return p;
}

static void take_back(void *p)
{
    blocks -= p != NULL;
    free(p);
}

static const struct {
    const char *file;
    enum ls_code (*write)(FILE *stream, struct ls_error *err);
} schemas[] = {
    {"loginstorm-result.schema.json", ls_result_write_schema},
    {"loginstorm-costs.schema.json", ls_costs_write_schema},
};
#define SCHEMAS (sizeof schemas / sizeof schemas[0])

static char *schema_text(size_t which)
{
    struct ls_error err = {0};
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);

    assert_non_null(stream);
    assert_int_equal(schemas[which].write(stream, &err), LS_OK);
    assert_int_equal(fclose(stream), 0);
    return text;
}

/* LS_GOLDEN=write in the environment makes them anew. */
static void the_schemas_that_are_shipped_are_the_tables(void **state)
{
    const char *mode = getenv("LS_GOLDEN");

    (void)state;
    for (size_t i = 0; i < SCHEMAS; i++) {
        struct ls_error err = {0};
        char *made = schema_text(i), *shipped = NULL;
        char path[512];
        size_t size = 0;

        (void)snprintf(path, sizeof path, LS_SOURCE_DIR "/scenarios/%s", schemas[i].file);
        if (mode != NULL && strcmp(mode, "write") == 0) {
            FILE *file = fopen(path, "w");

            assert_non_null(file);
            assert_true(fputs(made, file) >= 0);
            assert_int_equal(fclose(file), 0);
        }
        assert_int_equal(ls_file_read(path, 1 << 20, &shipped, &size, &err), LS_OK);
        assert_string_equal(made, shipped);
        free(made);
        free(shipped);
    }
}

/* A path's place in a schema. */
static const json_t *place_of(const json_t *schema, const char *path)
{
    const char *dot;

    while ((dot = strchr(path, '.')) != NULL) {
        schema =
            json_object_getn(json_object_get(schema, "properties"), path, (size_t)(dot - path));
        path = dot + 1;
    }
    return json_object_get(json_object_get(schema, "properties"), path);
}

static void every_field_is_there_with_its_meaning(void **state)
{
    struct ls_error err = {0};
    char *text = schema_text(0);
    json_t *schema = NULL;
    const json_t *run;

    (void)state;
    assert_int_equal(ls_json_parse(&schema, "schema", text, strlen(text), &err), LS_OK);
    run = json_object_get(place_of(schema, "runs"), "items");
    for (size_t i = 0; i < result_fields_count + run_fields_count; i++) {
        const bool top = i < result_fields_count;
        const struct field *field = top ? &result_fields[i] : &run_fields[i - result_fields_count];
        const json_t *place = place_of(top ? schema : run, field->path);

        assert_true(strlen(field->doc) > 5);
        assert_string_equal(json_string_value(json_object_get(place, "description")), field->doc);
        assert_true(json_object_size(place) >= 2);
    }
    json_decref(schema);
    free(text);
}

static void whatever_allocation_fails_it_is_told_and_nothing_is_lost(void **state)
{
    static char buffer[1 << 17];

    (void)state;
    json_set_alloc_funcs(lend, take_back);
    for (size_t i = 0; i < SCHEMAS; i++) {
        FILE *out = fopen("/dev/null", "w");
        struct ls_error err = {0};
        long needed;

        assert_non_null(out);
        assert_int_equal(setvbuf(out, buffer, _IOFBF, sizeof buffer), 0);
        allocations = 0;
        refuse_at = -1;
        assert_int_equal(schemas[i].write(out, &err), LS_OK);
        needed = allocations;
        assert_true(needed > 500);
        assert_true(blocks == 0);
        for (long n = 0; n < needed; n += n < 300 ? 1 : 7) {
            allocations = 0;
            refuse_at = n;
            err = (struct ls_error){0};
            if (schemas[i].write(out, &err) == LS_OK) {
                fail_msg("%s: allocation %ld of %ld failed, and nothing was said", schemas[i].file,
                         n, needed);
            }
            assert_string_not_equal(err.text, "");
            if (blocks != 0) {
                fail_msg("%s: allocation %ld of %ld failed, and %ld blocks were lost",
                         schemas[i].file, n, needed, blocks);
            }
        }
        refuse_at = -1;
        (void)fclose(out);
    }
    json_set_alloc_funcs(malloc, free);
}

static void a_full_disk_is_an_error(void **state)
{
    (void)state;
    for (size_t i = 0; i < SCHEMAS; i++) {
        struct ls_error err = {0};
        FILE *full = fopen("/dev/full", "w");

        assert_non_null(full);
        assert_int_equal(schemas[i].write(full, &err), LS_EWRITE);
        (void)fclose(full);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_schemas_that_are_shipped_are_the_tables),
        cmocka_unit_test(every_field_is_there_with_its_meaning),
        cmocka_unit_test(whatever_allocation_fails_it_is_told_and_nothing_is_lost),
        cmocka_unit_test(a_full_disk_is_an_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
