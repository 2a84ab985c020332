/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_SCENARIO_WRITING_H
#define LOGINSTORM_SCENARIO_WRITING_H

/* Writing a scenario as YAML: the state, and the kinds that have a form of their own. */

#include <stdio.h>

#include "scenario/field.h"

struct ls_writing {
    FILE *stream; /* its own error flag says at the end whether all went well */
    bool notes;
    const struct ls_scenario *scenario;
    int column;
};

void ls_put(struct ls_writing *w, const char *text);

/* A text of the user's, in quotes where YAML could read it as something else. */
void ls_put_text(struct ls_writing *w, const char *text);

/* An offset into the window, as a time of day. */
void ls_write_moment(struct ls_writing *w, int64_t at_ns);

bool ls_special_has_value(const struct ls_field *field, const void *record);
void ls_write_special(struct ls_writing *w, const struct ls_field *field, const void *record);

#endif
