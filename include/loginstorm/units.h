/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_UNITS_H
#define LOGINSTORM_UNITS_H

/* Time is int64_t nanoseconds everywhere; the unit stands in every name (_ns, _us, _bytes, _per_s).
 */

#include <stddef.h>
#include <stdint.h>

#define LS_NS_PER_US INT64_C(1000)
#define LS_NS_PER_MS INT64_C(1000000)
#define LS_NS_PER_S INT64_C(1000000000)
#define LS_NS_PER_MIN (60 * LS_NS_PER_S)
#define LS_NS_PER_H (60 * LS_NS_PER_MIN)
#define LS_NS_PER_DAY (24 * LS_NS_PER_H)

/* A step that was not reached. */
#define LS_NEVER_NS INT64_C(-1)

/* CLOCK_MONOTONIC now: asked for, never a loop's cached milliseconds. The same clock in every
 * process of a host. */
int64_t ls_now_ns(void);

/* The clock on the wall, ns since 1970-01-01T00:00:00Z: for what several machines agree on, and never to
 * measure with. */
int64_t ls_wall_ns(void);

/* CPU time of the calling thread, user and system. */
int64_t ls_thread_cpu_ns(void);

/* A time of day (wrapped at midnight) as "08:30", or "08:30:05" when with_seconds. size >= 9. */
void ls_format_clock(int64_t since_midnight_ns, int with_seconds, char *out, size_t size);

/* A duration in the scenario's own syntax, exact: "250us", "1h1m30s", "0s", and "-5ms". size
 * >= 32. */
void ls_format_duration(int64_t ns, char *out, size_t size);

/* 6000 as "6,000". size >= 32. */
void ls_format_count(int64_t count, char *out, size_t size);

/* Cores with the digits that mean something: "0.0013", "0.081", "1.50", "12.4", "<0.0001"; "-" when
 * negative. size >= 16 */
void ls_format_cores(double cores, char *out, size_t size);

#endif
