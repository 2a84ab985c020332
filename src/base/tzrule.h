/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_BASE_TZRULE_H
#define LOGINSTORM_BASE_TZRULE_H

/*
 * The rule of a zone's years to come, as POSIX writes it in TZ ("CET-1CEST,M3.5.0,M10.5.0/3"),
 * with the wider times of day of RFC 8536, 3.3.1.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* When a clock is changed: a day of the year, and a time of that day by the clock before. */
struct tzrule_day {
    char kind;            /* 'J': 1 to 365 without leap days, '0': 0 to 365, 'M': a weekday */
    int month, week, day; /* week 5 is the month's last; weekday 0 is Sunday */
    int32_t time_s;       /* -167 to 167 hours */
};

struct tzrule {
    int32_t standard_s, summer_s; /* ahead of UTC */
    bool has_summer;
    struct tzrule_day begin, end; /* of summer time */
};

bool tzrule_parse(struct tzrule *rule, const char *text, size_t size);

/* The two changes of a year, ascending, as UTC seconds and the offset from then on. */
struct tzrule_change {
    int64_t at_s;
    int32_t offset_s;
};
void tzrule_year(const struct tzrule *rule, int year, struct tzrule_change out[2]);

#endif
