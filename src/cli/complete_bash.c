/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bash asks a function, which fills COMPREPLY. It splits words at "=" too, so that --format=js comes as three. */
#include "cli/describe.h"

static const char helpers[] =
    "# bash completion of loginstorm, written by its own build from its table of options.\n"
    "\n"
    "# WORD...: those that go on from what is typed\n"
    "_loginstorm_words() { mapfile -t COMPREPLY < <(compgen -W \"$*\" -- \"$word\"); }\n"
    "\n"
    "_loginstorm_folders() {\n"
    "    mapfile -t COMPREPLY < <(compgen -d -- \"$word\")\n"
    "    compopt -o filenames 2>/dev/null\n"
    "}\n"
    "\n"
    "# [END...]: files whose names end so, any where none is given, and folders on the way to "
    "them\n"
    "_loginstorm_files() {\n"
    "    local ends=\"$*\"\n"
    "    if [[ $word == [\\'\\\"]* || $word == *\\\\* ]]; then # quoted: readline itself knows "
    "how\n"
    "        compopt -o default 2>/dev/null\n"
    "    elif [ -z \"$ends\" ]; then\n"
    "        mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n"
    "        compopt -o filenames 2>/dev/null\n"
    "    else\n"
    "        shopt -q extglob || { local off=1; shopt -s extglob; }\n"
    "        mapfile -t COMPREPLY < <(compgen -d -- \"$word\"; compgen -f -X \"!*.@(${ends// "
    "/|})\" -- \"$word\")\n"
    "        [ -z \"${off:-}\" ] || shopt -u extglob\n"
    "        compopt -o filenames 2>/dev/null\n"
    "    fi\n"
    "}\n"
    "\n"
    "_loginstorm_zones() {\n"
    "    local zones=${TZDIR:-/usr/share/zoneinfo}/tzdata.zi\n"
    "    [ ! -r \"$zones\" ] || _loginstorm_words \"$(awk '$1 == \"Z\" { print $2 } $1 == \"L\" { "
    "print $3 }' \"$zones\")\"\n"
    "}\n"
    "\n";

static void write_offer(FILE *out, const struct value *value)
{
    switch (value->kind) {
    case VALUE_NONE:
    case VALUE_FREE:
        (void)fputs("return", out);
        break;
    case VALUE_WORDS:
        (void)fprintf(out, "_loginstorm_words %s", value->words);
        break;
    case VALUE_FOLDER:
        (void)fputs("_loginstorm_folders", out);
        break;
    case VALUE_FILE:
        (void)fprintf(out, "_loginstorm_files%s%s%s%s", value->ends[0] == NULL ? "" : " ",
                      value->ends[0] == NULL ? "" : value->ends[0],
                      value->ends[1] == NULL ? "" : " ",
                      value->ends[1] == NULL ? "" : value->ends[1]);
        break;
    case VALUE_ZONE:
        (void)fputs("_loginstorm_zones", out);
        break;
    }
}

static void write_values(FILE *out, const struct command *command)
{
    struct option_told told;
    size_t at = 0;

    (void)fputs("        case $before in\n", out);
    while (options_next(&told, command, &at)) {
        struct value value;

        value_of(&value, told.argument);
        if (value.kind == VALUE_NONE || value.may_be_left_out) {
            continue;
        }
        (void)fprintf(out, "        --%s", told.name);
        if (told.letter != 0) {
            (void)fprintf(out, " | -%c", told.letter);
        }
        (void)fputs(") ", out);
        write_offer(out, &value);
        (void)fputs(value.kind == VALUE_FREE ? " ;;\n" : "; return ;;\n", out);
    }
    (void)fputs("        esac\n", out);
}

static void write_command(FILE *out, const struct command *command)
{
    struct option_told told;
    struct value value;
    size_t at = 0;

    (void)fprintf(out, "    %s)\n", command->name);
    write_values(out, command);
    (void)fputs("        if [[ $word == -* ]]; then\n            _loginstorm_words", out);
    while (options_next(&told, command, &at)) {
        (void)fprintf(out, " --%s", told.name);
    }
    (void)fputc('\n', out);
    value_of(&value, command->operand);
    if (value.kind != VALUE_NONE) {
        (void)fputs("        else\n            ", out);
        write_offer(out, &value);
        (void)fputc('\n', out);
    }
    (void)fputs("        fi\n        ;;\n", out);
}

void bash_write(FILE *out)
{
    (void)fputs(helpers, out);
    (void)fputs("_loginstorm() {\n"
                "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
                "    COMPREPLY=()\n"
                "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
                "        _loginstorm_words",
                out);
    for (const struct command *command = commands; command->name != NULL; command++) {
        (void)fprintf(out, " %s", command->name);
    }
    (void)fputs(" --help --version\n"
                "        return\n"
                "    fi\n"
                "    if [ \"$word\" = = ]; then\n"
                "        word=\n"
                "    elif [ \"$before\" = = ]; then\n"
                "        before=${COMP_WORDS[COMP_CWORD - 2]}\n"
                "    fi\n"
                "    case ${COMP_WORDS[1]} in\n",
                out);
    for (const struct command *command = commands; command->name != NULL; command++) {
        write_command(out, command);
    }
    (void)fputs("    esac\n}\ncomplete -F _loginstorm loginstorm\n", out);
}
