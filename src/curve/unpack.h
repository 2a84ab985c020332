/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CURVE_UNPACK_H
#define LOGINSTORM_CURVE_UNPACK_H

/*
 * xz, zst and bz2 by libarchive, which is loaded when the first such log is met: it brings a dozen
 * libraries, and every other command would pay for them at its start.
 */

#include <stddef.h>

#include "loginstorm/error.h"

struct unpack;

/* Gives packed bytes: their number, 0 at the end, negative when reading failed. */
typedef long unpack_more(void *data, const void **bytes);

/* LS_ELIMIT where there is no libarchive, saying how to do without. */
LS_MUST_CHECK
enum ls_code unpack_new(struct unpack **out, unpack_more *more, void *data, const char *path,
                        struct ls_error *err);
void unpack_free(struct unpack *unpack);

/* Up to size bytes; *got is 0 at the end. LS_EINPUT for what breaks off or is damaged. */
LS_MUST_CHECK
enum ls_code unpack_read(struct unpack *unpack, char *out, size_t size, size_t *got,
                         struct ls_error *err);

#endif
