/* SPDX-License-Identifier: GPL-3.0-or-later */
/* loginstorm(1), in mdoc(7). */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cli/describe.h"
#include "loginstorm/error.h"

#define COLUMNS 66 /* of an example: what 80 leave between the margins */

struct entry {
    const char *name, *text;
};

static const struct entry files[] = {
    {"results/NAME-TIME/",
     "A run's folder, where no other is given by --out. In it are scenario.yaml, as it was run "
     "with every default filled in; report.html, one page to look at, print and mail; result.json, "
     "all figures; samples.csv, a row for each login; handshakes.csv, a row for each handshake; "
     "and timeline.csv, a row for each minute. A plan leaves plan.json and report.html."},
    {"~/.cache/loginstorm/costs.json",
     "What a handshake costs on this host: written by calibrate, read by simulate and plan. Where "
     "XDG_CACHE_HOME is set, it stands in the place of ~/.cache. What calibrate could not finish "
     "is beside it, as costs.partial.json."},
    {"share/loginstorm/scenarios/", "Scenarios to begin with, below the folder that loginstorm is "
                                    "installed into (/usr for Debian's package); "
                                    "the files *.schema.json there are the formats: of scenarios, "
                                    "for editors, and of what loginstorm writes."},
};

static const struct entry variables[] = {
    {"NO_COLOR", "When set to anything, no colours, as with --no-color."},
    {"TERM", "When dumb or not set, no colours."},
    {"COLUMNS",
     "How wide tables may be where standard output is no terminal, from 40 to 1000; otherwise 80."},
    {"LC_ALL, LC_CTYPE, LANG",
     "Whether the terminal takes UTF-8; otherwise pictures are drawn in ASCII."},
    {"XDG_CACHE_HOME",
     "Where this host's cost profile is kept, in its folder loginstorm. An absolute path."},
    {"HOME", "Where XDG_CACHE_HOME is not set: the profile is in .cache/loginstorm there."},
    {"LOGINSTORM_SHARD",
     "What run --shard auto goes by before anything that a launcher sets: I/N."},
    {"LOGINSTORM_SHARDS",
     "Of how many shards JOB_COMPLETION_INDEX is one, for run --shard auto in an indexed job of "
     "Kubernetes, which does not say that itself."},
    {"TZDIR", "Where the tz database is, if not in /usr/share/zoneinfo."},
};

static void write_entries(FILE *out, const char *macro, const struct entry *entries, size_t count)
{
    (void)fputs(".Bl -tag -width Ds\n", out);
    for (size_t i = 0; i < count; i++) {
        (void)fprintf(out, ".It %s ", macro);
        roff_text(out, entries[i].name);
        roff_text(out, entries[i].text);
    }
    (void)fputs(".El\n", out);
}

/* Several codes may share a status: it is told once, with all that it may mean. */
static void write_statuses(FILE *out)
{
    static const struct {
        int status;
        const char *text;
    } codes[] = {
#define ROW(name, status, text) {status, text},
        LS_CODES(ROW)
#undef ROW
    };
    const size_t count = sizeof codes / sizeof codes[0];

    (void)fputs(".Bl -tag -width Ds\n", out);
    for (size_t i = 0; i < count; i++) {
        const char *between = "";

        if (i > 0 && codes[i].status == codes[i - 1].status) {
            continue;
        }
        (void)fprintf(out, ".It %d\n", codes[i].status);
        for (size_t k = i; k < count && codes[k].status == codes[i].status; k++) {
            (void)fprintf(out, "%s%s", between, codes[k].text);
            between = "; ";
        }
        (void)fputs(".\n", out);
    }
    (void)fputs(".El\n", out);
}

static void write_operand(FILE *out, const struct command *command)
{
    struct value value;

    if (command->operand != NULL) {
        value_of(&value, command->operand);
        (void)fprintf(out, ".%s%s%s\n", value.may_be_left_out ? "Op Ar " : "Ar ", value.name,
                      command->takes_many ? " ..." : "");
    }
}

