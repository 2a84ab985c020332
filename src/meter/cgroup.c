/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "meter/cgroup.h"

#include <mntent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "loginstorm/units.h"
#include "meter/advance.h"

/* Where cgroup v2 is mounted: /sys/fs/cgroup, or beside version 1. */
static bool find_mount(char *out, size_t size)
{
    FILE *mounts = setmntent("/proc/self/mounts", "re");
    const struct mntent *entry;
    bool found = false;

    while (mounts != NULL && !found && (entry = getmntent(mounts)) != NULL) {
        found = strcmp(entry->mnt_type, "cgroup2") == 0;
        if (found) {
            (void)snprintf(out, size, "%s", entry->mnt_dir);
        }
    }
    if (mounts != NULL) {
        (void)endmntent(mounts);
    }
    return found;
}

static bool take(const char *line, const char *key, int64_t *out_ns)
{
    const size_t length = strlen(key);
    char *end;
    int64_t us;

    if (strncmp(line, key, length) != 0 || line[length] != ' ') {
        return false;
    }
    us = strtoll(line + length + 1, &end, 10);
    if (end == line + length + 1 || us < 0 || us > INT64_MAX / LS_NS_PER_US) {
        return false;
    }
    *out_ns = us * LS_NS_PER_US;
    return true;
}

static bool read_stat(const char *path, struct spent *out)
{
    FILE *file = fopen(path, "re");
    char line[128];

    *out = (struct spent){-1, -1, -1};
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        (void)(take(line, "usage_usec", &out->cpu_ns) || take(line, "user_usec", &out->user_ns) ||
               take(line, "system_usec", &out->system_ns));
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return out->cpu_ns >= 0;
}

enum ls_code cgroup_open(struct cgroup *cgroup, const char *path, struct ls_error *err)
{
    char mount[2048] = "";

    *cgroup = (struct cgroup){.read_ns = ls_now_ns()};
    (void)snprintf(cgroup->path, sizeof cgroup->path, "%.2000s/cpu.stat", path);
    if (path[0] == '/' && read_stat(cgroup->path, &cgroup->last)) {
        return LS_OK;
    }
    if (!find_mount(mount, sizeof mount)) {
        return ls_error_set(err, LS_EINPUT, "this machine has no cgroup v2 (see mount -t cgroup2)");
    }
    (void)snprintf(cgroup->path, sizeof cgroup->path, "%s%s%.2000s/cpu.stat", mount,
                   path[0] == '/' ? "" : "/", path);
    if (read_stat(cgroup->path, &cgroup->last)) {
        return LS_OK;
    }
    return ls_error_set(err, LS_EINPUT,
                        "%.200s is no cgroup v2 of this machine (%.200s cannot be read; see "
                        "systemd-cgls, or cat /proc/PID/cgroup)",
                        path, cgroup->path);
}

/* The split: of a whole that goes on, so that what cannot be is nothing here. */
static void grow(int64_t *total_ns, int64_t *last_ns, int64_t now_ns, bool anew)
{
    if (now_ns >= 0 && *last_ns >= 0 && (anew || now_ns > *last_ns)) {
        *total_ns += now_ns - (anew ? 0 : *last_ns);
    }
    if (anew || now_ns > *last_ns) {
        *last_ns = now_ns;
    }
}

static enum ls_code go_on(struct cgroup *cgroup, const struct spent *now, struct ls_error *err)
{
    const int64_t read_ns = ls_now_ns(), elapsed_ns = read_ns - cgroup->read_ns;
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    int64_t step_ns;
    const enum advance advance = advance_of(cgroup->last.cpu_ns, now->cpu_ns, elapsed_ns,
                                            cores > 0 ? cores : ADVANCE_CORES_UNKNOWN, &step_ns);

    if (advance == ADVANCE_CANNOT_BE) {
        (void)ls_error_set(
            &cgroup->spoilt, LS_EUNREACHABLE,
            "the cgroup's usage_usec went from %.6f to %.6f s in %.3g s, which no CPU "
            "can: it is not to be trusted (%.200s)",
            (double)cgroup->last.cpu_ns / LS_NS_PER_S, (double)now->cpu_ns / LS_NS_PER_S,
            (double)elapsed_ns / LS_NS_PER_S, cgroup->path);
        *err = cgroup->spoilt;
        return err->code;
    }
    cgroup->read_ns = read_ns;
    cgroup->restarts += advance == ADVANCE_ANEW;
    if (advance != ADVANCE_ANEW && now->cpu_ns < cgroup->shown_ns) {
        cgroup->back_ns += cgroup->shown_ns - now->cpu_ns;
    }
    cgroup->shown_ns = now->cpu_ns;
    cgroup->total.cpu_ns += step_ns;
    cgroup->last.cpu_ns = advance == ADVANCE_BACK ? cgroup->last.cpu_ns : now->cpu_ns;
    grow(&cgroup->total.user_ns, &cgroup->last.user_ns, now->user_ns, advance == ADVANCE_ANEW);
    grow(&cgroup->total.system_ns, &cgroup->last.system_ns, now->system_ns,
         advance == ADVANCE_ANEW);
    return LS_OK;
}

enum ls_code cgroup_read(struct cgroup *cgroup, struct spent *out, struct ls_error *err)
{
    struct spent now;

    if (cgroup->spoilt.code != LS_OK) {
        *err = cgroup->spoilt;
        return err->code;
    }
    if (!read_stat(cgroup->path, &now)) {
        return ls_error_set(err, LS_EUNREACHABLE, "the cgroup is gone (%.200s cannot be read)",
                            cgroup->path);
    }
    if (go_on(cgroup, &now, err) != LS_OK) {
        return err->code;
    }
    *out = cgroup->total;
    if (now.user_ns < 0 || now.system_ns < 0) {
        out->user_ns = out->system_ns = -1;
    }
    return LS_OK;
}
