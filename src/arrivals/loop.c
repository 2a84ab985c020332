/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "arrivals/loop.h"

enum ls_code loops_check(const struct ls_scenario *scenario, struct ls_error *err)
{
    int64_t sum = 0;

    if (scenario->waves_count > LS_WAVES_MAX) {
        return ls_error_set(err, LS_ERANGE, "arrivals: more than %d closed loops", LS_WAVES_MAX);
    }
    for (size_t i = 0; i < scenario->waves_count; i++) {
        const struct ls_wave *wave = &scenario->waves[i];

        if (!ls_shape_is_closed(wave->shape)) {
            return ls_error_set(err, LS_EINPUT,
                                "arrivals.%zu: an open shape among closed loops; they do not mix",
                                i);
        }
        if (wave->requests < 1 || wave->concurrency < 1 || wave->requests > scenario->users) {
            return ls_error_set(err, LS_EINPUT,
                                "arrivals.%zu: a closed loop needs logins, and some at a time", i);
        }
        sum += wave->requests;
    }
    if (sum != scenario->users) {
        return ls_error_set(err, LS_EINPUT, "users: not as many as the closed loops have logins");
    }
    return LS_OK;
}

void loops_lay(struct ls_schedule *schedule, const struct ls_scenario *scenario)
{
    size_t next = 0;

    for (size_t i = 0; i < scenario->waves_count; i++) {
        const struct ls_wave *wave = &scenario->waves[i];

        schedule->waves[i].first = next;
        schedule->waves[i].count = (size_t)wave->requests;
        schedule->waves[i].concurrency = wave->concurrency;
        schedule->waves[i].shape = wave->shape;
        next += (size_t)wave->requests;
    }
    schedule->waves_count = scenario->waves_count;
    for (size_t i = 0; i < schedule->count; i++) {
        schedule->rows[i].due_ns = (int64_t)i;
    }
}
