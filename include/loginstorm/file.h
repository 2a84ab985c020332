/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_FILE_H
#define LOGINSTORM_FILE_H

/*
 * Files that are replaced whole or not at all: an old report survives a failed new one, and a process that is killed leaves
 * nothing half-written where the file system has files without a name (ext4, XFS, Btrfs, tmpfs); elsewhere it leaves the
 * temporary one.
 */

#include <stdbool.h>
#include <stdio.h>

#include "loginstorm/error.h"

struct ls_file {
    FILE *stream; /* write here */
    char path[4096];
    char temporary[4096]; /* beside path; empty where path itself is written to */
    bool named;           /* a file of that name is there */
};

/* Opens a temporary file, without a name or beside path, or path itself where that is no plain file (/dev/null, a
 * pipe). LS_ECREATE when that cannot be. */
LS_MUST_CHECK
enum ls_code ls_file_create(struct ls_file *file, const char *path, struct ls_error *err);

/* Flushes, syncs, names and renames onto path; LS_EWRITE (a full disk, say) leaves the old file and no
 * temporary one. */
LS_MUST_CHECK
enum ls_code ls_file_commit(struct ls_file *file, struct ls_error *err);

/* Drops the temporary file; the old one stays. Safe after commit, and on a zeroed struct. */
void ls_file_abort(struct ls_file *file);

/* Whether both are names of one plain file that is there, by links too: what is read would be lost if
 * the other were written. "-" is no name. */
bool ls_file_is_same(const char *a, const char *b);

/* Opens a file to read, which the caller closes. Missing, or a pipe with a name, which might wait for
 * its writer for ever: LS_ENOINPUT. A pipe that a shell made (/dev/fd/63) is read. */
LS_MUST_CHECK
enum ls_code ls_file_open(FILE **stream, const char *path, struct ls_error *err);

/* A whole file ("-" is stdin) as NUL-ended text that the caller frees. More than limit bytes:
 * LS_EINPUT; missing, or a pipe with a name: LS_ENOINPUT. */
LS_MUST_CHECK
enum ls_code ls_file_read(const char *path, size_t limit, char **text, size_t *size,
                          struct ls_error *err);

/* Makes a folder and its parents. LS_ECREATE with the reason. */
LS_MUST_CHECK
enum ls_code ls_folder_make(const char *path, struct ls_error *err);

#endif
