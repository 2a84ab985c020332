/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a run's folder lies: while it is not whole beside an older result that is, and in its place from then on. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/folder.h"
#include "cli/shard.h"
#include "cli/stop.h"
#include "loginstorm/file.h"
#include "loginstorm/json.h"

#define PARTIAL "-partial"
#define FILE_LIMIT ((size_t)256 << 20)

static enum ls_code create_default(struct folder *folder, const struct ls_shard *shard,
                                   const struct ls_scenario *scenario, struct ls_error *err)
{
    char name[48];
    char stamp[80] = "";
    const time_t now = time(NULL);
    struct tm local;
    enum ls_code code = ls_folder_make("results", err);

    if (code != LS_OK) {
        return code;
    }
    folder_slug(scenario->name, name, sizeof name);
    if (localtime_r(&now, &local) != NULL) {
        (void)strftime(stamp, sizeof stamp, "%Y%m%d-%H%M", &local);
    }
    if (shard != NULL && shard->count > 1) {
        const size_t length = strlen(stamp);

        stamp[length] = '-';
        shard_name(shard, stamp + length + 1, sizeof stamp - length - 1);
    }
    (void)snprintf(folder->path, sizeof folder->path, "results/%s-%s", name, stamp);
    for (int n = 2; mkdir(folder->path, 0777) != 0; n++) {
        if (errno != EEXIST || n > 999) {
            return ls_error_set_errno(err, LS_ECREATE, "cannot create the folder %s", folder->path);
        }
        (void)snprintf(folder->path, sizeof folder->path, "results/%s-%s-%d", name, stamp, n);
    }
    return LS_OK;
}

/* Two runs that add their rows to the same tables would make one of both. */
static enum ls_code keep_others_out(const char *path, struct ls_error *err)
{
    const int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    /* Where the file system knows no locks there are none; the descriptor stays open. */
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        (void)close(fd);
        return ls_error_set(err, LS_ECREATE, "another run is writing into %s", path);
    }
    return LS_OK;
}

static enum ls_code try_to_write(const char *path, struct ls_error *err)
{
    char name[4200];
    struct ls_file file;
    enum ls_code code;

    (void)snprintf(name, sizeof name, "%s/scenario.yaml", path);
    code = ls_file_create(&file, name, err);
    if (code == LS_OK) {
        ls_file_abort(&file);
    }
    return code;
}

/* A folder that somebody named, and who may write into it alone. */
static enum ls_code take(struct folder *folder, enum claim kind, const struct ls_shard *shard,
                         const struct ls_scenario *scenario, struct ls_error *err)
{
    enum ls_code code;

    folder->made = access(folder->path, F_OK) != 0;
    stop_removes(folder->made ? folder->path : NULL);
    code = ls_folder_make(folder->path, err);
    if (code == LS_OK) {
        code = keep_others_out(folder->path, err);
    }
    if (code == LS_OK) {
        code = claim_folder(folder->path, kind, shard, scenario->name, err);
    }
    /* Whether it can be written is found out now, but what an older run left there stays until
     * there is something new. */
    return code == LS_OK ? try_to_write(folder->path, err) : code;
}

bool folder_is_whole(const char *folder, const char *file)
{
    char path[4200];
    json_t *root = NULL;
    bool whole;

    (void)snprintf(path, sizeof path, "%s/%s", folder, file);
    if (access(path, F_OK) != 0 || ls_json_load(&root, path, FILE_LIMIT, NULL) != LS_OK) {
        return false;
    }
    whole = json_is_false(json_object_get(root, "partial"));
    json_decref(root);
    return whole;
}

enum ls_code folder_beside(const char *folder, char *out, size_t size, struct ls_error *err)
{
    size_t length = strlen(folder);

    while (length > 1 && folder[length - 1] == '/') {
        length--;
    }
    return snprintf(out, size, "%.*s%s", (int)length, folder, PARTIAL) < (int)size
               ? LS_OK
               : ls_error_set(err, LS_ECREATE, "--out: the name is too long");
}