static void write_option(FILE *out, const struct option_told *told)
{
    struct value value;

    (void)fputs(".It ", out);
    if (told->letter != 0) {
        (void)fprintf(out, "Fl %c , ", told->letter);
    }
    (void)fputs("Fl \\-", out);
    for (const char *c = told->name; *c != '\0'; c++) {
        (void)fputs(*c == '-' ? "\\-" : (char[]){*c, '\0'}, out);
    }
    value_of(&value, told->argument);
    if (value.name != NULL) {
        (void)fprintf(out, value.may_be_left_out ? " Ns Oo = Ns Ar %s Oc" : " Ar %s", value.name);
    }
    (void)fputc('\n', out);
    roff_text(out, told->text);
}

static void write_more(FILE *out, const struct command *command)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = command->more_help == NULL ? NULL : open_memstream(&text, &size);

    if (memory != NULL) {
        command->more_help(memory);
        if (fclose(memory) == 0) {
            roff_help(out, text);
        }
    }
    free(text);
}

static void write_command(FILE *out, const struct command *command)
{
    struct option_told told;
    char rest[256];
    size_t at = 0;

    (void)fprintf(out, ".Ss loginstorm %s\n.Nm\n.Cm %s\n.Op Ar OPTION ...\n", command->name,
                  command->name);
    write_operand(out, command);
    (void)fprintf(out, ".Pp\n%c", toupper((unsigned char)command->summary[0]));
    (void)snprintf(rest, sizeof rest, "%s.", command->summary + 1);
    roff_text(out, rest);
    (void)fputs(".Bl -tag -width Ds\n", out);
    while (options_next(&told, command, &at)) {
        write_option(out, &told);
    }
    (void)fputs(".El\n", out);
    write_more(out, command);
}

static void write_head(FILE *out, const char *date)
{
    (void)fprintf(
        out,
        ".\\\" Written by loginstorm's own build, from its table of options.\n"
        ".Dd %s\n.Dt LOGINSTORM 1\n.Os loginstorm %s\n"
        ".Sh NAME\n.Nm loginstorm\n.Nd plays login storms and says what they cost a gateway\n"
        ".Sh SYNOPSIS\n",
        date, LS_VERSION);
    for (const struct command *command = commands; command->name != NULL; command++) {
        (void)fprintf(out, ".Nm\n.Cm %s\n.Op Ar OPTION ...\n", command->name);
        write_operand(out, command);
    }
    (void)fputs(".Nm\n.Fl \\-help | \\-version\n.Sh DESCRIPTION\n", out);
    roff_text(out, program_summary);
    (void)fputs(".Pp\n"
                "Results go to standard output, progress and errors to standard error; a\n.Ql \\-\n"
                "in a file's place is standard input, or standard output.\n"
                "An option's value may follow it as a word of its own or behind a\n.Ql = .\n"
                ".Sh COMMANDS\n",
                out);
}

void manual_write(FILE *out, const char *date)
{
    write_head(out, date);
    for (const struct command *command = commands; command->name != NULL; command++) {
        write_command(out, command);
    }
    (void)fputs(".Sh ENVIRONMENT\n", out);
    write_entries(out, "Ev", variables, sizeof variables / sizeof variables[0]);
    (void)fputs(".Sh FILES\n", out);
    write_entries(out, "Pa", files, sizeof files / sizeof files[0]);
    (void)fputs(".Sh EXIT STATUS\n", out);
    write_statuses(out);
    (void)fputs(".Sh EXAMPLES\nThe folder\n.Pa scenarios\nis the one of\n.Sx FILES .\n", out);
    for (const struct command *command = commands; command->name != NULL; command++) {
        (void)fputs(".Bd -literal\n", out);
        roff_lines(out, command->examples, COLUMNS);
        (void)fputs(".Ed\n", out);
    }
    (void)fputs(".Sh SEE ALSO\n.Xr ab 1 ,\n.Xr curl 1 ,\n.Xr openssl 1 ,\n.Xr tshark 1\n", out);
}
