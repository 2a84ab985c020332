/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "help.h"

#include "loginstorm/units.h"
#include "scenario/scalar.h"

#define REFUSED INT64_MIN
#define COUNT(rows) (sizeof(rows) / sizeof(rows)[0])

struct row {
    const char *text;
    int64_t value;
    const char *why;
};

static void check_rows(const struct row *rows, size_t count,
                       bool (*read)(const char *text, int64_t *out))
{
    for (size_t i = 0; i < count; i++) {
        int64_t value = REFUSED;
        const bool taken = read(rows[i].text, &value);

        if (taken != (rows[i].value != REFUSED) || value != rows[i].value) {
            fail_msg("\"%s\" gives %lld (%s)", rows[i].text, (long long)value, rows[i].why);
        }
    }
}

static void whole_numbers_are_decimal_and_fit(void **state)
{
    static const struct row rows[] = {
        {"0", 0, "zero"},
        {"08", 8, "no octal"},
        {"010", 10, "no octal"},
        {"6000", 6000, "plain"},
        {"-1", -1, "the field's range refuses it, with its own words"},
        {"9223372036854775807", INT64_MAX, "the largest"},
        {"9223372036854775808", REFUSED, "one more does not fit"},
        {"99999999999999999999999999", REFUSED, "nor do many more"},
        {"", REFUSED, "nothing"},
        {"-", REFUSED, "a sign alone"},
        {"6,000", REFUSED, "separators differ by country"},
        {"6000.0", REFUSED, "a whole number has no point"},
        {"0x10", REFUSED, "no hexadecimal"},
        {"1e3", REFUSED, "no exponent"},
        {" 1", REFUSED, "no blanks"},
    };

    (void)state;
    check_rows(rows, COUNT(rows), ls_scalar_integer);
}

static void durations_are_exact_in_nanoseconds(void **state)
{
    static const struct row rows[] = {
        {"250us", 250000, "microseconds"},
        {"5ms", 5000000, "milliseconds"},
        {"10s", 10000000000, "seconds"},
        {"2m", 120000000000, "minutes"},
        {"2min", 120000000000, "minutes, in full"},
        {"1h", 3600000000000, "an hour"},
        {"1m30s", 90000000000, "two units"},
        {"1h1m1s1ms1us1ns", 3661001001001, "all of them"},
        {"17.5ms", 17500000, "decimals that come out even"},
        {"0.1ns", REFUSED, "less than a nanosecond would be rounded"},
        {"1.0000000001s", REFUSED, "so would this"},
        {"0", 0, "nothing has no unit"},
        {"0s", 0, "nor need it"},
        {"5", REFUSED, "five of what?"},
        {"5 s", REFUSED, "no blanks"},
        {"30s1m", REFUSED, "the larger unit comes first"},
        {"1s1s", REFUSED, "each unit once"},
        {"-5s", REFUSED, "time does not go back"},
        {"s", REFUSED, "a unit alone"},
        {"1.s", REFUSED, "half a number"},
        {".5s", REFUSED, "half a number"},
        {"1d", REFUSED, "days are not a unit"},
        {"1S", REFUSED, "units are lower case"},
        {"nan", REFUSED, "not a number"},
        {"inf", REFUSED, "nor is this"},
        {"2562048h", REFUSED, "beyond 64 bits"},
        {"99999999999999999999s", REFUSED, "far beyond"},
        {"9223372036s9223372036ms", REFUSED, "the sum overflows"},
        {"", REFUSED, "nothing"},
    };

    (void)state;
    check_rows(rows, COUNT(rows), ls_scalar_duration);
}

static void sizes_tell_thousands_from_1024(void **state)
{
    static const struct row rows[] = {
        {"900B", 900, "bytes"},
        {"6kB", 6000, "1,000"},
        {"6KiB", 6144, "1,024"},
        {"1MB", 1000000, "a million"},
        {"1MiB", 1048576, "2^20"},
        {"1.5kB", 1500, "comes out even"},
        {"1GiB", 1 << 30, "2^30"},
        {"0", 0, "nothing"},
        {"1.5B", REFUSED, "no half bytes"},
        {"6KB", REFUSED, "which of the two?"},
        {"900", REFUSED, "of what?"},
        {"-1B", REFUSED, "less than nothing"},
        {"9999999999GiB", REFUSED, "beyond 64 bits"},
    };

    (void)state;
    check_rows(rows, COUNT(rows), ls_scalar_size);
}

