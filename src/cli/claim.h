/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CLI_CLAIM_H
#define LOGINSTORM_CLI_CLAIM_H

/*
 * A folder belongs to one kind of result of one scenario: the same may take its place, file by file; anything else is
 * refused before it is touched, so that no report is lost to a name that was typed twice.
 */

#include "loginstorm/error.h"
#include "loginstorm/result.h"

enum claim { CLAIM_RUN, CLAIM_SIMULATION, CLAIM_PLAN };

/* Whether what is to be made of the scenario of that name may lie in folder, which need not exist. LS_ECREATE with what
 * is there and what to do. A shard of a storm (NULL or of count 0: it is none) takes the place of that very shard alone. */
LS_MUST_CHECK
enum ls_code claim_folder(const char *folder, enum claim kind, const struct ls_shard *shard,
                          const char *name, struct ls_error *err);

#endif
