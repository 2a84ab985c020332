/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/zone.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void a_moment_of_rfc_3339_is_read_and_written_exactly(void **state)
{
    static const struct {
        const char *text;
        int64_t utc_ns;
        const char *utc; /* as it is written */
    } rows[] = {
        {"1970-01-01T00:00:00Z", 0, "1970-01-01T00:00:00Z"},
        {"2026-11-30T08:00:00+01:00", INT64_C(1796022000000000000), "2026-11-30T07:00:00Z"},
        {"2026-11-30t07:00:00.25z", INT64_C(1796022000250000000), "2026-11-30T07:00:00.25Z"},
        {"2026-11-30 01:30:00.000000001-05:30", INT64_C(1796022000000000001),
         "2026-11-30T07:00:00.000000001Z"},
        {"1969-12-31T23:59:59.5Z", -500000000, "1969-12-31T23:59:59.5Z"},
        {"2016-12-31T23:59:60Z", INT64_C(1483228800000000000), "2017-01-01T00:00:00Z"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t utc_ns = -1;
        char text[36];

        print_message("%s\n", rows[i].text);
        assert_true(ls_moment_read(rows[i].text, &utc_ns));
        assert_int_equal(utc_ns, rows[i].utc_ns);
        ls_moment_write(utc_ns, text, sizeof text);
        assert_string_equal(text, rows[i].utc);
    }
}

static void what_is_no_moment_is_refused(void **state)
{
    static const struct {
        const char *text, *why;
    } rows[] = {
        {"", "nothing"},
        {"2026-11-30", "a day"},
        {"2026-11-30T08:00:00", "which clock's is not said"},
        {"2026-11-30T08:00Z", "no second"},
        {"2026-02-29T08:00:00Z", "no such day"},
        {"2026-11-30T24:00:00Z", "no such hour"},
        {"2026-11-30T08:00:00.Z", "a point without decimals"},
        {"2026-11-30T08:00:00.1234567890Z", "ten decimals"},
        {"2026-11-30T08:00:00+0100", "RFC 3339 wants a colon there"},
        {"2026-11-30T08:00:00+24:00", "no zone is that far"},
        {"2026-11-30T08:00:00Zulu", "something behind it"},
        {"1677-11-30T08:00:00Z", "before what 64 bits hold"},
        {"2262-01-01T00:00:00Z", "after what 64 bits hold"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t utc_ns;

        print_message("%s\n", rows[i].why);
        assert_false(ls_moment_read(rows[i].text, &utc_ns));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_moment_of_rfc_3339_is_read_and_written_exactly),
        cmocka_unit_test(what_is_no_moment_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
