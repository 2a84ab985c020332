/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CURVE_WHEN_H
#define LOGINSTORM_CURVE_WHEN_H

/* A row's field that is a time, or its two that are a date and a time of day. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "curve/slice.h"
#include "curve/stamp.h"

#define WHEN_NONE SIZE_MAX

struct field {
    struct slice name, value;
};

/* A stamp and nothing else; false with *why. */
bool when_read(struct stamp *stamp, struct slice value, enum ls_import_order order,
               const char **why);
bool when_read_apart(struct stamp *stamp, struct slice day, struct slice clock,
                     enum ls_import_order order, const char **why);

bool when_seems(struct slice value);

/* The first date, and the first time of day behind it, else of all. told: one of them that an option
 * names, or WHEN_NONE; false where it is neither, too. */
bool when_find_apart(const struct field *fields, size_t count, size_t told, size_t *day,
                     size_t *clock);

#endif
