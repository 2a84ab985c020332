/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/options.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "loginstorm/near.h"

enum kind { KIND_FLAG, KIND_TEXT, KIND_NUMBER, KIND_FORMAT, KIND_CHANGE, KIND_SET, KIND_SHOWN };

#define RUN 1U
#define CHECK 2U
#define REPORT 4U
#define GATEWAY 8U
#define COMPARE 16U
#define FIT 32U
#define REQUEST 64U
#define IMPORT 128U
#define CALIBRATE 256U
#define SIMULATE 512U
#define PLAN 1024U
#define MERGE 2048U

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
    {"out", 'o', KIND_TEXT, offsetof(struct options, out), NULL, "DIR", RUN | SIMULATE | MERGE,
     "where the result goes (default: results/NAME-TIME)"},
    {"out", 'o', KIND_TEXT, offsetof(struct options, out), NULL, "DIR", REQUEST,
     "where the keys and requests go (default: requests)"},
    {"out", 'o', KIND_TEXT, offsetof(struct options, out), NULL, "DIR", PLAN,
     "write the plan there, too: plan.json, and report.html"},
    {"format", 'f', KIND_FORMAT, offsetof(struct options, format), NULL,
     "text|json|csv|html|markdown|openmetrics|junit|hgrm", RUN | SIMULATE | REPORT | MERGE,
     "what goes to standard output (default: text)"},
    {"format", 'f', KIND_FORMAT, offsetof(struct options, format), NULL, "text|json|csv|html",
     PLAN | COMPARE, "what goes to standard output (default: text)"},
    {"out", 'o', KIND_TEXT, offsetof(struct options, out), NULL, "FILE", REPORT | COMPARE,
     "where the report goes (default: standard output); of hgrm a folder"},
    {"metrics", 'm', KIND_TEXT, offsetof(struct options, metrics), NULL, "FILE",
     RUN | SIMULATE | MERGE,
     "write the figures there, too, for node_exporter's textfile collector (FILE.prom)"},
    {"quiet", 'q', KIND_FLAG, offsetof(struct options, quiet), NULL, NULL,
     RUN | SIMULATE | PLAN | REPORT | MERGE, "no progress; one line a certificate"},
    {"no-color", 0, KIND_FLAG, offsetof(struct options, no_color), NULL, NULL,
     RUN | SIMULATE | PLAN | REPORT | COMPARE | MERGE,
     "no colours (NO_COLOR, TERM=dumb and a pipe say so too)"},
    {"users", 'u', KIND_CHANGE, 0, "users", "N", RUN | SIMULATE | PLAN | CHECK, "as --set users=N"},
    {"seed", 's', KIND_CHANGE, 0, "seed", "N", RUN | SIMULATE | PLAN | CHECK,
     "as --set seed=N: the same seed, the same users at the same moments"},
    {"speedup", 'p', KIND_CHANGE, 0, "pace.speedup", "N", RUN | CHECK,
     "as --set pace.speedup=N: 60 plays an hour in a minute"},
    {"set", 0, KIND_SET, 0, NULL, "PATH=VALUE", RUN | SIMULATE | PLAN | CHECK | REQUEST | CALIBRATE,
     "change one field of the scenario, like arrivals.middle=08:20; may be given often"},
    {"injectors", 'i', KIND_NUMBER, offsetof(struct options, injectors), NULL, "N", RUN,
     "processes that play the users (default: 1)"},
    {"repeat", 'r', KIND_NUMBER, offsetof(struct options, repeat), NULL, "N", RUN,
     "play all certificates N times in turn, so that a gain can be told from noise (default: 1)"},
    {"shard", 0, KIND_TEXT, offsetof(struct options, shard), NULL, "SHARD", RUN,
     "I/N: play the users of machine I of N, from 1, as one machine would; auto: by a launcher's "
     "variables"},
    {"start-at", 0, KIND_TEXT, offsetof(struct options, start_at), NULL, "TIME", RUN,
     "start then, like 2026-11-30T08:00:00+01:00 or @1796022000, so that all shards start "
     "together; -: as a line on standard input says once it is ready"},
    {"allow-outside", 0, KIND_FLAG, offsetof(struct options, allow_outside), NULL, NULL,
     RUN | CALIBRATE,
     "the storm may leave this machine, to the addresses that the scenario's allow names"},
    {"live", 0, KIND_TEXT, offsetof(struct options, live), NULL, "[ADDRESS:PORT]", RUN,
     "show the storm in a browser while it runs (default: 127.0.0.1:8090; port 0: a free one)"},
    {"counter-proof", 0, KIND_FLAG, offsetof(struct options, counter_proof), NULL, NULL, RUN,
     "where post-quantum Client Hellos were never answered: ten users more, without"},
    {"replications", 'n', KIND_NUMBER, offsetof(struct options, replications), NULL, "N", PLAN,
     "mornings that the answer is made of (default: 100)"},
    {"force", 0, KIND_FLAG, offsetof(struct options, force), NULL, NULL, COMPARE,
     "compare unlike machines, builds and storms too; the comparison says so"},
    {"out", 'o', KIND_TEXT, offsetof(struct options, out), NULL, "FILE", IMPORT,
     "where the curve goes (default: standard output)"},
    {"format", 'f', KIND_TEXT, offsetof(struct options, log_kind), NULL, "FORMAT", IMPORT,
     "the logs' format, one of those below (default: found from the first lines)"},
    {"log-format", 'l', KIND_TEXT, offsetof(struct options, log_format), NULL, "WORDS", IMPORT,
     "nginx's own log_format, as it stands in its configuration"},
    {"timezone", 'z', KIND_TEXT, offsetof(struct options, timezone), NULL, "ZONE", IMPORT,
     "where the users' clocks are, like Europe/Paris; also of time stamps without a zone"},
    {"day", 'd', KIND_TEXT, offsetof(struct options, day), NULL, "DAY", IMPORT,
     "only logins of that day there, like 2026-11-30"},
    {"count", 'c', KIND_TEXT, offsetof(struct options, count), NULL, "WORD", IMPORT,
     "what counts as a login, in the format's words"},
    {"url", 'u', KIND_TEXT, offsetof(struct options, url), NULL, "PART", IMPORT,
     "only requests with that in their path; with a method, too: 'POST /login'"},
    {"time-key", 0, KIND_TEXT, offsetof(struct options, time_key), NULL, "NAME", IMPORT,
     "the column or key with the time (default: found)"},
    {"user-key", 0, KIND_TEXT, offsetof(struct options, user_key), NULL, "NAME", IMPORT,
     "the column or key with the user (default: found); a number stands for it in the curve"},
    {"count-key", 0, KIND_TEXT, offsetof(struct options, count_key), NULL, "NAME", IMPORT,
     "the column or key with how many logins there were from its time to the next"},
    {"date-order", 0, KIND_TEXT, offsetof(struct options, date_order), NULL, "dmy|mdy", IMPORT,
     "which of 03/07/2026 is the day (default: as a day beyond 12 tells, else refused)"},
    {"twice", 0, KIND_TEXT, offsetof(struct options, twice), NULL, "order|first|second", IMPORT,
     "the hour that comes twice when clocks go back: by the log's order (default), or always one"},
    {"year", 0, KIND_NUMBER, offsetof(struct options, year), NULL, "N", IMPORT,
     "of the first time stamp, where they have none (default: the file's time tells)"},
    {"quiet", 'q', KIND_FLAG, offsetof(struct options, quiet), NULL, NULL, IMPORT,
     "no summary and no progress"},
    {"day", 'd', KIND_TEXT, offsetof(struct options, day), NULL, "DAY", FIT,
     "which day of the curve: like 2026-11-23, worst or average"},
    {"window", 'w', KIND_TEXT, offsetof(struct options, window), NULL, "FROM-TO", FIT,
     "times of day, like 08:00-09:00 (default: what holds all logins)"},
    {"listen", 'l', KIND_TEXT, offsetof(struct options, listen), NULL, "ADDRESS:PORT", GATEWAY,
     "where to listen (default: 127.0.0.1:8443)"},
    {"key", 'k', KIND_SHOWN, offsetof(struct shown, key), NULL, "KIND", GATEWAY,
     "its key: rsa-2048, rsa-4096, ecdsa-p256, ed25519, ml-dsa-44, ... (default: ecdsa-p256)"},
    {"name", 'n', KIND_SHOWN, offsetof(struct shown, name), NULL, "HOST", GATEWAY,
     "the name in its certificate (default: localhost)"},
    {"chain", 0, KIND_SHOWN, offsetof(struct shown, chain), NULL, "FILE", GATEWAY,
     "instead of --key: your own certificate, its chain behind it (PEM)"},
    {"private-key", 0, KIND_SHOWN, offsetof(struct shown, private_key), NULL, "FILE", GATEWAY,
     "its private key (PEM)"},
    {"password-file", 0, KIND_SHOWN, offsetof(struct shown, password_file), NULL, "FILE", GATEWAY,
     "a file whose first line is that key's password"},
    {"password-env", 0, KIND_SHOWN, offsetof(struct shown, password_env), NULL, "VARIABLE", GATEWAY,
     "a variable of the environment that holds it"},
    {"trust", 't', KIND_TEXT, offsetof(struct options, trust), NULL, "FILE", GATEWAY,
     "write the issuer's certificate there, for clients to trust"},
    {"backlog", 0, KIND_NUMBER, offsetof(struct options, backlog), NULL, "N", GATEWAY,
     "connections that may wait to be accepted (default: 4096)"},
    {"core", 0, KIND_NUMBER, offsetof(struct options, core), NULL, "N", GATEWAY,
     "keep it on that core"},
    {"workers", 'w', KIND_NUMBER, offsetof(struct options, workers), NULL, "N", GATEWAY,
     "so many processes that share the port, each on a core of its own (default: 1)"},
    {"metrics", 0, KIND_TEXT, offsetof(struct options, metrics), NULL, "ADDRESS:PORT", GATEWAY,
     "tell CPU and handshakes there, as process-exporter does, for gateway.cpu of who storms it"},
    {"tickets", 0, KIND_FLAG, offsetof(struct options, tickets), NULL, NULL, GATEWAY,
     "give session tickets out"},
    {"out", 'o', KIND_TEXT, offsetof(struct options, out), NULL, "FILE", CALIBRATE,
     "where the cost profile goes, - is standard output (default: this host's own place)"},
    {"rounds", 'r', KIND_NUMBER, offsetof(struct options, rounds), NULL, "N", CALIBRATE,
     "measure everything N times in turn, which gives the interval (default: 3; outside 2)"},
    {"quick", 0, KIND_FLAG, offsetof(struct options, quick), NULL, NULL, CALIBRATE,
     "one short round: a first look, without interval and openssl speed; outside 2 seconds a rate"},
    {"rates", 0, KIND_TEXT, offsetof(struct options, rates), NULL, "LIST", CALIBRATE,
     "of a gateway that is not ours: handshakes a second, four or more, like 50,100,200,400"},
    {"seconds", 0, KIND_NUMBER, offsetof(struct options, seconds), NULL, "N", CALIBRATE,
     "how long each of these rates is offered (default: 5)"},
    {"injectors", 'i', KIND_NUMBER, offsetof(struct options, calibrators), NULL, "N", CALIBRATE,
     "processes that load the gateway (default: one a core that it leaves, up to 3; outside 1)"},
    {"openssl-speed", 0, KIND_TEXT, offsetof(struct options, openssl_speed), NULL, "FILE",
     CALIBRATE, "what `openssl speed` printed on this host (default: it is run here)"},
    {"quiet", 'q', KIND_FLAG, offsetof(struct options, quiet), NULL, NULL, CALIBRATE,
     "no progress and no table; where the profile is"},
    {"replications", 'n', KIND_NUMBER, offsetof(struct options, replications), NULL, "N", SIMULATE,
     "mornings of the same kind, each with other dice (default: 200)"},
    {"costs", 0, KIND_TEXT, offsetof(struct options, costs), NULL, "FILE", SIMULATE | PLAN,
     "a cost profile or a run's result.json (default: farm.costs, else this host's profile)"},
    {"speedup", 'p', KIND_CHANGE, 0, "pace.speedup", "N", SIMULATE,
     "as dense as a live run is at that pace (default: the morning's own pace)"},
    {"injectors", 'i', KIND_NUMBER, offsetof(struct options, virtual_injectors), NULL, "N",
     SIMULATE, "foretell what `run` with so many would measure on this host, at its pace"},
    {"threads", 't', KIND_NUMBER, offsetof(struct options, threads), NULL, "N", SIMULATE | PLAN,
     "threads that play mornings (default: one a core); the result is the same"},
    {"memory", 0, KIND_NUMBER, offsetof(struct options, memory_mb), NULL, "MB", SIMULATE,
     "memory that it may take (default: 80 % of what is free); fewer threads where it is short"},
    {"help", 'h', KIND_FLAG, offsetof(struct options, help), NULL, NULL,
     RUN | REQUEST | CHECK | REPORT | GATEWAY | COMPARE | FIT | IMPORT | CALIBRATE | SIMULATE |
         PLAN | MERGE,
     "show this help"},
};
#define ROWS (sizeof table / sizeof table[0])

