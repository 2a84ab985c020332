/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CLI_PROOF_H
#define LOGINSTORM_CLI_PROOF_H

/*
 * The counter-proof of `run --counter-proof`: where Client Hellos with a post-quantum key share were
 * never answered, some users come once more without one, right after the storm.
 *
 *     run -> result with unanswered hellos -> [proof] -> a note in the result
 */

#include "loginstorm/error.h"
#include "loginstorm/result.h"
#include "loginstorm/scenario.h"
#include "loginstorm/storm.h"

/* Plays it where the result has cause for it, and adds what came of it to the result's notes. Not part
 * of any figure. target as in struct ls_storm_wish; step is told of it. Signals end it as a storm. */
LS_MUST_CHECK
enum ls_code proof_play(struct ls_result *result, const struct ls_scenario *scenario,
                        const struct ls_target *target, void (*step)(const char *text, void *data),
                        void *data, struct ls_error *err);

#endif
