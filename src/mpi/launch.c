/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mpi/launch.h"

#include <libgen.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "loginstorm/file.h"
#include "loginstorm/units.h"
#include "mpi/clock.h"
#include "mpi/send.h"

/* What the first rank needs to read a scenario, on a slow disk or from a terminal. */
#define JOB_PATIENCE_NS (10 * LS_NS_PER_MIN)
/* Where files that were sent lie: a folder that every machine has, and that outlives a storm, whose result names them. */
#define SENT_TO "/var/tmp"
#define ARGUMENTS_MAX (HANDED_MAX + 12)

void launch_say(const struct launch *launch, int index, const char *fmt, ...)
{
    char text[1024];
    va_list arguments;

    va_start(arguments, fmt);
    (void)vsnprintf(text, sizeof text, fmt, arguments);
    va_end(arguments);
    if (index >= 0) {
        (void)fprintf(
            stderr, "loginstorm-mpi: shard %d of %d (%s): %s\n", index + 1, launch->talk.ranks,
            launch->all != NULL && launch->all[index].host[0] != '\0' ? launch->all[index].host
            : index == launch->talk.rank                              ? launch->ready.host
                                                                      : "unknown",
            text);
    } else {
        (void)fprintf(stderr, "loginstorm-mpi: %s\n", text);
    }
}

void launch_folder(const struct launch *launch, int index, char *out, size_t size)
{
    (void)snprintf(out, size, "%.1900s/shard-%d-of-%d", launch->job.out, index + 1,
                   launch->talk.ranks);
}

enum ls_code launch_check_folder(const struct launch *launch, int index, struct ls_error *err)
{
    char folder[LAUNCH_PATH], path[LAUNCH_PATH + GATHER_NAME];

    launch_folder(launch, index, folder, sizeof folder);
    (void)snprintf(path, sizeof path, "%s/%s", folder, GATHER_LAST);
    if (access(path, F_OK) == 0) {
        return ls_error_set(
            err, LS_ECREATE,
            "%.300s holds what an earlier storm left: give --out another folder, or "
            "remove that one",
            folder);
    }
    return LS_OK;
}

int64_t launch_deadline_ns(const struct launch *launch)
{
    return ls_now_ns() + launch->job.patience_s * LS_NS_PER_S;
}

/* The first shard's words are those of a storm; of the others' only what is wrong. Why a shard is not ready is told by the
 * first rank. */
static void on_line(const char *line, void *data)
{
    const struct launch *launch = data;
    const bool failed = strstr(line, "error: ") != NULL;
    const bool wrong = failed || strstr(line, "warning: ") != NULL;

    if (failed && !launch->play.ready) {
        return;
    }
    if (launch->talk.rank == 0 && (wrong || launch->options == NULL || !launch->options->quiet)) {
        (void)fprintf(stderr, "%s\n", line);
    } else if (wrong) {
        launch_say(launch, launch->talk.rank, "%s", line);
    }
}

/* The program that plays, beside this one unless somebody says where. */
static enum ls_code find_program(struct launch *launch, struct ls_error *err)
{
    char here[LAUNCH_PATH];
    ssize_t length;

    if (launch->job.program[0] != '\0') {
        (void)snprintf(launch->program, sizeof launch->program, "%s", launch->job.program);
        return LS_OK;
    }
    length = readlink("/proc/self/exe", here, sizeof here - 1);
    if (length <= 0) {
        return ls_error_set_errno(err, LS_ESYSTEM, "it is not known where this program lies");
    }
    here[length] = '\0';
    (void)snprintf(launch->program, sizeof launch->program, "%s/loginstorm", dirname(here));
    return LS_OK;
}

/* A file of the first rank's beside the shards' folders that this rank finds there: both see the same folder. */
static bool is_shared(const struct launch *launch)
{
    char path[LAUNCH_PATH + 32], token[sizeof launch->job.token] = "";
    FILE *stream;

    (void)snprintf(path, sizeof path, "%s/.loginstorm-mpi", launch->job.out);
    stream = fopen(path, "re");
    if (stream != NULL) {
        (void)!fread(token, 1, sizeof token - 1, stream);
        (void)fclose(stream);
    }
    return launch->talk.rank == 0 || strcmp(token, launch->job.token) == 0;
}

