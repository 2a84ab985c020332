/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CLI_OPTIONS_H
#define LOGINSTORM_CLI_OPTIONS_H

/* One table of options, read alike by the parser, --help, the manual page and the completions. */

#include <stdbool.h>
#include <stdio.h>

#include "loginstorm/error.h"
#include "loginstorm/scenario.h"

enum format {
    FORMAT_TEXT,
    FORMAT_JSON,
    FORMAT_CSV,
    FORMAT_OPENMETRICS,
    FORMAT_JUNIT,
    FORMAT_HTML,
    FORMAT_MARKDOWN,
    FORMAT_HGRM
};

/* A certificate of the gateway; what was not said is NULL. */
#define SHOWN_MAX 16
struct shown {
    const char *key, *name;
    const char *chain, *private_key, *password_file, *password_env;
};

struct options {
    const char *operand;   /* the scenario or result; NULL when there is none */
    char *const *operands; /* all of them, for a command that takes many */
    size_t operands_count;
    const char *out;
    const char *metrics; /* run, simulate */
    enum format format;
    bool quiet, no_color, help, force, allow_outside, counter_proof;
    int injectors;
    int repeat;
    const char *shard, *start_at;       /* run; NULL: not said */
    const char *live;                   /* run: NULL: no live page; "": at its own address */
    struct ls_scenario_changes changes; /* --set, --users, --seed, --speedup */
    /* simulate, plan; replications negative: as the command has it; threads 0: one a core; injectors
     * negative: none */
    int replications, threads, virtual_injectors;
    int memory_mb; /* simulate; 0: as much as there is */
    const char *costs;
    /* calibrate; negative: as many as fit, as long as the command has it */
    int rounds, calibrators, seconds;
    bool quick;
    const char *openssl_speed;
    const char *rates;        /* NULL: by the scenario's peak */
    const char *day, *window; /* fit; import has a day too */
    /* import */
    const char *log_kind, *log_format, *timezone, *date_order, *twice, *count, *url;
    const char *time_key, *user_key, *count_key;
    int year;
    /* gateway */
    const char *listen, *trust;
    struct shown shown[SHOWN_MAX];
    size_t shown_count;
    int backlog, core, workers;
    bool tickets;
};

struct command {
    const char *name;
    const char *operand; /* "SCENARIO"; "[SCENARIO]": may be left out; NULL: it takes none */
    const char *summary;
    const char *examples; /* lines for --help */
    int (*run)(const struct options *options);
    bool takes_many;              /* operands */
    void (*more_help)(FILE *out); /* behind the options; NULL: nothing */
};

/* The commands that this program has; ended by a NULL name. */
extern const struct command commands[];

/* Parses what stands behind the command's name. LS_EUSAGE with what is wrong. */
LS_MUST_CHECK
enum ls_code options_parse(struct options *options, const struct command *command, int argc,
                           char **argv, struct ls_error *err);

/* The options of a command as they are told, one after the other; *at begins at 0. False when there are no more. */
struct option_told {
    const char *name;
    char letter;          /* 0: none */
    const char *argument; /* "DIR", "text|json|csv"; NULL: it takes none */
    const char *text;
    bool again; /* may be given often, each of them counts */
};
bool options_next(struct option_told *told, const struct command *command, size_t *at);

/* What the program is for, in two lines. */
extern const char program_summary[];

void options_help(const struct command *command, FILE *out);
void options_overview(FILE *out);

/* The nearest of words to word, or NULL when none is near. */
const struct command *command_find(const char *name, const char **nearest);

#endif
