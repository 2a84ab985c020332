/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LS_COMPARE_FAILED_H
#define LS_COMPARE_FAILED_H

/* Users who failed: private to this room. */

#include "compare/work.h"

/* Fisher's exact test, two-sided: how probable a split of all the failed among the two is that is no
 * more probable than this one, were they to fail alike. */
double fisher_exact(int64_t failed, int64_t decided, int64_t other_failed, int64_t other_decided);

/* low and high: the interval of the difference on the scale of figure_scaled, in which runs differ by
 * more than chance. Shown is what lies beyond both. false when there is no memory. */
LS_MUST_CHECK
bool judge_failed(const struct work *work, const struct ls_pair *pair, double alpha, double low,
                  double high, struct ls_compared *compared);

/* What is not known for want of an end: longer than what has one, where more were shown to fail. To be
 * called when the pair's other figures are judged. */
LS_MUST_CHECK
bool judge_ends(const struct work *work, struct ls_pair *pair);

#endif
