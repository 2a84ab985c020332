/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LS_ARRIVALS_FIT_WORK_H
#define LS_ARRIVALS_FIT_WORK_H

/* What a fit works on: the logins counted in narrow slices of the window. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "loginstorm/fit.h"

#define SLICES 1800

/* A bell, a level floor and a burst, each with its share; times in shares of the window. */
struct mix {
    double middle, spread;
    double floor_share;
    double burst_at, burst_over, burst_share;
};

struct work {
    int64_t window_ns;
    int64_t logins;
    double count[SLICES];  /* logins in each */
    double by[SLICES + 1]; /* share of the logins by its beginning */
    bool has_burst;        /* a spike stands out from its neighbours */
    struct mix burst;      /* where, how long and how many: a first guess */
};

/* Looks for the one stretch that stands out most from what is around it. */
void work_find_burst(struct work *work);

/* Makes mix the best of its kind: what is 0 in it (floor_share, burst_share) stays 0. It begins at
 * a guess of its own for the bell. */
void work_fit_mix(const struct work *work, struct mix *mix);

/* The likeliest rates at points, in logins a slice; the points are in shares of the window, ascending
 * from 0 to 1. */
void work_fit_points(const struct work *work, const double *at, double *rates, size_t count);

/* Puts one more point where these rates stray most from the logins; false where they do not, or no
 * slice lies between two points any more. at has room for it. */
bool work_split(const struct work *work, double *at, const double *rates, size_t count);

/* Share of a burst that has passed by x. */
double mix_burst_by(const struct mix *mix, double x);

#endif
