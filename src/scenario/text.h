/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_SCENARIO_TEXT_H
#define LOGINSTORM_SCENARIO_TEXT_H

/* A file's bytes before YAML sees them: UTF-8, and nothing that hides in a terminal. */

#include <stddef.h>

#include "scenario/reading.h"

/* Complains and returns false when text is not clean UTF-8; otherwise *skip is the length of its
 * byte order mark. */
bool ls_text_check(struct ls_reading *reading, const char *text, size_t size, const char *origin,
                   size_t *skip);

#endif
