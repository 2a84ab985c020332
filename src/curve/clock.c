/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "curve/clock.h"

#include <string.h>

#include "curve/month.h"

#define SEVERAL                                                                                    \
    "its zone's abbreviation stands for several zones: take it out of the log's format, and say "  \
    "--timezone, like America/New_York"

size_t count_digits(const struct text *t)
{
    size_t n = 0;

    while (is_digit(ahead(t, n))) {
        n++;
    }
    return n;
}

bool take_number(struct text *t, size_t least, size_t most, int *out)
{
    size_t n = 0;
    int value = 0;

    while (n < most && is_digit(ahead(t, n))) {
        value = value * 10 + (t->at[n++] - '0');
    }
    if (n < least || is_digit(ahead(t, n))) {
        return false;
    }
    t->at += n;
    *out = value;
    return true;
}

bool take_fraction(struct text *t, int32_t *ns)
{
    struct text digits = {t->at + 1, t->end, NULL};
    size_t n;
    int value = 0;

    if (t->at == t->end || (*t->at != '.' && *t->at != ',')) {
        return true;
    }
    n = count_digits(&digits);
    /* A comma is as often what stands between two columns. */
    if (n == 0 || (*t->at == ',' && n != 3 && n != 6)) {
        return true;
    }
    if (n > 9) {
        return wrong(t, "a fraction of more than nine digits");
    }
    (void)take_number(&digits, n, n, &value);
    for (; n < 9; n++) {
        value *= 10;
    }
    *ns = value;
    t->at = digits.at;
    return true;
}

bool take_clock(struct text *t, struct ls_civil *civil)
{
    if (!take_number(t, 1, 2, &civil->hour) || !take(t, ':') ||
        !take_number(t, 2, 2, &civil->minute)) {
        return wrong(t, NO_FORM);
    }
    if (ahead(t, 0) == ':' && is_digit(ahead(t, 1))) {
        t->at++;
        return take_number(t, 2, 2, &civil->second) ? take_fraction(t, &civil->ns)
                                                    : wrong(t, NO_FORM);
    }
    return true;
}

/* A blank, or one that does not break: Windows writes U+202F before PM, older ones U+00A0. */
static size_t blank_size(const struct text *t)
{
    const size_t left = (size_t)(t->end - t->at);

    if (left >= 1 && t->at[0] == ' ') {
        return 1;
    }
    if (left >= 2 && memcmp(t->at, "\302\240", 2) == 0) {
        return 2;
    }
    return left >= 3 && memcmp(t->at, "\342\200\257", 3) == 0 ? 3 : 0;
}

bool take_half(struct text *t, struct ls_civil *civil)
{
    struct text u = *t;
    char half;

    u.at += blank_size(&u);
    half = (char)(ahead(&u, 0) | 32);
    if (half != 'a' && half != 'p') {
        return true;
    }
    u.at++;
    (void)take(&u, '.');
    if ((ahead(&u, 0) | 32) != 'm') {
        return true;
    }
    u.at++;
    (void)take(&u, '.');
    if (word_size(u.at, (size_t)(u.end - u.at)) > 0) {
        return true;
    }
    if (civil->hour < 1 || civil->hour > 12) {
        return wrong(t, "an hour that a clock of twelve hours does not have");
    }
    civil->hour = civil->hour % 12 + (half == 'p' ? 12 : 0);
    t->at = u.at;
    return true;
}

/* "+01", "+0100", "+01:00". */
static bool take_distance(struct text *t, bool short_too, struct stamp *stamp)
{
    struct text u = *t;
    const int sign = ahead(&u, 0) == '-' ? -1 : 1;
    size_t digits;
    int hours;
    int minutes = 0;
    bool good;

    u.at++;
    digits = count_digits(&u);
    if (digits == 4) {
        hours = two_digits(u.at);
        minutes = two_digits(u.at + 2);
        u.at += 4;
        good = true;
    } else {
        good = digits == 2 && take_number(&u, 2, 2, &hours);
        if (good && ahead(&u, 0) == ':' && is_digit(ahead(&u, 1))) {
            u.at++;
            good = take_number(&u, 2, 2, &minutes);
        } else {
            good = good && short_too;
        }
    }
    if (!good) {
        return true; /* something else that stands behind a stamp */
    }
    if (hours > 15 || minutes > 59) {
        return wrong(t, "no zone is so far from UTC");
    }
    stamp->has_offset = true;
    stamp->offset_s = sign * (hours * 3600 + minutes * 60);
    t->at = u.at;
    return true;
}

/* Those of one place and distance only. */
static const struct {
    const char *name;
    int hours; /* ahead of UTC */
} zones[] = {
    {"Z", 0},    {"z", 0},   {"UTC", 0},  {"GMT", 0}, {"CET", 1},
    {"CEST", 2}, {"WET", 0}, {"WEST", 1}, {"EET", 2}, {"EEST", 3},
};

/* Those that are written behind stamps, and are several zones or not the same for ever. */
static const char *const several[] = {
    "ACDT", "ACST", "ADT", "AEDT", "AEST", "AKDT", "AKST", "AMT", "AST", "AWST", "BRT",
    "BST",  "CAT",  "CDT", "CST",  "EAT",  "EDT",  "EST",  "GST", "HKT", "HST",  "IDT",
    "IST",  "JST",  "KST", "MDT",  "MESZ", "MEZ",  "MSK",  "MST", "NDT", "NST",  "NZDT",
    "NZST", "PDT",  "PKT", "PST",  "SAST", "SGT",  "SST",  "TRT", "WAT", "WIB",
};

static bool is_word(const char *name, const char *word, size_t size)
{
    return strlen(name) == size && memcmp(name, word, size) == 0;
}

static bool take_name(struct text *t, size_t size, struct stamp *stamp)
{
    for (size_t i = 0; i < sizeof zones / sizeof zones[0]; i++) {
        if (is_word(zones[i].name, t->at, size)) {
            t->at += size;
            stamp->has_offset = true;
            stamp->offset_s = zones[i].hours * 3600;
            /* JavaScript writes "GMT+0100". */
            return size != 3 || (ahead(t, 0) != '+' && ahead(t, 0) != '-') ||
                   take_distance(t, true, stamp);
        }
    }
    for (size_t i = 0; i < sizeof several / sizeof several[0]; i++) {
        if (is_word(several[i], t->at, size)) {
            return wrong(t, SEVERAL);
        }
    }
    return true;
}

bool take_zone(struct text *t, struct stamp *stamp)
{
    struct text u = *t;
    const bool apart = take(&u, ' ');
    const char first = ahead(&u, 0);

    if (first == '+' || first == '-') {
        if (!take_distance(&u, !apart, stamp)) {
            return wrong(t, u.why);
        }
    } else if (!is_digit(first)) {
        const size_t size = word_size(u.at, (size_t)(u.end - u.at));

        if (size > 0 && !is_digit(ahead(&u, size)) && ahead(&u, size) != '_' &&
            !take_name(&u, size, stamp)) {
            return wrong(t, u.why);
        }
    }
    if (stamp->has_offset) {
        t->at = u.at;
    }
    return true;
}
