/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CLI_SHOW_H
#define LOGINSTORM_CLI_SHOW_H

/* A result to standard output in the asked-for format, and the exit status that it deserves. */

#include "cli/options.h"
#include "loginstorm/result.h"

/* Prints the heading of a text report, and nothing where no text was asked for. Returns 0, or the
 * status of a failed write, which was told. */
int show_heading(const struct ls_result *result, const struct options *options);

/* Prints the rest, in the same way. */
int show_result(const struct ls_result *result, const struct options *options);

/* 98 when a measurement is invalid, 99 when a target was missed, else 0. */
int status_of_result(const struct ls_result *result);

#endif
