/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LS_ARRIVALS_CUT_H
#define LS_ARRIVALS_CUT_H

/*
 * A recorded curve, cut into the scenario's window of each day.
 *
 *     curve, window -> [cut] -> the days that have logins in it
 *
 * The window is what the clock on the wall shows. It opens, and closes, at the first moment at which
 * that clock shows its times; a time in the hour that is left out when clocks go forward stands for
 * the moment of the change. So windows that follow each other neither overlap nor leave a gap, and
 * one in which the clocks change is an hour longer or shorter than on other days.
 */

#include <stddef.h>
#include <stdint.h>

#include "loginstorm/curve.h"
#include "loginstorm/error.h"
#include "loginstorm/zone.h"

struct cut_window {
    const struct ls_zone *zone;
    int64_t from_ns, window_ns; /* time of day, length by the clock; at most a day */
};

struct cut_day {
    int64_t day;              /* since 1970-01-01, the one on which the window opens */
    int64_t start_ns, end_ns; /* UTC */
    size_t first, count;      /* of the curve's logins, or of the intervals that reach into it */
    int64_t logins;           /* an interval that lies partly in the window counts by its part */
    int64_t peak_minute_ns;   /* the fullest clock minute, as a time of day */
    double peak_logins;
};

/* The days in their order; at least one, since LS_EINPUT otherwise. path is for the message. */
LS_MUST_CHECK
enum ls_code cut_days(struct cut_day **out, size_t *count, const struct ls_curve *curve,
                      const struct cut_window *window, const char *path, struct ls_error *err);

/* Where the clock stood at utc_ns, from the window's start on that day. */
int64_t cut_clock_ns(const struct cut_window *window, const struct cut_day *day, int64_t utc_ns);

/* The part of an interval's logins that falls into [start, end), rounded. What that gave or took is
 * in carry, 0 before a day's first row, so that the rows of a day add up to the day's sum. */
int64_t cut_logins(const struct ls_curve_interval *interval, int64_t start_ns, int64_t end_ns,
                   double *carry);

/* The first moment after from_ns at which the clock shows what it would not have shown without a
 * change; to_ns where there is none before. */
int64_t cut_change_ns(const struct cut_window *window, int64_t from_ns, int64_t to_ns);

/* "2026-11-23". */
void cut_format_day(int64_t day, char out[16]);

#endif
