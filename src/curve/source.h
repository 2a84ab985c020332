/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CURVE_SOURCE_H
#define LOGINSTORM_CURVE_SOURCE_H

/*
 * The bytes of a log, unpacked: a file or stdin, plain or gz, xz, zst or bz2 by its first bytes,
 * whatever it is called. Constant memory.
 */

#include <stddef.h>
#include <stdint.h>

#include "loginstorm/error.h"

#define SOURCE_PIECE ((size_t)256 * 1024)

struct source;

/* "-" is stdin. LS_ENOINPUT where it cannot be opened, or is a pipe with a name to which nobody
 * writes within five seconds. */
LS_MUST_CHECK
enum ls_code source_open(struct source **out, const char *path, struct ls_error *err);
void source_close(struct source *source);

/*
 * The next piece, SOURCE_PIECE bytes but for the last; it stays until the next call. *size is 0 at
 * the end. A packed log that breaks off or is damaged gives what stood before, and only then
 * LS_EINPUT; LS_ESYSTEM where reading fails.
 */
LS_MUST_CHECK
enum ls_code source_read(struct source *source, const char **bytes, size_t *size,
                         struct ls_error *err);

/* As they lie on the disk: read so far, and in all (0: not known). */
int64_t source_taken(const struct source *source);
int64_t source_total(const struct source *source);

/* When the file was last written to, UTC; now for what is no file. */
int64_t source_written_ns(const struct source *source);

#endif
