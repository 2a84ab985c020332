/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CLI_HOST_H
#define LOGINSTORM_CLI_HOST_H

/* The head of a result: which scenario, on which machine, with which TLS library, and what a live
 * run leaves out of it. */

#include "loginstorm/error.h"
#include "loginstorm/result.h"
#include "loginstorm/scenario.h"

/* A result without runs, with room for one a certificate. */
LS_MUST_CHECK
enum ls_code host_result_new(struct ls_result **out, const struct ls_scenario *scenario,
                             int injectors, struct ls_error *err);

#endif
