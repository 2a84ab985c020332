/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_ARRIVALS_SORT_H
#define LOGINSTORM_ARRIVALS_SORT_H

/* Drawn users into the order in which they come. */

#include <stddef.h>

#include "loginstorm/schedule.h"

/* By at_ns, then by due_ns, which holds the number of the draw yet: a total order, so that the result does not depend on how
 * it is sorted. Takes as much memory again for a moment, and does without where there is none. */
void rows_sort(struct ls_arrival *rows, size_t count);

#endif
