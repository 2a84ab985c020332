/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of all shards in one record. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/merge.h"
#include "loginstorm/file.h"
#include "loginstorm/units.h"

/* A handshake's shortest row has more bytes than that. */
#define HANDSHAKE_LEAST_BYTES 40

static enum ls_code open_table(struct ls_rows **rows, const char *path, enum ls_rows_kind kind,
                               int64_t *size, struct ls_error *err)
{
    FILE *stream;
    struct stat info;
    enum ls_code code = ls_file_open(&stream, path, err);

    *size = 0;
    if (code != LS_OK) {
        return code;
    }
    if (fstat(fileno(stream), &info) == 0) {
        *size = info.st_size;
    }
    return ls_rows_new(rows, stream, path, kind, err);
}

void merge_close(struct merge *merge)
{
    for (size_t i = 0; i < merge->shards_count; i++) {
        ls_rows_close(merge->shards[i].samples);
        ls_rows_close(merge->shards[i].handshakes);
        merge->shards[i].samples = merge->shards[i].handshakes = NULL;
    }
}

enum ls_code merge_open(struct merge *merge, struct ls_error *err)
{
    enum ls_code code = LS_OK;

    merge_close(merge);
    for (size_t i = 0; code == LS_OK && i < merge->shards_count; i++) {
        struct merge_shard *shard = &merge->shards[i];
        int64_t size;

        shard->runs_taken = 0;
        (void)snprintf(shard->samples_path, sizeof shard->samples_path, "%s/samples.csv",
                       shard->folder);
        (void)snprintf(shard->handshakes_path, sizeof shard->handshakes_path, "%s/handshakes.csv",
                       shard->folder);
        code = open_table(&shard->samples, shard->samples_path, LS_ROWS_SAMPLES, &size, err);
        if (code == LS_OK) {
            code = open_table(&shard->handshakes, shard->handshakes_path, LS_ROWS_HANDSHAKES, &size,
                              err);
            shard->handshakes_most = size / HANDSHAKE_LEAST_BYTES;
        }
    }
    return code;
}

/* Room for what the results say that their tables hold. */
static enum ls_code make_record(struct ls_record **record, const struct merge *merge,
                                const char *certificate, int round, size_t *found,
                                struct ls_error *err)
{
    int64_t handshakes = 0;

    *found = 0;
    *record = NULL;
    for (size_t i = 0; i < merge->shards_count; i++) {
        const struct merge_shard *shard = &merge->shards[i];
        const struct ls_run *run = ls_merge_find(shard->result, certificate, round);

        if (run == NULL) {
            continue;
        }
        if (run->handshakes_total > shard->handshakes_most) {
            return ls_error_set_at(err, shard->handshakes_path, 0, 0,
                                   "too short for the %" PRId64
                                   " handshakes that the result.json beside it counts",
                                   run->handshakes_total);
        }
        handshakes += run->handshakes_total;
        (*found)++;
    }
    return *found == 0 ? LS_OK
                       : ls_record_new(record, merge->schedule->count, (size_t)handshakes, err);
}

static enum ls_code check_count(const char *path, const char *certificate, const char *what,
                                size_t rows, int64_t counted, struct ls_error *err)
{
    if ((int64_t)rows == counted) {
        return LS_OK;
    }
    return ls_error_set_at(err, path, 0, 0,
                           "%zu %s of %.100s, and the result.json beside it counts %" PRId64, rows,
                           what, certificate, counted);
}

static enum ls_code check_figure(const char *path, const char *what, int64_t rows, int64_t counted,
                                 struct ls_error *err)
{
    if (rows == counted) {
        return LS_OK;
    }
    return ls_error_set_at(err, path, 0, 0,
                           "edited, or not of this run: %" PRId64
                           " logins %s, and the result.json beside it counts %" PRId64,
                           rows, what, counted);
}

/* A row that was changed may still be one of ours; what became of everybody must be what was measured. */
static enum ls_code check_outcomes(const char *path, const struct ls_run *run,
                                   const struct ls_record *record, const struct ls_share *share,
                                   struct ls_error *err)
{
    int64_t outcomes[LS_OUTCOME_CUT_OFF + 1] = {0}, reasons[LS_REASON_COUNT] = {0};
    size_t users;
    const struct ls_login *logins = ls_record_logins(record, &users);
    enum ls_code code;

    for (size_t user = 0; user < users; user++) {
        if (ls_share_has(share, user)) {
            outcomes[logins[user].outcome]++;
            reasons[logins[user].reason] += logins[user].outcome == LS_OUTCOME_FAILED;
        }
    }
    code = check_figure(path, "came through", outcomes[LS_OUTCOME_LOGGED_IN], run->logged_in, err);
    if (code == LS_OK) {
        code = check_figure(path, "failed", outcomes[LS_OUTCOME_FAILED], run->failed, err);
    }
    if (code == LS_OK) {
        code = check_figure(path, "were cut off", outcomes[LS_OUTCOME_CUT_OFF], run->cut_off, err);
    }
    for (unsigned i = 0; code == LS_OK && i < LS_REASON_COUNT; i++) {
        char what[64];

        (void)snprintf(what, sizeof what, "failed by %.40s", ls_reason_word((enum ls_reason)i));
        code = check_figure(path, what, reasons[i], run->by_reason[i], err);
    }
    return code;
}

