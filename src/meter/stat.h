/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_METER_STAT_H
#define LOGINSTORM_METER_STAT_H

/* /proc/PID/stat. */

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define STAT_NAME_MAX 15 /* the kernel cuts a name behind so many bytes */

struct stat_line {
    char name[64]; /* threads of the kernel have longer ones */
    pid_t parent;
    int64_t user_ns, system_ns;                   /* in whole clock ticks */
    int64_t children_user_ns, children_system_ns; /* of those that ended and were waited for */
    int64_t started_ns; /* since the machine's start, in whole clock ticks */
};

/* false: the process is gone. */
bool stat_read(pid_t pid, struct stat_line *out);

/* The same from the file's text. */
bool stat_parse(const char *text, struct stat_line *out);

#endif
