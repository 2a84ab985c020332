/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/tzrule.h"

#include "loginstorm/zone.h"

struct cursor {
    const char *at, *end;
};

static bool take(struct cursor *c, char letter)
{
    if (c->at == c->end || *c->at != letter) {
        return false;
    }
    c->at++;
    return true;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

static bool number(struct cursor *c, int most, int *out)
{
    int value = 0;

    if (c->at == c->end || !is_digit(*c->at)) {
        return false;
    }
    while (c->at != c->end && is_digit(*c->at)) {
        value = value * 10 + (*c->at++ - '0');
        if (value > most) {
            return false;
        }
    }
    *out = value;
    return true;
}

/* "CET", or "<+0530>": at least three, and of no use but to be stepped over. */
static bool abbreviation(struct cursor *c)
{
    const bool quoted = take(c, '<');
    const char *from = c->at;

    while (c->at != c->end && (is_letter(*c->at) ||
                               (quoted && (is_digit(*c->at) || *c->at == '+' || *c->at == '-')))) {
        c->at++;
    }
    return c->at - from >= 3 && (!quoted || take(c, '>'));
}

/* [+-]h[h][h][:mm[:ss]] */
static bool clock_s(struct cursor *c, int hours_most, int32_t *out)
{
    const bool minus = take(c, '-');
    int part[3] = {0};

    if (!minus) {
        (void)take(c, '+');
    }
    if (!number(c, hours_most, &part[0]) || (take(c, ':') && !number(c, 59, &part[1]))) {
        return false;
    }
    if (take(c, ':') && !number(c, 59, &part[2])) {
        return false;
    }
    *out = (int32_t)(part[0] * 3600 + part[1] * 60 + part[2]) * (minus ? -1 : 1);
    return true;
}

static bool change_day(struct cursor *c, struct tzrule_day *out)
{
    bool good;

    if (!take(c, ',')) {
        return false;
    }
    if (take(c, 'M')) {
        out->kind = 'M';
        good = number(c, 12, &out->month) && out->month >= 1 && take(c, '.') &&
               number(c, 5, &out->week) && out->week >= 1 && take(c, '.') &&
               number(c, 6, &out->day);
    } else if (take(c, 'J')) {
        out->kind = 'J';
        good = number(c, 365, &out->day) && out->day >= 1;
    } else {
        out->kind = '0';
        good = number(c, 365, &out->day);
    }
    out->time_s = 2 * 3600;
    return good && (!take(c, '/') || clock_s(c, 167, &out->time_s));
}

bool tzrule_parse(struct tzrule *rule, const char *text, size_t size)
{
    struct cursor c = {text, text + size};

    *rule = (struct tzrule){0};
    /* POSIX writes how far a clock is behind UTC. */
    if (!abbreviation(&c) || !clock_s(&c, 24, &rule->standard_s)) {
        return false;
    }
    rule->standard_s = -rule->standard_s;
    if (c.at == c.end) {
        return true;
    }
    rule->has_summer = true;
    rule->summer_s = rule->standard_s + 3600;
    if (!abbreviation(&c)) {
        return false;
    }
    if (c.at != c.end && *c.at != ',') {
        if (!clock_s(&c, 24, &rule->summer_s)) {
            return false;
        }
        rule->summer_s = -rule->summer_s;
    }
    return change_day(&c, &rule->begin) && change_day(&c, &rule->end) && c.at == c.end;
}

/* Local seconds since 1970 by the clock before the change. */
static int64_t change_s(const struct tzrule_day *day, int year)
{
    int64_t days = ls_civil_days(year, 1, 1);
    const int64_t length = ls_civil_days(year + 1, 1, 1) - days;

    if (day->kind == 'J') {
        days += day->day - 1 + (length == 366 && day->day >= 60 ? 1 : 0);
    } else if (day->kind == '0') {
        days += day->day;
    } else {
        const int64_t first = ls_civil_days(year, day->month, 1);
        const int64_t next = day->month == 12 ? ls_civil_days(year + 1, 1, 1)
                                              : ls_civil_days(year, day->month + 1, 1);
        const int64_t weekday = ((first + 4) % 7 + 7) % 7; /* 1970-01-01 was a Thursday */

        days = first + (day->day - weekday + 7) % 7 + (day->week - INT64_C(1)) * 7;
        if (days >= next) {
            days -= 7;
        }
    }
    return days * 86400 + day->time_s;
}

void tzrule_year(const struct tzrule *rule, int year, struct tzrule_change out[2])
{
    const struct tzrule_change begin = {change_s(&rule->begin, year) - rule->standard_s,
                                        rule->summer_s};
    const struct tzrule_change end = {change_s(&rule->end, year) - rule->summer_s,
                                      rule->standard_s};
    const bool begins_first = begin.at_s <= end.at_s;

    out[0] = begins_first ? begin : end;
    out[1] = begins_first ? end : begin;
}
