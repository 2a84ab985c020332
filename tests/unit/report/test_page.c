/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/page.h"

static void clean_text_shows_only_what_can_be_seen(void **state)
{
    static const struct {
        const char *why, *text, *utf8, *ascii;
    } rows[] = {
        {"plain", "RSA 4096", "RSA 4096", "RSA 4096"},
        {"units", "4 µs · 2", "4 µs · 2", "4 us | 2"},
        {"escape", "\x1b[31m", "?[31m", "?[31m"},
        {"line ends", "a\r\nb\tc", "a??b?c", "a??b?c"},
        {"delete", "a\x7f", "a?", "a?"},
        {"a control of the second set",
         "\xc2\x9b"
         "2J",
         "?2J", "?2J"},
        {"text turned around", "a\xe2\x80\xae-", "a?-", "a?-"},
        {"a byte that begins nothing",
         "a\xff"
         "b",
         "a?b", "a?b"},
        {"a character cut short", "a\xe2\x96", "a??", "a??"},
        {"more bytes than needed", "\xc0\x80", "??", "??"},
        {"half of a pair", "\xed\xa0\x80", "???", "???"},
        {"beyond the last", "\xf4\x90\x80\x80", "????", "????"},
        {"accents", "Zo\xc3\xab", "Zo\xc3\xab", "Zo?"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *utf8 = clean_text(rows[i].text, true), *ascii = clean_text(rows[i].text, false);

        if (strcmp(utf8, rows[i].utf8) != 0 || strcmp(ascii, rows[i].ascii) != 0) {
            fail_msg("%s: %s, %s", rows[i].why, utf8, ascii);
        }
        free(utf8);
        free(ascii);
    }
}

static void width_is_counted_in_columns(void **state)
{
    static const struct {
        const char *text;
        size_t width;
    } rows[] = {
        {"", 0},     {"RSA", 3},       {"µs", 2},         {"▁▂▃", 3},
        {"東京", 4}, {"e\xcc\x81", 1}, {"Zo\xc3\xab", 3}, {"\xf0\x9f\x8c\xa9", 2},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (text_width(rows[i].text) != rows[i].width) {
            fail_msg("%s: %zu", rows[i].text, text_width(rows[i].text));
        }
    }
}

static void text_is_cut_between_characters_and_marked(void **state)
{
    static const struct {
        const char *text;
        size_t columns;
        bool utf8;
        const char *cut;
        size_t width;
    } rows[] = {
        {"ECDSA P-256", 11, true, "ECDSA P-256", 11},
        {"ECDSA P-256", 8, true, "ECDSA P…", 8},
        {"ECDSA P-256", 8, false, "ECDSA P~", 8},
        {"ECDSA P-256", 10, true, "ECDSA P-2~", 10}, /* two bytes are left, the mark has three */
        {"東京東京", 5, true, "東京…", 5},
        {"東京東京", 4, true, "東…", 3}, /* half a character is none */
        {"µµµ", 2, true, "µ…", 2},
        {"abc", 1, false, "~", 1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *text = strdup(rows[i].text);
        const size_t width = text_cut(text, rows[i].columns, rows[i].utf8);

        assert_string_equal(text, rows[i].cut);
        assert_int_equal(width, rows[i].width);
        free(text);
    }
}

static void paragraphs_are_wrapped_at_blanks(void **state)
{
    static const struct {
        int columns;
        const char *text, *wrapped;
    } rows[] = {
        {40, "one line", "one line\n"},
        {20, "exactly twenty chars", "exactly twenty chars\n"},
        {20, "one word more than twenty", "one word more than\n  twenty\n"},
        {20, "a-word-without-any-blank-at-all", "a-word-without-any-b\n  lank-at-all\n"},
        {20, "two  blanks between  words here", "two  blanks between\n  words here\n"},
        {20, "", "\n"},
        {1, "too narrow to be true is twenty", "too narrow to be\n  true is twenty\n"},
        {20, "▁▂▃▄▅▆▇█▁▂ ▃▄▅▆▇█▁▂▃▄▅", "▁▂▃▄▅▆▇█▁▂\n  ▃▄▅▆▇█▁▂▃▄▅\n"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct ls_report_look look = {.columns = rows[i].columns, .utf8 = true};
        size_t size;
        char *text;
        struct page page = {.out = open_memstream(&text, &size), .look = &look};

        page_put(&page, PLAIN, 2, "%s", rows[i].text);
        assert_int_equal(page_finish(&page, NULL), LS_OK);
        (void)fclose(page.out);
        assert_string_equal(text, rows[i].wrapped);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clean_text_shows_only_what_can_be_seen),
        cmocka_unit_test(width_is_counted_in_columns),
        cmocka_unit_test(text_is_cut_between_characters_and_marked),
        cmocka_unit_test(paragraphs_are_wrapped_at_blanks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
