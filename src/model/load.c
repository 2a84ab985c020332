/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How dense a morning was as it was played: whom an event sent back comes twice. */
#include <stdlib.h>
#include <string.h>

#include "loginstorm/model.h"

static int by_moment(const void *left, const void *right)
{
    const struct ls_arrival *a = left, *b = right;

    return (a->at_ns > b->at_ns) - (a->at_ns < b->at_ns);
}

/* Both are sorted, and so is what comes of them. */
static void merge(struct ls_schedule *all, const struct ls_arrival *users, size_t users_count,
                  const struct ls_arrival *again, size_t again_count)
{
    size_t u = 0, a = 0;

    while (u < users_count || a < again_count) {
        const bool user = a == again_count || (u < users_count && users[u].at_ns <= again[a].at_ns);

        all->rows[all->count++] = user ? users[u++] : again[a++];
    }
}

enum ls_code ls_model_load(struct ls_load *out, const struct ls_model *model,
                           const struct ls_schedule *schedule, const struct ls_scenario *scenario,
                           struct ls_error *err)
{
    size_t count;
    const struct ls_login *rows = ls_model_logins(model, &count);
    const size_t more = count - schedule->count;
    struct ls_arrival *again;
    struct ls_schedule *all;

    if (more == 0) {
        ls_schedule_load(schedule, scenario, out);
        return LS_OK;
    }
    again = calloc(more, sizeof *again);
    all = calloc(1, sizeof *all + count * sizeof all->rows[0]);
    if (again == NULL || all == NULL) {
        free(again);
        free(all);
        return ls_error_set(err, LS_ENOMEM, "no memory to count %zu logins", count);
    }
    for (size_t i = 0; i < more; i++) {
        const int64_t due_ns = rows[schedule->count + i].due_ns;

        again[i].at_ns = (int64_t)((double)due_ns * scenario->speedup);
    }
    qsort(again, more, sizeof *again, by_moment);
    merge(all, schedule->rows, schedule->count, again, more);
    ls_schedule_load(all, scenario, out);
    free(again);
    free(all);
    return LS_OK;
}
