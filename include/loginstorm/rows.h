/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_ROWS_H
#define LOGINSTORM_ROWS_H

/*
 * Rows of a run's tables back from the file: what ls_samples_write and ls_handshakes_write wrote, run after run.
 *
 *     samples.csv, handshakes.csv -> [rows] -> record -> result
 *
 * The bytes may be anybody's: a row that none of those two would write is refused with its line. A line is held at a
 * time, and nothing else.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "loginstorm/error.h"
#include "loginstorm/record.h"

enum ls_rows_kind { LS_ROWS_SAMPLES, LS_ROWS_HANDSHAKES };

struct ls_rows;

/* Reads the header of a file that is open, and closes it in ls_rows_close, or when that fails. path is for messages.
 * LS_EINPUT. */
LS_MUST_CHECK
enum ls_code ls_rows_new(struct ls_rows **out, FILE *stream, const char *path,
                         enum ls_rows_kind kind, struct ls_error *err);
void ls_rows_close(struct ls_rows *rows);

/* Which rows come next. */
struct ls_rows_wish {
    const char *certificate;
    int repeat;
    const char *const *populations; /* the scenario's names, by index */
    size_t populations_count;
    const struct ls_share *share; /* rows of others are refused */
};

/*
 * The rows of that run into a record of all users, up to the first of another run or the end, and how many that were.
 * LS_EINPUT with the line: no row of ours, a user who is not in the share or has a row already, more handshakes than
 * the record has room for.
 */
LS_MUST_CHECK
enum ls_code ls_rows_take(struct ls_rows *rows, const struct ls_rows_wish *wish,
                          struct ls_record *record, size_t *count, struct ls_error *err);

/* Whether no row is left; a file that ended within one has one left. */
LS_MUST_CHECK
enum ls_code ls_rows_end(struct ls_rows *rows, struct ls_error *err);

#endif
