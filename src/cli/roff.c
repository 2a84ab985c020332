/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "cli/describe.h"

/* at_start: of a line, where a period or an apostrophe would make it a request. */
static void put(FILE *out, char c, bool at_start)
{
    if (at_start && (c == '.' || c == '\'')) {
        (void)fputs("\\&", out);
    }
    switch (c) {
    case '\\':
        (void)fputs("\\e", out);
        break;
    case '-':
        (void)fputs("\\-", out);
        break;
    case '\'':
        (void)fputs("\\(aq", out);
        break;
    case '`':
        (void)fputs("\\(ga", out);
        break;
    case '^':
        (void)fputs("\\(ha", out);
        break;
    case '~':
        (void)fputs("\\(ti", out);
        break;
    default:
        (void)fputc(c, out);
    }
}

static bool ends_sentence(const char *at)
{
    return strchr(".!?", at[0]) != NULL && at[1] == ' ' && isupper((unsigned char)at[2]);
}

static void put_text(FILE *out, const char *text, size_t length)
{
    bool at_start = true;

    for (size_t i = 0; i < length; i++) {
        put(out, text[i], at_start);
        at_start = false;
        if (i + 2 < length && ends_sentence(text + i)) {
            (void)fputc('\n', out);
            i++;
            at_start = true;
        }
    }
    (void)fputc('\n', out);
}

void roff_text(FILE *out, const char *text)
{
    for (const char *line = text; *line != '\0';) {
        const size_t length = strcspn(line, "\n");

        if (length > 0) {
            put_text(out, line, length);
        }
        line += length + (line[length] == '\n');
    }
}

/* Up to the next space that is not within apostrophes, with the spaces before it. */
static size_t word_length(const char *text, size_t length)
{
    bool quoted = false;
    size_t i = 0;

    while (i < length && text[i] == ' ') {
        i++;
    }
    while (i < length && (quoted || text[i] != ' ')) {
        quoted = quoted != (text[i] == '\'');
        i++;
    }
    return i;
}

/* A word, and with an option or a > what stands behind it. */
static size_t piece_length(const char *text, size_t length)
{
    const size_t word = word_length(text, length);
    const char first = text[strspn(text, " ")];
    const char next = word + 1 < length ? text[word + 1] : '-';

    return (first == '-' || first == '>' || first == '<') && strchr("-><", next) == NULL
               ? word + word_length(text + word, length - word)
               : word;
}

static void put_line(FILE *out, const char *line, size_t length, size_t columns)
{
    size_t at = 0, column = 0, pieces = 0; /* of this line */

    while (at < length) {
        const size_t word = piece_length(line + at, length - at);
        const size_t spaces = strspn(line + at, " ");

        if (pieces > 0 && column + word + 2 > columns) {
            (void)fputs(" \\e\n    ", out);
            column = 4;
            pieces = 0;
            at += spaces;
            continue;
        }
        for (size_t i = 0; i < word; i++) {
            put(out, line[at + i], column + i == 0);
        }
        column += word;
        pieces++;
        at += word;
    }
    (void)fputc('\n', out);
}

void roff_lines(FILE *out, const char *text, size_t columns)
{
    while (*text != '\0') {
        const size_t length = strcspn(text, "\n");
        const size_t indent = length >= 2 && strncmp(text, "  ", 2) == 0 ? 2 : 0;

        put_line(out, text + indent, length - indent, columns);
        text += length + (text[length] == '\n');
    }
}

enum shape { SHAPE_NOTHING, SHAPE_TEXT, SHAPE_LIST, SHAPE_LINES };

static const char *const begins[] = {"", ".Pp\n", ".Bl -tag -width Ds\n",
                                     ".Bd -literal -offset indent\n"};
static const char *const ends[] = {"", "", ".El\n", ".Ed\n"};

/* "  word  its text" is of a list, and so is "             more of it" below it; *text is where that begins. */
static enum shape shape_of(const char *line, size_t length, enum shape before, size_t *text)
{
    const size_t indent = strspn(line, " ");
    const size_t word = indent + strcspn(line + indent, " \n");
    const size_t gap = strspn(line + word, " ");

    *text = indent;
    if (length == 0) {
        return SHAPE_NOTHING;
    }
    if (indent < 2) {
        return SHAPE_TEXT;
    }
    if (indent == 2 && gap >= 2) {
        *text = word + gap;
        return SHAPE_LIST;
    }
    return indent > 4 && before == SHAPE_LIST ? SHAPE_LIST : SHAPE_LINES;
}

static void put_item(FILE *out, const char *line, size_t length, size_t text)
{
    const size_t indent = strspn(line, " ");
    const size_t word = strcspn(line + indent, " \n");

    if (text > indent) {
        (void)fputs(".It Cm ", out);
        put_text(out, line + indent, word);
    } else {
        (void)fputs(".Pp\n", out);
    }
    put_text(out, line + text, length - text);
}

void roff_help(FILE *out, const char *text)
{
    enum shape shape = SHAPE_NOTHING;

    while (*text != '\0') {
        const size_t length = strcspn(text, "\n");
        size_t at;
        const enum shape next = shape_of(text, length, shape, &at);

        if (next != shape) {
            (void)fprintf(out, "%s%s", ends[shape], begins[next]);
        }
        shape = next;
        if (shape == SHAPE_TEXT) {
            put_text(out, text + at, length - at);
        } else if (shape == SHAPE_LIST) {
            put_item(out, text, length, at);
        } else if (shape == SHAPE_LINES) {
            put_line(out, text + 2, length - 2, 68);
        }
        text += length + (text[length] == '\n');
    }
    (void)fputs(ends[shape], out);
}
