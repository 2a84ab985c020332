/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CLI_FOLDER_H
#define LOGINSTORM_CLI_FOLDER_H

/* A run's folder: scenario.yaml, result.json, samples.csv, handshakes.csv, timeline.csv; each
 * replaced whole or not at all. */

#include "loginstorm/error.h"
#include "loginstorm/result.h"
#include "loginstorm/scenario.h"

struct folder {
    char path[2048];
};

/* Makes it: out, or results/NAME-TIME (with a number behind it when that exists), and keeps every
 * other run out of it until this process ends. LS_ECREATE where nothing can be written, or another
 * run is at work. */
LS_MUST_CHECK
enum ls_code folder_create(struct folder *folder, const char *out,
                           const struct ls_scenario *scenario, struct ls_error *err);

/* Adds a run's rows to the tables; the first one replaces what an older run left there, and brings
 * the scenario as it was run. */
LS_MUST_CHECK
enum ls_code folder_add_run(const struct folder *folder, const struct ls_scenario *scenario,
                            const struct ls_measurement *measurement, const struct ls_run *run,
                            bool first, struct ls_error *err);

LS_MUST_CHECK
enum ls_code folder_save_result(const struct folder *folder, const struct ls_result *result,
                                struct ls_error *err);

#endif
