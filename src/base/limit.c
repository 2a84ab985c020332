/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/limit.h"

#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "loginstorm/units.h"

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

/* What a file of /proc/sys says, NULL: nothing; the caller frees it. */
static char *setting(const char *root, const char *name)
{
    char path[4096];
    FILE *file;
    char *text = NULL;
    size_t size = 0;

    (void)snprintf(path, sizeof path, "%s/proc/sys/%s", root, name);
    file = fopen(path, "re");
    if (file == NULL) {
        return NULL;
    }
    if (getline(&text, &size, file) < 0) {
        free(text);
        text = NULL;
    }
    (void)fclose(file);
    return text;
}

int64_t ls_limit_open_files_most(void)
{
    char *text = geteuid() == 0 ? setting("", "fs/nr_open") : NULL;
    struct rlimit limit = {.rlim_max = 1024};
    int64_t most = text == NULL ? -1 : strtoll(text, NULL, 10);

    free(text);
    (void)getrlimit(RLIMIT_NOFILE, &limit);
    if (most <= 0 || (limit.rlim_max != RLIM_INFINITY && (rlim_t)most < limit.rlim_max)) {
        most = limit.rlim_max < (rlim_t)INT64_MAX ? (int64_t)limit.rlim_max : INT64_MAX;
    }
    return most > BESIDE ? most - BESIDE : 0;
}

#define PORTS 65536

/* "8080,9148,30000-30010": what of it lies in the range, each port once. */
static int64_t reserved_in(const char *list, int64_t first, int64_t last)
{
    bool reserved[PORTS] = {false};
    int64_t count = 0;

    while (*list >= '0' && *list <= '9') {
        char *end;
        const int64_t from = strtoll(list, &end, 10);
        const int64_t to = *end == '-' ? strtoll(end + 1, &end, 10) : from;

        for (int64_t port = from > first ? from : first; port <= to && port <= last; port++) {
            count += !reserved[port];
            reserved[port] = true;
        }
        list = end + (*end == ',');
    }
    return count;
}

int64_t ls_limit_ports(const char *root)
{
    char *range = setting(root, "net/ipv4/ip_local_port_range");
    char *reserved = setting(root, "net/ipv4/ip_local_reserved_ports");
    int64_t first = 32768, last = 60999, ports;

    if (range != NULL) {
        char *rest;
        const int64_t from = strtoll(range, &rest, 10);
        const int64_t to = strtoll(rest, NULL, 10);

        if (from > 0 && to >= from && to < PORTS) {
            first = from;
            last = to;
        }
    }
    ports = last - first + 1 - (reserved == NULL ? 0 : reserved_in(reserved, first, last));
    free(range);
    free(reserved);
    return ports;
}

int64_t ls_limit_time_wait_ns(const char *root, bool loopback)
{
    char *text = setting(root, "net/ipv4/tcp_tw_reuse");
    const long reuse = text == NULL ? 0 : strtol(text, NULL, 10);

    free(text);
    return reuse == 1 || (reuse == 2 && loopback) ? LS_NS_PER_S : 60 * LS_NS_PER_S;
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
