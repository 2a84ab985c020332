/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/describe.h"

#include <string.h>

#include "loginstorm/cli.h"
#include "loginstorm/import.h"
#include "loginstorm/tls.h"

static void add_word(struct value *value, const char *word, size_t length)
{
    const size_t used = strlen(value->words);

    (void)snprintf(value->words + used, sizeof value->words - used, "%s%.*s", used == 0 ? "" : " ",
                   (int)length, word);
}

static void add_alternatives(struct value *value, const char *argument)
{
    value->kind = VALUE_WORDS;
    for (const char *word = argument; word != NULL;) {
        const char *bar = strchr(word, '|');

        add_word(value, word, bar == NULL ? strlen(word) : (size_t)(bar - word));
        word = bar == NULL ? NULL : bar + 1;
    }
}

static void add_keys(struct value *value)
{
    const char *word;

    value->kind = VALUE_WORDS;
    for (size_t i = 0; (word = ls_key_word(i)) != NULL; i++) {
        add_word(value, word, strlen(word));
    }
}

static void add_log_formats(struct value *value)
{
    struct ls_import_format format;

    value->kind = VALUE_WORDS;
    for (size_t i = 0; ls_import_format(&format, i); i++) {
        add_word(value, format.word, strlen(format.word));
    }
}

/* What an argument's name in --help means; one that is not here is VALUE_FREE. */
static const struct {
    const char *name;
    enum value_kind kind;
    const char *ends[2];
} names[] = {
    {"DIR", VALUE_FOLDER, {NULL}},
    {"FILE", VALUE_FILE, {NULL}},
    {"LOG", VALUE_FILE, {NULL}},
    {"SCENARIO", VALUE_FILE, {"yaml", "yml"}},
    {"RESULT", VALUE_FILE, {"json", NULL}},
    {"CURVE", VALUE_FILE, {"csv", NULL}},
    {"ZONE", VALUE_ZONE, {NULL}},
};

void value_of(struct value *value, const char *argument)
{
    *value = (struct value){.kind = argument == NULL ? VALUE_NONE : VALUE_FREE};
    if (argument == NULL) {
        return;
    }
    value->may_be_left_out = argument[0] == '[';
    argument += value->may_be_left_out;
    (void)snprintf(value->storage, sizeof value->storage, "%.*s", (int)strcspn(argument, "]"),
                   argument);
    value->name = value->storage;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(value->name, names[i].name) == 0) {
            value->kind = names[i].kind;
            memcpy(value->ends, names[i].ends, sizeof value->ends);
        }
    }
    if (strchr(value->name, '|') != NULL) {
        add_alternatives(value, value->name);
    } else if (strcmp(value->name, "KIND") == 0) {
        add_keys(value);
    } else if (strcmp(value->name, "FORMAT") == 0) {
        add_log_formats(value);
    }
}

enum ls_code ls_cli_describe(FILE *out, const char *what, const char *date, struct ls_error *err)
{
    if (strcmp(what, "man") == 0) {
        manual_write(out, date);
    } else if (strcmp(what, "bash") == 0) {
        bash_write(out);
    } else if (strcmp(what, "zsh") == 0) {
        zsh_write(out);
    } else if (strcmp(what, "fish") == 0) {
        fish_write(out);
    } else {
        return ls_error_set(err, LS_EUSAGE, "\"%s\" is none of man, bash, zsh, fish", what);
    }
    if (fflush(out) != 0 || ferror(out)) {
        return ls_error_set_errno(err, LS_EWRITE, "cannot write");
    }
    return LS_OK;
}
