/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_METER_H
#define LOGINSTORM_METER_H

/*
 * What a gateway's CPU clock says: of a process of our own (ls_meter), and of a gateway that is not
 * ours (ls_watch).
 *
 *     gateway process, cgroup, exporter -> [meter] -> storm -> result
 */

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include <uv.h>

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

enum ls_watch_from {
    LS_WATCH_PROCESS, /* local ones and all of their descendants; those that ended keep what they had */
    LS_WATCH_CGROUP,   /* cpu.stat of a cgroup v2 */
    LS_WATCH_EXPORTER, /* node_exporter, process-exporter or windows_exporter, over HTTP(S) */
};

/* CPU since the watch began. */
struct ls_watch_reading {
    int64_t at_ns; /* on the monotonic clock: when the source was read, or gave its answer */
    int64_t cpu_ns;
    int64_t user_ns, system_ns; /* negative where the source does not tell them apart */
};

struct ls_watch_wish {
    enum ls_watch_from from;
    pid_t pid; /* process: that one; 0: all of the name `process` */
    const char
        *process;     /* process: as ps -o comm shows it; exporter: as it is labelled, NULL for the
                            whole machine */
    const char *path; /* cgroup: of its folder, from the root of cgroup v2 or absolute */
    const char *url;  /* exporter: of its metrics, http or https; no proxy is asked and no redirect
                            followed */
    /* Each ls_watch_ask ends in one of them, of a local source before it returns. After `failed` (the
     * exporter does not answer, the cgroup is gone) later ones may succeed, and counters that went
     * on meanwhile have lost nothing; where a counter went on by more than CPUs can, none will. */
    void (*read)(const struct ls_watch_reading *reading, void *data);
    void (*failed)(const struct ls_error *why, void *data);
    void *data;
};

/* What there is to know of a watch beside its readings; strings live as long as it does. */
struct ls_watch_facts {
    char counted[512];  /* "process 4711 and its children" */
    bool whole_machine; /* whatever else runs there is counted, too */
    bool this_machine;  /* and that is the machine that we run on */
    int64_t most;       /* processes at once; 0 where that is not known */
    int64_t restarts; /* counters that began anew: what they had counted since the reading before is
                           lost */
    int64_t back_ns;  /* by which counters stepped back, in all: each has then not moved */
    const char *offset_from; /* what the exporter's clock is known by; NULL: it is not */
    int64_t offset_ns;       /* its clock - ours */
};

struct ls_watch;

/*
 * Finds what is to be watched. LS_EINPUT: there is no such process or cgroup here. LS_ELIMIT:
 * libcurl is not there to ask an exporter (which is not asked yet). wish is copied but for what
 * `process`, `path` and `url` point to, which must stay.
 */
LS_MUST_CHECK
enum ls_code ls_watch_new(struct ls_watch **out, uv_loop_t *loop, const struct ls_watch_wish *wish,
                          struct ls_error *err);

/* Reads once. While an exporter has not answered yet, nothing more is asked. */
void ls_watch_ask(struct ls_watch *watch);
bool ls_watch_is_asking(const struct ls_watch *watch);

const struct ls_watch_facts *ls_watch_facts(const struct ls_watch *watch);

/* Takes back what was asked, without an answer, and gives up its handles, which the loop must run out. */
void ls_watch_close(struct ls_watch *watch);

/* After that; NULL is fine. */
void ls_watch_free(struct ls_watch *watch);

/*
 * What the kernel counted of TCP connections, of every process in this network namespace: SYNs and
 * acknowledgements that a listener's full queue turned away, all that listeners dropped (those among
 * them), and SYNs and their answers that were sent again. Each such user waits a second or more that
 * no CPU accounts for. Negative: not known.
 */
struct ls_kernel_traces {
    int64_t listen_overflows, listen_drops, syn_retransmits;
};

/* Since the machine started; /proc/self/net/netstat. */
void ls_meter_kernel(struct ls_kernel_traces *traces);

/* The same from two lines of that file, one of names and one of values. */
void ls_meter_kernel_parse(const char *names, const char *values, struct ls_kernel_traces *traces);

/* What came on top of an earlier reading. */
void ls_meter_kernel_since(const struct ls_kernel_traces *before, struct ls_kernel_traces *traces);

#endif
