/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LS_REPORT_TARGETS_H
#define LS_REPORT_TARGETS_H

/* What became of the scenario's targets, in words that several formats share: private to this room. */

#include <stdbool.h>
#include <stddef.h>

#include "loginstorm/result.h"

/* "1.20 s", "0.5 %", "never, so many failed", "not known". size >= 32 */
void target_limit_words(const struct ls_target_outcome *target, char *out, size_t size);
void target_value_words(const struct ls_target_outcome *target, char *out, size_t size);

/* Of a target that was missed: "by 200 ms, 20 % over"; empty where so many failed that there is no value,
 * and of any other. size >= 64 */
void target_by_words(const struct ls_target_outcome *target, char *out, size_t size);

/* "60 times as dense", "in 95 % of mornings": what the value is of; empty where it is the morning's own. size
 * >= 64 */
void target_pace_words(const struct ls_result *result, const struct ls_target_outcome *target,
                       char *out, size_t size);

/* The certificates that missed it, each once and in the result's order, where there are several that could
 * have; of several each with its own figure: "RSA 4096 by 2.23 s, 74 % over; ECDSA P-384 by 253 ms, 8 % over". Cut where it
 * gets long. */
void target_missers(const struct ls_result *result, const struct ls_target_outcome *target,
                    char *out, size_t size);

/* Some run's measurement is: then nothing that it says about targets counts. */
bool any_invalid(const struct ls_result *result);

#endif
