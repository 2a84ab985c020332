/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TLS_PEM_H
#define TLS_PEM_H

/* PEM as people's files have it: blocks between lines of dashes, any text around them. */

#include <stdbool.h>
#include <stddef.h>

#include "loginstorm/error.h"

struct pem_block {
    const char *begin; /* at its first dash */
    size_t size;       /* to behind its last one */
    const char *label; /* "CERTIFICATE" */
    size_t label_size;
    const char *body; /* between both lines */
    size_t body_size;
    bool whole; /* its end is there */
};

/* The next block from *at on, which goes behind it. */
bool pem_next(const char *text, size_t *at, struct pem_block *block);
bool pem_is(const struct pem_block *block, const char *label);
bool pem_says(const struct pem_block *block, const char *word);

/* What a block's body stands for, on the heap, to be freed by the caller; LS_EINPUT without a text where it is not
 * base64. */
LS_MUST_CHECK
enum ls_code pem_decode(const struct pem_block *block, unsigned char **der, size_t *size,
                        struct ls_error *err);

#endif
