/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CLI_FARM_COSTS_H
#define LOGINSTORM_CLI_FARM_COSTS_H

/* What handshakes cost at the gateways of a scenario's farm: which profile, and on which CPU. */

#include <stdbool.h>
#include <stddef.h>

#include "loginstorm/costs.h"
#include "loginstorm/error.h"
#include "loginstorm/result.h"
#include "loginstorm/scenario.h"

/*
 * The profile (or live result) `option`, else the one in farm.costs, else this host's; as costs on the farm's CPU, unless
 * this_host asks for them as they are here. *out is NULL where farm.costs is a law and no option overrides it. A
 * scenario that an option overrides has to be told so by its cost_kind.
 * LS_ENOINPUT and LS_EINPUT with what to do.
 */
LS_MUST_CHECK
enum ls_code farm_costs_load(struct ls_costs **out, const struct ls_scenario *scenario,
                             const char *option, bool this_host, struct ls_error *err);

/* What a `farm` of a scenario has by default, where there is none at all. */
void farm_fill(struct ls_farm *farm);

/* Where they are from, for people. costs NULL: the farm's law. */
void farm_costs_words(const struct ls_costs *costs, const struct ls_scenario *scenario, char *out,
                      size_t size);

/* What is to be known of them beside: another machine than this one, doubts about the measurement. */
LS_MUST_CHECK
enum ls_code farm_costs_notes(const struct ls_costs *costs, const struct ls_scenario *scenario,
                              bool this_host, struct ls_result *result, struct ls_error *err);

/* The scenario's certificate with the kind of key that its file holds, where it names a file. */
LS_MUST_CHECK
enum ls_code farm_certificate(struct ls_certificate *out, const struct ls_scenario *scenario,
                              size_t certificate, struct ls_error *err);

#endif
