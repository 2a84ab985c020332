/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "loginstorm/record.h"

static struct ls_login logged_in(int64_t due_ns)
{
    return (struct ls_login){.due_ns = due_ns,
                             .started_ns = due_ns + 1,
                             .connected_ns = due_ns + 2,
                             .secured_ns = due_ns + 3,
                             .done_ns = due_ns + 4,
                             .population = 7,
                             .attempts = 1,
                             .outcome = LS_OUTCOME_LOGGED_IN};
}

static struct ls_record *fresh(size_t logins, size_t handshakes)
{
    struct ls_record *record;
    struct ls_error err;

    assert_int_equal(ls_record_new(&record, logins, handshakes, &err), LS_OK);
    return record;
}

static void a_new_record_has_every_login_pending_and_no_handshake(void **state)
{
    struct ls_record *record = fresh(3, 2);
    size_t logins, handshakes;

    (void)state;
    (void)ls_record_logins(record, &logins);
    (void)ls_record_handshakes(record, &handshakes);
    assert_int_equal(logins, 3);
    assert_int_equal(handshakes, 0);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(ls_record_outcome(record, i), LS_OUTCOME_PENDING);
    }
    ls_record_free(record);
}

static void a_login_is_read_back_as_it_was_put_down(void **state)
{
    struct ls_record *record = fresh(3, 0);
    const struct ls_login in = logged_in(100);
    size_t count;

    (void)state;
    assert_int_equal(ls_record_login(record, 1, &in), LS_OK);
    assert_memory_equal(&ls_record_logins(record, &count)[1], &in, sizeof in);
    assert_int_equal(ls_record_outcome(record, 1), LS_OUTCOME_LOGGED_IN);
    assert_int_equal(ls_record_outcome(record, 0), LS_OUTCOME_PENDING);
    assert_int_equal(ls_record_outcome(record, 2), LS_OUTCOME_PENDING);
    ls_record_free(record);
}

static void what_is_no_end_of_a_login_is_refused(void **state)
{
    static const struct {
        const char *why;
        size_t user;
        uint8_t outcome, reason;
    } rows[] = {
        {"a user beyond the end", 2, LS_OUTCOME_LOGGED_IN, 0},
        {"a user far beyond the end", SIZE_MAX, LS_OUTCOME_LOGGED_IN, 0},
        {"a login that is not over", 1, LS_OUTCOME_PENDING, 0},
        {"an outcome that there is not", 1, LS_OUTCOME_CUT_OFF + 1, 0},
        {"a reason that there is not", 1, LS_OUTCOME_FAILED, LS_REASON_COUNT},
        {"a user who had already ended", 0, LS_OUTCOME_LOGGED_IN, 0},
    };
    struct ls_record *record = fresh(2, 0);
    const struct ls_login first = logged_in(5);
    size_t count;

    (void)state;
    assert_int_equal(ls_record_login(record, 0, &first), LS_OK);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ls_login login = logged_in(1000);

        login.outcome = rows[i].outcome;
        login.reason = rows[i].reason;
        if (ls_record_login(record, rows[i].user, &login) != LS_EBROKEN) {
            fail_msg("not refused: %s", rows[i].why);
        }
    }
    assert_memory_equal(ls_record_logins(record, &count), &first, sizeof first);
    assert_int_equal(ls_record_outcome(record, 1), LS_OUTCOME_PENDING);
    ls_record_free(record);
}

static void tickets_are_put_into_a_row_that_is_there(void **state)
{
    struct ls_record *record = fresh(1, 2);
    const struct ls_handshake row = {.outcome = LS_OUTCOME_LOGGED_IN,
                                     .server_flight_bytes = 900,
                                     .received_bytes = 900,
                                     .ticket_bytes = -1};
    const struct ls_handshake *rows;
    size_t count;

    (void)state;
    assert_int_equal(ls_record_tickets(record, 0, 240), LS_EBROKEN);
    assert_int_equal(ls_record_handshake(record, &row), LS_OK);
    assert_int_equal(ls_record_tickets(record, 1, 240), LS_EBROKEN);
    assert_int_equal(ls_record_tickets(record, 0, 240), LS_OK);
    rows = ls_record_handshakes(record, &count);
    assert_int_equal(rows[0].ticket_bytes, 240);
    assert_int_equal(rows[0].received_bytes, 1140);
    assert_int_equal(rows[0].server_flight_bytes, 900);
    assert_int_equal(ls_record_tickets(record, 0, -1), LS_OK);
    assert_int_equal(rows[0].ticket_bytes, -1);
    assert_int_equal(rows[0].received_bytes, 900);
    ls_record_free(record);
}

