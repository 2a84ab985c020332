/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_ARRIVALS_LOOP_H
#define LOGINSTORM_ARRIVALS_LOOP_H

/* Schedules of closed loops: private to this room. */

#include "loginstorm/schedule.h"

/* Whether the loops of a scenario make a schedule: LS_EINPUT, LS_ERANGE. */
LS_MUST_CHECK
enum ls_code loops_check(const struct ls_scenario *scenario, struct ls_error *err);

/* Lays the waves one after another over rows that are all there already; due_ns holds the number of the
 * draw, as it does for open arrivals at that point. */
void loops_lay(struct ls_schedule *schedule, const struct ls_scenario *scenario);

#endif
