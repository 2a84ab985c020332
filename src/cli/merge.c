/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/merge.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/host.h"
#include "cli/print.h"
#include "cli/show.h"
#include "cli/stop.h"
#include "cli/teller.h"
#include "loginstorm/storm.h"
#include "loginstorm/tls.h"

#define ROUNDS_MAX 100
#define NOTHING "nothing was merged"

/* The folder that an operand means: itself, or where its result.json lies. */
static void folder_of(const char *operand, char *out, size_t size)
{
    struct stat info;
    char *slash;

    (void)snprintf(out, size, "%s", operand);
    if (stat(operand, &info) == 0 && S_ISDIR(info.st_mode)) {
        return;
    }
    slash = strrchr(out, '/');
    if (slash == NULL) {
        (void)snprintf(out, size, ".");
    } else {
        *slash = '\0';
    }
}

/* What a shard leaves that was killed before it could write. */
static bool is_without_result(const char *operand)
{
    static const char *const files[] = {"result.json", "plan.json"};
    struct stat info;
    bool without = stat(operand, &info) == 0 && S_ISDIR(info.st_mode);

    for (size_t i = 0; without && i < sizeof files / sizeof files[0]; i++) {
        char path[4096];

        (void)snprintf(path, sizeof path, "%s/%s", operand, files[i]);
        without = stat(path, &info) != 0;
    }
    return without;
}

static void add_unread(struct merge *merge, const char *operand)
{
    const size_t used = strlen(merge->unread);

    (void)snprintf(merge->unread + used, sizeof merge->unread - used, "%s%s", used > 0 ? ", " : "",
                   operand);
}

static int load_shard(struct merge *merge, const char *operand)
{
    struct merge_shard *shard = &merge->shards[merge->shards_count++];
    struct ls_error err;
    struct stat info;

    shard->operand = operand;
    folder_of(operand, shard->folder, sizeof shard->folder);
    if (merge->options->operands_count > 1 && stat(operand, &info) != 0) {
        (void)ls_error_set_errno(&err, LS_ENOINPUT,
                                 "cannot open %s (leave it out to merge the others)", operand);
        return print_error(&err);
    }
    return load_result(&shard->result, operand, "merge", merge->options);
}

static int load_shards(struct merge *merge)
{
    const struct options *options = merge->options;
    struct ls_error err;
    int status = 0;

    merge->shards = calloc(options->operands_count, sizeof *merge->shards);
    if (merge->shards == NULL) {
        (void)ls_error_set(&err, LS_ENOMEM, "no memory for %zu shards", options->operands_count);
        return print_error(&err);
    }
    for (size_t i = 0; status == 0 && i < options->operands_count; i++) {
        if (is_without_result(options->operands[i])) {
            add_unread(merge, options->operands[i]);
        } else {
            status = load_shard(merge, options->operands[i]);
        }
    }
    return status == 0 && merge->shards_count == 0 ? load_shard(merge, options->operands[0])
                                                   : status;
}

/* Whether they belong together, and where each has its place. */
static enum ls_code order(struct merge *merge, struct ls_error *err)
{
    const struct ls_result **results = calloc(merge->shards_count + 1, sizeof(struct ls_result *));
    const char **paths = calloc(merge->shards_count + 1, sizeof(char *));
    enum ls_code code;

    if (merge->shards == NULL || results == NULL || paths == NULL) {
        free(results);
        free(paths);
        return ls_error_set(err, LS_ENOMEM, "no memory for %zu shards", merge->shards_count);
    }
    for (size_t i = 0; i < merge->shards_count; i++) {
        results[i] = merge->shards[i].result;
        paths[i] = merge->shards[i].operand;
    }
    code = ls_merge_check(results, paths, merge->shards_count, err);
    free(results);
    free(paths);
    if (code != LS_OK) {
        return code;
    }
    merge->count = (size_t)merge->shards[0].result->shard.count;
    merge->by_index = calloc(merge->count, sizeof(struct ls_result *));
    if (merge->by_index == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for %zu shards", merge->count);
    }
    for (size_t i = 0; i < merge->shards_count; i++) {
        const struct ls_result *result = merge->shards[i].result;

        merge->by_index[result->shard.index - 1] = result;
        for (size_t r = 0; r < result->runs_count; r++) {
            merge->rounds =
                result->runs[r].repeat > merge->rounds ? result->runs[r].repeat : merge->rounds;
        }
    }
    if (merge->rounds < 1 || merge->rounds > ROUNDS_MAX) {
        return ls_error_set(
            err, LS_EINPUT,
            "no shard has a run, or one has a round beyond the %d that there can be", ROUNDS_MAX);
    }
    return LS_OK;
}

