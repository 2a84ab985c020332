/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "curve/tally.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "curve/spread.h"
#include "loginstorm/units.h"

#define GAP_NS (10 * LS_NS_PER_MIN)
#define DAY_BEGINS_S (INT64_C(7) * 3600)
#define DAY_ENDS_S (INT64_C(19) * 3600)

/* Merges [from, middle) and [middle, to); most logs are nearly sorted, and then little is done. */
static void merge(struct ls_curve_login *logins, struct ls_curve_login *spare, size_t from,
                  size_t middle, size_t to)
{
    size_t left = 0;
    size_t right = middle;
    size_t at = from;
    const size_t left_count = middle - from;

    if (logins[middle - 1].utc_ns <= logins[middle].utc_ns) {
        return;
    }
    memcpy(spare, logins + from, left_count * sizeof *spare);
    while (left < left_count) {
        if (right < to && logins[right].utc_ns < spare[left].utc_ns) {
            logins[at++] = logins[right++];
        } else {
            logins[at++] = spare[left++];
        }
    }
}

enum ls_code tally_sort(struct ls_curve_login *logins, size_t count, struct ls_error *err)
{
    struct ls_curve_login *spare;
    size_t i = 1;

    while (i < count && logins[i - 1].utc_ns <= logins[i].utc_ns) {
        i++;
    }
    if (i >= count) {
        return LS_OK;
    }
    spare = malloc(count * sizeof *spare);
    if (spare == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory to sort %zu logins", count);
    }
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t from = 0; from + width < count; from += 2 * width) {
            const size_t to = count - from < 2 * width ? count : from + 2 * width;

            merge(logins, spare, from, from + width, to);
        }
    }
    free(spare);
    return LS_OK;
}

static void count_minutes(const struct gather *gather)
{
    struct ls_import_summary *summary = gather->summary;
    int64_t minute = 0;
    int64_t count = 0;

    for (size_t i = 0; i < gather->logins_count; i++) {
        const int64_t at = gather->logins[i].utc_ns / LS_NS_PER_MIN;

        count = i > 0 && at == minute ? count + 1 : 1;
        minute = at;
        if (count > summary->peak_minute_logins) {
            summary->peak_minute_logins = count;
            summary->peak_minute_ns = minute * LS_NS_PER_MIN;
        }
    }
}

/* The part of the time from one moment to the next that lies between 7 and 19 o'clock of one day. */
static int64_t by_daylight(const struct ls_zone *zone, int64_t from_ns, int64_t to_ns)
{
    struct ls_civil from, to;
    int64_t from_s, to_s;

    ls_zone_civil(zone, from_ns, &from, NULL);
    ls_zone_civil(zone, to_ns, &to, NULL);
    if (from.year != to.year || from.month != to.month || from.day != to.day) {
        return 0;
    }
    from_s = ((int64_t)from.hour * 60 + from.minute) * 60 + from.second;
    to_s = ((int64_t)to.hour * 60 + to.minute) * 60 + to.second;
    if (from_s >= DAY_BEGINS_S && to_s <= DAY_ENDS_S) {
        return to_ns - from_ns;
    }
    from_s = from_s < DAY_BEGINS_S ? DAY_BEGINS_S : from_s;
    to_s = to_s > DAY_ENDS_S ? DAY_ENDS_S : to_s;
    return (to_s - from_s) * LS_NS_PER_S;
}

static void count_gaps(const struct gather *gather)
{
    struct ls_import_summary *summary = gather->summary;

    for (size_t i = 1; i < gather->logins_count; i++) {
        const int64_t from_ns = gather->logins[i - 1].utc_ns;
        const int64_t to_ns = gather->logins[i].utc_ns;
        int64_t gap_ns;

        if (to_ns - from_ns <= GAP_NS) {
            continue;
        }
        gap_ns = by_daylight(gather->zone, from_ns, to_ns);
        if (gap_ns > GAP_NS) {
            summary->gaps++;
            if (gap_ns > summary->longest_gap_ns) {
                summary->longest_gap_ns = gap_ns;
                summary->longest_gap_at_ns = from_ns;
            }
        }
    }
}

static int by_time(const void *a, const void *b)
{
    const struct ls_curve_interval *left = a;
    const struct ls_curve_interval *right = b;

    return (left->from_ns > right->from_ns) - (left->from_ns < right->from_ns);
}

/* Intervals whose end was not told last as long as the shortest way from one to the next. */
static enum ls_code end_intervals(struct gather *gather, struct ls_error *err)
{
    struct ls_curve_interval *rows = gather->intervals;
    const size_t count = gather->intervals_count;
    int64_t step_ns = INT64_MAX;

    for (size_t i = 1; i < count; i++) {
        const int64_t way_ns = rows[i].from_ns - rows[i - 1].from_ns;

        step_ns = way_ns > 0 && way_ns < step_ns ? way_ns : step_ns;
    }
    for (size_t i = 0; i < count; i++) {
        if (rows[i].to_ns != rows[i].from_ns) {
            continue;
        }
        if (step_ns == INT64_MAX) {
            return ls_error_set(err, LS_EINPUT,
                                "one count alone does not tell how long its interval is");
        }
        rows[i].to_ns = rows[i].from_ns + step_ns;
    }
    return LS_OK;
}

static void say_when(int64_t utc_ns, char out[32])
{
    int year, month, day;
    const int64_t second = utc_ns / LS_NS_PER_S;

    ls_civil_of_days(utc_ns / LS_NS_PER_DAY, &year, &month, &day);
    (void)snprintf(out, 32, "%04d-%02d-%02dT%02d:%02d:%02dZ", year, month, day,
                   (int)(second / 3600 % 24), (int)(second / 60 % 60), (int)(second % 60));
}

