/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/memory.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define PATH_ROOM 4096

/* The number behind a key that begins a line: "MemAvailable:   123 kB", "inactive_file 123"; a key of no letters is the whole
 * file's first number. Negative: it is not there, or is no number, as "max". */
static int64_t number_in(const char *path, const char *key)
{
    const size_t length = strlen(key);
    FILE *file = fopen(path, "re");
    char line[256];
    int64_t number = -1;

    while (file != NULL && number < 0 && fgets(line, sizeof line, file) != NULL) {
        char *end;

        if (strncmp(line, key, length) == 0) {
            number = strtoll(line + length, &end, 10);
            number = end == line + length ? -1 : number;
        }
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return number;
}

/* What one cgroup leaves; negative: it has no limit. */
static int64_t left_in(const char *folder, bool v2)
{
    char path[PATH_ROOM + 64];
    int64_t limit, used, cache;

    (void)snprintf(path, sizeof path, "%s/%s", folder, v2 ? "memory.max" : "memory.limit_in_bytes");
    limit = number_in(path, "");
    (void)snprintf(path, sizeof path, "%s/%s", folder,
                   v2 ? "memory.current" : "memory.usage_in_bytes");
    used = number_in(path, "");
    if (limit < 0 || used < 0) {
        return -1;
    }
    (void)snprintf(path, sizeof path, "%s/memory.stat", folder);
    cache = number_in(path, v2 ? "inactive_file " : "total_inactive_file ");
    used -= cache > 0 && cache < used ? cache : 0;
    return used < limit ? limit - used : 0;
}

static void keep_least(int64_t *least, int64_t other)
{
    if (other >= 0 && (*least < 0 || other < *least)) {
        *least = other;
    }
}

/* A limit above binds who is below, and in a container the folders below are not to be seen. */
static void cgroup_left(const char *root, const char *own, bool v2, int64_t *least)
{
    char folder[PATH_ROOM];
    const int base =
        snprintf(folder, sizeof folder, "%s/sys/fs/cgroup%s", root, v2 ? "" : "/memory");
    char *slash;

    if (base < 0 || (size_t)base + strlen(own) >= sizeof folder) {
        return;
    }
    memcpy(folder + base, own, strlen(own) + 1);
    while ((slash = strrchr(folder + base, '/')) != NULL) {
        keep_least(least, left_in(folder, v2));
        *slash = '\0';
    }
    keep_least(least, left_in(folder, v2));
}

/* Whether a comma-separated list has it. */
static bool has_controller(const char *list, size_t length, const char *name)
{
    const char *end = list + length;

    while (list < end) {
        const size_t own = strcspn(list, ",:");

        if (own == strlen(name) && strncmp(list, name, own) == 0) {
            return true;
        }
        list += own + 1;
    }
    return false;
}

int64_t ls_memory_free_in(const char *root)
{
    char path[PATH_ROOM], line[PATH_ROOM];
    int64_t least;
    FILE *file;

    (void)snprintf(path, sizeof path, "%s/proc/meminfo", root);
    least = number_in(path, "MemAvailable:");
    least = least >= 0 ? least * 1024 : -1;
    (void)snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    file = fopen(path, "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        const char *controllers = strchr(line, ':');
        char *own = controllers == NULL ? NULL : strchr(controllers + 1, ':');

        line[strcspn(line, "\n")] = '\0';
        if (own == NULL) {
            continue;
        }
        if (own == controllers + 1) {
            cgroup_left(root, own + 1, true, &least);
        } else if (has_controller(controllers + 1, (size_t)(own - controllers) - 1, "memory")) {
            cgroup_left(root, own + 1, false, &least);
        }
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return least;
}

static void keep_limit(int64_t *least, const struct rlimit *limit, const char *used_key)
{
    const int64_t used_kib = number_in("/proc/self/status", used_key);

    if (used_kib >= 0 && limit->rlim_cur != RLIM_INFINITY && limit->rlim_cur < (rlim_t)INT64_MAX) {
        const int64_t left = (int64_t)limit->rlim_cur - used_kib * 1024;

        keep_least(least, left > 0 ? left : 0);
    }
}

int64_t ls_memory_free(void)
{
    int64_t least = ls_memory_free_in("");
    struct rlimit limit;

    if (getrlimit(RLIMIT_AS, &limit) == 0) {
        keep_limit(&least, &limit, "VmSize:");
    }
    if (getrlimit(RLIMIT_DATA, &limit) == 0) {
        keep_limit(&least, &limit, "VmData:");
    }
    return least;
}

void ls_memory_bound(int64_t bytes)
{
    const int64_t used_kib = number_in("/proc/self/status", "VmData:");
    struct rlimit limit;

    if (used_kib < 0 || bytes < 0 || getrlimit(RLIMIT_DATA, &limit) != 0 ||
        bytes > INT64_MAX - used_kib * 1024) {
        return;
    }
    if (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > (rlim_t)(bytes + used_kib * 1024)) {
        limit.rlim_cur = (rlim_t)(bytes + used_kib * 1024);
        (void)setrlimit(RLIMIT_DATA, &limit);
    }
}
