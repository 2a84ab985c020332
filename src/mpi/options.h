/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_MPI_OPTIONS_H
#define LOGINSTORM_MPI_OPTIONS_H

/* The command line of loginstorm-mpi: one table, by which it is parsed and --help is made. What is not its own it hands to
 * `loginstorm run` and `loginstorm merge`. */

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "loginstorm/error.h"
#include "loginstorm/scenario.h"

#define HANDED_MAX 16

struct mpi_options {
    const char *scenario; /* NULL: not said */
    const char *out, *program, *status;
    int patience_s;
    bool quiet, help, version;
    struct ls_scenario_changes changes;
    const char *run[HANDED_MAX], *merge[HANDED_MAX]; /* words for their command lines */
    size_t run_count, merge_count;
    char words[HANDED_MAX][1024];
    size_t words_count;
};

LS_MUST_CHECK
enum ls_code mpi_options_parse(struct mpi_options *options, int argc, char **argv,
                               struct ls_error *err);
void mpi_options_help(FILE *out);

#endif
