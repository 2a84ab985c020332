/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A machine whose clock on the wall is another: preloaded, this puts so many seconds (OTHER_CLOCK_S, which may be below 0) on what
 * a program is told of it. Clocks that measure go on as they do. */
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

static time_t other_s(void)
{
    const char *said = getenv("OTHER_CLOCK_S");

    return said == NULL ? 0 : (time_t)strtol(said, NULL, 10);
}

int clock_gettime(clockid_t clock, struct timespec *at)
{
    static int (*real)(clockid_t, struct timespec *);
    int result;

    if (real == NULL) {
        *(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
    }
    result = real(clock, at);
    if (result == 0 && clock == CLOCK_REALTIME) {
        at->tv_sec += other_s();
    }
    return result;
}

int gettimeofday(struct timeval *restrict at, void *restrict zone)
{
    struct timespec now;

    (void)zone;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0) {
        return -1;
    }
    at->tv_sec = now.tv_sec;
    at->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *at)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_REALTIME, &now);
    if (at != NULL) {
        *at = now.tv_sec;
    }
    return now.tv_sec;
}
