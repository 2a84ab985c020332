/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_MPI_PLAY_H
#define LOGINSTORM_MPI_PLAY_H

/*
 * `loginstorm` as a process of this rank: what plays the shard, and what merges. It is in a session of its own, so that an
 * mpirun that ends its ranks does not kill it before it has written what it has; where its rank dies it is asked to end, too.
 *
 *     STARTED -> (it said "ready; ...") -> READY -> play_tell -> OVER
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "loginstorm/error.h"

struct play {
    pid_t pid;
    int in_fd, err_fd;
    bool ready, over;
    int64_t needs_ns; /* so long ahead its start must be said */
    int status;       /* of its exit, 128 + the signal where one ended it */
    char line[2048];  /* as much as came of what it says on standard error */
    size_t used;
    char said[400]; /* the last error of that */
    /* Who gets each of these lines. */
    void (*tell)(const char *line, void *data);
    void *data;
};

/* SIGINT, SIGTERM and SIGHUP to this rank go to the process that it has. */
void play_catch_signals(void);

/* Starts it. quiet: what it says on standard output goes nowhere. asks: standard input is for play_tell; else it is
 * empty. LS_ESYSTEM; where the program cannot be run it is OVER with 127. */
LS_MUST_CHECK
enum ls_code play_start(struct play *play, const char *const argv[], bool quiet, bool asks,
                        struct ls_error *err);

/* What there is of it, or comes within wait_ms. */
void play_look(struct play *play, int wait_ms);
void play_await_end(struct play *play);

/* One line to its standard input, and no more after it. */
void play_tell(struct play *play, const char *line);

/* Asks it to end, and waits for that. */
void play_stop(struct play *play);

#endif
