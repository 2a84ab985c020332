/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CLI_INJECTORS_H
#define LOGINSTORM_CLI_INJECTORS_H

/* How many injectors and source addresses a storm takes, told before it begins. */

#include <stdbool.h>
#include <stdio.h>

#include "loginstorm/engine.h"
#include "loginstorm/need.h"
#include "loginstorm/scenario.h"
#include "loginstorm/schedule.h"

struct advice {
    struct ls_need need;
    struct ls_means means;
    bool assumed;  /* means.client_ns is none that was measured on this host */
    bool loopback; /* the storm has as many source addresses as it wants */
    bool closed;
    double speedup;
    int cores; /* of this host */
};

/* target: the gateway's addresses; zeroed for the embedded one. */
void advise(struct advice *out, const struct ls_scenario *scenario,
            const struct ls_schedule *schedule, const struct ls_target *target);

/* Two lines, each with `begin` before it. */
void advice_write(const struct advice *advice, const char *begin, FILE *out);

/* What a storm of so many injectors, on so many machines, does not have; a line on stderr each, and none where it has all. */
void advice_warn(const struct advice *advice, int injectors, int machines);

#endif
