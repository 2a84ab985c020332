/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_COMPARE_H
#define LOGINSTORM_COMPARE_H

/*
 * Compares certificates: several runs -> one comparison and a recommendation.
 *
 *     results -> [compare] -> comparison -> result.json, report
 *
 * Statistics. All work on logarithms, since a cost or a latency differs by a factor; a mean of
 * logarithms is a geometric mean, and an interval of their difference one of the ratio.
 *   - Rounds of one storm (run --repeat): each round has every certificate once, so its logarithms
 *     are subtracted round by round: paired t interval, n - 1 degrees of freedom. What drifts from
 *     round to round falls out.
 *   - Repeats of two storms: Welch's interval (B. L. Welch, Biometrika 34, 1947; degrees of freedom
 *     after F. E. Satterthwaite, Biometrics Bulletin 2, 1946), widened by how much two storms of the
 *     same certificate differ beyond their own rounds.
 *   - Two rounds have one degree of freedom, with which a difference of many times is not shown. Their
 *     interval is normal, from the floor of noise below, or from what the two show where that is more.
 *   - Users who failed: Fisher's exact test, two-sided, over the users of all rounds together; and,
 *     since users of one run fail together, an interval as of the other figures, but of the arcsine of
 *     the share's root in place of a logarithm (F. J. Anscombe, Biometrika 35, 1948), that leaves out
 *     no difference. A latency that so many failed in that it has no end is more than one that has an
 *     end where both say that more failed.
 *   - Single runs show nothing of how much runs differ. Their interval is normal, from a floor of
 *     run-to-run noise and the sampling error of a quantile among so many users. The slowest login
 *     of a single run is not judged, nor is a wait that was not told apart where the gateway was
 *     full.
 * The floors stand with their reasons in src/compare/noise.c. Bonferroni's inequality keeps all
 * intervals of one comparison true together with 95 %: of m figures judged each has one of
 * 1 - 0.05 / m. Counted are p50, p99, p100, CPU a handshake and, where somebody failed, who failed, of each pair, and all but p100 of
 * each two certificates that the recommendation chooses between, so that it does not depend on which of them is the
 * baseline; the other figures of CPU are that one times what does not vary. Bytes are counted, not sampled: a mean over the
 * handshakes differs when it does so by more than 0.5 %, what the length of ECDSA signatures varies
 * by.
 *
 * A run that is invalid or ended early is named and not judged. Where no valid one is left, the
 * bytes are those of the invalid ones that ended: noise does not change them.
 */

#include "loginstorm/comparison.h"

struct ls_compare_wish {
    const struct ls_result *const *results; /* the first one's first certificate is the baseline */
    const char *const *names;               /* whose each is; NULL when there is one result */
    size_t count;
    bool force; /* compare unlike machines, builds and storms too, and say so */
};

/*
 * Every certificate of every result against its baseline: within the first result its first
 * certificate; in a further one the same certificate of the first result, or else the first of all.
 * *out is NULL when there is one certificate only. It leans on nothing of the results.
 */
LS_MUST_CHECK
enum ls_code ls_compare(struct ls_comparison **out, const struct ls_compare_wish *wish,
                        struct ls_error *err);

#endif
