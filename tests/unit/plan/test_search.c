/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "plan/work.h"

/* What does from `from` on, and, looked at thoroughly, from `thoroughly` on; fails at the call `fails`. */
struct game {
    int from, thoroughly;
    int calls, fails;
};

static enum ls_code does(int x, bool thorough, bool *yes, void *data, struct ls_error *err)
{
    struct game *game = data;

    game->calls++;
    if (game->calls == game->fails) {
        return ls_error_set(err, LS_ENOMEM, "this one fails");
    }
    *yes = x >= (thorough ? game->thoroughly : game->from);
    return LS_OK;
}

static void the_smallest_that_does_is_found_from_any_guess(void **state)
{
    static const struct {
        int from, thoroughly, guess, least, most, found;
        const char *reason;
    } rows[] = {
        {7, 7, 7, 1, 100, 7, "the guess is right"},
        {7, 7, 6, 1, 100, 7, "one too low"},
        {7, 7, 8, 1, 100, 7, "one too high"},
        {7, 7, 90, 1, 100, 7, "far too high"},
        {77, 77, 1, 1, 100, 77, "far too low"},
        {1, 1, 50, 1, 100, 1, "the least does"},
        {100, 100, 50, 1, 100, 100, "only the most does"},
        {101, 101, 50, 1, 100, 0, "none does"},
        {7, 7, 1000, 1, 100, 7, "a guess beyond the most"},
        {7, 7, -5, 1, 100, 7, "a guess below the least"},
        {1, 1, 1, 1, 1, 1, "there is one only, and it does"},
        {2, 2, 1, 1, 1, 0, "there is one only, and it does not"},
        {7, 9, 7, 1, 100, 9, "a closer look wants more"},
        {7, 5, 7, 1, 100, 5, "a closer look wants less"},
        {101, 100, 3, 1, 100, 100, "a closer look at the most finds that it does"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct game game = {rows[i].from, rows[i].thoroughly, 0, 0};
        const struct search search = {.least = rows[i].least,
                                      .most = rows[i].most,
                                      .guess = rows[i].guess,
                                      .does = does,
                                      .data = &game};
        struct ls_error err;
        int found = -1;

        assert_int_equal(search_smallest(&search, &found, &err), LS_OK);
        if (found != rows[i].found) {
            fail_msg("%s: %d", rows[i].reason, found);
        }
        assert_true(game.calls <= 40); /* it doubles and halves, and does not try them all */
    }
}

static void a_rough_search_does_not_look_closer(void **state)
{
    struct game game = {7, 9, 0, 0};
    const struct search search = {
        .least = 1, .most = 100, .guess = 4, .roughly = true, .does = does, .data = &game};
    struct ls_error err;
    int found;

    (void)state;
    assert_int_equal(search_smallest(&search, &found, &err), LS_OK);
    assert_int_equal(found, 7);
}

static void where_even_the_most_does_not_two_looks_more_are_enough(void **state)
{
    struct game game = {101, 101, 0, 0};
    const struct search search = {.least = 1,
                                  .most = 100,
                                  .guess = 4,
                                  .roughly = true,
                                  .most_tells = true,
                                  .does = does,
                                  .data = &game};
    struct ls_error err;
    int found;

    (void)state;
    assert_int_equal(search_smallest(&search, &found, &err), LS_OK);
    assert_int_equal(found, 0);
    assert_int_equal(game.calls, 3);
    game = (struct game){60, 60, 0, 0};
    assert_int_equal(search_smallest(&search, &found, &err), LS_OK);
    assert_int_equal(found, 60); /* and where it does, it is looked for */
}

static void a_failure_ends_the_search_wherever_it_comes(void **state)
{
    int whole;

    (void)state;
    {
        struct game game = {40, 43, 0, 0};
        const struct search search = {
            .least = 1, .most = 100, .guess = 4, .most_tells = true, .does = does, .data = &game};
        struct ls_error err;
        int found;

        assert_int_equal(search_smallest(&search, &found, &err), LS_OK);
        whole = game.calls;
    }
    for (int fails = 1; fails <= whole; fails++) {
        struct game game = {40, 43, 0, fails};
        const struct search search = {
            .least = 1, .most = 100, .guess = 4, .most_tells = true, .does = does, .data = &game};
        struct ls_error err;
        int found;

        assert_int_equal(search_smallest(&search, &found, &err), LS_ENOMEM);
        assert_int_equal(game.calls, fails);
    }
}

/* ------------------------------------------------------------------------------------------ users */

struct crowd {
    int64_t carries, least_asked, most_asked;
    int calls;
};

static enum ls_code carries(int64_t users, bool *yes, void *data, struct ls_error *err)
{
    struct crowd *crowd = data;

    (void)err;
    crowd->calls++;
    crowd->least_asked =
        crowd->calls == 1 || users < crowd->least_asked ? users : crowd->least_asked;
    crowd->most_asked = users > crowd->most_asked ? users : crowd->most_asked;
    *yes = users <= crowd->carries;
    return LS_OK;
}

static void the_users_that_are_carried_are_found_to_one_percent(void **state)
{
    static const struct {
        int64_t users, carries, guess, does_well, does_not;
        const char *reason;
    } rows[] = {
        {6000, 6000, 6000, 6000, 0, "exactly as many as there are"},
        {6000, 7123, 7100, 6000, 0, "the guess is near"},
        {6000, 7123, 29999, 6000, 0, "the guess is far too high"},
        {6000, 25000, 6000, 6000, 0, "the guess is far too low"},
        {6000, 3400, 3400, 0, 6000, "fewer than there are"},
        {6000, 3400, 90, 0, 6000, "fewer, with a guess that is too low"},
        {6000, 5999, 10, 0, 6000, "one too few"},
        {6000, 61, 3000, 0, 6000, "one in a hundred"},
        {3, 2, 3, 0, 3, "a handful"},
        {1, 5, 1, 1, 0, "one alone"},
        {6000, 7123, INT64_MAX, 6000, 0, "a guess without end"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct crowd crowd = {.carries = rows[i].carries};
        const struct users_search search = {.users = rows[i].users,
                                            .guess = rows[i].guess,
                                            .does_well = rows[i].does_well,
                                            .does_not = rows[i].does_not,
                                            .does = carries,
                                            .data = &crowd};
        struct ls_plan_carried found;
        struct ls_error err;
        int64_t beyond;

        assert_int_equal(users_largest(&search, &found, &beyond, &err), LS_OK);
        if (found.over
                ? found.users < 5 * rows[i].users
                : found.users > rows[i].carries || beyond <= rows[i].carries ||
                      (beyond > found.users + 1 && (double)beyond > (double)found.users * 1.0101)) {
            fail_msg("%s: %lld, %lld", rows[i].reason, (long long)found.users, (long long)beyond);
        }
        assert_true(crowd.calls <= 20);
        assert_true(crowd.calls == 0 || crowd.least_asked >= 1);
        assert_true(crowd.most_asked <= 5 * rows[i].users);
    }
}

static void a_farm_that_carries_all_that_is_looked_at_says_so(void **state)
{
    struct crowd crowd = {.carries = 1000000};
    const struct users_search search = {
        .users = 6000, .guess = 400000, .does_well = 6000, .does = carries, .data = &crowd};
    struct ls_plan_carried found;
    struct ls_error err;
    int64_t beyond;

    (void)state;
    assert_int_equal(users_largest(&search, &found, &beyond, &err), LS_OK);
    assert_true(found.over);
    assert_int_equal(found.users, 30000);
    assert_int_equal(beyond, 0);
    assert_int_equal(crowd.calls, 1);
}

static void a_farm_that_carries_hardly_anybody_carries_nobody(void **state)
{
    struct crowd crowd = {.carries = 3};
    const struct users_search search = {
        .users = 6000, .guess = 5000, .does_not = 6000, .does = carries, .data = &crowd};
    struct ls_plan_carried found;
    struct ls_error err;
    int64_t beyond;

    (void)state;
    assert_int_equal(users_largest(&search, &found, &beyond, &err), LS_OK);
    assert_int_equal(found.users, 0);
    assert_false(found.over);
}

static void users_of_recorded_curves_are_changed_by_their_scales(void **state)
{
    struct ls_wave waves[2] = {{.shape = LS_SHAPE_RECORDED},
                               {.shape = LS_SHAPE_RECORDED, .scale = 2}};
    struct ls_wave room[2];
    struct ls_scenario scenario = {.waves = waves, .waves_count = 2}, changed;

    (void)state;
    users_change(&changed, &scenario, room, 1000, 1500);
    assert_int_equal(changed.users, 0);
    assert_int_equal(lround(changed.waves[0].scale * 1000), 1500);
    assert_int_equal(lround(changed.waves[1].scale * 1000), 3000);
    assert_int_equal(lround(scenario.waves[1].scale * 1000), 2000); /* the given one stays */
    scenario.users = 1000;
    users_change(&changed, &scenario, room, 1000, 1500);
    assert_int_equal(changed.users, 1500);
    assert_ptr_equal(changed.waves, waves);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_smallest_that_does_is_found_from_any_guess),
        cmocka_unit_test(a_rough_search_does_not_look_closer),
        cmocka_unit_test(where_even_the_most_does_not_two_looks_more_are_enough),
        cmocka_unit_test(a_failure_ends_the_search_wherever_it_comes),
        cmocka_unit_test(the_users_that_are_carried_are_found_to_one_percent),
        cmocka_unit_test(a_farm_that_carries_all_that_is_looked_at_says_so),
        cmocka_unit_test(a_farm_that_carries_hardly_anybody_carries_nobody),
        cmocka_unit_test(users_of_recorded_curves_are_changed_by_their_scales),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