static void handshakes_are_kept_in_order_until_the_record_is_full(void **state)
{
    struct ls_record *record = fresh(2, 2);
    struct ls_handshake row = {.started_ns = 1,
                               .user = 1,
                               .outcome = LS_OUTCOME_FAILED,
                               .reason = LS_REASON_HANDSHAKE_TIMEOUT,
                               .attempt = 1};
    const struct ls_handshake *rows;
    size_t count;

    (void)state;
    assert_int_equal(ls_record_handshake(record, &row), LS_OK);
    row.attempt = 2;
    assert_int_equal(ls_record_handshake(record, &row), LS_OK);
    row.attempt = 3;
    assert_int_equal(ls_record_handshake(record, &row), LS_EBROKEN);
    rows = ls_record_handshakes(record, &count);
    assert_int_equal(count, 2);
    assert_int_equal(rows[0].attempt, 1);
    assert_int_equal(rows[1].attempt, 2);
    ls_record_free(record);
}

static void what_is_seen_of_a_handshake_later_goes_into_its_row(void **state)
{
    struct ls_record *record = fresh(3, 2);
    struct ls_handshake in = {.user = 1, .outcome = LS_OUTCOME_LOGGED_IN};
    const struct ls_handshake *rows;
    size_t count;

    (void)state;
    assert_int_equal(ls_record_retransmits(record, 0, 5), LS_EBROKEN);
    assert_int_equal(ls_record_handshake(record, &in), LS_OK);
    in.user = 2;
    assert_int_equal(ls_record_handshake(record, &in), LS_OK);
    assert_int_equal(ls_record_retransmits(record, 1, 5), LS_OK);
    assert_int_equal(ls_record_retransmits(record, 2, 6), LS_EBROKEN);
    assert_int_equal(ls_record_retransmits(record, SIZE_MAX, 6), LS_EBROKEN);
    rows = ls_record_handshakes(record, &count);
    assert_int_equal(count, 2);
    assert_int_equal(rows[0].retransmits, 0);
    in.retransmits = 5;
    assert_memory_equal(&rows[1], &in, sizeof in);
    ls_record_free(record);
}

static void a_size_that_does_not_fit_is_zero(void **state)
{
    (void)state;
    assert_int_equal(ls_record_size(0, 0), 64);
    assert_int_equal(ls_record_size(1, 0), 128);
    assert_int_equal(ls_record_size(4, 1), 64 + 192 + 64);
    assert_int_equal(ls_record_size(SIZE_MAX / 48, 0), 0);
    assert_int_equal(ls_record_size(0, SIZE_MAX / 64), 0);
    assert_int_equal(ls_record_size(SIZE_MAX, SIZE_MAX), 0);
}

static void rows_never_overlap(void **state)
{
    struct ls_record *record = fresh(5, 3);
    size_t logins, handshakes;
    const struct ls_login *login = ls_record_logins(record, &logins);
    const struct ls_handshake *handshake = ls_record_handshakes(record, &handshakes);
    const uintptr_t end = (uintptr_t)record + ls_record_size(5, 3);

    (void)state;
    assert_true((uintptr_t)(login + 5) <= (uintptr_t)handshake);
    assert_int_equal((uintptr_t)(handshake + 3), end);
    assert_int_equal((uintptr_t)handshake % 64, 0);
    ls_record_free(record);
}

static void another_process_finds_the_record_in_the_memory(void **state)
{
    struct ls_record *record = fresh(4, 2), *found;
    const struct ls_login in = logged_in(9);
    struct ls_error err;

    (void)state;
    assert_int_equal(ls_record_login(record, 3, &in), LS_OK);
    assert_int_equal(ls_record_attach(&found, record, ls_record_size(4, 2), &err), LS_OK);
    assert_ptr_equal(found, record);
    /* A mapping is rounded up to pages. */
    assert_int_equal(ls_record_attach(&found, record, ls_record_size(4, 2) + 100, &err), LS_OK);
    ls_record_free(record);
}

