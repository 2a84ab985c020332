/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LS_RECORD_BUILD_H
#define LS_RECORD_BUILD_H

/* How a run is worked out of its rows: private to this room. */

#include "loginstorm/result.h"

void sort_ns(int64_t *values, size_t count);

/* The curve of sorted values. */
void distribution_of(struct ls_distribution *out, const int64_t *sorted, size_t count);

/* The most intervals [begin, end) that overlap at a moment; one that ends when another begins does
 * not meet it. Sorts both arrays. */
int64_t peak_overlap(int64_t *begins, int64_t *ends, size_t count);

/* value with so many decimals: a figure derived by division shows no digits that mean nothing. */
double rounded(double value, int decimals);

/* Scenario time that belongs to real time at this speedup, rounded down: exact integers when the
 * speedup is whole. */
int64_t scenario_ns(int64_t real_ns, double speedup);

/* Fills run->waves with what the measurement says that was played. */
LS_MUST_CHECK
enum ls_code waves_build(struct ls_run *run, const struct ls_measurement *measurement,
                         struct ls_error *err);

/* Fills run->timeline. */
LS_MUST_CHECK
enum ls_code timeline_build(struct ls_run *run, const struct ls_measurement *measurement,
                            struct ls_error *err);

/* A sentence that was cut to its place ends before the character that was cut through. */
void trim_utf8(char *text);

/* Shards that began further apart than that blur the fullest second. */
#define SKEW_INVALID_NS LS_NS_PER_S
#define SKEW_SUSPECT_NS (100 * LS_NS_PER_MS)

/* What the verdict looks at beside run's own fields. */
struct verdict_facts {
    int64_t never_sent; /* logins that the injector did not send though they were due */
    int64_t ours;       /* further logins and handshakes that ran into a limit of ours */
    int64_t early;      /* logins sent before they were due */
    int64_t unasked;    /* handshakes resumed that nobody brought a ticket for */
    /* Millionths of the CPU that an outside gateway took: of other programs, where those are counted, and
     * by which what it took anyway may be off. */
    int64_t beside, uneven;
    int64_t apart;             /* millionths: by how much readings of the same CPU differ */
    int64_t restarts, back_ns; /* of the clock that its CPU is known by */
};

/* Fills verdict and reasons; all other figures of run are there. */
void verdict_reach(struct ls_run *run, const struct verdict_facts *facts);

#endif
