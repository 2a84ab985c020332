/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CLI_OWN_H
#define LOGINSTORM_CLI_OWN_H

/* A scenario as its run's folder keeps it: the curves are copies beside it, and every other file is named by a path
 * that holds from anywhere. */

#include <stddef.h>

#include "loginstorm/error.h"
#include "loginstorm/scenario.h"

#define OWN_CURVE_NAME 32

/* The name of a recorded curve's copy; the only one needs no number. */
void own_curve_name(const struct ls_scenario *scenario, size_t wave, char name[OWN_CURVE_NAME]);

/* As NUL-ended text that the caller frees. */
LS_MUST_CHECK
enum ls_code own_text(const struct ls_scenario *scenario, char **text, size_t *size,
                      struct ls_error *err);

#endif
