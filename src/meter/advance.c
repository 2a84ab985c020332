/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "meter/advance.h"

#include "loginstorm/units.h"

#define SLACK_NS (100 * LS_NS_PER_MS)

int64_t advance_most_ns(int64_t elapsed_ns, int64_t cores)
{
    int64_t most_ns;

    return __builtin_mul_overflow((elapsed_ns > 0 ? elapsed_ns : 0) + SLACK_NS, cores, &most_ns)
               ? INT64_MAX
               : most_ns;
}

enum advance advance_of(int64_t last_ns, int64_t now_ns, int64_t elapsed_ns, int64_t cores,
                        int64_t *step_ns)
{
    const int64_t most_ns = advance_most_ns(elapsed_ns, cores);

    *step_ns = 0;
    if (now_ns >= last_ns) {
        if (now_ns - last_ns > most_ns) {
            return ADVANCE_CANNOT_BE;
        }
        *step_ns = now_ns - last_ns;
        return ADVANCE_ON;
    }
    if (now_ns <= last_ns / 2 && now_ns <= most_ns) {
        *step_ns = now_ns;
        return ADVANCE_ANEW;
    }
    /* However many cores there are: a fall by more is what a reading that went too far up leaves. */
    return last_ns - now_ns <= advance_most_ns(elapsed_ns, 1) ? ADVANCE_BACK : ADVANCE_CANNOT_BE;
}
