/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_MPI_BUNDLE_H
#define LOGINSTORM_MPI_BUNDLE_H

/*
 * A scenario with the files that lie beside it, as one piece of memory that is sent, and as a folder on each machine.
 *
 *     scenario -> [bundle] -> bytes -> [bundle] -> /var/tmp/loginstorm-UID/DIGEST/scenario.yaml
 *
 * A file that the scenario names absolutely is each machine's own and stays out of it. So do private keys, always: nobody
 * encrypts what MPI sends.
 */

#include <stddef.h>

#include "loginstorm/error.h"
#include "loginstorm/scenario.h"

#define BUNDLE_SCENARIO "scenario.yaml"
#define BUNDLE_MAX ((size_t)256 << 20)

struct bundle {
    char *bytes; /* per file: name, NUL, size in decimal, NUL, contents */
    size_t size;
};

/* With all defaults and changes filled in, and the seed, should it have been drawn. LS_EINPUT with the field where a file
 * cannot be sent, and what to do; LS_ENOINPUT, LS_ENOMEM. */
LS_MUST_CHECK
enum ls_code bundle_make(struct bundle *bundle, const struct ls_scenario *scenario,
                         struct ls_error *err);
void bundle_clear(struct bundle *bundle);

/* Writes all of it into a folder of this user's below base, which is named after its contents, so that the scenario has the
 * same paths on every machine; where that is goes into path. LS_EINPUT where the bytes are no bundle, or a name leads out of the
 * folder. */
LS_MUST_CHECK
enum ls_code bundle_unpack(const struct bundle *bundle, const char *base, char *path, size_t size,
                           struct ls_error *err);

#endif
