/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mpi/gather.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "loginstorm/units.h"

#define PATIENCE_NS (10 * LS_NS_PER_S)

static struct gather gather;
static struct ls_error err;

static int begin(void **state)
{
    (void)state;
    return gather_new(&gather, 3, PATIENCE_NS, 0, &err) == LS_OK ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    gather_clear(&gather);
    return 0;
}

static struct gather_report report_of(int64_t samples_bytes, int64_t result_bytes)
{
    return (struct gather_report){
        .count = 2,
        .files = {{.name = "samples.csv", .size_bytes = samples_bytes},
                  {.name = GATHER_LAST, .size_bytes = result_bytes}},
    };
}

static void take(int shard, const struct gather_report *report, int64_t now_ns)
{
    assert_int_equal(gather_take_report(&gather, shard, report, now_ns, &err), LS_OK);
}

static void a_folder_comes_in_pieces_file_by_file(void **state)
{
    const struct gather_report report = report_of((int64_t)GATHER_PIECE + 5, (int64_t)GATHER_PIECE);

    (void)state;
    take(1, &report, 1);
    assert_int_equal(gather.shards[1].state, GATHER_COMING);
    assert_int_equal(gather_piece(&gather, 1), GATHER_PIECE);
    assert_false(gather_take_piece(&gather, 1, 2));
    assert_int_equal(gather_piece(&gather, 1), 5);
    assert_true(gather_take_piece(&gather, 1, 3));
    assert_int_equal(gather.shards[1].state, GATHER_COMING);
    assert_int_equal(gather_piece(&gather, 1), GATHER_PIECE);
    assert_true(gather_take_piece(&gather, 1, 4));
    assert_int_equal(gather.shards[1].state, GATHER_THERE);
}

static void an_empty_file_is_one_empty_piece(void **state)
{
    const struct gather_report report = report_of(0, 1);

    (void)state;
    take(2, &report, 1);
    assert_int_equal(gather_piece(&gather, 2), 0);
    assert_true(gather_take_piece(&gather, 2, 2));
    assert_int_equal(gather_piece(&gather, 2), 1);
    assert_true(gather_take_piece(&gather, 2, 3));
    assert_int_equal(gather.shards[2].state, GATHER_THERE);
}

static void who_shares_the_folder_sends_nothing_and_who_has_no_result_is_lost(void **state)
{
    struct gather_report report = report_of(1, 1);

    (void)state;
    report.shares = 1;
    take(0, &report, 1);
    assert_int_equal(gather.shards[0].state, GATHER_THERE);
    report.count = 0;
    report.status = 69;
    take(1, &report, 1);
    assert_int_equal(gather.shards[1].state, GATHER_LOST);
    assert_int_equal(gather.shards[1].report.status, 69);
}

static void it_is_over_when_all_are_there_or_nobody_was_heard_for_long(void **state)
{
    struct gather_report report = report_of(1, 1);

    (void)state;
    report.shares = 1;
    take(0, &report, 5);
    assert_false(gather_is_over(&gather, 5));
    report.shares = 0;
    take(1, &report, PATIENCE_NS);
    /* A word of one is time for all. */
    assert_false(gather_is_over(&gather, 2 * PATIENCE_NS - 1));
    assert_int_equal(gather.shards[2].state, GATHER_SILENT);
    assert_true(gather_is_over(&gather, 2 * PATIENCE_NS));
    assert_int_equal(gather.shards[0].state, GATHER_THERE);
    assert_int_equal(gather.shards[1].state, GATHER_LOST);
    assert_int_equal(gather.shards[2].state, GATHER_LOST);
}

static void it_is_over_at_once_when_nobody_is_awaited(void **state)
{
    struct gather_report report = report_of(1, 1);

    (void)state;
    report.shares = 1;
    take(0, &report, 1);
    take(1, &report, 1);
    assert_false(gather_is_over(&gather, 1));
    gather_lose(&gather, 2);
    assert_true(gather_is_over(&gather, 1));
}

static void what_no_shard_has_is_refused(void **state)
{
    static const struct {
        const char *name;
        int64_t size_bytes;
        int32_t count;
        const char *why;
    } rows[] = {
        {"../../etc/passwd", 1, 2, "it leads out"},
        {"/etc/passwd", 1, 2, "it leads elsewhere"},
        {".profile", 1, 2, "hidden"},
        {"", 1, 2, "no name"},
        {"samples.csv", -1, 2, "no size"},
        {"samples.csv", INT64_MAX, 2, "no such disk"},
        {"samples.csv", 1, 1, "no result"},
        {"samples.csv", 1, -1, "fewer than none"},
        {"samples.csv", 1, GATHER_FILES + 1, "more than there is room for"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct gather_report report = report_of(rows[i].size_bytes, 1);

        print_message("%s\n", rows[i].why);
        (void)snprintf(report.files[0].name, GATHER_NAME, "%s", rows[i].name);
        report.count = rows[i].count;
        gather.shards[0].state = GATHER_SILENT;
        assert_int_equal(gather_take_report(&gather, 0, &report, 1, &err), LS_EBROKEN);
        assert_int_equal(gather.shards[0].state, GATHER_LOST);
    }
}

static void a_name_without_an_end_is_none(void **state)
{
    struct gather_report report = report_of(1, 1);

    (void)state;
    memset(report.files[0].name, 'a', GATHER_NAME);
    assert_int_equal(gather_take_report(&gather, 0, &report, 1, &err), LS_EBROKEN);
}

static void a_second_report_is_refused(void **state)
{
    const struct gather_report report = report_of(1, 1);

    (void)state;
    take(0, &report, 1);
    assert_int_equal(gather_take_report(&gather, 0, &report, 2, &err), LS_EBROKEN);
    assert_string_equal(err.text, "shard 1 of 3 reports what no shard has");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_folder_comes_in_pieces_file_by_file),
        TEST(an_empty_file_is_one_empty_piece),
        TEST(who_shares_the_folder_sends_nothing_and_who_has_no_result_is_lost),
        TEST(it_is_over_when_all_are_there_or_nobody_was_heard_for_long),
        TEST(it_is_over_at_once_when_nobody_is_awaited),
        TEST(what_no_shard_has_is_refused),
        TEST(a_name_without_an_end_is_none),
        TEST(a_second_report_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
