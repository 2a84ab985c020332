/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "arrivals/cut.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "loginstorm/units.h"

/* The civil time that a clock would show day and time of day at. */
static void civil_at(int64_t day, int64_t of_day_ns, struct ls_civil *civil)
{
    day += of_day_ns / LS_NS_PER_DAY;
    of_day_ns %= LS_NS_PER_DAY;
    *civil = (struct ls_civil){
        .hour = (int)(of_day_ns / LS_NS_PER_H),
        .minute = (int)(of_day_ns / LS_NS_PER_MIN % 60),
        .second = (int)(of_day_ns / LS_NS_PER_S % 60),
        .ns = (int32_t)(of_day_ns % LS_NS_PER_S),
    };
    ls_civil_of_days(day, &civil->year, &civil->month, &civil->day);
}

/* What the clock shows, as a number that can be compared and subtracted. */
static int64_t shown_ns(const struct ls_zone *zone, int64_t utc_ns)
{
    struct ls_civil civil;
    int offset_s;

    ls_zone_civil(zone, utc_ns, &civil, &offset_s);
    return utc_ns + offset_s * LS_NS_PER_S;
}

/* The first moment at which the clock shows that time, or a later one where it leaves it out. */
static int64_t moment_of(const struct ls_zone *zone, int64_t day, int64_t of_day_ns)
{
    const int64_t wanted_ns = day * LS_NS_PER_DAY + of_day_ns;
    struct ls_civil civil;
    int64_t moments[2];
    int64_t low_ns, high_ns;

    civil_at(day, of_day_ns, &civil);
    if (ls_zone_moments(zone, &civil, moments) > 0) {
        return moments[0];
    }
    low_ns = moments[0] - 12 * LS_NS_PER_H; /* shows less */
    high_ns = moments[0];                   /* shows more */
    while (high_ns - low_ns > 1) {
        const int64_t middle_ns = low_ns + (high_ns - low_ns) / 2;

        if (shown_ns(zone, middle_ns) < wanted_ns) {
            low_ns = middle_ns;
        } else {
            high_ns = middle_ns;
        }
    }
    return high_ns;
}

int64_t cut_clock_ns(const struct cut_window *window, const struct cut_day *day, int64_t utc_ns)
{
    return shown_ns(window->zone, utc_ns) - day->day * LS_NS_PER_DAY - window->from_ns;
}

int64_t cut_logins(const struct ls_curve_interval *interval, int64_t start_ns, int64_t end_ns,
                   double *carry)
{
    const int64_t from_ns = interval->from_ns > start_ns ? interval->from_ns : start_ns;
    const int64_t to_ns = interval->to_ns < end_ns ? interval->to_ns : end_ns;
    double wanted;
    int64_t logins;

    if (from_ns == interval->from_ns && to_ns == interval->to_ns) {
        return interval->count;
    }
    wanted = *carry + (double)interval->count * (double)(to_ns - from_ns) /
                          ((double)interval->to_ns - (double)interval->from_ns);
    logins = (int64_t)floor(wanted + 0.5);
    *carry = wanted - (double)logins;
    return logins;
}

int64_t cut_change_ns(const struct cut_window *window, int64_t from_ns, int64_t to_ns)
{
    const int64_t offset_ns = shown_ns(window->zone, from_ns) - from_ns;
    int64_t low_ns = from_ns, high_ns = to_ns - 1;

    if (shown_ns(window->zone, high_ns) - high_ns == offset_ns) {
        return to_ns;
    }
    while (high_ns - low_ns > 1) {
        const int64_t middle_ns = low_ns + (high_ns - low_ns) / 2;

        if (shown_ns(window->zone, middle_ns) - middle_ns == offset_ns) {
            low_ns = middle_ns;
        } else {
            high_ns = middle_ns;
        }
    }
    return high_ns;
}

void cut_format_day(int64_t day, char out[16])
{
    int year, month, of_month;

    ls_civil_of_days(day, &year, &month, &of_month);
    (void)snprintf(out, 16, "%04d-%02d-%02d", year, month, of_month);
}

/* When the row of a curve begins, and when it is over. */
static int64_t begin_ns(const struct ls_curve *curve, size_t row)
{
    return curve->exact ? curve->logins[row].utc_ns : curve->intervals[row].from_ns;
}

static int64_t last_ns(const struct ls_curve *curve, size_t row)
{
    return curve->exact ? curve->logins[row].utc_ns : curve->intervals[row].to_ns - 1;
}

