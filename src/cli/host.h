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

/* What is to be known of a measurement's figures, with its certificate where there are several, and its round likewise. */
LS_MUST_CHECK
enum ls_code host_add_notes(struct ls_result *result, const struct ls_measurement *measurement,
                            bool certificates, bool rounds, struct ls_error *err);

/* Its own certificates beside each other. */
LS_MUST_CHECK
enum ls_code host_compare(struct ls_result *result, struct ls_error *err);

/* The digest of a scenario as it is played, as a result has it. */
LS_MUST_CHECK
enum ls_code host_digest(const struct ls_scenario *scenario, const struct ls_schedule *schedule,
                         char hex[65], struct ls_error *err);

/* The head of a result that is merged of shards: of their storm, on the machine of `first`, one of them. Room for rounds
 * of each certificate. */
LS_MUST_CHECK
enum ls_code host_merged_new(struct ls_result **out, const struct ls_scenario *scenario,
                             const struct ls_schedule *schedule, const struct ls_result *first,
                             int rounds, struct ls_error *err);

/* The scenario's targets, once all runs are there. */
LS_MUST_CHECK
enum ls_code host_add_targets(struct ls_result *result, const struct ls_targets *targets,
                              struct ls_error *err);

#endif
