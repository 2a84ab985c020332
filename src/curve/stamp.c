/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "curve/stamp.h"

#include <string.h>
#include <strings.h>

#include "curve/clock.h"
#include "curve/fast.h"
#include "curve/month.h"
#include "loginstorm/units.h"

#define NO_MONTH                                                                                   \
    "its month's name is not English: export the log with English month names, or with dates "     \
    "like 2026-11-30"
#define LONGEST 64 /* of a stamp: "vendredi 13 f\303\251vrier 2026 \303\240 15:09:17,123" */
#define NO_TIME "a date without a time of day"
#define NO_YEAR "no such year"
#define BEYOND "it is beyond the year 2262"

static bool is_letter(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

static bool take_month(struct text *t, int *month)
{
    const size_t size = word_size(t->at, (size_t)(t->end - t->at));

    *month = month_of(t->at, size);
    if (*month == 0) {
        const char *why = month_elsewhere(t->at, size);

        return wrong(t, why != NULL ? why : NO_MONTH);
    }
    t->at += size;
    (void)take(t, '.');
    return true;
}

/* What stands between a date and its time of day. */
static bool take_gap(struct text *t)
{
    if (take(t, 'T') || take(t, 't') || take(t, ':')) {
        return true;
    }
    (void)take(t, ',');
    if (!take(t, ' ')) {
        return wrong(t, NO_TIME);
    }
    (void)take(t, ' ');
    return is_digit(ahead(t, 0)) || wrong(t, NO_TIME);
}

static bool take_year(struct text *t, int *year)
{
    const size_t digits = count_digits(t);

    if (digits == 2 && (ahead(t, 2) == ' ' || ahead(t, 2) == ',' || ahead(t, 2) == ':')) {
        return wrong(t, "a year of two digits: export the log with four");
    }
    if (!take_number(t, 4, 4, year)) {
        return wrong(t, NO_FORM);
    }
    return *year > 0 || wrong(t, NO_YEAR);
}

/* The time of day of a stamp that has a whole date. */
static bool take_rest(struct text *t, struct stamp *out)
{
    return take_gap(t) && take_clock(t, &out->civil) && take_half(t, &out->civil) &&
           take_zone(t, out);
}

/* 2026-11-30 08:27:47, 2026/11/30 08:27:47 */
static bool read_year_first(struct text *t, struct stamp *out)
{
    const char mark = t->at[4];

    return take_year(t, &out->civil.year) && take(t, mark) &&
           take_number(t, 1, 2, &out->civil.month) && take(t, mark) &&
           take_number(t, 1, 2, &out->civil.day) && take_rest(t, out);
}

/* 20261130: whether digits that stand there may be a date of our times. */
static bool is_compact_date(const char *at)
{
    const struct ls_civil civil = {.year = two_digits(at) * 100 + two_digits(at + 2),
                                   .month = two_digits(at + 4),
                                   .day = two_digits(at + 6)};

    return civil.year >= 1970 && civil.year < 2200 && ls_civil_is_valid(&civil);
}

/* 20261130T082747, 20261130082747; the digits are there. */
static bool read_compact(struct text *t, struct stamp *out)
{
    const char *day = t->at;
    const char *clock = is_digit(day[8]) ? day + 8 : day + 9;

    out->civil = (struct ls_civil){two_digits(day) * 100 + two_digits(day + 2),
                                   two_digits(day + 4),
                                   two_digits(day + 6),
                                   two_digits(clock),
                                   two_digits(clock + 2),
                                   two_digits(clock + 4),
                                   0};
    t->at = clock + 6;
    return take_fraction(t, &out->civil.ns) && take_zone(t, out);
}

/* 1796027267.123 */
static bool read_epoch(struct text *t, struct stamp *out)
{
    const size_t digits = count_digits(t);
    int64_t value = 0;
    int64_t unit_ns;
    char next;

    for (size_t i = 0; i < digits; i++) {
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, t->at[i] - '0', &value)) {
            return wrong(t, BEYOND);
        }
    }
    if ((digits == 8 || digits == 12) && is_compact_date(t->at)) {
        return wrong(t, digits == 8 ? NO_TIME : "a date without marks, or milliseconds of 1976");
    }
    unit_ns = value < INT64_C(100000000000)         ? LS_NS_PER_S
              : value < INT64_C(100000000000000)    ? LS_NS_PER_MS
              : value < INT64_C(100000000000000000) ? LS_NS_PER_US
                                                    : 1;
    t->at += digits;
    out->is_utc_ns = true;
    if (__builtin_mul_overflow(value, unit_ns, &out->utc_ns)) {
        return wrong(t, BEYOND);
    }
    if (ahead(t, 0) == '.' && is_digit(ahead(t, 1))) {
        int32_t ns = 0;

        if (unit_ns != LS_NS_PER_S) {
            return wrong(t, "a fraction goes with an epoch in seconds only");
        }
        if (!take_fraction(t, &ns)) {
            return false;
        }
        if (__builtin_add_overflow(out->utc_ns, ns, &out->utc_ns)) {
            return wrong(t, BEYOND);
        }
    }
    /* 10.0.0.1, 12:30, 5/6 */
    next = ahead(t, 0);
    if (next == '.' || next == '/' || next == '-' || (next == ':' && digits < 9)) {
        return wrong(t, NO_FORM);
    }
    return true;
}

