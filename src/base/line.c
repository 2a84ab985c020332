/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/line.h"

#include <math.h>

#include "loginstorm/student.h"

static double mean_of(const double *values, size_t count)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++) {
        sum += values[i];
    }
    return sum / (double)count;
}

/* sum (a - mean of a)(b - mean of b) */
static double product(const double *a, double mean_a, const double *b, double mean_b, size_t count)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++) {
        sum += (a[i] - mean_a) * (b[i] - mean_b);
    }
    return sum;
}

/* What of (x - mean x)^2 no straight line has: its own residual at x. */
struct bow {
    double mean_x, mean_square, slope;
};

static double bow_at(const struct bow *bow, double x)
{
    const double d = x - bow->mean_x;

    return d * d - bow->mean_square - bow->slope * d;
}

/* Regressing the line's residuals on the bow's is the parabola's last term (Frisch and Waugh, 1933): no powers of
 * large x, whose normal equations would lose their digits. */
static void fit_curve(struct ls_line *line, const double *x, const double *y, double sxx)
{
    struct bow bow = {.mean_x = line->mean_x, .mean_square = sxx / (double)line->count};
    double cubes = 0, bows = 0, both = 0, left = 0;

    for (size_t i = 0; i < line->count; i++) {
        const double d = x[i] - bow.mean_x;

        cubes += d * d * d;
    }
    bow.slope = cubes / sxx;
    for (size_t i = 0; i < line->count; i++) {
        const double b = bow_at(&bow, x[i]);

        bows += b * b;
        both += b * (y[i] - ls_line_at(line, x[i]));
    }
    /* With two values of x a straight line has all of it, but for rounding. */
    if (line->count < 4 || bows <= 1e-18 * sxx * sxx) {
        return;
    }
    line->has_curve = true;
    line->curve = both / bows;
    for (size_t i = 0; i < line->count; i++) {
        const double miss = y[i] - ls_line_at(line, x[i]) - line->curve * bow_at(&bow, x[i]);

        left += miss * miss;
    }
    line->curve_error = sqrt(left / (double)(line->count - 3) / bows);
}

bool ls_line_fit(struct ls_line *out, const double *x, const double *y, size_t count)
{
    double mean_y, sxx, syy, left = 0;

    *out = (struct ls_line){0};
    if (count < 3) {
        return false;
    }
    out->mean_x = mean_of(x, count);
    mean_y = mean_of(y, count);
    sxx = product(x, out->mean_x, x, out->mean_x, count);
    syy = product(y, mean_y, y, mean_y, count);
    if (!(sxx > 0) || !isfinite(sxx) || !isfinite(syy)) {
        *out = (struct ls_line){0};
        return false;
    }
    out->count = count;
    out->slope = product(x, out->mean_x, y, mean_y, count) / sxx;
    out->intercept = mean_y - out->slope * out->mean_x;
    for (size_t i = 0; i < count; i++) {
        const double miss = y[i] - ls_line_at(out, x[i]);

        left += miss * miss;
    }
    out->spread = sqrt(left / (double)(count - 2));
    out->slope_error = out->spread / sqrt(sxx);
    out->intercept_error = out->spread * sqrt(1 / (double)count + out->mean_x * out->mean_x / sxx);
    out->r2 = syy > 0 ? fmax(0, 1 - left / syy) : 0;
    fit_curve(out, x, y, sxx);
    return true;
}

double ls_line_at(const struct ls_line *line, double x)
{
    return line->intercept + line->slope * x;
}

double ls_line_half(double error, size_t degrees)
{
    return degrees > 0 ? ls_student_at(0.975, (double)degrees) * error : HUGE_VAL;
}
