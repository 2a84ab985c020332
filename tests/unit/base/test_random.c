/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define STREAMS 6

/* Worked out by another program from the definition; a change here changes every user of every
 * seed. */
static const struct {
    uint64_t seed;
    enum ls_stream stream;
    uint64_t user, draw, is;
} known[] = {
    {UINT64_C(0), LS_STREAM_ARRIVAL, UINT64_C(0), UINT64_C(0), UINT64_C(0x90d899dfcf9389d5)},
    {UINT64_C(20261130), LS_STREAM_ARRIVAL, UINT64_C(0), UINT64_C(0), UINT64_C(0x20526fb427d4c372)},
    {UINT64_C(20261130), LS_STREAM_ARRIVAL, UINT64_C(1), UINT64_C(0), UINT64_C(0x3050ac8372d214c8)},
    {UINT64_C(20261130), LS_STREAM_ARRIVAL, UINT64_C(0), UINT64_C(1), UINT64_C(0x436f6dad81c0eb84)},
    {UINT64_C(20261130), LS_STREAM_POPULATION, UINT64_C(0), UINT64_C(0),
     UINT64_C(0x05ff8d3b6d8b448a)},
    {UINT64_C(7), LS_STREAM_RETRY, UINT64_C(5999), UINT64_C(2), UINT64_C(0xc7f4ac4a3753829c)},
    {UINT64_C(7), LS_STREAM_NETWORK, UINT64_C(5999), UINT64_C(2), UINT64_C(0xd5f5ec55253814ad)},
    {UINT64_C(7), LS_STREAM_RESUME, UINT64_C(1), UINT64_C(1), UINT64_C(0x79d5c4f5070488e2)},
    {UINT64_C(7), LS_STREAM_SERVICE, UINT64_C(1), UINT64_C(1), UINT64_C(0x6d71aba2770108ab)},
    {UINT64_C(18446744073709551615), LS_STREAM_SERVICE, UINT64_C(18446744073709551615),
     UINT64_C(18446744073709551615), UINT64_C(0xbe75913b8e561792)},
};

static void known_draws_stay_what_they_are(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const uint64_t is =
            ls_random_u64(known[i].seed, known[i].stream, known[i].user, known[i].draw);

        assert_int_equal(is, known[i].is);
        assert_true(
            fabs(ls_random_unit(known[i].seed, known[i].stream, known[i].user, known[i].draw) -
                 (double)is * 0x1p-64) < 0x1p-51);
    }
}

static void a_draw_depends_on_its_place_alone(void **state)
{
    const uint64_t first = ls_random_u64(5, LS_STREAM_ARRIVAL, 17, 3);

    (void)state;
    for (uint64_t user = 100; user > 0; user--) {
        (void)ls_random_u64(5, LS_STREAM_ARRIVAL, user, user);
    }
    assert_int_equal(ls_random_u64(5, LS_STREAM_ARRIVAL, 17, 3), first);
    assert_int_not_equal(ls_random_u64(6, LS_STREAM_ARRIVAL, 17, 3), first);
    assert_int_not_equal(ls_random_u64(5, LS_STREAM_POPULATION, 17, 3), first);
    assert_int_not_equal(ls_random_u64(5, LS_STREAM_ARRIVAL, 18, 3), first);
    assert_int_not_equal(ls_random_u64(5, LS_STREAM_ARRIVAL, 17, 4), first);
    /* The four do not stand for each other. */
    assert_int_not_equal(ls_random_u64(5, LS_STREAM_ARRIVAL, 3, 17), first);
    assert_int_not_equal(ls_random_u64(17, LS_STREAM_ARRIVAL, 5, 3), first);
}

static void a_unit_is_inside_0_and_1(void **state)
{
    double least = 1, most = 0;

    (void)state;
    for (uint64_t i = 0; i < 1000000; i++) {
        const double x = ls_random_unit(1, LS_STREAM_ARRIVAL, i, 0);

        least = fmin(least, x);
        most = fmax(most, x);
    }
    /* Of a million, the least is 1e-6 on average; 2e-5 once in half a billion. */
    assert_true(least > 0 && least < 2e-5);
    assert_true(most < 1 && most > 1 - 2e-5);
}

/* Chi-square of counts against equal shares, as standard deviations from its mean (Wilson and
 * Hilferty). */