static void memory_that_is_no_sound_record_is_not_attached(void **state)
{
    static const struct {
        const char *why;
        size_t at;
        uint8_t byte;
    } damage[] = {
        {"another magic", 0, 0},
        {"another version", 8, 2},
        {"login rows of another size", 12, 40},
        {"handshake rows of another size", 14, 56},
        {"more logins than the memory holds", 16, 5},
        {"a number of logins that overflows", 23, 0xff},
        {"more handshakes than the memory holds", 24, 3},
        {"a number of handshakes that overflows", 31, 0xff},
        {"more handshakes used than there are", 32, 3},
        {"an outcome that there is not", 64 + 44, 9},
        {"a reason that there is not", 64 + 43, 200},
        {"a handshake of a user that there is not", 64 + 192 + 24, 4},
        {"a handshake's outcome that there is not", 64 + 192 + 46, 4},
        {"a handshake's reason that there is not", 64 + 192 + 47, 99},
    };
    const size_t size = ls_record_size(4, 2);

    (void)state;
    for (size_t i = 0; i < sizeof damage / sizeof damage[0]; i++) {
        struct ls_record *record = fresh(4, 2), *found;
        const struct ls_handshake row = {.user = 1, .outcome = LS_OUTCOME_LOGGED_IN};
        const struct ls_login login = logged_in(1);
        struct ls_error err;

        assert_int_equal(ls_record_login(record, 0, &login), LS_OK);
        assert_int_equal(ls_record_handshake(record, &row), LS_OK);
        assert_int_equal(ls_record_attach(&found, record, size, &err), LS_OK);
        ((uint8_t *)record)[damage[i].at] = damage[i].byte;
        if (ls_record_attach(&found, record, size, &err) != LS_EBROKEN || found != NULL) {
            fail_msg("attached: %s", damage[i].why);
        }
        ls_record_free(record);
    }
}

static void memory_too_small_or_crooked_is_not_attached(void **state)
{
    struct ls_record *record = fresh(4, 2), *found;
    const size_t size = ls_record_size(4, 2);
    struct ls_error err;

    (void)state;
    assert_int_equal(ls_record_attach(&found, record, size - 1, &err), LS_EBROKEN);
    assert_int_equal(ls_record_attach(&found, record, 63, &err), LS_EBROKEN);
    assert_int_equal(ls_record_attach(&found, record, 0, &err), LS_EBROKEN);
    assert_int_equal(ls_record_attach(&found, NULL, size, &err), LS_EBROKEN);
    assert_int_equal(ls_record_attach(&found, (char *)record + 8, size - 8, &err), LS_EBROKEN);
    ls_record_free(record);
}

static void shards_add_up_to_the_whole(void **state)
{
    struct ls_record *into = fresh(4, 4), *even = fresh(4, 2), *odd = fresh(4, 2);
    size_t count;

    (void)state;
    for (uint32_t user = 0; user < 4; user++) {
        struct ls_record *shard = user % 2 == 0 ? even : odd;
        const struct ls_login login = logged_in(user);
        const struct ls_handshake row = {.user = user, .outcome = LS_OUTCOME_LOGGED_IN};

        assert_int_equal(ls_record_login(shard, user, &login), LS_OK);
        assert_int_equal(ls_record_handshake(shard, &row), LS_OK);
    }
    assert_int_equal(ls_record_merge(into, even, NULL), LS_OK);
    assert_int_equal(ls_record_outcome(into, 1), LS_OUTCOME_PENDING);
    assert_int_equal(ls_record_merge(into, odd, NULL), LS_OK);
    for (size_t user = 0; user < 4; user++) {
        assert_int_equal(ls_record_outcome(into, user), LS_OUTCOME_LOGGED_IN);
        assert_int_equal(ls_record_logins(into, &count)[user].due_ns, user);
    }
    (void)ls_record_handshakes(into, &count);
    assert_int_equal(count, 4);
    ls_record_free(into);
    ls_record_free(even);
    ls_record_free(odd);
}

static void a_shard_that_does_not_fit_is_refused_whole(void **state)
{
    struct ls_record *into = fresh(3, 1), *shard = fresh(3, 2), *other = fresh(4, 0);
    const struct ls_login login = logged_in(1);
    const struct ls_handshake row = {.user = 0, .outcome = LS_OUTCOME_LOGGED_IN};
    struct ls_error err;
    size_t count;

    (void)state;
    assert_int_equal(ls_record_merge(into, other, &err), LS_EBROKEN);
    assert_int_equal(ls_record_login(shard, 0, &login), LS_OK);
    assert_int_equal(ls_record_handshake(shard, &row), LS_OK);
    assert_int_equal(ls_record_handshake(shard, &row), LS_OK);
    assert_int_equal(ls_record_merge(into, shard, &err), LS_EBROKEN);
    assert_string_equal(err.text, "no room for a shard's 2 handshakes: 1 are left");
    assert_int_equal(ls_record_outcome(into, 0), LS_OUTCOME_PENDING);
    (void)ls_record_handshakes(into, &count);
    assert_int_equal(count, 0);
    ls_record_free(into);
    ls_record_free(shard);
    ls_record_free(other);
}