const char program_summary[] =
    "Will the gateway stand the morning? A scenario describes some thousands of users who log in "
    "between\n08:00 and 09:00; loginstorm plays them with real TLS handshakes and says what that "
    "costs.\n";

static unsigned bit_of(const struct command *command)
{
    static const struct {
        const char *name;
        unsigned bit;
    } bits[] = {{"run", RUN},           {"check", CHECK},     {"request", REQUEST},
                {"report", REPORT},     {"gateway", GATEWAY}, {"compare", COMPARE},
                {"fit", FIT},           {"import", IMPORT},   {"calibrate", CALIBRATE},
                {"simulate", SIMULATE}, {"plan", PLAN},       {"merge", MERGE}};

    for (size_t i = 0; i < sizeof bits / sizeof bits[0]; i++) {
        if (strcmp(bits[i].name, command->name) == 0) {
            return bits[i].bit;
        }
    }
    return 0;
}

/* Whether word is one of "a|b|c". */
static bool is_one_of(const char *word, const char *list)
{
    const size_t length = strlen(word);

    while (list != NULL) {
        if (strcspn(list, "|") == length && strncmp(list, word, length) == 0) {
            return true;
        }
        list = strchr(list, '|');
        list = list == NULL ? NULL : list + 1;
    }
    return false;
}

