/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CLI_STOP_H
#define LOGINSTORM_CLI_STOP_H

/*
 * Ctrl-C for commands that compute: the first SIGINT or SIGTERM is a wish, that what is done so far be kept; the
 * second one ends the program, as it would if nobody listened.
 */

#include "loginstorm/error.h"

/* Listens from now on, as a storm does: also where a shell started the program in the background, deaf to SIGINT. */
void stop_listen(void);

/* LS_EINTERRUPTED after SIGINT, LS_ETERMINATED after SIGTERM, LS_OK before any. */
enum ls_code stop_wished(void);

/* "SIGINT", "SIGTERM" of such a code. */
const char *stop_name(enum ls_code code);

#endif
