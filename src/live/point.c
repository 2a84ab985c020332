/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "live/point.h"

#include <math.h>

/* "null" for what is negative. */
static json_t *count_json(int64_t count)
{
    return count < 0 ? json_null() : json_integer(count);
}

static json_t *real_json(double value, double scale)
{
    return value < 0 ? json_null() : json_real(round(value * scale) / scale);
}

static json_t *reasons_json(const struct ls_live_point *point)
{
    json_t *reasons = json_object();

    for (int i = 0; reasons != NULL && i < LS_REASON_COUNT; i++) {
        if (point->by_reason[i] > 0 &&
            json_object_set_new(reasons, ls_reason_word((enum ls_reason)i),
                                json_integer(point->by_reason[i])) != 0) {
            json_decref(reasons);
            return NULL;
        }
    }
    return reasons;
}

json_t *point_json(const struct ls_live_point *point)
{
    const double at_s = point->at_ns < 0 ? -1 : (double)point->at_ns / 1e9;

    return json_pack("{s:I,s:s,s:i,s:I,s:o,s:o,s:I,s:I,s:I,s:I,s:o,s:o,s:o,s:o,s:o,s:o}",
                     "certificate", (json_int_t)point->certificate, "name", point->name, "repeat",
                     point->repeat, "run_ms", (json_int_t)(point->run_ns / LS_NS_PER_MS), "at_s",
                     real_json(at_s, 1e3), "due", count_json(point->due), "started",
                     (json_int_t)point->started, "logged_in", (json_int_t)point->logged_in,
                     "failed", (json_int_t)point->failed, "in_flight", (json_int_t)point->in_flight,
                     "by_reason", reasons_json(point), "p50_us", ls_json_us(point->p50_ns),
                     "p99_us", ls_json_us(point->p99_ns), "p100_us", ls_json_us(point->p100_ns),
                     "gateway_cores", real_json(point->gateway_cores, 1e4), "start_lag_p99_us",
                     ls_json_us(point->start_lag_p99_ns));
}
