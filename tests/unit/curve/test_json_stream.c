/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "curve/json_stream.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct seen {
    char text[4096];
    size_t size, longest;
};

static enum ls_code take(void *data, const struct json_item *item, struct ls_error *err)
{
    static const char kinds[] = "{}[]snb0";
    struct seen *seen = data;
    const int more = snprintf(seen->text + seen->size, sizeof seen->text - seen->size,
                              "%c%.*s=%.*s ", kinds[item->kind], (int)item->path.size,
                              item->path.at == NULL ? "" : item->path.at, (int)item->text.size,
                              item->text.at == NULL ? "" : item->text.at);

    (void)err;
    seen->size += more > 0 ? (size_t)more : 0;
    seen->size = seen->size < sizeof seen->text ? seen->size : sizeof seen->text - 1;
    seen->longest = item->text.size > seen->longest ? item->text.size : seen->longest;
    return LS_OK;
}

/* In pieces, each in memory of its own that is no longer, so that reading beyond it is found. */
static void read_in_pieces(struct seen *seen, struct sink *sink, const char *text, size_t size,
                           size_t piece)
{
    struct json_stream *stream = malloc(sizeof *stream);
    struct ls_error err;

    assert_non_null(stream);
    *seen = (struct seen){0};
    *sink = (struct sink){.path = "log"};
    json_stream_init(stream, sink, take, seen);
    for (size_t at = 0; at < size && sink->broken.code == LS_OK; at += piece) {
        const size_t count = size - at < piece ? size - at : piece;
        char *bytes = malloc(count);

        assert_non_null(bytes);
        memcpy(bytes, text + at, count);
        assert_int_equal(json_stream_feed(stream, bytes, count, &err), LS_OK);
        free(bytes);
    }
    assert_int_equal(json_stream_end(stream, &err), LS_OK);
    free(stream);
}

static void documents_are_the_same_in_whatever_pieces_they_come(void **unused)
{
    static const struct {
        const char *text, *seen;
    } rows[] = {
        {"{}", "{= }= "},
        {" [ ] ", "[= ]= "},
        {"{\"a\":[1,-2.5e+3,true,false,null,\"x\"],\"b\":{\"c\":\"\"}}",
         "{= [/a= n/a/*=1 n/a/*=-2.5e+3 b/a/*=true b/a/*=false 0/a/*= s/a/*=x ]/a= {/b= s/b/c= "
         "}/b= }= "},
        {"[[1],[],{\"k\":[{}]}]", "[= [/*= n/*/*=1 ]/*= [/*= ]/*= {/*= [/*/k= {/*/k/*= }/*/k/*= "
                                  "]/*/k= }/*= ]= "},
        {"\"a\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\u00e9\\u20AC\\ud83d\\ude00z\"",
         "s=a\"\\/\b\f\n\r\tA\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80z "},
        {"\"\\ude00\" \"\\ud83dx\\ude00\"", "s=\xef\xbf\xbd s=x\xef\xbf\xbd "},
        {"{\"a\\u0062\":1}{\"c\":2}\n[3]\x1e 4 5", "{= n/ab=1 }= {= n/c=2 }= [= n/*=3 ]= n=4 n=5 "},
        {"\xef\xbb\xbf{}\r\n\xef\xbb\xbf[]", "{= }= [= ]= "},
    };
    struct seen seen;
    struct sink sink;

    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const size_t size = strlen(rows[i].text);

        for (size_t piece = 1; piece <= size; piece++) {
            read_in_pieces(&seen, &sink, rows[i].text, size, piece);
            assert_string_equal(seen.text, rows[i].seen);
            assert_int_equal(sink.broken.code, LS_OK);
        }
    }
}

static void what_is_no_json_breaks_off_and_is_named(void **unused)
{
    static const struct {
        const char *text, *why;
    } rows[] = {
        {"{\"a\":1", "it breaks off amid"},           {"\"a", "it breaks off amid"},
        {"[1 2]", "neither a comma nor a bracket"},   {"[1}", "a bracket that closes nothing"},
        {"]", "no value where one should be"},        {"[1,]", "no value where one should be"},
        {"[,]", "no value where one should be"},      {"{\"a\":}", "no value where one should be"},
        {"{1:2}", "no key where one should be"},      {"{\"a\":1,}", "no key where one should be"},
        {"{\"a\"1}", "a key without a colon"},        {"[NaN]", "a word that is no value"},
        {"[truee]", "a word that is no value"},       {"[\"\\x\"]", "a backslash in a string"},
        {"[\"\\u12g4\"]", "a backslash in a string"}, {"[\xef\xbb\xbf]", "a word that is no value"},
        {"\xef\xbb[]", "something that is no text"},
    };
    struct seen seen;
    struct sink sink;

    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const size_t size = strlen(rows[i].text);

        for (size_t piece = 1; piece <= size; piece++) {
            read_in_pieces(&seen, &sink, rows[i].text, size, piece);
            assert_int_equal(sink.broken.code, LS_EINPUT);
            assert_non_null(strstr(sink.broken.text, rows[i].why));
        }
    }
}

static void a_string_or_way_of_any_length_takes_no_more_room(void **unused)
{
    const size_t size = 100000;
    char *text = malloc(2 * size + 16);
    struct seen seen;
    struct sink sink;

    (void)unused;
    assert_non_null(text);
    memset(text, 'x', 2 * size + 16);
    memcpy(text, "{\"", 2);
    memcpy(text + size, "\":\"", 3);
    memcpy(text + 2 * size, "\"}", 2);
    read_in_pieces(&seen, &sink, text, 2 * size + 2, 1000);
    assert_int_equal(sink.broken.code, LS_OK);
    assert_int_equal(seen.longest, JSON_TEXT);
    free(text);
}

static void lines_are_counted(void **unused)
{
    struct seen seen;
    struct sink sink;

    (void)unused;
    read_in_pieces(&seen, &sink, "{\n\"a\":\n1}\n\n[}", 13, 3);
    assert_int_equal(sink.broken.line, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(documents_are_the_same_in_whatever_pieces_they_come),
        cmocka_unit_test(what_is_no_json_breaks_off_and_is_named),
        cmocka_unit_test(a_string_or_way_of_any_length_takes_no_more_room),
        cmocka_unit_test(lines_are_counted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
