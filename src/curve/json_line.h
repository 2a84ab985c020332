/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CURVE_JSON_LINE_H
#define LOGINSTORM_CURVE_JSON_LINE_H

/*
 * One JSON object in one line -> its leaves, named by their way in ("user.name"), where they lie.
 * Strings are given without their quotes, escapes and all; null as an empty value; arrays are
 * passed over. Not a validator: what is needed to find the leaves must be well formed.
 */

#include "curve/picker.h"

#define JSON_LINE_DEPTH 8

struct json_leaves {
    struct field fields[PICKER_FIELDS];
    size_t count;
    char names[16 * 1024]; /* of leaves that lie deeper than the top */
    size_t names_size;
};

/* False for what is no object. */
bool json_line_read(struct json_leaves *leaves, struct slice line);

#endif
