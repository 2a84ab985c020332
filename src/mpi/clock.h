/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_MPI_CLOCK_H
#define LOGINSTORM_MPI_CLOCK_H

/* How far the clocks of two machines are apart, from messages that went there and back; and when a storm starts by them. All
 * clocks are those on the wall, ns since 1970, UTC. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct clock_ping {
    int64_t sent_ns;   /* by the clock here */
    int64_t theirs_ns; /* by the other one */
    int64_t back_ns;   /* by the clock here again */
};

/* The other clock is ahead of the one here by so much, and not more off than error_ns. */
struct clock_offset {
    int64_t ahead_ns, error_ns;
};

/* Taken from the ping with the least round trip, of which half may be on either way. False: none of them can be used (the
 * clock here was set meanwhile). */
bool clock_compare(const struct clock_ping *pings, size_t count, struct clock_offset *offset);

/* When a storm may start that everybody is to be told of, where the slowest needs needs_ns from then on: whole
 * milliseconds. */
int64_t clock_start_ns(int64_t now_ns, int64_t needs_ns, int ranks);

/* What `run --start-at -` reads: the start by the clock here, how far the machine's own is ahead of that, and the error; a line
 * with its end. size >= CLOCK_LINE */
#define CLOCK_LINE 96
void clock_write(int64_t start_ns, const struct clock_offset *offset, char *line, size_t size);

/* "3.000 s ahead", "0.2 ms behind": for people. size >= 48 */
void clock_tell(int64_t ahead_ns, char *out, size_t size);

#endif
