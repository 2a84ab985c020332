/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fish has a line for each option, with a condition under which it is offered. */
#include <string.h>

#include "cli/describe.h"

static const char helpers[] =
    "# fish completion of loginstorm, written by its own build from its table of options.\n"
    "\n"
    "function __loginstorm_in\n"
    "    set -l words (commandline -opc)\n"
    "    test (count $words) -gt 1; and test $words[2] = $argv[1]\n"
    "end\n"
    "\n"
    "function __loginstorm_has_no_command\n"
    "    test (count (commandline -opc)) -eq 1\n"
    "end\n"
    "\n"
    "# Files whose names end so, and folders on the way to them.\n"
    "function __loginstorm_files\n"
    "    __fish_complete_path (commandline -ct) | string match -r '^[^\\t]*(?:/|\\.(?:'(string "
    "join '|' $argv)'))(?:\\t.*)?$'\n"
    "end\n"
    "\n"
    "function __loginstorm_zones\n"
    "    set -l folder /usr/share/zoneinfo\n"
    "    set -q TZDIR; and set folder $TZDIR\n"
    "    test -r $folder/tzdata.zi; and awk '$1 == \"Z\" { print $2 } $1 == \"L\" { print $3 }' "
    "$folder/tzdata.zi\n"
    "end\n"
    "\n"
    "complete -c loginstorm -f\n"
    "complete -c loginstorm -n __loginstorm_has_no_command -s h -l help -d 'what loginstorm does'\n"
    "complete -c loginstorm -n __loginstorm_has_no_command -l version -d 'which loginstorm this "
    "is'\n";

static void put(FILE *out, const char *text)
{
    (void)fputc('\'', out);
    for (const char *c = text; *c != '\0'; c++) {
        if (strchr("'\\", *c) != NULL) {
            (void)fputc('\\', out);
        }
        (void)fputc(*c, out);
    }
    (void)fputc('\'', out);
}

/* -a: what is offered, -F: files too. */
static void write_offer(FILE *out, const struct value *value)
{
    switch (value->kind) {
    case VALUE_NONE:
    case VALUE_FREE:
        break;
    case VALUE_WORDS:
        (void)fprintf(out, " -a '%s'", value->words);
        break;
    case VALUE_FOLDER:
        (void)fputs(" -a '(__fish_complete_directories (commandline -ct))'", out);
        break;
    case VALUE_FILE:
        if (value->ends[0] == NULL) {
            (void)fputs(" -F", out);
        } else {
            (void)fprintf(out, " -a '(__loginstorm_files %s%s%s)'", value->ends[0],
                          value->ends[1] == NULL ? "" : " ",
                          value->ends[1] == NULL ? "" : value->ends[1]);
        }
        break;
    case VALUE_ZONE:
        (void)fputs(" -a '(__loginstorm_zones)'", out);
        break;
    }
}

static void write_command(FILE *out, const struct command *command)
{
    struct option_told told;
    struct value value;
    size_t at = 0;

    (void)fprintf(out, "\ncomplete -c loginstorm -n __loginstorm_has_no_command -a %s -d ",
                  command->name);
    put(out, command->summary);
    (void)fputc('\n', out);
    value_of(&value, command->operand);
    if (value.kind != VALUE_NONE) {
        (void)fprintf(out, "complete -c loginstorm -n '__loginstorm_in %s'", command->name);
        write_offer(out, &value);
        (void)fputc('\n', out);
    }
    while (options_next(&told, command, &at)) {
        value_of(&value, told.argument);
        (void)fprintf(out, "complete -c loginstorm -n '__loginstorm_in %s'", command->name);
        if (told.letter != 0) {
            (void)fprintf(out, " -s %c", told.letter);
        }
        (void)fprintf(out, " -l %s%s", told.name,
                      value.kind == VALUE_NONE || value.may_be_left_out   ? ""
                      : value.kind == VALUE_FILE && value.ends[0] == NULL ? " -r"
                                                                          : " -x");
        write_offer(out, &value);
        (void)fputs(" -d ", out);
        put(out, told.text);
        (void)fputc('\n', out);
    }
}

void fish_write(FILE *out)
{
    (void)fputs(helpers, out);
    for (const struct command *command = commands; command->name != NULL; command++) {
        write_command(out, command);
    }
}
