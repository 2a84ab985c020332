/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CURVE_ACCOUNT_H
#define LOGINSTORM_CURVE_ACCOUNT_H

/* Windows's accounts as one text each, to be hashed: it knows no case in them, and its events mix. */

#include <stddef.h>

#include "curve/slice.h"

/* "A\B"; out has room for both and the mark. The size. */
static inline size_t account_join(char *out, struct slice a, struct slice b)
{
    memcpy(out, a.at, a.size);
    out[a.size] = '\\';
    memcpy(out + a.size + 1, b.at, b.size);
    return a.size + 1 + b.size;
}

/* "domain\name", or "name" where the domain is empty or "-"; 0 where there is no name. */
static inline size_t account_name(char *out, struct slice domain, struct slice name)
{
    size_t size = 0;

    if (name.size == 0 || slice_is(name, "-")) {
        return 0;
    }
    if (domain.size == 0 || slice_is(domain, "-")) {
        memcpy(out, name.at, name.size);
        size = name.size;
    } else {
        size = account_join(out, domain, name);
    }
    for (size_t i = 0; i < size; i++) {
        out[i] = out[i] >= 'A' && out[i] <= 'Z' ? (char)(out[i] | 32) : out[i];
    }
    return size;
}

#endif
