/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_METER_TREE_H
#define LOGINSTORM_METER_TREE_H

/*
 * Local processes and all of their descendants, found again at each reading: workers that come are
 * counted, those that go keep what they had.
 *
 * A live process is read off its CPU clock, in ns. One that ended and was waited for is in its
 * parent's account of children (in ticks of 10 ms), with what it spent behind our last reading and
 * with children so short-lived that no reading met them; whichever of both says more counts.
 */

#include <sys/types.h>

#include "loginstorm/error.h"
#include "meter/spent.h"

struct tree;

/* Of pid, or of all processes of that name (pid 0), but for ourselves and what we started. LS_EINPUT:
 * there is none. */
LS_MUST_CHECK
enum ls_code tree_new(struct tree **out, pid_t pid, const char *name, struct ls_error *err);
void tree_free(struct tree *tree);

LS_MUST_CHECK
enum ls_code tree_read(struct tree *tree, struct spent *out, struct ls_error *err);

/* Alive at the last reading. */
size_t tree_count(const struct tree *tree);

#endif
