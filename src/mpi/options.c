/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mpi/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#define PATIENCE_S 120
#define PATIENCE_MOST_S 86400
#define TEXT_COLUMN 30
#define FORMATS "text|json|csv|html|markdown|openmetrics|junit|hgrm"

enum whose { OUT, PROGRAM, STATUS, PATIENCE, CHANGE, SET, HELP, VERSION, TO_RUN, TO_MERGE };

static const struct option_row {
    const char *name;
    char letter;
    enum whose whose;
    const char *path; /* CHANGE: the scenario's field */
    const char *argument;
    const char *text;
} table[] = {
    {"out", 'o', OUT, NULL, "DIR",
     "where the result goes, and each machine's part in DIR/shard-I-of-N (default: "
     "results/storm-TIME)"},
    {"format", 'f', TO_MERGE, NULL, FORMATS, "what goes to standard output (default: text)"},
    {"metrics", 'm', TO_MERGE, NULL, "FILE",
     "write the figures there, too, for node_exporter's textfile collector (FILE.prom)"},
    {"quiet", 'q', TO_MERGE, NULL, NULL, "no progress; one line a certificate"},
    {"users", 'u', CHANGE, "users", "N", "as --set users=N"},
    {"seed", 's', CHANGE, "seed", "N",
     "as --set seed=N: the same seed, the same users at the same moments"},
    {"speedup", 'p', CHANGE, "pace.speedup", "N",
     "as --set pace.speedup=N: 60 plays an hour in a minute"},
    {"set", 0, SET, NULL, "PATH=VALUE",
     "change one field of the scenario, like arrivals.middle=08:20; may be given often"},
    {"injectors", 'i', TO_RUN, NULL, "N", "processes that play the users, on each machine"},
    {"repeat", 'r', TO_RUN, NULL, "N", "play all certificates N times in turn"},
    {"allow-outside", 0, TO_RUN, NULL, NULL,
     "the storm may leave its machines, to the addresses that the scenario's allow names"},
    {"patience", 0, PATIENCE, NULL, "SECONDS",
     "so long nothing is heard of a machine, and it is given up (default: 120)"},
    {"program", 0, PROGRAM, NULL, "FILE",
     "loginstorm on each machine (default: the one beside loginstorm-mpi)"},
    {"status", 0, STATUS, NULL, "FILE",
     "write the exit status there, too, which mpirun --enable-recovery does not pass on"},
    {"help", 'h', HELP, NULL, NULL, "show this help"},
    {"version", 0, VERSION, NULL, NULL, "show which one this is"},
};
#define ROWS (sizeof table / sizeof table[0])

/* What would be refused when the storm is over is refused now. */
static bool is_format(const char *value)
{
    const size_t length = strlen(value);

    for (const char *one = FORMATS; one != NULL; one = strchr(one, '|')) {
        one += *one == '|';
        if (strcspn(one, "|") == length && strncmp(one, value, length) == 0) {
            return true;
        }
    }
    return false;
}

static enum ls_code hand_on(struct mpi_options *options, const struct option_row *row,
                            const char *value, struct ls_error *err)
{
    char *word = options->words[options->words_count % HANDED_MAX];

    if (options->words_count == HANDED_MAX) {
        return ls_error_set(err, LS_EUSAGE, "too many options: --%s", row->name);
    }
    if (strcmp(row->name, "format") == 0 && !is_format(value)) {
        return ls_error_set(err, LS_EUSAGE, "--format: \"%.40s\" is none of %s", value, FORMATS);
    }
    if (snprintf(word, sizeof options->words[0], "--%s%s%s", row->name, value == NULL ? "" : "=",
                 value == NULL ? "" : value) >= (int)sizeof options->words[0]) {
        return ls_error_set(err, LS_EUSAGE, "--%s: its value is too long", row->name);
    }
    options->words_count++;
    if (row->whose == TO_RUN) {
        options->run[options->run_count++] = word;
    } else {
        options->merge[options->merge_count++] = word;
        options->quiet = options->quiet || row->letter == 'q';
    }
    return LS_OK;
}

static enum ls_code take_patience(struct mpi_options *options, const char *value,
                                  struct ls_error *err)
{
    char *end;
    long seconds;

    errno = 0;
    seconds = strtol(value, &end, 10);
    if (end == value || *end != '\0' || errno != 0 || seconds < 1 || seconds > PATIENCE_MOST_S) {
        return ls_error_set(err, LS_EUSAGE, "--patience: \"%.40s\" is not 1 to %d seconds", value,
                            PATIENCE_MOST_S);
    }
    options->patience_s = (int)seconds;
    return LS_OK;
}

