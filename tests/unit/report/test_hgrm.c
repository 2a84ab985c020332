/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/report/sample.h"

static char *curve_of(const struct ls_run *run, enum ls_curve_of of)
{
    size_t size;
    char *text;
    FILE *stream = open_memstream(&text, &size);

    assert_int_equal(ls_report_hgrm(run, of, stream, NULL), LS_OK);
    assert_int_equal(fclose(stream), 0);
    return text;
}

/* The plotter's own reading: lines that do not begin with '#' and have four columns are points. */
static void a_plotter_reads_the_points_of_the_result(void **state)
{
    struct sample sample;

    (void)state;
    sample_init(&sample);
    for (int of = 0; of < 2; of++) {
        const struct ls_run *run = &sample.runs[1];
        const struct ls_distribution *curve =
            of == LS_CURVE_OF_LOGIN ? &run->login_distribution : &run->handshake_distribution;
        char *text = curve_of(run, (enum ls_curve_of)of), *line, *rest;
        size_t points = 0, ends = 0;

        for (line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
            double value, share, inverse;
            long long count;
            const int got =
                line[0] == '#' ? 0
                               : sscanf(line, "%lf %lf %lld %lf", &value, &share, &count, &inverse);

            if (got < 3) {
                continue;
            }
            assert_true(value * 1e6 - (double)curve->points[points].ns < 0.5);
            assert_true((double)curve->points[points].ns - value * 1e6 < 0.5);
            assert_true(share - curve->points[points].share < 1e-11);
            assert_true(got == 4 ? share < 1 && inverse >= 1 : share >= 1);
            ends += got == 3;
            points++;
        }
        assert_true(points == curve->points_count && points > 20);
        assert_int_equal(ends, 1);
        free(text);
    }
    sample_clear(&sample);
}

static void ranks_and_comments_are_those_of_the_run(void **state)
{
    struct ls_run run = {
        .certificate = (char[]){"RSA\n4096"},
        .repeat = 2,
        .login = {4, 1000000, 2500000, 2000000, 4000000, 4000000, 4000000, 4000000, 4000001},
        .login_distribution = {.points_count = 3,
                               .points = {{0, 1000000}, {0.5, 2000000}, {1, 4000001}}}};
    char *text = curve_of(&run, LS_CURVE_OF_LOGIN);

    (void)state;
    assert_string_equal(text, "       Value     Percentile TotalCount 1/(1-Percentile)\n\n"
                              "    1.000000 0.000000000000          1           1.00\n"
                              "    2.000000 0.500000000000          2           2.00\n"
                              "    4.000001 1.000000000000          4\n"
                              "#[Mean    =        2.500]\n"
                              "#[Max     =        4.000, Total count    =            4]\n"
                              "#[login, due to logged in with RSA?4096, round 2, in ms]\n");
    free(text);
}

static void a_run_without_a_curve_shows_its_quantiles(void **state)
{
    struct sample sample;
    char *text;

    (void)state;
    sample_init(&sample);
    sample.runs[0].handshake_distribution.points_count = 0;
    text = curve_of(&sample.runs[0], LS_CURVE_OF_HANDSHAKE);
    assert_non_null(strstr(text, " 0.500000000000       6000           2.00\n"));
    assert_non_null(strstr(text, " 0.990000000000      11880         100.00\n"));
    assert_non_null(strstr(text, " 1.000000000000      12000\n"));
    free(text);
    sample_clear(&sample);
}

static void nobody_has_no_points(void **state)
{
    struct ls_run run = {.certificate = (char[]){"A"}, .repeat = 1};
    char *text = curve_of(&run, LS_CURVE_OF_LOGIN);

    (void)state;
    assert_string_equal(text, "       Value     Percentile TotalCount 1/(1-Percentile)\n\n"
                              "#[login, due to logged in with A, round 1, in ms]\n");
    free(text);
}

static void a_full_disk_is_an_error(void **state)
{
    struct ls_run run = {.certificate = (char[]){"A"}};
    struct ls_error err;
    FILE *full = fopen("/dev/full", "w");

    (void)state;
    assert_non_null(full);
    assert_int_equal(ls_report_hgrm(&run, LS_CURVE_OF_LOGIN, full, &err), LS_EWRITE);
    (void)fclose(full);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plotter_reads_the_points_of_the_result),
        cmocka_unit_test(ranks_and_comments_are_those_of_the_run),
        cmocka_unit_test(a_run_without_a_curve_shows_its_quantiles),
        cmocka_unit_test(nobody_has_no_points),
        cmocka_unit_test(a_full_disk_is_an_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
