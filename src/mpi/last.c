/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the first rank does after the storm: takes what comes, and merges. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "loginstorm/file.h"
#include "loginstorm/units.h"
#include "mpi/launch.h"
#include "mpi/send.h"

/* From one shard, what is under way and where it goes. */
struct source {
    struct talk_message message;
    bool listens;
    struct gather_report report;
    char *piece;
    struct ls_file file;
    bool is_file_open;
};

static bool open_file(const struct launch *launch, struct source *source, int rank)
{
    const struct gather_shard *shard = &launch->gather.shards[rank];
    char folder[LAUNCH_PATH], path[LAUNCH_PATH + GATHER_NAME + 2];
    struct ls_error err;
    enum ls_code code;

    launch_folder(launch, rank, folder, sizeof folder);
    (void)snprintf(path, sizeof path, "%s/%s", folder, shard->report.files[shard->file].name);
    code = ls_folder_make(folder, &err);
    if (code == LS_OK) {
        code = ls_file_create(&source->file, path, &err);
    }
    source->is_file_open = code == LS_OK;
    if (code != LS_OK) {
        launch_say(launch, rank, "error: %s", err.text);
    }
    return source->is_file_open;
}

/* The next piece of it, or its report. */
static void listen_to(struct launch *launch, struct source *source, int rank)
{
    if (launch->gather.shards[rank].state == GATHER_SILENT) {
        talk_receive(&source->message, rank, TALK_REPORT, &source->report, sizeof source->report);
        source->listens = true;
        return;
    }
    if (source->piece == NULL) {
        source->piece = malloc(GATHER_PIECE);
    }
    if (source->piece == NULL || (!source->is_file_open && !open_file(launch, source, rank))) {
        gather_lose(&launch->gather, rank);
        return;
    }
    talk_receive(&source->message, rank, TALK_PIECE, source->piece,
                 gather_piece(&launch->gather, rank));
    source->listens = true;
}

static void take_report(struct launch *launch, struct source *source, int rank)
{
    struct ls_error err;

    if (gather_take_report(&launch->gather, rank, &source->report, ls_now_ns(), &err) != LS_OK) {
        launch_say(launch, rank, "error: %s", err.text);
    }
}

static void take_piece(struct launch *launch, struct source *source, int rank)
{
    const size_t size = gather_piece(&launch->gather, rank);
    struct ls_error err;

    (void)fwrite(source->piece, 1, size, source->file.stream);
    if (gather_take_piece(&launch->gather, rank, ls_now_ns())) {
        source->is_file_open = false;
        if (ls_file_commit(&source->file, &err) != LS_OK) {
            launch_say(launch, rank, "error: %s", err.text);
            gather_lose(&launch->gather, rank);
        }
    }
}

static void look_at(struct launch *launch, struct source *source, int rank)
{
    const enum gather_state state = launch->gather.shards[rank].state;
    enum talk_state message;

    if (state != GATHER_SILENT && state != GATHER_COMING) {
        return;
    }
    if (!source->listens) {
        listen_to(launch, source, rank);
        return;
    }
    message = talk_look(&source->message);
    if (message == TALK_UNDER_WAY) {
        return;
    }
    source->listens = false;
    if (message == TALK_FAILED) {
        gather_lose(&launch->gather, rank);
        launch->lost = true;
    } else if (state == GATHER_SILENT) {
        take_report(launch, source, rank);
    } else {
        take_piece(launch, source, rank);
    }
}

static void end_source(struct launch *launch, struct source *source, int rank)
{
    /* Who was never heard to the end is not waited for by MPI either. */
    launch->lost = launch->lost || source->listens;
    if (source->listens) {
        talk_drop(&source->message);
    }
    if (source->is_file_open) {
        ls_file_abort(&source->file);
    }
    if (launch->gather.shards[rank].state == GATHER_LOST && source->piece != NULL) {
        launch->lost = true; /* it may still be sending */
    }
    free(source->piece);
}

/* Whether anything has moved is not told; when nothing has, there is time to sleep. */
static void take_all(struct launch *launch, struct source *sources)
{
    while (!gather_is_over(&launch->gather, ls_now_ns())) {
        const int64_t heard_ns = launch->gather.heard_ns;

        for (int rank = 1; rank < launch->talk.ranks; rank++) {
            look_at(launch, &sources[rank], rank);
        }
        if (launch->gather.heard_ns == heard_ns) {
            talk_nap();
        }
    }
}

