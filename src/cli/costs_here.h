/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CLI_COSTS_HERE_H
#define LOGINSTORM_CLI_COSTS_HERE_H

/* This host's cost profile: where `calibrate` leaves it and who needs costs looks for it. */

#include <stddef.h>

#include "loginstorm/costs.h"
#include "loginstorm/error.h"

/* $XDG_CACHE_HOME/loginstorm/costs.json, or that in ~/.cache. LS_EINPUT where neither is set, LS_ERANGE where it is too
 * long. */
LS_MUST_CHECK
enum ls_code ls_costs_here_path(char *out, size_t size, struct ls_error *err);

/*
 * Loads it, for who names no profile: LS_ENOINPUT where there is none, LS_EINPUT where it was measured on another CPU or
 * with another TLS library than this program has; both say what to do.
 */
LS_MUST_CHECK
enum ls_code ls_costs_of_this_host(struct ls_costs **out, struct ls_error *err);

/* Makes its folder. */
LS_MUST_CHECK
enum ls_code ls_costs_here_folder(struct ls_error *err);

#endif
