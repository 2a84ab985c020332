/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CURVE_CHOOSE_H
#define LOGINSTORM_CURVE_CHOOSE_H

/* Which format a log is in: the one that is told, or the surest by the log's first bytes. */

#include <stddef.h>

#include "curve/format.h"

/* Before the first log is opened; *out stays NULL where nothing is told. LS_EUSAGE for no format. */
LS_MUST_CHECK
enum ls_code choose_told(const struct format **out, const struct ls_import_wish *wish,
                         struct ls_error *err);

/* By its first bytes, without a byte order mark; *format is that of the logs before, or NULL.
 * LS_EINPUT for another than that one's, or none. A second format as sure goes into the summary. */
LS_MUST_CHECK
enum ls_code choose_found(const struct format **format, struct ls_import_summary *summary,
                          const struct ls_import_wish *wish, const char *path, const char *head,
                          size_t size, struct ls_error *err);

/* LS_EUSAGE for an option that says nothing of such a log. */
LS_MUST_CHECK
enum ls_code choose_check(const struct format *format, const struct ls_import_wish *wish,
                          struct ls_error *err);

#endif