static void times_of_day_are_never_sexagesimal_numbers(void **state)
{
    static const struct row rows[] = {
        {"08:00", 8 * LS_NS_PER_H, "as clocks show it"},
        {"8:00", 8 * LS_NS_PER_H, "as people write it"},
        {"08:00:30", 8 * LS_NS_PER_H + 30 * LS_NS_PER_S, "with seconds"},
        {"08:00:30.5", 8 * LS_NS_PER_H + 30500 * LS_NS_PER_MS, "and parts of them"},
        {"00:00:00.000000001", 1, "down to a nanosecond"},
        {"00:00", 0, "midnight"},
        {"24:00", LS_NS_PER_DAY, "the midnight at the end"},
        {"24:01", REFUSED, "there is nothing after it"},
        {"25:00", REFUSED, "no such hour"},
        {"08:60", REFUSED, "no such minute"},
        {"08:00:60", REFUSED, "no such second"},
        {"08:5", REFUSED, "five minutes past, or fifty?"},
        {"0800", REFUSED, "no colon"},
        {"8", REFUSED, "eight what?"},
        {"008:00", REFUSED, "too many digits"},
        {"08:00:", REFUSED, "something is missing"},
        {"08:00:00.", REFUSED, "something is missing"},
        {"08:00:00.1234567890", REFUSED, "finer than a nanosecond"},
        {"08:00 ", REFUSED, "no blanks"},
        {"-8:00", REFUSED, "no sign"},
        {"8:00 AM", REFUSED, "24 hours a day"},
    };

    (void)state;
    check_rows(rows, COUNT(rows), ls_scalar_clock);
}

struct real_row {
    const char *text;
    double value; /* -9: refused */
    const char *why;
};

/* To the last bit; both are finite. */
static bool same(double a, double b)
{
    return !(a < b) && !(a > b);
}

static void check_reals(const struct real_row *rows, size_t count,
                        bool (*read)(const char *text, double *out))
{
    for (size_t i = 0; i < count; i++) {
        double value = -9;
        const bool taken = read(rows[i].text, &value);

        if (taken != (rows[i].value > -9) || !same(value, rows[i].value)) {
            fail_msg("\"%s\" gives %.17g (%s)", rows[i].text, value, rows[i].why);
        }
    }
}

static void numbers_have_no_exponent_and_are_finite(void **state)
{
    static const struct real_row rows[] = {
        {"1", 1, "whole"},
        {"0.6", 0.6, "decimal"},
        {"-1.5", -1.5, "the field's range refuses it"},
        {"nan", -9, "not a number"},
        {".nan", -9, "YAML's way to write it"},
        {"inf", -9, "not finite"},
        {"1e400", -9, "nor is this"},
        {"1e3", -9, "no exponent"},
        {"0x1p3", -9, "no hexadecimal"},
        {"1,5", -9, "a comma separates lists"},
        {"1.", -9, "half a number"},
        {"", -9, "nothing"},
        {"11111111111111111111111111111111111111111111111", -9, "longer than any double"},
    };

    (void)state;
    check_reals(rows, COUNT(rows), ls_scalar_number);
}

static void shares_are_parts_or_percents(void **state)
{
    static const struct real_row rows[] = {
        {"0.4", 0.4, "a part"},
        {"40%", 0.4, "a percentage"},
        {"0.1%", 0.001, "a small one"},
        {"100%", 1, "all"},
        {"0", 0, "none"},
        {"40 %", -9, "no blanks"},
        {"%", -9, "of what?"},
        {"40%%", -9, "once is enough"},
        {"nan%", -9, "not a number"},
    };

    (void)state;
    check_reals(rows, COUNT(rows), ls_scalar_share);
}

static void rates_are_told_per_second(void **state)
{
    static const struct real_row rows[] = {
        {"240/min", 4, "a minute"},       {"5/s", 5, "a second"},
        {"900/h", 0.25, "an hour"},       {"0/s", 0, "nobody"},
        {"1.5/s", 1.5, "one and a half"}, {"5", -9, "in what time?"},
        {"5/m", -9, "min is a minute"},   {"5 /s", -9, "no blanks"},
        {"-5/s", -9, "nobody leaves"},    {"/s", -9, "how many?"},
    };

    (void)state;
    check_reals(rows, COUNT(rows), ls_scalar_rate);
}

