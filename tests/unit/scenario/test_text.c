/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "help.h"

#include "scenario/text.h"

static void bytes_that_are_not_clean_utf8_are_refused_with_their_place(void **state)
{
    static const struct {
        const char *text;
        size_t size;
        int line, column;
        const char *complaint;
        const char *why;
    } rows[] = {
        {"a: \xff", 4, 1, 4, "the byte 0xff is not UTF-8; save the file as UTF-8",
         "never in UTF-8"},
        {"\xc3\xa9: \xe9", 5, 1, 4, "the byte 0xe9 is not UTF-8; save the file as UTF-8",
         "Latin-1; columns count characters"},
        {"a\nb\xc3", 4, 2, 2, "the byte 0xc3 is not UTF-8; save the file as UTF-8", "cut off"},
        {"\xc0\x80", 2, 1, 1, "the byte 0xc0 is not UTF-8; save the file as UTF-8",
         "a NUL in disguise"},
        {"\xed\xa0\x80", 3, 1, 1, "the byte 0xed is not UTF-8; save the file as UTF-8",
         "a surrogate"},
        {"\xf4\x90\x80\x80", 4, 1, 1, "the byte 0xf4 is not UTF-8; save the file as UTF-8",
         "beyond Unicode"},
        {"a\r\n\0b", 5, 2, 1, "a control character (U+0000) does not belong here", "NUL"},
        {"a\x1b[31m", 6, 1, 2, "a control character (U+001B) does not belong here",
         "a terminal's escape"},
        {"\xc2\x9b", 2, 1, 1, "a control character (U+009B) does not belong here",
         "the same in one character"},
        {"\xff\xfe"
         "a\0",
         4, 1, 1, "the file is UTF-16; save it as UTF-8", "a Windows editor's choice"},
        {"\xfe\xff\0a", 4, 1, 1, "the file is UTF-16; save it as UTF-8", "the other way round"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_reading reading = {.file = "f"};
        size_t skip = 9;

        if (ls_text_check(&reading, rows[i].text, rows[i].size, NULL, &skip) ||
            reading.errors.count != 1 || reading.errors.item[0].line != rows[i].line ||
            reading.errors.item[0].column != rows[i].column ||
            strcmp(reading.errors.item[0].text, rows[i].complaint) != 0) {
            fail_msg("row %zu: %d:%d: %s (%s)", i, reading.errors.item[0].line,
                     reading.errors.item[0].column, reading.errors.item[0].text, rows[i].why);
        }
    }
}

static void clean_text_is_taken_and_a_byte_order_mark_skipped(void **state)
{
    struct ls_reading reading = {.file = "f"};
    size_t skip = 9;

    (void)state;
    assert_true(ls_text_check(&reading, "a: \t\r\n", 6, NULL, &skip));
    assert_int_equal(skip, 0);
    assert_true(ls_text_check(&reading,
                              "\xef\xbb\xbf"
                              "a",
                              4, NULL, &skip));
    assert_int_equal(skip, 3);
    assert_true(ls_text_check(&reading, "\xf0\x9f\x98\x80\xe2\x82\xac\xc3\xa9", 9, NULL, &skip));
    assert_true(ls_text_check(&reading, "", 0, NULL, &skip));
    assert_int_equal(reading.errors.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_that_are_not_clean_utf8_are_refused_with_their_place),
        cmocka_unit_test(clean_text_is_taken_and_a_byte_order_mark_skipped),
    };

    return cmocka_run_group_tests_name("scenario/text", tests, NULL, NULL);
}
