/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LS_ARRIVALS_SHAPE_H
#define LS_ARRIVALS_SHAPE_H

/*
 * One wave's curve, made ready once: what is constant over its thousands of draws.
 *
 *     wave of the scenario -> [shape] -> a moment per share of the users
 */

#include <stddef.h>
#include <stdint.h>

#include "loginstorm/error.h"
#include "loginstorm/scenario.h"

enum shape_kind { SHAPE_FLAT, SHAPE_BELL, SHAPE_LINES };

struct shape {
    enum shape_kind kind;
    double window_ns;
    double begin_ns, end_ns;             /* flat */
    double middle_ns, spread_ns;         /* bell */
    double below_begin, above_end, mass; /* bell: cut off before, cut off after, what is left */
    const struct ls_rate_point *points;  /* lines */
    size_t points_count;
    struct ls_rate_point ramp[2];
    double area;   /* lines: logins, up to a factor */
    double *areas; /* lines: the area before each point, or NULL (then it is summed up as needed) */
};

/* Points into wave and into itself: neither may move. LS_EINPUT for a curve without users in the
 * window; name is for the message. Holds no memory until shape_index. */
LS_MUST_CHECK
enum ls_code shape_init(struct shape *shape, const struct ls_wave *wave, int64_t window_ns,
                        const char *name, struct ls_error *err);

/* Makes shape_at fast for many points; it returns the same with and without. */
LS_MUST_CHECK
enum ls_code shape_index(struct shape *shape, struct ls_error *err);
void shape_free(struct shape *shape);

double shape_share_by(const struct shape *shape, double at_ns);

/* share in (0, 1); the result is in [0, window_ns], and never falls as share rises. */
double shape_at(const struct shape *shape, double share);

#endif
