/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compare/statistics.h"

static void a_sample_has_its_mean_and_unbiased_variance(void **state)
{
    static const double values[] = {2, 4, 4, 4, 5, 5, 7, 9};
    struct sample sample;

    (void)state;
    sample_of(values, 8, &sample);
    assert_int_equal(sample.count, 8);
    assert_true(fabs(sample.mean - 5) < 1e-12);
    assert_true(fabs(sample.variance - 32.0 / 7) < 1e-12);
    sample_of(values, 1, &sample);
    assert_true(fabs(sample.mean - 2) < 1e-12);
    assert_true(fabs(sample.variance) < 1e-12);
    sample_of(values, 0, &sample);
    assert_true(fabs(sample.mean) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sample_has_its_mean_and_unbiased_variance),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
