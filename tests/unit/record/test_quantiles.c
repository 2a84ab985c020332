/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "record/build.h"

#include "loginstorm/random.h"
#include "loginstorm/result.h"

static void a_quantile_is_the_value_of_the_nearest_rank(void **state)
{
    static const struct {
        const char *why;
        size_t count; /* of the values 1, 2, 3 ... */
        int q;
        int64_t expected;
    } rows[] = {
        {"one value is every quantile", 1, 1, 1},
        {"one value is every quantile", 1, 5000, 1},
        {"one value is every quantile", 1, 10000, 1},
        {"ceil(0.5 * 2) = 1", 2, 5000, 1},
        {"ceil(0.5001 * 2) = 2", 2, 5001, 2},
        {"ceil(0.5 * 3) = 2", 3, 5000, 2},
        {"ceil(0.5 * 100) = 50", 100, 5000, 50},
        {"ceil(0.99 * 100) = 99", 100, 9900, 99},
        {"ceil(0.999 * 100) = 100", 100, 9990, 100},
        {"ceil(0.95 * 101) = 96", 101, 9500, 96},
        {"ceil(0.5 * 6000) = 3000", 6000, 5000, 3000},
        {"ceil(0.99 * 6000) = 5940", 6000, 9900, 5940},
        {"ceil(0.999 * 6000) = 5994", 6000, 9990, 5994},
        {"the last is the largest", 6000, 10000, 6000},
        {"the least rank is the first", 6000, 1, 1},
    };
    static int64_t values[6000];

    (void)state;
    for (size_t i = 0; i < 6000; i++) {
        values[i] = (int64_t)i + 1;
    }
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const int64_t found = ls_quantile_sorted(values, rows[i].count, rows[i].q);

        if (found != rows[i].expected) {
            fail_msg("%s: %ld", rows[i].why, (long)found);
        }
    }
}

static void quantiles_of_shuffled_values_are_exact(void **state)
{
    static int64_t values[6000];
    struct ls_quantiles q;

    (void)state;
    for (size_t i = 0; i < 6000; i++) {
        values[i] = (int64_t)(i * 3571 % 6000) * 7 + 100; /* 3571 is prime to 6000 */
    }
    ls_quantiles_of(values, 6000, &q);
    assert_int_equal(q.count, 6000);
    assert_int_equal(q.min, 100);
    assert_int_equal(q.mean, 100 + 7 * 5999 / 2); /* 21096.5 down */
    assert_int_equal(q.p50, 100 + 7 * 2999);
    assert_int_equal(q.p90, 100 + 7 * 5399);
    assert_int_equal(q.p95, 100 + 7 * 5699);
    assert_int_equal(q.p99, 100 + 7 * 5939);
    assert_int_equal(q.p99_9, 100 + 7 * 5993);
    assert_int_equal(q.p100, 100 + 7 * 5999);
}

static void no_values_have_no_quantiles(void **state)
{
    struct ls_quantiles q;

    (void)state;
    ls_quantiles_of(NULL, 0, &q);
    assert_int_equal(q.count, 0);
    assert_int_equal(q.min, LS_NEVER_NS);
    assert_int_equal(q.mean, LS_NEVER_NS);
    assert_int_equal(q.p50, LS_NEVER_NS);
    assert_int_equal(q.p99_9, LS_NEVER_NS);
    assert_int_equal(q.p100, LS_NEVER_NS);
}

static void values_at_the_edges_of_64_bits_neither_overflow_nor_missort(void **state)
{
    int64_t values[] = {INT64_MAX, INT64_MIN, 0, INT64_MAX, INT64_MAX};
    int64_t large[] = {INT64_MAX, INT64_MAX - 1, INT64_MAX - 2};
    struct ls_quantiles q;

    (void)state;
    ls_quantiles_of(values, 5, &q);
    assert_true(q.min == INT64_MIN);
    assert_true(q.p50 == INT64_MAX);
    assert_true(q.p100 == INT64_MAX);
    ls_quantiles_of(large, 3, &q);
    assert_true(q.mean == INT64_MAX - 1);
}

