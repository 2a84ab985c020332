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
};

LS_MUST_CHECK
enum ls_code ls_meter_process(struct ls_meter *meter, pid_t pid, struct ls_error *err);

/* Its CPU time so far; LS_ESYSTEM when the process is gone. */
LS_MUST_CHECK
enum ls_code ls_meter_cpu_ns(const struct ls_meter *meter, int64_t *cpu_ns);

/* User and system time of the calling process, by getrusage. */
void ls_meter_self(int64_t *user_ns, int64_t *system_ns);

#endif
