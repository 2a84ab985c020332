/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "meter/tree.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "loginstorm/units.h"
#include "meter/stat.h"

#define WORK_NS (60 * LS_NS_PER_MS)
#define TICKS_NS (20 * LS_NS_PER_MS) /* what accounts in clock ticks may lack, twice */

static void work(int64_t cpu_ns)
{
    const int64_t until_ns = ls_thread_cpu_ns() + cpu_ns;

    while (ls_thread_cpu_ns() < until_ns) {
    }
}

/*
 * A process that does as it is told by one byte each, and answers each by one:
 *   w  works for WORK_NS        f  starts a child, which does likewise from the next byte on
 *   e  ends, and is waited for  b  starts a child that works, ends and is waited for
 * It stands below a process of its own that is no child of ours, as a gateway does.
 */
struct gateway {
    pid_t shell, pid;
    int to, from;
};

static void serve(int in, int out)
{
    char byte;

    while (read(in, &byte, 1) == 1) {
        pid_t child;

        if (byte == 'w') {
            work(WORK_NS);
        } else if (byte == 'e') {
            _exit(0); /* its parent answers */
        } else if ((child = fork()) == 0) {
            if (byte == 'b') {
                work(WORK_NS);
                _exit(0);
            }
            (void)!write(out, &byte, 1);
            serve(in, out);
            _exit(0);
        } else {
            (void)waitpid(child, NULL, 0);
        }
        (void)!write(out, &byte, 1);
    }
}

static void told(const struct gateway *gateway, const char *bytes)
{
    while (*bytes != '\0') {
        char byte;

        assert_int_equal(write(gateway->to, bytes++, 1), 1);
        assert_int_equal(read(gateway->from, &byte, 1), 1);
    }
}

static void start(struct gateway *gateway)
{
    int to[2], from[2];
    char name[16];

    assert_int_equal(pipe(to), 0);
    assert_int_equal(pipe(from), 0);
    (void)snprintf(name, sizeof name, "ls-gate-%d", (int)getpid() % 1000000);
    gateway->shell = fork();
    assert_true(gateway->shell >= 0);
    if (gateway->shell == 0) {
        const pid_t pid = fork();

        for (int fd = 3; fd < 64; fd++) { /* the pipes of others would not end with them */
            if (fd != to[0] && fd != from[1]) {
                (void)close(fd);
            }
        }
        if (pid == 0) {
            (void)prctl(PR_SET_NAME, name);
            serve(to[0], from[1]);
            _exit(0);
        }
        (void)!write(from[1], &pid, sizeof pid);
        (void)close(to[0]);
        (void)waitpid(pid, NULL, 0);
        _exit(0);
    }
    (void)close(to[0]);
    (void)close(from[1]);
    gateway->to = to[1];
    gateway->from = from[0];
    assert_int_equal(read(gateway->from, &gateway->pid, sizeof gateway->pid), sizeof gateway->pid);
    told(gateway, "w"); /* it has its name */
}

static void stop(const struct gateway *gateway)
{
    (void)close(gateway->to);
    assert_int_equal(waitpid(gateway->shell, NULL, 0), gateway->shell);
    (void)close(gateway->from);
}

static int64_t spent(struct tree *tree)
{
    struct spent spent;
    struct ls_error err;

    assert_int_equal(tree_read(tree, &spent, &err), LS_OK);
    if (spent.user_ns >= 0) {
        assert_int_equal(spent.user_ns + spent.system_ns, spent.cpu_ns);
    }
    return spent.cpu_ns;
}

/* At least what was worked, and not half as much again. */
static void assert_worked(int64_t cpu_ns, int works)
{
    assert_true(cpu_ns >= works * WORK_NS - TICKS_NS);
    assert_true(cpu_ns < works * WORK_NS + WORK_NS / 2);
}

static void what_was_spent_before_is_not_counted(void **state)
{
    struct gateway gateway;
    struct tree *tree;
    struct ls_error err;

    (void)state;
    start(&gateway);
    assert_int_equal(tree_new(&tree, gateway.pid, NULL, &err), LS_OK);
    assert_worked(spent(tree), 0);
    told(&gateway, "w");
    assert_worked(spent(tree), 1);
    assert_int_equal(tree_count(tree), 1);
    tree_free(tree);
    stop(&gateway);
}

