/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_STORM_CLIENTS_H
#define LOGINSTORM_STORM_CLIENTS_H

/* The certificates that users show to a gateway that asks for one, from the scenario's files. Private to this room. */

#include "loginstorm/scenario.h"
#include "loginstorm/tls.h"

/* One a population into *out, NULL for those that have none; freed by clients_free, after a failure too. The TLS room has been
 * started. Errors as those of ls_identity_load, with the population's name. */
LS_MUST_CHECK
enum ls_code clients_load(struct ls_identity ***out, const struct ls_scenario *scenario,
                          struct ls_error *err);
void clients_free(struct ls_identity **clients, const struct ls_scenario *scenario);

#endif
