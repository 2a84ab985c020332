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

#define TIME "2026-11-23T07:00:00Z"
#define LATER "2026-11-23T07:00:01Z"

static void each_row_is_a_login_or_an_interval(void **state)
{
    struct ls_curve *curve =
        curve_of("# format: loginstorm-curve 1\n# source: a log\n# timezone: Europe/Paris\n"
                 "# day: 2026-11-23..2026-11-24\n# counted: starts: all\ntime,user\n" TIME ",\n"
                 "2026-11-23T07:00:00.123456789Z,00fF\n2026-11-24T07:00:00.5Z,1");

    (void)state;
    assert_string_equal(curve->source, "a log");
    assert_string_equal(curve->timezone, "Europe/Paris");
    assert_string_equal(curve->counted, "starts: all");
    assert_true(curve->exact);
    assert_int_equal(curve->logins_count, 3);
    assert_true(curve->logins[0].utc_ns == INT64_C(1795417200000000000));
    assert_true(curve->logins[0].user == 0);
    assert_true(curve->logins[1].utc_ns == INT64_C(1795417200123456789));
    assert_true(curve->logins[1].user == 0xff);
    assert_true(curve->logins[2].utc_ns == INT64_C(1795503600500000000));
    ls_curve_free(curve);
    curve = curve_of(HEAD "from,to,count\n" TIME "," LATER ",007\n");
    assert_false(curve->exact);
    assert_int_equal(curve->intervals_count, 1);
    assert_true(curve->intervals[0].from_ns == INT64_C(1795417200000000000));
    assert_true(curve->intervals[0].to_ns == INT64_C(1795417201000000000));
    assert_int_equal(curve->intervals[0].count, 7);
    assert_int_equal(ls_curve_total(curve), 7);
    ls_curve_free(curve);
}

struct refusal {
    const char *text;
    int line, column;
    const char *says; /* a part of it */
    const char *why;
};

