/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "curve/people.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define MANY 100000

static uint64_t number_of(struct people *people, const char *name)
{
    struct ls_error err;
    uint64_t number = 0;

    assert_int_equal(people_number(people, people_hash(people, name, strlen(name)), &number, &err),
                     LS_OK);
    return number;
}

static void people_are_numbered_as_they_come_and_known_again(void **unused)
{
    struct ls_error err;
    struct people people;
    char name[32];

    (void)unused;
    assert_int_equal(people_init(&people, &err), LS_OK);
    for (int round = 0; round < 2; round++) {
        for (int i = 1; i <= MANY; i++) {
            (void)snprintf(name, sizeof name, "user%d", i);
            assert_true(number_of(&people, name) == (uint64_t)i);
        }
    }
    assert_int_equal(people.count, MANY);
    people_free(&people);
}

static void hashes_of_two_runs_differ(void **unused)
{
    struct ls_error err;
    struct people one, other;

    (void)unused;
    assert_int_equal(people_init(&one, &err), LS_OK);
    assert_int_equal(people_init(&other, &err), LS_OK);
    assert_true(people_hash(&one, "alice", 5) != people_hash(&other, "alice", 5));
    people_free(&one);
    people_free(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(people_are_numbered_as_they_come_and_known_again),
        cmocka_unit_test(hashes_of_two_runs_differ),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