/* Not every command knows every format: offered are those that its row of the table names. */
static enum ls_code take_format(enum format *format, const char *offered, const char *value,
                                struct ls_error *err)
{
    static const char *const words[] = {
        [FORMAT_TEXT] = "text",         [FORMAT_JSON] = "json",
        [FORMAT_CSV] = "csv",           [FORMAT_OPENMETRICS] = "openmetrics",
        [FORMAT_JUNIT] = "junit",       [FORMAT_HTML] = "html",
        [FORMAT_MARKDOWN] = "markdown", [FORMAT_HGRM] = "hgrm",
    };
    char list[128];
    size_t used = 0;

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(value, words[i]) == 0 && is_one_of(value, offered)) {
            *format = (enum format)i;
            return LS_OK;
        }
    }
    for (const char *c = offered; *c != '\0' && used + 3 < sizeof list; c++) {
        list[used++] = *c == '|' ? ',' : *c;
        if (*c == '|') {
            list[used++] = ' ';
        }
    }
    list[used] = '\0';
    return ls_error_set(err, LS_EUSAGE, "--format: \"%s\" is none of %s", value, list);
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

static const char **slot_of(struct shown *shown, size_t place)
{
    void *slot = shown == NULL ? NULL : (char *)shown + place;

    return slot;
}

