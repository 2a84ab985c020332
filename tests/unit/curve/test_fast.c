/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "curve/fast.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <cmocka.h>

/* The same by single characters: '0' any digit, '_' the T or the blank, 'x' one of a month's. */
static bool is_so(const char *text, const char *pattern)
{
    for (size_t i = 0; pattern[i] != '\0'; i++) {
        const char c = text[i];
        const bool good = pattern[i] == '0'   ? c >= '0' && c <= '9'
                          : pattern[i] == '_' ? c == 'T' || c == ' '
                          : pattern[i] == 'x' ? true
                                              : c == pattern[i];

        if (!good) {
            return false;
        }
    }
    return true;
}

static bool is_month(const char *text)
{
    return strncasecmp(text, "Nov", 3) == 0;
}

/* Whatever stands at one place, the quick way takes the text if and only if it is of the form. */
static void every_character_at_every_place_is_taken_or_not_as_the_form_says(void **state)
{
    static const struct {
        const char *text, *pattern;
        size_t size, year_at;
        struct ls_civil civil;
    } rows[] = {
        {"10/Nov/2026:08:25:43", "00/xxx/0000:00:00:00", 20, 7, {2026, 11, 10, 8, 25, 43, 0}},
        {"2026-11-30 08:27:47", "0000-00-00_00:00:00", 19, 0, {2026, 11, 30, 8, 27, 47, 0}},
        {"0000-11-30T99:99:99", "0000-00-00_00:00:00", 19, 0, {0, 11, 30, 99, 99, 99, 0}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (size_t at = 0; at <= rows[i].size; at++) {
            for (int c = 0; c < 256; c++) {
                char text[32] = "";
                struct stamp stamp = {0};
                struct text t = {text, text + rows[i].size + 1, NULL};
                bool is;

                memcpy(text, rows[i].text, rows[i].size);
                text[at] = (char)c;
                is = is_so(text, rows[i].pattern) &&
                     memcmp(text + rows[i].year_at, "0000", 4) != 0 &&
                     (rows[i].size == 19 || is_month(text + 3)) &&
                     (text[rows[i].size] < '0' || text[rows[i].size] > '9');
                if (stamp_begin_fast(&t, &stamp) != is) {
                    fail_msg("%s with %02x at %zu", rows[i].text, (unsigned)c, at);
                }
                assert_int_equal(t.at - text, is ? rows[i].size : 0);
                if (at == rows[i].size && is) {
                    assert_memory_equal(&stamp.civil, &rows[i].civil, sizeof stamp.civil);
                } else if (!is) {
                    assert_int_equal(stamp.civil.hour, 0);
                }
            }
        }
    }
}

static void a_text_that_is_too_short_is_left_alone(void **state)
{
    static const char *const texts[] = {"10/Nov/2026:08:25:43", "2026-11-30T08:27:47"};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        for (size_t size = 0; size <= strlen(texts[i]); size++) {
            struct stamp stamp = {0};
            struct text t = {texts[i], texts[i] + size, NULL};

            assert_int_equal(stamp_begin_fast(&t, &stamp), size == strlen(texts[i]));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_character_at_every_place_is_taken_or_not_as_the_form_says),
        cmocka_unit_test(a_text_that_is_too_short_is_left_alone),
    };

    return cmocka_run_group_tests_name("curve/fast", tests, NULL, NULL);
}
