/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "curve/rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

struct seen {
    struct sink sink;
    char text[512];
    size_t size;
    long rows, skips;
};

static enum ls_code take(void *state, const struct slice *fields, size_t count, struct slice row,
                         struct ls_error *err)
{
    struct seen *seen = state;

    (void)err;
    (void)row;
    seen->rows++;
    for (size_t i = 0; i < count && seen->size < 400; i++) {
        seen->size += (size_t)snprintf(seen->text + seen->size, sizeof seen->text - seen->size,
                                       "%s%.*s%s", i == 0 ? "" : "|", (int)fields[i].size,
                                       fields[i].at, i + 1 == count ? ";" : "");
    }
    return LS_OK;
}

static void told(struct sink *sink, const char *reason, const char *text, size_t size)
{
    (void)text;
    (void)size;
    ((struct seen *)sink)->skips++;
    assert_string_equal(reason, "a quote that is not closed");
}

static void feed(struct seen *seen, const char *text)
{
    struct slice rest = {text, strlen(text)};
    struct ls_error err;
    struct rows rows;

    rows_init(&rows, &seen->sink, take, seen);
    while (rest.at != NULL) {
        const struct slice line = slice_cut(&rest, '\n');

        seen->sink.line++;
        assert_int_equal(rows_line(&rows, line.at, line.size, &err), LS_OK);
    }
    assert_int_equal(rows_end(&rows, &err), LS_OK);
    rows_free(&rows);
}

static void rows_are_those_of_rfc_4180(void **unused)
{
    static const struct {
        const char *why, *text, *seen;
        long skips;
    } rows[] = {
        {"plain", "a,b,c\n1,,3\n", "a|b|c;1||3;", 0},
        {"semicolons, since there are more", "a;b;c,d\n1;2;3", "a|b|c,d;1|2|3;", 0},
        {"tabs", "a\tb", "a|b;", 0},
        {"a delimiter in quotes", "\"a,b\",c", "a,b|c;", 0},
        {"doubled quotes", "\"a\"\"b\",c\n\"\",\"\"", "a\"\"b|c;|;", 0},
        {"an end of line in quotes", "x,\"a\nb\",c\nd,e,f", "x|a\nb|c;d|e|f;", 0},
        {"a quote amid a field is one", "a,b\"c,d\ne,f,g", "a|b\"c|d;e|f|g;", 0},
        {"a quote that never ends costs its line", "a,b\n1,\"2\n3,4\n5,6", "a|b;3|4;5|6;", 1},
        {"empty lines and comments", "# x\n\na,b\n\n1,2", "a|b;1|2;", 0},
        {"one column", "a\n1", "a;1;", 0},
        {"what Excel puts first is no row", "sep=;\na,b;c\n1;2", "a,b|c;1|2;", 0},
        {"in any case, in quotes, of any delimiter", "\"SEP=|\"\na,b|c", "a,b|c;", 0},
        {"of a tab", "sep=\t\na\tb", "a|b;", 0},
        {"but a row that only begins so is one", "sep=;;\n1;2;", "sep=||;1|2|;", 0},
        {"and so is one further down", "a,b\nsep=;\n1,2", "a|b;sep=;;1|2;", 0},
    };

    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct seen seen = {.sink = {.skip = told}};

        feed(&seen, rows[i].text);
        if (strcmp(seen.text, rows[i].seen) != 0) {
            fail_msg("%s: %s", rows[i].why, seen.text);
        }
        assert_int_equal(seen.skips, rows[i].skips);
    }
}

static void quotes_that_never_end_cost_their_lines_and_little_time(void **unused)
{
    static char text[40000];
    struct seen seen = {.sink = {.skip = told}};
    size_t size = 0;

    (void)unused;
    for (int i = 0; i < 2000; i++) {
        size += (size_t)snprintf(text + size, sizeof text - size, "a,\"%d\nb,%d\n", i, i);
    }
    feed(&seen, text);
    assert_int_equal(seen.skips, 2000);
    assert_int_equal(seen.rows, 2000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_those_of_rfc_4180),
        cmocka_unit_test(quotes_that_never_end_cost_their_lines_and_little_time),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
