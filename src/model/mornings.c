/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Many mornings: their schedules, and what they take. */
#include "loginstorm/mornings.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "loginstorm/random.h"
#include "model/team.h"

/* Of all mornings together, whose schedules are kept in memory: 240 MB. Where they would be more, only the first is kept, and
 * each thread makes those of the mornings that it plays. */
#define LOGINS_KEPT INT64_C(10000000)
#define THREADS_MAX 256

static int cores_there(void)
{
    cpu_set_t set;

    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

static bool same_schedule(const struct ls_schedule *a, const struct ls_schedule *b)
{
    return a->count == b->count && memcmp(a->rows, b->rows, a->count * sizeof a->rows[0]) == 0;
}

static enum ls_code make_one(struct ls_mornings *mornings, int i, struct ls_error *err)
{
    struct played *played = &mornings->played[i];
    struct ls_load load;
    enum ls_code code = ls_schedule_make(&played->own, mornings->maker, played->seed, err);

    if (code != LS_OK) {
        return code;
    }
    ls_schedule_load(played->own, &mornings->scenario, &load);
    played->peak_minute_logins = load.peak_minute_logins;
    if (i > 0 && same_schedule(played->own, mornings->played[0].own)) {
        ls_schedule_free(played->own);
        played->own = NULL;
    }
    return LS_OK;
}

static enum ls_code make_some(struct worker *worker)
{
    struct team *team = worker->team;
    enum ls_code code = LS_OK;

    /* The first one of all is there already. */
    for (int i = worker->first + 1;
         i < team->mornings->count && code == LS_OK && !atomic_load(&team->stop);
         i += team->threads) {
        code = make_one(team->mornings, i, &worker->err);
    }
    return code;
}

static enum ls_code make_all(struct ls_mornings *mornings, int64_t logins_kept,
                             struct ls_error *err)
{
    struct team team = {.mornings = mornings, .threads = mornings->threads, .work = make_some};
    enum ls_code code = make_one(mornings, 0, err);

    mornings->kept = ls_schedule_maker_users(mornings->maker) <= logins_kept / mornings->count;
    return code == LS_OK && mornings->kept ? work_together(&team, err) : code;
}

/* Below 2^53, as every seed that a result tells. */
static uint64_t seed_of(uint64_t seed, int morning)
{
    const uint64_t drawn = ls_random_u64(seed, LS_STREAM_MORNING, (uint64_t)morning, 0);

    return morning == 0 ? seed : drawn & ((UINT64_C(1) << 53) - 1);
}

int ls_mornings_threads(int wished, int count)
{
    const int threads = wished > 0 ? wished : cores_there();
    const int most = count < THREADS_MAX ? count : THREADS_MAX;

    return threads < most ? threads : most;
}

/* While a schedule is sorted it is there twice, and latencies take three numbers a login while they are; not both at once. */
int64_t ls_mornings_memory(const struct ls_scenario *scenario, int64_t users, int count,
                           int threads)
{
    const int64_t schedule = users * (int64_t)sizeof(struct ls_arrival);
    const int64_t sorting = 3 * users * (int64_t)sizeof(int64_t);
    const bool kept = users <= LOGINS_KEPT / count;
    const int64_t each = ls_model_memory(scenario, users, false) + sorting + (kept ? 0 : schedule);

    return (kept ? count * schedule : schedule) + threads * each;
}

enum ls_code mornings_new(struct ls_mornings **out, const struct ls_scenario *scenario, int count,
                          int threads, int64_t logins_kept, struct ls_error *err)
{
    struct ls_mornings *mornings;
    enum ls_code code;

    *out = NULL;
    if (count < 1 || threads < 0) {
        return ls_error_set(err, LS_EINPUT, "%d mornings by %d threads are none", count, threads);
    }
    mornings = calloc(1, sizeof *mornings);
    if (mornings != NULL) {
        mornings->played = calloc((size_t)count, sizeof *mornings->played);
    }
    if (mornings == NULL || mornings->played == NULL) {
        ls_mornings_free(mornings);
        return ls_error_set(err, LS_ENOMEM, "no memory for %d mornings", count);
    }
    mornings->scenario = *scenario;
    mornings->count = count;
    mornings->threads = ls_mornings_threads(threads, count);
    for (int i = 0; i < count; i++) {
        mornings->played[i].seed = seed_of(scenario->seed, i);
    }
    code = ls_schedule_maker_new(&mornings->maker, &mornings->scenario, err);
    if (code == LS_OK) {
        code = make_all(mornings, logins_kept, err);
    }
    if (code != LS_OK) {
        ls_mornings_free(mornings);
        return code;
    }
    *out = mornings;
    return LS_OK;
}

enum ls_code ls_mornings_new(struct ls_mornings **out, const struct ls_scenario *scenario,
                             int count, int threads, struct ls_error *err)
{
    return mornings_new(out, scenario, count, threads, LOGINS_KEPT, err);
}

void ls_mornings_free(struct ls_mornings *mornings)
{
    if (mornings == NULL) {
        return;
    }
    for (int i = 0; mornings->played != NULL && i < mornings->count; i++) {
        ls_schedule_free(mornings->played[i].own);
    }
    ls_schedule_maker_free(mornings->maker);
    free(mornings->played);
    free(mornings);
}

uint64_t ls_mornings_seed(const struct ls_mornings *mornings, int morning)
{
    return mornings->played[morning].seed;
}

const struct ls_schedule *ls_mornings_schedule(const struct ls_mornings *mornings, int morning)
{
    const struct ls_schedule *own = mornings->played[morning].own;

    return own != NULL || !mornings->kept ? own : mornings->played[0].own;
}
