/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CURVE_SPREAD_H
#define LOGINSTORM_CURVE_SPREAD_H

/*
 * Counts of intervals that overlap, as several gateways have them whose samples are not of the same
 * moments -> counts of intervals that do not: cut wherever one begins or ends, each count spread
 * evenly over its interval. The sum stays what it was.
 */

#include <stddef.h>

#include "loginstorm/curve.h"
#include "loginstorm/error.h"

/* Rows in the order of their beginning, each longer than nothing; they are replaced. */
LS_MUST_CHECK
enum ls_code spread_intervals(struct ls_curve_interval **rows, size_t *count, struct ls_error *err);

#endif
