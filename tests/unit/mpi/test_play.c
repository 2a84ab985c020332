/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mpi/play.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "loginstorm/units.h"

static char told[8192];
static struct ls_error err;

static void take(const char *line, void *data)
{
    (void)data;
    (void)strncat(told, line, sizeof told - strlen(told) - 1);
    (void)strncat(told, "|", sizeof told - strlen(told) - 1);
}

/* A shell takes the place of loginstorm. */
static struct play start(const char *script)
{
    const char *const argv[] = {"/bin/sh", "-c", script, NULL};
    struct play play = {.tell = take};

    told[0] = '\0';
    assert_int_equal(play_start(&play, argv, true, true, &err), LS_OK);
    return play;
}

static void a_shard_says_that_it_is_ready_and_is_told_its_start(void **state)
{
    struct play play =
        start("echo looking >&2; echo 'ready; standard input is to say when it starts, at least 7 "
              "s ahead' >&2; read line; echo \"got $line\" >&2; exit 98");

    (void)state;
    while (!play.ready) {
        play_look(&play, 100);
    }
    assert_int_equal(play.needs_ns, 7 * LS_NS_PER_S);
    assert_false(play.over);
    play_tell(&play, "@5 +0 0\n");
    play_await_end(&play);
    assert_int_equal(play.status, 98);
    assert_non_null(strstr(told, "looking|ready; "));
    assert_non_null(strstr(told, "|got @5 +0 0|"));
}

static void one_that_ends_before_has_said_why(void **state)
{
    struct play play =
        start("printf 'a.yaml:1:2: error: no' >&2; sleep 0.1; printf ' such thing\\n' "
              ">&2; exit 65");

    (void)state;
    play_await_end(&play);
    assert_false(play.ready);
    assert_int_equal(play.status, 65);
    assert_string_equal(play.said, "no such thing");
}

static void what_a_process_of_its_own_holds_open_is_not_waited_for(void **state)
{
    struct play play = start("sleep 1000 & echo $! >&2; exit 3");
    int orphan;

    (void)state;
    play_await_end(&play);
    assert_int_equal(play.status, 3);
    assert_int_equal(sscanf(told, "%d|", &orphan), 1); /* NOLINT(cert-err34-c) */
    assert_int_equal(kill(orphan, SIGKILL), 0);
}

static void a_line_that_is_too_long_comes_in_parts(void **state)
{
    struct play play = start("printf '%3000d\\nend\\n' 7 >&2");

    (void)state;
    play_await_end(&play);
    assert_non_null(strstr(told, "7|end|"));
    assert_int_equal(strlen(told), 3000 + 1 + 1 + 4);
}

static void one_that_a_signal_ends_has_its_number(void **state)
{
    struct play play = start("kill -KILL $$");

    (void)state;
    play_await_end(&play);
    assert_int_equal(play.status, 128 + SIGKILL);
    play = start("while :; do sleep 0.05; done");
    play_stop(&play);
    assert_int_equal(play.status, 128 + SIGTERM);
}

static void a_program_that_is_not_there_is_told(void **state)
{
    const char *const argv[] = {"/nowhere/loginstorm", NULL};
    struct play play = {.tell = take};

    (void)state;
    assert_int_equal(play_start(&play, argv, true, false, &err), LS_OK);
    play_await_end(&play);
    assert_int_equal(play.status, 127);
    assert_string_equal(play.said, "cannot run /nowhere/loginstorm: No such file or directory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_shard_says_that_it_is_ready_and_is_told_its_start),
        cmocka_unit_test(one_that_ends_before_has_said_why),
        cmocka_unit_test(what_a_process_of_its_own_holds_open_is_not_waited_for),
        cmocka_unit_test(a_line_that_is_too_long_comes_in_parts),
        cmocka_unit_test(one_that_a_signal_ends_has_its_number),
        cmocka_unit_test(a_program_that_is_not_there_is_told),
    };

    play_catch_signals();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
