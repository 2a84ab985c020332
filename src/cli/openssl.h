/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CLI_OPENSSL_H
#define LOGINSTORM_CLI_OPENSSL_H

/* `openssl speed` of this host, run for the keys that a calibration measures. */

#include <stdbool.h>

#include "loginstorm/costs.h"
#include "loginstorm/error.h"

/*
 * Runs it, a second for each figure, on that core (negative: any), for the keys whose place in sign_per_s is true. Where
 * there is no openssl, or it does not know them, *speed has no version, and the code is LS_OK all the same: a profile
 * without can be carried to another CPU by a factor alone.
 */
LS_MUST_CHECK
enum ls_code openssl_run(struct ls_openssl_speed *speed, const bool wanted[LS_SPEED_KEYS], int core,
                         struct ls_error *err);

#endif
