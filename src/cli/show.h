/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CLI_SHOW_H
#define LOGINSTORM_CLI_SHOW_H

/* A result in the asked-for format, and the exit status that it deserves. */

#include <stdio.h>

#include "cli/options.h"
#include "loginstorm/error.h"
#include "loginstorm/plan.h"
#include "loginstorm/result.h"

/* Prints the heading of a text report to standard output, and nothing where no text was asked for. Returns 0, or the
 * status of a failed write, which was told. */
int show_heading(const struct ls_result *result, const struct options *options);

/* Prints the rest, in the same way. */
int show_result(const struct ls_result *result, const struct options *options);

/* The curves of its runs as files of a folder, which is made, and their names on standard output; folder
 * NULL or "-": the login curve of the only run there, or a refusal where there are several. The same status. */
int show_curves(const char *folder, const struct ls_result *result, const struct options *options);

/* All of it into a file, whole or not at all; the same status. */
int show_into(const char *path, const struct ls_result *result, const struct options *options);

/* Whether the file of --metrics can be made, to be known before a storm and not behind it; then, whole or
 * not at all, that file. Nothing where none was asked for. */
LS_MUST_CHECK
enum ls_code show_check_metrics(const struct options *options, struct ls_error *err);
LS_MUST_CHECK
enum ls_code show_metrics(const struct ls_result *result, const struct options *options,
                          struct ls_error *err);

/* A plan in the asked-for format. */
LS_MUST_CHECK
enum ls_code put_plan(const struct ls_plan *plan, const struct options *options, FILE *out,
                      struct ls_error *err);

/* Loads the result of a run's folder, or of its file; errors are printed. Returns the exit status,
 * 0 when it is there. */
int load_result(struct ls_result **result, const char *operand, const char *command,
                const struct options *options);

/* 75 when it is partial, 98 when a measurement is invalid, 99 when a target was missed, else 0. */
int status_of_result(const struct ls_result *result);

#endif
