/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_METER_H
#define LOGINSTORM_METER_H

/*
 * What a gateway's CPU clock says.
 *
 *     gateway process -> [meter] -> storm -> result
 */

#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "loginstorm/error.h"

/* The CPU clock of a process: user and system, all threads, those that ended too, in ns, at 0.2 µs
 * a reading. It can be read until the process is reaped. */
struct ls_meter {
    clockid_t clock;
    pid_t pid;
};

LS_MUST_CHECK
enum ls_code ls_meter_process(struct ls_meter *meter, pid_t pid, struct ls_error *err);

/* Its CPU time so far; LS_ESYSTEM when the process is gone. */
LS_MUST_CHECK
enum ls_code ls_meter_cpu_ns(const struct ls_meter *meter, int64_t *cpu_ns);

/*
 * How long a process of one thread was ready to run while something else held its core, so far (the
 * second figure of /proc/PID/schedstat): time that its users waited and that its own CPU clock does
 * not show. LS_ESYSTEM when the process is gone or the kernel does not keep it.
 */
LS_MUST_CHECK
enum ls_code ls_meter_waited_ns(const struct ls_meter *meter, int64_t *waited_ns);

/* User and system time of the calling process, by getrusage. */
void ls_meter_self(int64_t *user_ns, int64_t *system_ns);

#endif
