/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "record/build.h"

#include "loginstorm/result.h"

static int ascending(const void *left, const void *right)
{
    const int64_t a = *(const int64_t *)left;
    const int64_t b = *(const int64_t *)right;

    return (a > b) - (a < b); /* a difference would overflow */
}

/*
 * Radix sort, the least digit first: of what lies above the least value, so that neither signs nor bits
 * that all have in common cost anything. Latencies of a morning take three passes.
 */
#define DIGIT_BITS 11
#define DIGITS (1U << DIGIT_BITS)
#define PASSES_MAX 6
#define FEW 256 /* below that counting digits costs more than comparing */

static void pass(const uint64_t *from, uint64_t *to, size_t count, int shift)
{
    size_t place[DIGITS] = {0};
    size_t next = 0;

    for (size_t i = 0; i < count; i++) {
        place[(from[i] >> shift) & (DIGITS - 1)]++;
    }
    for (size_t d = 0; d < DIGITS; d++) {
        const size_t here = place[d];

        place[d] = next;
        next += here;
    }
    for (size_t i = 0; i < count; i++) {
        to[place[(from[i] >> shift) & (DIGITS - 1)]++] = from[i];
    }
}

/* In work, twice count; values hold what it comes to. */
static void radix_sort(int64_t *values, size_t count, int64_t least, int64_t most, uint64_t *work)
{
    const uint64_t span = (uint64_t)most - (uint64_t)least;
    uint64_t *from = work, *to = work + count;

    for (size_t i = 0; i < count; i++) {
        from[i] = (uint64_t)values[i] - (uint64_t)least;
    }
    for (int shift = 0; shift < PASSES_MAX * DIGIT_BITS && (span >> shift) > 0;
         shift += DIGIT_BITS) {
        uint64_t *sorted = to;

        pass(from, to, count, shift);
        to = from;
        from = sorted;
    }
    for (size_t i = 0; i < count; i++) {
        values[i] = (int64_t)(from[i] + (uint64_t)least);
    }
}

void sort_ns(int64_t *values, size_t count)
{
    int64_t least = count > 0 ? values[0] : 0, most = least;
    bool sorted = true;
    uint64_t *work;

    for (size_t i = 1; i < count; i++) {
        sorted = sorted && values[i - 1] <= values[i];
        least = values[i] < least ? values[i] : least;
        most = values[i] > most ? values[i] : most;
    }
    if (sorted) {
        return;
    }
    work = count < FEW ? NULL : calloc(count, 2 * sizeof *work);
    if (work == NULL) {
        qsort(values, count, sizeof *values, ascending); /* slower, but it needs none */
        return;
    }
    radix_sort(values, count, least, most, work);
    free(work);
}

int64_t ls_quantile_sorted(const int64_t *sorted, size_t count, int q_of_10000)
{
    const size_t rank = ((size_t)q_of_10000 * count + 9999) / 10000;

    return sorted[rank - 1];
}

/* Quotients and remainders apart: the sum of the values themselves may not fit. */
static int64_t mean_down(const int64_t *values, size_t count)
{
    const int64_t n = (int64_t)count;
    int64_t whole = 0, rest = 0;

    for (size_t i = 0; i < count; i++) {
        whole += values[i] / n;
        rest += values[i] % n;
        whole += rest / n;
        rest %= n;
    }
    return rest < 0 ? whole - 1 : whole;
}

void ls_quantiles_of(int64_t *values, size_t count, struct ls_quantiles *out)
{
    if (count == 0) {
        *out =
            (struct ls_quantiles){0,           LS_NEVER_NS, LS_NEVER_NS, LS_NEVER_NS, LS_NEVER_NS,
                                  LS_NEVER_NS, LS_NEVER_NS, LS_NEVER_NS, LS_NEVER_NS};
        return;
    }
    sort_ns(values, count);
    *out = (struct ls_quantiles){
        .count = (int64_t)count,
        .min = values[0],
        .mean = mean_down(values, count),
        .p50 = ls_quantile_sorted(values, count, 5000),
        .p90 = ls_quantile_sorted(values, count, 9000),
        .p95 = ls_quantile_sorted(values, count, 9500),
        .p99 = ls_quantile_sorted(values, count, 9900),
        .p99_9 = ls_quantile_sorted(values, count, 9990),
        .p100 = values[count - 1],
    };
}

int64_t peak_overlap(int64_t *begins, int64_t *ends, size_t count)
{
    size_t ended = 0;
    int64_t peak = 0;

    sort_ns(begins, count);
    sort_ns(ends, count);
    for (size_t begun = 1; begun <= count; begun++) {
        int64_t now;

        while (ended < count && ends[ended] <= begins[begun - 1]) {
            ended++;
        }
        now = (int64_t)begun - (int64_t)ended;
        peak = now > peak ? now : peak;
    }
    return peak;
}
