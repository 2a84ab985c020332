/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenario/reading.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The file first, from its top; what has no line (the command line's changes) after it. */
static bool before(const struct ls_error *a, const struct ls_error *b)
{
    if ((a->line == 0) != (b->line == 0)) {
        return b->line == 0;
    }
    if (a->line != b->line) {
        return a->line < b->line;
    }
    return a->column < b->column;
}

static void insert(struct ls_errors *errors, const struct ls_error *err)
{
    size_t kept = errors->count < LS_ERRORS_MAX ? errors->count : LS_ERRORS_MAX;
    size_t at = kept;

    while (at > 0 && before(err, &errors->item[at - 1])) {
        at--;
    }
    errors->count++;
    if (at == LS_ERRORS_MAX) {
        return;
    }
    if (kept == LS_ERRORS_MAX) {
        kept--;
    }
    memmove(&errors->item[at + 1], &errors->item[at], (kept - at) * sizeof errors->item[0]);
    errors->item[at] = *err;
}

void ls_complain(struct ls_reading *reading, struct ls_place place, const char *fmt, ...)
{
    struct ls_error err = {.code = LS_EINPUT, .line = place.line, .column = place.column};
    size_t used = 0;
    va_list args;

    (void)snprintf(err.path, sizeof err.path, "%s",
                   place.origin != NULL ? place.origin : reading->file);
    if (reading->path_length > 0) {
        (void)snprintf(err.text, sizeof err.text, "%s: ", reading->path);
        used = strlen(err.text);
    }
    va_start(args, fmt);
    (void)vsnprintf(err.text + used, sizeof err.text - used, fmt, args);
    va_end(args);
    insert(&reading->errors, &err);
}

size_t ls_path_enter(struct ls_reading *reading, const char *key)
{
    const size_t length = reading->path_length;
    const int n = snprintf(reading->path + length, sizeof reading->path - length, "%s%s",
                           length > 0 ? "." : "", key);

    if (n > 0) {
        reading->path_length = strlen(reading->path);
    }
    return length;
}

size_t ls_path_enter_item(struct ls_reading *reading, size_t index)
{
    char number[24];

    (void)snprintf(number, sizeof number, "%zu", index);
    return ls_path_enter(reading, number);
}

void ls_path_leave(struct ls_reading *reading, size_t length)
{
    reading->path[length] = '\0';
    reading->path_length = length;
}

void *ls_reading_alloc(struct ls_reading *reading, size_t count, size_t size)
{
    void *place = ls_arena_alloc(reading->memory, count, size);

    if (place == NULL) {
        reading->no_memory = true;
    }
    return place;
}

char *ls_reading_text(struct ls_reading *reading, const char *text)
{
    char *copy = ls_arena_text(reading->memory, text, strlen(text));

    if (copy == NULL) {
        reading->no_memory = true;
    }
    return copy;
}

const char *ls_show(const char *text, char out[LS_SHOWN_MAX])
{
    static const char more[] = "...";
    size_t n = 0;

    while (text[n] != '\0' && n < LS_SHOWN_MAX - sizeof more) {
        const unsigned char byte = (unsigned char)text[n];

        out[n] = text[n];
        if (byte < 0x20 || byte == 0x7f) {
            out[n] = '?';
        }
        n++;
    }
    if (text[n] != '\0') {
        while (n > 0 && ((unsigned char)text[n] & 0xc0) == 0x80) {
            n--; /* never half a character */
        }
        memcpy(out + n, more, sizeof more - 1);
        n += sizeof more - 1;
    }
    out[n] = '\0';
    return out;
}
