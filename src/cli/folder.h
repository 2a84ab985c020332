/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CLI_FOLDER_H
#define LOGINSTORM_CLI_FOLDER_H

/* A run's folder: scenario.yaml (and the recorded curves that it names), result.json, report.html, samples.csv, handshakes.csv,
 * timeline.csv; each replaced whole or not at all. */

#include <stdbool.h>

#include "cli/claim.h"
#include "cli/options.h"
#include "loginstorm/error.h"
#include "loginstorm/result.h"
#include "loginstorm/scenario.h"

struct folder {
    char path[2048];  /* where files go */
    char whole[2048]; /* whose older result stays until the new one is whole; "": there is none */
    bool made;        /* path was not there before */
};

/* "Monday morning, 6,000 users" -> "monday-morning", what file names of it begin with; "storm" of what has no
 * letter and no digit of ASCII. */
void folder_slug(const char *name, char *out, size_t size);

/*
 * Makes it: out, or results/NAME-TIME (with a number behind it when that exists), and keeps every
 * other run out of it until this process ends. Where a whole result lies in out already, what is new goes to
 * out-partial beside it, until folder_finish. A signal that ends the program takes the folder with it while it is empty and
 * was not there before. LS_ECREATE where nothing can be written, another
 * run is at work, or something else lies there (claim.h). shard: of a storm's,
 * whose number is then in the default's name; NULL or of count 0: it is the whole storm.
 */
LS_MUST_CHECK
enum ls_code folder_create(struct folder *folder, const char *out, enum claim kind,
                           const struct ls_shard *shard, const struct ls_scenario *scenario,
                           struct ls_error *err);

/* Whether the result (or plan) in that file of a folder is there, and not marked as partial. */
bool folder_is_whole(const char *folder, const char *file);

/* The name of the folder beside it for what is partial: LS_ECREATE when it is too long. */
LS_MUST_CHECK
enum ls_code folder_beside(const char *folder, char *out, size_t size, struct ls_error *err);

/* LS_ECREATE when what is whole lies where a partial result would come. */
LS_MUST_CHECK
enum ls_code folder_spare_whole(const char *folder, const char *file, struct ls_error *err);

/* Adds a run's rows to the tables; the first one replaces what an older run left there, and brings
 * the scenario as it was run. */
LS_MUST_CHECK
enum ls_code folder_add_run(const struct folder *folder, const struct ls_scenario *scenario,
                            const struct ls_measurement *measurement, const struct ls_run *run,
                            bool first, struct ls_error *err);

/* result.json, and report.html made of it. */
LS_MUST_CHECK
enum ls_code folder_save_result(const struct folder *folder, const struct ls_result *result,
                                struct ls_error *err);

/* Everything is there: it takes the place of the older result, should there be one, and path is where it is now. LS_EWRITE says
 * where the new one lies when it cannot. */
LS_MUST_CHECK
enum ls_code folder_finish(struct folder *folder, struct ls_error *err);

/* Takes back what folder_add_run and folder_save_result wrote of a result that does not become whole; all else stays. */
void folder_take_back(const struct folder *folder);

/* At the end, whatever came: a folder that was made for nothing goes. */
void folder_leave(struct folder *folder);

/* Where it is: the last line, beside whatever else goes to standard output. */
void folder_tell(const struct folder *folder, const struct options *options);

#endif
