/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "curve/fast.h"

#include <stdint.h>
#include <string.h>

#include "curve/month.h"

/*
 * Eight characters at once against a pattern in which '0' stands for any digit: what is left of
 * them when the pattern is taken off bit by bit is at most 9 for a digit, and 0 for a mark. slack
 * is 127 less that, for each, so that too much carries into the highest bit.
 */
#define DIGIT "\166"
#define MARK "\177"
static inline bool matches(const char *text, const char *pattern, const char *slack)
{
    uint64_t t;
    uint64_t p;
    uint64_t s;

    memcpy(&t, text, sizeof t);
    memcpy(&p, pattern, sizeof p);
    memcpy(&s, slack, sizeof s);
    t ^= p;
    return (((t + s) | t) & UINT64_C(0x8080808080808080)) == 0;
}

#define IS_CLOCK(at) matches((at), "00:00:00", DIGIT DIGIT MARK DIGIT DIGIT MARK DIGIT DIGIT)

static void put_clock(const char *at, struct ls_civil *civil)
{
    civil->hour = two_digits(at);
    civil->minute = two_digits(at + 3);
    civil->second = two_digits(at + 6);
}

static bool begin_web(const struct text *t, struct ls_civil *civil)
{
    const char *at = t->at;

    if (t->end - at < 20 || !is_digit(at[0]) || !is_digit(at[1]) || at[2] != '/' ||
        !matches(at + 6, "/0000:00", MARK DIGIT DIGIT DIGIT DIGIT MARK DIGIT DIGIT) ||
        !IS_CLOCK(at + 12)) {
        return false;
    }
    *civil = (struct ls_civil){.year = two_digits(at + 7) * 100 + two_digits(at + 9),
                               .month = month_of(at + 3, 3),
                               .day = two_digits(at)};
    put_clock(at + 12, civil);
    return civil->month != 0;
}

static bool begin_iso(const struct text *t, struct ls_civil *civil)
{
    const char *at = t->at;

    if (t->end - at < 19 ||
        !matches(at, "0000-00-", DIGIT DIGIT DIGIT DIGIT MARK DIGIT DIGIT MARK) ||
        !is_digit(at[8]) || !is_digit(at[9]) || (at[10] != 'T' && at[10] != ' ') ||
        !IS_CLOCK(at + 11)) {
        return false;
    }
    *civil = (struct ls_civil){.year = two_digits(at) * 100 + two_digits(at + 2),
                               .month = two_digits(at + 5),
                               .day = two_digits(at + 8)};
    put_clock(at + 11, civil);
    return true;
}

bool stamp_begin_fast(struct text *t, struct stamp *out)
{
    size_t size;

    if (begin_web(t, &out->civil)) {
        size = 20;
    } else if (begin_iso(t, &out->civil)) {
        size = 19;
    } else {
        size = 0;
    }
    if (size == 0 || out->civil.year == 0 || is_digit(ahead(t, size))) {
        out->civil = (struct ls_civil){0};
        return false;
    }
    t->at += size;
    return true;
}