static void a_user_of_two_shards_is_refused(void **state)
{
    struct ls_record *into = fresh(2, 0), *shard = fresh(2, 0);
    const struct ls_login login = logged_in(1);
    struct ls_error err;

    (void)state;
    assert_int_equal(ls_record_login(into, 1, &login), LS_OK);
    assert_int_equal(ls_record_login(shard, 0, &login), LS_OK);
    assert_int_equal(ls_record_login(shard, 1, &login), LS_OK);
    assert_int_equal(ls_record_merge(into, shard, &err), LS_EBROKEN);
    assert_string_equal(err.text, "two shards have both logged in user 1");
    assert_int_equal(ls_record_outcome(into, 0), LS_OUTCOME_PENDING);
    ls_record_free(into);
    ls_record_free(shard);
}

#define PUBLISHED 20000
static void *publish(void *argument)
{
    for (size_t user = 0; user < PUBLISHED; user++) {
        const struct ls_login login = logged_in((int64_t)user * 10);

        if (ls_record_login(argument, user, &login) != LS_OK) {
            return argument;
        }
    }
    return NULL;
}

static void a_reader_that_sees_the_outcome_sees_the_whole_row(void **state)
{
    struct ls_record *record = fresh(PUBLISHED, 0);
    size_t count;
    const struct ls_login *rows = ls_record_logins(record, &count);
    pthread_t writer;
    void *failed;

    (void)state;
    assert_int_equal(pthread_create(&writer, NULL, publish, record), 0);
    for (size_t user = 0; user < PUBLISHED; user++) {
        while (ls_record_outcome(record, user) == LS_OUTCOME_PENDING) {
        }
        assert_int_equal(rows[user].due_ns, user * 10);
        assert_int_equal(rows[user].done_ns, user * 10 + 4);
        assert_int_equal(rows[user].attempts, 1);
    }
    assert_int_equal(pthread_join(writer, &failed), 0);
    assert_null(failed);
    ls_record_free(record);
}

static void every_reason_is_found_by_its_word(void **state)
{
    enum ls_reason found;

    (void)state;
    for (unsigned i = 0; i < LS_REASON_COUNT; i++) {
        assert_true(ls_reason_find(ls_reason_word((enum ls_reason)i), &found));
        assert_int_equal(found, i);
        assert_true(ls_reason_text((enum ls_reason)i)[0] != '\0');
    }
    assert_false(ls_reason_find("no_such_reason", &found));
    assert_string_equal(ls_reason_word((enum ls_reason)200), "unknown");
    assert_true(ls_reason_ours((enum ls_reason)200));
}

static void only_our_own_limits_are_ours(void **state)
{
    (void)state;
    for (unsigned i = 0; i < LS_REASON_COUNT; i++) {
        const bool expected = i >= LS_REASON_OWN_DESCRIPTORS;

        assert_int_equal(ls_reason_ours((enum ls_reason)i), expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_record_has_every_login_pending_and_no_handshake),
        cmocka_unit_test(a_login_is_read_back_as_it_was_put_down),
        cmocka_unit_test(what_is_no_end_of_a_login_is_refused),
        cmocka_unit_test(tickets_are_put_into_a_row_that_is_there),
        cmocka_unit_test(handshakes_are_kept_in_order_until_the_record_is_full),
        cmocka_unit_test(what_is_seen_of_a_handshake_later_goes_into_its_row),
        cmocka_unit_test(a_size_that_does_not_fit_is_zero),
        cmocka_unit_test(rows_never_overlap),
        cmocka_unit_test(another_process_finds_the_record_in_the_memory),
        cmocka_unit_test(memory_that_is_no_sound_record_is_not_attached),
        cmocka_unit_test(memory_too_small_or_crooked_is_not_attached),
        cmocka_unit_test(shards_add_up_to_the_whole),
        cmocka_unit_test(a_shard_that_does_not_fit_is_refused_whole),
        cmocka_unit_test(a_user_of_two_shards_is_refused),
        cmocka_unit_test(a_reader_that_sees_the_outcome_sees_the_whole_row),
        cmocka_unit_test(every_reason_is_found_by_its_word),
        cmocka_unit_test(only_our_own_limits_are_ours),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
