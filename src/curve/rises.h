/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CURVE_RISES_H
#define LOGINSTORM_CURVE_RISES_H

/*
 * Samples of series, one series behind the other -> counts per interval, all series added up. What
 * a value is, a counter's, an increase or a rate, is told or taken from how the values go.
 */

#include <stdbool.h>
#include <stdint.h>

#include "curve/format.h"
#include "curve/slots.h"

/* Beyond it doubles have no whole numbers of their own. */
#define RISES_MAX 1e15

#define RISES_WORDS "counter, increase, rate, gauge"
enum rises_way { RISES_COUNTER, RISES_INCREASE, RISES_RATE, RISES_GAUGE };

struct rises {
    struct sink *sink;
    enum rises_way way;
    bool is_told;
    struct slots slots;
    int64_t step_ns; /* the shortest from one sample to the next; 0: not known */
    /* Of all series: ways from one sample to the next, those that fall, those that fall by less than
     * half, as a counter that begins again does not, and values that are not whole. */
    int64_t series, steps, falls, shallow_falls, fractions;
    bool all_named; /* every series has a name that ends as a counter's does */
    /* Of the series being read. */
    int64_t samples;
    bool has_last;
    int64_t last_ns;
    double last;
};

/* LS_EUSAGE where --count says none of the words. */
LS_MUST_CHECK
enum ls_code rises_init(struct rises *rises, struct sink *sink, struct ls_error *err);
void rises_free(struct rises *rises);

void rises_begin_series(struct rises *rises);
void rises_end_series(struct rises *rises, const char *name);

/* A value from 0 to RISES_MAX. */
LS_MUST_CHECK
enum ls_code rises_sample(struct rises *rises, int64_t at_ns, double value, struct ls_error *err);

/* Gives the counts, with what they are taken for and what is amiss. LS_EINPUT for values that may be
 * anything, of which --count has to say what they are. */
LS_MUST_CHECK
enum ls_code rises_end(struct rises *rises, struct ls_error *err);

#endif
