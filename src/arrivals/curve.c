/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/curve.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "arrivals/curve_text.h"
#include "loginstorm/units.h"
#include "loginstorm/zone.h"

void ls_curve_free(struct ls_curve *curve)
{
    if (curve != NULL) {
        free(curve->source);
        free(curve->timezone);
        free(curve->counted);
        free(curve->logins);
        free(curve->intervals);
        free(curve);
    }
}

int64_t ls_curve_total(const struct ls_curve *curve)
{
    int64_t total = 0;

    if (curve->exact) {
        return (int64_t)curve->logins_count;
    }
    for (size_t i = 0; i < curve->intervals_count; i++) {
        total += curve->intervals[i].count;
    }
    return total;
}

static char *put_digits(char *at, int64_t number, int digits)
{
    for (int i = digits - 1; i >= 0; i--) {
        at[i] = (char)('0' + number % 10);
        number /= 10;
    }
    return at + digits;
}

char *curve_put_time(char *at, int64_t utc_ns)
{
    const int64_t days = utc_ns / LS_NS_PER_DAY - (utc_ns % LS_NS_PER_DAY < 0);
    const int64_t second = (utc_ns - days * LS_NS_PER_DAY) / LS_NS_PER_S;
    int64_t rest = (utc_ns - days * LS_NS_PER_DAY) % LS_NS_PER_S;
    int year, month, day;
    int digits = 9;

    ls_civil_of_days(days, &year, &month, &day);
    at = put_digits(at, year, 4);
    *at++ = '-';
    at = put_digits(at, month, 2);
    *at++ = '-';
    at = put_digits(at, day, 2);
    *at++ = 'T';
    at = put_digits(at, second / 3600, 2);
    *at++ = ':';
    at = put_digits(at, second / 60 % 60, 2);
    *at++ = ':';
    at = put_digits(at, second % 60, 2);
    if (rest > 0) {
        while (rest % 10 == 0) {
            rest /= 10;
            digits--;
        }
        *at++ = '.';
        at = put_digits(at, rest, digits);
    }
    *at++ = 'Z';
    return at;
}

static char *put_user(char *at, uint64_t user)
{
    int digits = 0;

    while (digits < 16 && user >> (4 * digits) != 0) {
        digits++;
    }
    while (digits > 0) {
        *at++ = "0123456789abcdef"[user >> (4 * --digits) & 15];
    }
    return at;
}

static void write_rows(const struct ls_curve *curve, FILE *stream)
{
    char row[128];

    (void)fputs(curve->exact ? CURVE_LOGINS "\n" : CURVE_INTERVALS "\n", stream);
    for (size_t i = 0; curve->exact && i < curve->logins_count; i++) {
        char *at = curve_put_time(row, curve->logins[i].utc_ns);

        *at++ = ',';
        at = put_user(at, curve->logins[i].user);
        *at++ = '\n';
        (void)fwrite(row, 1, (size_t)(at - row), stream);
    }
    for (size_t i = 0; !curve->exact && i < curve->intervals_count; i++) {
        char *at = curve_put_time(row, curve->intervals[i].from_ns);

        *at++ = ',';
        at = curve_put_time(at, curve->intervals[i].to_ns);
        (void)fprintf(stream, "%.*s,%" PRId64 "\n", (int)(at - row), row,
                      curve->intervals[i].count);
    }
}

/* What would begin a line of its own, or mean something to a terminal, does not get into a header. */
static void write_header(FILE *stream, const char *key, const char *value)
{
    if (value == NULL) {
        return;
    }
    (void)fprintf(stream, "# %s: ", key);
    for (const char *c = value; *c != '\0'; c++) {
        (void)fputc((unsigned char)*c < 0x20 || *c == 0x7f ? '?' : *c, stream);
    }
    (void)fputc('\n', stream);
}

static void date_of(const struct ls_zone *zone, int64_t utc_ns, char out[16])
{
    struct ls_civil civil;

    ls_zone_civil(zone, utc_ns, &civil, NULL);
    (void)snprintf(out, 16, "%04d-%02d-%02d", civil.year, civil.month, civil.day);
}

/* The local days of the first and the last login: "2026-11-23", or "2026-11-23..2026-11-27". */
static void write_days(const struct ls_curve *curve, const struct ls_zone *zone, FILE *stream)
{
    const size_t count = curve->exact ? curve->logins_count : curve->intervals_count;
    char first[16], last[16], days[40];

    if (count == 0) {
        return;
    }
    date_of(zone, curve->exact ? curve->logins[0].utc_ns : curve->intervals[0].from_ns, first);
    date_of(zone,
            curve->exact ? curve->logins[count - 1].utc_ns : curve->intervals[count - 1].to_ns - 1,
            last);
    (void)snprintf(days, sizeof days, strcmp(first, last) == 0 ? "%s" : "%s..%s", first, last);
    write_header(stream, "day", days);
}

enum ls_code ls_curve_write(const struct ls_curve *curve, FILE *stream, struct ls_error *err)
{
    struct ls_zone *zone;
    enum ls_code code;

    if (curve->timezone == NULL) {
        return ls_error_set(err, LS_EINPUT, "a curve without a timezone cannot be written");
    }
    code = ls_zone_new(&zone, curve->timezone, err);
    if (code != LS_OK) {
        return code;
    }
    write_header(stream, "format", CURVE_FORMAT);
    write_header(stream, "source", curve->source);
    write_header(stream, "timezone", curve->timezone);
    write_days(curve, zone, stream);
    write_header(stream, "counted", curve->counted);
    ls_zone_free(zone);
    write_rows(curve, stream);
    if (ferror(stream) || fflush(stream) != 0) {
        return ls_error_set_errno(err, LS_EWRITE, "cannot write the curve");
    }
    return LS_OK;
}
