/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/options.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "loginstorm/near.h"

enum kind { KIND_FLAG, KIND_TEXT, KIND_NUMBER, KIND_FORMAT, KIND_CHANGE, KIND_SET };

#define RUN 1U
#define CHECK 2U
#define REPORT 4U
#define GATEWAY 8U

/* kind, its place in struct options (or the scenario path that it changes), its argument, who takes
 * it, what it says. */
static const struct option_row {
    const char *name;
    char letter;
    enum kind kind;
    size_t place;
    const char *path;
    const char *argument;
    unsigned commands;
    const char *text;
} table[] = {
    {"out", 'o', KIND_TEXT, offsetof(struct options, out), NULL, "DIR", RUN,
     "where the result goes (default: results/NAME-TIME)"},
    {"format", 'f', KIND_FORMAT, offsetof(struct options, format), NULL, "text|json|csv",
     RUN | REPORT, "what goes to standard output (default: text)"},
    {"quiet", 'q', KIND_FLAG, offsetof(struct options, quiet), NULL, NULL, RUN | REPORT,
     "no progress; one line a certificate"},
    {"no-color", 0, KIND_FLAG, offsetof(struct options, no_color), NULL, NULL, RUN | REPORT,
     "no colours (NO_COLOR, TERM=dumb and a pipe say so too)"},
    {"users", 'u', KIND_CHANGE, 0, "users", "N", RUN | CHECK, "as --set users=N"},
    {"seed", 's', KIND_CHANGE, 0, "seed", "N", RUN | CHECK,
     "as --set seed=N: the same seed, the same users at the same moments"},
    {"speedup", 'p', KIND_CHANGE, 0, "pace.speedup", "N", RUN | CHECK,
     "as --set pace.speedup=N: 60 plays an hour in a minute"},
    {"set", 0, KIND_SET, 0, NULL, "PATH=VALUE", RUN | CHECK,
     "change one field of the scenario, like arrivals.middle=08:20; may be given often"},
    {"injectors", 'i', KIND_NUMBER, offsetof(struct options, injectors), NULL, "N", RUN,
     "processes that play the users (default: 1)"},
    {"listen", 'l', KIND_TEXT, offsetof(struct options, listen), NULL, "ADDRESS:PORT", GATEWAY,
     "where to listen (default: 127.0.0.1:8443)"},
    {"key", 'k', KIND_TEXT, offsetof(struct options, key), NULL, "KIND", GATEWAY,
     "its key: rsa-2048, rsa-4096, ecdsa-p256, ecdsa-p384, ... (default: ecdsa-p256)"},
    {"name", 'n', KIND_TEXT, offsetof(struct options, name), NULL, "HOST", GATEWAY,
     "the name in its certificate (default: localhost)"},
    {"trust", 't', KIND_TEXT, offsetof(struct options, trust), NULL, "FILE", GATEWAY,
     "write the issuer's certificate there, for clients to trust"},
    {"backlog", 0, KIND_NUMBER, offsetof(struct options, backlog), NULL, "N", GATEWAY,
     "connections that may wait to be accepted (default: 4096)"},
    {"core", 0, KIND_NUMBER, offsetof(struct options, core), NULL, "N", GATEWAY,
     "keep it on that core"},
    {"tickets", 0, KIND_FLAG, offsetof(struct options, tickets), NULL, NULL, GATEWAY,
     "give session tickets out"},
    {"help", 'h', KIND_FLAG, offsetof(struct options, help), NULL, NULL,
     RUN | CHECK | REPORT | GATEWAY, "this text"},
};
#define ROWS (sizeof table / sizeof table[0])

static unsigned bit_of(const struct command *command)
{
    static const struct {
        const char *name;
        unsigned bit;
    } bits[] = {{"run", RUN}, {"check", CHECK}, {"report", REPORT}, {"gateway", GATEWAY}};

    for (size_t i = 0; i < sizeof bits / sizeof bits[0]; i++) {
        if (strcmp(bits[i].name, command->name) == 0) {
            return bits[i].bit;
        }
    }
    return 0;
}