static void children_that_come_and_go_keep_what_they_had(void **state)
{
    static const struct {
        const char *steps[4];
        int works[4];
        const char *why;
    } rows[] = {
        {{"fw", "ww", "e", "w"}, {1, 3, 3, 4}, "a child is found, and kept when it ended"},
        {{"fwe", "b", "bb", "w"}, {1, 2, 4, 5}, "children that no reading met are in the account"},
        {{"ffw", "e", "we", "w"}, {1, 1, 2, 3}, "a child's child, and both end"},
        {{"fwfwe", "we", "fwe", "w"},
         {2, 3, 4, 5},
         "a child that ended took its own child's along"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct gateway gateway;
        struct tree *tree;
        struct ls_error err;

        start(&gateway);
        told(&gateway, "fw"); /* of before: in nobody's account of the storm, ended or not */
        assert_int_equal(tree_new(&tree, gateway.pid, NULL, &err), LS_OK);
        told(&gateway, "e");
        assert_worked(spent(tree), 0);
        for (size_t n = 0; n < 4; n++) {
            int64_t cpu_ns;

            told(&gateway, rows[i].steps[n]);
            cpu_ns = spent(tree);
            if (cpu_ns < rows[i].works[n] * WORK_NS - TICKS_NS ||
                cpu_ns >= rows[i].works[n] * WORK_NS + WORK_NS / 2) {
                fail_msg("%s, step %zu: %lld ns", rows[i].why, n, (long long)cpu_ns);
            }
        }
        tree_free(tree);
        stop(&gateway);
    }
}

static void all_of_a_name_are_found_those_that_come_later_too(void **state)
{
    struct gateway one, two;
    struct tree *tree;
    struct ls_error err;
    char name[16];

    (void)state;
    (void)snprintf(name, sizeof name, "ls-gate-%d", (int)getpid() % 1000000);
    start(&one);
    assert_int_equal(tree_new(&tree, 0, name, &err), LS_OK);
    told(&one, "w");
    assert_worked(spent(tree), 1);
    start(&two); /* it works once */
    told(&two, "w");
    assert_worked(spent(tree), 3);
    assert_int_equal(tree_count(tree), 2);
    stop(&one);
    assert_worked(spent(tree), 3);
    assert_int_equal(tree_count(tree), 1);
    stop(&two);
    assert_worked(spent(tree), 3);
    assert_int_equal(tree_count(tree), 0);
    tree_free(tree);
}

static void who_is_not_there_is_named(void **state)
{
    struct tree *tree;
    struct ls_error err;

    (void)state;
    assert_int_equal(tree_new(&tree, 4194303, NULL, &err), LS_EINPUT);
    assert_string_equal(err.text, "no process 4194303 runs on this machine");
    assert_null(tree);
    assert_int_equal(tree_new(&tree, 0, "no such name", &err), LS_EINPUT);
    assert_non_null(strstr(err.text, "no process of the name \"no such name\" runs"));
    assert_null(tree);
    /* Our own are no gateway's. */
    assert_int_equal(tree_new(&tree, getpid(), NULL, &err), LS_EINPUT);
}

static void a_line_of_stat_is_read_whatever_the_name(void **state)
{
#define REST                                                                                       \
    " S 7 1 1 0 -1 4194560 1 2 3 4 150 250 350 450 20 0 1 0 123456 1000 10 18446744073709551615\n"
    static const struct {
        const char *text, *name;
        bool good;
    } rows[] = {
        {"42 (nginx)" REST, "nginx", true},
        {"42 (a (b) c)" REST, "a (b) c", true},
        {"42 ())" REST, ")", true},
        {"42 ()" REST, "", true},
        {"42 (nginx) S 7 1 1", NULL, false},
        {"42 nginx" REST, NULL, false},
        {"42 (nginx)", NULL, false},
        {"42 )nginx(" REST, NULL, false},
        {"", NULL, false},
    };
    struct stat_line stat;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(stat_parse(rows[i].text, &stat), rows[i].good);
        if (!rows[i].good) {
            continue;
        }
        assert_string_equal(stat.name, rows[i].name);
        assert_int_equal(stat.parent, 7);
        assert_int_equal(stat.user_ns * sysconf(_SC_CLK_TCK), 150 * LS_NS_PER_S);
        assert_int_equal(stat.system_ns * sysconf(_SC_CLK_TCK), 250 * LS_NS_PER_S);
        assert_int_equal(stat.children_user_ns * sysconf(_SC_CLK_TCK), 350 * LS_NS_PER_S);
        assert_int_equal(stat.children_system_ns * sysconf(_SC_CLK_TCK), 450 * LS_NS_PER_S);
        assert_int_equal(stat.started_ns * sysconf(_SC_CLK_TCK), 123456 * LS_NS_PER_S);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_spent_before_is_not_counted),
        cmocka_unit_test(children_that_come_and_go_keep_what_they_had),
        cmocka_unit_test(all_of_a_name_are_found_those_that_come_later_too),
        cmocka_unit_test(who_is_not_there_is_named),
        cmocka_unit_test(a_line_of_stat_is_read_whatever_the_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
