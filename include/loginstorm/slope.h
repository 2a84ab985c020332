/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_SLOPE_H
#define LOGINSTORM_SLOPE_H

/*
 * What a handshake costs a gateway that can only be watched from outside: CPU at several rates, and the straight line
 * through them. The slope is the CPU of a handshake, the intercept what the gateway takes with nobody coming. Where the
 * points are no line there is no cost, and why is said.
 *
 *     storms of steady arrivals -> points -> [slope] -> cost profile
 */

#include <stddef.h>
#include <stdint.h>

#include "loginstorm/line.h"

/* One storm at one rate; handshakes and CPU are those between the same two readings of the gateway's clock. */
struct ls_slope_point {
    double offered_per_s; /* handshakes that were to come while users arrived */
    double seconds;       /* between the readings */
    double cpu_s;         /* that the gateway took meanwhile, idle or not */
    int64_t handshakes;   /* that came through */
    int64_t failed;       /* handshakes, and logins behind them, that did not */
    int64_t
        other_kind; /* of `handshakes`: full where they were to be resumed, or the other way round */
    /* How much longer the last tenth of the users took than the first (medians), as a part of the time in which they
     * arrived: what had piled up. 0 or more. */
    double behind_share;
};

/* Handshakes a second and cores, as the line has them. */
double ls_slope_per_s(const struct ls_slope_point *point);
double ls_slope_cores(const struct ls_slope_point *point);

/* What is known of the clock and the machine beside the points. 0: not known. */
struct ls_slope_facts {
    double tick_s; /* the CPU clock goes on by multiples of it */
    double cores;  /* that the gateway may use */
};

#define LS_SLOPE_RATES 4 /* at least */
#define LS_SLOPE_POINTS_MAX 512
#define LS_SLOPE_REFUSALS_MAX 14
struct ls_slope {
    struct ls_line line;               /* of cores over handshakes a second; count 0: none */
    double slope_half, intercept_half; /* 95 % intervals are so much to either side */
    double bend_share; /* what a handshake more costs at the highest rate, less at the lowest, by
                                            the parabola, as a part of the slope; 0 where there is none */
    double
        bend_half; /* its 95 % interval is so much to either side: where that holds 0, it may be chance */
    size_t refusals_count;                     /* 0: the line holds */
    char refusals[LS_SLOPE_REFUSALS_MAX][240]; /* a sentence each, with figure and limit; UTF-8 */
};

/* count <= LS_SLOPE_POINTS_MAX. The limits, with their reasons: the table in src/record/slope.c. */
void ls_slope_judge(struct ls_slope *out, const struct ls_slope_point *points, size_t count,
                    const struct ls_slope_facts *facts);

/* Whether that point alone would be refused: it may be played once more. */
bool ls_slope_is_bad(const struct ls_slope_point *point);

#endif
