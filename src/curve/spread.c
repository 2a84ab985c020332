/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "curve/spread.h"

#include <stdbool.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
    const int64_t left = *(const int64_t *)a;
    const int64_t right = *(const int64_t *)b;

    return (left > right) - (left < right);
}

/* How many of a count have come by a moment of its interval, rounded down: what a piece has is the
 * difference of its ends, so that no login is lost or made. */
static int64_t by_then(const struct ls_curve_interval *row, int64_t at_ns)
{
    __extension__ typedef __int128 wide;

    return (int64_t)((wide)row->count * (at_ns - row->from_ns) / (row->to_ns - row->from_ns));
}

/* The moments at which one begins or ends, once each. */
static size_t find_cuts(int64_t *cuts, const struct ls_curve_interval *rows, size_t count)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        cuts[2 * i] = rows[i].from_ns;
        cuts[2 * i + 1] = rows[i].to_ns;
    }
    qsort(cuts, 2 * count, sizeof *cuts, by_value);
    for (size_t i = 0; i < 2 * count; i++) {
        if (kept == 0 || cuts[kept - 1] != cuts[i]) {
            cuts[kept++] = cuts[i];
        }
    }
    return kept;
}

static bool overlap(const struct ls_curve_interval *rows, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        if (rows[i].from_ns < rows[i - 1].to_ns) {
            return true;
        }
    }
    return false;
}

enum ls_code spread_intervals(struct ls_curve_interval **rows, size_t *count, struct ls_error *err)
{
    const struct ls_curve_interval *from = *rows;
    struct ls_curve_interval *pieces;
    int64_t *cuts;
    bool *covered;
    size_t cuts_count, kept = 0, first = 0;

    if (!overlap(from, *count)) {
        return LS_OK;
    }
    cuts = malloc(2 * *count * sizeof *cuts);
    pieces = calloc(2 * *count, sizeof *pieces);
    covered = calloc(2 * *count, sizeof *covered);
    if (cuts == NULL || pieces == NULL || covered == NULL) {
        free(cuts);
        free(pieces);
        free(covered);
        return ls_error_set(err, LS_ENOMEM, "no memory for %zu intervals", 2 * *count);
    }
    cuts_count = find_cuts(cuts, from, *count);
    for (size_t i = 0; i < *count; i++) {
        while (cuts[first] < from[i].from_ns) {
            first++;
        }
        for (size_t k = first; cuts[k] < from[i].to_ns; k++) {
            pieces[k].count += by_then(&from[i], cuts[k + 1]) - by_then(&from[i], cuts[k]);
            covered[k] = true;
        }
    }
    for (size_t k = 0; k + 1 < cuts_count; k++) {
        if (covered[k]) {
            pieces[kept++] = (struct ls_curve_interval){cuts[k], cuts[k + 1], pieces[k].count};
        }
    }
    free(cuts);
    free(covered);
    free(*rows);
    *rows = pieces;
    *count = kept;
    return LS_OK;
}
