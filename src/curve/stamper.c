/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "curve/stamp.h"
#include "loginstorm/units.h"

/* How far a line may stand behind one that is later: a web server writes a request at its end. */
#define LATE_NS (5 * LS_NS_PER_MIN)

#define NO_ZONE "it has no zone: say --timezone, like Europe/Paris"
#define NO_DAY "no such day in that year"
#define BEYOND "it is not between the years 1678 and 2261"

void stamper_init(struct stamper *stamper, const struct ls_zone *zone,
                  const struct ls_import_wish *wish)
{
    *stamper = (struct stamper){.zone = zone, .twice = wish->twice, .first_year = wish->year};
}

void stamper_begin(struct stamper *stamper, int64_t written_ns)
{
    stamper->written_ns = written_ns;
    stamper->has_first = false;
    stamper->has_last = stamper->has_last && stamper->first_year != 0;
}

static int year_of(int64_t utc_ns)
{
    int year;
    int month;
    int day;

    ls_civil_of_days(utc_ns / LS_NS_PER_DAY, &year, &month, &day);
    return year;
}

/* The year nearest to the line before. A zone's hours are nothing beside half a year. */
static bool nearest_year(struct ls_civil *civil, int64_t last_ns)
{
    const int middle = year_of(last_ns);
    /* A leap day may be four years away, and eight around a century. */
    const int reach = civil->month == 2 && civil->day == 29 ? 8 : 1;
    uint64_t best = UINT64_MAX;
    int found = 0;

    for (int year = middle - reach; year <= middle + reach; year++) {
        uint64_t distance;
        int64_t ns;

        civil->year = year;
        if (!ls_civil_utc_ns(civil, &ns)) {
            continue;
        }
        distance =
            ns > last_ns ? (uint64_t)ns - (uint64_t)last_ns : (uint64_t)last_ns - (uint64_t)ns;
        if (distance < best) {
            best = distance;
            found = year;
        }
    }
    civil->year = found;
    return found != 0;
}

/* The latest that is not after the log was written, a day allowed for clocks and zones. */
static bool latest_year(struct ls_civil *civil, int64_t written_ns)
{
    const int last = year_of(written_ns) + 1;

    for (int year = last; year >= last - 9; year--) {
        int64_t ns;

        civil->year = year;
        if (ls_civil_utc_ns(civil, &ns) && ns - LS_NS_PER_DAY <= written_ns) {
            return true;
        }
    }
    return false;
}

static bool find_year(const struct stamper *stamper, struct ls_civil *civil)
{
    if (stamper->has_last) {
        return nearest_year(civil, stamper->last_ns);
    }
    if (stamper->first_year != 0) {
        civil->year = stamper->first_year;
        return ls_civil_is_valid(civil);
    }
    return latest_year(civil, stamper->written_ns);
}

static int64_t one_of_two(const struct stamper *stamper, const int64_t moments_ns[2])
{
    const bool newest_first = stamper->has_first && stamper->last_ns < stamper->first_ns;
    bool second;

    if (stamper->twice != LS_TWICE_ORDER) {
        second = stamper->twice == LS_TWICE_SECOND;
    } else if (!stamper->has_first) {
        second = false;
    } else if (newest_first) {
        second = moments_ns[1] <= stamper->last_ns + LATE_NS;
    } else {
        second = moments_ns[0] < stamper->last_ns - LATE_NS;
    }
    return moments_ns[second ? 1 : 0];
}

static const char *by_zone(struct stamper *stamper, const struct ls_civil *civil, int64_t *utc_ns)
{
    struct ls_civil second = *civil;
    int64_t moments_ns[2];
    int count;

    second.ns = 0;
    if (stamper->has_second && memcmp(&stamper->second, &second, sizeof second) == 0) {
        *utc_ns = stamper->second_ns + civil->ns;
        return NULL;
    }
    count = ls_zone_moments(stamper->zone, &second, moments_ns);
    if (count < 0) {
        return BEYOND;
    }
    stamper->twice_count += count == 2 ? 1 : 0;
    stamper->left_out_count += count == 0 ? 1 : 0;
    *utc_ns = (count == 2 ? one_of_two(stamper, moments_ns) : moments_ns[0]) + civil->ns;
    stamper->has_second = count == 1;
    stamper->second = second;
    stamper->second_ns = moments_ns[0];
    return NULL;
}

static const char *find(struct stamper *stamper, const struct stamp *stamp, int64_t *utc_ns)
{
    struct ls_civil civil = stamp->civil;

    if (stamp->is_utc_ns) {
        *utc_ns = stamp->utc_ns;
        return NULL;
    }
    if (!stamp->has_offset && stamper->zone == NULL) {
        return NO_ZONE;
    }
    if (civil.year == 0 && !find_year(stamper, &civil)) {
        return NO_DAY;
    }
    if (!stamp->has_offset) {
        return by_zone(stamper, &civil, utc_ns);
    }
    if (!ls_civil_utc_ns(&civil, utc_ns) ||
        __builtin_sub_overflow(*utc_ns, stamp->offset_s * LS_NS_PER_S, utc_ns)) {
        return BEYOND;
    }
    return NULL;
}

const char *stamper_moment(struct stamper *stamper, const struct stamp *stamp, int64_t *utc_ns)
{
    const char *why = find(stamper, stamp, utc_ns);

    if (why != NULL) {
        return why;
    }
    if (!stamper->has_first) {
        stamper->has_first = true;
        stamper->first_ns = *utc_ns;
    }
    stamper->has_last = true;
    stamper->last_ns = *utc_ns;
    return NULL;
}
