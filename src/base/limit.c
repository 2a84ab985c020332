/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/limit.h"

#include <inttypes.h>
#include <sched.h>
#include <sys/resource.h>

/* Standard streams, control, loop, timers, and what libraries open for a moment. */
#define BESIDE 64

enum ls_code ls_limit_open_files(int64_t connections, const char *who, struct ls_error *err)
{
    const rlim_t needed = (rlim_t)connections + BESIDE;
    struct rlimit limit;
    rlim_t had;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
        return ls_error_set_errno(err, LS_ESYSTEM, "cannot read the limit of open files");
    }
    if (limit.rlim_cur >= needed) {
        return LS_OK;
    }
    had = limit.rlim_max;
    limit.rlim_cur = needed;
    limit.rlim_max = had > needed ? had : needed;
    if (setrlimit(RLIMIT_NOFILE, &limit) == 0) {
        return LS_OK;
    }
    return ls_error_set(err, LS_ELIMIT,
                        "%s may have to hold %" PRId64
                        " connections open at once, but the limit of open files is %" PRIu64
                        " and may not be raised: run `ulimit -n %" PRIu64
                        "` as root first, or use fewer --users",
                        who, connections, (uint64_t)had, (uint64_t)needed);
}

enum ls_code ls_limit_to_core(int64_t core, const char *where, struct ls_error *err)
{
    cpu_set_t set;

    if (core < 0) {
        return LS_OK;
    }
    CPU_ZERO(&set);
    if (core < CPU_SETSIZE) {
        CPU_SET((size_t)core, &set);
    }
    /* The system says no to an empty set, too: a core beyond what it can count is one that is not there. */
    if (sched_setaffinity(0, sizeof set, &set) != 0) {
        return ls_error_set(err, LS_EINPUT,
                            "%s: core %" PRId64 " does not exist here, or may not be used", where,
                            core);
    }
    return LS_OK;
}
