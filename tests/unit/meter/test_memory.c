/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "loginstorm/meter.h"
#include "meter/counters.h"
#include "meter/tree.h"
#include "unit/refusing.h"

static pid_t gateway; /* a process that is no child of ours */

static enum ls_code play_counters(struct ls_error *err)
{
    char text[8192] = "";
    const struct counters_when when = {0};
    struct counters counters = {0};
    enum ls_code code;
    size_t used = 0;

    for (int i = 0; i < 100; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 "node_cpu_seconds_total{cpu=\"%d\",mode=\"user\"} %d\n", i, i);
    }
    code = counters_take(&counters, text, used, &when, err);
    if (code == LS_OK) {
        code = counters_take(&counters, text, used, &when, err);
    }
    counters_free(&counters);
    return code;
}

static enum ls_code play_tree(struct ls_error *err)
{
    struct tree *tree;
    struct spent spent;
    enum ls_code code = tree_new(&tree, gateway, NULL, err);

    if (code == LS_OK) {
        code = tree_read(tree, &spent, err);
    }
    if (tree != NULL) {
        tree_free(tree);
    }
    return code;
}

static void on_read(const struct ls_watch_reading *reading, void *data)
{
    (void)reading;
    *(int *)data += 1;
}

static void on_failed(const struct ls_error *why, void *data)
{
    assert_true(why->code == LS_EUNREACHABLE || why->code == LS_ENOMEM);
    *(int *)data += 1;
}

static enum ls_code play_watch(enum ls_watch_from from, struct ls_error *err)
{
    int answers = 0;
    const struct ls_watch_wish wish = {.from = from,
                                       .pid = gateway,
                                       .url = "http://127.0.0.1:1/metrics",
                                       .read = on_read,
                                       .failed = on_failed,
                                       .data = &answers};
    struct ls_watch *watch;
    uv_loop_t loop;
    enum ls_code code;

    assert_int_equal(uv_loop_init(&loop), 0);
    code = ls_watch_new(&watch, &loop, &wish, err);
    if (code == LS_OK) {
        ls_watch_ask(watch);
        while (ls_watch_is_asking(watch)) {
            (void)uv_run(&loop, UV_RUN_ONCE);
        }
        assert_int_equal(answers, 1);
        ls_watch_close(watch);
    }
    (void)uv_run(&loop, UV_RUN_DEFAULT);
    ls_watch_free(watch);
    assert_int_equal(uv_loop_close(&loop), 0);
    return code;
}

static enum ls_code play_exporter(struct ls_error *err)
{
    return play_watch(LS_WATCH_EXPORTER, err);
}

static enum ls_code play_process(struct ls_error *err)
{
    return play_watch(LS_WATCH_PROCESS, err);
}

static void an_allocation_that_fails_is_one_clear_error(void **state)
{
    static enum ls_code (*const plays[])(struct ls_error * err) = {play_counters, play_tree,
                                                                   play_exporter, play_process};

    (void)state;
    for (size_t i = 0; i < sizeof plays / sizeof plays[0]; i++) {
        struct ls_error err = {0};
        long wanted;

        refuse_at = -1;
        assert_int_equal(plays[i](&err), LS_OK); /* what is loaded once is loaded */
        allocations = blocks = 0;
        assert_int_equal(plays[i](&err), LS_OK);
        assert_int_equal(blocks, 0);
        wanted = allocations;
        assert_true(wanted > 0);
        for (long n = 0; n < wanted; n++) {
            enum ls_code code;

            allocations = blocks = 0;
            refuse_at = n;
            err = (struct ls_error){0};
            code = plays[i](&err);
            refuse_at = -1;
            if (blocks != 0) {
                fail_msg("play %zu, allocation %ld: %ld blocks are left", i, n, blocks);
            }
            /* One for a socket makes no reading, as a refused connection does. */
            if (code != LS_OK && (code != LS_ENOMEM || strstr(err.text, "memory") == NULL)) {
                fail_msg("play %zu, allocation %ld: %d, %s", i, n, (int)code, err.text);
            }
        }
    }
}

/* It ends with us, by the pipe. */
static void start_gateway(void)
{
    int to[2], from[2];
    char byte;

    if (pipe(to) != 0 || pipe(from) != 0) {
        abort();
    }
    if (fork() == 0) {
        (void)close(to[1]);
        gateway = fork();
        if (gateway == 0) {
            (void)!read(to[0], &byte, 1);
            _exit(0);
        }
        (void)!write(from[1], &gateway, sizeof gateway);
        (void)!read(to[0], &byte, 1);
        _exit(0);
    }
    if (read(from[0], &gateway, sizeof gateway) != sizeof gateway) {
        abort();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_allocation_that_fails_is_one_clear_error),
    };

    start_gateway();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
