/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CLI_H
#define LOGINSTORM_CLI_H

/*
 * The command line: arguments in, exit status out. The only room that prints errors.
 *
 *     argv -> [cli] -> scenario, arrivals, storm, report
 */

#include <stdio.h>

#include "loginstorm/error.h"

int ls_cli_main(int argc, char **argv);

/*
 * For the build, not for the program: writes what tells of the command line elsewhere, from the tables that it is parsed by.
 * what is "man", or the shell whose completion it is: "bash", "zsh", "fish". date is the manual page's, as "December 1, 2026".
 * LS_EUSAGE for another word, LS_EWRITE.
 */
LS_MUST_CHECK
enum ls_code ls_cli_describe(FILE *out, const char *what, const char *date, struct ls_error *err);

#endif
