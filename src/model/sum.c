/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What many mornings come to, figure by figure. */
#include "loginstorm/mornings.h"

#include <math.h>
#include <stdlib.h>

/* Rounded up, as a run's own: one user too many is never rounded into a limit. */
static int64_t millionths_up(double share)
{
    return (int64_t)ceil(share * 1e6 - 1e-9);
}

static int64_t figure(const struct ls_morning *morning, int which)
{
    const int64_t failed = morning->facts.failed, logins = morning->facts.logins;

    switch (which) {
    case 0:
        return morning->p50_ns;
    case 1:
        return morning->p95_ns;
    case 2:
        return morning->p99_ns;
    case 3:
        return morning->p100_ns;
    case 4:
        return morning->of_all_p50_ns;
    case 5:
        return morning->of_all_p95_ns;
    case 6:
        return morning->of_all_p99_ns;
    case 7:
        return morning->of_all_p100_ns;
    case 8:
        return logins > 0 ? (failed * 1000000 + logins - 1) / logins : 0;
    case 9:
        return morning->peak_minute_logins;
    default:
        return millionths_up(morning->facts.peak_gateway_share);
    }
}

enum ls_code ls_mornings_sum(struct ls_run_mornings *out, const struct ls_morning *mornings,
                             int count, struct ls_error *err)
{
    struct ls_range *const ranges[] = {
        &out->login_p50,    &out->login_p95,          &out->login_p99,          &out->login_p100,
        &out->of_all_p50,   &out->of_all_p95,         &out->of_all_p99,         &out->of_all_p100,
        &out->failed_share, &out->peak_minute_logins, &out->gateway_peak_share,
    };
    int64_t *values = calloc((size_t)count + 1, sizeof *values);

    if (values == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for %d mornings", count);
    }
    out->count = count;
    for (size_t r = 0; r < sizeof ranges / sizeof ranges[0]; r++) {
        for (int i = 0; i < count; i++) {
            values[i] = figure(&mornings[i], (int)r);
        }
        ls_range_of(ranges[r], values, (size_t)count);
    }
    free(values);
    return LS_OK;
}
