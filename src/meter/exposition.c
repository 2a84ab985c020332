/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "meter/exposition.h"

#include <stdlib.h>
#include <string.h>

#define VALUE_MAX 64

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static bool is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == ':';
}

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && is_blank(*at)) {
        at++;
    }
    return at;
}

static const char *skip_name(const char *at, const char *end)
{
    while (at < end && is_name(*at)) {
        at++;
    }
    return at;
}

/* From behind a quotation mark to behind the one that ends it; NULL: none does. */
static const char *skip_quoted(const char *at, const char *end)
{
    while (at < end && *at != '"') {
        at += *at == '\\' && end - at > 1 ? 2 : 1;
    }
    return at < end ? at + 1 : NULL;
}

/* One label `name="value"` and the comma behind it. NULL: that is none. */
static const char *skip_label(const char *at, const char *end, const char **name, size_t *name_size,
                              const char **value)
{
    const char *behind;

    *name = at = skip_blanks(at, end);
    at = skip_name(at, end);
    *name_size = (size_t)(at - *name);
    at = skip_blanks(at, end);
    if (*name_size == 0 || at == end || *at++ != '=') {
        return NULL;
    }
    at = skip_blanks(at, end);
    if (at == end || *at++ != '"') {
        return NULL;
    }
    *value = at;
    behind = skip_quoted(at, end);
    if (behind == NULL) {
        return NULL;
    }
    at = skip_blanks(behind, end);
    return at < end && *at == ',' ? skip_blanks(at + 1, end) : at;
}

/* From behind the brace to behind the one that ends it. */
static const char *take_labels(const char *at, const char *end, struct exposition_sample *out)
{
    const char *name, *value;
    size_t name_size;

    out->labels = at;
    at = skip_blanks(at, end);
    while (at != NULL && at < end && *at != '}') {
        at = skip_label(at, end, &name, &name_size, &value);
    }
    if (at == NULL || at == end) {
        return NULL;
    }
    out->labels_size = (size_t)(at - out->labels);
    return at + 1;
}

static bool take_value(const char *at, const char *end, double *value)
{
    char text[VALUE_MAX];
    size_t size = 0;
    char *behind;

    while (at < end && !is_blank(*at) && size < sizeof text - 1) {
        text[size++] = *at++;
    }
    text[size] = '\0';
    *value = strtod(text, &behind);
    return size > 0 && *behind == '\0' && (at == end || is_blank(*at));
}

static bool take_sample(const char *at, const char *end, struct exposition_sample *out)
{
    *out = (struct exposition_sample){.name = at};
    at = skip_name(at, end);
    out->name_size = (size_t)(at - out->name);
    at = skip_blanks(at, end);
    out->labels = at;
    if (out->name_size > 0 && at < end && *at == '{') {
        at = take_labels(at + 1, end, out);
    }
    /* Behind the value may stand a time stamp, which is not the counter's own. */
    return out->name_size > 0 && at != NULL && take_value(skip_blanks(at, end), end, &out->value);
}

enum exposition_step exposition_next(struct exposition *text, struct exposition_sample *out)
{
    while (text->at < text->end) {
        const char *newline = memchr(text->at, '\n', (size_t)(text->end - text->at));
        const char *end = newline != NULL ? newline : text->end;
        const char *at = skip_blanks(text->at, end);

        text->at = newline != NULL ? newline + 1 : text->end;
        text->line++;
        if (at == end || *at == '#') {
            continue;
        }
        return take_sample(at, end, out) ? EXPOSITION_SAMPLE : EXPOSITION_BROKEN;
    }
    return EXPOSITION_END;
}

bool exposition_is(const struct exposition_sample *sample, const char *name)
{
    return strlen(name) == sample->name_size && memcmp(name, sample->name, sample->name_size) == 0;
}

static void unescape(const char *at, const char *end, char *out, size_t size)
{
    size_t used = 0;

    while (at < end && *at != '"' && used + 1 < size) {
        if (*at == '\\' && end - at > 1) {
            at++;
            out[used++] = *at == 'n' ? '\n' : *at;
        } else {
            out[used++] = *at;
        }
        at++;
    }
    out[used] = '\0';
}

bool exposition_label(const struct exposition_sample *sample, const char *name, char *out,
                      size_t size)
{
    const char *at = sample->labels, *end = at + sample->labels_size;
    const size_t length = strlen(name);

    while (at != NULL && at < end) {
        const char *found, *value;
        size_t found_size;

        at = skip_label(at, end, &found, &found_size, &value);
        if (at != NULL && found_size == length && memcmp(found, name, length) == 0) {
            unescape(value, end, out, size);
            return true;
        }
    }
    return false;
}
