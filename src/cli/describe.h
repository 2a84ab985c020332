/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CLI_DESCRIBE_H
#define LOGINSTORM_CLI_DESCRIBE_H

/* The table of options as a manual page and as completions. All write to a stream whose errors the caller looks for. */

#include <stdio.h>

#include "cli/options.h"

/* What may stand in an option's or a command's argument. */
enum value_kind {
    VALUE_NONE, /* there is none, or it may be left out and then wants a "=" */
    VALUE_FREE, /* only who types knows */
    VALUE_WORDS,
    VALUE_FOLDER,
    VALUE_FILE,
    VALUE_ZONE, /* of the tz database */
};

struct value {
    enum value_kind kind;
    char words[512];     /* of VALUE_WORDS, with a space between them */
    const char *ends[2]; /* what a VALUE_FILE's name ends with; NULL: anything, or nothing more */
    bool may_be_left_out;
    const char *
        name; /* as --help has it, without brackets: "DIR"; good until the next call writes over *value */
    char storage[64];
};

/* Of "DIR", "text|json|csv", "[SCENARIO]" or NULL. */
void value_of(struct value *value, const char *argument);

void manual_write(FILE *out, const char *date);
void bash_write(FILE *out);
void zsh_write(FILE *out);
void fish_write(FILE *out);

/* Text of a manual page: nothing in it is taken for a request or an escape, a hyphen is one that can be typed, and a sentence
 * begins on a line of its own. */
void roff_text(FILE *out, const char *text);

/* The same with its lines as they are, of a length of columns at most: a longer command goes on behind a backslash. */
void roff_lines(FILE *out, const char *text, size_t columns);

/* What a command says behind its options (more_help): paragraphs, lists and, where a line is indented, lines as they are. */
void roff_help(FILE *out, const char *text);

#endif
