/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CURVE_SLOTS_H
#define LOGINSTORM_CURVE_SLOTS_H

/*
 * Amounts of many series, added up by their interval as they come: the series stand one behind the
 * other in a log, each over the whole time, so that there are as many slots as samples in one.
 */

#include <stddef.h>
#include <stdint.h>

#include "loginstorm/error.h"

struct slot {
    int64_t from_ns, to_ns;
    double amount;
};

struct slots {
    struct slot *rows;
    size_t count, room, last; /* that was added to */
    size_t *places;           /* of rows, by hash; 0: free, else the row and one */
    size_t places_room;
};

/* Zeroed is empty. */
void slots_free(struct slots *slots);

LS_MUST_CHECK
enum ls_code slots_add(struct slots *slots, int64_t from_ns, int64_t to_ns, double amount,
                       struct ls_error *err);

/* By their beginning, then their end; nothing is added after that. */
void slots_sort(struct slots *slots);

#endif
