/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CLI_PRINT_H
#define LOGINSTORM_CLI_PRINT_H

/* What the commands share: printing errors, and what the terminal can show. */

#include <stdio.h>

#include "cli/options.h"
#include "loginstorm/file.h"
#include "loginstorm/report.h"

/* What comes from a user's file goes to a terminal that obeys control characters; it must not be
 * given any. */
void print_tame(const char *text, FILE *out);

/* Prints one error to stderr and returns the exit status for it. 0 and silence when it is that nobody reads standard
 * output any more; the command goes on to its own status. */
int print_error(const struct ls_error *err);

/* Prints all errors of a user's file, in its order, with a count of those that were not kept. */
int print_errors(const struct ls_errors *errors);

/* How to write to stream: columns, colours and letters that it can show. */
void look_of(struct ls_report_look *look, FILE *stream, const struct options *options);

/* Where a report goes: the file of --out, replaced whole or not at all, else standard output. */
struct output {
    FILE *stream;
    struct ls_file file;
    bool is_file;
};
LS_MUST_CHECK
enum ls_code output_open(struct output *output, const struct options *options,
                         struct ls_error *err);
/* The file is there only where code is LS_OK. Returns the code, or what became of the file. */
LS_MUST_CHECK
enum ls_code output_close(struct output *output, enum ls_code code, struct ls_error *err);

/* Whether a line there can be taken back and written anew: a terminal that is not a dumb one. */
bool redraws(FILE *stream);

/* Loads the scenario of a command line; errors are printed. Returns the exit status, 0 when it is
 * there. */
int load_scenario(struct ls_scenario **scenario, const struct options *options);

int command_run(const struct options *options);
int command_simulate(const struct options *options);
int command_check(const struct options *options);
int command_plan(const struct options *options);
int command_compare(const struct options *options);
int command_merge(const struct options *options);
int command_report(const struct options *options);
int command_import(const struct options *options);
void help_import(FILE *out);
void help_plan(FILE *out);
void help_compare(FILE *out);
void help_merge(FILE *out);
void help_gateway(FILE *out);
int command_fit(const struct options *options);
int command_request(const struct options *options);
int command_calibrate(const struct options *options);
void help_calibrate(FILE *out);
int command_gateway(const struct options *options);

#endif
