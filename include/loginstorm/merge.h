/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_MERGE_H
#define LOGINSTORM_MERGE_H

/*
 * The shards of one storm as one measurement.
 *
 *     result.json of each shard, their rows in one record -> [merge] -> measurement -> result
 *
 * Whatever comes of rows is worked out of all of them by the code that works a single machine's out. What rows do not
 * tell is put together so:
 *
 *     CPU of the injectors, lost sessions      the sum
 *     injector's share of its core, stall,     the worst shard's
 *     gap of the clock
 *     counts of the kernel                     the most of a host's shards, which all count the same; the sum of hosts
 *     the gateway's CPU                        one shard's, since all read the same gateway: of those that know it, the
 *                                              one whose users were done last, for by then it had done all of its work;
 *                                              divided by nothing where a shard is missing; not known where the shards
 *                                              began more than a second apart, and suspect where readings differ by
 *                                              more than a fifth
 *     verdict                                  the worst of all shards' and of the whole's; reasons of the worst shards
 *                                              are kept with their names
 *     start                                    the first one's; the skew is to the last one's, by their own clocks
 */

#include "loginstorm/error.h"
#include "loginstorm/result.h"

/* Whether they are shards of one storm, each once: LS_EINPUT with both values where they differ. paths are for messages. */
LS_MUST_CHECK
enum ls_code ls_merge_check(const struct ls_result *const *results, const char *const *paths,
                            size_t count, struct ls_error *err);

/* Which of the storm's users a shard played. */
struct ls_share ls_merge_share(const struct ls_result *shard);

/* A shard's run of that certificate and round; NULL: it has none. */
const struct ls_run *ls_merge_find(const struct ls_result *shard, const char *certificate,
                                   int repeat);

/* Where a shard stands in a merged result, by what it says of itself; NULL: it is missing. */
void ls_merge_place(struct ls_merged *place, const struct ls_result *shard);

/* "shard 3 of 4 (gw-test-2)". size >= 128 */
void ls_merge_name(const struct ls_result *shard, char *out, size_t size);

/* What is missing of it: "shards 2, 3 of 4 are missing"; "" where nothing is. size >= 160 */
void ls_merge_missing(const struct ls_result *const *shards, size_t count, char *out, size_t size);

/* What a measurement of merged shards points to. */
#define LS_MERGE_NOTES_MAX 2
struct ls_merging {
    const struct ls_result *const *shards; /* by index from 0; NULL: it is missing */
    size_t count;
    struct ls_cpu_sample *samples;
    char partial_why[400];
    char texts[LS_MERGE_NOTES_MAX][512];
    const char *notes[LS_MERGE_NOTES_MAX + 1];
};

/*
 * All that is not in rows, into a measurement that has certificate, repeat, speedup and its record, in which every
 * user is decided. ls_merging_clear when it is not needed any more. LS_ENOMEM.
 */
LS_MUST_CHECK
enum ls_code ls_merge_measure(struct ls_measurement *measurement, struct ls_merging *merging,
                              struct ls_error *err);
void ls_merging_clear(struct ls_merging *merging);

/* Adds what the shards themselves said of that run to what it says of itself. */
void ls_merge_verdict(struct ls_run *run, const struct ls_result *const *shards, size_t count);

#endif
