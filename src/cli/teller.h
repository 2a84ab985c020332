/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CLI_TELLER_H
#define LOGINSTORM_CLI_TELLER_H

/*
 * What a command is at, on stderr, once it takes longer than people wait without a word (two seconds): on a
 * terminal one line, redrawn ten times a second at most, elsewhere a line every ten seconds. A thread of its
 * own shows it, so that a step that cannot tell how far it is shows how long it takes. Nothing when
 * --quiet asks for it.
 */

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "cli/options.h"
#include "loginstorm/error.h"

struct teller {
    bool started, redraws, utf8;
    size_t columns;
    int64_t began_ns;
    char *_Atomic said; /* what has not been taken yet, on the heap */
    int wake;           /* an eventfd: the end */
    pthread_t thread;
};

/* begin and end go together; the teller must not be moved between them. */
void teller_begin(struct teller *teller, const struct options *options);

/* What is being done now; may be said as often as it changes, and before its time. */
void teller_say(struct teller *teller, const char *fmt, ...) LS_PRINTF(2, 3);

/* The line is gone, and nothing comes after it. May be called again. */
void teller_end(struct teller *teller);

#endif
