/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loginstorm/result.h"

/* Of many mornings what 95 % of them stay at or below: a target is met when it is met in so many. */
static int64_t of(const struct ls_run *run, int64_t alone, const struct ls_range *mornings)
{
    return run->mornings.count > 0 ? mornings->in_95 : alone;
}

/* Who never got in waited longer than any limit. */
static int64_t login_p50(const struct ls_run *run)
{
    return of(run, run->of_all_p50, &run->mornings.of_all_p50);
}

static int64_t login_p95(const struct ls_run *run)
{
    return of(run, run->of_all_p95, &run->mornings.of_all_p95);
}

static int64_t login_p99(const struct ls_run *run)
{
    return of(run, run->of_all_p99, &run->mornings.of_all_p99);
}

static int64_t login_p100(const struct ls_run *run)
{
    return of(run, run->of_all_p100, &run->mornings.of_all_p100);
}

/* Of those who were decided. Rounded up: one user too many is never rounded into the limit. */
static int64_t failed(const struct ls_run *run)
{
    const int64_t decided = run->logged_in + run->failed;

    return of(run, decided > 0 ? (run->failed * 1000000 + decided - 1) / decided : -1,
              &run->mornings.failed_share);
}

/* What the fullest minute needs of what is there. The sped-up storm's own share would condemn a
 * gateway for a morning that does not come. */
static int64_t gateway_cpu_peak(const struct ls_run *run)
{
    if (run->mornings.count > 0) {
        return run->mornings.gateway_peak_share.in_95;
    }
    if (run->cores_at_peak_minute < 0 || run->gateway_workers <= 0) {
        return -1;
    }
    return (int64_t)ceil(run->cores_at_peak_minute * 1e6 / run->gateway_workers);
}

/* Everybody was decided: a quantile that is not known then is of one who failed. */
static bool ended(const struct ls_run *run)
{
    return !run->partial && (run->failed > 0 || run->mornings.failed_share.in_95 > 0);
}

static const struct {
    const char *name;
    bool is_share, is_login;
    int64_t (*value)(const struct ls_run *run); /* negative when not known */
} kinds[] = {
    {"login_p50", false, true, login_p50}, {"login_p95", false, true, login_p95},
    {"login_p99", false, true, login_p99}, {"login_p100", false, true, login_p100},
    {"failed", true, false, failed},       {"gateway_cpu_peak", true, false, gateway_cpu_peak},
};

#define KINDS (sizeof kinds / sizeof kinds[0])

static size_t find_kind(const char *name)
{
    size_t kind = 0;

    while (kind < KINDS && strcmp(kinds[kind].name, name) != 0) {
        kind++;
    }
    return kind;
}

const char *ls_target_name(size_t which)
{
    return which < KINDS ? kinds[which].name : NULL;
}

void ls_run_target(const struct ls_run *run, struct ls_target_outcome *target)
{
    const size_t kind = find_kind(target->name);

    target->value = kind == KINDS || run->partial ? -1 : kinds[kind].value(run);
    target->never = kind < KINDS && target->value < 0 && kinds[kind].is_login && ended(run);
    target->met = target->value >= 0 && target->value <= target->limit;
}

enum ls_judgement ls_target_judgement(const struct ls_target_outcome *target)
{
    if (target->met) {
        return LS_TARGET_MET;
    }
    return target->never || target->value >= 0 ? LS_TARGET_MISSED : LS_TARGET_NOT_JUDGED;
}

int64_t ls_target_excess(const struct ls_target_outcome *target)
{
    return target->met || target->value <= target->limit ? -1 : target->value - target->limit;
}

enum ls_code ls_result_add_target(struct ls_result *result, const char *name, int64_t limit,
                                  struct ls_error *err)
{
    struct ls_target_outcome *targets, *target;
    bool known = result->runs_count > 0 && !result->partial;

    if (find_kind(name) == KINDS) {
        return ls_error_set(err, LS_EBROKEN, "there is no target %s", name);
    }
    targets = realloc(result->targets, (result->targets_count + 1) * sizeof *targets);
    if (targets == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for the targets");
    }
    result->targets = targets;
    target = &targets[result->targets_count++];
    *target = (struct ls_target_outcome){
        .limit = limit, .value = -1, .is_share = kinds[find_kind(name)].is_share};
    (void)snprintf(target->name, sizeof target->name, "%s", name);
    for (size_t i = 0; i < result->runs_count; i++) {
        struct ls_target_outcome one = *target;

        ls_run_target(&result->runs[i], &one);
        known = known && one.value >= 0;
        target->value = one.value > target->value ? one.value : target->value;
        target->never = target->never || one.never;
    }
    target->met = known && target->value <= limit;
    if (target->never || (!known && target->value <= limit)) {
        target->value = -1;
    }
    return LS_OK;
}

double ls_run_overrun(const struct ls_run *run, double speedup)
{
    const double wants = run->cores_at_peak_minute * speedup;

    return speedup > 1 && run->cores_at_peak_minute >= 0 && run->gateway_workers > 0 &&
                   wants > 0.95 * run->gateway_workers
               ? wants
               : 0;
}
