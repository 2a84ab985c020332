/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_LIMIT_H
#define LOGINSTORM_LIMIT_H

/* What the machine lets one process have: found out before a start, since a storm that hits our own limit measures nothing. */

#include <stdint.h>

#include "loginstorm/error.h"

/*
 * Sees to it that this process, and those that it starts, may have so many connections open beside what every process has
 * open: raises the limit of open files where that is needed and allowed. who is the sentence's beginning: "this storm".
 * LS_ELIMIT says what to do.
 */
LS_MUST_CHECK
enum ls_code ls_limit_open_files(int64_t connections, const char *who, struct ls_error *err);

/*
 * Keeps this process, and those that it starts, on one core (0, 1, ...); negative: wherever the system likes. LS_EINPUT when
 * there is no such core, or this process may not use it; where is the sentence's beginning, where the core was asked for.
 */
LS_MUST_CHECK
enum ls_code ls_limit_to_core(int64_t core, const char *where, struct ls_error *err);

#endif
