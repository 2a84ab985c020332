/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "arrivals/curve_reader.h"

#include <stdlib.h>
#include <string.h>

#include "arrivals/curve_text.h"
#include "loginstorm/near.h"

#define LINE_MAX_BYTES 1024

enum ls_code reader_refuse(const struct curve_reader *reader, size_t column, const char *what,
                           struct ls_error *err)
{
    ls_error_set_at(err, reader->path, reader->line, (int)column + 1, "%s", what);
    return LS_EINPUT;
}

enum ls_code reader_line(struct curve_reader *reader, bool *there, struct ls_error *err)
{
    char *newline = memchr(reader->buffer + reader->begin, '\n', reader->end - reader->begin);

    while (newline == NULL && !reader->at_end && reader->end - reader->begin <= LINE_MAX_BYTES) {
        size_t got;

        memmove(reader->buffer, reader->buffer + reader->begin, reader->end - reader->begin);
        reader->end -= reader->begin;
        reader->begin = 0;
        got = fread(reader->buffer + reader->end, 1, sizeof reader->buffer - 1 - reader->end,
                    reader->stream);
        reader->at_end = got == 0;
        reader->end += got;
        newline = memchr(reader->buffer, '\n', reader->end);
    }
    if (ferror(reader->stream)) {
        return ls_error_set_errno(err, LS_ENOINPUT, "cannot read %s", reader->path);
    }
    *there = newline != NULL || reader->end > reader->begin;
    if (!*there) {
        return LS_OK;
    }
    reader->line++;
    reader->text = reader->buffer + reader->begin;
    reader->length =
        newline != NULL ? (size_t)(newline - reader->text) : reader->end - reader->begin;
    reader->begin += reader->length + (newline != NULL);
    if (reader->length > LINE_MAX_BYTES) {
        return reader_refuse(reader, 0, "a line of more than 1,024 bytes; this is no curve file",
                             err);
    }
    if (memchr(reader->text, '\0', reader->length) != NULL) {
        return reader_refuse(reader, strlen(reader->text), "a NUL byte; this is no text", err);
    }
    reader->text[reader->length] = '\0';
    if (reader->length > 0 && reader->text[reader->length - 1] == '\r') {
        reader->text[--reader->length] = '\0';
    }
    return LS_OK;
}

static char **place_of(struct ls_curve *curve, size_t key)
{
    switch (key) {
    case 1:
        return &curve->source;
    case 2:
        return &curve->timezone;
    default:
        return &curve->counted;
    }
}

/* "2026-11-23" or "2026-11-23..2026-11-27": told to people; the rows say it themselves. */
static bool is_days(const char *text)
{
    const char *form = "dddd-dd-dd..dddd-dd-dd";
    const size_t length = strlen(text);

    if (length != 10 && length != strlen(form)) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        if (form[i] == 'd' ? text[i] < '0' || text[i] > '9' : text[i] != form[i]) {
            return false;
        }
    }
    return true;
}

/* One `# key: value`; seen has a bit for each key. */
static enum ls_code read_header(struct curve_reader *reader, unsigned *seen, struct ls_error *err)
{
    static const char *const keys[] = {"format", "source", "timezone", "counted", "day"};
    char *colon = strstr(reader->text, ": ");
    const char *value = colon == NULL ? "" : colon + 2;
    const size_t column = (size_t)(value - reader->text);
    size_t key = 0;

    if (strncmp(reader->text, "# ", 2) != 0 || colon == NULL) {
        return reader_refuse(reader, 0,
                             "a header is `# key: value`, like `# timezone: Europe/Paris`", err);
    }
    *colon = '\0';
    while (key < 5 && strcmp(reader->text + 2, keys[key]) != 0) {
        key++;
    }
    if (key == 5) {
        const char *nearest = ls_nearest(reader->text + 2, keys, 5);

        ls_error_set_at(err, reader->path, reader->line, 3, "unknown header%s%s%s",
                        nearest == NULL ? "" : ", did you mean \"", nearest == NULL ? "" : nearest,
                        nearest == NULL ? "" : "\"?");
        return LS_EINPUT;
    }
    if ((*seen & 1U << key) != 0) {
        return reader_refuse(reader, 2, "this header stands there twice", err);
    }
    *seen |= 1U << key;
    for (const char *c = value; *c != '\0'; c++) {
        if ((unsigned char)*c < 0x20 || *c == 0x7f) {
            return reader_refuse(reader, (size_t)(c - reader->text), "a control character", err);
        }
    }
    if (key == 0 && strcmp(value, CURVE_FORMAT) != 0) {
        return reader_refuse(reader, column, "this loginstorm reads " CURVE_FORMAT, err);
    }
    if (key == 4 && !is_days(value)) {
        return reader_refuse(reader, column,
                             "a day is written 2026-11-23, or 2026-11-23..2026-11-27", err);
    }
    if (key >= 1 && key <= 3) {
        char **place = place_of(reader->curve, key);

        *place = strdup(value);
        if (key == 2) {
            reader->curve->timezone_line = reader->line;
        }
        if (*place == NULL) {
            return ls_error_set(err, LS_ENOMEM, "no memory for %s", reader->path);
        }
    }
    return LS_OK;
}

enum ls_code reader_headers(struct curve_reader *reader, struct ls_error *err)
{
    unsigned seen = 0;
    bool there = false;
    enum ls_code code = reader_line(reader, &there, err);

    if (code == LS_OK && there && strncmp(reader->text, "\xef\xbb\xbf", 3) == 0) {
        reader->text += 3; /* a spreadsheet's mark */
    }
    if (code == LS_OK && (!there || strncmp(reader->text, "# format: ", 10) != 0)) {
        reader->line = 1;
        return reader_refuse(reader, 0,
                             "no curve file: it does not begin with `# format: " CURVE_FORMAT
                             "`; `loginstorm import` makes one from a log",
                             err);
    }
    while (code == LS_OK && there && reader->text[0] == '#') {
        code = read_header(reader, &seen, err);
        if (code == LS_OK) {
            code = reader_line(reader, &there, err);
        }
    }
    if (code != LS_OK) {
        return code;
    }
    if (reader->curve->timezone == NULL) {
        return reader_refuse(
            reader, 0,
            "the header `# timezone: Europe/Paris` is missing: where the clocks of the "
            "users are",
            err);
    }
    reader->curve->exact = there && strcmp(reader->text, CURVE_LOGINS) == 0;
    if (!reader->curve->exact && (!there || strcmp(reader->text, CURVE_INTERVALS) != 0)) {
        return reader_refuse(reader, 0,
                             "the columns are `" CURVE_LOGINS "` or `" CURVE_INTERVALS "`", err);
    }
    return LS_OK;
}
