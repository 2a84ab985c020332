/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LS_COMPARE_STATISTICS_H
#define LS_COMPARE_STATISTICS_H

/* Means and variances: private to this room. */

#include <stddef.h>

struct sample {
    size_t count;
    double mean, variance; /* unbiased; 0 for less than two values */
};

void sample_of(const double *values, size_t count, struct sample *out);

#endif
