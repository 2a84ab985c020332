/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/normal.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <gsl/gsl_cdf.h>

/* GSL is the second opinion: other formulas, and the C library's exp and log. */

static double relative(double is, double should)
{
    return fabs(is - should) / fabs(should);
}

static void the_share_below_agrees_with_gsl(void **state)
{
    double worst = 0;

    (void)state;
    for (int i = -3600; i <= 800; i++) {
        const double z = i / 100.0 + 1.0 / 512;

        worst = fmax(worst, relative(ls_normal_below(z), gsl_cdf_ugaussian_P(z)));
    }
    assert_true(worst < 3e-13);
}

static void the_inverse_agrees_with_gsl(void **state)
{
    double worst = 0;

    (void)state;
    for (int i = 1; i < 100000; i++) {
        const double p = i / 100000.0;

        worst = fmax(worst, fabs(ls_normal_at(p) - gsl_cdf_ugaussian_Pinv(p)));
    }
    for (double p = 1e-5; p > 1e-300; p *= 0.37) {
        worst = fmax(worst, relative(ls_normal_at(p), gsl_cdf_ugaussian_Pinv(p)));
    }
    assert_true(worst < 4e-15);
}

static void the_inverse_of_the_share_is_where_one_began(void **state)
{
    (void)state;
    for (int i = -3600; i <= 0; i++) {
        const double z = i / 100.0;

        assert_true(fabs(ls_normal_at(ls_normal_below(z)) - z) < 1e-13 * (1 + fabs(z)));
    }
    /* Near 1 a double has no more digits for the share: as far as those go. */
    for (int i = 0; i <= 500; i++) {
        const double z = i / 100.0;

        assert_true(fabs(ls_normal_at(ls_normal_below(z)) - z) <
                    2e-16 * exp(z * z / 2) * 3 + 1e-13);
    }
}

static void textbook_values_hold(void **state)
{
    static const struct {
        double z, below;
    } rows[] = {
        {0, 0.5},
        {1, 0.841344746068542948},
        {-1, 0.158655253931457051},
        {1.959963984540054, 0.975},
        {-3, 0.00134989803163009452},
        {-6, 9.86587645037698141e-10},
        {-2, 0.0227501319481792072},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_true(relative(ls_normal_below(rows[i].z), rows[i].below) < 1e-14);
        assert_true(fabs(ls_normal_at(rows[i].below) - rows[i].z) < 4e-15);
    }
}

static void far_out_there_is_nothing_and_no_nonsense(void **state)
{
    (void)state;
    assert_true(ls_normal_below(-1e300) <= 0 && ls_normal_below(-1e300) >= 0);
    assert_true(ls_normal_below(1e300) >= 1 && ls_normal_below(1e300) <= 1);
    assert_true(ls_normal_below(-36.9) > 0);
    assert_true(isfinite(ls_normal_at(5e-324)) && ls_normal_at(5e-324) < -38);
}

static void both_rise_throughout(void **state)
{
    double before = ls_normal_below(-37), at = ls_normal_at(0x1p-53);

    (void)state;
    for (int i = -3700; i <= 700; i++) {
        const double now = ls_normal_below(i / 100.0);

        assert_true(now >= before);
        before = now;
    }
    for (int i = 1; i < (1 << 18); i++) {
        const double now = ls_normal_at(i * 0x1p-18);

        assert_true(now > at);
        at = now;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_share_below_agrees_with_gsl),
        cmocka_unit_test(the_inverse_agrees_with_gsl),
        cmocka_unit_test(the_inverse_of_the_share_is_where_one_began),
        cmocka_unit_test(textbook_values_hold),
        cmocka_unit_test(far_out_there_is_nothing_and_no_nonsense),
        cmocka_unit_test(both_rise_throughout),
    };

    return cmocka_run_group_tests_name("arrivals/normal", tests, NULL, NULL);
}