/* The storm itself, as the first of them kept it: who was due when is in none of the results. */
static int load_storm(struct merge *merge)
{
    const struct ls_result *first = merge->shards[0].result;
    struct ls_errors errors = {0};
    struct ls_error err;
    char path[2080], hex[65];
    enum ls_code code;

    (void)snprintf(path, sizeof path, "%s/scenario.yaml", merge->shards[0].folder);
    if (ls_scenario_load(&merge->scenario, path, NULL, 0, &errors) != LS_OK) {
        return print_errors(&errors);
    }
    code = ls_schedule_build(&merge->schedule, merge->scenario, &err);
    if (code == LS_OK) {
        code = host_digest(merge->scenario, merge->schedule, hex, &err);
    }
    if (code == LS_OK && (first->sha256 == NULL || strcmp(hex, first->sha256) != 0)) {
        code = ls_error_set_at(&err, path, 0, 0,
                               "not the scenario that was played: its sha256 is %s, and in the "
                               "result.json beside it %.64s",
                               hex, first->sha256 == NULL ? "none" : first->sha256);
    }
    if (code == LS_OK && (int64_t)merge->schedule->count != first->users) {
        code = ls_error_set_at(&err, path, 0, 0, "of other users than the result.json beside it");
    }
    return code == LS_OK ? 0 : print_error(&err);
}

static bool is_note_of_shard(const char *note)
{
    return strncmp(note, "this is shard ", strlen("this is shard ")) == 0;
}

static bool has_note(const struct ls_result *result, const char *note)
{
    for (size_t i = 0; result->notes != NULL && result->notes[i] != NULL; i++) {
        if (strcmp(result->notes[i], note) == 0) {
            return true;
        }
    }
    return false;
}

/* What all of them say is said once, what some say with whose it is. */
static enum ls_code add_notes_of_shards(struct merge *merge, struct ls_error *err)
{
    enum ls_code code = LS_OK;

    for (size_t i = 0; i < merge->count; i++) {
        const struct ls_result *shard = merge->by_index[i];

        for (size_t n = 0;
             code == LS_OK && shard != NULL && shard->notes != NULL && shard->notes[n] != NULL;
             n++) {
            const char *note = shard->notes[n];
            char name[160], text[1200];
            bool all = true;

            for (size_t j = 0; j < merge->count; j++) {
                all = all && (merge->by_index[j] == NULL || has_note(merge->by_index[j], note));
            }
            if (is_note_of_shard(note) || (all && has_note(merge->result, note))) {
                continue;
            }
            ls_merge_name(shard, name, sizeof name);
            (void)snprintf(text, sizeof text, "%s%s%.1000s", all ? "" : name, all ? "" : ": ",
                           note);
            code = host_add_note(merge->result, text, err);
        }
    }
    return code;
}

/* The head has room for one machine; who is another says so. */
static enum ls_code note_hosts(struct merge *merge, struct ls_error *err)
{
    const struct ls_result *first = merge->shards[0].result;
    enum ls_code code = LS_OK;

    for (size_t i = 0; code == LS_OK && i < merge->count; i++) {
        const struct ls_result *shard = merge->by_index[i];
        char name[160], text[400];

        if (shard == NULL || shard->host_cpu == NULL || first->host_cpu == NULL ||
            strcmp(shard->host_cpu, first->host_cpu) == 0) {
            continue;
        }
        ls_merge_name(shard, name, sizeof name);
        (void)snprintf(text, sizeof text,
                       "%s ran on another CPU, %.100s: what the load itself cost is a mean", name,
                       shard->host_cpu);
        code = host_add_note(merge->result, text, err);
    }
    return code;
}

static enum ls_code begin_result(struct merge *merge, struct ls_error *err)
{
    char missing[160], note[500];
    enum ls_code code = host_merged_new(&merge->result, merge->scenario, merge->schedule,
                                        merge->shards[0].result, merge->rounds, err);

