/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "loginstorm/live.h"
#include "unit/live/kit.h"
#include "unit/refusing.h"

static char got[1 << 16];

static void a_log_without_memory_is_as_it_was(void **state)
{
    struct log log = {.storm = 1};
    struct ls_error err;
    long needed;

    (void)state;
    blocks = allocations = 0;
    refuse_at = -1;
    for (int i = 0; i < 300; i++) {
        assert_int_equal(log_add(&log, "point", "{}", &err), LS_OK);
    }
    needed = allocations;
    log_clear(&log);
    assert_int_equal(blocks, 0);
    for (long i = 0; i < needed; i++) {
        int64_t told = 0;

        allocations = 0;
        refuse_at = i;
        log.storm = 1;
        for (int event = 0; event < 300; event++) {
            const size_t before = log.count;

            err = (struct ls_error){0};
            if (log_add(&log, "point", "{}", &err) == LS_OK) {
                told++;
            } else {
                assert_int_equal(err.code, LS_ENOMEM);
                assert_int_equal(log.count, before);
            }
        }
        assert_int_equal(told, 299);
        assert_int_equal(log.last_id, 299);
        log_clear(&log);
        assert_int_equal(blocks, 0);
    }
    refuse_at = -1;
}

/* 0: the conductor's own; 1: the server's, which the conductor is told of. */
static void without_memory_there_is_no_page_but_a_clear_error(void **state)
{
    const struct ls_live_wish wish = {.address = "127.0.0.1:0", .page = PAGE, .page_bytes = 1};

    (void)state;
    for (long i = 0; i < 2; i++) {
        struct ls_error err = {0};
        struct ls_live *live;

        blocks = allocations = 0;
        refuse_at = i;
        assert_int_equal(ls_live_open(&live, &wish, &err), LS_ENOMEM);
        assert_null(live);
        assert_non_null(strstr(err.text, "no memory for the live page"));
        assert_int_equal(blocks, 0);
    }
    refuse_at = -1;
}

/* Of a server: 0 is its own, 1 the log's, 2 an event's. */
static void a_point_without_memory_is_a_point_less(void **state)
{
    (void)state;
    for (long i = 1; i < 3; i++) {
        struct kit kit;
        int fd;

        allocations = 0;
        refuse_at = i;
        kit_start(&kit);
        kit_tell(&kit, "point {\"n\":1}");
        kit_tell(&kit, "point {\"n\":2}");
        fd = kit_ask(&kit, WATCH);
        kit_await(fd, "{\"n\":2}", got, sizeof got);
        assert_null(strstr(got, "{\"n\":1}"));
        (void)close(fd);
        kit_stop(&kit);
    }
    refuse_at = -1;
}

static void an_end_without_memory_is_an_end_all_the_same(void **state)
{
    struct kit kit;
    int fd;

    (void)state;
    for (long i = 1; i < 3; i++) {
        allocations = 0;
        refuse_at = i;
        kit_start(&kit);
        fd = kit_ask(&kit, WATCH);
        kit_await(fd, "event: storm", got, sizeof got);
        kit_tell(&kit, "end {}");
        (void)kit_read(fd, got, sizeof got);
        kit_ended(&kit);
    }
    refuse_at = -1;
}

static void a_report_without_memory_is_not_there(void **state)
{
    struct kit kit;
    int fd;

    (void)state;
    allocations = 0;
    refuse_at =
        3; /* behind its own, the log's and the event's; what fopen takes is the library's */
    kit_start(&kit);
    fd = kit_ask(&kit, WATCH);
    kit_await(fd, "event: storm", got, sizeof got);
    kit_tell(&kit, "report /etc/passwd");
    kit_tell(&kit, "end {}");
    (void)kit_read(fd, got, sizeof got);
    assert_non_null(strstr(got, "event: end"));
    kit_ended(&kit);
    refuse_at = -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_log_without_memory_is_as_it_was),
        cmocka_unit_test(without_memory_there_is_no_page_but_a_clear_error),
        cmocka_unit_test(a_point_without_memory_is_a_point_less),
        cmocka_unit_test(an_end_without_memory_is_an_end_all_the_same),
        cmocka_unit_test(a_report_without_memory_is_not_there),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
