/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CURVE_TWINS_H
#define LOGINSTORM_CURVE_TWINS_H

/*
 * A log that is given twice, perhaps once packed and once not, or by another name, would count each
 * of its logins twice. It is known by its first piece as it is unpacked; two logs that begin alike
 * for so long are one.
 */

#include <stddef.h>
#include <stdint.h>

#include "loginstorm/error.h"

struct twin {
    const char *name; /* the caller's */
    uint64_t hash;
    size_t size;
};

struct twins {
    struct twin *rows;
    size_t count; /* those that gave logins; the one being read stands behind them */
};

LS_MUST_CHECK
enum ls_code twins_init(struct twins *twins, size_t logs, struct ls_error *err);
void twins_free(struct twins *twins);

/* The first piece of a log; LS_EINPUT where one that was kept began so. */
LS_MUST_CHECK
enum ls_code twins_look(struct twins *twins, const char *name, const char *bytes, size_t size,
                        struct ls_error *err);

/* What was looked at last has logins. */
void twins_keep(struct twins *twins);

#endif
