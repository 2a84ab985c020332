/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mpi/clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "loginstorm/units.h"

/* A message to a rank that another program holds up, and the line from there into the shard's process. */
#define TELL_NS LS_NS_PER_S
#define TELL_EACH_NS (2 * LS_NS_PER_MS)

bool clock_compare(const struct clock_ping *pings, size_t count, struct clock_offset *offset)
{
    int64_t least_ns = -1;

    for (size_t i = 0; i < count; i++) {
        const int64_t trip_ns = pings[i].back_ns - pings[i].sent_ns;

        if (trip_ns < 0 || (least_ns >= 0 && trip_ns >= least_ns)) {
            continue;
        }
        least_ns = trip_ns;
        offset->ahead_ns = pings[i].theirs_ns - (pings[i].sent_ns + trip_ns / 2);
        offset->error_ns = (trip_ns + 1) / 2;
    }
    return least_ns >= 0;
}

int64_t clock_start_ns(int64_t now_ns, int64_t needs_ns, int ranks)
{
    const int64_t start_ns = now_ns + needs_ns + TELL_NS + ranks * TELL_EACH_NS;

    return (start_ns + LS_NS_PER_MS - 1) / LS_NS_PER_MS * LS_NS_PER_MS;
}

void clock_write(int64_t start_ns, const struct clock_offset *offset, char *line, size_t size)
{
    const int64_t ahead_ns = llabs(offset->ahead_ns);

    (void)snprintf(line, size,
                   "@%" PRId64 ".%09" PRId64 " %c%" PRId64 ".%09" PRId64 " %" PRId64 ".%09" PRId64
                   "\n",
                   start_ns / LS_NS_PER_S, start_ns % LS_NS_PER_S, offset->ahead_ns < 0 ? '-' : '+',
                   ahead_ns / LS_NS_PER_S, ahead_ns % LS_NS_PER_S, offset->error_ns / LS_NS_PER_S,
                   offset->error_ns % LS_NS_PER_S);
}

void clock_tell(int64_t ahead_ns, char *out, size_t size)
{
    const double way = (double)llabs(ahead_ns);
    const char *where = ahead_ns < 0 ? "behind" : "ahead";

    if (way >= (double)LS_NS_PER_S) {
        (void)snprintf(out, size, "%.3f s %s", way / (double)LS_NS_PER_S, where);
    } else {
        (void)snprintf(out, size, "%.3f ms %s", way / (double)LS_NS_PER_MS, where);
    }
}