/* Those of a minute of the clock that has several intervals are added up; a longer interval has its
 * mean. */
static void count_interval_minutes(const struct gather *gather)
{
    struct ls_import_summary *summary = gather->summary;
    int64_t minute = -1;
    double best = 0, here = 0;

    for (size_t i = 0; i < gather->intervals_count; i++) {
        const struct ls_curve_interval *row = &gather->intervals[i];
        const double length_ns = (double)(row->to_ns - row->from_ns);
        int64_t from_ns = row->from_ns;

        if (row->to_ns - row->from_ns > LS_NS_PER_MIN) {
            here = (double)row->count * (double)LS_NS_PER_MIN / length_ns;
            if (here > best) {
                best = here;
                summary->peak_minute_ns = row->from_ns;
            }
            minute = -1;
            continue;
        }
        while (from_ns < row->to_ns) {
            const int64_t at = from_ns / LS_NS_PER_MIN;
            const int64_t end_ns = (at + 1) * LS_NS_PER_MIN;
            const int64_t to_ns = row->to_ns < end_ns ? row->to_ns : end_ns;

            here = at == minute ? here : 0;
            minute = at;
            here += (double)row->count * (double)(to_ns - from_ns) / length_ns;
            if (here > best) {
                best = here;
                summary->peak_minute_ns = minute * LS_NS_PER_MIN;
            }
            from_ns = to_ns;
        }
    }
    summary->peak_minute_logins = llround(best);
}

/* What a curve's readers would refuse is refused here. */
static enum ls_code check_counts(const struct gather *gather, struct ls_error *err)
{
    char when[32];

    for (size_t i = 0; i < gather->intervals_count; i++) {
        if (gather->intervals[i].count > LS_CURVE_COUNT_MAX) {
            say_when(gather->intervals[i].from_ns, when);
            return ls_error_set(
                err, LS_EINPUT,
                "the interval that begins at %s has more than 1,000,000,000 logins: "
                "are its counts logins?",
                when);
        }
    }
    if (gather->summary->logins > LS_CURVE_TOTAL_MAX) {
        return ls_error_set(err, LS_EINPUT,
                            "more than a million million logins in all: are the counts logins?");
    }
    count_interval_minutes(gather);
    return LS_OK;
}

/* Sorted, each with an end; the same interval of several logs (gateways, say) is one. */
static enum ls_code settle_intervals(struct gather *gather, struct ls_error *err)
{
    struct ls_curve_interval *rows = gather->intervals;
    size_t count = 0;
    enum ls_code code;

    qsort(rows, gather->intervals_count, sizeof *rows, by_time);
    code = end_intervals(gather, err);
    if (code == LS_OK && gather->sink.adds_up) {
        code = spread_intervals(&gather->intervals, &gather->intervals_count, err);
        rows = gather->intervals;
    }
    for (size_t i = 0; i < gather->intervals_count && code == LS_OK; i++) {
        struct ls_curve_interval *last = count == 0 ? NULL : &rows[count - 1];
        char when[32];

        if (last == NULL || rows[i].from_ns >= last->to_ns) {
            rows[count++] = rows[i];
        } else if (rows[i].from_ns == last->from_ns && rows[i].to_ns == last->to_ns) {
            last->count += rows[i].count;
        } else {
            say_when(rows[i].from_ns, when);
            code = ls_error_set(err, LS_EINPUT,
                                "intervals overlap: one that begins at %s begins within another",
                                when);
        }
    }
    gather->intervals_count = count;
    return code == LS_OK ? check_counts(gather, err) : code;
}

static enum ls_code settle_rows(struct gather *gather, struct ls_error *err)
{
    struct ls_import_summary *summary = gather->summary;
    enum ls_code code;

    summary->exact = gather->intervals_count == 0;
    if (!summary->exact) {
        code = settle_intervals(gather, err);
        if (code == LS_OK) {
            summary->first_ns = gather->intervals[0].from_ns;
            summary->last_ns = gather->intervals[gather->intervals_count - 1].to_ns;
        }
        return code;
    }
    code = tally_sort(gather->logins, gather->logins_count, err);
    if (code == LS_OK) {
        summary->first_ns = gather->logins[0].utc_ns;
        summary->last_ns = gather->logins[gather->logins_count - 1].utc_ns;
        count_minutes(gather);
        count_gaps(gather);
    }
    return code;
}

enum ls_code tally_curve(struct ls_curve **out, struct gather *gather, const char *source,
                         struct ls_error *err)
{
    struct ls_import_summary *summary = gather->summary;
    struct ls_curve *curve;
    enum ls_code code = settle_rows(gather, err);

    if (code != LS_OK) {
        return code;
    }
    curve = calloc(1, sizeof *curve);
    if (curve != NULL) {
        curve->source = strdup(source);
        curve->timezone = strdup(summary->timezone);
        curve->counted = strdup(summary->counted);
    }
    if (curve == NULL || curve->source == NULL || curve->timezone == NULL ||
        curve->counted == NULL) {
        ls_curve_free(curve);
        return ls_error_set(err, LS_ENOMEM, "no memory for a curve");
    }
    curve->exact = summary->exact;
    curve->logins = gather->logins;
    curve->logins_count = gather->logins_count;
    curve->intervals = gather->intervals;
    curve->intervals_count = gather->intervals_count;
    gather->logins = NULL;
    gather->intervals = NULL;
    *out = curve;
    return LS_OK;
}
