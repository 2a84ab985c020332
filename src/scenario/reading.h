/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_SCENARIO_READING_H
#define LOGINSTORM_SCENARIO_READING_H

/*
 * One reading of a scenario: its memory, and what was found wrong so far. Fields are read in the
 * order of the table, complaints are kept in the order of the file.
 */

#include <stdbool.h>
#include <stddef.h>

#include "loginstorm/error.h"
#include "loginstorm/scenario.h"
#include "scenario/arena.h"

/* Where a key or value stood. origin is NULL for the file, or "--set users=x" (then line is 0). */
struct ls_place {
    const char *origin;
    int line, column;
};

#define LS_PATH_MAX 200

struct ls_reading {
    const char *file;
    struct ls_arena *memory;  /* the scenario's */
    struct ls_arena *scratch; /* the tree's */
    struct ls_scenario *scenario;
    struct ls_errors errors; /* sorted by place */
    bool no_memory;
    bool window_known;
    char path[LS_PATH_MAX]; /* of the value that is being read: "populations.0.tls" */
    size_t path_length;
};

/* Adds a complaint; the text begins with the path of the value where there is one. */
void ls_complain(struct ls_reading *reading, struct ls_place place, const char *fmt, ...)
    LS_PRINTF(3, 4);

/* Steps into a key, and back out to what the step returned. */
size_t ls_path_enter(struct ls_reading *reading, const char *key);
size_t ls_path_enter_item(struct ls_reading *reading, size_t index);
void ls_path_leave(struct ls_reading *reading, size_t length);

/* From the scenario's memory; NULL is noted in the reading. */
void *ls_reading_alloc(struct ls_reading *reading, size_t count, size_t size);
char *ls_reading_text(struct ls_reading *reading, const char *text);

/* What a user wrote, fit for a message: short, on one line, no control characters. Returns out. */
#define LS_SHOWN_MAX 72
const char *ls_show(const char *text, char out[LS_SHOWN_MAX]);

#endif