/* An option of a certificate that has it already begins the next certificate. */
static enum ls_code take_shown(struct options *options, size_t place, const char *value,
                               struct ls_error *err)
{
    struct shown *last =
        options->shown_count == 0 ? NULL : &options->shown[options->shown_count - 1];
    const bool made = place == offsetof(struct shown, key);
    const bool loaded = place == offsetof(struct shown, chain);
    const char **said = slot_of(last, place);

    if (last == NULL || *said != NULL || (made && last->chain != NULL) ||
        (loaded && last->key != NULL)) {
        if (options->shown_count == SHOWN_MAX) {
            return ls_error_set(err, LS_EUSAGE, "more than %d certificates", SHOWN_MAX);
        }
        said = slot_of(&options->shown[options->shown_count++], place);
    }
    *said = value;
    return LS_OK;
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
        return take_format(place, row->argument, value, err);
    case KIND_CHANGE:
        return ls_scenario_changes_add(&options->changes, row->path, value, err);
    case KIND_SHOWN:
        return take_shown(options, row->place, value, err);
    case KIND_SET:
        break;
    }
    return ls_scenario_changes_set(&options->changes, value, err);
}

static bool may_be_left_out(const char *argument)
{
    return argument != NULL && argument[0] == '[';
}

/* ADDRESS:PORT, as the value of an option whose value may be left out, and no file's name: it has a port, and before it nothing
 * but digits and dots, brackets or localhost. */