static enum ls_code take_shard(struct merge_shard *shard, const struct ls_rows_wish *wish,
                               size_t users, struct ls_record *record, struct ls_error *err)
{
    const struct ls_run *run = ls_merge_find(shard->result, wish->certificate, wish->repeat);
    const size_t own = ls_share_rows(wish->share, users);
    size_t rows;
    enum ls_code code = ls_rows_take(shard->samples, wish, record, &rows, err);

    if (code == LS_OK) {
        code = check_count(shard->samples_path, wish->certificate, "logins", rows, run->total, err);
    }
    if (code == LS_OK && rows != own) {
        code = ls_error_set_at(err, shard->samples_path, 0, 0,
                               "%zu logins of %.100s, and this shard has %zu users", rows,
                               wish->certificate, own);
    }
    if (code == LS_OK) {
        code = check_outcomes(shard->samples_path, run, record, wish->share, err);
    }
    if (code == LS_OK) {
        code = ls_rows_take(shard->handshakes, wish, record, &rows, err);
    }
    if (code == LS_OK) {
        code = check_count(shard->handshakes_path, wish->certificate, "handshakes", rows,
                           run->handshakes_total, err);
    }
    shard->runs_taken++;
    return code;
}

/* Who was due when is what all machines must have had in common. */
static enum ls_code check_due(const struct merge *merge, const struct ls_record *record,
                              struct ls_error *err)
{
    const struct ls_schedule *schedule = merge->schedule;
    size_t users;
    const struct ls_login *logins = ls_record_logins(record, &users);

    for (size_t user = 0; user < users; user++) {
        if (logins[user].outcome != LS_OUTCOME_PENDING &&
            (logins[user].due_ns != schedule->rows[user].due_ns ||
             logins[user].population != schedule->rows[user].population)) {
            return ls_error_set(err, LS_EINPUT,
                                "user %zu was due at %" PRId64
                                " ns in the shard, and is at %" PRId64
                                " ns in the scenario, or of another population: these rows are not "
                                "of this storm",
                                user, logins[user].due_ns, schedule->rows[user].due_ns);
        }
    }
    return LS_OK;
}

static enum ls_code cut_off_missing(const struct merge *merge, struct ls_record *record,
                                    struct ls_error *err)
{
    for (size_t user = 0; user < merge->schedule->count; user++) {
        const struct ls_login row = {
            .due_ns = merge->schedule->rows[user].due_ns,
            .started_ns = LS_NEVER_NS,
            .connected_ns = LS_NEVER_NS,
            .secured_ns = LS_NEVER_NS,
            .done_ns = LS_NEVER_NS,
            .population = merge->schedule->rows[user].population,
            .outcome = LS_OUTCOME_CUT_OFF,
        };

        if (ls_record_outcome(record, user) == LS_OUTCOME_PENDING &&
            ls_record_login(record, user, &row) != LS_OK) {
            return ls_error_set(err, LS_EBROKEN, "a user without a row");
        }
    }
    return LS_OK;
}

enum ls_code merge_take(struct merge *merge, size_t certificate, int round,
                        struct ls_record **record, size_t *found, struct ls_error *err)
{
    const struct ls_scenario *scenario = merge->scenario;
    const char *name = scenario->certificates[certificate].name;
    const char **populations = calloc(scenario->populations_count + 1, sizeof *populations);
    enum ls_code code;

    *record = NULL;
    if (populations == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for the populations");
    }
    for (size_t i = 0; i < scenario->populations_count; i++) {
        populations[i] = scenario->populations[i].name;
    }
    code = make_record(record, merge, name, round, found, err);
    for (size_t i = 0; code == LS_OK && *found > 0 && i < merge->shards_count; i++) {
        const struct ls_share share = ls_merge_share(merge->shards[i].result);
        const struct ls_rows_wish wish = {
            .certificate = name,
            .repeat = round,
            .populations = populations,
            .populations_count = scenario->populations_count,
            .share = &share,
        };

        if (ls_merge_find(merge->shards[i].result, name, round) != NULL) {
            code = take_shard(&merge->shards[i], &wish, merge->schedule->count, *record, err);
        }
    }
    free(populations);
    if (code == LS_OK && *found > 0) {
        code = check_due(merge, *record, err);
    }
    if (code == LS_OK && *found > 0) {
        code = cut_off_missing(merge, *record, err);
    }
    return code;
}

enum ls_code merge_end(struct merge *merge, struct ls_error *err)
{
    enum ls_code code = LS_OK;

    for (size_t i = 0; code == LS_OK && i < merge->shards_count; i++) {
        struct merge_shard *shard = &merge->shards[i];

        if (shard->runs_taken != shard->result->runs_count) {
            return ls_error_set_at(err, shard->folder, 0, 0,
                                   "its result.json has a run of none of the scenario's "
                                   "certificates, or one twice");
        }
        code = ls_rows_end(shard->samples, err);
        if (code == LS_OK) {
            code = ls_rows_end(shard->handshakes, err);
        }
    }
    return code;
}
