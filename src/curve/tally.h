/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CURVE_TALLY_H
#define LOGINSTORM_CURVE_TALLY_H

#include "curve/gather.h"

/* All that was gathered in the order of time, as a curve, and what the summary tells of it: span,
 * fullest minute, gaps. source is what the curve's header says. */
LS_MUST_CHECK
enum ls_code tally_curve(struct ls_curve **out, struct gather *gather, const char *source,
                         struct ls_error *err);

/* By time, equal ones in the order that they have; public for its test. */
LS_MUST_CHECK
enum ls_code tally_sort(struct ls_curve_login *logins, size_t count, struct ls_error *err);

#endif
