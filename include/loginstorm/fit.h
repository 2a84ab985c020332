/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_FIT_H
#define LOGINSTORM_FIT_H

/*
 * The built-in arrivals that describe a recorded morning, for planning one that is like it.
 *
 *     schedule of a recorded curve -> [fit] -> waves that a scenario can be written with
 *
 * Tried from the simplest on: uniform, a bell, a bell on a level floor, each bell with a burst, points of a
 * rate; the first that fits is chosen, or the nearest where none does. Bells and bursts are fitted by
 * least squares between the distribution functions (Nelder and Mead 1965), points by expectation
 * and maximisation over triangles. What is returned is rounded as it would be written, and
 * the distance is that of the rounded figures.
 *
 * The distance is Kolmogorov's and Smirnov's: the largest difference between the share of the users
 * that came and that should have come by any moment. The limit is what independent logins from
 * exactly these arrivals exceed in 5 of 100 mornings: 1.3581 / (sqrt n + 0.12 + 0.11 / sqrt n)
 * (Stephens 1970). Arrivals fitted to the same logins lie nearer than that by themselves, so to
 * exceed it refutes them, and to keep it does not prove them. Users that a scale draws beside the
 * recorded logins are not independent of them, so n is the recorded ones' number.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "loginstorm/error.h"
#include "loginstorm/scenario.h"
#include "loginstorm/schedule.h"

#define LS_FIT_WAVES_MAX 3
#define LS_FIT_TRIES_MAX 6
#define LS_FIT_POINTS_MAX 100

struct ls_fit_try {
    const char *name; /* "normal and burst", static */
    size_t waves_count;
    struct ls_wave waves[LS_FIT_WAVES_MAX]; /* with shares; its points lie in the fit */
    double distance;
};

struct ls_fit {
    int64_t logins;
    double limit;
    size_t tries_count; /* up to the first that fits */
    struct ls_fit_try tries[LS_FIT_TRIES_MAX];
    size_t chosen;
    bool fits; /* the chosen one is within the limit */
    struct ls_rate_point points[LS_FIT_POINTS_MAX];
};

/* On the heap, by ls_fit_free. LS_EINPUT for fewer than 10 logins, of which nothing can be said. */
LS_MUST_CHECK
enum ls_code ls_fit_new(struct ls_fit **out, const struct ls_schedule *schedule, int64_t window_ns,
                        struct ls_error *err);
void ls_fit_free(struct ls_fit *fit);

/* Share of the users of a try that come by at_ns. Not a number for what is no curve. */
double ls_fit_share_by(const struct ls_fit_try *tried, int64_t window_ns, double at_ns);

/* The limit for that many logins. */
double ls_fit_limit(int64_t logins);

#endif
