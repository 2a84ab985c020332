/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mpi/talk.h"

#include <sched.h>
#include <time.h>

#include "loginstorm/units.h"

#define NAP_NS (2 * LS_NS_PER_MS)
#define BROADCAST_PIECE ((size_t)64 << 20) /* MPI counts by int */

enum ls_code talk_open(struct talk *talk, int *argc, char ***argv, struct ls_error *err)
{
    if (MPI_Init(argc, argv) != MPI_SUCCESS ||
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN) != MPI_SUCCESS ||
        MPI_Comm_rank(MPI_COMM_WORLD, &talk->rank) != MPI_SUCCESS ||
        MPI_Comm_size(MPI_COMM_WORLD, &talk->ranks) != MPI_SUCCESS) {
        return ls_error_set(err, LS_ESYSTEM, "MPI cannot be started");
    }
    return LS_OK;
}

void talk_close(void)
{
    (void)MPI_Finalize();
}

static void begun(struct talk_message *message, int result)
{
    message->is_open = result == MPI_SUCCESS;
    message->failed = result != MPI_SUCCESS;
}

void talk_send(struct talk_message *message, int to, enum talk_about about, const void *data,
               size_t size)
{
    begun(message,
          MPI_Isend(data, (int)size, MPI_BYTE, to, (int)about, MPI_COMM_WORLD, &message->request));
}

void talk_receive(struct talk_message *message, int from, enum talk_about about, void *data,
                  size_t size)
{
    begun(message, MPI_Irecv(data, (int)size, MPI_BYTE, from, (int)about, MPI_COMM_WORLD,
                             &message->request));
}

enum talk_state talk_look(struct talk_message *message)
{
    int done = 0;

    if (!message->is_open) {
        return message->failed ? TALK_FAILED : TALK_DONE;
    }
    if (MPI_Test(&message->request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS) {
        message->is_open = false;
        message->failed = true;
        return TALK_FAILED;
    }
    message->is_open = done == 0;
    return done != 0 ? TALK_DONE : TALK_UNDER_WAY;
}

void talk_drop(struct talk_message *message)
{
    if (message->is_open) {
        (void)MPI_Cancel(&message->request);
        (void)MPI_Request_free(&message->request);
        message->is_open = false;
        message->failed = true;
    }
}

void talk_nap(void)
{
    (void)nanosleep(&(struct timespec){.tv_nsec = NAP_NS}, NULL);
}

bool talk_wait(struct talk_message *message, int64_t until_ns, enum talk_haste haste)
{
    enum talk_state state = talk_look(message);

    while (state == TALK_UNDER_WAY && ls_now_ns() < until_ns) {
        if (haste == TALK_HURRY) {
            (void)sched_yield();
        } else {
            talk_nap();
        }
        state = talk_look(message);
    }
    talk_drop(message);
    return state == TALK_DONE;
}

bool talk_sent(int to, enum talk_about about, const void *data, size_t size, int64_t until_ns,
               enum talk_haste haste)
{
    struct talk_message message;

    talk_send(&message, to, about, data, size);
    return talk_wait(&message, until_ns, haste);
}

bool talk_received(int from, enum talk_about about, void *data, size_t size, int64_t until_ns,
                   enum talk_haste haste)
{
    struct talk_message message;

    talk_receive(&message, from, about, data, size);
    return talk_wait(&message, until_ns, haste);
}

bool talk_broadcast(void *data, size_t size, int64_t until_ns)
{
    char *at = data;

    while (size > 0) {
        const size_t piece = size < BROADCAST_PIECE ? size : BROADCAST_PIECE;
        struct talk_message message;

        begun(&message, MPI_Ibcast(at, (int)piece, MPI_BYTE, 0, MPI_COMM_WORLD, &message.request));
        while (talk_look(&message) == TALK_UNDER_WAY && ls_now_ns() < until_ns) {
            talk_nap();
        }
        if (talk_look(&message) != TALK_DONE) {
            return false; /* what all do together cannot be taken back */
        }
        at += piece;
        size -= piece;
    }
    return true;
}
