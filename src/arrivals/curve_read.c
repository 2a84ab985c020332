/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "arrivals/curve_reader.h"
#include "loginstorm/file.h"
#include "loginstorm/units.h"
#include "loginstorm/zone.h"

#define YEAR_MIN 1678 /* whole years of what 64 bits of nanoseconds hold */
#define YEAR_MAX 2261
#define TIME_FORM "a UTC time like 2026-11-23T07:58:12.25Z"

static bool digits_at(const char *text, size_t count, int *out)
{
    int sum = 0;

    for (size_t i = 0; i < count; i++) {
        if (text[i] < '0' || text[i] > '9') {
            return false;
        }
        sum = sum * 10 + (text[i] - '0');
    }
    *out = sum;
    return true;
}

/* The day of "2026-11-23" at the start of text; a file has few of them, and asks millions of times.
 */
static bool read_day(struct curve_reader *reader, const char *text, int64_t *days)
{
    struct ls_civil civil = {0};

    if (memcmp(text, reader->day_text, 10) != 0) {
        if (!digits_at(text, 4, &civil.year) || text[4] != '-' ||
            !digits_at(text + 5, 2, &civil.month) || text[7] != '-' ||
            !digits_at(text + 8, 2, &civil.day) || !ls_civil_is_valid(&civil) ||
            civil.year < YEAR_MIN || civil.year > YEAR_MAX) {
            return false;
        }
        reader->day = ls_civil_days(civil.year, civil.month, civil.day);
        memcpy(reader->day_text, text, 10);
    }
    *days = reader->day;
    return true;
}

/* The time at *column of the line, and steps behind it. Everything is UTC: a curve has no two
 * clocks that could be mixed up. */
static bool read_time(struct curve_reader *reader, size_t *column, int64_t *utc_ns)
{
    const char *text = reader->text + *column;
    int hour, minute, second;
    int64_t days, rest = 0, of_day;
    size_t used = 19;

    if (reader->length - *column < 20 || !read_day(reader, text, &days) || text[10] != 'T' ||
        !digits_at(text + 11, 2, &hour) || text[13] != ':' || !digits_at(text + 14, 2, &minute) ||
        text[16] != ':' || !digits_at(text + 17, 2, &second) || hour > 23 || minute > 59 ||
        second > 59) {
        return false;
    }
    if (text[19] == '.') {
        int64_t unit = LS_NS_PER_S;

        for (used = 20; text[used] >= '0' && text[used] <= '9'; used++) {
            unit /= 10;
            rest += (text[used] - '0') * unit;
            if (unit == 0) {
                return false;
            }
        }
        if (used == 20) {
            return false;
        }
    }
    if (text[used] != 'Z') {
        return false;
    }
    of_day = (hour * 60 + minute) * 60 + second;
    of_day = of_day * LS_NS_PER_S + rest;
    *column += used + 1;
    *utc_ns = days * LS_NS_PER_DAY + of_day;
    return true;
}

static enum ls_code take_time(struct curve_reader *reader, size_t *column, int64_t not_before_ns,
                              const char *early, int64_t *utc_ns, struct ls_error *err)
{
    const size_t at = *column;

    if (!read_time(reader, column, utc_ns)) {
        return reader_refuse(reader, at, "not " TIME_FORM " (1678 to 2261, at most nine decimals)",
                             err);
    }
    return *utc_ns < not_before_ns ? reader_refuse(reader, at, early, err) : LS_OK;
}

static enum ls_code take_comma(const struct curve_reader *reader, size_t *column,
                               struct ls_error *err)
{
    return reader->text[(*column)++] == ','
               ? LS_OK
               : reader_refuse(reader, *column - 1, "a comma and another column should follow",
                               err);
}

/* Room for one more row. */
static enum ls_code reserve(struct curve_reader *reader, void **rows, size_t count, size_t size,
                            struct ls_error *err)
{
    void *more;

    if (count < reader->capacity) {
        return LS_OK;
    }
    more = realloc(*rows, (reader->capacity == 0 ? 1024 : 2 * reader->capacity) * size);
    if (more == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for %s, whose row %zu was reached",
                            reader->path, count);
    }
    reader->capacity = reader->capacity == 0 ? 1024 : 2 * reader->capacity;
    *rows = more;
    return LS_OK;
}

static bool read_user(const char *text, uint64_t *user)
{
    size_t digits = 0;

    *user = 0;
    for (; text[digits] != '\0'; digits++) {
        const char *hex = "0123456789abcdef0123456789ABCDEF";
        const char *at = strchr(hex, text[digits]);

        if (at == NULL || digits == 16) {
            return false;
        }
        *user = *user << 4 | (uint64_t)(at - hex) % 16;
    }
    return true;
}

