/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loginstorm/result.h"

/* Who never got in waited longer than any limit. */
static int64_t login_p50(const struct ls_run *run)
{
    return run->of_all_p50;
}

static int64_t login_p95(const struct ls_run *run)
{
    return run->of_all_p95;
}

static int64_t login_p99(const struct ls_run *run)
{
    return run->of_all_p99;
}

static int64_t login_p100(const struct ls_run *run)
{
    return run->of_all_p100;
}

/* Of those who were decided. Rounded up: one user too many is never rounded into the limit. */
static int64_t failed(const struct ls_run *run)
{
    const int64_t decided = run->logged_in + run->failed;

    return decided > 0 ? (run->failed * 1000000 + decided - 1) / decided : -1;
}

/* What the fullest minute needs of what is there. The sped-up storm's own share would condemn a
 * gateway for a morning that does not come. */
static int64_t gateway_cpu_peak(const struct ls_run *run)
{
    if (run->cores_at_peak_minute < 0 || run->gateway_workers <= 0) {
        return -1;
    }
    return (int64_t)ceil(run->cores_at_peak_minute * 1e6 / run->gateway_workers);
}

static const struct {
    const char *name;
    bool is_share;
    int64_t (*value)(const struct ls_run *run); /* negative when not known */
} kinds[] = {
    {"login_p50", false, login_p50}, {"login_p95", false, login_p95},
    {"login_p99", false, login_p99}, {"login_p100", false, login_p100},
    {"failed", true, failed},        {"gateway_cpu_peak", true, gateway_cpu_peak},
};

enum ls_code ls_result_add_target(struct ls_result *result, const char *name, int64_t limit,
                                  struct ls_error *err)
{
    const size_t kinds_count = sizeof kinds / sizeof kinds[0];
    struct ls_target_outcome *targets, *target;
    size_t kind = 0;
    bool known = result->runs_count > 0;

    while (kind < kinds_count && strcmp(kinds[kind].name, name) != 0) {
        kind++;
    }
    if (kind == kinds_count) {
        return ls_error_set(err, LS_EBROKEN, "there is no target %s", name);
    }
    targets = realloc(result->targets, (result->targets_count + 1) * sizeof *targets);
    if (targets == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for the targets");
    }
    result->targets = targets;
    target = &targets[result->targets_count++];
    *target = (struct ls_target_outcome){.limit = limit, .value = -1};
    (void)snprintf(target->name, sizeof target->name, "%s", name);
    target->is_share = kinds[kind].is_share;
    for (size_t i = 0; i < result->runs_count; i++) {
        const int64_t value = kinds[kind].value(&result->runs[i]);

        known = known && value >= 0;
        target->value = value > target->value ? value : target->value;
    }
    target->value = known ? target->value : -1;
    target->met = known && target->value <= limit;
    return LS_OK;
}
