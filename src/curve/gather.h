/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CURVE_GATHER_H
#define LOGINSTORM_CURVE_GATHER_H

/*
 * Where the events of all logs come together: moments are found, people numbered, the day chosen,
 * and what was left out counted by its reason.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "curve/format.h"
#include "curve/people.h"
#include "loginstorm/zone.h"

struct gather {
    struct sink sink; /* the first, so that a sink is its gather */
    struct ls_import_summary *summary;
    struct ls_zone *zone; /* of the curve: UTC where none was told */
    bool zone_told;
    bool has_day;
    int64_t day_from_ns, day_to_ns;
    struct stamper stamper;
    struct people people;
    bool knows_people;
    struct ls_curve_login *logins;
    size_t logins_count, logins_room;
    struct ls_curve_interval *intervals; /* to_ns == from_ns: not told */
    size_t intervals_count, intervals_room;
    struct pending *pending; /* logins whose day and month cannot be told apart as yet */
    size_t pending_count, pending_room;
    bool has_latest; /* of this log */
    int64_t latest_ns;
    size_t last_skip;
};

/* LS_EINPUT for a zone or a day that is none. */
LS_MUST_CHECK
enum ls_code gather_init(struct gather *gather, const struct ls_import_wish *wish,
                         struct ls_import_summary *summary, struct ls_error *err);
void gather_free(struct gather *gather);

/* Before and after each log. gather_end refuses a log whose day and month cannot be told apart. */
void gather_begin(struct gather *gather, const char *path, int64_t written_ns);
LS_MUST_CHECK
enum ls_code gather_end(struct gather *gather, struct ls_error *err);

#endif
