/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>

#include "record/build.h"

/* The most rows that a person or a chart can use; a run that drags on gets coarser slices instead.
 */
#define SLICES_MAX 10000

/* Working memory: where each slice's latencies begin in one array of all of them. */
struct draft {
    const struct ls_login *rows;
    size_t rows_count;
    double speedup;
    int64_t slice_ns;
    size_t *begin; /* count + 1 */
    int64_t *latency_ns;
};

int64_t scenario_ns(int64_t real_ns, double speedup)
{
    const long double product = (long double)real_ns * (long double)speedup;
    int64_t scaled;

    if (product >= 4e18L) {
        return INT64_C(4000000000000000000); /* a damaged row must not overflow */
    }
    if (speedup >= 1.0 && speedup < 4e18 && !(floor(speedup) < speedup) &&
        !__builtin_mul_overflow(real_ns, (int64_t)speedup, &scaled)) {
        return scaled;
    }
    return (int64_t)floorl(product);
}

static int64_t slice_for(int64_t window_ns)
{
    if (window_ns >= 10 * LS_NS_PER_MIN) {
        return LS_NS_PER_MIN;
    }
    return window_ns >= 10 * LS_NS_PER_S ? LS_NS_PER_S : 100 * LS_NS_PER_MS;
}

static size_t slice_of(const struct draft *draft, int64_t real_ns)
{
    return (size_t)(scenario_ns(real_ns, draft->speedup) / draft->slice_ns);
}

/* When a login left the storm; one that was never sent and has no end of its own leaves when it was
 * due. */
static int64_t end_of(const struct ls_login *row)
{
    return row->done_ns >= 0 ? row->done_ns : row->due_ns;
}

/* The slices that the window and all that was due or done take, coarser until they are few enough.
 */
static size_t plan(struct draft *draft, int64_t window_ns)
{
    int64_t last_ns = window_ns > 0 ? window_ns - 1 : 0;

    for (size_t i = 0; i < draft->rows_count; i++) {
        const int64_t end = scenario_ns(end_of(&draft->rows[i]), draft->speedup);
        const int64_t due = scenario_ns(draft->rows[i].due_ns, draft->speedup);

        last_ns = end > last_ns ? end : last_ns;
        last_ns = due > last_ns ? due : last_ns;
    }
    draft->slice_ns = slice_for(window_ns);
    while (last_ns / draft->slice_ns >= SLICES_MAX) {
        draft->slice_ns *= 2;
    }
    return (size_t)(last_ns / draft->slice_ns) + 1;
}

static void count_rows(const struct draft *draft, struct ls_moment *moment, size_t count)
{
    int64_t in_flight = 0;

    for (size_t i = 0; i < draft->rows_count; i++) {
        const struct ls_login *row = &draft->rows[i];
        const size_t due = slice_of(draft, row->due_ns);
        const size_t end = slice_of(draft, end_of(row));

        moment[due].due++;
        moment[end].logged_in += row->outcome == LS_OUTCOME_LOGGED_IN;
        moment[end].failed += row->outcome == LS_OUTCOME_FAILED;
        if (end >= due) { /* else cut off before it was due: never under way */
            moment[due].in_flight++;
            moment[end].in_flight--;
        }
    }
    for (size_t i = 0; i < count; i++) {
        in_flight += moment[i].in_flight;
        moment[i].in_flight = in_flight;
    }
}

/* A queue that comes and goes within a slice is not seen at its end. Begins and ends in their order;
 * one that ends when another begins does not meet it. */
static enum ls_code find_peaks(const struct draft *draft, struct ls_moment *moment, size_t count,
                               struct ls_error *err)
{
    int64_t *begin = calloc(2 * draft->rows_count + 1, sizeof *begin);
    int64_t *end = begin + draft->rows_count;
    size_t rows = 0, begun = 0, ended = 0;

    if (begin == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for a timeline of %zu slices", count);
    }
    for (size_t i = 0; i < draft->rows_count; i++) {
        if (end_of(&draft->rows[i]) >= draft->rows[i].due_ns) {
            begin[rows] = draft->rows[i].due_ns;
            end[rows++] = end_of(&draft->rows[i]);
        }
    }
    sort_ns(begin, rows);
    sort_ns(end, rows);
    for (size_t i = 0; i < count; i++) {
        moment[i].peak_in_flight = i > 0 ? moment[i - 1].in_flight : 0;
        while (begun < rows && slice_of(draft, begin[begun]) == i) {
            int64_t now;

            while (ended < rows && end[ended] <= begin[begun]) {
                ended++;
            }
            begun++;
            now = (int64_t)(begun - ended);
            moment[i].peak_in_flight =
                now > moment[i].peak_in_flight ? now : moment[i].peak_in_flight;
        }
    }
    free(begin);
    return LS_OK;
}