static void a_mean_is_rounded_down(void **state)
{
    static const struct {
        int64_t values[3];
        int64_t expected;
    } rows[] = {{{1, 1, 3}, 1}, {{2, 2, 4}, 2}, {{-1, -1, 0}, -1}, {{0, 0, 0}, 0}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t values[3] = {rows[i].values[0], rows[i].values[1], rows[i].values[2]};
        struct ls_quantiles q;

        ls_quantiles_of(values, 3, &q);
        assert_int_equal(q.mean, rows[i].expected);
    }
}

static void the_peak_is_the_most_that_were_under_way_at_once(void **state)
{
    static const struct {
        const char *why;
        int64_t begins[4], ends[4];
        size_t count;
        int64_t expected;
    } rows[] = {
        {"nobody", {0}, {0}, 0, 0},
        {"one", {5}, {9}, 1, 1},
        {"one after another at the same moment do not meet", {0, 5}, {5, 9}, 2, 1},
        {"they meet for an instant", {0, 4}, {5, 9}, 2, 2},
        {"all at once", {1, 1, 1, 1}, {2, 2, 2, 2}, 4, 4},
        {"two, then one out and two in", {0, 1, 6, 7}, {5, 9, 9, 9}, 4, 3},
        {"one that took no time meets nobody", {3, 0}, {3, 3}, 2, 1},
        {"ends come in another order than begins", {0, 1, 2, 9}, {8, 3, 4, 10}, 4, 3},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int64_t begins[4], ends[4], peak;

        for (size_t k = 0; k < 4; k++) {
            begins[k] = rows[i].begins[k];
            ends[k] = rows[i].ends[k];
        }
        peak = peak_overlap(begins, ends, rows[i].count);
        if (peak != rows[i].expected) {
            fail_msg("%s: %ld", rows[i].why, (long)peak);
        }
    }
}

static int ascending(const void *left, const void *right)
{
    const int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

    return (a > b) - (a < b);
}

/* Values of so many random bits, some negated, some the edges of the type. */
static int64_t value_of(uint64_t seed, size_t i, int bits, bool signs)
{
    const uint64_t x = ls_random_u64(seed, LS_STREAM_SERVICE, i, 0);
    const uint64_t y = ls_random_u64(seed, LS_STREAM_SERVICE, i, 1);
    const int64_t value = (int64_t)(x >> (64 - bits));

    if (signs && y % 97 == 0) {
        return y % 2 == 0 ? INT64_MIN : INT64_MAX;
    }
    return signs && y % 3 == 0 ? -value : value;
}

static void any_values_are_sorted_as_comparing_sorts_them(void **state)
{
    static const size_t counts[] = {0, 1, 2, 100, 255, 256, 257, 1000, 6000, 20000};
    static const int bits[] = {1, 10, 11, 12, 22, 30, 33, 44, 55, 63};
    static int64_t left[20000], right[20000];

    (void)state;
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        for (size_t b = 0; b < 2 * sizeof bits / sizeof bits[0]; b++) {
            for (size_t i = 0; i < counts[c]; i++) {
                left[i] = right[i] = value_of(c * 100 + b, i, bits[b / 2], b % 2 == 1);
            }
            sort_ns(left, counts[c]);
            if (counts[c] > 0) {
                qsort(right, counts[c], sizeof right[0], ascending);
            }
            if (memcmp(left, right, counts[c] * sizeof left[0]) != 0) {
                fail_msg("%zu values of %d bits, signs %zu", counts[c], bits[b / 2], b % 2);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_quantile_is_the_value_of_the_nearest_rank),
        cmocka_unit_test(quantiles_of_shuffled_values_are_exact),
        cmocka_unit_test(no_values_have_no_quantiles),
        cmocka_unit_test(values_at_the_edges_of_64_bits_neither_overflow_nor_missort),
        cmocka_unit_test(a_mean_is_rounded_down),
        cmocka_unit_test(any_values_are_sorted_as_comparing_sorts_them),
        cmocka_unit_test(the_peak_is_the_most_that_were_under_way_at_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
