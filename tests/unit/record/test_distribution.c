/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "record/build.h"
#include "record/fields.h"

/* count values 1, 2, 3, ...: a value is its own rank. */
static struct ls_distribution of_ranks(size_t count)
{
    int64_t *values = calloc(count + 1, sizeof *values);
    struct ls_distribution out;

    assert_non_null(values);
    for (size_t i = 0; i < count; i++) {
        values[i] = (int64_t)i + 1;
    }
    distribution_of(&out, values, count);
    free(values);
    return out;
}

static void every_point_is_a_nearest_rank(void **state)
{
    static const struct {
        const char *why;
        size_t count, points;
    } rows[] = {
        {"nobody", 0, 0},
        {"one is the fastest and the slowest", 1, 2},
        {"two", 2, 7},
        {"ten: tenths are ranks without a rounding", 10, 19},
        {"a hundred", 100, 35},
        {"a morning", 6000, 65},
        {"a million", 1000000, 101},
    };

    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        const int64_t count = (int64_t)rows[r].count;
        const struct ls_distribution got = of_ranks(rows[r].count);

        if (got.points_count != rows[r].points) {
            fail_msg("%s: %zu points", rows[r].why, got.points_count);
        }
        for (size_t i = 0; i < got.points_count; i++) {
            const struct ls_point *point = &got.points[i];
            const int64_t rank = (int64_t)ceil(point->share * (double)count - 1e-6);

            if (point->ns != (rank < 1 ? 1 : rank)) {
                fail_msg("%s: share %.9f is rank %ld", rows[r].why, point->share, (long)point->ns);
            }
        }
        if (count > 0) {
            assert_true(got.points[0].share <= 0 && got.points[0].ns == 1);
            assert_true(got.points[got.points_count - 1].share >= 1);
            assert_int_equal(got.points[got.points_count - 1].ns, count);
        }
    }
}

static void the_median_is_a_point_and_the_tail_is_close(void **state)
{
    const struct ls_distribution got = of_ranks(6000);

    (void)state;
    assert_int_equal(got.points[5].ns, 3000);
    assert_int_equal(got.points[10].ns, 4500);
    assert_int_equal(got.points[got.points_count - 2].ns, 5999);
}

static enum ls_code read_from(const char *text, struct ls_run *run, struct ls_error *err)
{
    json_t *root;
    enum ls_code code;

    assert_int_equal(ls_json_parse(&root, "x", text, strlen(text), err), LS_OK);
    code = get_distributions(root, run, (struct spot){"x", "runs[0]."}, err);
    json_decref(root);
    return code;
}

static void what_is_no_curve_is_refused(void **state)
{
    static const struct {
        const char *why, *list;
        enum ls_code code;
    } rows[] = {
        {"nobody logged in", "[]", LS_OK},
        {"one", "[[0.0, 5], [1.0, 5]]", LS_OK},
        {"it must reach the slowest", "[[0.0, 5], [0.5, 5]]", LS_EINPUT},
        {"shares go up", "[[0.5, 5], [0.2, 6], [1.0, 7]]", LS_EINPUT},
        {"latencies go up", "[[0.0, 5], [1.0, 4]]", LS_EINPUT},
        {"a share is at most 1", "[[0.0, 5], [1.5, 6]]", LS_EINPUT},
        {"a point is a pair", "[[0.0, 5, 1], [1.0, 6]]", LS_EINPUT},
        {"a latency is a number", "[[0.0, \"5\"], [1.0, 6]]", LS_EINPUT},
        {"it is a list", "{}", LS_EINPUT},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_run run = {0};
        struct ls_error err = {0};
        char text[200];

        (void)snprintf(text, sizeof text,
                       "{\"distribution_us\": {\"login\": %s, \"handshake\": []}}", rows[i].list);
        if ((read_from(text, &run, &err) == LS_OK) != (rows[i].code == LS_OK)) {
            fail_msg("%s: %s", rows[i].why, err.text);
        }
        if (rows[i].code != LS_OK) {
            assert_string_equal(
                err.text,
                "runs[0].distribution_us.login: not a value that loginstorm writes there");
        }
    }
}

static void a_file_from_before_has_none(void **state)
{
    struct ls_run run = {0};
    struct ls_error err;

    (void)state;
    assert_int_equal(read_from("{}", &run, &err), LS_OK);
    assert_int_equal(run.login_distribution.points_count, 0);
    assert_int_equal(read_from("{\"distribution_us\": {\"login\": []}}", &run, &err) == LS_OK, 0);
    assert_string_equal(err.text, "runs[0].distribution_us.handshake: missing");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_point_is_a_nearest_rank),
        cmocka_unit_test(the_median_is_a_point_and_the_tail_is_close),
        cmocka_unit_test(what_is_no_curve_is_refused),
        cmocka_unit_test(a_file_from_before_has_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
