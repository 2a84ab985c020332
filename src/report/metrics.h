/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LS_REPORT_METRICS_H
#define LS_REPORT_METRICS_H

/* The metrics that are a figure of the result, by tables: private to this room. Rows of one name stand
 * together. */

#include <stddef.h>

#include "report/sheet.h"

/* How a figure becomes a value: ns and us to seconds, share from millionths; negative is not known. */
enum kind { COUNT, SMALL, NS, US, REAL, SHARE, FLAG, SUMMARY };

struct figure {
    struct metric metric;
    enum kind kind;
    size_t offset;             /* in what the table is of */
    const char *label, *value; /* NULL: none of its own */
};

/* Where the figures of the name at `from` end. */
size_t family_end(const struct figure *figures, size_t count, size_t from);

/* Of the result as a whole, of its runs and of their closed loops. */
void put_all_figures(struct sheet *sheet, const struct ls_result *result);

#endif
