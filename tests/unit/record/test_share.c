/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "loginstorm/result.h"

/* Whatever number of machines and injectors there are, each user is in exactly one share, and the rows of a share are its
 * users in their order. */
static void every_user_is_in_one_share_and_has_one_row_there(void **state)
{
    (void)state;
    for (size_t shards = 1; shards <= 5; shards++) {
        for (size_t injectors = 1; injectors <= 3; injectors++) {
            for (size_t users = 0; users <= 40; users++) {
                size_t all = 0;

                for (size_t i = 0; i < shards; i++) {
                    const struct ls_share share = {i * injectors, injectors, shards * injectors};
                    size_t row = 0;

                    for (size_t user = 0; user < users; user++) {
                        assert_int_equal(ls_share_rows(&share, user), row);
                        if (ls_share_has(&share, user)) {
                            assert_int_equal(ls_share_user(&share, row), user);
                            row++;
                        }
                    }
                    assert_int_equal(ls_share_rows(&share, users), row);
                    all += row;
                }
                assert_int_equal(all, users);
            }
        }
    }
}

static void a_share_of_nothing_said_is_all_users(void **state)
{
    const struct ls_share share = {0};

    (void)state;
    assert_true(ls_share_has(&share, 7));
    assert_int_equal(ls_share_rows(&share, 7), 7);
    assert_int_equal(ls_share_user(&share, 7), 7);
}

static struct ls_record *of_users(const size_t *users, size_t count)
{
    struct ls_record *record;

    assert_int_equal(ls_record_new(&record, 9, count, NULL), LS_OK);
    for (size_t i = 0; i < count; i++) {
        const struct ls_login login = {
            .due_ns = (int64_t)users[i], .outcome = LS_OUTCOME_LOGGED_IN, .attempts = 1};
        const struct ls_handshake handshake = {.user = (uint32_t)users[i],
                                               .outcome = LS_OUTCOME_LOGGED_IN};

        assert_int_equal(ls_record_login(record, users[i], &login), LS_OK);
        assert_int_equal(ls_record_handshake(record, &handshake), LS_OK);
    }
    return record;
}

static void the_rows_of_a_share_keep_their_users_numbers_in_the_tables(void **state)
{
    /* The second of two machines with two injectors each plays 2, 3, 6 and 7 of nine. */
    const struct ls_share share = {2, 2, 4};
    static const size_t first[] = {6, 2}, second[] = {3, 7};
    struct ls_record *one = of_users(first, 2), *other = of_users(second, 2), *joined;
    size_t size;
    char *text;
    FILE *stream = open_memstream(&text, &size);

    (void)state;
    assert_int_equal(ls_record_new(&joined, ls_share_rows(&share, 9), 4, NULL), LS_OK);
    assert_int_equal(ls_record_gather(joined, one, &share, NULL), LS_OK);
    assert_int_equal(ls_record_gather(joined, other, &share, NULL), LS_OK);
    assert_int_equal(ls_samples_write(stream, "A", 1, joined, &share, NULL, false, NULL), LS_OK);
    assert_int_equal(ls_handshakes_write(stream, "B", 1, joined, &share, false, NULL), LS_OK);
    assert_int_equal(fclose(stream), 0);
    assert_string_equal(text, "A,2,0,2,0,0,0,0,1,logged_in,,1\n"
                              "A,3,0,3,0,0,0,0,1,logged_in,,1\n"
                              "A,6,0,6,0,0,0,0,1,logged_in,,1\n"
                              "A,7,0,7,0,0,0,0,1,logged_in,,1\n"
                              "B,6,0,0,0,0,0,secured,,0,0,0,0,0,0,0,0,0,0,1\n"
                              "B,2,0,0,0,0,0,secured,,0,0,0,0,0,0,0,0,0,0,1\n"
                              "B,3,0,0,0,0,0,secured,,0,0,0,0,0,0,0,0,0,0,1\n"
                              "B,7,0,0,0,0,0,secured,,0,0,0,0,0,0,0,0,0,0,1\n");
    free(text);
    ls_record_free(one);
    ls_record_free(other);
    ls_record_free(joined);
}

static void a_user_of_another_share_or_one_who_is_there_twice_is_refused(void **state)
{
    const struct ls_share share = {2, 2, 4};
    static const size_t strange[] = {4}, twice[] = {6};
    struct ls_record *other = of_users(strange, 1), *same = of_users(twice, 1), *joined;

    (void)state;
    assert_int_equal(ls_record_new(&joined, ls_share_rows(&share, 9), 4, NULL), LS_OK);
    assert_int_equal(ls_record_gather(joined, other, &share, NULL), LS_EBROKEN);
    assert_int_equal(ls_record_gather(joined, same, &share, NULL), LS_OK);
    assert_int_equal(ls_record_gather(joined, same, &share, NULL), LS_EBROKEN);
    ls_record_free(other);
    ls_record_free(same);
    ls_record_free(joined);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_user_is_in_one_share_and_has_one_row_there),
        cmocka_unit_test(a_share_of_nothing_said_is_all_users),
        cmocka_unit_test(the_rows_of_a_share_keep_their_users_numbers_in_the_tables),
        cmocka_unit_test(a_user_of_another_share_or_one_who_is_there_twice_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
