/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LS_REPORT_GRID_H
#define LS_REPORT_GRID_H

/*
 * The morning in so many steps that a picture can show and a page can hold them, the same for all certificates: private to this
 * room. Slices of a timeline are put together: what was counted is added up, what was under way, and each latency, is the largest
 * of them (quantiles of several slices cannot be made one), cores are their mean.
 */

#include "loginstorm/result.h"

struct grid {
    int64_t step_ns; /* scenario time */
    size_t count;
    bool merged; /* a step is more than one slice of some run */
};

struct grid_step {
    bool there; /* the run has slices in it */
    int64_t due, logged_in, failed, in_flight;
    int64_t p50_ns, p99_ns, p100_ns; /* LS_NEVER_NS: nobody */
    double cores;                    /* negative: not known */
};

/* At most `most` steps (1 or more) over the timelines of the first `runs` runs. */
struct grid grid_of(const struct ls_result *result, size_t runs, size_t most);

/* steps has grid->count places. */
void grid_fill(const struct grid *grid, const struct ls_run *run, struct grid_step *steps);

#endif
