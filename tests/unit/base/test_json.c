/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "loginstorm/file.h"
#include "loginstorm/units.h"

static void what_is_wrong_is_told_with_its_place(void **state)
{
    static const struct {
        const char *text;
        int line, column;
        const char *says, *why;
    } rows[] = {
        {"{\"users\": 1,\n \"users\": 2}", 2, 8, "duplicate object key", "a key twice"},
        {"{\"a\": {\"b\": 1, \"b\": 1}}", 1, 18, "duplicate object key", "inside, same value"},
        {"{\"a\": 1,\n\n oops}", 3, 5, "string or '}' expected", "no key"},
        {"{\"a\": 9223372036854775808}", 1, 25, "too big integer", "past 64 bits"},
        {"{} {}", 1, 4, "end of file expected", "a second document"},
        {"{\"a\": 1", 1, 7, "'}' expected", "cut off"},
        {"", 1, 1, "'[' or '{' expected", "empty"},
        {"{\"a\": NaN}", 1, 9, "invalid token", "no number of JSON"},
        {"{\"a\": 1e999}", 1, 11, "real number overflow", "past a double"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_error err = {0};
        json_t *root;

        assert_int_equal(ls_json_parse(&root, "r.json", rows[i].text, strlen(rows[i].text), &err),
                         LS_EINPUT);
        assert_null(root);
        assert_int_equal(err.code, LS_EINPUT);
        assert_string_equal(err.path, "r.json");
        assert_int_equal(err.line, rows[i].line);
        assert_int_equal(err.column, rows[i].column);
        assert_non_null(strstr(err.text, rows[i].says));
    }
}

static void text_deep_beyond_reason_is_refused(void **state)
{
    static char deep[100000];
    struct ls_error err = {0};
    json_t *root;

    (void)state;
    memset(deep, '[', sizeof deep);
    assert_int_equal(ls_json_parse(&root, "r.json", deep, sizeof deep, &err), LS_EINPUT);
    assert_null(root);
}

/* What ls_json_write makes of root, to be freed. */
static char *written(json_t *root)
{
    struct ls_error err = {0};
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);

    assert_non_null(stream);
    assert_int_equal(ls_json_write(root, stream, &err), LS_OK);
    assert_int_equal(fclose(stream), 0);
    return text;
}

static void integers_of_64_bits_are_exact_there_and_back(void **state)
{
    static const int64_t values[] = {INT64_MIN,         -1,       0, (INT64_C(1) << 53) + 1,
                                     20261130123456789, INT64_MAX};

    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        json_t *root = json_pack("[I]", (json_int_t)values[i]), *back;
        struct ls_error err = {0};
        char *text = written(root);

        assert_int_equal(ls_json_parse(&back, "r.json", text, strlen(text), &err), LS_OK);
        assert_true(json_is_integer(json_array_get(back, 0)));
        assert_true(json_integer_value(json_array_get(back, 0)) == values[i]);
        json_decref(root);
        json_decref(back);
        free(text);
    }
}