/* A counting sort by slice, then each slice's own sort. */
static void measure_slices(struct draft *draft, struct ls_moment *moment, size_t count)
{
    size_t next = 0;

    for (size_t i = 0; i < count; i++) {
        draft->begin[i] = next;
        next += (size_t)moment[i].logged_in;
    }
    for (size_t i = 0; i < draft->rows_count; i++) {
        const struct ls_login *row = &draft->rows[i];

        if (row->outcome == LS_OUTCOME_LOGGED_IN) {
            draft->latency_ns[draft->begin[slice_of(draft, row->done_ns)]++] =
                row->done_ns - row->due_ns;
        }
    }
    for (size_t i = 0; i < count; i++) {
        const size_t here = (size_t)moment[i].logged_in;
        int64_t *latency = draft->latency_ns + (draft->begin[i] - here);

        moment[i].p50_ns = moment[i].p99_ns = moment[i].p100_ns = LS_NEVER_NS;
        if (here > 0) {
            sort_ns(latency, here);
            moment[i].p50_ns = ls_quantile_sorted(latency, here, 5000);
            moment[i].p99_ns = ls_quantile_sorted(latency, here, 9900);
            moment[i].p100_ns = latency[here - 1];
        }
    }
}

/* CPU used by a moment between the first and the last sample, on the line between its neighbours.
 * *hint walks forward with the moments. */
static double cpu_at(const struct ls_gateway_account *gateway, double at_ns, size_t *hint)
{
    const struct ls_cpu_sample *sample = gateway->samples;
    size_t i = *hint;
    double gap;

    while (i + 2 < gateway->samples_count && (double)sample[i + 1].at_ns < at_ns) {
        i++;
    }
    *hint = i;
    gap = (double)(sample[i + 1].at_ns - sample[i].at_ns);
    if (gap <= 0) {
        return (double)sample[i + 1].cpu_ns;
    }
    return (double)sample[i].cpu_ns + (double)(sample[i + 1].cpu_ns - sample[i].cpu_ns) *
                                          (at_ns - (double)sample[i].at_ns) / gap;
}

/* A slice that the samples cover in part gets the share of that part. */
static void spread_cpu(const struct draft *draft, const struct ls_gateway_account *gateway,
                       struct ls_moment *moment, size_t count)
{
    const double real_slice_ns = (double)draft->slice_ns / draft->speedup;
    size_t hint = 0;

    for (size_t i = 0; i < count; i++) {
        double from = (double)i * real_slice_ns, to = from + real_slice_ns;

        moment[i].gateway_cpu_share = -1;
        if (gateway->samples_count < 2) {
            continue;
        }
        from = fmax(from, (double)gateway->samples[0].at_ns);
        to = fmin(to, (double)gateway->samples[gateway->samples_count - 1].at_ns);
        if (to > from) {
            const double before = cpu_at(gateway, from, &hint);

            moment[i].gateway_cpu_share =
                fmax(0, rounded((cpu_at(gateway, to, &hint) - before) / (to - from), 6));
        }
    }
}

enum ls_code timeline_build(struct ls_run *run, const struct ls_measurement *measurement,
                            struct ls_error *err)
{
    struct draft draft = {.speedup = measurement->speedup};
    size_t count;
    enum ls_code code;

    draft.rows = ls_record_logins(measurement->record, &draft.rows_count);
    count = plan(&draft, measurement->window_ns);
    run->timeline = calloc(count, sizeof *run->timeline);
    draft.begin = calloc(count, sizeof *draft.begin);
    draft.latency_ns = calloc(draft.rows_count + 1, sizeof *draft.latency_ns);
    if (run->timeline == NULL || draft.begin == NULL || draft.latency_ns == NULL) {
        free(draft.begin);
        free(draft.latency_ns);
        return ls_error_set(err, LS_ENOMEM, "no memory for a timeline of %zu slices", count);
    }
    run->timeline_count = count;
    run->slice_ns = draft.slice_ns;
    for (size_t i = 0; i < count; i++) {
        run->timeline[i].at_ns = (int64_t)i * draft.slice_ns;
    }
    count_rows(&draft, run->timeline, count);
    code = find_peaks(&draft, run->timeline, count, err);
    measure_slices(&draft, run->timeline, count);
    spread_cpu(&draft, &measurement->gateway, run->timeline, count);
    free(draft.begin);
    free(draft.latency_ns);
    return code;
}
