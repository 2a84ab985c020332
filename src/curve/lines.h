/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CURVE_LINES_H
#define LOGINSTORM_CURVE_LINES_H

/*
 * Bytes in pieces -> lines, counted in sink->line. A line that lies whole in a piece is given where
 * it lies; one that is longer than LINES_LONGEST is skipped. NULs at the start of a line, which a
 * log has where it was cut while somebody wrote, are left out.
 */

#include <stdbool.h>
#include <stddef.h>

#include "curve/format.h"

#define LINES_LONGEST ((size_t)1024 * 1024)

typedef enum ls_code lines_give(void *state, const char *line, size_t size, struct ls_error *err);

struct lines {
    struct sink *sink;
    lines_give *give;
    void *state;
    char *kept; /* the beginning of a line whose end has not come yet */
    size_t size, room;
    bool dropping; /* what comes is the rest of a line that was too long */
    bool begun;    /* something of a line has come, if only NULs */
};

void lines_init(struct lines *lines, struct sink *sink, lines_give *give, void *state);
void lines_free(struct lines *lines);

LS_MUST_CHECK
enum ls_code lines_feed(struct lines *lines, const char *bytes, size_t size, struct ls_error *err);

/* A last line without an end. */
LS_MUST_CHECK
enum ls_code lines_end(struct lines *lines, struct ls_error *err);

#endif