static bool is_address(const char *word)
{
    const char *colon = strrchr(word, ':');
    const size_t host = colon == NULL ? 0 : (size_t)(colon - word);

    return colon != NULL && colon[1] != '\0' &&
           strspn(colon + 1, "0123456789") == strlen(colon + 1) &&
           (strspn(word, "0123456789.") == host || (word[0] == '[' && word[host - 1] == ']') ||
            (host == strlen("localhost") && strncmp(word, "localhost", host) == 0));
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
            .has_arg = may_be_left_out(row->argument) ? optional_argument
                       : row->argument != NULL        ? required_argument
                                                      : no_argument,
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
static const struct option_row *row_of(unsigned bit, int got)
{
    size_t i = 0;

    if (got >= 256) {
        return &table[got - 256];
    }
    while (i + 1 < ROWS && (table[i].letter != got || (table[i].commands & bit) == 0)) {
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

/* The value of an option that getopt_long found. One that may be left out is "" then, and may also stand as a word of its own. */
static const char *value_of(const struct option_row *row, int argc, char **argv)
{
    if (optarg != NULL || !may_be_left_out(row->argument)) {
        return optarg;
    }
    return optind < argc && is_address(argv[optind]) ? argv[optind++] : "";
}

enum ls_code options_parse(struct options *options, const struct command *command, int argc,
                           char **argv, struct ls_error *err)
{
    struct option longs[ROWS + 1];
    char shorts[2 * ROWS + 2];
    enum ls_code code = LS_OK;
    int got;

    *options = (struct options){.injectors = 1,
                                .repeat = 1,
                                .listen = "127.0.0.1:8443",
                                .backlog = 4096,
                                .core = -1,
                                .workers = 1,
                                .replications = -1,
                                .virtual_injectors = -1,
                                .rounds = -1,
                                .seconds = -1,
                                .calibrators = -1};
    fill(bit_of(command), longs, shorts);
    optind = 1;
    opterr = 0;
    while (code == LS_OK && (got = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
        const struct option_row *row;

        if (got == '?' || got == ':') {
            code = refuse(command, got, argv, err);
        } else {
            row = row_of(bit_of(command), got);
            code = take(options, row, value_of(row, argc, argv), err);
        }
    }
    if (code != LS_OK || options->help) {
        return code;
    }
    if (optind < argc && command->operand != NULL) {
        options->operands = argv + optind;
        options->operands_count = command->takes_many ? (size_t)(argc - optind) : 1;
        options->operand = argv[optind];
        optind += (int)options->operands_count;
    }
    if (optind < argc) {
        return ls_error_set(err, LS_EUSAGE, "\"%s\" is one argument too many", argv[optind]);
    }
    if (command->operand != NULL && command->operand[0] != '[' && options->operand == NULL) {
        return ls_error_set(err, LS_EUSAGE, "which %s?", command->operand);
    }
    return LS_OK;
}

bool options_next(struct option_told *told, const struct command *command, size_t *at)
{
    const unsigned bit = bit_of(command);

    while (*at < ROWS && (table[*at].commands & bit) == 0) {
        (*at)++;
    }
    if (*at == ROWS) {
        return false;
    }
    *told = (struct option_told){
        .name = table[*at].name,
        .letter = table[*at].letter,
        .argument = table[*at].argument,
        .text = table[*at].text,
        .again = table[*at].kind == KIND_SET || table[*at].kind == KIND_SHOWN,
    };
    (*at)++;
    return true;
}

void options_help(const struct command *command, FILE *out)
{
    struct option_told told;
    size_t at = 0;

    (void)fprintf(out, "Usage: loginstorm %s [OPTION]...%s%s%s\n\n%s\n\n", command->name,
                  command->operand == NULL ? "" : " ",
                  command->operand == NULL ? "" : command->operand,
                  command->takes_many ? "..." : "", command->summary);
    while (options_next(&told, command, &at)) {
        char left[96];

        (void)snprintf(
            left, sizeof left, "%c%c%s --%s%s%s", told.letter == 0 ? ' ' : '-',
            told.letter == 0 ? ' ' : told.letter, told.letter == 0 ? " " : ",", told.name,
            told.argument == NULL            ? ""
            : may_be_left_out(told.argument) ? "[="
                                             : " ",
            told.argument == NULL ? "" : told.argument + (may_be_left_out(told.argument) ? 1 : 0));
        if (strlen(left) > 28) {
            (void)fprintf(out, "  %s\n  %-28s  %s\n", left, "", told.text);
        } else {
            (void)fprintf(out, "  %-28s  %s\n", left, told.text);
        }
    }
    if (command->more_help != NULL) {
        command->more_help(out);
    }
    (void)fprintf(out, "\nExamples:\n%s", command->examples);
}

void options_overview(FILE *out)
{
    (void)fprintf(out, "Usage: loginstorm COMMAND [OPTION]... [FILE]\n\n%s\n", program_summary);
    for (const struct command *command = commands; command->name != NULL; command++) {
        (void)fprintf(out, "  %-9s %-10s  %s\n", command->name,
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
