/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CLI_TOLD_H
#define LOGINSTORM_CLI_TOLD_H

/* `--start-at -`: a launcher that waits until all of its machines are ready says the start then, by a line on standard
 * input (shard.h), which is not waited for but looked at now and then. */

#include <stdbool.h>
#include <stddef.h>

#include "cli/shard.h"
#include "loginstorm/error.h"
#include "loginstorm/storm.h"

struct told {
    char line[128]; /* as much of it as has come */
    size_t used;
    struct shard_told said;
    struct ls_storm_start start; /* at_ns 0: it has not all come yet */
};

/* Reads what is there from fd. LS_EUSAGE: it ended, or what came is no such line, or a moment that is past. */
LS_MUST_CHECK
enum ls_code told_read(struct told *told, int fd, struct ls_error *err);

#endif