static enum ls_code read_login(struct curve_reader *reader, struct ls_error *err)
{
    struct ls_curve *curve = reader->curve;
    struct ls_curve_login login = {0};
    void *rows = curve->logins;
    size_t column = 0;
    enum ls_code code = take_time(reader, &column, reader->last_ns,
                                  "it is before the login above it; `loginstorm import` sorts them",
                                  &login.utc_ns, err);

    if (code == LS_OK) {
        code = take_comma(reader, &column, err);
    }
    if (code == LS_OK && !read_user(reader->text + column, &login.user)) {
        code = reader_refuse(reader, column,
                             "a user is a number of at most 16 hexadecimal digits, or "
                             "nothing",
                             err);
    }
    if (code == LS_OK) {
        code = reserve(reader, &rows, curve->logins_count, sizeof login, err);
        curve->logins = rows;
    }
    if (code == LS_OK) {
        curve->logins[curve->logins_count++] = login;
        reader->last_ns = login.utc_ns;
        reader->total++;
    }
    return code;
}

static bool read_count(const char *text, int64_t *count)
{
    size_t digits = 0;

    *count = 0;
    for (; text[digits] >= '0' && text[digits] <= '9' && *count <= LS_CURVE_COUNT_MAX; digits++) {
        *count = *count * 10 + (text[digits] - '0');
    }
    return digits > 0 && text[digits] == '\0' && *count <= LS_CURVE_COUNT_MAX;
}

static enum ls_code read_interval(struct curve_reader *reader, struct ls_error *err)
{
    struct ls_curve *curve = reader->curve;
    struct ls_curve_interval interval = {0};
    void *rows = curve->intervals;
    size_t column = 0;
    enum ls_code code =
        take_time(reader, &column, reader->last_ns, "it begins before the interval above it ends",
                  &interval.from_ns, err);

    if (code == LS_OK) {
        code = take_comma(reader, &column, err);
    }
    if (code == LS_OK) {
        code = take_time(reader, &column, interval.from_ns + 1,
                         "an interval ends after its beginning", &interval.to_ns, err);
    }
    if (code == LS_OK) {
        code = take_comma(reader, &column, err);
    }
    if (code == LS_OK && !read_count(reader->text + column, &interval.count)) {
        code =
            reader_refuse(reader, column, "a count is a whole number from 0 to 1,000,000,000", err);
    }
    if (code == LS_OK) {
        code = reserve(reader, &rows, curve->intervals_count, sizeof interval, err);
        curve->intervals = rows;
    }
    if (code == LS_OK) {
        curve->intervals[curve->intervals_count++] = interval;
        reader->last_ns = interval.to_ns;
        reader->total += interval.count;
        if (reader->total > LS_CURVE_TOTAL_MAX) {
            code = reader_refuse(reader, column, "more than a million million logins in all", err);
        }
    }
    return code;
}

static enum ls_code read_all(struct curve_reader *reader, struct ls_error *err)
{
    enum ls_code code = reader_headers(reader, err);
    bool there = true;

    while (code == LS_OK && there) {
        code = reader_line(reader, &there, err);
        if (code == LS_OK && there && reader->length > 0) {
            code = reader->curve->exact ? read_login(reader, err) : read_interval(reader, err);
        }
    }
    if (code == LS_OK && reader->total == 0) {
        code = reader_refuse(reader, 0, "the curve holds no login", err);
    }
    return code;
}

enum ls_code ls_curve_read(struct ls_curve **out, FILE *stream, const char *path,
                           struct ls_error *err)
{
    struct curve_reader *reader = calloc(1, sizeof *reader);
    enum ls_code code;

    *out = NULL;
    if (reader == NULL || (reader->curve = calloc(1, sizeof *reader->curve)) == NULL) {
        free(reader);
        return ls_error_set(err, LS_ENOMEM, "no memory for %s", path);
    }
    reader->path = path;
    reader->last_ns = INT64_MIN;
    reader->stream = stream;
    code = read_all(reader, err);
    if (code == LS_OK) {
        *out = reader->curve;
    } else {
        ls_curve_free(reader->curve);
    }
    free(reader);
    return code;
}

enum ls_code ls_curve_load(struct ls_curve **out, const char *path, struct ls_error *err)
{
    FILE *stream;
    enum ls_code code;

    *out = NULL;
    if (strcmp(path, "-") == 0) {
        return ls_curve_read(out, stdin, "stdin", err);
    }
    code = ls_file_open(&stream, path, err);
    if (code != LS_OK) {
        return code;
    }
    code = ls_curve_read(out, stream, path, err);
    (void)fclose(stream);
    return code;
}
