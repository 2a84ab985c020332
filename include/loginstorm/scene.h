/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_SCENE_H
#define LOGINSTORM_SCENE_H

/*
 * A scene: what a scenario and measured costs come to as the model's wish, for one certificate.
 *
 *     scenario, costs -> [scene] -> model
 *
 * A handshake's CPU is that of the profile's row (costs.h): what the TLS library took from Client
 * Hello to flight as its first burst, the rest as its second; what the process took beside TLS is
 * shared by the bursts evenly. That a handshake costs less on a busy core is a part of each burst that
 * only an idle core pays, fitted to the profile's loads.
 */

#include "loginstorm/costs.h"
#include "loginstorm/error.h"
#include "loginstorm/model.h"
#include "loginstorm/scenario.h"

struct ls_scene_wish {
    const struct ls_scenario *scenario;
    const struct ls_certificate *certificate;
    /* Where scenario->farm names a profile or none; not looked at where it says a law. Must outlive the
     * scene, whose bursts lean on its spreads. */
    const struct ls_costs *costs;
    double cpu;          /* the gateway's CPU times so much, for what is not known of it; 0 is 1 */
    int gateways, cores; /* 0: as the scenario's farm */
    /* As a live storm on this host would have it: no network, everybody's CPU from so many injectors,
     * the waits that were measured on an idle host. 0: users at their own machines, in the scenario's
     * networks. */
    int injectors;
};

struct ls_scene {
    struct ls_model_wish wish; /* for ls_model_new; leans on this scene */
    struct ls_model_population *populations;
    struct ls_service pauses; /* of the host, where a live storm is foretold and they are known */
    /* The gateway's true CPU lies within so many times the costs: the widest interval of their rows
     * and of their translation to another CPU; 1 and 1 of a law. */
    double cpu_low, cpu_high;
    char *notes; /* what was taken for want of better, a sentence a line; NULL: nothing */
};

/* LS_EINPUT: the profile has no such handshake; the text says what it has. */
LS_MUST_CHECK
enum ls_code ls_scene_new(struct ls_scene **out, const struct ls_scene_wish *wish,
                          struct ls_error *err);
void ls_scene_free(struct ls_scene *scene);

/* CPU of a login on a busy core, and of one on an idle farm, ns: means over the populations. */
double ls_scene_login_cpu_ns(const struct ls_scene *scene, const struct ls_scenario *scenario,
                             bool idle);

#endif