    if (code != LS_OK) {
        return code;
    }
    for (size_t i = 0; i < merge->count; i++) {
        ls_merge_place(&merge->result->merged[i], merge->by_index[i]);
    }
    ls_merge_missing(merge->by_index, merge->count, missing, sizeof missing);
    if (missing[0] != '\0') {
        (void)snprintf(note, sizeof note,
                       "%s: their users are cut off here, whatever became of them", missing);
        code = host_add_note(merge->result, note, err);
    }
    if (code == LS_OK && merge->unread[0] != '\0') {
        (void)snprintf(note, sizeof note,
                       "no result.json is in %s: a shard that was to write there did not",
                       merge->unread);
        code = host_add_note(merge->result, note, err);
    }
    if (code == LS_OK) {
        code = note_hosts(merge, err);
    }
    return code == LS_OK ? add_notes_of_shards(merge, err) : code;
}

/* What a run of one machine would be taken for damaged by is here in somebody's files. */
static enum ls_code build_run(struct ls_run *run, const struct ls_measurement *measurement,
                              struct ls_error *err)
{
    enum ls_code code = ls_run_build(run, measurement, err);

    if (code == LS_EBROKEN) {
        char why[sizeof err->text];

        (void)snprintf(why, sizeof why, "%s", err->text);
        code = ls_error_set(err, LS_EINPUT, "%.100s of the shards: %.300s",
                            measurement->certificate, why);
    }
    return code;
}

/* One run of all shards, or nothing where none has it. */
static enum ls_code take_run(struct merge *merge, struct ls_run *run,
                             struct ls_measurement *measurement, struct ls_merging *merging,
                             struct ls_record **record, size_t certificate, bool *found,
                             struct ls_error *err)
{
    size_t shards;
    enum ls_code code = merge_take(merge, certificate, measurement->repeat, record, &shards, err);

    *found = false;
    if (code != LS_OK || shards == 0) {
        return code;
    }
    ls_storm_describe(measurement, merge->scenario, merge->schedule, certificate);
    measurement->record = *record;
    code = ls_merge_measure(measurement, merging, err);
    if (code == LS_OK) {
        code = build_run(run, measurement, err);
    }
    *found = code == LS_OK;
    return code;
}

static enum ls_code keep_run(struct merge *merge, const struct ls_measurement *measurement,
                             struct ls_error *err)
{
    struct ls_result *result = merge->result;
    struct ls_run *run = &result->runs[result->runs_count++];
    const bool several = merge->rounds > 1;
    enum ls_code code;

    ls_merge_verdict(run, merge->by_index, merge->count);
    code = host_add_notes(result, measurement, merge->scenario->certificates_count > 1 || several,
                          several, err);
    return code == LS_OK ? folder_add_run(&merge->folder, merge->scenario, measurement, run,
                                          result->runs_count == 1, err)
                         : code;
}

/* keeps: into the result and its folder; else only whether that can be done. */
static enum ls_code merge_run(struct merge *merge, size_t certificate, int round, bool keeps,
                              struct ls_error *err)
{
    struct ls_run *run = &merge->result->runs[merge->result->runs_count];
    struct ls_merging merging = {.shards = merge->by_index, .count = merge->count};
    struct ls_measurement measurement = {.repeat = round};
    struct ls_record *record;
    bool found;
    enum ls_code code =
        take_run(merge, run, &measurement, &merging, &record, certificate, &found, err);

    if (found && keeps) {
        code = keep_run(merge, &measurement, err);
    } else if (found) {
        ls_run_clear(run);
    }
    ls_merging_clear(&merging);
    ls_record_free(record);
    return code;
}

static enum ls_code merge_runs(struct merge *merge, bool keeps, struct ls_error *err)
{
    enum ls_code code = merge_open(merge, err);

    for (int round = 1; code == LS_OK && round <= merge->rounds; round++) {
        for (size_t i = 0; code == LS_OK && i < merge->scenario->certificates_count; i++) {
            code = merge_run(merge, i, round, keeps, err);
            if (code == LS_OK && stop_wished() != LS_OK) {
                code = ls_error_set(err, stop_wished(), "stopped by %s; " NOTHING,
                                    stop_name(stop_wished()));
            }
        }
    }
    return code == LS_OK ? merge_end(merge, err) : code;
}

static enum ls_code finish_result(struct merge *merge, struct ls_error *err)
{
    struct ls_result *result = merge->result;
    enum ls_code code;

