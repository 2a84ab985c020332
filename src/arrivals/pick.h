/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LS_ARRIVALS_PICK_H
#define LS_ARRIVALS_PICK_H

/* Which days of which curve a recorded wave means, told in sentences. */

#include <stdio.h>

#include "arrivals/cut.h"
#include "loginstorm/scenario.h"

struct pick {
    struct ls_curve *curve;
    struct ls_zone *zone;
    struct cut_window window;
    struct cut_day *all;  /* that the curve has */
    struct cut_day *days; /* those that are meant, in all */
    size_t count;
};

/* The curve is loaded, and the window cut by the scenario's timezone, or else by the curve's own: a
 * time in a scenario is what the clock of that scenario shows. LS_EINPUT lists the days where
 * it must be said which. */
LS_MUST_CHECK
enum ls_code pick_days(struct pick *pick, const struct ls_scenario *scenario,
                       const struct ls_wave *wave, const char *name, FILE *notes,
                       struct ls_error *err);
void pick_free(struct pick *pick);

#endif
