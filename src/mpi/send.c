/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mpi/send.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "loginstorm/file.h"
#include "loginstorm/units.h"
#include "mpi/launch.h"

/* Others may have much more to send, and come first. */
#define OVER_PATIENCE_NS LS_NS_PER_H

static bool is_wanted(const char *name)
{
    return strcmp(name, "scenario.yaml") == 0 || strcmp(name, "samples.csv") == 0 ||
           strcmp(name, "handshakes.csv") == 0 ||
           (strncmp(name, "curve", strlen("curve")) == 0 && strlen(name) < GATHER_NAME);
}

static bool add(struct gather_report *report, const char *folder, const char *name)
{
    struct gather_file *file = &report->files[report->count];
    char path[LAUNCH_PATH + GATHER_NAME];
    struct stat info;

    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    if (report->count == GATHER_FILES || stat(path, &info) != 0 || !S_ISREG(info.st_mode)) {
        return false;
    }
    (void)snprintf(file->name, sizeof file->name, "%.31s", name);
    file->size_bytes = info.st_size;
    report->count++;
    return true;
}

void send_list(const char *folder, struct gather_report *report)
{
    DIR *all = opendir(folder);
    struct dirent *one;

    report->count = 0;
    while (all != NULL && (one = readdir(all)) != NULL) {
        if (is_wanted(one->d_name)) {
            (void)add(report, folder, one->d_name);
        }
    }
    if (all != NULL) {
        (void)closedir(all);
    }
    if (!add(report, folder, GATHER_LAST)) {
        report->count = 0;
    }
}

static bool send_file(const struct launch *launch, const struct gather_file *file)
{
    char path[LAUNCH_PATH + GATHER_NAME];
    struct ls_error err;
    char *bytes;
    size_t size, at = 0;
    bool sent;

    (void)snprintf(path, sizeof path, "%s/%s", launch->folder, file->name);
    if (ls_file_read(path, (size_t)file->size_bytes, &bytes, &size, &err) != LS_OK) {
        return false;
    }
    sent = size == (size_t)file->size_bytes;
    do {
        const size_t piece = size - at < GATHER_PIECE ? size - at : GATHER_PIECE;

        sent = sent &&
               talk_sent(0, TALK_PIECE, bytes + at, piece, launch_deadline_ns(launch), TALK_CALM);
        at += piece;
    } while (sent && at < size);
    free(bytes);
    return sent;
}

bool send_folder(struct launch *launch)
{
    struct gather_report report = {.status = launch->play.status, .shares = launch->ready.shares};
    struct launch_word word;
    bool sent;

    send_list(launch->folder, &report);
    sent = talk_sent(0, TALK_REPORT, &report, sizeof report, launch_deadline_ns(launch), TALK_CALM);
    for (int i = 0; sent && report.shares == 0 && i < report.count; i++) {
        sent = send_file(launch, &report.files[i]);
    }
    return sent &&
           talk_received(0, TALK_WORD, &word, sizeof word, ls_now_ns() + OVER_PATIENCE_NS,
                         TALK_CALM) &&
           word.what == WORD_OVER;
}
