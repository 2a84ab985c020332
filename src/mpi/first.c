/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the first rank does before the storm: reads, asks who is there, compares clocks, sets the start. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "loginstorm/file.h"
#include "loginstorm/units.h"
#include "mpi/clock.h"
#include "mpi/launch.h"

#define PINGS 64
/* A pong that takes longer says nothing of a clock. */
#define PONG_PATIENCE_NS (5 * LS_NS_PER_S)
/* Clocks that are further apart are worth a word: shards that start so far apart are a suspect storm. */
#define CLOCK_TOLD_NS (100 * LS_NS_PER_MS)

static void token_path(const struct launch *launch, char *path, size_t size)
{
    (void)snprintf(path, size, "%s/.loginstorm-mpi", launch->job.out);
}

/* The result's folder, with a file in it by which others see whether it is theirs, too. */
static enum ls_code make_folder(struct launch *launch, struct ls_error *err)
{
    char path[LAUNCH_PATH + 32];
    struct ls_file file;
    enum ls_code code = ls_folder_make(launch->job.out, err);

    (void)snprintf(launch->job.token, sizeof launch->job.token, "%016" PRIx64,
                   (uint64_t)ls_wall_ns() ^ (uint64_t)getpid() << 40);
    token_path(launch, path, sizeof path);
    if (code == LS_OK) {
        code = ls_file_create(&file, path, err);
    }
    if (code == LS_OK) {
        (void)fputs(launch->job.token, file.stream);
        code = ls_file_commit(&file, err);
    }
    return code;
}

/* results/storm-20261130-0755, with a number behind it where that exists. */
static void name_folder(struct launch *launch)
{
    const time_t now = time(NULL);
    char stamp[32] = "";
    struct tm local;
    struct stat info;

    if (localtime_r(&now, &local) != NULL) {
        (void)strftime(stamp, sizeof stamp, "%Y%m%d-%H%M", &local);
    }
    (void)snprintf(launch->job.out, sizeof launch->job.out, "results/storm-%s", stamp);
    for (int n = 2; stat(launch->job.out, &info) == 0 && n < 1000; n++) {
        (void)snprintf(launch->job.out, sizeof launch->job.out, "results/storm-%s-%d", stamp, n);
    }
}

static enum ls_code check_scenario(const struct launch *launch, const struct ls_scenario *scenario,
                                   struct ls_error *err)
{
    if (scenario->gateway.embedded) {
        return ls_error_set(err, LS_EINPUT,
                            "gateway.target: embedded: each of %d shards would storm a gateway of "
                            "its own; let them meet at one: HOST:PORT of yours, or of a "
                            "`loginstorm gateway` on another machine",
                            launch->talk.ranks);
    }
    return LS_OK;
}

static enum ls_code read_scenario(struct launch *launch, struct ls_error *err)
{
    const struct mpi_options *options = launch->options;
    struct ls_errors errors = {0};
    struct ls_scenario *scenario;
    enum ls_code code = ls_scenario_load(&scenario, options->scenario, options->changes.list,
                                         options->changes.count, &errors);

    if (code != LS_OK) {
        for (size_t i = 0; i + 1 < errors.count && i + 1 < LS_ERRORS_MAX; i++) {
            char text[sizeof err->path + sizeof err->text + 64];

            ls_error_format(&errors.item[i], text, sizeof text);
            (void)fprintf(stderr, "%s\n", text);
        }
        *err = errors.item[errors.count < LS_ERRORS_MAX ? errors.count - 1 : LS_ERRORS_MAX - 1];
        return code;
    }
    code = check_scenario(launch, scenario, err);
    if (code == LS_OK) {
        code = bundle_make(&launch->bundle, scenario, err);
    }
    ls_scenario_free(scenario);
    return code;
}

enum ls_code first_read(struct launch *launch, struct ls_error *err)
{
    const struct mpi_options *options = launch->options;
    struct launch_job *job = &launch->job;
    const char *out = options->out;
    enum ls_code code = read_scenario(launch, err);

    if (code != LS_OK) {
        return code;
    }
    launch->all = calloc((size_t)launch->talk.ranks, sizeof *launch->all);
    if (launch->all == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for %d shards", launch->talk.ranks);
    }
    (void)snprintf(job->version, sizeof job->version, "%s", LS_VERSION);
    job->patience_s = options->patience_s;
    job->bundle_size = (int64_t)launch->bundle.size;
    job->run_count = (int32_t)options->run_count;
    for (size_t i = 0; i < options->run_count; i++) {
        (void)snprintf(job->run[i], sizeof job->run[i], "%s", options->run[i]);
    }
    if (out == NULL) {
        name_folder(launch);
    } else if (strlen(out) > 1900) {
        return ls_error_set(err, LS_ECREATE, "--out: the name is too long");
    } else {
        (void)snprintf(job->out, sizeof job->out, "%s", out);
    }
    if (options->program != NULL && snprintf(job->program, sizeof job->program, "%s",
                                             options->program) >= (int)sizeof job->program) {
        return ls_error_set(err, LS_EUSAGE, "--program: the name is too long");
    }
    for (int rank = 0; code == LS_OK && rank < launch->talk.ranks; rank++) {
        code = launch_check_folder(launch, rank, err);
    }
    return code == LS_OK ? make_folder(launch, err) : code;
}

