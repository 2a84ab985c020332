/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CLI_STOP_H
#define LOGINSTORM_CLI_STOP_H

/*
 * Ctrl-C beside a storm, which listens itself. While there is nothing to keep, SIGINT or SIGTERM ends the program at once,
 * with a word and its exit status. For commands that compute the first one is a wish then, that what is done so far be
 * kept; the second one ends the program, as it would if nobody listened.
 */

#include "loginstorm/error.h"

/* From now on, until stop_listen: ends the program at once. It says what became of the work in these words ("nothing was
 * measured"), which are copied. */
void stop_at_once(const char *words);

/* A folder that goes, too, then: where it is empty. At most one at a time; NULL: none. Copied. */
void stop_removes(const char *folder);

/* A wish from now on, as a storm does: also where a shell started the program in the background, deaf to SIGINT. */
void stop_listen(void);

/* LS_EINTERRUPTED after SIGINT, LS_ETERMINATED after SIGTERM, LS_OK before any. */
enum ls_code stop_wished(void);

/* "SIGINT", "SIGTERM" of such a code. */
const char *stop_name(enum ls_code code);

#endif
