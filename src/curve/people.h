/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CURVE_PEOPLE_H
#define LOGINSTORM_CURVE_PEOPLE_H

/*
 * Names and addresses -> numbers 1, 2, 3 in the order in which they are first met. A name is hashed
 * with a key that is drawn for the run and forgotten with it, and not kept: 18 to 36 bytes a person.
 * Two names of one hash would be one person; among a million the odds are 1 to 37 million.
 */

#include <stddef.h>
#include <stdint.h>

#include "loginstorm/error.h"

struct people {
    uint64_t key[2];
    uint64_t *hashes; /* 0: free */
    uint32_t *numbers;
    size_t room, count; /* room: a power of two */
};

LS_MUST_CHECK
enum ls_code people_init(struct people *people, struct ls_error *err);
void people_free(struct people *people);

/* Never 0. */
uint64_t people_hash(const struct people *people, const char *who, size_t size);

LS_MUST_CHECK
enum ls_code people_number(struct people *people, uint64_t hash, uint64_t *number,
                           struct ls_error *err);

#endif