static enum ls_code start_shard(struct launch *launch, struct ls_error *err)
{
    char scenario[LAUNCH_PATH], shard[32];
    const char *argv[ARGUMENTS_MAX];
    size_t n = 0;
    enum ls_code code = bundle_unpack(&launch->bundle, SENT_TO, scenario, sizeof scenario, err);

    if (code == LS_OK) {
        code = find_program(launch, err);
    }
    if (code == LS_OK) {
        code = launch_check_folder(launch, launch->talk.rank, err);
    }
    if (code == LS_OK) {
        code = ls_folder_make(launch->job.out, err);
    }
    if (code != LS_OK) {
        return code;
    }
    (void)snprintf(shard, sizeof shard, "%d/%d", launch->talk.rank + 1, launch->talk.ranks);
    argv[n++] = launch->program;
    argv[n++] = "run";
    for (int i = 0; i < launch->job.run_count; i++) {
        argv[n++] = launch->job.run[i];
    }
    argv[n++] = "--shard";
    argv[n++] = shard;
    argv[n++] = "--start-at";
    argv[n++] = "-";
    argv[n++] = "--out";
    argv[n++] = launch->folder;
    argv[n++] = "--";
    argv[n++] = scenario;
    argv[n] = NULL;
    launch->play.tell = on_line;
    launch->play.data = launch;
    return play_start(&launch->play, argv, true, true, err);
}

/* Until the shard waits for its start, or will never. */
static void prepare(struct launch *launch)
{
    const int64_t until_ns = launch_deadline_ns(launch);
    struct launch_ready *ready = &launch->ready;
    struct ls_error err;

    (void)snprintf(ready->version, sizeof ready->version, "%s", LS_VERSION);
    (void)gethostname(ready->host, sizeof ready->host - 1);
    ready->shares = is_shared(launch);
    if (strcmp(launch->job.version, LS_VERSION) != 0) {
        ready->status = ls_code_status(LS_EUSAGE);
        (void)snprintf(ready->why, sizeof ready->why,
                       "this is loginstorm-mpi %s, and the first shard's %s", LS_VERSION,
                       launch->job.version);
        launch->play.over = true;
        return;
    }
    if (start_shard(launch, &err) != LS_OK) {
        ready->status = ls_code_status(err.code);
        (void)snprintf(ready->why, sizeof ready->why, "%.390s", err.text);
        launch->play.over = true;
        return;
    }
    while (!launch->play.ready && !launch->play.over && ls_now_ns() < until_ns) {
        play_look(&launch->play, 100);
    }
    ready->needs_ns = launch->play.needs_ns;
    if (launch->play.over) {
        ready->status = launch->play.status != 0 ? launch->play.status : ls_code_status(LS_EBROKEN);
        (void)snprintf(ready->why, sizeof ready->why, "%.390s",
                       launch->play.said[0] != '\0' ? launch->play.said
                                                    : "it ended before it was ready");
    } else if (!launch->play.ready) {
        ready->status = ls_code_status(LS_EPARTIAL);
        (void)snprintf(ready->why, sizeof ready->why, "it is not ready after %d s",
                       (int)launch->job.patience_s);
    }
}

static void start_now(struct launch *launch, const struct launch_word *word)
{
    const struct clock_offset offset = {.ahead_ns = word->ahead_ns, .error_ns = word->error_ns};
    char line[CLOCK_LINE];

    clock_write(word->start_ns, &offset, line, sizeof line);
    play_tell(&launch->play, line);
}

