/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "meter/stat.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "loginstorm/units.h"

/* Numbers behind the name, as proc(5) counts all fields from 1. */
#define FIELD_PARENT 4
#define FIELD_USER 14
#define FIELD_SYSTEM 15
#define FIELD_CHILDREN_USER 16
#define FIELD_CHILDREN_SYSTEM 17
#define FIELD_STARTED 22

static int64_t ticks_ns(int64_t ticks)
{
    const long per_s = sysconf(_SC_CLK_TCK);

    return per_s > 0 ? ticks * (LS_NS_PER_S / per_s) : 0;
}

/* A name may hold blanks and parentheses: it ends at the last one. */
static const char *take_name(const char *text, struct stat_line *out)
{
    const char *open = strchr(text, '('), *close = strrchr(text, ')');
    size_t size;

    if (open == NULL || close == NULL || close < open) {
        return NULL;
    }
    size = (size_t)(close - open - 1);
    size = size < sizeof out->name ? size : sizeof out->name - 1;
    memcpy(out->name, open + 1, size);
    out->name[size] = '\0';
    return close[1] == ' ' && close[2] != '\0' && close[3] == ' ' ? close + 3 : NULL;
}

bool stat_parse(const char *text, struct stat_line *out)
{
    const char *at = take_name(text, out);
    int64_t numbers[FIELD_STARTED + 1] = {0};

    if (at == NULL) {
        return false;
    }
    for (int i = FIELD_PARENT; i <= FIELD_STARTED; i++) {
        char *end;

        numbers[i] = strtoll(at, &end, 10);
        if (end == at) {
            return false;
        }
        at = end;
    }
    out->parent = (pid_t)numbers[FIELD_PARENT];
    out->user_ns = ticks_ns(numbers[FIELD_USER]);
    out->system_ns = ticks_ns(numbers[FIELD_SYSTEM]);
    out->children_user_ns = ticks_ns(numbers[FIELD_CHILDREN_USER]);
    out->children_system_ns = ticks_ns(numbers[FIELD_CHILDREN_SYSTEM]);
    out->started_ns = ticks_ns(numbers[FIELD_STARTED]);
    return true;
}

bool stat_read(pid_t pid, struct stat_line *out)
{
    char path[32], text[1024];
    ssize_t size;
    int fd;

    (void)snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return false;
    }
    size = read(fd, text, sizeof text - 1);
    (void)close(fd);
    if (size <= 0) {
        return false;
    }
    text[size] = '\0';
    return stat_parse(text, out);
}
