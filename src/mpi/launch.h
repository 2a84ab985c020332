/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_MPI_LAUNCH_H
#define LOGINSTORM_MPI_LAUNCH_H

/*
 * One storm from all ranks, seen from one of them:
 *
 *     the first rank                                  every rank
 *     reads the scenario, sends it  -- job ------->   unpacks it, starts `loginstorm run --shard I/N --start-at -`
 *     is there everybody?           <------ ready --  waits until that is ready
 *     compares clocks               <-> words, pongs
 *     sets the start                -- word ------>   tells it
 *                                                     waits for its end, without a call of MPI
 *     takes it                      <--- report, pieces -- what its folder holds
 *     says that it is over          -- word ------>   ends
 *     merges what came
 */

#include "loginstorm/error.h"
#include "mpi/bundle.h"
#include "mpi/gather.h"
#include "mpi/options.h"
#include "mpi/play.h"
#include "mpi/talk.h"

#define LAUNCH_HOST 65
#define LAUNCH_PATH 2048
#define LAUNCH_VERSION 32

/* What the first rank tells all others, first of all. */
struct launch_job {
    char version[LAUNCH_VERSION];
    char token
        [17]; /* in a file beside the shards' folders: who finds it there needs not send them */
    int32_t is_refused; /* there is no storm */
    int32_t patience_s, run_count;
    int64_t bundle_size;
    char out[LAUNCH_PATH];
    char program[LAUNCH_PATH]; /* "": the one beside loginstorm-mpi */
    char run[HANDED_MAX][1024];
};

/* What each says when its shard is ready, or cannot be. */
struct launch_ready {
    char version[LAUNCH_VERSION], host[LAUNCH_HOST];
    char why[400]; /* it is not; "": it is */
    int32_t status;
    int32_t shares; /* the first rank reads its folder */
    int64_t needs_ns;
};

enum launch_what {
    WORD_PING = 1,
    WORD_START,
    WORD_CANCEL,
    WORD_CANCEL_LOST,
    WORD_OVER,
    WORD_OVER_LOST
};
struct launch_word {
    int64_t what;
    int64_t start_ns, ahead_ns, error_ns; /* of WORD_START */
};

struct launch {
    struct talk talk;
    const struct mpi_options *options; /* of the first rank */
    struct launch_job job;
    struct bundle bundle;
    struct launch_ready ready; /* of this rank */
    char folder[LAUNCH_PATH];  /* of its shard */
    char program[LAUNCH_PATH + 16];
    struct play play;
    /* of the first rank, one a rank */
    struct launch_ready *all;
    struct gather gather;
    bool lost;   /* a rank says nothing any more, or does not listen */
    bool closed; /* MPI is over */
};

/* Tells a person; with the shard's name where index is not negative. */
void launch_say(const struct launch *launch, int index, const char *fmt, ...) LS_PRINTF(3, 4);
/* The folder of a shard. */
void launch_folder(const struct launch *launch, int index, char *out, size_t size);
/* That nothing lies in a shard's folder: what an earlier storm left there would pass for its result. LS_ECREATE. */
LS_MUST_CHECK
enum ls_code launch_check_folder(const struct launch *launch, int index, struct ls_error *err);
int64_t launch_deadline_ns(const struct launch *launch);

/* The storm's exit status, or that of what was wrong. Fills launch->folder and all that the other parts work on. */
int launch_storm(struct launch *launch);

/* Leaves MPI; where a rank is lost that would take for ever, and the process ends here. */
void launch_end(const struct launch *launch, int status);

/* first.c and last.c: what the first rank does. */
LS_MUST_CHECK
enum ls_code first_read(struct launch *launch, struct ls_error *err);
/* Whether all are ready; else those who are not are named, and *status is the exit status. */
bool first_are_all_ready(struct launch *launch, int *status);
/* False: a shard cannot be told, so that nobody was. */
bool first_start(struct launch *launch);
void first_cancel(struct launch *launch);
void first_gather(struct launch *launch);
int first_merge(struct launch *launch);

#endif
