/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_ZONE_H
#define LOGINSTORM_ZONE_H

/*
 * The clocks of places: what a clock on a wall shows, and when that is. Before a schedule: logs
 * speak local time, curve files UTC, and a morning is local again.
 *
 * The rules are those of the system's tz database (in $TZDIR, else /usr/share/zoneinfo), read once
 * for a zone and laid out up to the year 2262; a zone is read-only after that, and the process's own
 * TZ is neither used nor touched.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "loginstorm/error.h"

/* What a calendar and a clock show; proleptic Gregorian, seconds 0 to 60 as logs write them. */
struct ls_civil {
    int year, month, day; /* 1 to 12, 1 to 31 */
    int hour, minute, second;
    int32_t ns;
};

/* Days from 1970-01-01, negative before it, and back; for years that fit an int. */
int64_t ls_civil_days(int year, int month, int day);
void ls_civil_of_days(int64_t days, int *year, int *month, int *day);

/* Whether such a date and time of day exist in the calendar (no zone is asked). */
bool ls_civil_is_valid(const struct ls_civil *civil);

/* Nanoseconds since 1970-01-01T00:00:00Z of civil taken as UTC; false for what is not valid, and
 * beyond what int64_t holds (1677 to 2262). Second 60 is the next minute's 0. */
bool ls_civil_utc_ns(const struct ls_civil *civil, int64_t *utc_ns);

/* A moment as RFC 3339 has it, "2026-11-30T08:00:00.25+01:00": T, t or a blank, up to nine decimals, and a
 * zone, which is Z, z or ±HH:MM. False for anything else, and for years before 1678 or after 2261. */
bool ls_moment_read(const char *text, int64_t *utc_ns);

/* The same in UTC, "2026-11-30T07:00:00.25Z", exactly. size >= 36 */
void ls_moment_write(int64_t utc_ns, char *out, size_t size);

struct ls_zone;

/* An IANA name ("Europe/Paris"); "UTC" needs no tz database. LS_EINPUT with the name that was most
 * likely meant for one that is unknown (a slip, a city alone, an abbreviation, a Windows name);
 * LS_ENOINPUT with what to install where the tz database is missing. */
LS_MUST_CHECK
enum ls_code ls_zone_new(struct ls_zone **out, const char *name, struct ls_error *err);
void ls_zone_free(struct ls_zone *zone);
const char *ls_zone_name(const struct ls_zone *zone);

/* What a clock there shows at utc_ns, and how far it is ahead of UTC. offset_s may be NULL. */
void ls_zone_civil(const struct ls_zone *zone, int64_t utc_ns, struct ls_civil *civil,
                   int *offset_s);

/*
 * When a clock there shows civil: the number of such moments, ascending in utc_ns. 1 as a rule; 2
 * in the hour that comes twice when clocks go back; 0 in the hour that is left out when they go
 * forward, and utc_ns[0] then is the moment that a clock which had not been put forward would show
 * it. -1 for what is no date, or lies beyond 1677 to 2262.
 */
int ls_zone_moments(const struct ls_zone *zone, const struct ls_civil *civil, int64_t utc_ns[2]);

#endif
