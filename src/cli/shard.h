/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CLI_SHARD_H
#define LOGINSTORM_CLI_SHARD_H

/* Which part of a storm this machine plays, and when it starts: from the command line, or from what a launcher tells its
 * processes. */

#include <stdbool.h>
#include <stdint.h>

#include "loginstorm/error.h"
#include "loginstorm/result.h"

#define SHARDS_MOST 4096

/*
 * Shard index (from 1) and count of text, "I/N" or "auto". For auto get tells variables of the environment (as getenv
 * does; an empty one is not set), in the order of the table in shard.c, which says why. LS_EUSAGE with what is wrong, and
 * whose it is.
 */
LS_MUST_CHECK
enum ls_code shard_parse(struct ls_shard *shard, const char *text, const char *(*get)(const char *),
                         struct ls_error *err);

/* The moment of text, RFC 3339 with a zone or @SECONDS since 1970, which must lie ahead of now_ns (since 1970, UTC).
 * LS_EUSAGE. */
LS_MUST_CHECK
enum ls_code shard_start(int64_t *start_at_ns, const char *text, int64_t now_ns,
                         struct ls_error *err);

/* That a moment, which text says, lies ahead of now_ns. LS_EUSAGE. */
LS_MUST_CHECK
enum ls_code shard_check_ahead(int64_t start_at_ns, const char *text, int64_t now_ns,
                               struct ls_error *err);

/* What a line says of a start: the moment, as above but for its lying ahead, and behind it, where somebody has measured
 * that, in seconds, how far the clock here is ahead of the one that the moment is of, and how far that may be off:
 * "@1796022000.25 +3.000012 0.000040". LS_EUSAGE. */
struct shard_told {
    int64_t start_at_ns;
    bool is_measured;
    int64_t ahead_ns, error_ns;
};
LS_MUST_CHECK
enum ls_code shard_read_told(struct shard_told *told, const char *line, struct ls_error *err);

/* Beside them what a shard's result says of its machine: name, version, how well its clock is kept. */
void shard_of_host(struct ls_shard *shard);

/* "shard-1-of-4". size >= 32 */
void shard_name(const struct ls_shard *shard, char *out, size_t size);

#endif
