/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LS_MODEL_COST_H
#define LS_MODEL_COST_H

/*
 * What a handshake costs in the model, from a profile's row or from a law. ns.
 *
 * A profile knows the mean CPU of a handshake at some loads. The same work takes longer on a core that has
 * been idle for a while, the longer the more, so a row is fitted by
 *
 *     cpu(load) = busy + wake * sum over its bursts of P(idle) E[g / (g + warm)]
 *
 * where a first burst meets its core idle with probability 1 - core_share, after a gap g that is exponential
 * with the rate of handshakes, and a second one after the user's turn-around.
 */

#include "loginstorm/costs.h"
#include "loginstorm/model.h"
#include "loginstorm/scenario.h"

struct cost {
    struct ls_service hello, finish;
    double beside_ns;        /* beside the TLS library, of a handshake */
    double wake_ns, warm_ns; /* of each burst */
    double client_ns;        /* of a user, whole */
    /* On an idle host, medians: TCP, hello to secured, secured to logged in; the CPU of a user within;
     * negative where not known. And how much shorter the waits are at the rate asked for. */
    double connect_ns, handshake_ns, after_ns, calm_client_ns, calm_gap_ns;
    double waits;
};

/* per_s: handshakes a second that an injector and a gateway are to do with it; 0: users have machines of
 * their own, as idle as at the row's least load. */
void cost_of_row(struct cost *out, const struct ls_cost *row, double factor, double per_s);
void cost_of_law(struct cost *out, const struct ls_farm *farm, double factor);

/* A burst's part of wake_ns after a gap. */
double cost_wake_ns(const struct cost *cost, double gap_ns);

#endif