static double surprise(const uint32_t *counts, size_t cells, double draws)
{
    const double should = draws / (double)cells, freedom = (double)cells - 1;
    double chi2 = 0;

    for (size_t i = 0; i < cells; i++) {
        chi2 += ((double)counts[i] - should) * ((double)counts[i] - should) / should;
    }
    return (cbrt(chi2 / freedom) - (1 - 2 / (9 * freedom))) / sqrt(2 / (9 * freedom));
}

static void draws_fill_256_cells_evenly_along_every_counter(void **state)
{
    (void)state;
    for (int stream = 1; stream <= STREAMS; stream++) {
        for (int along = 0; along < 3; along++) {
            uint32_t high[256] = {0}, low[256] = {0};

            for (uint64_t i = 0; i < 100000; i++) {
                const uint64_t x = ls_random_u64(along == 0 ? i : 1, (enum ls_stream)stream,
                                                 along == 1 ? i : 2, along == 2 ? i : 3);

                high[x >> 56]++;
                low[x & 255]++;
            }
            /* 36 figures: one outside 4.5 of them once in 4,000 generators. */
            assert_true(fabs(surprise(high, 256, 1e5)) < 4.5);
            assert_true(fabs(surprise(low, 256, 1e5)) < 4.5);
        }
    }
}

static void one_bit_of_any_counter_moves_half_of_the_bits(void **state)
{
    (void)state;
    for (int counter = 0; counter < 3; counter++) {
        for (int bit = 0; bit < 64; bit++) {
            int moved = 0;

            for (uint64_t i = 0; i < 200; i++) {
                uint64_t at[3] = {i, 2 * i + 1, 3 * i + 2};
                uint64_t x = ls_random_u64(at[0], LS_STREAM_RETRY, at[1], at[2]);

                at[counter] ^= UINT64_C(1) << bit;
                x ^= ls_random_u64(at[0], LS_STREAM_RETRY, at[1], at[2]);
                moved += __builtin_popcountll(x);
            }
            /* 12,800 coins: sd 57. */
            assert_in_range(moved, 6400 - 5 * 57, 6400 + 5 * 57);
        }
    }
}

static double correlation(enum ls_stream a, enum ls_stream b, uint64_t user_step,
                          uint64_t draw_step)
{
    const int draws = 20000;
    double sum = 0;

    for (uint64_t i = 0; i < (uint64_t)draws; i++) {
        sum += (ls_random_unit(9, a, i, 0) - 0.5) *
               (ls_random_unit(9, b, i + user_step, draw_step) - 0.5);
    }
    return sum * 12 / draws * sqrt(draws); /* in standard deviations */
}

static void streams_users_and_draws_are_independent(void **state)
{
    (void)state;
    for (int a = 1; a <= STREAMS; a++) {
        for (int b = 1; b < a; b++) {
            assert_true(fabs(correlation((enum ls_stream)a, (enum ls_stream)b, 0, 0)) < 4.5);
        }
        for (uint64_t step = 1; step <= 4; step++) {
            assert_true(fabs(correlation((enum ls_stream)a, (enum ls_stream)a, step, 0)) < 4.5);
            assert_true(fabs(correlation((enum ls_stream)a, (enum ls_stream)a, 0, step)) < 4.5);
        }
    }
}

static void fresh_seeds_differ_and_are_exact_in_every_json_reader(void **state)
{
    struct ls_error err;
    uint64_t seed[64];

    (void)state;
    for (size_t i = 0; i < 64; i++) {
        assert_int_equal(ls_random_seed(&seed[i], &err), LS_OK);
        assert_true(seed[i] < UINT64_C(1) << 53);
        for (size_t j = 0; j < i; j++) {
            assert_int_not_equal(seed[i], seed[j]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_draws_stay_what_they_are),
        cmocka_unit_test(a_draw_depends_on_its_place_alone),
        cmocka_unit_test(a_unit_is_inside_0_and_1),
        cmocka_unit_test(draws_fill_256_cells_evenly_along_every_counter),
        cmocka_unit_test(one_bit_of_any_counter_moves_half_of_the_bits),
        cmocka_unit_test(streams_users_and_draws_are_independent),
        cmocka_unit_test(fresh_seeds_differ_and_are_exact_in_every_json_reader),
    };

    return cmocka_run_group_tests_name("base/random", tests, NULL, NULL);
}
