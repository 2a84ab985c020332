/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "unit/base/root.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED
#endif
#endif

#define MEMINFO "proc/meminfo", "MemTotal: 9000 kB\nMemFree: 1 kB\nMemAvailable:    5000 kB\n"
#define OWN "proc/self/cgroup"
#define V2 "sys/fs/cgroup/"
#define V1 "sys/fs/cgroup/memory/"

static void the_tightest_of_all_limits_is_what_is_free(void **state)
{
    static const struct {
        const char *why;
        const char *files[16]; /* name, text, ... */
        int64_t bytes;
    } rows[] = {
        {"nothing is known", {NULL}, -1},
        {"what the kernel can give", {MEMINFO}, 5000 * 1024},
        {"a cgroup leaves less",
         {MEMINFO, OWN, "0::/a/b\n", V2 "a/b/memory.max", "3000000\n", V2 "a/b/memory.current",
          "1000000\n"},
         2000000},
        {"its cache would be given back",
         {MEMINFO, OWN, "0::/a/b\n", V2 "a/b/memory.max", "3000000\n", V2 "a/b/memory.current",
          "1000000\n", V2 "a/b/memory.stat", "anon 5\ninactive_file 400000\nfile 7\n"},
         2400000},
        {"a cgroup above has less",
         {MEMINFO, OWN, "0::/a/b\n", V2 "a/b/memory.max", "max\n", V2 "a/b/memory.current", "10\n",
          V2 "a/memory.max", "50\n", V2 "a/memory.current", "20\n"},
         30},
        {"a cgroup that has no limit",
         {MEMINFO, OWN, "0::/a\n", V2 "a/memory.max", "max\n", V2 "a/memory.current", "10\n"},
         5000 * 1024},
        {"one that is over its limit",
         {MEMINFO, OWN, "0::/a\n", V2 "a/memory.max", "50\n", V2 "a/memory.current", "60\n"},
         0},
        {"a container that sees only its own folder, as the root",
         {MEMINFO, OWN, "0::/../../x\n", V2 "memory.max", "70\n", V2 "memory.current", "20\n"},
         50},
        {"version 1",
         {MEMINFO, OWN, "4:cpu,cpuacct:/no\n3:memory:/a\n0::/\n", V1 "a/memory.limit_in_bytes",
          "900\n", V1 "a/memory.usage_in_bytes", "500\n", V1 "a/memory.stat",
          "inactive_file 7\ntotal_inactive_file 100\n"},
         500},
        {"version 1 without a limit",
         {MEMINFO, OWN, "3:memory:/a\n", V1 "a/memory.limit_in_bytes", "9223372036854771712\n",
          V1 "a/memory.usage_in_bytes", "500\n"},
         5000 * 1024},
        {"another controller's folder is none of memory",
         {MEMINFO, OWN, "3:memoryx:/a\n", V1 "a/memory.limit_in_bytes", "900\n",
          V1 "a/memory.usage_in_bytes", "500\n"},
         5000 * 1024},
        {"no number", {"proc/meminfo", "MemAvailable: many kB\n", OWN, "nothing\n"}, -1},
    };

    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        char root[ROOM];
        int64_t bytes;

        root_make(root, rows[r].files);
        bytes = ls_memory_free_in(root);
        root_remove(root);
        if (bytes != rows[r].bytes) {
            fail_msg("%s: %lld", rows[r].why, (long long)bytes);
        }
    }
}

static void this_machine_has_some(void **state)
{
    (void)state;
    assert_true(ls_memory_free() > 0);
}

/* In a process of its own: what is asked for within the bound is there, what is beyond is not. */
static void beyond_the_bound_there_is_no_memory(void **state)
{
    int status;
    pid_t child;

    (void)state;
#ifdef SANITIZED
    skip();
#endif
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        void *within, *beyond;

        ls_memory_bound(50000000);
        within = malloc(40000000);
        beyond = malloc(40000000);
        ls_memory_bound(200000000); /* a bound is not taken back */
        _exit(within != NULL && beyond == NULL && malloc(60000000) == NULL &&
                      ls_memory_free() <= 50000000
                  ? 0
                  : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tightest_of_all_limits_is_what_is_free),
        cmocka_unit_test(this_machine_has_some),
        cmocka_unit_test(beyond_the_bound_there_is_no_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
