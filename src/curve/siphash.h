/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CURVE_SIPHASH_H
#define LOGINSTORM_CURVE_SIPHASH_H

#include <stddef.h>
#include <stdint.h>

/* SipHash-2-4 (Aumasson and Bernstein, 2012): who does not know the key can neither find a name for
 * a hash nor two names of one. */
uint64_t siphash(const uint64_t key[2], const void *bytes, size_t size);

#endif
