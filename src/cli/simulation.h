/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CLI_SIMULATION_H
#define LOGINSTORM_CLI_SIMULATION_H

/* One `simulate`: what its parts (simulate*.c) share. */

#include "cli/folder.h"
#include "cli/teller.h"
#include "loginstorm/mornings.h"
#include "loginstorm/scene.h"

#define MANY_USERS 100000 /* of whom a part of a morning is worth telling, and what they take */

/* From the loaded scenario to the report. */
struct simulation {
    const struct options *options;
    struct ls_scenario
        scenario;              /* shallow: at the pace at which it is played, and so written down */
    struct ls_scenario played; /* the same with what is only known here: kinds of keys, events */
    struct ls_certificate *certificates;
    struct ls_costs *costs; /* NULL: a law */
    struct ls_mornings *mornings;
    struct ls_morning *out;
    struct ls_result *result;
    struct folder folder;
    struct teller teller;
    const char *playing;
    int replications;
    int mornings_played; /* of the last certificate */
    int threads;
    int64_t users;
};

/* Whether a live run on this host is what is wanted. */
bool simulation_as_run(const struct simulation *simulation);

/* How many users there are and by how many threads they can be played, in the memory that there is. LS_ERANGE: by none. */
LS_MUST_CHECK
enum ls_code simulation_memory(struct simulation *simulation, struct ls_error *err);

/* All that can be refused is, and the result has its head and its notes. */
LS_MUST_CHECK
enum ls_code simulation_prepare(struct simulation *simulation, struct ls_error *err);

/* What the certificates' scenes took for want of better, each of it once. */
LS_MUST_CHECK
enum ls_code simulation_scene_notes(struct simulation *simulation, struct ls_scene **scenes,
                                    struct ls_error *err);

#endif