enum ls_code folder_spare_whole(const char *folder, const char *file, struct ls_error *err)
{
    return !folder_is_whole(folder, file)
               ? LS_OK
               : ls_error_set(err, LS_ECREATE,
                              "%.300s holds a result that is whole, and what is stopped before its "
                              "end would take its place: move that folder away, or give --out "
                              "another",
                              folder);
}

static enum ls_code step_aside(struct folder *folder, struct ls_error *err)
{
    char beside[sizeof folder->path];
    const enum ls_code code = folder_beside(folder->path, beside, sizeof beside, err);

    if (code == LS_OK) {
        (void)snprintf(folder->whole, sizeof folder->whole, "%.*s",
                       (int)(strlen(beside) - strlen(PARTIAL)), beside);
        (void)snprintf(folder->path, sizeof folder->path, "%s", beside);
    }
    return code;
}

enum ls_code folder_create(struct folder *folder, const char *out, enum claim kind,
                           const struct ls_shard *shard, const struct ls_scenario *scenario,
                           struct ls_error *err)
{
    enum ls_code code;

    if (out == NULL) {
        code = create_default(folder, shard, scenario, err);
        folder->made = code == LS_OK;
        stop_removes(folder->made ? folder->path : NULL);
        if (code == LS_OK) {
            code = keep_others_out(folder->path, err);
        }
        return code == LS_OK ? try_to_write(folder->path, err) : code;
    }
    if (snprintf(folder->path, sizeof folder->path, "%s", out) >= (int)sizeof folder->path) {
        return ls_error_set(err, LS_ECREATE, "--out: the name is too long");
    }
    code = take(folder, kind, shard, scenario, err);
    if (code == LS_OK && folder_is_whole(folder->path, "result.json")) {
        code = step_aside(folder, err);
        if (code == LS_OK) {
            code = take(folder, kind, shard, scenario, err);
        }
        if (code == LS_OK) {
            code = folder_spare_whole(folder->path, "result.json", err);
        }
    }
    return code;
}

static enum ls_code move_file(const struct folder *folder, const char *name, struct ls_error *err)
{
    char from[4200], to[4200];

    (void)snprintf(from, sizeof from, "%s/%s", folder->path, name);
    (void)snprintf(to, sizeof to, "%s/%s", folder->whole, name);
    if (rename(from, to) != 0) {
        return ls_error_set_errno(err, LS_EWRITE,
                                  "the new result is whole in %s, but cannot take the place of %s",
                                  folder->path, to);
    }
    return LS_OK;
}

/* The result and its page come last, as they are written. */
static bool is_last(const char *name)
{
    return strcmp(name, "result.json") == 0 || strcmp(name, "report.html") == 0;
}

static enum ls_code move_files(const struct folder *folder, struct ls_error *err)
{
    DIR *files = opendir(folder->path);
    const struct dirent *file;
    enum ls_code code = LS_OK;

    if (files == NULL) {
        return ls_error_set_errno(err, LS_EWRITE, "cannot read the folder %s", folder->path);
    }
    while (code == LS_OK && (file = readdir(files)) != NULL) {
        if (file->d_name[0] != '.' && !is_last(file->d_name)) {
            code = move_file(folder, file->d_name, err);
        }
    }
    (void)closedir(files);
    if (code == LS_OK) {
        code = move_file(folder, "result.json", err);
    }
    return code == LS_OK ? move_file(folder, "report.html", err) : code;
}

enum ls_code folder_finish(struct folder *folder, struct ls_error *err)
{
    sigset_t set, before;
    enum ls_code code;

    if (folder->whole[0] == '\0') {
        return LS_OK;
    }
    (void)sigemptyset(&set);
    (void)sigaddset(&set, SIGINT);
    (void)sigaddset(&set, SIGTERM);
    (void)sigprocmask(SIG_BLOCK, &set, &before);
    code = move_files(folder, err);
    if (code == LS_OK) {
        (void)rmdir(folder->path);
        (void)snprintf(folder->path, sizeof folder->path, "%s", folder->whole);
        folder->whole[0] = '\0';
    }
    (void)sigprocmask(SIG_SETMASK, &before, NULL);
    return code;
}

void folder_leave(struct folder *folder)
{
    if (folder->made) {
        (void)rmdir(folder->path); /* where nothing came into it */
    }
    stop_removes(NULL);
}