static enum ls_code take(struct mpi_options *options, const struct option_row *row,
                         const char *value, struct ls_error *err)
{
    switch (row->whose) {
    case OUT:
        options->out = value;
        return LS_OK;
    case PROGRAM:
        options->program = value;
        return LS_OK;
    case STATUS:
        options->status = value;
        return LS_OK;
    case HELP:
        options->help = true;
        return LS_OK;
    case VERSION:
        options->version = true;
        return LS_OK;
    case PATIENCE:
        return take_patience(options, value, err);
    case CHANGE:
        return ls_scenario_changes_add(&options->changes, row->path, value, err);
    case SET:
        return ls_scenario_changes_set(&options->changes, value, err);
    case TO_RUN:
    case TO_MERGE:
        break;
    }
    return hand_on(options, row, value, err);
}

static void fill(struct option longs[ROWS + 1], char shorts[2 * ROWS + 2])
{
    size_t s = 0;

    shorts[s++] = ':';
    for (size_t i = 0; i < ROWS; i++) {
        longs[i] = (struct option){
            .name = table[i].name,
            .has_arg = table[i].argument != NULL ? required_argument : no_argument,
            .val = 256 + (int)i,
        };
        if (table[i].letter != 0) {
            shorts[s++] = table[i].letter;
            if (table[i].argument != NULL) {
                shorts[s++] = ':';
            }
        }
    }
    longs[ROWS] = (struct option){0};
    shorts[s] = '\0';
}

static const struct option_row *row_of(int got)
{
    size_t i = 0;

    if (got >= 256) {
        return &table[got - 256];
    }
    while (i + 1 < ROWS && table[i].letter != got) {
        i++;
    }
    return &table[i];
}

static enum ls_code take_operands(struct mpi_options *options, int argc, char **argv,
                                  struct ls_error *err)
{
    if (options->help || options->version) {
        return LS_OK;
    }
    if (optind == argc) {
        return ls_error_set(err, LS_EUSAGE, "SCENARIO is missing");
    }
    if (optind + 1 < argc) {
        return ls_error_set(err, LS_EUSAGE, "one SCENARIO, not \"%.100s\" as well",
                            argv[optind + 1]);
    }
    options->scenario = argv[optind];
    return LS_OK;
}

enum ls_code mpi_options_parse(struct mpi_options *options, int argc, char **argv,
                               struct ls_error *err)
{
    struct option longs[ROWS + 1];
    char shorts[2 * ROWS + 2];
    enum ls_code code = LS_OK;
    int got;

    *options = (struct mpi_options){.patience_s = PATIENCE_S};
    fill(longs, shorts);
    optind = 1;
    opterr = 0;
    while (code == LS_OK && (got = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
        if (got == ':') {
            code = ls_error_set(err, LS_EUSAGE, "%.100s wants a value", argv[optind - 1]);
        } else if (got == '?') {
            code = ls_error_set(err, LS_EUSAGE, "%.100s is not known here", argv[optind - 1]);
        } else {
            code = take(options, row_of(got), optarg, err);
        }
    }
    return code == LS_OK ? take_operands(options, argc, argv, err) : code;
}

void mpi_options_help(FILE *out)
{
    (void)fputs(
        "Usage: mpirun [OPTION]... loginstorm-mpi [OPTION]... SCENARIO\n\n"
        "plays a scenario from all processes of an mpirun, a shard of its users each, as one "
        "storm\n\n",
        out);
    for (size_t i = 0; i < ROWS; i++) {
        char left[96];
        const int length =
            snprintf(left, sizeof left, "  %c%c%c --%s%s%s", table[i].letter != 0 ? '-' : ' ',
                     table[i].letter != 0 ? table[i].letter : ' ', table[i].letter != 0 ? ',' : ' ',
                     table[i].name, table[i].argument != NULL ? " " : "",
                     table[i].argument != NULL ? table[i].argument : "");

        if (length > TEXT_COLUMN) {
            (void)fprintf(out, "%s\n%*s  %s\n", left, TEXT_COLUMN, "", table[i].text);
        } else {
            (void)fprintf(out, "%-*s  %s\n", TEXT_COLUMN, left, table[i].text);
        }
    }
    (void)fputs(
        "\nThe first process reads the scenario and merges. It ends as `loginstorm run` does: 75 "
        "where a shard is missing.\n\n"
        "Examples:\n"
        "  mpirun -n 4 loginstorm-mpi monday.yaml --allow-outside --out results/monday\n"
        "  mpirun --hostfile hosts --map-by ppr:1:node --enable-recovery loginstorm-mpi "
        "monday.yaml\n",
        out);
}
