/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "storm/control.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void a_line_is_a_verb_with_numbers_or_text(void **state)
{
    static const struct {
        const char *text, *verb;
        int count;
        int64_t first, last;
        const char *rest;
    } rows[] = {
        {"ready", "ready", 0, 0, 0, ""},
        {"control 1", "control", 1, 1, 1, ""},
        {"tick 10 8 1 -1", "tick", 4, 10, -1, ""},
        {"go 9223372036854775807", "go", 1, INT64_MAX, INT64_MAX, ""},
        {"go -9223372036854775808", "go", 1, INT64_MIN, INT64_MIN, ""},
        {"go 9223372036854775808", "go", 0, 0, 0, "9223372036854775808"},
        {"go 12x", "go", 0, 0, 0, "12x"},
        {"go 1.5", "go", 0, 0, 0, "1.5"},
        {"a 1 2 3 4 5 6 7 8", "a", 8, 1, 8, ""},
        {"a 1 2 3 4 5 6 7 8 9", "a", 8, 1, 8, "9"},
        {"error 9 no memory", "error", 1, 9, 9, "no memory"},
        {"error 13 7 rows could not be recorded", "error", 1, 13, 13,
         "7 rows could not be recorded"},
        {"error no number", "error", 0, 0, 0, "no number"},
        {"error 9", "error", 1, 9, 9, ""},
        {"stop ", "stop", 0, 0, 0, ""},
        {"abcdefghijklmno", "abcdefghijklmno", 0, 0, 0, ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct control_line line;

        print_message("%s\n", rows[i].text);
        assert_true(control_parse(rows[i].text, &line));
        assert_string_equal(line.verb, rows[i].verb);
        assert_int_equal(line.count, rows[i].count);
        if (line.count > 0) {
            assert_int_equal(line.numbers[0], rows[i].first);
            assert_int_equal(line.numbers[line.count - 1], rows[i].last);
        }
        assert_string_equal(line.text, rows[i].rest);
    }
}

static void what_is_no_line_of_ours_is_known(void **state)
{
    static const char *const texts[] = {
        "",  " ",         " ready",           "Ready",          "ready!", "\x16\x03\x01",
        "1", "read\ty 1", "abcdefghijklmnop", "GET / HTTP/1.1",
    };

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct control_line line;

        assert_false(control_parse(texts[i], &line));
    }
}

/* A control whose other side is two descriptors of ours. */
struct bench {
    uv_loop_t loop;
    struct control control;
    int to, from;
    char heard[4096]; /* verb(count)text; of each line */
    int lines, ended;
    bool closes; /* itself, at its first line */
};

static void on_line(struct control *control, const struct control_line *line)
{
    struct bench *bench = control->data;
    const size_t length = strlen(bench->heard);

    bench->lines++;
    (void)snprintf(bench->heard + length, sizeof bench->heard - length, "%s(%d)%s;", line->verb,
                   line->count, line->text);
    if (bench->closes) {
        control_close(control, NULL);
    }
}

static void on_ended(struct control *control)
{
    struct bench *bench = control->data;

    bench->ended++;
}

static void bench_init(struct bench *bench)
{
    int to[2], from[2];

    (void)signal(SIGPIPE, SIG_IGN);
    *bench = (struct bench){.control = {.line = on_line, .ended = on_ended}};
    bench->control.data = bench;
    assert_int_equal(pipe(to), 0);
    assert_int_equal(pipe(from), 0);
    bench->to = to[1];
    bench->from = from[0];
    assert_int_equal(uv_loop_init(&bench->loop), 0);
    assert_int_equal(uv_pipe_init(&bench->loop, &bench->control.in, 0), 0);
    assert_int_equal(uv_pipe_init(&bench->loop, &bench->control.out, 0), 0);
    assert_int_equal(uv_pipe_open(&bench->control.in, to[0]), 0);
    assert_int_equal(uv_pipe_open(&bench->control.out, from[1]), 0);
    assert_int_equal(control_start(&bench->control), 0);
}

static void bench_free(struct bench *bench)
{
    if (!bench->closes) {
        control_close(&bench->control, NULL);
    }
    (void)uv_run(&bench->loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&bench->loop), 0);
    if (bench->to >= 0) {
        (void)close(bench->to);
    }
    if (bench->from >= 0) {
        (void)close(bench->from);
    }
}

static void feed(struct bench *bench, const char *data, size_t size)
{
    assert_int_equal(write(bench->to, data, size), (ssize_t)size);
    (void)uv_run(&bench->loop, UV_RUN_NOWAIT);
}

static void lines_may_come_in_any_parts(void **state)
{
    static const char lines[] = "control 1\nready\ntick 4 3 2 1\nerror 9 of a kind\n";
    static const char heard[] = "control(1);ready(0);tick(4);error(1)of a kind;";

    (void)state;
    for (size_t part = 1; part <= sizeof lines; part++) {
        struct bench bench;

        bench_init(&bench);
        for (size_t at = 0; at < sizeof lines - 1; at += part) {
            feed(&bench, lines + at, part < sizeof lines - 1 - at ? part : sizeof lines - 1 - at);
        }
        assert_string_equal(bench.heard, heard);
        assert_int_equal(bench.ended, 0);
        bench_free(&bench);
    }
}

