/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/units.h"
#include "loginstorm/zone.h"

/* Days of 400 years, and from 0000-03-01 to 1970-01-01. A year is counted from March, so that the
 * leap day is its last and the lengths of the months follow one straight line of 153 days in 5. */
#define DAYS_OF_400_YEARS 146097
#define DAYS_TO_1970 719468

static bool is_leap(int year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

int64_t ls_civil_days(int year, int month, int day)
{
    const int64_t y = (int64_t)year - (month <= 2 ? 1 : 0);
    const int64_t era = (y >= 0 ? y : y - 399) / 400;
    const int64_t of_era = y - era * 400;
    const int64_t of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;

    return era * DAYS_OF_400_YEARS + of_era * 365 + of_era / 4 - of_era / 100 + of_year -
           DAYS_TO_1970;
}

void ls_civil_of_days(int64_t days, int *year, int *month, int *day)
{
    const int64_t z = days + DAYS_TO_1970;
    const int64_t era = (z >= 0 ? z : z - (DAYS_OF_400_YEARS - 1)) / DAYS_OF_400_YEARS;
    const int64_t d = z - era * DAYS_OF_400_YEARS;
    const int64_t y = (d - d / 1460 + d / 36524 - d / (DAYS_OF_400_YEARS - 1)) / 365;
    const int64_t of_year = d - (365 * y + y / 4 - y / 100);
    const int64_t m = (5 * of_year + 2) / 153;

    *day = (int)(of_year - (153 * m + 2) / 5 + 1);
    *month = (int)(m < 10 ? m + 3 : m - 9);
    *year = (int)(y + era * 400 + (*month <= 2 ? 1 : 0));
}

bool ls_civil_is_valid(const struct ls_civil *civil)
{
    static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int length;

    if (civil->month < 1 || civil->month > 12) {
        return false;
    }
    length = lengths[civil->month - 1] + (civil->month == 2 && is_leap(civil->year) ? 1 : 0);
    return civil->day >= 1 && civil->day <= length && civil->hour >= 0 && civil->hour <= 23 &&
           civil->minute >= 0 && civil->minute <= 59 && civil->second >= 0 && civil->second <= 60 &&
           civil->ns >= 0 && civil->ns < LS_NS_PER_S;
}

bool ls_civil_utc_ns(const struct ls_civil *civil, int64_t *utc_ns)
{
    int64_t s;
    int64_t ns = civil->ns;

    if (!ls_civil_is_valid(civil)) {
        return false;
    }
    s = ls_civil_days(civil->year, civil->month, civil->day) * 86400 +
        (civil->hour * 60 + civil->minute) * INT64_C(60) + civil->second;
    if (s < 0) { /* towards zero, or the first second that int64_t holds would be lost in part */
        s++;
        ns -= LS_NS_PER_S;
    }
    return !__builtin_mul_overflow(s, LS_NS_PER_S, &s) && !__builtin_add_overflow(s, ns, utc_ns);
}
