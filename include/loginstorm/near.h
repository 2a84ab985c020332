/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_NEAR_H
#define LOGINSTORM_NEAR_H

/* What somebody most likely meant: for unknown keys, words, options and commands. */

#include <stddef.h>

/* The word with the fewest single-letter edits (swaps of neighbours count as one) to text, or NULL
 * when none is near enough to be a slip. NULL words are passed over; the first of equals wins. */
const char *ls_nearest(const char *text, const char *const *words, size_t count);

/* The same where edits_max letters may be wrong at the most. */
const char *ls_nearest_within(const char *text, const char *const *words, size_t count,
                              size_t edits_max);

#endif
