/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_MEMORY_H
#define LOGINSTORM_MEMORY_H

/* How much memory there is to be had, asked before something large is begun: who takes more is killed, and what he knew by then is lost. */

#include <stdint.h>

#include "loginstorm/error.h"

/* Bytes that this process can still take: the least of what the system can give without swapping, what the limits of its
 * cgroups leave (version 1 and 2, with what their caches would give back), and its own limits. Negative: not known. */
int64_t ls_memory_free(void);

/* The same without its own limits, where /proc and /sys lie in that folder; "" is this system. */
int64_t ls_memory_free_in(const char *root);

/* From now on this process gets so many bytes more and then no memory, which its callers are told, instead of being killed. It
 * counts what is asked for, touched or not. Where that cannot be, nothing is changed. */
void ls_memory_bound(int64_t bytes);

#endif