static void switches_know_six_words(void **state)
{
    bool on = false;

    (void)state;
    assert_true(ls_scalar_switch("yes", &on) && on);
    assert_true(ls_scalar_switch("no", &on) && !on);
    assert_true(ls_scalar_switch("true", &on) && on);
    assert_true(ls_scalar_switch("false", &on) && !on);
    assert_true(ls_scalar_switch("on", &on) && on);
    assert_true(ls_scalar_switch("off", &on) && !on);
    assert_false(ls_scalar_switch("1", &on));
    assert_false(ls_scalar_switch("Yes", &on));
    assert_false(ls_scalar_switch("", &on));
}

static void dates_exist(void **state)
{
    (void)state;
    assert_true(ls_scalar_is_date("2026-11-23"));
    assert_true(ls_scalar_is_date("2028-02-29"));
    assert_false(ls_scalar_is_date("2026-02-29"));
    assert_false(ls_scalar_is_date("2100-02-29"));
    assert_true(ls_scalar_is_date("2000-02-29"));
    assert_false(ls_scalar_is_date("2026-13-01"));
    assert_false(ls_scalar_is_date("2026-00-01"));
    assert_false(ls_scalar_is_date("2026-01-00"));
    assert_false(ls_scalar_is_date("26-11-23"));
    assert_false(ls_scalar_is_date("2026/11/23"));
    assert_false(ls_scalar_is_date("2026-11-2x"));
}

/* Numbers across all sizes, by a fixed recipe. */
static double number_for(unsigned i)
{
    const double scale[] = {1e-9, 1e-6, 1e-3, 1, 1e3, 1e6};

    return (double)(i * 2654435761U % 1000003) / 7 * scale[i % COUNT(scale)];
}

static void what_is_written_reads_back_bit_for_bit(void **state)
{
    char text[LS_SCALAR_MAX];

    (void)state;
    for (unsigned i = 0; i < 5000; i++) {
        const double number = number_for(i);
        double back = -1;

        ls_scalar_write_number(number, text);
        assert_true(ls_scalar_number(text, &back) && same(back, number));
        ls_scalar_write_share(number, text);
        assert_true(ls_scalar_share(text, &back) && same(back, number));
        ls_scalar_write_rate(number, text);
        assert_true(ls_scalar_rate(text, &back) && same(back, number));
    }
}

static void what_is_written_is_what_people_write(void **state)
{
    char text[LS_SCALAR_MAX];

    (void)state;
    ls_scalar_write_share(0.4, text);
    assert_string_equal(text, "40%");
    ls_scalar_write_share(0.001, text);
    assert_string_equal(text, "0.1%");
    ls_scalar_write_rate(4, text);
    assert_string_equal(text, "240/min");
    ls_scalar_write_rate(0.25, text);
    assert_string_equal(text, "15/min");
    ls_scalar_write_number(0.6, text);
    assert_string_equal(text, "0.6");
    ls_scalar_write_size(6000, text);
    assert_string_equal(text, "6kB");
    ls_scalar_write_size(6144, text);
    assert_string_equal(text, "6KiB");
    ls_scalar_write_size(901, text);
    assert_string_equal(text, "901B");
    ls_scalar_write_size(0, text);
    assert_string_equal(text, "0B");
    ls_scalar_write_clock(8 * LS_NS_PER_H, text);
    assert_string_equal(text, "08:00");
    ls_scalar_write_clock(8 * LS_NS_PER_H + 30 * LS_NS_PER_S, text);
    assert_string_equal(text, "08:00:30");
    ls_scalar_write_clock(8 * LS_NS_PER_H + 1, text);
    assert_string_equal(text, "08:00:00.000000001");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_numbers_are_decimal_and_fit),
        cmocka_unit_test(durations_are_exact_in_nanoseconds),
        cmocka_unit_test(sizes_tell_thousands_from_1024),
        cmocka_unit_test(times_of_day_are_never_sexagesimal_numbers),
        cmocka_unit_test(numbers_have_no_exponent_and_are_finite),
        cmocka_unit_test(shares_are_parts_or_percents),
        cmocka_unit_test(rates_are_told_per_second),
        cmocka_unit_test(switches_know_six_words),
        cmocka_unit_test(dates_exist),
        cmocka_unit_test(what_is_written_reads_back_bit_for_bit),
        cmocka_unit_test(what_is_written_is_what_people_write),
    };

    return cmocka_run_group_tests_name("scenario/scalar", tests, NULL, NULL);
}
