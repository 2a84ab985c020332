/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CLI_HOST_H
#define LOGINSTORM_CLI_HOST_H

/* The head of a result: which scenario, on which machine, with which TLS library, and what a live
 * run leaves out of it. */

#include "loginstorm/costs.h"
#include "loginstorm/error.h"
#include "loginstorm/result.h"
#include "loginstorm/scenario.h"
#include "loginstorm/schedule.h"

/* A result without runs, with room for one a certificate and round. */
LS_MUST_CHECK
enum ls_code host_result_new(struct ls_result **out, const struct ls_scenario *scenario,
                             const struct ls_schedule *schedule, int injectors, int repeat,
                             struct ls_error *err);

/* What a cost profile says of the machine, the moment and the TLS library. */
LS_MUST_CHECK
enum ls_code host_of_costs(struct ls_costs *costs, struct ls_error *err);

/* The same for a simulation: its CPU and TLS library are those that the costs were measured with (NULL: this host's),
 * placement says which farm it is. */
LS_MUST_CHECK
enum ls_code host_model_new(struct ls_result **out, const struct ls_scenario *scenario,
                            const struct ls_schedule *schedule, const struct ls_costs *costs,
                            const char *placement, struct ls_error *err);

LS_MUST_CHECK
enum ls_code host_add_note(struct ls_result *result, const char *text, struct ls_error *err);

/* The scenario's targets, once all runs are there. */
LS_MUST_CHECK
enum ls_code host_add_targets(struct ls_result *result, const struct ls_targets *targets,
                              struct ls_error *err);

#endif
