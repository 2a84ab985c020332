/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From many mornings on one farm to its figures, and what they say of the targets. */
#include <math.h>
#include <stdlib.h>

#include "plan/work.h"

static int by_size(const void *left, const void *right)
{
    const double *a = left, *b = right;

    return (*a > *b) - (*a < *b);
}

struct ls_plan_spread spread_of(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, by_size);
    return (struct ls_plan_spread){.median = values[(count - 1) / 2],
                                   .most = values[mornings_needed(count) - 1]};
}

static double or_never(int64_t ns)
{
    return ns < 0 ? HUGE_VAL : (double)ns;
}

static double p50_of(const struct ls_morning *morning)
{
    return or_never(morning->of_all_p50_ns);
}

static double p95_of(const struct ls_morning *morning)
{
    return or_never(morning->of_all_p95_ns);
}

static double p99_of(const struct ls_morning *morning)
{
    return or_never(morning->of_all_p99_ns);
}

static double p100_of(const struct ls_morning *morning)
{
    return or_never(morning->of_all_p100_ns);
}

static double failed_of(const struct ls_morning *morning)
{
    return morning->facts.logins > 0 ? (double)morning->facts.failed / (double)morning->facts.logins
                                     : 0;
}

static double peak_of(const struct ls_morning *morning)
{
    return morning->facts.peak_gateway_share;
}

static double dropped_of(const struct ls_morning *morning)
{
    return (double)morning->facts.syn_dropped;
}

static double timed_out_of(const struct ls_morning *morning)
{
    return (double)(morning->by_reason[LS_REASON_CONNECT_TIMEOUT] +
                    morning->by_reason[LS_REASON_HANDSHAKE_TIMEOUT] +
                    morning->by_reason[LS_REASON_LOGIN_TIMEOUT]);
}

static double attempts_of(const struct ls_morning *morning)
{
    return morning->facts.logins > 0
               ? (double)morning->facts.attempts / (double)morning->facts.logins
               : 0;
}

/* Each figure, its place, and the target that is about it. */
static const struct {
    double (*of)(const struct ls_morning *morning);
    size_t place;
    enum ls_plan_target target;
} kinds[] = {
    {p50_of, offsetof(struct ls_plan_farm, p50_ns), LS_TARGET_LOGIN_P50},
    {p95_of, offsetof(struct ls_plan_farm, p95_ns), LS_TARGET_LOGIN_P95},
    {p99_of, offsetof(struct ls_plan_farm, p99_ns), LS_TARGET_LOGIN_P99},
    {p100_of, offsetof(struct ls_plan_farm, p100_ns), LS_TARGET_LOGIN_P100},
    {failed_of, offsetof(struct ls_plan_farm, failed_share), LS_TARGET_FAILED},
    {peak_of, offsetof(struct ls_plan_farm, cpu_peak_share), LS_TARGET_CPU_PEAK},
    {dropped_of, offsetof(struct ls_plan_farm, syn_dropped), LS_PLAN_TARGETS},
    {timed_out_of, offsetof(struct ls_plan_farm, timed_out), LS_PLAN_TARGETS},
    {attempts_of, offsetof(struct ls_plan_farm, attempts), LS_PLAN_TARGETS},
};

/* Full cores are behind all of it; what shows first is what an administrator looks for. */
static enum ls_plan_break why_missed(const struct ls_plan_farm *farm)
{
    if (farm->missed == 0) {
        return LS_BREAK_NONE;
    }
    if (farm->missed == 1U << LS_TARGET_CPU_PEAK) {
        return LS_BREAK_CPU;
    }
    if (farm->syn_dropped.most > 0) {
        return LS_BREAK_BACKLOG;
    }
    if (farm->timed_out.most > 0) {
        return LS_BREAK_TIMEOUTS;
    }
    return farm->attempts.most > 1.01 ? LS_BREAK_RETRIES : LS_BREAK_CPU;
}

static void judge(struct ls_plan_farm *out, enum ls_plan_target target, double limit,
                  const double *values, int count)
{
    int met = 0;

    if (limit < 0) {
        return;
    }
    for (int i = 0; i < count; i++) {
        met += values[i] <= limit;
    }
    out->met[target] = (double)met / count;
    if (met < mornings_needed(count)) {
        out->missed |= 1U << target;
    }
}

enum ls_code figures_of(struct ls_plan_farm *out, const struct ls_plan *plan,
                        const struct ls_morning *mornings, int count, struct ls_error *err)
{
    double *values = calloc((size_t)count + 1, sizeof *values);

    if (values == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for a plan");
    }
    out->mornings = count;
    out->missed = 0;
    out->capacity_share = (struct ls_plan_spread){-1, -1};
    for (int t = 0; t < LS_PLAN_TARGETS; t++) {
        out->met[t] = -1;
    }
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        struct ls_plan_spread *spread = (void *)((char *)out + kinds[k].place);

        for (int i = 0; i < count; i++) {
            values[i] = kinds[k].of(&mornings[i]);
        }
        if (kinds[k].target != LS_PLAN_TARGETS) {
            judge(out, kinds[k].target, plan->limits[kinds[k].target].limit, values, count);
        }
        *spread = spread_of(values, count);
    }
    out->why = why_missed(out);
    free(values);
    return LS_OK;
}
