/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/bytes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void an_empty_queue_holds_no_memory(void **state)
{
    struct ls_bytes queue = {0};

    (void)state;
    assert_int_equal(ls_bytes_size(&queue), 0);
    assert_null(ls_bytes_front(&queue));
    assert_int_equal(ls_bytes_put(&queue, "abc", 0), LS_OK);
    assert_null(queue.data);
    assert_int_equal(ls_bytes_put(&queue, "abc", 3), LS_OK);
    assert_non_null(queue.data);
    ls_bytes_drop(&queue, 3);
    assert_null(queue.data);
    assert_int_equal(queue.capacity, 0);
    assert_int_equal(ls_bytes_size(&queue), 0);
    ls_bytes_drop(&queue, 0);
    ls_bytes_free(&queue);
    ls_bytes_free(&queue);
    assert_null(queue.data);
}

static void bytes_come_out_in_the_order_in_which_they_went_in(void **state)
{
    /* Pieces of all sizes in and out, so that every way of making room is taken; byte n of the
     * stream is n mod 251. */
    struct ls_bytes queue = {0};
    size_t in = 0, out = 0;
    uint8_t piece[3000];

    (void)state;
    for (int step = 0; step < 4000; step++) {
        const size_t size = (size_t)(step * 7919 % 3000);
        const size_t take = (size_t)(step * 6007 % 3001);

        for (size_t i = 0; i < size; i++) {
            piece[i] = (uint8_t)((in + i) % 251);
        }
        assert_int_equal(ls_bytes_put(&queue, piece, size), LS_OK);
        in += size;
        for (size_t i = 0; i < take && out < in; i++, out++) {
            assert_int_equal(*ls_bytes_front(&queue), out % 251);
            ls_bytes_drop(&queue, 1);
        }
        assert_int_equal(ls_bytes_size(&queue), in - out);
    }
    assert_true(out > 1000000);
    ls_bytes_free(&queue);
}

static void it_grows_as_far_as_is_needed_and_keeps_what_it_has(void **state)
{
    struct ls_bytes queue = {0};
    static uint8_t large[1 << 20];

    (void)state;
    memset(large, 0x5a, sizeof large);
    assert_int_equal(ls_bytes_put(&queue, "first", 5), LS_OK);
    assert_int_equal(ls_bytes_put(&queue, large, sizeof large), LS_OK);
    assert_int_equal(ls_bytes_put(&queue, "last", 4), LS_OK);
    assert_int_equal(ls_bytes_size(&queue), 9 + sizeof large);
    assert_memory_equal(ls_bytes_front(&queue), "first", 5);
    ls_bytes_drop(&queue, 5);
    assert_memory_equal(ls_bytes_front(&queue), large, sizeof large);
    ls_bytes_drop(&queue, sizeof large);
    assert_memory_equal(ls_bytes_front(&queue), "last", 4);
    ls_bytes_free(&queue);
}

static void a_queue_that_never_empties_does_not_grow_for_ever(void **state)
{
    struct ls_bytes queue = {0};
    uint8_t piece[100] = {0};

    (void)state;
    assert_int_equal(ls_bytes_put(&queue, piece, 1), LS_OK);
    for (int i = 0; i < 100000; i++) {
        assert_int_equal(ls_bytes_put(&queue, piece, sizeof piece), LS_OK);
        ls_bytes_drop(&queue, sizeof piece);
        assert_int_equal(ls_bytes_size(&queue), 1);
        assert_true(queue.capacity <= 1024);
    }
    ls_bytes_free(&queue);
}

static void dropping_more_than_there_is_empties_it(void **state)
{
    struct ls_bytes queue = {0};

    (void)state;
    assert_int_equal(ls_bytes_put(&queue, "abc", 3), LS_OK);
    ls_bytes_drop(&queue, SIZE_MAX);
    assert_int_equal(ls_bytes_size(&queue), 0);
    assert_null(queue.data);
    ls_bytes_drop(&queue, 5);
    assert_int_equal(ls_bytes_size(&queue), 0);
}

static void no_memory_leaves_it_as_it_was(void **state)
{
    struct ls_bytes queue = {0};

    (void)state;
    assert_int_equal(ls_bytes_put(&queue, "abc", 3), LS_OK);
    assert_int_equal(ls_bytes_put(&queue, "x", SIZE_MAX), LS_ENOMEM);
    assert_int_equal(ls_bytes_put(&queue, "x", SIZE_MAX / 2), LS_ENOMEM);
    assert_int_equal(ls_bytes_size(&queue), 3);
    assert_memory_equal(ls_bytes_front(&queue), "abc", 3);
    ls_bytes_free(&queue);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_queue_holds_no_memory),
        cmocka_unit_test(bytes_come_out_in_the_order_in_which_they_went_in),
        cmocka_unit_test(it_grows_as_far_as_is_needed_and_keeps_what_it_has),
        cmocka_unit_test(a_queue_that_never_empties_does_not_grow_for_ever),
        cmocka_unit_test(dropping_more_than_there_is_empties_it),
        cmocka_unit_test(no_memory_leaves_it_as_it_was),
    };

    return cmocka_run_group_tests_name("base/bytes", tests, NULL, NULL);
}