/* 30/Nov/2026:08:27:47 +0100, 30-Nov-2026 08:27:47, 30 Nov 2026 08:27:47 */
static bool read_day_and_name(struct text *t, struct stamp *out)
{
    char mark;
    size_t size;

    if (!take_number(t, 1, 2, &out->civil.day) || t->at == t->end) {
        return wrong(t, NO_FORM);
    }
    mark = *t->at++;
    size = word_size(t->at, (size_t)(t->end - t->at));
    /* "12 requests" is no date in another language. */
    if ((ahead(t, size) != mark || !is_digit(ahead(t, size + 1))) &&
        (ahead(t, size) != '.' || ahead(t, size + 1) != mark)) {
        return wrong(t, NO_FORM);
    }
    return take_month(t, &out->civil.month) && (take(t, mark) || wrong(t, NO_FORM)) &&
           take_year(t, &out->civil.year) && take_rest(t, out);
}

/* Which of the two is the day. */
static bool settle_order(struct text *t, struct stamp *out, enum ls_import_order order, char mark,
                         const int pair[2])
{
    enum ls_import_order by = order;

    if (pair[0] > 12 && pair[1] > 12) {
        return wrong(t, "no such month");
    }
    if (pair[0] > 12 || pair[1] > 12) {
        out->tells = pair[0] > 12 ? LS_DATE_DAY_MONTH : LS_DATE_MONTH_DAY;
        if (order != LS_DATE_UNKNOWN && order != out->tells) {
            return wrong(t, "day and month are the other way round than they should be");
        }
        by = out->tells;
    } else {
        /* Nobody writes a month first before a dot. */
        out->swappable = pair[0] != pair[1] && (mark != '.' || order != LS_DATE_UNKNOWN);
    }
    out->civil.day = pair[by == LS_DATE_MONTH_DAY ? 1 : 0];
    out->civil.month = pair[by == LS_DATE_MONTH_DAY ? 0 : 1];
    return true;
}

/* 03/07/2026:07:59:45 GMT, 3/13/2026 3:09:10 PM, 30.11.2026 08:27:47 */
static bool read_numbers(struct text *t, struct stamp *out, enum ls_import_order order)
{
    int pair[2];
    char mark;

    if (!take_number(t, 1, 2, &pair[0])) {
        return wrong(t, NO_FORM);
    }
    mark = *t->at++;
    return (take_number(t, 1, 2, &pair[1]) && take(t, mark) ? true : wrong(t, NO_FORM)) &&
           take_year(t, &out->civil.year) && settle_order(t, out, order, mark, pair) &&
           take_rest(t, out);
}

/* 30.11.2026 rather than 30.11 s: another dot behind the second number. */
static bool is_dotted(const struct text *t, size_t digits)
{
    struct text u = {t->at + digits + 1, t->end, NULL};
    const size_t more = count_digits(&u);

    return more >= 1 && more <= 2 && ahead(&u, more) == '.';
}

static bool read_from_digit(struct text *t, struct stamp *out, enum ls_import_order order)
{
    const size_t digits = count_digits(t);
    const char mark = ahead(t, digits);
    const char next = ahead(t, digits + 1);
    struct text later = {t->at + digits + (digits == 8 ? 1 : 0), t->end, NULL};

    if (digits == 4 && (mark == '-' || mark == '/') && is_digit(next)) {
        return read_year_first(t, out);
    }
    if (digits <= 2 && is_digit(next) &&
        (mark == '/' || mark == '-' || (mark == '.' && is_dotted(t, digits)))) {
        return read_numbers(t, out, order);
    }
    if (digits <= 2 && (mark == '/' || mark == '-' || mark == ' ') && word_size(&next, 1) > 0) {
        return read_day_and_name(t, out);
    }
    if (digits == 8 && (mark == 'T' || mark == 't') && count_digits(&later) == 6) {
        return read_compact(t, out);
    }
    /* As an epoch in ms it would be one of the year 2600. */
    if (digits == 14 && is_compact_date(t->at)) {
        return read_compact(t, out);
    }
    return read_epoch(t, out);
}

