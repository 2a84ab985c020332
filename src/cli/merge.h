/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CLI_MERGE_H
#define LOGINSTORM_CLI_MERGE_H

/* The folders of a storm's shards: what `merge` knows of them, and their tables. */

#include "cli/folder.h"
#include "loginstorm/merge.h"
#include "loginstorm/rows.h"
#include "loginstorm/schedule.h"

/* One operand. */
struct merge_shard {
    struct ls_result *result;
    const char *operand; /* as it was named */
    char folder[2048], samples_path[2080], handshakes_path[2080];
    struct ls_rows *samples, *handshakes;
    int64_t handshakes_most; /* rows that a file of its size can have */
    size_t runs_taken;       /* of its result */
};

/* One `merge`. */
struct merge {
    const struct options *options;
    struct merge_shard *shards; /* as they were named */
    size_t shards_count;
    char unread[300]; /* folders of shards that left no result, as they were named; "": none */
    const struct ls_result **by_index; /* as many as the storm has; NULL: missing */
    size_t count;
    struct ls_scenario *scenario;
    struct ls_schedule *schedule;
    struct ls_result *result;
    struct folder folder;
    int rounds;
    bool saved; /* all of it lies in the folder */
};

/* Opens the tables of every shard, from their beginning. LS_ENOINPUT, LS_EINPUT. */
LS_MUST_CHECK
enum ls_code merge_open(struct merge *merge, struct ls_error *err);
void merge_close(struct merge *merge);

/*
 * The rows of one run of all shards in a record of all users; who is of a missing shard is cut off. *found: how many
 * shards have that run; *record is there when that is not 0. LS_EINPUT for rows that are not those of the storm, or of
 * their result.json.
 */
LS_MUST_CHECK
enum ls_code merge_take(struct merge *merge, size_t certificate, int round,
                        struct ls_record **record, size_t *found, struct ls_error *err);

/* Whether all rows and all runs were taken. LS_EINPUT. */
LS_MUST_CHECK
enum ls_code merge_end(struct merge *merge, struct ls_error *err);

#endif
