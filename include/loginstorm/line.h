/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_LINE_H
#define LOGINSTORM_LINE_H

/*
 * The straight line through points by least squares, how far it may be off, and whether it is one: what a
 * handshake costs a gateway is the slope of its CPU over its handshakes.
 *
 * By Draper and Smith, Applied Regression Analysis, chapter 1 (a straight line by least squares, and its
 * intervals by Student's t); with mx and my the means, and Sxx = sum (x - mx)^2:
 *
 *     slope = sum (x - mx)(y - my) / Sxx            intercept = my - slope mx
 *     s^2 = sum (y - intercept - slope x)^2 / (n - 2)
 *     error of slope = s / sqrt(Sxx)                error of intercept = s sqrt(1/n + mx^2 / Sxx)
 *     r2 = 1 - sum (y - intercept - slope x)^2 / sum (y - my)^2
 *
 * NIST's certified values of the data set Norris (Statistical Reference Datasets) are met in the tests.
 */

#include <stdbool.h>
#include <stddef.h>

struct ls_line {
    size_t count;
    double intercept, slope;
    double intercept_error, slope_error; /* standard errors */
    double spread;                       /* s: of the points around the line */
    double r2;
    double mean_x;
    /* y = ... + curve x^2 of a parabola through the same points, with n - 3 degrees of freedom; has_curve is false
     * where that many points or values of x are not there. */
    bool has_curve;
    double curve, curve_error;
};

/* False, and all is 0, with fewer than three points, or where all have the same x. */
bool ls_line_fit(struct ls_line *out, const double *x, const double *y, size_t count);

double ls_line_at(const struct ls_line *line, double x);

/* Half of the 95 % interval around a value with that standard error and so many degrees of freedom. */
double ls_line_half(double error, size_t degrees);

#endif