    result->partial =
        result->runs_count < merge->scenario->certificates_count * (size_t)merge->rounds;
    for (size_t i = 0; i < merge->count; i++) {
        result->partial =
            result->partial || merge->by_index[i] == NULL || merge->by_index[i]->partial;
    }
    code = host_add_targets(result, &merge->scenario->targets, err);
    if (code == LS_OK) {
        code = host_compare(result, err);
    }
    if (code == LS_OK) {
        code = folder_save_result(&merge->folder, result, err);
    }
    merge->saved = code == LS_OK;
    if (code == LS_OK && !result->partial) {
        code = folder_finish(&merge->folder, err);
    }
    return code == LS_OK ? show_metrics(result, merge->options, err) : code;
}

/* Which users are not in it; the exit status. */
static int tell_partial(const struct merge *merge)
{
    struct ls_error err;
    char missing[160], name[160] = "a shard";

    ls_merge_missing(merge->by_index, merge->count, missing, sizeof missing);
    for (size_t i = merge->count; i-- > 0;) {
        if (merge->by_index[i] != NULL && merge->by_index[i]->partial) {
            ls_merge_name(merge->by_index[i], name, sizeof name);
        }
    }
    if (missing[0] != '\0') {
        (void)ls_error_set(&err, LS_EPARTIAL, "%s; what the others measured is in %.300s", missing,
                           merge->folder.path);
    } else {
        (void)ls_error_set(&err, LS_EPARTIAL,
                           "%s ended early, so that not all is in it; what there is is in %.300s",
                           name, merge->folder.path);
    }
    return print_error(&err);
}

static int show(const struct merge *merge)
{
    int status = show_heading(merge->result, merge->options);

    if (status == 0) {
        status = merge->options->format == FORMAT_HGRM
                     ? show_curves(merge->folder.path, merge->result, merge->options)
                     : show_result(merge->result, merge->options);
    }
    folder_tell(&merge->folder, merge->options);
    if (status == 0) {
        status = merge->result->partial ? tell_partial(merge) : status_of_result(merge->result);
    }
    return status;
}

/* Into the folder: all of it or nothing, since a part would only be in the next merge's way. */
static enum ls_code write_all(struct merge *merge, struct ls_error *err)
{
    enum ls_code code;

    stop_listen();
    code =
        folder_create(&merge->folder, merge->options->out, CLAIM_RUN, NULL, merge->scenario, err);
    if (code != LS_OK) {
        return code;
    }
    code = merge_runs(merge, true, err);
    if (code == LS_OK) {
        code = finish_result(merge, err);
    }
    if (code != LS_OK && !merge->saved && merge->result->runs_count > 0) {
        folder_take_back(&merge->folder);
    }
    return code;
}

static int play(struct merge *merge)
{
    struct teller teller;
    struct ls_error err;
    enum ls_code code;

    teller_begin(&teller, merge->options);
    teller_say(&teller, "merging %zu of %zu shards", merge->shards_count, merge->count);
    code = show_check_metrics(merge->options, &err);
    if (code == LS_OK) {
        code = begin_result(merge, &err);
    }
    /* All rows are looked at before a folder is touched: what is refused leaves nothing half done. */
    if (code == LS_OK) {
        code = merge_runs(merge, false, &err);
    }
    if (code == LS_OK) {
        code = write_all(merge, &err);
    }
    teller_end(&teller);
    return code == LS_OK ? show(merge) : print_error(&err);
}

int command_merge(const struct options *options)
{
    struct merge merge = {.options = options};
    struct ls_error err;
    int status;

    stop_at_once(NOTHING);
    status = load_shards(&merge);
    if (status == 0 && (order(&merge, &err) != LS_OK || ls_tls_start(&err) != LS_OK)) {
        status = print_error(&err);
    }
    if (status == 0) {
        status = load_storm(&merge);
    }
    if (status == 0) {
        status = play(&merge);
    }
    folder_leave(&merge.folder);
    merge_close(&merge);
    for (size_t i = 0; i < merge.shards_count; i++) {
        ls_result_free(merge.shards[i].result);
    }
    free(merge.shards);
    free(merge.by_index);
    ls_result_free(merge.result);
    ls_schedule_free(merge.schedule);
    ls_scenario_free(merge.scenario);
    ls_tls_stop();
    return status;
}

void help_merge(FILE *out)
{
    (void)fputs(
        "\nThe folders are those that `run --shard I/N` left, in any order. Ends with 75 where a "
        "shard is missing\nor ended early, whatever else is to be told; else as `run` does.\n",
        out);
}
