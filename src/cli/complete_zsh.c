/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zsh's _arguments takes a specification for each option, in which brackets and colons mean something. */
#include <string.h>

#include "cli/describe.h"

/* Within apostrophes; each of marks gets a backslash. */
static void put(FILE *out, const char *text, const char *marks)
{
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '\'') {
            (void)fputs("'\\''", out);
            continue;
        }
        if (strchr(marks, *c) != NULL) {
            (void)fputc('\\', out);
        }
        (void)fputc(*c, out);
    }
}

static void write_action(FILE *out, const struct value *value)
{
    (void)fputc(':', out);
    put(out, value->name, "\\:");
    (void)fputc(':', out);
    switch (value->kind) {
    case VALUE_NONE:
    case VALUE_FREE:
        (void)fputc(' ', out);
        break;
    case VALUE_WORDS:
        (void)fprintf(out, "(%s)", value->words);
        break;
    case VALUE_FOLDER:
        (void)fputs("_files -/", out);
        break;
    case VALUE_FILE:
        (void)fputs("_files", out);
        if (value->ends[0] != NULL) {
            (void)fprintf(out, " -g \"*.(%s%s%s)(-.)\"", value->ends[0],
                          value->ends[1] == NULL ? "" : "|",
                          value->ends[1] == NULL ? "" : value->ends[1]);
        }
        break;
    case VALUE_ZONE:
        (void)fputs("_time_zone", out);
        break;
    }
}

static void write_option(FILE *out, const struct option_told *told)
{
    struct value value;
    const char *letter_ends, *name_ends;

    value_of(&value, told->argument);
    letter_ends = value.kind == VALUE_NONE || value.may_be_left_out ? "" : "+";
    name_ends = value.kind == VALUE_NONE ? "" : value.may_be_left_out ? "=-" : "=";
    (void)fputs("            ", out);
    if (told->again) {
        (void)fputs("'*'", out);
    } else if (told->letter != 0) {
        (void)fprintf(out, "'(-%c --%s)'", told->letter, told->name);
    }
    if (told->letter != 0) {
        (void)fprintf(out, "{-%c%s,--%s%s}", told->letter, letter_ends, told->name, name_ends);
    } else {
        (void)fprintf(out, "--%s%s", told->name, name_ends);
    }
    (void)fputs("'[", out);
    put(out, told->text, "\\[]");
    (void)fputc(']', out);
    if (value.kind != VALUE_NONE) {
        (void)fputs(value.may_be_left_out ? ":" : "", out);
        write_action(out, &value);
    }
    (void)fputs("' \\\n", out);
}

static void write_command(FILE *out, const struct command *command)
{
    struct option_told told;
    struct value value;
    size_t at = 0;

    (void)fprintf(out, "    (%s)\n        _arguments -s -S \\\n", command->name);
    while (options_next(&told, command, &at)) {
        write_option(out, &told);
    }
    value_of(&value, command->operand);
    if (value.kind != VALUE_NONE) {
        (void)fputs(command->takes_many     ? "            '*"
                    : value.may_be_left_out ? "            '1:"
                                            : "            '1",
                    out);
        write_action(out, &value);
        (void)fputs("' \\\n", out);
    }
    (void)fputs("            && ret=0\n        ;;\n", out);
}

void zsh_write(FILE *out)
{
    (void)fputs("#compdef loginstorm\n"
                "# Written by loginstorm's own build, from its table of options.\n"
                "\n"
                "_loginstorm() {\n"
                "    local curcontext=$curcontext state line ret=1\n"
                "    local -A opt_args\n"
                "    local -a commands\n"
                "    commands=(\n",
                out);
    for (const struct command *command = commands; command->name != NULL; command++) {
        (void)fprintf(out, "        '%s:", command->name);
        put(out, command->summary, "\\");
        (void)fputs("'\n", out);
    }
    (void)fputs("    )\n"
                "    _arguments -C \\\n"
                "        '(- : *)'{-h,--help}'[what loginstorm does]' \\\n"
                "        '(- : *)--version[which loginstorm this is]' \\\n"
                "        '1: :->command' \\\n"
                "        '*:: :->arguments' && ret=0\n"
                "    if [[ $state == command ]]; then\n"
                "        _describe -t commands command commands && ret=0\n"
                "    fi\n"
                "    [[ $state == arguments ]] || return ret\n"
                "    curcontext=${curcontext%:*}-$words[1]:\n"
                "    case $words[1] in\n",
                out);
    for (const struct command *command = commands; command->name != NULL; command++) {
        write_command(out, command);
    }
    (void)fputs("    esac\n"
                "    return ret\n"
                "}\n"
                "\n"
                "if [[ $funcstack[1] == _loginstorm ]]; then\n"
                "    _loginstorm \"$@\"\n"
                "else # sourced\n"
                "    compdef _loginstorm loginstorm\n"
                "fi\n",
                out);
}
