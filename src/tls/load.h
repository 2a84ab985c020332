/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TLS_LOAD_H
#define TLS_LOAD_H

/* An identity from the texts of files; what ls_identity_load does when it has read them. */

#include <stddef.h>

#include "loginstorm/error.h"
#include "loginstorm/tls.h"

struct load_texts {
    const char *chain, *private_key;       /* NUL-ended */
    const char *trust;                     /* or NULL */
    const char *password;                  /* or NULL */
    const struct ls_identity_files *files; /* their paths, for messages */
};

LS_MUST_CHECK
enum ls_code load_identity(struct ls_identity **out, const struct load_texts *texts,
                           struct ls_error *err);

/* The private key of a text as PEM without a password, on the heap. In private.c. */
LS_MUST_CHECK
enum ls_code private_parse(char **out, const char *name, const char *text, const char *password,
                           struct ls_error *err);

#endif