static bool take_weekday(struct text *t)
{
    static const char *const days[] = {"sunday",   "monday", "tuesday", "wednesday",
                                       "thursday", "friday", "saturday"};
    const size_t size = word_size(t->at, (size_t)(t->end - t->at));

    for (size_t i = 0; size >= 3 && i < 7; i++) {
        if (strncasecmp(days[i], t->at, size) == 0 && (size == 3 || days[i][size] == '\0')) {
            t->at += size;
            (void)take(t, ',');
            while (take(t, ' ')) {
            }
            return true;
        }
    }
    return false;
}

/* " 2026", and nothing that it could be the beginning of. */
static bool take_late_year(struct text *t, int *year)
{
    struct text u = *t;
    char next;

    if (!take(&u, ' ') || !take_number(&u, 4, 4, year)) {
        return false;
    }
    next = ahead(&u, 0);
    if (is_letter(next) || next == '.' || next == '-' || next == ':' || next == '_') {
        *year = 0;
        return false;
    }
    t->at = u.at;
    return true;
}

/* ctime's year stands last: "08:27:47 2026", "08:27:47 CET 2026", "08:27:47 2026 +0100". */
static bool take_ctime_end(struct text *t, struct stamp *out)
{
    struct text zone = *t;

    if (take_late_year(t, &out->civil.year)) {
        return (out->civil.year > 0 || wrong(t, NO_YEAR)) && take_zone(t, out);
    }
    if (!take_zone(&zone, out)) {
        return wrong(t, zone.why);
    }
    if (take_late_year(&zone, &out->civil.year)) {
        t->at = zone.at;
        return out->civil.year > 0 || wrong(t, NO_YEAR);
    }
    out->has_offset = false;
    out->offset_s = 0;
    return true;
}

/* Nov 30 08:27:47, Mar  7 08:59:45, Nov 30 2026 08:27:47, Nov 30, 2026 3:09:10 PM */
static bool read_name_and_day(struct text *t, struct stamp *out, bool has_weekday)
{
    struct text u;

    if (!take_month(t, &out->civil.month)) {
        return false;
    }
    if (!take(t, ' ')) {
        return wrong(t, NO_FORM);
    }
    (void)take(t, ' ');
    if (!take_number(t, 1, 2, &out->civil.day)) {
        return wrong(t, NO_FORM);
    }
    u = *t;
    (void)take(&u, ',');
    if (take(&u, ' ') && count_digits(&u) == 4) {
        t->at = u.at;
        return take_year(t, &out->civil.year) && take_rest(t, out);
    }
    if (!take(t, ' ')) {
        return wrong(t, NO_FORM);
    }
    (void)take(t, ' ');
    return take_clock(t, &out->civil) && (!has_weekday || take_ctime_end(t, out));
}

static bool read_from_letter(struct text *t, struct stamp *out)
{
    const bool has_weekday = take_weekday(t);

    if (has_weekday && is_digit(ahead(t, 0))) {
        return read_day_and_name(t, out);
    }
    if (month_of(t->at, word_size(t->at, (size_t)(t->end - t->at))) == 0) {
        return wrong(t, NO_FORM);
    }
    return read_name_and_day(t, out, has_weekday);
}

static bool check(struct text *t, const struct stamp *out)
{
    const char next = ahead(t, 0);

    if (is_letter(next) || is_digit(next) || next == '_' || (unsigned char)next >= 128) {
        return wrong(t, NO_FORM);
    }
    if (out->is_utc_ns || ls_civil_is_valid(&out->civil)) {
        return true;
    }
    if (out->civil.hour > 23 || out->civil.minute > 59 || out->civil.second > 60) {
        return wrong(t, "no such time of day");
    }
    return wrong(t,
                 out->civil.month < 1 || out->civil.month > 12 ? "no such month" : "no such day");
}

/* "13. März 2026 15:09" is in no form that is known, and the reason is its month. */
static const char *better_word(const char *why, const char *text, size_t size)
{
    const char *month = NULL;
    size_t where;

    if (strcmp(why, NO_FORM) == 0) {
        month = month_met(text, size < LONGEST ? size : LONGEST, &where);
    }
    return month != NULL ? month : why;
}

size_t stamp_read(struct stamp *out, const char *text, size_t size, enum ls_import_order order,
                  const char **why)
{
    struct text t = {text, text + size, NO_FORM};
    bool good;

    *out = (struct stamp){0};
    if (stamp_begin_fast(&t, out)) {
        good =
            take_fraction(&t, &out->civil.ns) && take_half(&t, &out->civil) && take_zone(&t, out);
    } else {
        good = size > 0 &&
               (is_digit(text[0]) ? read_from_digit(&t, out, order) : read_from_letter(&t, out));
    }
    if (!good || !check(&t, out)) {
        *why = better_word(t.why, text, size);
        return 0;
    }
    return (size_t)(t.at - text);
}
