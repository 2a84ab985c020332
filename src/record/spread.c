/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Distributions as a cost profile keeps them, and how they stand in its file. */
#include <math.h>

#include "loginstorm/costs.h"

#include "record/build.h"
#include "record/fields.h"

#define LAST (LS_SPREAD_POINTS - 1)

static void spread_unknown(struct ls_spread *out)
{
    *out = (struct ls_spread){.mean_ns = -1};
    for (size_t i = 0; i < LS_SPREAD_POINTS; i++) {
        out->points_ns[i] = LS_NEVER_NS;
    }
}

void ls_spread_of(struct ls_spread *out, int64_t *values, size_t count)
{
    double sum = 0;

    spread_unknown(out);
    if (count == 0) {
        return;
    }
    sort_ns(values, count);
    for (size_t i = 0; i < count; i++) {
        sum += (double)values[i];
    }
    out->count = (int64_t)count;
    out->mean_ns = rounded(sum / (double)count, 3);
    out->points_ns[0] = values[0];
    for (int i = 1; i <= LAST; i++) {
        out->points_ns[i] = ls_quantile_sorted(values, count, i * 10000 / LAST);
    }
}

void ls_spread_of_quantiles(struct ls_spread *out, const struct ls_quantiles *quantiles)
{
    const struct {
        int rank;
        int64_t ns;
    } known[] = {
        {0, quantiles->min},  {50, quantiles->p50}, {90, quantiles->p90},
        {95, quantiles->p95}, {99, quantiles->p99}, {LAST, quantiles->p100},
    };

    spread_unknown(out);
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        if (quantiles->count <= 0 || known[k].ns < (k > 0 ? known[k - 1].ns : 0)) {
            return;
        }
    }
    out->count = quantiles->count;
    out->mean_ns = (double)quantiles->mean;
    out->points_ns[0] = known[0].ns;
    for (size_t k = 1; k < sizeof known / sizeof known[0]; k++) {
        const int from = known[k - 1].rank, to = known[k].rank;
        const double rise = (double)(known[k].ns - known[k - 1].ns) / (to - from);

        for (int i = from + 1; i < to; i++) {
            out->points_ns[i] = known[k - 1].ns + (int64_t)llround(rise * (i - from));
        }
        out->points_ns[to] = known[k].ns;
    }
}

json_t *us_real_json(double ns)
{
    return ns < 0 ? json_null() : json_real(round(ns * 1000) / 1e6);
}

bool read_us_real(const json_t *value, double *ns)
{
    *ns = -1;
    if (json_is_null(value)) {
        return true;
    }
    if (!read_real(value, false, ns) || *ns * 1000 > US_REAL_MOST_NS) {
        return false;
    }
    *ns = round(*ns * 1e6) / 1000;
    return true;
}

json_t *spread_json(const struct ls_spread *spread)
{
    json_t *points = json_array();

    for (size_t i = 0; spread->count > 0 && i < LS_SPREAD_POINTS; i++) {
        if (json_array_append_new(points, ls_json_us(spread->points_ns[i])) != 0) {
            json_decref(points);
            return NULL;
        }
    }
    return json_pack("{s:I, s:o, s:o}", "count", (json_int_t)spread->count, "mean",
                     us_real_json(spread->mean_ns), "points", points);
}

bool read_spread(const json_t *value, struct ls_spread *spread)
{
    const json_t *count = json_object_get(value, "count");
    const json_t *points = json_object_get(value, "points");

    spread_unknown(spread);
    spread->count = (int64_t)json_integer_value(count);
    if (!json_is_integer(count) || spread->count < 0 || !json_is_array(points) ||
        json_array_size(points) != (spread->count > 0 ? LS_SPREAD_POINTS : 0) ||
        !read_us_real(json_object_get(value, "mean"), &spread->mean_ns) ||
        (spread->count > 0 && spread->mean_ns < 0) || json_object_size(value) != 3) {
        return false;
    }
    for (size_t i = 0; spread->count > 0 && i < LS_SPREAD_POINTS; i++) {
        if (!read_us(json_array_get(points, i), &spread->points_ns[i]) ||
            json_is_null(json_array_get(points, i)) || spread->points_ns[i] > SPREAD_MOST_NS ||
            (i > 0 && spread->points_ns[i] < spread->points_ns[i - 1])) {
            return false;
        }
    }
    return true;
}
