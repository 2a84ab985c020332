/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <gsl/gsl_cdf.h>

#include "loginstorm/student.h"

static void student_s_quantiles_are_gsl_s(void **state)
{
    static const double degrees[] = {1, 1.5, 2, 3, 4, 5.25, 9, 19, 100, 12345.6};
    static const double p[] = {0.51, 0.75, 0.95, 0.975, 0.99375, 0.996875, 0.9995, 0.99999};

    (void)state;
    for (size_t d = 0; d < sizeof degrees / sizeof degrees[0]; d++) {
        for (size_t i = 0; i < sizeof p / sizeof p[0]; i++) {
            const double expected = gsl_cdf_tdist_Pinv(p[i], degrees[d]);
            const double got = ls_student_at(p[i], degrees[d]);

            if (!(fabs(got - expected) <= 1e-9 * expected)) {
                fail_msg("t(%g, %g): %.12g, not %.12g", p[i], degrees[d], got, expected);
            }
        }
    }
}

static void without_end_of_degrees_it_is_the_normal_distribution(void **state)
{
    static const double p[] = {0.5, 0.6, 0.975, 0.996875, 0.999999};

    (void)state;
    for (size_t i = 0; i < sizeof p / sizeof p[0]; i++) {
        const double expected = gsl_cdf_ugaussian_Pinv(p[i]);

        if (!(fabs(ls_student_at(p[i], HUGE_VAL) - expected) <= 1e-9)) {
            fail_msg("z(%g)", p[i]);
        }
    }
}

/* As printed in any table of t. */
static void well_known_values_are_there(void **state)
{
    (void)state;
    assert_true(fabs(ls_student_at(0.975, 1) - 12.7062) < 5e-5);
    assert_true(fabs(ls_student_at(0.975, 4) - 2.7764) < 5e-5);
    assert_true(fabs(ls_student_at(0.975, HUGE_VAL) - 1.9600) < 5e-5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(student_s_quantiles_are_gsl_s),
        cmocka_unit_test(without_end_of_degrees_it_is_the_normal_distribution),
        cmocka_unit_test(well_known_values_are_there),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