/* The first row that is not over before utc_ns. */
static size_t row_at(const struct ls_curve *curve, size_t rows, int64_t utc_ns)
{
    size_t low = 0, high = rows;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (last_ns(curve, middle) < utc_ns) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Logins in each clock minute; an interval's are spread evenly over it. */
static void count_minutes(const struct ls_curve *curve, const struct cut_window *window,
                          const struct cut_day *day, double *minutes)
{
    const int64_t first = window->from_ns / LS_NS_PER_MIN;
    const int64_t zero_ns = day->start_ns - window->from_ns; /* of a clock that does not change */

    for (size_t i = day->first; i < day->first + day->count; i++) {
        const struct ls_curve_interval *interval;
        int64_t at_ns, to_ns;

        if (curve->exact) {
            minutes[(curve->logins[i].utc_ns - zero_ns) / LS_NS_PER_MIN - first]++;
            continue;
        }
        interval = &curve->intervals[i];
        at_ns = interval->from_ns > day->start_ns ? interval->from_ns : day->start_ns;
        to_ns = interval->to_ns < day->end_ns ? interval->to_ns : day->end_ns;
        while (at_ns < to_ns) {
            const int64_t minute = (at_ns - zero_ns) / LS_NS_PER_MIN;
            const int64_t next_ns = zero_ns + (minute + 1) * LS_NS_PER_MIN;
            const int64_t piece_ns = (next_ns < to_ns ? next_ns : to_ns) - at_ns;

            minutes[minute - first] += (double)interval->count * (double)piece_ns /
                                       ((double)interval->to_ns - (double)interval->from_ns);
            at_ns += piece_ns;
        }
    }
}

static enum ls_code find_peak(const struct ls_curve *curve, const struct cut_window *window,
                              struct cut_day *day, struct ls_error *err)
{
    const size_t count = (size_t)((day->end_ns - day->start_ns) / LS_NS_PER_MIN) + 2;
    double *minutes = calloc(count, sizeof *minutes);

    if (minutes == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for the minutes of a day");
    }
    count_minutes(curve, window, day, minutes);
    for (size_t i = 0; i < count; i++) {
        if (minutes[i] > day->peak_logins) {
            day->peak_logins = minutes[i];
            day->peak_minute_ns =
                (window->from_ns / LS_NS_PER_MIN + (int64_t)i) * LS_NS_PER_MIN % LS_NS_PER_DAY;
        }
    }
    free(minutes);
    return LS_OK;
}

/* The window of one day, and what of the curve lies in it; nothing where it has no length. */
static struct cut_day cut_one(const struct ls_curve *curve, size_t rows,
                              const struct cut_window *window, int64_t day)
{
    struct cut_day cut = {
        .day = day,
        .start_ns = moment_of(window->zone, day, window->from_ns),
        .end_ns = moment_of(window->zone, day, window->from_ns + window->window_ns),
    };
    double carry = 0;

    cut.first = row_at(curve, rows, cut.start_ns);
    for (size_t i = cut.first; i < rows && begin_ns(curve, i) < cut.end_ns; i++) {
        cut.count++;
        cut.logins +=
            curve->exact ? 1 : cut_logins(&curve->intervals[i], cut.start_ns, cut.end_ns, &carry);
    }
    return cut;
}

static enum ls_code append(struct cut_day **days, size_t *count, const struct cut_day *day,
                           struct ls_error *err)
{
    /* Doubled whenever it is full, which is at every power of two. */
    if ((*count & (*count - 1)) == 0) {
        struct cut_day *more = realloc(*days, (*count == 0 ? 1 : 2 * *count) * sizeof *more);

        if (more == NULL) {
            return ls_error_set(err, LS_ENOMEM, "no memory for the days of a curve");
        }
        *days = more;
    }
    (*days)[(*count)++] = *day;
    return LS_OK;
}

static enum ls_code refuse_empty(const struct ls_curve *curve, size_t rows,
                                 const struct cut_window *window, const char *path,
                                 struct ls_error *err)
{
    struct ls_civil first, last;
    char from[16], to[16];

    ls_zone_civil(window->zone, begin_ns(curve, 0), &first, NULL);
    ls_zone_civil(window->zone, last_ns(curve, rows - 1), &last, NULL);
    ls_format_clock(window->from_ns, window->from_ns % LS_NS_PER_MIN != 0, from, sizeof from);
    ls_format_clock(window->from_ns + window->window_ns,
                    (window->from_ns + window->window_ns) % LS_NS_PER_MIN != 0, to, sizeof to);
    return ls_error_set(err, LS_EINPUT,
                        "%s has no login between %s and %s (%s); it spans %04d-%02d-%02d %02d:%02d "
                        "to %04d-%02d-%02d %02d:%02d there",
                        path, from, to, ls_zone_name(window->zone), first.year, first.month,
                        first.day, first.hour, first.minute, last.year, last.month, last.day,
                        last.hour, last.minute);
}

/* Days without a login are stepped over: a stamp of 1970 beside one of 2026 costs nothing. */
enum ls_code cut_days(struct cut_day **out, size_t *count, const struct ls_curve *curve,
                      const struct cut_window *window, const char *path, struct ls_error *err)
{
    const size_t rows = curve->exact ? curve->logins_count : curve->intervals_count;
    struct cut_day *days = NULL;
    enum ls_code code = LS_OK;
    int64_t day = INT64_MIN;
    size_t row = 0;

    *out = NULL;
    *count = 0;
    while (code == LS_OK && row < rows) {
        /* A window that opened yesterday may reach to where the row is. */
        const int64_t shown = shown_ns(window->zone, begin_ns(curve, row));
        const int64_t earliest = shown / LS_NS_PER_DAY - (shown % LS_NS_PER_DAY < 0) - 1;
        struct cut_day cut;

        day = day == INT64_MIN || earliest > day ? earliest : day + 1;
        cut = cut_one(curve, rows, window, day);
        if (cut.logins > 0) {
            code = find_peak(curve, window, &cut, err);
            code = code == LS_OK ? append(&days, count, &cut, err) : code;
        }
        while (row < rows && last_ns(curve, row) < cut.end_ns) {
            row++;
        }
    }
    if (code == LS_OK && *count == 0) {
        code = refuse_empty(curve, rows, window, path, err);
    }
    if (code != LS_OK) {
        free(days);
        return code;
    }
    *out = days;
    return LS_OK;
}
