/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_multifit.h>

#include "loginstorm/line.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

/* Equal within that part of it; 0: the very same. */
static void assert_near(double got, double expected, double relative)
{
    if (!(fabs(got - expected) <= relative * fabs(expected))) {
        fail_msg("%.17g, not %.17g", got, expected);
    }
}

/* NIST's Statistical Reference Datasets, linear regression, Norris (1980s): calibration of ozone monitors. y, x. */
static const double norris[][2] = {
    {0.1, 0.2},     {338.8, 337.4}, {118.1, 118.2}, {888.0, 884.6}, {9.2, 10.1},    {228.1, 226.5},
    {668.5, 666.3}, {998.5, 996.3}, {449.1, 448.6}, {778.9, 777.0}, {559.2, 558.2}, {0.3, 0.4},
    {0.1, 0.6},     {778.1, 775.5}, {668.8, 666.9}, {339.3, 338.0}, {448.9, 447.5}, {10.8, 11.6},
    {557.7, 556.0}, {228.3, 228.1}, {998.0, 995.8}, {888.8, 887.6}, {119.6, 120.2}, {0.3, 0.3},
    {0.6, 0.3},     {557.6, 556.8}, {339.3, 339.1}, {888.0, 887.2}, {998.5, 999.0}, {778.9, 779.0},
    {10.2, 11.1},   {117.6, 118.3}, {228.9, 229.2}, {668.4, 669.1}, {449.2, 448.9}, {0.2, 0.5},
};

static void nist_s_certified_values_are_met(void **state)
{
    double x[COUNT_OF(norris)], y[COUNT_OF(norris)];
    struct ls_line line;

    (void)state;
    for (size_t i = 0; i < COUNT_OF(norris); i++) {
        y[i] = norris[i][0];
        x[i] = norris[i][1];
    }
    assert_true(ls_line_fit(&line, x, y, COUNT_OF(norris)));
    assert_int_equal(line.count, 36);
    assert_near(line.slope, 1.00211681802045, 1e-14);
    assert_near(line.intercept, -0.262323073774029, 1e-11);
    assert_near(line.slope_error, 0.429796848199937E-03, 1e-11);
    assert_near(line.intercept_error, 0.232818234301152, 1e-11);
    assert_near(line.spread, 0.884796396144373, 1e-11);
    assert_near(line.r2, 0.999993745883712, 1e-14);
}

/* Worked by hand: means 3 and 4, Sxx 10, Sxy 6, residuals -0.8, 0.6, 1, -0.6, -0.2 (sum of squares 2.4). */
static void five_points_come_to_what_a_pencil_says(void **state)
{
    static const double x[] = {1, 2, 3, 4, 5}, y[] = {2, 4, 5, 4, 5};
    struct ls_line line;

    (void)state;
    assert_true(ls_line_fit(&line, x, y, 5));
    assert_near(line.slope, 0.6, 1e-15);
    assert_near(line.intercept, 2.2, 1e-15);
    assert_near(line.spread, sqrt(2.4 / 3), 1e-14);
    assert_near(line.slope_error, sqrt(2.4 / 3 / 10), 1e-14);
    assert_near(line.intercept_error, sqrt(2.4 / 3) * sqrt(1.0 / 5 + 9.0 / 10), 1e-14);
    assert_near(line.r2, 0.6, 1e-14);
    assert_near(ls_line_at(&line, 10), 8.2, 1e-15);
    assert_near(ls_line_half(line.slope_error, 3), 3.1824463053 * sqrt(0.08), 1e-9);
}

