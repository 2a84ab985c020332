/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "curve/lines.h"

#include <stdlib.h>
#include <string.h>

#define TOO_LONG "a line of more than 1 MiB"
#define NULS "NUL bytes, as a log has that was cut while it was written to"

void lines_init(struct lines *lines, struct sink *sink, lines_give *give, void *state)
{
    *lines = (struct lines){.sink = sink, .give = give, .state = state};
}

void lines_free(struct lines *lines)
{
    free(lines->kept);
    lines->kept = NULL;
}

/* Past NULs at the start of a line, which are told once. */
static void pass_nuls(struct lines *lines, const char **at, const char *end)
{
    if (!lines->begun) {
        lines->sink->skip(lines->sink, NULS, *at, 0);
        lines->begun = true;
    }
    while (*at < end && **at == '\0') {
        (*at)++;
    }
}

static enum ls_code keep(struct lines *lines, const char *bytes, size_t size, struct ls_error *err)
{
    if (lines->dropping) {
        return LS_OK;
    }
    if (lines->size + size > LINES_LONGEST) {
        lines->sink->skip(lines->sink, TOO_LONG, lines->size > 0 ? lines->kept : bytes,
                          lines->size > 0 ? lines->size : size);
        lines->dropping = true;
        lines->size = 0;
        return LS_OK;
    }
    if (lines->size + size > lines->room) {
        const size_t room = (lines->size + size) * 2;
        char *kept = realloc(lines->kept, room);

        if (kept == NULL) {
            return ls_error_set(err, LS_ENOMEM, "no memory for a line of %zu bytes",
                                lines->size + size);
        }
        lines->kept = kept;
        lines->room = room;
    }
    if (size > 0) {
        memcpy(lines->kept + lines->size, bytes, size);
        lines->size += size;
    }
    return LS_OK;
}

static enum ls_code give(const struct lines *lines, const char *line, size_t size,
                         struct ls_error *err)
{
    if (size > 0 && line[size - 1] == '\r') {
        size--;
    }
    return lines->give(lines->state, line, size, err);
}

/* The line that was kept, now that it is whole. */
static enum ls_code give_kept(struct lines *lines, struct ls_error *err)
{
    const size_t size = lines->size;
    const bool dropped = lines->dropping;

    lines->size = 0;
    lines->dropping = false;
    lines->begun = false;
    return dropped ? LS_OK : give(lines, size > 0 ? lines->kept : "", size, err);
}

/* Whole lines that cannot be logins, at the start of a line; where the first begins that may be one,
 * or that has no end here. */
static const char *pass_lines(const struct lines *lines, const char *bytes, const char *end)
{
    struct sink *sink = lines->sink;
    const char *at = memmem(bytes, (size_t)(end - bytes), sink->must, sink->must_size);
    const char *to = at == NULL ? end : at;

    for (;;) {
        const char *stop = to == bytes ? NULL : memchr(bytes, '\n', (size_t)(to - bytes));

        if (stop == NULL) {
            return bytes;
        }
        sink->line++;
        if (stop > bytes) {
            sink->skip(sink, sink->must_reason, bytes, (size_t)(stop - bytes));
        }
        bytes = stop + 1;
    }
}

/* What is left of a line that began in the piece before. */
static enum ls_code finish_line(struct lines *lines, const char **bytes, const char *end,
                                struct ls_error *err)
{
    const char *stop = memchr(*bytes, '\n', (size_t)(end - *bytes));
    enum ls_code code = keep(lines, *bytes, (size_t)((stop == NULL ? end : stop) - *bytes), err);

    *bytes = stop == NULL ? end : stop + 1;
    return code == LS_OK && stop != NULL ? give_kept(lines, err) : code;
}

enum ls_code lines_feed(struct lines *lines, const char *bytes, size_t size, struct ls_error *err)
{
    const char *end = bytes + size;
    enum ls_code code = LS_OK;

    while (bytes < end && code == LS_OK) {
        const char *stop;

        if (!lines->begun && lines->sink->must_size > 0) {
            bytes = pass_lines(lines, bytes, end);
            if (bytes == end) {
                break;
            }
        }
        if (!lines->begun) {
            lines->sink->line++;
        }
        if (*bytes == '\0' && lines->size == 0 && !lines->dropping) {
            pass_nuls(lines, &bytes, end);
            continue;
        }
        stop = lines->begun ? NULL : memchr(bytes, '\n', (size_t)(end - bytes));
        if (stop == NULL || (size_t)(stop - bytes) > LINES_LONGEST) {
            lines->begun = true;
            code = finish_line(lines, &bytes, end, err);
        } else {
            code = give(lines, bytes, (size_t)(stop - bytes), err);
            bytes = stop + 1;
        }
    }
    return code;
}

enum ls_code lines_end(struct lines *lines, struct ls_error *err)
{
    return lines->begun ? give_kept(lines, err) : LS_OK;
}
