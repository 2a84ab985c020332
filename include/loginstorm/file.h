/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_FILE_H
#define LOGINSTORM_FILE_H

/*
 * Files that are replaced whole or not at all: an old report survives a failed new one.
 */

#include <stdio.h>

#include "loginstorm/error.h"

struct ls_file {
    FILE *stream; /* write here */
    char path[4096];
    char temporary[4096];
};

/* Opens a temporary file beside path, or path itself where that is no plain file (/dev/null, a
 * pipe). LS_ECREATE when that cannot be. */
LS_MUST_CHECK
enum ls_code ls_file_create(struct ls_file *file, const char *path, struct ls_error *err);

/* Flushes, syncs and renames onto path; LS_EWRITE (a full disk, say) leaves the old file and no
 * temporary one. */
LS_MUST_CHECK
enum ls_code ls_file_commit(struct ls_file *file, struct ls_error *err);

/* Drops the temporary file; the old one stays. Safe after commit, and on a zeroed struct. */
void ls_file_abort(struct ls_file *file);

/* A whole file ("-" is stdin) as NUL-ended text that the caller frees. More than limit bytes:
 * LS_EINPUT; missing: LS_ENOINPUT. */
LS_MUST_CHECK
enum ls_code ls_file_read(const char *path, size_t limit, char **text, size_t *size,
                          struct ls_error *err);

/* Makes a folder and its parents. LS_ECREATE with the reason. */
LS_MUST_CHECK
enum ls_code ls_folder_make(const char *path, struct ls_error *err);

#endif