static bool is_ready(struct launch *launch, int rank, bool heard, int *status)
{
    const struct launch_ready *ready = &launch->all[rank];
    const bool alike = strcmp(ready->version, LS_VERSION) == 0;

    if (heard && alike && ready->why[0] == '\0') {
        return true;
    }
    if (!heard) {
        launch_say(launch, rank, "error: nothing was heard of it for %d s",
                   (int)launch->job.patience_s);
        launch->lost = true;
    } else {
        launch_say(launch, rank, "error: %s", alike ? ready->why : "another version");
    }
    if (*status == 0) {
        *status = heard && ready->status != 0 ? ready->status : ls_code_status(LS_EPARTIAL);
    }
    return false;
}

bool first_are_all_ready(struct launch *launch, int *status)
{
    /* Each gives up on its own shard after so long, and says so. */
    const int64_t until_ns = launch_deadline_ns(launch) + 2 * LS_NS_PER_S;
    char path[LAUNCH_PATH + 32];
    bool all = true;

    *status = 0;
    for (int rank = 0; rank < launch->talk.ranks; rank++) {
        const bool heard =
            rank == 0 || talk_received(rank, TALK_READY, &launch->all[rank],
                                       sizeof launch->all[rank], until_ns, TALK_CALM);

        all = is_ready(launch, rank, heard, status) && all;
    }
    token_path(launch, path, sizeof path);
    (void)unlink(path);
    if (!all) {
        (void)rmdir(launch->job.out); /* nothing is in it, unless it was there before */
        launch_say(launch, -1, "not all shards are ready, so that none was started");
    }
    return all;
}

/* False: it does not answer, or the clock here was set meanwhile. */
static bool compare_clock(int rank, struct clock_offset *offset)
{
    struct clock_ping pings[PINGS];

    for (size_t i = 0; i < PINGS; i++) {
        const int64_t until_ns = ls_now_ns() + PONG_PATIENCE_NS;
        const struct launch_word word = {.what = WORD_PING, .ahead_ns = (int64_t)(PINGS - 1 - i)};

        pings[i].sent_ns = ls_wall_ns();
        if (!talk_sent(rank, TALK_WORD, &word, sizeof word, until_ns, TALK_HURRY) ||
            !talk_received(rank, TALK_PONG, &pings[i].theirs_ns, sizeof pings[i].theirs_ns,
                           until_ns, TALK_HURRY)) {
            return false;
        }
        pings[i].back_ns = ls_wall_ns();
    }
    return clock_compare(pings, PINGS, offset);
}

static void tell_clock(const struct launch *launch, int rank, const struct clock_offset *offset)
{
    char ahead[48];

    if (llabs(offset->ahead_ns) >= CLOCK_TOLD_NS || offset->error_ns >= CLOCK_TOLD_NS) {
        clock_tell(offset->ahead_ns, ahead, sizeof ahead);
        launch_say(launch, rank,
                   "warning: its clock is %s of the first shard's, by no more than %.3f ms "
                   "wrong; it starts by that of the first",
                   ahead, (double)offset->error_ns / (double)LS_NS_PER_MS);
    }
}

bool first_start(struct launch *launch)
{
    const int ranks = launch->talk.ranks;
    struct clock_offset *offsets = calloc((size_t)ranks, sizeof *offsets);
    int64_t needs_ns = 0, start_ns;
    char line[CLOCK_LINE];

    for (int rank = 0; rank < ranks; rank++) {
        needs_ns = launch->all[rank].needs_ns > needs_ns ? launch->all[rank].needs_ns : needs_ns;
        if (rank > 0 && (offsets == NULL || !compare_clock(rank, &offsets[rank]))) {
            launch_say(launch, rank, "error: its clock cannot be compared with the first shard's");
            launch->lost = true;
        } else if (rank > 0) {
            tell_clock(launch, rank, &offsets[rank]);
        }
    }
    if (launch->lost || offsets == NULL) {
        first_cancel(launch);
        play_stop(&launch->play);
        free(offsets);
        return false;
    }
    start_ns = clock_start_ns(ls_wall_ns(), needs_ns, ranks);
    for (int rank = 1; rank < ranks; rank++) {
        const struct launch_word word = {.what = WORD_START,
                                         .start_ns = start_ns,
                                         .ahead_ns = offsets[rank].ahead_ns,
                                         .error_ns = offsets[rank].error_ns};

        if (!talk_sent(rank, TALK_WORD, &word, sizeof word, launch_deadline_ns(launch),
                       TALK_HURRY)) {
            launch_say(launch, rank, "error: it cannot be told when to start");
        }
    }
    clock_write(start_ns, &offsets[0], line, sizeof line);
    play_tell(&launch->play, line);
    free(offsets);
    return true;
}

void first_cancel(struct launch *launch)
{
    const struct launch_word word = {.what = launch->lost ? WORD_CANCEL_LOST : WORD_CANCEL};
    const int64_t until_ns = ls_now_ns() + LS_NS_PER_S;

    for (int rank = 1; rank < launch->talk.ranks; rank++) {
        (void)talk_sent(rank, TALK_WORD, &word, sizeof word, until_ns, TALK_CALM);
    }
}
