/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_METER_SPENT_H
#define LOGINSTORM_METER_SPENT_H

#include <stdint.h>

/* CPU of a source since it was first read; the split is negative where it is not known. */
struct spent {
    int64_t cpu_ns, user_ns, system_ns;
};

#endif
