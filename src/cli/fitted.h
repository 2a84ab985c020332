/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CLI_FITTED_H
#define LOGINSTORM_CLI_FITTED_H

/* What `check` and `fit` say of a recorded curve. */

#include <stdbool.h>

#include "loginstorm/fit.h"
#include "loginstorm/scenario.h"
#include "loginstorm/schedule.h"

#define PICTURE_SLICES 60

/* The notes of a schedule, as comments. */
void fitted_notes(const struct ls_schedule *schedule);

/* The logins that come in the fullest clock minute: on the average of many mornings of these arrivals, since one of them
 * has chance in it, too. */
double fitted_peak(const struct ls_fit_try *tried, const struct ls_scenario *scenario,
                   int64_t logins);

/* The notes, and where all arrivals are recorded also the nearest built-in shape, drawn, with how
 * near it is. Nothing for a schedule without recorded curves. */
void fitted_draw(const struct ls_scenario *scenario, const struct ls_schedule *schedule, bool utf8);

#endif
