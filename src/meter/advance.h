/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_METER_ADVANCE_H
#define LOGINSTORM_METER_ADVANCE_H

/*
 * Whether what a CPU counter shows can be, by what it showed before. A counter that fell to nearly nothing,
 * to no more than could be burnt since, began anew. /proc/stat and virtual machines let one step back by
 * a little: it has then not moved, and goes on from where it was. Anything else is no CPU time.
 */

#include <stdint.h>

/* Of a gateway whose cores are not known. */
#define ADVANCE_CORES_UNKNOWN 4096

enum advance { ADVANCE_ON, ADVANCE_ANEW, ADVANCE_BACK, ADVANCE_CANNOT_BE };

/* What so many cores can burn in that time at most, with what ticks and two clocks may be off. */
int64_t advance_most_ns(int64_t elapsed_ns, int64_t cores);

/* step_ns is what it went on by: 0 for the last two. */
enum advance advance_of(int64_t last_ns, int64_t now_ns, int64_t elapsed_ns, int64_t cores,
                        int64_t *step_ns);

#endif
