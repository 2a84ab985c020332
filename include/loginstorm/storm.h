/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_STORM_H
#define LOGINSTORM_STORM_H

/*
 * The storm: the conductor of a live run. It starts a fresh gateway and fresh injectors for each
 * certificate of the scenario, gives them one start signal, gathers what they saw, and never drives
 * load itself.
 *
 *     scenario, schedule -> [storm] -> injectors, gateway workers (processes)
 *                              `-----> one measurement a certificate
 *
 * The processes are this same program (`program`, by ls_storm_injector_main and
 * ls_storm_worker_main). They talk over two pipes in versioned lines; a record lies in memory that
 * injector and conductor share, so that a killed injector's logins are not lost.
 */

#include <stdint.h>

#include "loginstorm/error.h"
#include "loginstorm/result.h"
#include "loginstorm/scenario.h"
#include "loginstorm/schedule.h"

/* Hidden commands of the program that the conductor starts itself by. */
#define LS_STORM_INJECTOR_COMMAND "injector-process"
#define LS_STORM_WORKER_COMMAND "gateway-process"

/* How a running storm looks, ten times a second. */
struct ls_storm_view {
    size_t certificate; /* index in the scenario */
    int64_t run_ns;     /* since its start; negative before it */
    int64_t started, logged_in, failed, in_flight;
    const struct ls_record *const *records; /* one an injector; rows appear as logins end */
    size_t records_count;
};

struct ls_storm_wish {
    const struct ls_scenario *scenario;
    const struct ls_schedule *schedule;
    const char *program;
    int injectors;
    /* What is being done that takes a moment: "making a key: RSA 4096". */
    void (*step)(const char *text, void *data);
    void (*view)(const struct ls_storm_view *view, void *data);
    /* After each certificate; what measurement points to lives until it returns. An error ends the
     * storm. */
    enum ls_code (*measured)(const struct ls_measurement *measurement, void *data,
                             struct ls_error *err);
    void *data;
};

/*
 * Checks what can be checked before anything is started: the target is the embedded gateway, the
 * cores exist, what a live run cannot do yet is not asked for. LS_EINPUT.
 */
LS_MUST_CHECK
enum ls_code ls_storm_check(const struct ls_scenario *scenario, int injectors,
                            struct ls_error *err);

/* "1 worker on core 0 · 1 injector on core 1". */
void ls_storm_placement(const struct ls_scenario *scenario, int injectors, char *out, size_t size);

/*
 * Runs it all. A storm that ended early has given its partial measurement to `measured` all the
 * same, and returns why: LS_EINTERRUPTED or LS_ETERMINATED (signals; a second one quits the process
 * at once), LS_EUNREACHABLE (the gateway died), LS_EPARTIAL (an injector died), or the code of what
 * failed.
 */
LS_MUST_CHECK
enum ls_code ls_storm_run(const struct ls_storm_wish *wish, struct ls_error *err);

/* The mains of the processes that a conductor starts; they return an exit status. */
int ls_storm_injector_main(void);
int ls_storm_worker_main(void);

#endif
