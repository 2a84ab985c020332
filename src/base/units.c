/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/units.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

static int64_t clock_ns(clockid_t clock)
{
    struct timespec now;

    (void)clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * LS_NS_PER_S + now.tv_nsec;
}

int64_t ls_now_ns(void)
{
    return clock_ns(CLOCK_MONOTONIC);
}

int64_t ls_wall_ns(void)
{
    return clock_ns(CLOCK_REALTIME);
}

int64_t ls_thread_cpu_ns(void)
{
    return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

void ls_format_clock(int64_t since_midnight_ns, int with_seconds, char *out, size_t size)
{
    int64_t s = since_midnight_ns / LS_NS_PER_S;

    if (since_midnight_ns % LS_NS_PER_S < 0) {
        s--;
    }
    s = (s % 86400 + 86400) % 86400;
    if (with_seconds) {
        (void)snprintf(out, size, "%02d:%02d:%02d", (int)(s / 3600), (int)(s / 60 % 60),
                       (int)(s % 60));
    } else {
        (void)snprintf(out, size, "%02d:%02d", (int)(s / 3600), (int)(s / 60 % 60));
    }
}

void ls_format_duration(int64_t ns, char *out, size_t size)
{
    static const struct {
        uint64_t ns;
        const char *word;
    } units[] = {
        {LS_NS_PER_H, "h"},   {LS_NS_PER_MIN, "m"}, {LS_NS_PER_S, "s"},
        {LS_NS_PER_MS, "ms"}, {LS_NS_PER_US, "us"}, {1, "ns"},
    };
    /* Unsigned: the least int64_t has no positive counterpart. */
    uint64_t left = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;
    size_t used = 0;

    if (ns <= 0) {
        used += (size_t)snprintf(out, size, ns < 0 ? "-" : "0s");
    }
    for (size_t i = 0; i < sizeof units / sizeof units[0] && left > 0 && used < size; i++) {
        if (left >= units[i].ns) {
            used += (size_t)snprintf(out + used, size - used, "%" PRIu64 "%s", left / units[i].ns,
                                     units[i].word);
            left %= units[i].ns;
        }
    }
}

void ls_format_count(int64_t count, char *out, size_t size)
{
    char digits[24];
    const int length = snprintf(digits, sizeof digits, "%" PRId64, count);
    const int first = digits[0] == '-' ? 1 : 0;
    size_t used = 0;

    for (int i = 0; i < length && used + 2 < size; i++) {
        if (i > first && (length - i) % 3 == 0) {
            out[used++] = ',';
        }
        out[used++] = digits[i];
    }
    out[used] = '\0';
}

void ls_format_cores(double cores, char *out, size_t size)
{
    if (cores < 0) {
        (void)snprintf(out, size, "-");
    } else if (cores > 0 && cores < 0.0001) {
        (void)snprintf(out, size, "<0.0001");
    } else if (cores < 0.1) {
        (void)snprintf(out, size, "%.2g", cores);
    } else {
        (void)snprintf(out, size, "%.*f", cores < 10 ? 2 : 1, cores);
    }
}