static enum ls_code take_format(enum format *format, const char *value, struct ls_error *err)
{
    static const char *const words[] = {"text", "json", "csv"};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(value, words[i]) == 0) {
            *format = (enum format)i;
            return LS_OK;
        }
    }
    return ls_error_set(err, LS_EUSAGE, "--format: \"%s\" is none of text, json, csv", value);
}

static enum ls_code take_number(int *number, const char *name, const char *value,
                                struct ls_error *err)
{
    char *end;
    long parsed;

    errno = 0;
    parsed = strtol(value, &end, 10);
    if (end == value || *end != '\0' || errno != 0 || parsed < 0 || parsed > INT_MAX) {
        return ls_error_set(err, LS_EUSAGE, "--%s: \"%s\" is no whole number from 0 up", name,
                            value);
    }
    *number = (int)parsed;
    return LS_OK;
}

static enum ls_code add_change(struct options *options, const char *path, const char *value,
                               struct ls_error *err)
{
    if (options->changes_count == CHANGES_MAX) {
        return ls_error_set(err, LS_EUSAGE, "more than %d changes of the scenario", CHANGES_MAX);
    }
    options->changes[options->changes_count++] =
        (struct ls_scenario_change){.path = path, .value = value};
    return LS_OK;
}

static enum ls_code take_set(struct options *options, const char *value, struct ls_error *err)
{
    const char *equals = strchr(value, '=');
    char *path;

    if (options->changes_count == CHANGES_MAX) {
        return add_change(options, NULL, NULL, err);
    }
    path = options->storage[options->changes_count];
    if (equals == NULL || equals == value ||
        (size_t)(equals - value) >= sizeof options->storage[0]) {
        return ls_error_set(err, LS_EUSAGE,
                            "--set: \"%s\" is not PATH=VALUE, like arrivals.middle=08:20", value);
    }
    memcpy(path, value, (size_t)(equals - value));
    path[equals - value] = '\0';
    return add_change(options, path, equals + 1, err);
}

static enum ls_code take(struct options *options, const struct option_row *row, const char *value,
                         struct ls_error *err)
{
    void *place = (char *)options + row->place;

    switch (row->kind) {
    case KIND_FLAG:
        *(bool *)place = true;
        return LS_OK;
    case KIND_TEXT:
        *(const char **)place = value;
        return LS_OK;
    case KIND_NUMBER:
        return take_number(place, row->name, value, err);
    case KIND_FORMAT:
        return take_format(place, value, err);
    case KIND_CHANGE:
        return add_change(options, row->path, value, err);
    case KIND_SET:
        break;
    }
    return take_set(options, value, err);
}

/* What getopt_long wants, for the options that command takes; a long option's val is 256 + its row.
 */
static void fill(unsigned bit, struct option *longs, char *shorts)
{
    size_t n = 0;
    size_t s = 0;

    shorts[s++] = ':';
    for (size_t i = 0; i < ROWS; i++) {
        const struct option_row *row = &table[i];

        if ((row->commands & bit) == 0) {
            continue;
        }
        longs[n++] = (struct option){
            .name = row->name,
            .has_arg = row->argument != NULL ? required_argument : no_argument,
            .val = 256 + (int)i,
        };
        if (row->letter != 0) {
            shorts[s++] = row->letter;
            if (row->argument != NULL) {
                shorts[s++] = ':';
            }
        }
    }
    longs[n] = (struct option){0};
    shorts[s] = '\0';
}

/* The row of what getopt_long gave, which is one of those that it was given. */
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

static enum ls_code refuse(const struct command *command, int got, char **argv,
                           struct ls_error *err)
{
    const char *word = argv[optind - 1];
    const char *names[ROWS];
    const char *nearest = NULL;
    char name[64];
    size_t count = 0;

