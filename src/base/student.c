/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/student.h"

#include <math.h>

/* The continued fraction of the incomplete beta function (NIST Digital Library of Mathematical
 * Functions, 8.17.22), by Lentz's method; it converges fast for x < (a + 1) / (a + b + 2). */
static double beta_fraction(double x, double a, double b)
{
    const double tiny = 1e-300;
    double value = 1, c = 1, d = 0;

    for (int n = 1; n <= 10000; n++) {
        const double m = floor(n / 2.0);
        const double step = n % 2 == 0
                                ? m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
                                : -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));

        d = 1 + step * d;
        c = 1 + step / c;
        d = 1 / (fabs(d) < tiny ? tiny : d);
        c = fabs(c) < tiny ? tiny : c;
        value *= c * d;
        if (fabs(c * d - 1) < 1e-15) {
            break;
        }
    }
    return 1 / value;
}

static double incomplete_beta(double x, double a, double b)
{
    const double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));

    if (x < (a + 1) / (a + b + 2)) {
        return front * beta_fraction(x, a, b) / a;
    }
    return 1 - front * beta_fraction(1 - x, b, a) / b;
}

/* Abramowitz and Stegun 26.7.1: the part above t > 0. */
static double student_above(double t, double degrees)
{
    if (isinf(degrees)) {
        return erfc(t / sqrt(2)) / 2;
    }
    return incomplete_beta(degrees / (degrees + t * t), degrees / 2, 0.5) / 2;
}

double ls_student_at(double p, double degrees)
{
    double low = 0, high = 1;

    if (p <= 0.5) {
        return 0;
    }
    while (student_above(high, degrees) > 1 - p && high < 1e15) {
        low = high;
        high *= 2;
    }
    for (int i = 0; i < 100; i++) { /* a bit each, until doubles have no more */
        const double middle = (low + high) / 2;

        if (student_above(middle, degrees) > 1 - p) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return (low + high) / 2;
}