static void the_end_of_the_other_side_is_told_once_behind_its_lines(void **state)
{
    struct bench bench;

    (void)state;
    bench_init(&bench);
    assert_int_equal(write(bench.to, "decided\nhalf", 12), 12);
    (void)close(bench.to);
    bench.to = -1;
    while (bench.ended == 0) {
        (void)uv_run(&bench.loop, UV_RUN_ONCE);
    }
    assert_string_equal(bench.heard, "decided(0);");
    (void)uv_run(&bench.loop, UV_RUN_NOWAIT);
    assert_int_equal(bench.ended, 1);
    bench_free(&bench);
}

static void garbage_ends_the_conversation(void **state)
{
    struct bench bench;

    (void)state;
    bench_init(&bench);
    feed(&bench, "ready\nHello!\nready\n", 19);
    assert_string_equal(bench.heard, "ready(0);");
    assert_int_equal(bench.ended, 1);
    feed(&bench, "ready\n", 6);
    assert_int_equal(bench.lines, 1);
    assert_int_equal(bench.ended, 1);
    bench_free(&bench);
}

static void a_line_has_a_longest_length(void **state)
{
    (void)state;
    for (size_t size = CONTROL_LINE_MAX - 1; size <= CONTROL_LINE_MAX + 1; size++) {
        struct bench bench;
        char line[CONTROL_LINE_MAX + 1];

        bench_init(&bench);
        memset(line, 'x', sizeof line);
        memcpy(line, "error 9 ", 8);
        line[size - 1] = '\n';
        feed(&bench, line, size);
        (void)uv_run(&bench.loop, UV_RUN_NOWAIT);
        /* 1,024 bytes with its end fit; one more does not. */
        assert_int_equal(bench.lines, size <= CONTROL_LINE_MAX ? 1 : 0);
        assert_int_equal(bench.ended, size <= CONTROL_LINE_MAX ? 0 : 1);
        bench_free(&bench);
    }
}

static void a_line_s_reader_may_close(void **state)
{
    struct bench bench;

    (void)state;
    bench_init(&bench);
    bench.closes = true;
    feed(&bench, "stop\nready\nready\n", 17);
    assert_string_equal(bench.heard, "stop(0);");
    assert_int_equal(bench.ended, 0);
    bench_free(&bench);
}

static void what_is_sent_is_one_line(void **state)
{
    static const struct {
        const char *text, *line;
    } rows[] = {
        {"no memory", "error 9 no memory\n"},
        {"first\nsecond\n", "error 9 first second \n"},
        {"", "error 9 \n"},
    };
    struct bench bench;
    char got[CONTROL_LINE_MAX * 2];
    char text[CONTROL_LINE_MAX * 2];
    ssize_t size;

    (void)state;
    bench_init(&bench);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        control_send(&bench.control, "error %d %s", 9, rows[i].text);
        (void)uv_run(&bench.loop, UV_RUN_NOWAIT);
        size = read(bench.from, got, sizeof got - 1);
        assert_int_equal(size, strlen(rows[i].line));
        got[size] = '\0';
        assert_string_equal(got, rows[i].line);
    }
    /* What is too long is cut, so that the other side still takes it for a line. */
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    control_send(&bench.control, "error %d %s", 9, text);
    (void)uv_run(&bench.loop, UV_RUN_NOWAIT);
    size = read(bench.from, got, sizeof got);
    assert_int_equal(size, CONTROL_LINE_MAX - 1);
    assert_int_equal(got[size - 1], '\n');
    bench_free(&bench);
}

static void a_line_for_nobody_is_dropped(void **state)
{
    struct bench bench;

    (void)state;
    bench_init(&bench);
    (void)close(bench.from);
    bench.from = -1;
    control_send(&bench.control, "ready");
    (void)uv_run(&bench.loop, UV_RUN_NOWAIT);
    control_send(&bench.control, "ready");
    (void)uv_run(&bench.loop, UV_RUN_NOWAIT);
    control_close(&bench.control, NULL);
    control_send(&bench.control, "ready");
    bench.closes = true;
    bench_free(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_a_verb_with_numbers_or_text),
        cmocka_unit_test(what_is_no_line_of_ours_is_known),
        cmocka_unit_test(lines_may_come_in_any_parts),
        cmocka_unit_test(the_end_of_the_other_side_is_told_once_behind_its_lines),
        cmocka_unit_test(garbage_ends_the_conversation),
        cmocka_unit_test(a_line_has_a_longest_length),
        cmocka_unit_test(a_line_s_reader_may_close),
        cmocka_unit_test(what_is_sent_is_one_line),
        cmocka_unit_test(a_line_for_nobody_is_dropped),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
