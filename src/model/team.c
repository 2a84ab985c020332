/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/team.h"

#include <stdlib.h>

static void *start(void *data)
{
    struct worker *worker = data;

    worker->code = worker->team->work(worker);
    if (worker->code != LS_OK) {
        atomic_store(&worker->team->stop, true);
    }
    return NULL;
}

/* The first is this thread itself, who also does what a thread would have that could not be started. */
enum ls_code work_together(struct team *team, struct ls_error *err)
{
    struct worker *workers = calloc((size_t)team->threads, sizeof *workers);
    enum ls_code code = LS_OK;

    if (workers == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for %d threads", team->threads);
    }
    for (int i = 0; i < team->threads; i++) {
        workers[i] = (struct worker){.team = team, .first = i};
    }
    for (int i = 1; i < team->threads; i++) {
        workers[i].started = pthread_create(&workers[i].thread, NULL, start, &workers[i]) == 0;
    }
    for (int i = 0; i < team->threads; i++) {
        if (!workers[i].started) {
            (void)start(&workers[i]);
        }
    }
    for (int i = 0; i < team->threads; i++) {
        if (workers[i].started) {
            (void)pthread_join(workers[i].thread, NULL);
        }
    }
    for (int i = 0; i < team->threads && code == LS_OK; i++) {
        code = workers[i].code;
        *err = workers[i].err;
    }
    free(workers);
    return code;
}
