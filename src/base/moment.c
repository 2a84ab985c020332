/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "loginstorm/units.h"
#include "loginstorm/zone.h"

#define YEAR_MIN 1678 /* whole years of what 64 bits of nanoseconds hold */
#define YEAR_MAX 2261

/* So many digits, and what stands behind them. */
static bool take(const char **text, int digits, int *out)
{
    int sum = 0;

    for (int i = 0; i < digits; i++) {
        if ((*text)[i] < '0' || (*text)[i] > '9') {
            return false;
        }
        sum = sum * 10 + ((*text)[i] - '0');
    }
    *out = sum;
    *text += digits;
    return true;
}

static bool take_mark(const char **text, const char *marks)
{
    if (**text == '\0' || strchr(marks, **text) == NULL) {
        return false;
    }
    (*text)++;
    return true;
}

static bool take_decimals(const char **text, int32_t *ns)
{
    int32_t worth = (int32_t)(LS_NS_PER_S / 10);
    const char *first = *text;

    for (; **text >= '0' && **text <= '9' && worth > 0; (*text)++) {
        *ns += (**text - '0') * worth;
        worth /= 10;
    }
    return *text > first && (**text < '0' || **text > '9');
}

static bool take_zone(const char **text, int64_t *ahead_ns)
{
    const bool behind = **text == '-';
    int hours, minutes;

    *ahead_ns = 0;
    if (take_mark(text, "Zz")) {
        return true;
    }
    if (!take_mark(text, "+-") || !take(text, 2, &hours) || !take_mark(text, ":") ||
        !take(text, 2, &minutes) || hours > 23 || minutes > 59) {
        return false;
    }
    *ahead_ns = (behind ? -1 : 1) * (hours * LS_NS_PER_H + minutes * LS_NS_PER_MIN);
    return true;
}

bool ls_moment_read(const char *text, int64_t *utc_ns)
{
    struct ls_civil civil = {0};
    int64_t ahead_ns;

    if (!take(&text, 4, &civil.year) || !take_mark(&text, "-") || !take(&text, 2, &civil.month) ||
        !take_mark(&text, "-") || !take(&text, 2, &civil.day) || !take_mark(&text, "Tt ") ||
        !take(&text, 2, &civil.hour) || !take_mark(&text, ":") || !take(&text, 2, &civil.minute) ||
        !take_mark(&text, ":") || !take(&text, 2, &civil.second) || civil.year < YEAR_MIN ||
        civil.year > YEAR_MAX) {
        return false;
    }
    if (take_mark(&text, ".") && !take_decimals(&text, &civil.ns)) {
        return false;
    }
    if (!take_zone(&text, &ahead_ns) || *text != '\0' || !ls_civil_utc_ns(&civil, utc_ns)) {
        return false;
    }
    *utc_ns -= ahead_ns;
    return true;
}

void ls_moment_write(int64_t utc_ns, char *out, size_t size)
{
    const int64_t of_day =
        (utc_ns % LS_NS_PER_DAY + LS_NS_PER_DAY) % LS_NS_PER_DAY; /* before 1970 too */
    char clock[16], decimals[16] = "";
    int year, month, day;

    ls_civil_of_days((utc_ns - of_day) / LS_NS_PER_DAY, &year, &month, &day);
    ls_format_clock(of_day, 1, clock, sizeof clock);
    if (of_day % LS_NS_PER_S != 0) {
        size_t length =
            (size_t)snprintf(decimals, sizeof decimals, ".%09" PRId64, of_day % LS_NS_PER_S);

        while (decimals[length - 1] == '0') {
            decimals[--length] = '\0';
        }
    }
    (void)snprintf(out, size, "%04d-%02d-%02dT%s%sZ", year, month, day, clock, decimals);
}
