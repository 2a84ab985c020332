/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CLI_H
#define LOGINSTORM_CLI_H

/*
 * The command line: arguments in, exit status out. The only room that prints errors.
 *
 *     argv -> [cli] -> scenario, arrivals, storm, report
 */

int ls_cli_main(int argc, char **argv);

#endif