static void take_own(struct launch *launch)
{
    struct gather_report report = {.status = launch->play.status, .shares = 1};
    struct ls_error err;

    send_list(launch->folder, &report);
    if (gather_take_report(&launch->gather, 0, &report, ls_now_ns(), &err) != LS_OK) {
        launch_say(launch, 0, "error: %s", err.text);
    }
}

void first_gather(struct launch *launch)
{
    const int ranks = launch->talk.ranks;
    struct source *sources = calloc((size_t)ranks, sizeof *sources);
    struct ls_error err;
    struct launch_word word = {.what = WORD_OVER};

    if (sources == NULL || gather_new(&launch->gather, ranks, launch->job.patience_s * LS_NS_PER_S,
                                      ls_now_ns(), &err) != LS_OK) {
        launch_say(launch, -1, "error: no memory for %d shards", ranks);
        free(sources);
        launch->lost = true;
        return;
    }
    take_own(launch);
    if (!launch->lost) {
        take_all(launch, sources);
    }
    for (int rank = 1; rank < ranks; rank++) {
        end_source(launch, &sources[rank], rank);
    }
    word.what = launch->lost ? WORD_OVER_LOST : WORD_OVER;
    for (int rank = 1; rank < ranks; rank++) {
        (void)talk_sent(rank, TALK_WORD, &word, sizeof word, ls_now_ns() + LS_NS_PER_S, TALK_CALM);
    }
    free(sources);
}

/* What is not there, and why. The number of those that are. */
static int count_there(const struct launch *launch)
{
    int there = 0;

    for (int rank = 0; launch->gather.shards != NULL && rank < launch->talk.ranks; rank++) {
        const struct gather_shard *shard = &launch->gather.shards[rank];

        if (shard->state == GATHER_THERE) {
            there++;
        } else if (shard->report.status != 0 && shard->report.count == 0) {
            launch_say(launch, rank,
                       "error: it is missing: it ended with exit status %d, without "
                       "a result",
                       (int)shard->report.status);
        } else {
            launch_say(launch, rank, "error: it is missing: nothing was heard of it for %d s%s",
                       (int)launch->job.patience_s,
                       shard->report.count > 0 ? ", before all had come" : "");
        }
    }
    return there;
}

static void tell_line(const char *line, void *data)
{
    (void)data;
    (void)fprintf(stderr, "%s\n", line);
}

/* `loginstorm merge` of those folders. */
static int merge(const struct launch *launch, const char *const argv[])
{
    struct play play = {.tell = tell_line};
    struct ls_error err;

    if (play_start(&play, argv, false, false, &err) != LS_OK) {
        launch_say(launch, -1, "error: %s", err.text);
        return ls_code_status(err.code);
    }
    play_await_end(&play);
    return play.status;
}

int first_merge(struct launch *launch)
{
    const int ranks = launch->talk.ranks;
    const int there = count_there(launch);
    const size_t most = (size_t)ranks + HANDED_MAX + 8;
    char(*folders)[LAUNCH_PATH] = calloc((size_t)ranks, sizeof *folders);
    const char **argv = calloc(most, sizeof *argv);
    size_t n = 0;
    int status = ls_code_status(LS_EPARTIAL);

    if (folders != NULL && argv != NULL && there > 0) {
        argv[n++] = launch->program;
        argv[n++] = "merge";
        for (size_t i = 0; i < launch->options->merge_count; i++) {
            argv[n++] = launch->options->merge[i];
        }
        argv[n++] = "--no-color"; /* mpirun gives a rank a terminal, wherever its own output goes */
        argv[n++] = "--out";
        argv[n++] = launch->job.out;
        argv[n++] = "--";
        for (int rank = 0; rank < ranks; rank++) {
            if (launch->gather.shards[rank].state == GATHER_THERE) {
                launch_folder(launch, rank, folders[rank], sizeof folders[rank]);
                argv[n++] = folders[rank];
            }
        }
        status = merge(launch, argv);
    } else {
        launch_say(launch, -1, "error: there is no shard to merge");
    }
    free(argv);
    free(folders);
    gather_clear(&launch->gather);
    return status;
}
