/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "curve/lines.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* What was given and skipped, as text. */
struct seen {
    struct sink sink;
    char text[1024];
    size_t size;
};

static void note(struct seen *seen, const char *what, size_t size, const char *text)
{
    const int more = snprintf(seen->text + seen->size, sizeof seen->text - seen->size, "%d%s%.*s;",
                              (int)seen->sink.line, what, (int)(size < 20 ? size : 20), text);

    seen->size += (size_t)more;
    assert_true(seen->size < sizeof seen->text);
}

static enum ls_code take(void *state, const char *line, size_t size, struct ls_error *err)
{
    (void)err;
    note(state, ":", size, line);
    return LS_OK;
}

static void told(struct sink *sink, const char *reason, const char *text, size_t size)
{
    note((struct seen *)sink, "!", strlen(reason), reason);
    assert_true(size == 0 || text != NULL);
}

/* In pieces of so many bytes, each in memory of its own. */
static void feed(struct seen *seen, const char *text, size_t size, size_t piece)
{
    struct lines lines;
    struct ls_error err;

    lines_init(&lines, &seen->sink, take, seen);
    for (size_t at = 0; at < size; at += piece) {
        const size_t part = size - at < piece ? size - at : piece;
        char *exact = malloc(part);

        assert_non_null(exact);
        memcpy(exact, text + at, part);
        assert_int_equal(lines_feed(&lines, exact, part, &err), LS_OK);
        free(exact);
    }
    assert_int_equal(lines_end(&lines, &err), LS_OK);
    lines_free(&lines);
}

static void lines_come_out_whatever_the_pieces(void **unused)
{
    static const struct {
        const char *why, *text;
        size_t size;
        const char *seen;
    } rows[] = {
        {"two lines", "one\ntwo\n", 8, "1:one;2:two;"},
        {"the last without an end", "one\ntwo", 7, "1:one;2:two;"},
        {"ends of Windows", "one\r\ntwo\r\n", 10, "1:one;2:two;"},
        {"empty lines", "\n\none\n", 6, "1:;2:;3:one;"},
        {"nothing", "", 0, ""},
        {"NULs before a line, as a cut log has them", "one\n\0\0\0\0two\n\0", 13,
         "1:one;2!NUL bytes, as a log ;2:two;3!NUL bytes, as a log ;3:;"},
    };

    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (size_t piece = 1; piece <= 14; piece++) {
            struct seen seen = {.sink = {.skip = told}};

            feed(&seen, rows[i].text, rows[i].size, piece);
            if (strcmp(seen.text, rows[i].seen) != 0) {
                fail_msg("%s, by %zu: %s", rows[i].why, piece, seen.text);
            }
        }
    }
}

static void a_line_without_what_it_must_have_is_passed_over(void **unused)
{
    static const char text[] = "a /in\nb\n\nc /i\nn\nd /in\ne /in";

    (void)unused;
    for (size_t piece = 1; piece <= sizeof text; piece++) {
        struct seen seen = {
            .sink = {.skip = told, .must = "/in", .must_size = 3, .must_reason = "no"}};

        feed(&seen, text, sizeof text - 1, piece);
        /* A line that two pieces share is given: its format looks for itself. */
        assert_non_null(strstr(seen.text, "1:a /in;"));
        assert_non_null(strstr(seen.text, "6:d /in;"));
        assert_non_null(strstr(seen.text, "7:e /in;"));
        if (piece >= sizeof text - 1) {
            assert_string_equal(seen.text, "1:a /in;2!no;4!no;5!no;6:d /in;7:e /in;");
        }
    }
}

static void a_line_that_never_ends_costs_itself_alone(void **unused)
{
    const size_t size = (size_t)10 * 1024 * 1024;
    char *text = malloc(size + 16);

    (void)unused;
    assert_non_null(text);
    memcpy(text, "one\n", 4);
    memset(text + 4, 'x', size);
    memcpy(text + 4 + size, "\ntwo\n", 5);
    for (size_t piece = (size_t)100 * 1000; piece < 2 * size; piece *= 8) {
        struct seen seen = {.sink = {.skip = told}};

        feed(&seen, text, size + 9, piece);
        assert_string_equal(seen.text, "1:one;2!a line of more than ;3:two;");
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_come_out_whatever_the_pieces),
        cmocka_unit_test(a_line_without_what_it_must_have_is_passed_over),
        cmocka_unit_test(a_line_that_never_ends_costs_itself_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
