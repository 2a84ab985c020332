/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_BASE_ZONE_NAMES_H
#define LOGINSTORM_BASE_ZONE_NAMES_H

/* What somebody meant who wrote a zone that the tz database does not have. */

#include "loginstorm/error.h"

#define ZONE_NAME_MAX 128

/* Where the tz database lies, as the C library sees it. */
const char *zone_folder(void);

/* Fills *err and returns LS_EINPUT, LS_ENOINPUT without a tz database, or LS_ENOMEM. */
LS_MUST_CHECK
enum ls_code zone_unknown(const char *name, struct ls_error *err);

#endif
