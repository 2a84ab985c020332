/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CURVE_CLOCK_H
#define LOGINSTORM_CURVE_CLOCK_H

/* The pieces of a time stamp that its forms have in common: numbers, a time of day, a zone. */

#include <stdbool.h>
#include <stddef.h>

#include "curve/stamp.h"

/* The text that is left, and what is wrong with it; static. */
struct text {
    const char *at, *end;
    const char *why;
};

#define NO_FORM "no time stamp in a form that is known"

static inline bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Of two characters that are digits. */
static inline int two_digits(const char *at)
{
    return (at[0] - '0') * 10 + (at[1] - '0');
}

/* The character so far ahead, or NUL beyond the end. */
static inline char ahead(const struct text *t, size_t by)
{
    return by < (size_t)(t->end - t->at) ? t->at[by] : '\0';
}

static inline bool take(struct text *t, char c)
{
    if (t->at == t->end || *t->at != c) {
        return false;
    }
    t->at++;
    return true;
}

/* Always false: how a reader gives up. */
static inline bool wrong(struct text *t, const char *why)
{
    t->why = why;
    return false;
}

/* How many digits stand there. */
size_t count_digits(const struct text *t);

/* Of exactly size digits, no more behind them; and of least to most. */
bool take_number(struct text *t, size_t least, size_t most, int *out);

/* "8:27", "08:27:47.1234567", with a comma before three or six digits as well. */
bool take_clock(struct text *t, struct ls_civil *civil);

/* ".1234567" behind a second: 1 to 9 digits; nothing is well too. */
bool take_fraction(struct text *t, int32_t *ns);

/* " PM", after a clock of twelve hours; nothing is well too. */
bool take_half(struct text *t, struct ls_civil *civil);

/* "Z", " +0100", " GMT", "+01"; nothing is well too, an abbreviation that is several zones not. */
bool take_zone(struct text *t, struct stamp *stamp);

#endif
