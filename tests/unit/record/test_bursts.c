/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "loginstorm/bursts.h"

#define CAPACITY 8

static struct ls_bursts *new_bursts(void)
{
    return ls_bursts_init(calloc(1, ls_bursts_size(CAPACITY)), CAPACITY);
}

static void all_are_kept_while_there_is_room(void **state)
{
    struct ls_bursts *bursts = new_bursts();
    const struct ls_burst *rows;
    size_t count, stride;

    (void)state;
    for (int i = 0; i < CAPACITY; i++) {
        ls_bursts_add(bursts, i * 10, i * 10 + 1);
    }
    rows = ls_bursts_rows(bursts, &count, &stride);
    assert_int_equal(count, CAPACITY);
    assert_int_equal(stride, 1);
    assert_int_equal(rows[3].hello_ns, 30);
    assert_int_equal(rows[3].finish_ns, 31);
    free(bursts);
}

/* Whatever number came, what is kept is every stride-th from the first on, and more than half of the room is used. */
static void more_are_thinned_evenly(void **state)
{
    struct ls_bursts *bursts = new_bursts();

    (void)state;
    for (int i = 0; i < 1000; i++) {
        const struct ls_burst *rows;
        size_t count, stride;

        ls_bursts_add(bursts, i, 0);
        rows = ls_bursts_rows(bursts, &count, &stride);
        assert_int_equal(count, (size_t)i / stride + 1);
        assert_true(i < CAPACITY || count > CAPACITY / 2);
        for (size_t k = 0; k < count; k++) {
            assert_int_equal(rows[k].hello_ns, k * stride);
        }
    }
    ls_bursts_clear(bursts);
    ls_bursts_add(bursts, 7, 0);
    {
        size_t count, stride;

        assert_int_equal(ls_bursts_rows(bursts, &count, &stride)[0].hello_ns, 7);
        assert_int_equal(count, 1);
        assert_int_equal(stride, 1);
    }
    free(bursts);
}

static void a_copy_takes_no_more_than_every_so_manieth(void **state)
{
    static const struct {
        size_t stride, count;
        uint32_t second;
    } rows[] = {{1, 8, 1}, {2, 4, 2}, {4, 2, 4}, {8, 1, 0}};
    struct ls_bursts *bursts = new_bursts();

    (void)state;
    for (int i = 0; i < CAPACITY; i++) {
        ls_bursts_add(bursts, i, 0);
    }
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_burst out[CAPACITY] = {{0}};

        assert_int_equal(ls_bursts_copy(bursts, rows[i].stride, out), rows[i].count);
        assert_int_equal(out[1].hello_ns, rows[i].second);
    }
    free(bursts);
}

static void what_does_not_fit_is_the_most_that_does(void **state)
{
    struct ls_bursts *bursts = new_bursts();
    const struct ls_burst *rows;
    size_t count, stride;

    (void)state;
    ls_bursts_add(bursts, INT64_C(1) << 40, -5);
    rows = ls_bursts_rows(bursts, &count, &stride);
    assert_true(rows[0].hello_ns == UINT32_MAX);
    assert_int_equal(rows[0].finish_ns, 0);
    free(bursts);
}

static void another_process_finds_them_and_refuses_what_is_none(void **state)
{
    const size_t size = ls_bursts_size(CAPACITY);
    struct ls_bursts *bursts = new_bursts(), *found;
    struct ls_error err;
    void *zeros = calloc(1, size);

    (void)state;
    assert_int_equal(ls_bursts_attach(&found, bursts, size, &err), LS_OK);
    assert_ptr_equal(found, bursts);
    assert_int_equal(ls_bursts_attach(&found, bursts, size - 1, &err), LS_EBROKEN);
    assert_null(found);
    assert_int_equal(ls_bursts_attach(&found, bursts, 8, &err), LS_EBROKEN);
    assert_int_equal(ls_bursts_attach(&found, zeros, size, &err), LS_EBROKEN);
    assert_int_equal(ls_bursts_attach(&found, NULL, 0, &err), LS_EBROKEN);
    free(zeros);
    free(bursts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_are_kept_while_there_is_room),
        cmocka_unit_test(more_are_thinned_evenly),
        cmocka_unit_test(a_copy_takes_no_more_than_every_so_manieth),
        cmocka_unit_test(what_does_not_fit_is_the_most_that_does),
        cmocka_unit_test(another_process_finds_them_and_refuses_what_is_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
