/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LS_ARRIVALS_CURVE_TEXT_H
#define LS_ARRIVALS_CURVE_TEXT_H

/* The words of a curve file, for its writer and its reader. */

#include <stdint.h>

#define CURVE_FORMAT "loginstorm-curve 1"
#define CURVE_LOGINS "time,user"
#define CURVE_INTERVALS "from,to,count"

/* "2026-11-23T07:00:00.25Z", without a NUL behind it: at most 30 bytes. Returns what follows. */
char *curve_put_time(char *at, int64_t utc_ns);

#endif
