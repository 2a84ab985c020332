/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_STORM_IDENTITIES_H
#define LOGINSTORM_STORM_IDENTITIES_H

/* What the embedded gateway shows: a certificate's key and chain, made or from files, and which of them in which run. */

#include "loginstorm/scenario.h"
#include "loginstorm/storm.h"
#include "loginstorm/tls.h"

/* Whether the scenario's files can be read and do for its users. Makes no keys. */
LS_MUST_CHECK
enum ls_code identities_check(const struct ls_scenario *scenario, struct ls_error *err);

/* Fills one a certificate, NULL until then; the caller frees them, after a failure too. */
LS_MUST_CHECK
enum ls_code identities_make(const struct ls_storm_wish *wish, struct ls_identity **identities,
                             struct ls_error *err);

/*
 * Which certificates the gateway shows in the run of one: that one, and those with a server_name of their own that the run's
 * users do not ask for. The first of them is for who asks for no name that it knows. shown has room for all; returns
 * how many.
 */
LS_MUST_CHECK
enum ls_code identities_shown(const struct ls_scenario *scenario,
                              struct ls_identity *const *identities, size_t certificate,
                              const struct ls_identity **shown, size_t *count,
                              struct ls_error *err);

#endif
