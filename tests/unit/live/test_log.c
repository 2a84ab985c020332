/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "live/log.h"

static void an_event_is_an_id_a_name_and_a_line(void **state)
{
    static const char first[] = "id: beef-1\nevent: point\ndata: {\"a\":1}\n\n";
    static const char second[] = "id: beef-2\nevent: end\ndata: {}\n\n";
    struct log log = {.storm = 0xbeef};
    struct ls_error err;
    const struct log_event *event;

    (void)state;
    assert_null(log_behind(&log, 0));
    assert_int_equal(log_add(&log, "point", "{\"a\":1}", &err), LS_OK);
    assert_int_equal(log_add(&log, "end", "{}", &err), LS_OK);
    event = log_behind(&log, 0);
    assert_int_equal(event->size, strlen(first));
    assert_memory_equal(event->text, first, event->size);
    event = log_behind(&log, event->id);
    assert_int_equal(event->size, strlen(second));
    assert_memory_equal(event->text, second, event->size);
    assert_null(log_behind(&log, event->id));
    log_clear(&log);
}

static void an_id_counts_in_its_own_storm_alone(void **state)
{
    static const struct {
        const char *why, *text;
        int64_t id;
    } rows[] = {
        {"its own", "beef-2", 2},
        {"the last one", "beef-3", 3},
        {"not told yet", "beef-4", 0},
        {"of another storm", "bee-2", 0},
        {"of a storm that begins like it", "beef0-2", 0},
        {"nothing", "", 0},
        {"no number", "beef-", 0},
        {"more than a number", "beef-2x", 0},
        {"below all", "beef--1", 0},
        {"beyond all numbers", "beef-99999999999999999999", 0},
        {"a storm beyond all numbers", "fffffffffffffffffffff-1", 0},
        {"a number alone", "2", 0},
    };
    struct log log = {.storm = 0xbeef};
    struct ls_error err;

    (void)state;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(log_add(&log, "point", "{}", &err), LS_OK);
    }
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (log_id(&log, rows[i].text) != rows[i].id) {
            fail_msg("%s: %s", rows[i].why, rows[i].text);
        }
    }
    log_clear(&log);
}

static void a_full_log_keeps_every_second_event_and_the_newest(void **state)
{
    struct log log = {.storm = 1};
    struct ls_error err;
    const struct log_event *event;
    int64_t before = 0;
    size_t count = 0;

    (void)state;
    for (int i = 0; i < 10 * LOG_EVENTS_MAX; i++) {
        assert_int_equal(log_add(&log, "point", "{}", &err), LS_OK);
        assert_true(log.count < LOG_EVENTS_MAX);
        assert_int_equal(log.events[log.count - 1].id, i + 1);
    }
    for (event = log_behind(&log, 0); event != NULL; event = log_behind(&log, event->id)) {
        assert_true(event->id > before);
        before = event->id;
        count++;
    }
    assert_int_equal(before, 10 * LOG_EVENTS_MAX);
    assert_int_equal(count, log.count);
    assert_true(count >= LOG_EVENTS_MAX / 2 - 1);
    log_clear(&log);
}

static void long_events_are_bounded_by_their_bytes(void **state)
{
    struct log log = {.storm = 1};
    struct ls_error err;
    static char text[LOG_EVENT_MAX];
    size_t bytes = 0;

    (void)state;
    memset(text, 'x', sizeof text - 1);
    assert_int_equal(log_add(&log, "point", text, &err), LS_ERANGE);
    assert_int_equal(log.count, 0);
    text[sizeof text - 64] = '\0';
    for (int i = 0; i < 12000; i++) {
        assert_int_equal(log_add(&log, "point", text, &err), LS_OK);
        assert_true(log.bytes <= LOG_BYTES_MAX);
    }
    for (size_t i = 0; i < log.count; i++) {
        bytes += log.events[i].size;
    }
    assert_int_equal(bytes, log.bytes);
    log_clear(&log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_event_is_an_id_a_name_and_a_line),
        cmocka_unit_test(an_id_counts_in_its_own_storm_alone),
        cmocka_unit_test(a_full_log_keeps_every_second_event_and_the_newest),
        cmocka_unit_test(long_events_are_bounded_by_their_bytes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