static void points_on_a_line_have_no_error(void **state)
{
    static const double x[] = {25, 50, 75, 100, 100, 75, 50, 25};
    double y[COUNT_OF(x)];
    struct ls_line line;

    (void)state;
    for (size_t i = 0; i < COUNT_OF(x); i++) {
        y[i] = 0.25 + 0.0078125 * x[i]; /* exact in binary */
    }
    assert_true(ls_line_fit(&line, x, y, COUNT_OF(x)));
    assert_near(line.slope, 0.0078125, 0);
    assert_near(line.intercept, 0.25, 0);
    assert_near(line.slope_error, 0, 0);
    assert_near(line.intercept_error, 0, 0);
    assert_near(line.r2, 1, 0);
    assert_true(line.has_curve);
    assert_near(line.curve, 0, 0);
}

/* Against GSL, which solves the normal equations by another way. */
static void a_parabola_s_last_term_is_gsl_s(void **state)
{
    static const double x[] = {10, 20, 40, 80, 81, 39, 22, 9};
    static const double y[] = {0.05, 0.11, 0.26, 0.71, 0.70, 0.24, 0.13, 0.06};
    const size_t n = COUNT_OF(x);
    gsl_matrix *design = gsl_matrix_alloc(n, 3), *covariance = gsl_matrix_alloc(3, 3);
    gsl_vector *values = gsl_vector_alloc(n), *found = gsl_vector_alloc(3);
    gsl_multifit_linear_workspace *work = gsl_multifit_linear_alloc(n, 3);
    struct ls_line line;
    double squares;

    (void)state;
    for (size_t i = 0; i < n; i++) {
        gsl_matrix_set(design, i, 0, 1);
        gsl_matrix_set(design, i, 1, x[i]);
        gsl_matrix_set(design, i, 2, x[i] * x[i]);
        gsl_vector_set(values, i, y[i]);
    }
    assert_int_equal(gsl_multifit_linear(design, values, found, covariance, &squares, work), 0);
    assert_true(ls_line_fit(&line, x, y, n));
    assert_true(line.has_curve);
    assert_near(line.curve, gsl_vector_get(found, 2), 1e-9);
    assert_near(line.curve_error, sqrt(gsl_matrix_get(covariance, 2, 2)), 1e-9);
    gsl_multifit_linear_free(work);
    gsl_vector_free(found);
    gsl_vector_free(values);
    gsl_matrix_free(covariance);
    gsl_matrix_free(design);
}

static void what_makes_no_line_is_none(void **state)
{
    static const double same[] = {5, 5, 5, 5}, rising[] = {1, 2, 3, 4};
    static const double broken[] = {1, 2, NAN, 4}, two[] = {1, 1, 2, 2};
    struct ls_line line;

    (void)state;
    assert_false(ls_line_fit(&line, rising, rising, 2)); /* two points have no error */
    assert_false(ls_line_fit(&line, same, rising, 4));
    assert_false(ls_line_fit(&line, broken, rising, 4));
    assert_false(ls_line_fit(&line, rising, broken, 4));
    assert_int_equal(line.count, 0);
    assert_true(ls_line_fit(&line, rising, same, 4)); /* flat is a line, too */
    assert_near(line.slope, 0, 0);
    assert_near(line.r2, 0, 0);
    assert_true(ls_line_fit(&line, two, rising, 4));
    assert_false(line.has_curve); /* any bow goes through two values of x */
    assert_true(ls_line_fit(&line, rising, rising, 3));
    assert_false(line.has_curve); /* and any parabola through three points */
}

static void without_degrees_of_freedom_nothing_is_known(void **state)
{
    (void)state;
    assert_true(isinf(ls_line_half(1, 0)));
    assert_near(ls_line_half(2, 8), 2 * gsl_cdf_tdist_Pinv(0.975, 8), 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nist_s_certified_values_are_met),
        cmocka_unit_test(five_points_come_to_what_a_pencil_says),
        cmocka_unit_test(points_on_a_line_have_no_error),
        cmocka_unit_test(a_parabola_s_last_term_is_gsl_s),
        cmocka_unit_test(what_makes_no_line_is_none),
        cmocka_unit_test(without_degrees_of_freedom_nothing_is_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
