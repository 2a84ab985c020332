/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CURVE_STRANGE_H
#define LOGINSTORM_CURVE_STRANGE_H

#include <stddef.h>

#include "loginstorm/error.h"

/* LS_EINPUT with why no format knows a log that begins so, as far as that can be told. */
LS_MUST_CHECK
enum ls_code strange_log(const char *path, const char *head, size_t size, struct ls_error *err);

#endif
