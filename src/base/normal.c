/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/normal.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

#if defined(__FAST_MATH__) || FLT_EVAL_METHOD == 2 || FLT_EVAL_METHOD < 0
#error "the schedule needs IEEE doubles as written: no -ffast-math, no x87"
#endif

static const double ln2_high = 0x1.62e42feep-1; /* 33 bits: a multiple by an exponent is exact */
static const double ln2_low = 0x1.a39ef35793c76p-33;
static const double one_by_sqrt_2pi = 0.39894228040143267794;

static double polynomial(const double *coefficient, size_t count, double x)
{
    double sum = 0;

    while (count > 0) {
        sum = sum * x + coefficient[--count];
    }
    return sum;
}

/* x > 0: 2^e m with m in [sqrt(1/2), sqrt(2)), and log m by the series of artanh. */
double ls_log_of(double x)
{
    int exponent;
    double m = frexp(x, &exponent);
    double s, s2, sum = 0;

    if (m < 0.70710678118654752440) {
        m *= 2;
        exponent--;
    }
    s = (m - 1) / (m + 1);
    s2 = s * s;
    for (int k = 25; k > 1; k -= 2) {
        sum = (sum + 1.0 / k) * s2;
    }
    return exponent * ln2_high + (exponent * ln2_low + 2 * s + 2 * s * sum);
}

/* 2^k e^r with |r| <= ln 2 / 2, and e^r by its series. */
double ls_exp_of(double x)
{
    const double k = floor(x / (ln2_high + ln2_low) + 0.5);
    const double r = (x - k * ln2_high) - k * ln2_low;
    double sum = 1;

    for (int n = 17; n > 0; n--) {
        sum = 1 + sum * r / n;
    }
    return ldexp(sum, (int)k);
}

double ls_normal_below(double z)
{
    const double x = fabs(z);
    double density, below;

    if (x > 37) {
        return z < 0 ? 0 : 1;
    }
    density = one_by_sqrt_2pi * ls_exp_of(-0.5 * x * x);
    if (x < 2) {
        /* x + x^3/3 + x^5/15 + ...: all terms positive, so nothing cancels. */
        double term = x, sum = x;

        for (int k = 3; term > 1e-17 * sum; k += 2) {
            term *= x * x / k;
            sum += term;
        }
        below = 0.5 - density * sum;
    } else {
        /* Laplace's continued fraction of the tail. */
        double fraction = x;

        for (int k = 150; k > 0; k--) {
            fraction = x + k / fraction;
        }
        below = density / fraction;
    }
    return z < 0 ? below : 1 - below;
}

/* Wichura's rational approximations (1988, algorithm AS 241), good to 1e-16: one for the middle 85
 * %, two for the tails by sqrt(-log p). Numerator, then denominator. */
static const double centre[2][8] = {
    {3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3,
     1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4,
     3.3430575583588128105e4, 2.5090809287301226727e3},
    {1, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3,
     2.1213794301586595867e4, 3.9307895800092710610e4, 2.8729085735721942674e4,
     5.2264952788528545610e3},
};
static const double tail[2][8] = {
    {1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0,
     3.64784832476320460504e0, 1.27045825245236838258e0, 2.41780725177450611770e-1,
     2.27238449892691845833e-2, 7.74545014278341407640e-4},
    {1, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
     1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4,
     1.05075007164441684324e-9},
};
static const double far_tail[2][8] = {
    {6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0,
     2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
     2.71155556874348757815e-5, 2.01033439929228813265e-7},
    {1, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
     7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7,
     2.04426310338993978564e-15},
};

static double ratio(const double by[2][8], double x)
{
    return polynomial(by[0], 8, x) / polynomial(by[1], 8, x);
}

double ls_normal_at(double p)
{
    const double q = p - 0.5;
    double r, z;

    if (fabs(q) <= 0.425) {
        return q * ratio(centre, 0.180625 - q * q);
    }
    r = sqrt(-ls_log_of(q < 0 ? p : 1 - p));
    z = r <= 5 ? ratio(tail, r - 1.6) : ratio(far_tail, r - 5);
    return q < 0 ? -z : z;
}
