/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/meter.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "loginstorm/units.h"

enum ls_code ls_meter_process(struct ls_meter *meter, pid_t pid, struct ls_error *err)
{
    const int status = clock_getcpuclockid(pid, &meter->clock);

    meter->pid = pid;
    if (status != 0) {
        errno = status;
        return ls_error_set_errno(err, LS_ESYSTEM, "no CPU clock of process %d", (int)pid);
    }
    return LS_OK;
}

enum ls_code ls_meter_cpu_ns(const struct ls_meter *meter, int64_t *cpu_ns)
{
    struct timespec spent;

    if (clock_gettime(meter->clock, &spent) != 0) {
        return LS_ESYSTEM;
    }
    *cpu_ns = (int64_t)spent.tv_sec * LS_NS_PER_S + spent.tv_nsec;
    return LS_OK;
}

enum ls_code ls_meter_waited_ns(const struct ls_meter *meter, int64_t *waited_ns)
{
    char path[64];
    char line[128]; /* "ran waited slices" */
    char *end;
    FILE *file;
    bool read;

    (void)snprintf(path, sizeof path, "/proc/%d/schedstat", (int)meter->pid);
    file = fopen(path, "re");
    if (file == NULL) {
        return LS_ESYSTEM;
    }
    read = fgets(line, sizeof line, file) != NULL;
    (void)fclose(file);
    if (!read || strchr(line, ' ') == NULL) {
        return LS_ESYSTEM;
    }
    *waited_ns = strtoll(strchr(line, ' '), &end, 10);
    return *end == ' ' ? LS_OK : LS_ESYSTEM;
}

static int64_t timeval_ns(struct timeval time)
{
    return (int64_t)time.tv_sec * LS_NS_PER_S + (int64_t)time.tv_usec * LS_NS_PER_US;
}

void ls_meter_self(int64_t *user_ns, int64_t *system_ns)
{
    struct rusage usage = {0};

    (void)getrusage(RUSAGE_SELF, &usage);
    *user_ns = timeval_ns(usage.ru_utime);
    *system_ns = timeval_ns(usage.ru_stime);
}
