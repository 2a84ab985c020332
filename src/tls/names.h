/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TLS_NAMES_H
#define TLS_NAMES_H

/* The names of a certificate, and which of them a client means. */

#include <stdbool.h>
#include <stddef.h>

#include "loginstorm/error.h"

/* Of the first certificate of a PEM text: those of its SAN (an address as it is printed), or else its common name.
 * NULL-ended, freed by names_free. */
LS_MUST_CHECK
enum ls_code names_of(char ***out, const char *chain, struct ls_error *err);
void names_free(char **names);

/* Whether `asked` is one of them, in any case of letters; or, further, whether one of them fits with a label for its leading
 * star. An address fits only itself. */
bool names_hold(char *const *names, const char *asked);
bool names_fit(char *const *names, const char *asked);

#endif
