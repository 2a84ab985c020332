/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "loginstorm/meter.h"
#include "loginstorm/units.h"

#define WORK_NS (20 * LS_NS_PER_MS)

static void work(int64_t cpu_ns)
{
    const int64_t until_ns = ls_thread_cpu_ns() + cpu_ns;

    while (ls_thread_cpu_ns() < until_ns) {
    }
}

/* A process that works WORK_NS for each byte it is sent, and answers each; it ends with the pipe.
 */
struct worker {
    pid_t pid;
    int to, from;
};

static void worker_start(struct worker *worker)
{
    int to[2], from[2];

    assert_int_equal(pipe(to), 0);
    assert_int_equal(pipe(from), 0);
    worker->pid = fork();
    assert_true(worker->pid >= 0);
    if (worker->pid == 0) {
        char byte;

        (void)close(to[1]);
        while (read(to[0], &byte, 1) == 1) {
            work(WORK_NS);
            (void)!write(from[1], &byte, 1);
        }
        _exit(0);
    }
    (void)close(to[0]);
    (void)close(from[1]);
    worker->to = to[1];
    worker->from = from[0];
}

static void worker_works(const struct worker *worker)
{
    char byte = 'w';

    assert_int_equal(write(worker->to, &byte, 1), 1);
    assert_int_equal(read(worker->from, &byte, 1), 1);
}

/* Ended, and not reaped yet. */
static void worker_ends(const struct worker *worker)
{
    siginfo_t info;

    (void)close(worker->to);
    (void)close(worker->from);
    assert_int_equal(waitid(P_PID, (id_t)worker->pid, &info, WEXITED | WNOWAIT), 0);
}

static void a_process_s_clock_grows_with_its_work_alone(void **state)
{
    struct worker worker;
    struct ls_meter meter;
    struct ls_error err;
    int64_t before_ns, idle_ns, after_ns;

    (void)state;
    worker_start(&worker);
    assert_int_equal(ls_meter_process(&meter, worker.pid, &err), LS_OK);
    worker_works(&worker);
    assert_int_equal(ls_meter_cpu_ns(&meter, &before_ns), LS_OK);
    assert_true(before_ns >= WORK_NS);
    work(2 * WORK_NS); /* ours, not its */
    assert_int_equal(ls_meter_cpu_ns(&meter, &idle_ns), LS_OK);
    assert_true(idle_ns - before_ns < WORK_NS);
    worker_works(&worker);
    worker_works(&worker);
    assert_int_equal(ls_meter_cpu_ns(&meter, &after_ns), LS_OK);
    assert_true(after_ns - idle_ns >= 2 * WORK_NS);
    worker_ends(&worker);
    assert_int_equal(waitpid(worker.pid, NULL, 0), worker.pid);
}

static void a_clock_can_be_read_until_its_process_is_reaped(void **state)
{
    struct worker worker;
    struct ls_meter meter;
    struct ls_error err;
    int64_t ns = -1;

    (void)state;
    worker_start(&worker);
    assert_int_equal(ls_meter_process(&meter, worker.pid, &err), LS_OK);
    worker_works(&worker);
    worker_ends(&worker);
    assert_int_equal(ls_meter_cpu_ns(&meter, &ns), LS_OK);
    assert_true(ns >= WORK_NS);
    assert_int_equal(waitpid(worker.pid, NULL, 0), worker.pid);
    ns = -1;
    assert_int_equal(ls_meter_cpu_ns(&meter, &ns), LS_ESYSTEM);
    assert_int_equal(ls_meter_waited_ns(&meter, &ns), LS_ESYSTEM);
    assert_int_equal(ns, -1);
    assert_int_equal(ls_meter_process(&meter, worker.pid, &err), LS_ESYSTEM);
    assert_int_equal(strncmp(err.text, "no CPU clock of process ", 24), 0);
    assert_non_null(strstr(err.text, ": No such process"));
}

static void a_process_that_may_always_run_waits_less_than_it_lives(void **state)
{
    struct ls_meter meter;
    struct ls_error err;
    int64_t before_ns, after_ns;
    const int64_t from_ns = ls_now_ns();

    (void)state;
    assert_int_equal(ls_meter_process(&meter, getpid(), &err), LS_OK);
    assert_int_equal(ls_meter_waited_ns(&meter, &before_ns), LS_OK);
    work(WORK_NS);
    assert_int_equal(ls_meter_waited_ns(&meter, &after_ns), LS_OK);
    assert_true(before_ns >= 0);
    assert_true(after_ns >= before_ns);
    assert_true(after_ns - before_ns <= ls_now_ns() - from_ns);
}

static void our_own_time_is_the_sum_of_user_and_system(void **state)
{
    int64_t user_ns[2], system_ns[2];

    (void)state;
    ls_meter_self(&user_ns[0], &system_ns[0]);
    work(WORK_NS);
    ls_meter_self(&user_ns[1], &system_ns[1]);
    assert_true(user_ns[1] >= user_ns[0]);
    assert_true(system_ns[1] >= system_ns[0]);
    /* Both are told in whole microseconds. */
    assert_true(user_ns[1] + system_ns[1] - user_ns[0] - system_ns[0] >=
                WORK_NS - 2 * LS_NS_PER_US);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_process_s_clock_grows_with_its_work_alone),
        cmocka_unit_test(a_clock_can_be_read_until_its_process_is_reaped),
        cmocka_unit_test(a_process_that_may_always_run_waits_less_than_it_lives),
        cmocka_unit_test(our_own_time_is_the_sum_of_user_and_system),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
