/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "help.h"

#include <stdalign.h>

#include "scenario/arena.h"

static void what_it_gives_is_zeroed_aligned_and_apart(void **state)
{
    struct ls_arena *arena = ls_arena_new(1 << 20);
    unsigned char *last = NULL;

    (void)state;
    assert_non_null(arena);
    for (size_t size = 1; size < 300; size++) {
        unsigned char *place = ls_arena_alloc(arena, size, 1);

        assert_non_null(place);
        assert_int_equal((uintptr_t)place % alignof(max_align_t), 0);
        for (size_t i = 0; i < size; i++) {
            assert_int_equal(place[i], 0);
        }
        memset(place, 0xff, size);
        assert_true(last == NULL || last[0] == 0xff);
        last = place;
    }
    ls_arena_free(arena);
}

static void a_piece_larger_than_a_block_is_given_whole(void **state)
{
    struct ls_arena *arena = ls_arena_new(1 << 20);
    unsigned char *place = ls_arena_alloc(arena, 100000, 1);

    (void)state;
    assert_non_null(place);
    memset(place, 1, 100000);
    assert_non_null(ls_arena_alloc(arena, 1, 1));
    ls_arena_free(arena);
}

static void the_limit_holds(void **state)
{
    struct ls_arena *arena = ls_arena_new(64);

    (void)state;
    assert_non_null(ls_arena_alloc(arena, 1, 48));
    assert_null(ls_arena_alloc(arena, 1, 17));
    assert_non_null(ls_arena_alloc(arena, 1, 16));
    assert_null(ls_arena_alloc(arena, 1, 1));
    ls_arena_free(arena);
    assert_null(ls_arena_new(0));
}

static void a_product_that_overflows_is_refused(void **state)
{
    struct ls_arena *arena = ls_arena_new(SIZE_MAX);

    (void)state;
    assert_null(ls_arena_alloc(arena, SIZE_MAX / 2, 3));
    assert_null(ls_arena_alloc(arena, SIZE_MAX, 1));
    ls_arena_free(arena);
    ls_arena_free(NULL);
}

static void a_text_is_copied_and_ended(void **state)
{
    struct ls_arena *arena = ls_arena_new(1 << 10);
    const char source[] = {'a', 'b', 'c'};
    const char *copy = ls_arena_text(arena, source, 2);

    (void)state;
    assert_string_equal(copy, "ab");
    assert_string_equal(ls_arena_text(arena, source, 0), "");
    ls_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_it_gives_is_zeroed_aligned_and_apart),
        cmocka_unit_test(a_piece_larger_than_a_block_is_given_whole),
        cmocka_unit_test(the_limit_holds),
        cmocka_unit_test(a_product_that_overflows_is_refused),
        cmocka_unit_test(a_text_is_copied_and_ended),
    };

    return cmocka_run_group_tests_name("scenario/arena", tests, NULL, NULL);
}
