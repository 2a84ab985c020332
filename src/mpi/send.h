/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_MPI_SEND_H
#define LOGINSTORM_MPI_SEND_H

/* The end of a rank but the first: what its shard's folder holds goes to the first. */

#include <stdbool.h>

#include "mpi/gather.h"

struct launch;

/* What there is to be sent of a folder: the tables, the scenario with its curves, and the result, last. None where there is no
 * result. */
void send_list(const char *folder, struct gather_report *report);

/* Sends it, and waits until the first rank has heard of all. True: it has. */
bool send_folder(struct launch *launch);

#endif
