/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LS_COMPARE_STATISTICS_H
#define LS_COMPARE_STATISTICS_H

/* Means, variances and the quantiles that intervals need: private to this room. */

#include <stddef.h>

struct sample {
    size_t count;
    double mean, variance; /* unbiased; 0 for less than two values */
};

void sample_of(const double *values, size_t count, struct sample *out);

/* The value that Student's t of so many degrees of freedom (a fraction, or infinity: the normal
 * distribution) stays below with probability p; 0.5 <= p < 1. */
double student_quantile(double p, double degrees);

#endif
