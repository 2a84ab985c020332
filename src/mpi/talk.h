/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_MPI_TALK_H
#define LOGINSTORM_MPI_TALK_H

/*
 * MPI as far as this room needs it. Nothing blocks: Open MPI's own waits burn a core that the storm may want, and do not end
 * where a machine has died. So every wait looks, sleeps, and has an end.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <mpi.h>

#include "loginstorm/error.h"

struct talk {
    int rank, ranks;
};

/* What a message is about. */
enum talk_about { TALK_JOB = 1, TALK_READY, TALK_WORD, TALK_PONG, TALK_REPORT, TALK_PIECE };

/* One message under way; its memory must stay until it is done or dropped. */
struct talk_message {
    MPI_Request request;
    bool is_open, failed;
};

enum talk_state { TALK_UNDER_WAY, TALK_DONE, TALK_FAILED };

/* How a wait passes: with sleeps, or at once, for a clock that is being read. */
enum talk_haste { TALK_CALM, TALK_HURRY };

/* LS_ESYSTEM where there is no MPI to talk by. */
LS_MUST_CHECK
enum ls_code talk_open(struct talk *talk, int *argc, char ***argv, struct ls_error *err);

/* Where all ranks are there, and do the same. With one that died it would wait for ever: then a process just ends. */
void talk_close(void);

void talk_send(struct talk_message *message, int to, enum talk_about about, const void *data,
               size_t size);
void talk_receive(struct talk_message *message, int from, enum talk_about about, void *data,
                  size_t size);

enum talk_state talk_look(struct talk_message *message);
/* Gives up on it. Safe after its end. */
void talk_drop(struct talk_message *message);

/* Until it is done (true), or has failed or the moment (monotonic) has come: then it is dropped. */
bool talk_wait(struct talk_message *message, int64_t until_ns, enum talk_haste haste);
bool talk_sent(int to, enum talk_about about, const void *data, size_t size, int64_t until_ns,
               enum talk_haste haste);
bool talk_received(int from, enum talk_about about, void *data, size_t size, int64_t until_ns,
                   enum talk_haste haste);

/* The same bytes from the first rank to all others. */
bool talk_broadcast(void *data, size_t size, int64_t until_ns);

/* Between two looks. */
void talk_nap(void);

#endif