static void what_is_wrong_is_told_with_its_place(void **state)
{
    static const struct refusal rows[] = {
        {"", 1, 1, "no curve file", "nothing"},
        {"time,user\n", 1, 1, "`loginstorm import` makes one", "any CSV"},
        {"\x1f\x8b\x08", 1, 1, "no curve file", "a gzip"},
        {"# format: loginstorm-curve 2\n", 1, 11, "this loginstorm reads loginstorm-curve 1",
         "a later one"},
        {HEAD, 2, 1, "the columns are `time,user` or `from,to,count`", "headers alone"},
        {"# format: loginstorm-curve 1\ntime,user\n", 2, 1, "`# timezone: Europe/Paris` is missing",
         "which clocks?"},
        {HEAD "# timezone: UTC\n", 3, 3, "stands there twice", "two zones"},
        {HEAD "# timezon: UTC\n", 3, 3, "did you mean \"timezone\"?", "a slip"},
        {HEAD "# colour: red\n", 3, 3, "unknown header", "no slip"},
        {HEAD "#day: 2026-11-23\n", 3, 1, "a header is `# key: value`", "no space"},
        {HEAD "# day: 23.11.2026\n", 3, 8, "a day is written 2026-11-23", "another order"},
        {HEAD "# source: a\x1b[2J\n", 3, 12, "a control character", "for a terminal"},
        {HEAD "time;user\n", 3, 1, "the columns are", "semicolons"},
        {HEAD "time,user\n", 3, 1, "holds no login", "no rows"},
        {HEAD "time,user\n\n\n", 5, 1, "holds no login", "blank lines"},
        {HEAD "from,to,count\n" TIME "," LATER ",0\n", 4, 1, "holds no login", "nobody"},
        {HEAD "time,user\n" TIME "\n", 4, 21, "a comma and another column", "one column"},
        {HEAD "time,user\n" TIME ";1\n", 4, 21, "a comma and another column", "a semicolon"},
        {HEAD "time,user\n" TIME ",10000000000000000\n", 4, 22, "at most 16 hexadecimal digits",
         "17 digits"},
        {HEAD "time,user\n" TIME ",j.doe\n", 4, 22, "at most 16 hexadecimal digits", "a name"},
        {HEAD "time,user\n" TIME ",1,2\n", 4, 22, "at most 16 hexadecimal digits",
         "a third column"},
        {HEAD "time,user\n" LATER ",1\n" TIME ",2\n", 5, 1, "before the login above it",
         "backwards"},
        {HEAD "time,user\n2026-11-23 07:00:00Z,1\n", 4, 1, "not a UTC time", "no T"},
        {HEAD "time,user\n2026-11-23T07:00:00+01:00,1\n", 4, 1, "not a UTC time", "an offset"},
        {HEAD "time,user\n2026-11-23T07:00:00,1\n", 4, 1, "not a UTC time", "no Z"},
        {HEAD "time,user\n2026-11-23T07:00:00.Z,1\n", 4, 1, "not a UTC time", "no decimals"},
        {HEAD "time,user\n2026-11-23T07:00:00.1234567891Z,\n", 4, 1, "nine decimals",
         "ten decimals"},
        {HEAD "time,user\n2026-02-29T07:00:00Z,1\n", 4, 1, "not a UTC time", "no such day"},
        {HEAD "time,user\n2026-11-23T24:00:00Z,1\n", 4, 1, "not a UTC time", "no such hour"},
        {HEAD "time,user\n2026-11-23T07:60:00Z,1\n", 4, 1, "not a UTC time", "no such minute"},
        {HEAD "time,user\n2026-11-23T07:00:60Z,1\n", 4, 1, "not a UTC time", "a leap second"},
        {HEAD "time,user\n1677-12-31T07:00:00Z,1\n", 4, 1, "1678 to 2261", "too early"},
        {HEAD "time,user\n2262-01-01T00:00:00Z,1\n", 4, 1, "1678 to 2261", "too late"},
        {HEAD "time,user\n1795417200,1\n", 4, 1, "not a UTC time", "an epoch"},
        {HEAD "time,user\n\"" TIME "\",1\n", 4, 1, "not a UTC time", "quotes"},
        {HEAD "from,to,count\n" TIME "," TIME ",1\n", 4, 22, "ends after its beginning",
         "no length"},
        {HEAD "from,to,count\n" LATER "," TIME ",1\n", 4, 22, "ends after its beginning",
         "backwards"},
        {HEAD "from,to,count\n" TIME "," LATER ",1\n" TIME "," LATER ",1\n", 5, 1,
         "before the interval above it ends", "an overlap"},
        {HEAD "from,to,count\n" TIME "," LATER ",-1\n", 4, 43, "a count is a whole number",
         "fewer than none"},
        {HEAD "from,to,count\n" TIME "," LATER ",\n", 4, 43, "a count is a whole number", "none"},
        {HEAD "from,to,count\n" TIME "," LATER ",1.5\n", 4, 43, "a count is a whole number",
         "a half"},
        {HEAD "from,to,count\n" TIME "," LATER ",1000000001\n", 4, 43, "1,000,000,000",
         "more than there are"},
        {HEAD "from,to,count\n" TIME "," LATER "\n", 4, 42, "another column", "two columns"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_error err = {0};
        struct ls_curve *curve = NULL;
        char path[64];

        curve_file(path, rows[i].text);
        if (ls_curve_load(&curve, path, &err) != LS_EINPUT || curve != NULL) {
            fail_msg("taken: %s (%s)", rows[i].text, rows[i].why);
        }
        if (err.line != rows[i].line || err.column != rows[i].column ||
            strstr(err.text, rows[i].says) == NULL) {
            fail_msg("%s\n  gives %d:%d: %s\n  wanted %d:%d: %s (%s)", rows[i].text, err.line,
                     err.column, err.text, rows[i].line, rows[i].column, rows[i].says, rows[i].why);
        }
        assert_string_equal(err.path, path);
        assert_int_equal(unlink(path), 0);
    }
}

static void bytes_that_are_no_text_are_told(void **state)
{
    static const char nul[] = HEAD "time,user\n2026-11\0";
    struct ls_error err = {0};
    struct ls_curve *curve = NULL;
    char *endless = malloc(2000000);
    FILE *stream = fmemopen((void *)(uintptr_t)nul, sizeof nul - 1, "r");

    (void)state;
    assert_int_equal(ls_curve_read(&curve, stream, "c.csv", &err), LS_EINPUT);
    assert_string_equal(err.text, "a NUL byte; this is no text");
    assert_int_equal(err.line, 4);
    assert_int_equal(err.column, 8);
    (void)fclose(stream);
    memset(endless, 'x', 2000000);
    memcpy(endless, HEAD, sizeof HEAD - 1);
    stream = fmemopen(endless, 2000000, "r");
    assert_int_equal(ls_curve_read(&curve, stream, "c.csv", &err), LS_EINPUT);
    assert_non_null(strstr(err.text, "more than 1,024 bytes"));
    assert_int_equal(err.line, 3);
    (void)fclose(stream);
    free(endless);
    assert_int_equal(ls_curve_load(&curve, "/nowhere/c.csv", &err), LS_ENOINPUT);
    assert_int_equal(ls_curve_load(&curve, "/tmp", &err), LS_ENOINPUT);
}

static void spreadsheets_may_have_had_it(void **state)
{
    struct ls_curve *curve =
        curve_of("\xef\xbb\xbf# format: loginstorm-curve 1\r\n# timezone: UTC\r\ntime,user\r\n" TIME
                 ",1\r\n\r\n");

    (void)state;
    assert_string_equal(curve->timezone, "UTC");
    assert_int_equal(curve->logins_count, 1);
    ls_curve_free(curve);
}

/* Longer than the reader's buffer, so that lines are cut by its pieces. */
static void every_row_of_many_is_read(void **state)
{
    enum { ROWS = 20000 };
    char *text = malloc(64 * ROWS);
    size_t used = (size_t)sprintf(text, HEAD "time,user\n");
    struct ls_curve *curve;

    (void)state;
    for (int i = 0; i < ROWS; i++) {
        used += (size_t)sprintf(text + used, "2026-11-23T%02d:%02d:%02d.%03dZ,%x\n", i / 3600,
                                i / 60 % 60, i % 60, i % 1000, i + 1);
    }
    curve = curve_of(text);
    assert_int_equal(curve->logins_count, ROWS);
    for (int i = 0; i < ROWS; i++) {
        assert_int_equal(curve->logins[i].user, i + 1);
        assert_true(curve->logins[i].utc_ns == INT64_C(1795392000000000000) +
                                                   i * INT64_C(1000000000) +
                                                   i % 1000 * INT64_C(1000000));
    }
    ls_curve_free(curve);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_row_is_a_login_or_an_interval),
        cmocka_unit_test(what_is_wrong_is_told_with_its_place),
        cmocka_unit_test(bytes_that_are_no_text_are_told),
        cmocka_unit_test(spreadsheets_may_have_had_it),
        cmocka_unit_test(every_row_of_many_is_read),
    };

    return cmocka_run_group_tests_name("arrivals/curve_read", tests, NULL, NULL);
}