static void nanoseconds_are_written_as_microseconds_exactly(void **state)
{
    static const struct {
        int64_t ns;
        const char *text, *why;
    } rows[] = {
        {123456, "123.456", "no tail of digits"},
        {1, "0.001", "the least"},
        {100, "0.1", "no double is 0.1"},
        {0, "0", "nothing"},
        {1000, "1", "whole numbers stay integers"},
        {60000000000, "60000000", "a minute"},
        {LS_NEVER_NS, "null", "not reached"},
        {INT64_MIN, "null", "any negative time"},
        {86399999999999, "86399999999.999", "the last moment of a day"},
        {999999999999999, "999999999999.999", "15 digits: eleven days"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        json_t *root = json_array();
        char expected[64], *text;

        assert_int_equal(json_array_append_new(root, ls_json_us(rows[i].ns)), 0);
        text = written(root);
        (void)snprintf(expected, sizeof expected, "[\n  %s\n]\n", rows[i].text);
        assert_string_equal(text, expected);
        free(text);
        json_decref(root);
    }
}

static void any_latency_comes_back_to_the_nanosecond(void **state)
{
    json_t *root = json_array(), *back;
    struct ls_error err = {0};
    char *text;

    (void)state;
    for (int64_t i = 0; i < 20000; i++) {
        assert_int_equal(json_array_append_new(root, ls_json_us(i * i * i * 37 % 30000000000)), 0);
    }
    text = written(root);
    assert_int_equal(ls_json_parse(&back, "r.json", text, strlen(text), &err), LS_OK);
    for (int64_t i = 0; i < 20000; i++) {
        const double us = json_number_value(json_array_get(back, (size_t)i));

        assert_true((int64_t)(us * 1000 + 0.5) == i * i * i * 37 % 30000000000);
    }
    free(text);
    json_decref(root);
    json_decref(back);
}

static void keys_stay_in_the_order_in_which_they_were_set(void **state)
{
    json_t *root = json_pack("{s:i, s:i, s:{s:s}}", "zebra", 1, "ant", 2, "m", "ü", "é\n");
    char *text = written(root);

    (void)state;
    assert_string_equal(text, "{\n  \"zebra\": 1,\n  \"ant\": 2,\n  \"m\": {\n    \"ü\": "
                              "\"é\\n\"\n  }\n}\n");
    free(text);
    json_decref(root);
}

static void a_saved_file_loads_to_the_same(void **state)
{
    char folder[] = "/tmp/loginstorm-test-XXXXXX";
    json_t *root = json_pack("{s:s, s:I, s:[f,b,n]}", "format", "loginstorm-result", "seed",
                             (json_int_t)20261130, "rest", 0.5, 1);
    struct ls_error err = {0};
    json_t *back;

    (void)state;
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    assert_int_equal(ls_json_save(root, "r.json", &err), LS_OK);
    assert_int_equal(ls_json_load(&back, "r.json", 1 << 20, &err), LS_OK);
    assert_true(json_equal(root, back));
    json_decref(back);
    assert_int_equal(ls_json_load(&back, "r.json", 10, &err), LS_EINPUT);
    assert_null(back);
    assert_int_equal(ls_json_load(&back, "none.json", 1 << 20, &err), LS_ENOINPUT);
    assert_null(back);
    assert_int_equal(ls_json_save(root, "none/r.json", &err), LS_ECREATE);
    assert_int_equal(unlink("r.json"), 0);
    assert_int_equal(chdir("/"), 0);
    assert_int_equal(rmdir(folder), 0); /* and nothing else was left there */
    json_decref(root);
}

static void a_full_disk_is_a_failed_write(void **state)
{
    json_t *root = json_array();
    struct ls_error err = {0};

    (void)state;
    for (int i = 0; i < 10000; i++) {
        assert_int_equal(json_array_append_new(root, json_integer(i)), 0);
    }
    assert_int_equal(ls_json_save(root, "/dev/full", &err), LS_EWRITE);
    assert_int_equal(err.code, LS_EWRITE);
    assert_non_null(strstr(err.text, "No space left on device"));
    json_decref(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_wrong_is_told_with_its_place),
        cmocka_unit_test(text_deep_beyond_reason_is_refused),
        cmocka_unit_test(integers_of_64_bits_are_exact_there_and_back),
        cmocka_unit_test(nanoseconds_are_written_as_microseconds_exactly),
        cmocka_unit_test(any_latency_comes_back_to_the_nanosecond),
        cmocka_unit_test(keys_stay_in_the_order_in_which_they_were_set),
        cmocka_unit_test(a_saved_file_loads_to_the_same),
        cmocka_unit_test(a_full_disk_is_a_failed_write),
    };

    return cmocka_run_group_tests_name("base/json", tests, NULL, NULL);
}
