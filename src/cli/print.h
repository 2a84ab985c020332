/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CLI_PRINT_H
#define LOGINSTORM_CLI_PRINT_H

/* What the commands share: printing errors, and what the terminal can show. */

#include <stdio.h>

#include "cli/options.h"
#include "loginstorm/report.h"

/* Prints one error to stderr and returns the exit status for it. */
int print_error(const struct ls_error *err);

/* Prints all errors of a user's file, in its order, with a count of those that were not kept. */
int print_errors(const struct ls_errors *errors);

/* How to write to stream: columns, colours and letters that it can show. */
void look_of(struct ls_report_look *look, FILE *stream, const struct options *options);

/* Loads the scenario of a command line; errors are printed. Returns the exit status, 0 when it is
 * there. */
int load_scenario(struct ls_scenario **scenario, const struct options *options);

int command_run(const struct options *options);
int command_check(const struct options *options);
int command_report(const struct options *options);
int command_gateway(const struct options *options);

#endif
