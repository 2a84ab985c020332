/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CLI_CALIBRATE_OUTSIDE_H
#define LOGINSTORM_CLI_CALIBRATE_OUTSIDE_H

/*
 * `calibrate` of a gateway that is not ours: each kind of handshake at several steady rates, all of them up and then down
 * again, so that what drifts meets high rates and low ones alike. A step is a storm of its own; what the gateway's CPU
 * clock went on by, over the handshakes that came through, makes a point.
 *
 *     scenario, rates -> steps -> points -> slope -> cost profile, table
 */

#include "cli/calibrate.h"
#include "loginstorm/slope.h"

#define RATES_MAX 16

/* One kind of handshake, as it was met out there. */
struct side {
    struct ls_slope_point points[LS_SLOPE_POINTS_MAX];
    size_t count, repeats;
    struct ls_slope slope;
    const char *key; /* "rsa-4096" */
    char counted[512], clock[16];
    double idle_cores;                  /* before the first storm */
    int64_t tick_ns, most_tick_ns;      /* of all steps; see ls_outside_clock */
    int64_t handshakes, tls13, retried; /* of those that count */
    double client_ns;                   /* of the injectors, for all of these */
    char why[2][200];                   /* what our own limits say of bad steps, for people */
    size_t why_count;
};

struct outside {
    struct calibration *calibration;
    struct ls_target target;
    struct ls_shown *shown; /* one a certificate */
    struct side *sides;     /* one a kind */
    double rates[RATES_MAX];
    size_t rates_count;
    double seconds; /* each */
    int passes;     /* even */
};

/* The rates and the seconds: of the options, or by the scenario's fullest second. LS_EUSAGE, LS_EINPUT. */
LS_MUST_CHECK
enum ls_code outside_plan(struct outside *outside, struct ls_error *err);

/* "10, 20,40.5" ascending; LS_EUSAGE with what is wrong. */
LS_MUST_CHECK
enum ls_code outside_rates_parse(const char *text, double rates[RATES_MAX], size_t *count,
                                 struct ls_error *err);

/* One step of one kind; point NULL: it warms the gateway up, and tells whose CPU is read and what it takes idle. LS_EUNREACHABLE
 * where that could not be read, and all that a storm ends early by. */
LS_MUST_CHECK
enum ls_code outside_play(struct outside *outside, size_t kind, double per_s,
                          struct ls_slope_point *point, struct ls_error *err);

/* After all steps: the line of each kind. False where one is none. */
bool outside_judge(struct outside *outside);

/* The profile of lines that hold. */
LS_MUST_CHECK
enum ls_code outside_costs(struct ls_costs **out, struct outside *outside, struct ls_error *err);

/* The points, and where they are all the line, or why there is none. */
void outside_table(const struct outside *outside, bool all, FILE *out);

#endif
