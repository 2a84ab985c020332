/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CURVE_FAST_H
#define LOGINSTORM_CURVE_FAST_H

#include <stdbool.h>

#include "curve/clock.h"

/*
 * The date and time of day of the two forms that fill whole disks, whose every character has its
 * place: 10/Nov/2026:08:25:43 and 2026-11-30T08:27:47 (a blank for the T too). False, and nothing
 * taken, where the text is not exactly so: the common way through all forms then finds what it is,
 * or what is wrong. Worth half of a stamp's time.
 */
bool stamp_begin_fast(struct text *t, struct stamp *out);

#endif
