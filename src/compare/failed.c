/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Users who failed, beside each other: what a latency of those who got in keeps quiet about. */
#include "compare/failed.h"

#include <inttypes.h>
#include <math.h>

#include "compare/noise.h"

struct tally {
    int64_t failed, decided;
};

static struct tally tally_of(const struct work *work, const struct ls_pair *pair, int side)
{
    const struct origin *origin = &work->origins[side];
    struct tally tally = {0, 0};

    for (size_t i = 0; i < origin->runs_count; i++) {
        if (in_pair(work, pair, side, origin->runs[i])) {
            tally.failed += origin->runs[i]->failed;
            tally.decided += origin->runs[i]->logged_in + origin->runs[i]->failed;
        }
    }
    return tally;
}

static double log_choose(int64_t n, int64_t k)
{
    return lgamma((double)n + 1) - lgamma((double)k + 1) - lgamma((double)(n - k) + 1);
}

double fisher_exact(int64_t failed, int64_t decided, int64_t other_failed, int64_t other_decided)
{
    const int64_t all = failed + other_failed;
    const int64_t least = all > other_decided ? all - other_decided : 0;
    const int64_t most = all < decided ? all : decided;
    const double whole = log_choose(decided + other_decided, all);
    const double seen =
        log_choose(decided, failed) + log_choose(other_decided, other_failed) - whole;
    double sum = 0;

    for (int64_t k = least; k <= most; k++) {
        const double log_p = log_choose(decided, k) + log_choose(other_decided, all - k) - whole;

        sum += log_p <= seen + 1e-7 ? exp(log_p) : 0;
    }
    return fmin(sum, 1);
}

bool judge_failed(const struct work *work, const struct ls_pair *pair, double alpha, double low,
                  double high, struct ls_compared *compared)
{
    const struct tally one = tally_of(work, pair, pair->side);
    const struct tally other = tally_of(work, pair, pair->against);
    const bool shown = (low > 0 || high < 0) &&
                       fisher_exact(one.failed, one.decided, other.failed, other.decided) < alpha;

    compared->finding = !shown ? LS_NOT_SHOWN : low > 0 ? LS_MORE : LS_LESS;
    compared->why =
        sentence("%" PRId64 " of %" PRId64 " users failed, against %" PRId64 " of %" PRId64,
                 one.failed, one.decided, other.failed, other.decided);
    return compared->why != NULL;
}

enum end { HAS_END, MIXED, ENDLESS };

/* Of the latency of all users, a failed one counting as longer than any. */
static enum end end_of(const struct work *work, const struct ls_pair *pair, int side,
                       enum ls_figure figure)
{
    const struct origin *origin = &work->origins[side];
    size_t all = 0, endless = 0;

    for (size_t i = 0; i < origin->runs_count; i++) {
        if (in_pair(work, pair, side, origin->runs[i])) {
            all++;
            endless += origin->runs[i]->failed > 0 && figure_of(origin->runs[i], figure) < 0;
        }
    }
    return endless == 0 ? HAS_END : endless == all ? ENDLESS : MIXED;
}

static bool judge_end(const struct work *work, struct ls_pair *pair, enum ls_figure figure)
{
    const enum end one = end_of(work, pair, pair->side, figure);
    const enum end other = end_of(work, pair, pair->against, figure);
    const enum ls_finding failed = pair->figure[LS_FIGURE_FAILED].finding;
    struct ls_compared *compared = &pair->figure[figure];
    char name[128];

    if (one == HAS_END && other == HAS_END) {
        return true;
    }
    side_name(work, (size_t)(one >= other ? pair->side : pair->against), name, sizeof name);
    if ((one == ENDLESS && other == HAS_END && failed == LS_MORE) ||
        (one == HAS_END && other == ENDLESS && failed == LS_LESS)) {
        compared->finding = failed;
        compared->why = sentence("so many failed with %s that it has no end", name);
    } else if (one == ENDLESS && other == ENDLESS) {
        compared->why = sentence("so many failed that it has no end on either side");
    } else {
        compared->why = sentence("so many failed with %s that it has no end; that so many more do "
                                 "was not shown",
                                 name);
    }
    return compared->why != NULL;
}

bool judge_ends(const struct work *work, struct ls_pair *pair)
{
    static const enum ls_figure waits[] = {LS_FIGURE_LOGIN_P50, LS_FIGURE_LOGIN_P99,
                                           LS_FIGURE_LOGIN_P100};

    for (size_t i = 0; i < sizeof waits / sizeof waits[0]; i++) {
        if (pair->figure[waits[i]].finding == LS_NOT_KNOWN && !judge_end(work, pair, waits[i])) {
            return false;
        }
    }
    return true;
}
