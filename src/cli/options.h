/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CLI_OPTIONS_H
#define LOGINSTORM_CLI_OPTIONS_H

/* One table of options, read by the parser and by --help alike. */

#include <stdbool.h>
#include <stdio.h>

#include "loginstorm/error.h"
#include "loginstorm/scenario.h"

#define CHANGES_MAX 64

enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_CSV };

struct options {
    const char *operand; /* the scenario or result; NULL when there is none */
    const char *out;
    enum format format;
    bool quiet, no_color, help;
    int injectors;
    struct ls_scenario_change changes[CHANGES_MAX]; /* --set, --users, --seed, --speedup */
    size_t changes_count;
    /* gateway */
    const char *listen, *key, *name, *trust;
    int backlog, core;
    bool tickets;
    char storage[CHANGES_MAX][256]; /* paths of --set, cut off their values */
};

struct command {
    const char *name;
    const char *operand; /* "SCENARIO", or NULL when it takes none */
    const char *summary;
    const char *examples; /* lines for --help */
    int (*run)(const struct options *options);
};

/* The commands that this program has; ended by a NULL name. */
extern const struct command commands[];

/* Parses what stands behind the command's name. LS_EUSAGE with what is wrong. */
LS_MUST_CHECK
enum ls_code options_parse(struct options *options, const struct command *command, int argc,
                           char **argv, struct ls_error *err);

void options_help(const struct command *command, FILE *out);
void options_overview(FILE *out);

/* The nearest of words to word, or NULL when none is near. */
const struct command *command_find(const char *name, const char **nearest);

#endif