/* What the first rank has to say before the storm: pings, and then when it starts. False: it does not. */
static bool listen_for_start(struct launch *launch)
{
    /* It waits for all others as long as one may take to be ready, and then for each pong. */
    const int64_t until_ns = launch_deadline_ns(launch) + JOB_PATIENCE_NS;
    enum talk_haste haste = TALK_CALM;
    struct launch_word word = {.what = WORD_CANCEL_LOST};

    while (talk_received(0, TALK_WORD, &word, sizeof word, until_ns, haste) &&
           word.what == WORD_PING) {
        const int64_t now_ns = ls_wall_ns();

        if (!talk_sent(0, TALK_PONG, &now_ns, sizeof now_ns, until_ns, TALK_HURRY)) {
            word.what = WORD_CANCEL_LOST;
            break;
        }
        /* The next one is under way; after the last of them others have their turn. */
        haste = word.ahead_ns > 0 ? TALK_HURRY : TALK_CALM;
        word.what = WORD_CANCEL_LOST;
    }
    if (word.what == WORD_START) {
        start_now(launch, &word);
    }
    launch->lost = word.what != WORD_START && word.what != WORD_CANCEL;
    return word.what == WORD_START;
}

void launch_end(const struct launch *launch, int status)
{
    (void)fflush(NULL);
    if (launch->lost) {
        _exit(status);
    }
    if (!launch->closed) {
        talk_close();
    }
}

/* A rank but the first. Its exit status is 0: another would make mpirun kill the first one, which merges. */
static int follow(struct launch *launch)
{
    prepare(launch);
    launch->lost = !talk_sent(0, TALK_READY, &launch->ready, sizeof launch->ready,
                              launch_deadline_ns(launch), TALK_CALM);
    if (launch->lost || !listen_for_start(launch)) {
        play_stop(&launch->play);
        return 0;
    }
    play_await_end(&launch->play);
    launch->lost = !send_folder(launch);
    return 0;
}

static int lead(struct launch *launch)
{
    int status;

    prepare(launch);
    launch->all[0] = launch->ready;
    if (!first_are_all_ready(launch, &status)) {
        first_cancel(launch);
        play_stop(&launch->play);
        return status;
    }
    if (!first_start(launch)) {
        return ls_code_status(LS_EPARTIAL);
    }
    play_await_end(&launch->play);
    first_gather(launch);
    /* Others must not wait for the merging: MPI waits busily. */
    if (!launch->lost) {
        talk_close();
        launch->closed = true;
    }
    return first_merge(launch);
}

/* From the first rank to all: whether there is a storm, and what is played. */
static bool share_job(struct launch *launch)
{
    const int64_t until_ns = ls_now_ns() + JOB_PATIENCE_NS;

    if (!talk_broadcast(&launch->job, sizeof launch->job, until_ns)) {
        return false;
    }
    if (launch->job.is_refused != 0) {
        return true;
    }
    if (launch->talk.rank != 0) {
        launch->bundle.size = (size_t)launch->job.bundle_size;
        launch->bundle.bytes =
            launch->bundle.size > BUNDLE_MAX ? NULL : malloc(launch->bundle.size);
    }
    return launch->bundle.bytes != NULL &&
           talk_broadcast(launch->bundle.bytes, launch->bundle.size, until_ns);
}

int launch_storm(struct launch *launch)
{
    struct ls_error err;
    int status = 0;

    if (launch->talk.rank == 0 && first_read(launch, &err) != LS_OK) {
        char text[sizeof err.path + sizeof err.text + 64];

        ls_error_format(&err, text, sizeof text);
        (void)fprintf(stderr, "loginstorm-mpi: %s\n", text);
        status = ls_code_status(err.code);
        launch->job.is_refused = 1;
    }
    if (!share_job(launch)) {
        launch_say(launch, -1, "error: the ranks cannot talk to each other");
        launch->lost = true;
        return ls_code_status(LS_ESYSTEM);
    }
    if (launch->job.is_refused != 0) {
        return status;
    }
    launch_folder(launch, launch->talk.rank, launch->folder, sizeof launch->folder);
    return launch->talk.rank == 0 ? lead(launch) : follow(launch);
}
