/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "loginstorm/result.h"

static void durations_have_three_significant_digits(void **state)
{
    static const struct {
        int64_t ns;
        const char *text;
    } rows[] = {
        {LS_NEVER_NS, "-"},
        {0, "0 ns"},
        {1, "1 ns"},
        {999, "999 ns"},
        {1000, "1.00 µs"},
        {1004, "1.00 µs"},
        {1005, "1.01 µs"},
        {9994, "9.99 µs"},
        {9995, "10.0 µs"},
        {12345, "12.3 µs"},
        {99949, "99.9 µs"},
        {99950, "100 µs"},
        {812499, "812 µs"},
        {812500, "813 µs"},
        {999499, "999 µs"},
        {999500, "1.00 ms"},
        {4120000, "4.12 ms"},
        {88000000, "88.0 ms"},
        {999999999, "1.00 s"},
        {1900000000, "1.90 s"},
        {59949999999, "59.9 s"},
        {123456000000, "123 s"},
        {3600000000000, "3600 s"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char out[32];

        ls_format_ns(rows[i].ns, out, sizeof out);
        assert_string_equal(out, rows[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(durations_have_three_significant_digits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
