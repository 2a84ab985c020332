/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/model/kit.h"

static struct ls_model *model_of(const struct kit *kit)
{
    struct ls_model *model;
    struct ls_error err;

    assert_int_equal(ls_model_new(&model, &kit->wish, &err), LS_OK);
    return model;
}

static void run(struct ls_model *model, const struct kit *kit, uint64_t seed)
{
    struct ls_error err;

    assert_int_equal(ls_model_run(model, kit->schedule, seed, &err), LS_OK);
}

static void a_batch_leaves_as_the_arithmetic_says(void **state)
{
    static const int64_t s = 10 * LS_NS_PER_MS;
    struct kit kit;
    struct ls_model *model;
    const struct ls_login *rows;
    size_t count;

    (void)state;
    kit_init(&kit, (struct ls_service){.law = LS_LAW_FIXED, .mean_ns = 10e6});
    kit.wish.farm.cores = 3;
    kit.wish.farm.backlog = 97;
    (void)kit_schedule(&kit, 100);
    model = model_of(&kit);
    run(model, &kit, 1);
    rows = ls_model_logins(model, &count);
    assert_int_equal(count, 100);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(rows[i].done_ns, s * (int64_t)(i / 3 + 1));
    }
    assert_int_equal(ls_model_facts(model)->cpu_ns, 100 * s);
    assert_int_equal(ls_model_facts(model)->worst_waiting, 97);
    ls_model_free(model);
    kit_free(&kit);
}

/* The same draws through the recursion of Lindley, of Kiefer and Wolfowitz where there are more cores: who
 * comes begins when the core is free that is free first. */
static void cores_agree_with_the_recursion_to_the_ns(void **state)
{
    static const int cores[] = {1, 2, 3, 8};

    (void)state;
    for (size_t c = 0; c < sizeof cores / sizeof cores[0]; c++) {
        int64_t free_ns[8] = {0};
        struct kit kit;
        struct ls_model *model;
        const struct ls_login *rows;
        size_t count;

        kit_init(&kit, (struct ls_service){.law = LS_LAW_EXPONENTIAL, .mean_ns = 1e6});
        kit.wish.farm.cores = cores[c];
        kit_poisson(&kit, 20000, 1e6 / 0.9 / cores[c], 3);
        model = model_of(&kit);
        run(model, &kit, 5);
        rows = ls_model_logins(model, &count);
        for (size_t i = 0; i < count; i++) {
            const double u = ls_random_unit(5, LS_STREAM_SERVICE, i, (1 << 8) * LS_MODEL_STEPS_MAX);
            const int64_t due_ns = kit.schedule->rows[i].due_ns;
            int first = 0;

            for (int k = 1; k < cores[c]; k++) {
                first = free_ns[k] < free_ns[first] ? k : first;
            }
            free_ns[first] = free_ns[first] > due_ns ? free_ns[first] : due_ns;
            free_ns[first] += (int64_t)(-log(u) * 1e6 + 0.5);
            assert_in_range(rows[i].done_ns - free_ns[first] + 1, 0, 2);
            free_ns[first] =
                rows[i].done_ns; /* the logs of two libraries differ in their last bit */
        }
        ls_model_free(model);
        kit_free(&kit);
    }
}

static void the_same_seed_is_the_same_morning(void **state)
{
    struct kit kit;
    struct ls_model *a, *b;
    const struct ls_login *left, *right;
    size_t count, other;

    (void)state;
    kit_init(&kit, (struct ls_service){.law = LS_LAW_LOGNORMAL, .mean_ns = 1e6, .scv = 4});
    kit.population.jitter_ns = LS_NS_PER_MS;
    kit.population.rtt_ns = 2 * LS_NS_PER_MS;
    kit_poisson(&kit, 5000, 1e6 / 0.9, 3);
    a = model_of(&kit);
    b = model_of(&kit);
    run(a, &kit, 5);
    run(b, &kit, 6); /* what went before leaves nothing behind */
    run(b, &kit, 5);
    left = ls_model_logins(a, &count);
    right = ls_model_logins(b, &other);
    assert_int_equal(count, other);
    assert_memory_equal(left, right, count * sizeof *left);
    ls_model_free(a);
    ls_model_free(b);
    kit_free(&kit);
}

struct seen {
    size_t calls, users;
};

static void count_users(size_t users, void *data)
{
    struct seen *seen = data;

    seen->calls++;
    seen->users += users;
}

/* What only a play needs may go when it is over; the rows stay, and another play has it again. */
static void a_lightened_model_keeps_its_rows_and_plays_again(void **state)
{
    struct kit kit;
    struct ls_model *model;
    struct ls_login first[300];
    struct seen seen = {0};
    size_t count;

    (void)state;
    kit_init(&kit, (struct ls_service){.law = LS_LAW_EXPONENTIAL, .mean_ns = 10e6});
    kit.wish.farm.gateways = 5;
    kit.wish.farm.balancing = LS_LEAST_CONNECTIONS;
    kit_poisson(&kit, 300, 3e6, 7);
    model = model_of(&kit);
    ls_model_watch(model, 70, count_users, &seen);
    run(model, &kit, 1);
    assert_int_equal(seen.calls, 4); /* at 70, 140, 210 and 280 */
    assert_int_equal(seen.users, 280);
    memcpy(first, ls_model_logins(model, &count), sizeof first);
    assert_int_equal(count, 300);
    ls_model_lighten(model);
    assert_memory_equal(ls_model_logins(model, &count), first, sizeof first);
    run(model, &kit, 1);
    assert_memory_equal(ls_model_logins(model, &count), first, sizeof first);
    assert_int_equal(seen.calls, 8);
    ls_model_free(model);
    kit_free(&kit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_batch_leaves_as_the_arithmetic_says),
        cmocka_unit_test(cores_agree_with_the_recursion_to_the_ns),
        cmocka_unit_test(the_same_seed_is_the_same_morning),
        cmocka_unit_test(a_lightened_model_keeps_its_rows_and_plays_again),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
