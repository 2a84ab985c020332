/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_MPI_GATHER_H
#define LOGINSTORM_MPI_GATHER_H

/*
 * What each shard's folder holds comes to the first rank, in pieces, from all at once:
 *
 *     SILENT -> (its report) -> COMING -> (all bytes) -> THERE
 *        |                        |
 *        +--- nobody was heard ---+--> LOST
 *
 * Who has nothing to send (its folder can be read here, or there is none) goes from SILENT to THERE or to LOST. It knows
 * nothing of how bytes travel. Times are of the monotonic clock.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "loginstorm/error.h"

#define GATHER_FILES 80 /* the tables, the scenario, its curves */
#define GATHER_NAME 32
#define GATHER_PIECE ((size_t)128 << 10)
/* The last file of each: with it a folder is whole. */
#define GATHER_LAST "result.json"

enum gather_state { GATHER_SILENT, GATHER_COMING, GATHER_THERE, GATHER_LOST };

struct gather_file {
    char name[GATHER_NAME];
    int64_t size_bytes;
};

/* A shard's end. */
struct gather_report {
    int32_t status; /* of `loginstorm run` */
    int32_t shares; /* its folder is one that the first rank reads */
    int32_t count;  /* of files; 0: there is no result */
    int32_t unused;
    struct gather_file files[GATHER_FILES]; /* in the order in which they come */
};

struct gather_shard {
    enum gather_state state;
    struct gather_report report;
    int file;           /* that comes now */
    int64_t come_bytes; /* of it */
};

struct gather {
    struct gather_shard *shards;
    int count;
    int64_t patience_ns; /* so long without a word from anybody, and the silent are lost */
    int64_t heard_ns;
};

LS_MUST_CHECK
enum ls_code gather_new(struct gather *gather, int count, int64_t patience_ns, int64_t now_ns,
                        struct ls_error *err);
void gather_clear(struct gather *gather);

/* A shard's report. LS_EBROKEN for a second one, and for sizes that no folder has; the shard is LOST then. */
LS_MUST_CHECK
enum ls_code gather_take_report(struct gather *gather, int shard,
                                const struct gather_report *report, int64_t now_ns,
                                struct ls_error *err);

/* How many bytes a COMING shard's next piece has; 0 where a file is empty. */
size_t gather_piece(const struct gather *gather, int shard);

/* That piece has come. True: with it the file is whole, and the next one comes (none: the shard is THERE). */
bool gather_take_piece(struct gather *gather, int shard, int64_t now_ns);

/* A shard that cannot be had, for another reason than silence. */
void gather_lose(struct gather *gather, int shard);

/* Nobody is awaited any more: all are THERE or LOST, the silent among them by now_ns. */
bool gather_is_over(struct gather *gather, int64_t now_ns);

#endif
