/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/curve.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "unit/arrivals/curves.h"

static char *words[] = {(char[]){"nginx combined, 2 files"}, (char[]){"Europe/Paris"},
                        (char[]){"requests of /login"}};

static char *written(const struct ls_curve *curve)
{
    struct ls_error err = {0};
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);

    assert_non_null(stream);
    assert_int_equal(ls_curve_write(curve, stream, &err), LS_OK);
    assert_int_equal(fclose(stream), 0);
    return text;
}

static void logins_are_written_as_documented(void **state)
{
    struct ls_curve_login logins[] = {
        {INT64_C(1795417200000000000), 0},           /* 2026-11-23T07:00:00Z */
        {INT64_C(1795417200000000001), 1},           /* a nanosecond later */
        {INT64_C(1795417200250000000), 0xdeadbeef},  /* no zeros at its end */
        {INT64_C(1795417200250000000), UINT64_MAX}}; /* the same moment again */
    const struct ls_curve curve = {.source = words[0],
                                   .timezone = words[1],
                                   .counted = words[2],
                                   .exact = true,
                                   .logins = logins,
                                   .logins_count = 4};
    char *text = written(&curve);

    (void)state;
    assert_string_equal(text, "# format: loginstorm-curve 1\n"
                              "# source: nginx combined, 2 files\n"
                              "# timezone: Europe/Paris\n"
                              "# day: 2026-11-23\n"
                              "# counted: requests of /login\n"
                              "time,user\n"
                              "2026-11-23T07:00:00Z,\n"
                              "2026-11-23T07:00:00.000000001Z,1\n"
                              "2026-11-23T07:00:00.25Z,deadbeef\n"
                              "2026-11-23T07:00:00.25Z,ffffffffffffffff\n");
    free(text);
    assert_int_equal(ls_curve_total(&curve), 4);
}

static void the_days_of_a_curve_are_those_of_its_clocks(void **state)
{
    /* 23:30 and 00:30 UTC are the next day in Paris; the interval ends before it begins again. */
    struct ls_curve_interval intervals[] = {
        {INT64_C(1795476600000000000), INT64_C(1795480200000000000), 7},
        {INT64_C(1795480200000000000), INT64_C(1795561200000000000), 0}};
    const struct ls_curve curve = {
        .timezone = words[1], .intervals = intervals, .intervals_count = 2};
    char *text = written(&curve);

    (void)state;
    assert_string_equal(text, "# format: loginstorm-curve 1\n"
                              "# timezone: Europe/Paris\n"
                              "# day: 2026-11-24\n"
                              "from,to,count\n"
                              "2026-11-23T23:30:00Z,2026-11-24T00:30:00Z,7\n"
                              "2026-11-24T00:30:00Z,2026-11-24T23:00:00Z,0\n");
    free(text);
    assert_int_equal(ls_curve_total(&curve), 7);
}

static void a_name_cannot_write_a_line_of_its_own(void **state)
{
    char source[] = "a\n# timezone: UTC\x1b[2J";
    struct ls_curve_login login = {0, 0};
    const struct ls_curve curve = {
        .source = source, .timezone = words[1], .exact = true, .logins = &login, .logins_count = 1};
    char *text = written(&curve);

    (void)state;
    assert_non_null(strstr(text, "# source: a?# timezone: UTC?[2J\n"));
    free(text);
}

static void what_cannot_be_written_is_told(void **state)
{
    struct ls_curve_login login = {0, 0};
    struct ls_curve curve = {.exact = true, .logins = &login, .logins_count = 1};
    struct ls_error err = {0};
    FILE *full = fopen("/dev/full", "we");

    (void)state;
    assert_non_null(full);
    assert_int_equal(ls_curve_write(&curve, full, &err), LS_EINPUT);
    assert_string_equal(err.text, "a curve without a timezone cannot be written");
    curve.timezone = (char[]){"Europe/Pariss"};
    assert_int_equal(ls_curve_write(&curve, full, &err), LS_EINPUT);
    curve.timezone = words[1];
    assert_int_equal(ls_curve_write(&curve, full, &err), LS_EWRITE);
    (void)fclose(full);
}

static void a_file_is_written_back_byte_for_byte(void **state)
{
    static const char *const texts[] = {
        HEAD "time,user\n2026-11-23T07:00:00.000000001Z,\n2026-11-23T07:00:00.00000001Z,a0\n",
        HEAD "time,user\n1678-01-01T00:00:00Z,1\n1969-12-31T23:59:59.999999999Z,1\n"
             "1970-01-01T00:00:00Z,2\n2106-02-07T06:28:16Z,1\n2261-12-31T23:59:59.9Z,1\n",
        HEAD "from,to,count\n2026-11-23T07:00:00Z,2026-11-23T07:01:00Z,0\n"
             "2026-11-23T07:01:00Z,2026-11-23T07:02:00Z,1000000000\n",
    };

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct ls_curve *curve = curve_of(texts[i]);
        char *text = written(curve);
        char *day = strstr(text, "# day: ");

        /* The day is worked out, and not in these texts. */
        memmove(day, strchr(day, '\n') + 1, strlen(strchr(day, '\n') + 1) + 1);
        assert_string_equal(text, texts[i]);
        free(text);
        ls_curve_free(curve);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logins_are_written_as_documented),
        cmocka_unit_test(the_days_of_a_curve_are_those_of_its_clocks),
        cmocka_unit_test(a_name_cannot_write_a_line_of_its_own),
        cmocka_unit_test(what_cannot_be_written_is_told),
        cmocka_unit_test(a_file_is_written_back_byte_for_byte),
    };

    return cmocka_run_group_tests_name("arrivals/curve", tests, NULL, NULL);
}
