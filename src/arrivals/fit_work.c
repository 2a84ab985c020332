/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "arrivals/fit_work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BINS 360       /* of ten seconds in an hour */
#define AROUND 18      /* bins to each side that tell what is usual there */
#define STANDS_OUT 5.0 /* standard deviations of a Poisson count */
#define SHARE_LEAST 0.005
#define EM_TURNS 60

static int ascending(const void *left, const void *right)
{
    double a, b;

    memcpy(&a, left, sizeof a);
    memcpy(&b, right, sizeof b);
    return (a > b) - (a < b);
}

/* The median of the bins around one, which a spike of a few bins does not move. */
static double usual(const double *bins, size_t bin)
{
    double around[2 * AROUND + 1];
    const size_t from = bin < AROUND ? 0 : bin - AROUND;
    const size_t to = bin + AROUND < BINS ? bin + AROUND : BINS - 1;
    const size_t count = to - from + 1;

    memcpy(around, bins + from, count * sizeof *around);
    qsort(around, count, sizeof *around, ascending);
    return around[count / 2];
}

static double outstanding(const double *bins, size_t bin, double *over)
{
    const double normal = usual(bins, bin);

    *over = bins[bin] - normal;
    return *over / sqrt(normal > 1 ? normal : 1);
}

void work_find_burst(struct work *work)
{
    double bins[BINS] = {0};
    double over, most = 0, sum = 0;
    size_t best = 0, first, last;

    for (size_t i = 0; i < SLICES; i++) {
        bins[i * BINS / SLICES] += work->count[i];
    }
    for (size_t i = 0; i < BINS; i++) {
        const double score = outstanding(bins, i, &over);

        if (score > most) {
            most = score;
            best = i;
        }
    }
    first = last = best;
    while (first > 0 && outstanding(bins, first - 1, &over) > STANDS_OUT / 2) {
        first--;
    }
    while (last + 1 < BINS && outstanding(bins, last + 1, &over) > STANDS_OUT / 2) {
        last++;
    }
    for (size_t i = first; i <= last; i++) {
        (void)outstanding(bins, i, &over);
        sum += over;
    }
    work->has_burst = most > STANDS_OUT && sum > SHARE_LEAST * (double)work->logins;
    work->burst = (struct mix){
        .burst_at = (double)first / BINS,
        .burst_over = (double)(last + 1 - first) / BINS,
        .burst_share = sum / (double)work->logins,
    };
}

/* Where the middle of a slice lies between two points: *point is the last one before it, at or behind
 * where the search for the slice before it ended. */
static double beyond_point(const double *at, size_t count, size_t slice, size_t *point)
{
    const double x = ((double)slice + 0.5) / SLICES;

    while (*point + 2 < count && at[*point + 1] <= x) {
        ++*point;
    }
    return (x - at[*point]) / (at[*point + 1] - at[*point]);
}

/* Rates that are linear between points are a mixture of triangles, so the likeliest ones are found as
 * those of any mixture: each slice's logins are shared out by what each triangle gives there. */
static void climb(const struct work *work, const double *at, double *rates, const double *area,
                  size_t count)
{
    double mass[LS_FIT_POINTS_MAX] = {0};
    size_t p = 0;

    for (size_t i = 0; i < SLICES; i++) {
        const double share = beyond_point(at, count, i, &p);
        const double a = rates[p] * (1 - share), b = rates[p + 1] * share;

        if (work->count[i] > 0 && a + b > 0) {
            mass[p] += work->count[i] * a / (a + b);
            mass[p + 1] += work->count[i] * b / (a + b);
        }
    }
    for (p = 0; p < count; p++) {
        rates[p] = area[p] > 0 ? mass[p] / area[p] : 0;
    }
}

void work_fit_points(const struct work *work, const double *at, double *rates, size_t count)
{
    double area[LS_FIT_POINTS_MAX] = {0}, mass[LS_FIT_POINTS_MAX] = {0};
    size_t p = 0;

    for (size_t i = 0; i < SLICES; i++) {
        const double share = beyond_point(at, count, i, &p);

        area[p] += 1 - share;
        area[p + 1] += share;
        mass[p] += work->count[i] * (1 - share);
        mass[p + 1] += work->count[i] * share;
    }
    for (p = 0; p < count; p++) {
        rates[p] = area[p] > 0 ? mass[p] / area[p] : 0;
    }
    for (int turn = 0; turn < EM_TURNS; turn++) {
        climb(work, at, rates, area, count);
    }
}

/* The edge between from and to at which the difference strays most from a straight line. */
static double strayed(const double *off, size_t from, size_t to, size_t *edge)
{
    double most = 0;

    for (size_t i = from + 1; i < to; i++) {
        const double share = (double)(i - from) / (double)(to - from);
        const double straight = off[from] + share * (off[to] - off[from]);

        if (fabs(off[i] - straight) > most) {
            most = fabs(off[i] - straight);
            *edge = i;
        }
    }
    return most;
}

bool work_split(const struct work *work, double *at, const double *rates, size_t count)
{
    double off[SLICES + 1] = {0};
    double most = 0, by = 0;
    size_t p = 0, after = 0, best = 0;

    for (size_t i = 0; i < SLICES; i++) {
        const double share = beyond_point(at, count, i, &p);

        by += (rates[p] * (1 - share) + rates[p + 1] * share) / (double)work->logins;
        off[i + 1] = by - work->by[i + 1];
    }
    for (p = 0; p + 1 < count; p++) {
        size_t edge = 0;
        const double strays =
            strayed(off, (size_t)(at[p] * SLICES + 0.5), (size_t)(at[p + 1] * SLICES + 0.5), &edge);

        if (strays > most) {
            most = strays;
            after = p;
            best = edge;
        }
    }
    if (!(most > 0)) {
        return false;
    }
    memmove(at + after + 2, at + after + 1, (count - after - 1) * sizeof *at);
    at[after + 1] = (double)best / SLICES;
    return true;
}