    if (got == ':') {
        return ls_error_set(err, LS_EUSAGE, "%s wants a value", word);
    }
    for (size_t i = 0; i < ROWS; i++) {
        if ((table[i].commands & bit_of(command)) != 0) {
            names[count++] = table[i].name;
        }
    }
    if (strncmp(word, "--", 2) == 0) {
        (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(word + 2, "="), word + 2);
        nearest = ls_nearest(name, names, count);
    }
    if (nearest != NULL && strcmp(nearest, name) == 0) {
        return ls_error_set(err, LS_EUSAGE, "--%s takes no value", name);
    }
    if (nearest != NULL) {
        return ls_error_set(err, LS_EUSAGE, "%s is not known here; did you mean --%s?", word,
                            nearest);
    }
    return ls_error_set(err, LS_EUSAGE, "%s is not known here", word);
}

enum ls_code options_parse(struct options *options, const struct command *command, int argc,
                           char **argv, struct ls_error *err)
{
    struct option longs[ROWS + 1];
    char shorts[2 * ROWS + 2];
    enum ls_code code = LS_OK;
    int got;

    *options = (struct options){.injectors = 1,
                                .listen = "127.0.0.1:8443",
                                .key = "ecdsa-p256",
                                .name = "localhost",
                                .backlog = 4096,
                                .core = -1};
    fill(bit_of(command), longs, shorts);
    optind = 1;
    opterr = 0;
    while (code == LS_OK && (got = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
        code = got == '?' || got == ':' ? refuse(command, got, argv, err)
                                        : take(options, row_of(got), optarg, err);
    }
    if (code != LS_OK || options->help) {
        return code;
    }
    if (optind < argc && command->operand != NULL) {
        options->operand = argv[optind++];
    }
    if (optind < argc) {
        return ls_error_set(err, LS_EUSAGE, "\"%s\" is one argument too many", argv[optind]);
    }
    if (command->operand != NULL && options->operand == NULL) {
        return ls_error_set(err, LS_EUSAGE, "which %s?", command->operand);
    }
    return LS_OK;
}

void options_help(const struct command *command, FILE *out)
{
    (void)fprintf(out, "Usage: loginstorm %s [OPTION]...%s%s\n\n%s\n\n", command->name,
                  command->operand == NULL ? "" : " ",
                  command->operand == NULL ? "" : command->operand, command->summary);
    for (size_t i = 0; i < ROWS; i++) {
        const struct option_row *row = &table[i];
        char left[64];

        if ((row->commands & bit_of(command)) == 0) {
            continue;
        }
        (void)snprintf(left, sizeof left, "%c%c%s --%s%s%s", row->letter == 0 ? ' ' : '-',
                       row->letter == 0 ? ' ' : row->letter, row->letter == 0 ? " " : ",",
                       row->name, row->argument == NULL ? "" : " ",
                       row->argument == NULL ? "" : row->argument);
        (void)fprintf(out, "  %-28s  %s\n", left, row->text);
    }
    (void)fprintf(out, "\nExamples:\n%s", command->examples);
}

void options_overview(FILE *out)
{
    (void)fprintf(out, "Usage: loginstorm COMMAND [OPTION]... [FILE]\n\n"
                       "Will the gateway stand the morning? A scenario describes some thousands of "
                       "users who log in between\n08:00 and 09:00; loginstorm plays them with real "
                       "TLS handshakes and says what that costs.\n\n");
    for (const struct command *command = commands; command->name != NULL; command++) {
        (void)fprintf(out, "  %-8s %-9s  %s\n", command->name,
                      command->operand == NULL ? "" : command->operand, command->summary);
    }
    (void)fprintf(out, "\n`loginstorm COMMAND --help` tells more; `loginstorm --version` which one "
                       "this is.\n\nExample:\n  loginstorm run scenarios/smoke.yaml\n");
}

const struct command *command_find(const char *name, const char **nearest)
{
    const char *names[16];
    size_t count = 0;

    for (const struct command *command = commands; command->name != NULL; command++) {
        if (strcmp(command->name, name) == 0) {
            return command;
        }
        names[count++] = command->name;
    }
    *nearest = ls_nearest(name, names, count);
    return NULL;
}
