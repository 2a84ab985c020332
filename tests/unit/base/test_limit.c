/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/limit.h"

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "loginstorm/units.h"
#include "unit/base/root.h"

/* In a child, since limits and rights that are given away do not come back. */
static int with_a_limit(rlim_t soft, rlim_t hard, int64_t connections, rlim_t expected,
                        const char *text)
{
    const struct rlimit low = {.rlim_cur = soft, .rlim_max = hard};
    const pid_t child = fork();
    struct rlimit limit;
    struct ls_error err = {0};
    enum ls_code code;
    int status;

    if (child != 0) {
        return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    if (setrlimit(RLIMIT_NOFILE, &low) != 0 || (geteuid() == 0 && seteuid(65534) != 0)) {
        _exit(1);
    }
    code = ls_limit_open_files(connections, "this storm", &err);
    (void)getrlimit(RLIMIT_NOFILE, &limit);
    if (limit.rlim_cur != expected) {
        _exit(2);
    }
    if (text == NULL) {
        _exit(code == LS_OK ? 0 : 3);
    }
    _exit(code == LS_ELIMIT && strcmp(err.text, text) == 0 ? 0 : 4);
}

static void a_limit_is_raised_as_far_as_it_may_be(void **state)
{
    static const struct {
        rlim_t soft, hard;
        int64_t connections;
        rlim_t expected;
        const char *text, *why;
    } rows[] = {
        {1000, 1000, 936, 1000, NULL, "just enough: nothing is touched"},
        {1000, 2000, 937, 1001, NULL, "one more: raised by one"},
        {100, 2000, 1936, 2000, NULL, "up to the hard limit"},
        {100, 2000, 1937, 100,
         "this storm may have to hold 1937 connections open at once, but the limit of open files "
         "is "
         "2000 and may not be raised: run `ulimit -n 2001` as root first, or use fewer --users",
         "beyond the hard limit: refused, and what to do is said"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const int got = with_a_limit(rows[i].soft, rows[i].hard, rows[i].connections,
                                     rows[i].expected, rows[i].text);

        if (got != 0) {
            fail_msg("%s: the child says %d", rows[i].why, got);
        }
    }
}

/* In a child, since the test has other work to do than on one core. */
static int keeps_to_cores(void)
{
    const pid_t child = fork();
    struct ls_error err = {0};
    cpu_set_t before, after;
    int core = 0;
    int status;

    if (child != 0) {
        return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    if (sched_getaffinity(0, sizeof before, &before) != 0) {
        _exit(1);
    }
    if (ls_limit_to_core(-1, "here", &err) != LS_OK ||
        sched_getaffinity(0, sizeof after, &after) != 0 || !CPU_EQUAL(&before, &after)) {
        _exit(2);
    }
    while (!CPU_ISSET((size_t)core, &before)) {
        core++;
    }
    if (ls_limit_to_core(core, "here", &err) != LS_OK ||
        sched_getaffinity(0, sizeof after, &after) != 0 || CPU_COUNT(&after) != 1 ||
        !CPU_ISSET((size_t)core, &after)) {
        _exit(3);
    }
    /* The last that a set can name, the first that it cannot, and one whose bit would lie far behind it. */
    for (int64_t none = CPU_SETSIZE - 1; none <= INT64_C(1) << 40; none = none * 2 + 2) {
        char text[128];

        (void)snprintf(text, sizeof text, "here: core %lld does not exist here, or may not be used",
                       (long long)none);
        if (ls_limit_to_core(none, "here", &err) != LS_EINPUT || strcmp(err.text, text) != 0) {
            _exit(4);
        }
    }
    if (sched_getaffinity(0, sizeof before, &before) != 0 || !CPU_EQUAL(&before, &after)) {
        _exit(5);
    }
    _exit(0);
}

static void a_process_is_kept_on_a_core_that_is_there(void **state)
{
    (void)state;
    assert_int_equal(keeps_to_cores(), 0);
}

#define RANGE "proc/sys/net/ipv4/ip_local_port_range"
#define RESERVED "proc/sys/net/ipv4/ip_local_reserved_ports"

static void ports_are_the_kernels_range_without_what_it_keeps(void **state)
{
    static const struct {
        const char *files[8];
        int64_t ports;
        const char *why;
    } rows[] = {
        {{NULL}, 28232, "nothing is known: the usual range"},
        {{RANGE, "32768\t60999\n"}, 28232, "the usual range"},
        {{RANGE, "1024 65535\n"}, 64512, "a wide one"},
        {{RANGE, "5000 5000\n"}, 1, "one port"},
        {{RANGE, "5000 4000\n"}, 28232, "no range"},
        {{RANGE, "many\n"}, 28232, "no numbers"},
        {{RANGE, "10000 10999\n", RESERVED, "\n"}, 1000, "none is kept"},
        {{RANGE, "10000 10999\n", RESERVED, "10500\n"}, 999, "one is"},
        {{RANGE, "10000 10999\n", RESERVED, "8080,9148\n"}, 1000, "others, beyond the range"},
        {{RANGE, "10000 10999\n", RESERVED, "9000-10009,10990-20000\n"}, 980, "from both ends"},
        {{RANGE, "10000 10999\n", RESERVED, "10100-10199,10150-10249,10200\n"},
         850,
         "each counts once"},
        {{RANGE, "10000 10999\n", RESERVED, "1-65535\n"}, 0, "all are"},
        {{RESERVED, "40000-40099\n"}, 28132, "of the usual range, too"},
        {{RANGE, "10000 10999\n", RESERVED, "none\n"}, 1000, "no list"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char root[ROOM];
        int64_t ports;

        root_make(root, rows[i].files);
        ports = ls_limit_ports(root);
        root_remove(root);
        if (ports != rows[i].ports) {
            fail_msg("%s: %lld", rows[i].why, (long long)ports);
        }
    }
    assert_in_range(ls_limit_ports(""), 0, 65535);
}

static void a_closed_connections_port_waits_as_the_kernel_has_it(void **state)
{
    static const struct {
        const char *files[4];
        int64_t loopback_s, other_s;
    } rows[] = {
        {{NULL}, 60, 60},
        {{"proc/sys/net/ipv4/tcp_tw_reuse", "0\n"}, 60, 60},
        {{"proc/sys/net/ipv4/tcp_tw_reuse", "1\n"}, 1, 1},
        {{"proc/sys/net/ipv4/tcp_tw_reuse", "2\n"}, 1, 60},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char root[ROOM];

        root_make(root, rows[i].files);
        assert_int_equal(ls_limit_time_wait_ns(root, true), rows[i].loopback_s * LS_NS_PER_S);
        assert_int_equal(ls_limit_time_wait_ns(root, false), rows[i].other_s * LS_NS_PER_S);
        root_remove(root);
    }
}

/* In a child: who is not root has what his hard limit leaves, whatever the soft one is. */
static void as_many_files_may_be_open_as_the_hard_limit_says(void **state)
{
    const pid_t child = fork();
    int status;

    (void)state;
    if (child == 0) {
        const struct rlimit low = {.rlim_cur = 100, .rlim_max = 500};

        _exit(setrlimit(RLIMIT_NOFILE, &low) == 0 && (geteuid() != 0 || seteuid(65534) == 0) &&
                      ls_limit_open_files_most() == 500 - 64
                  ? 0
                  : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_true(ls_limit_open_files_most() > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_limit_is_raised_as_far_as_it_may_be),
        cmocka_unit_test(a_process_is_kept_on_a_core_that_is_there),
        cmocka_unit_test(ports_are_the_kernels_range_without_what_it_keeps),
        cmocka_unit_test(a_closed_connections_port_waits_as_the_kernel_has_it),
        cmocka_unit_test(as_many_files_may_be_open_as_the_hard_limit_says),
    };

    return cmocka_run_group_tests_name("base/limit", tests, NULL, NULL);
}
