/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_NEED_H
#define LOGINSTORM_NEED_H

/*
 * What a storm needs of who brings it: how many injectors and source addresses, told before it is begun.
 *
 *     scenario, schedule, what a machine has -> [need] -> check, run
 *
 * An injector that takes more than 80 % of its core makes a measurement suspect, and one that has no port or descriptor left
 * makes it invalid: those are limits of ours, and no figure of the gateway.
 */

#include <stdbool.h>
#include <stdint.h>

#include "loginstorm/scenario.h"
#include "loginstorm/schedule.h"

/* Beyond so many ports of one source address connect() itself slows down to 0.5-1 ms (measured). */
#define LS_PORTS_PER_SOURCE 10000

struct ls_means {
    int64_t ports;        /* of a source address to a target address */
    int64_t open_files;   /* connections that one injector may have open */
    int64_t time_wait_ns; /* that a port is taken after its connection's end */
    int targets;          /* addresses of the gateway, which users take in turn */
    double client_ns;     /* of an injector's CPU for a handshake, with its request and answer */
};

struct ls_need {
    int64_t open; /* connections at once at the most, as ls_engine_open_max */
    int64_t
        ports; /* with those that are in TIME_WAIT by then; where each of his attempts takes a user's patience */
    int64_t
        handshakes; /* begun in the fullest second, whose beginning is anywhere, by who gets in at his first attempt;
                           negative: a closed loop, which is as fast as the gateway lets it be */
    double cores;  /* that they take; negative likewise */
    int injectors; /* so many, on a core each: the larger one of the next two; at least 1 */
    int by_cpu, by_files;
    int sources; /* addresses, LS_PORTS_PER_SOURCE of each at the most; at least 1 */
};

void ls_engine_need(struct ls_need *out, const struct ls_scenario *scenario,
                    const struct ls_schedule *schedule, const struct ls_means *means);

#endif
