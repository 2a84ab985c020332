/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CURVE_TOLD_H
#define LOGINSTORM_CURVE_TOLD_H

/* What the summary tells of a log beside its logins: lines that were none, by reason, and notes. Both
 * are a sink's, and the sink a gather's. */

#include <stddef.h>

#include "curve/format.h"

void told_skip(struct sink *sink, const char *reason, const char *text, size_t size);
void told_note(struct sink *sink, const char *text);

#endif
