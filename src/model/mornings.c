/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Many mornings, by several threads. Thread t takes mornings t, t + T, ... and puts what it finds into their
 * rows; nothing else is shared but a count and the wish to stop, so there is no lock. */
#include "loginstorm/mornings.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "loginstorm/normal.h"
#include "loginstorm/random.h"
#include "loginstorm/result.h"

/* Of all mornings, which are held in memory: 1.2 GB. */
#define LOGINS_MAX INT64_C(50000000)
#define THREADS_MAX 256
#define PROGRESS_NS (100 * LS_NS_PER_MS)

struct played {
    uint64_t seed;
    struct ls_schedule *own; /* NULL: the same as the first one's */
    int64_t peak_minute_logins;
};

struct ls_mornings {
    struct ls_scenario scenario; /* shallow */
    struct ls_schedule_maker *maker;
    struct played *played;
    int count, threads;
};

/* What all threads of one piece of work share. */
struct team;
struct worker {
    struct team *team;
    int first; /* its mornings: first, first + threads, ... */
    pthread_t thread;
    bool started;
    enum ls_code code;
    struct ls_error err;
};

struct team {
    struct ls_mornings *mornings;   /* to make */
    const struct ls_mornings *made; /* to play */
    const struct ls_model_wish *farm;
    const struct ls_cpu_doubt *doubt;
    struct ls_morning *out;
    int (*progress)(int done, void *data);
    void *data;
    int threads;
    enum ls_code (*work)(struct worker *worker);
    atomic_int done;
    atomic_bool stop;
};

static int cores_there(void)
{
    cpu_set_t set;

    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

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
static enum ls_code work_together(struct team *team, struct ls_error *err)
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

/* ------------------------------------------------------------------------------------ schedules */

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

static enum ls_code make_all(struct ls_mornings *mornings, struct ls_error *err)
{
    struct team team = {.mornings = mornings, .threads = mornings->threads, .work = make_some};
    const int64_t users = ls_schedule_maker_users(mornings->maker);
    enum ls_code code;

    if (users > LOGINS_MAX / mornings->count) {
        return ls_error_set(err, LS_ERANGE,
                            "%d mornings of %lld users are more than the %lld million logins that "
                            "are simulated at once: ask for %lld mornings at most",
                            mornings->count, (long long)users, (long long)(LOGINS_MAX / 1000000),
                            (long long)(LOGINS_MAX / users));
    }
    code = make_one(mornings, 0, err);
    return code == LS_OK ? work_together(&team, err) : code;
}

/* Below 2^53, as every seed that a result tells. */
static uint64_t seed_of(uint64_t seed, int morning)
{
    const uint64_t drawn = ls_random_u64(seed, LS_STREAM_MORNING, (uint64_t)morning, 0);

    return morning == 0 ? seed : drawn & ((UINT64_C(1) << 53) - 1);
}

enum ls_code ls_mornings_new(struct ls_mornings **out, const struct ls_scenario *scenario,
                             int count, int threads, struct ls_error *err)
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
    threads = threads == 0 ? cores_there() : threads;
    threads = threads < THREADS_MAX ? threads : THREADS_MAX;
    mornings->scenario = *scenario;
    mornings->count = count;
    mornings->threads = threads < count ? threads : count;
    for (int i = 0; i < count; i++) {
        mornings->played[i].seed = seed_of(scenario->seed, i);
    }
    code = ls_schedule_maker_new(&mornings->maker, &mornings->scenario, err);
    if (code == LS_OK) {
        code = make_all(mornings, err);
    }
    if (code != LS_OK) {
        ls_mornings_free(mornings);
        return code;
    }
    *out = mornings;
    return LS_OK;
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

    return own != NULL ? own : mornings->played[0].own;
}

/* --------------------------------------------------------------------------------------- a play */

struct room {
    int64_t *latencies;
    size_t count;
};

static bool room_for(struct room *room, size_t count)
{
    int64_t *latencies;

    if (count <= room->count) {
        return true;
    }
    latencies = realloc(room->latencies, count * sizeof *latencies);
    if (latencies == NULL) {
        return false;
    }
    room->latencies = latencies;
    room->count = count;
    return true;
}

/* The nearest rank among those who got in (sorted) and those who did not, who stand behind them all. */
static int64_t of_all(const int64_t *sorted, size_t logged_in, size_t count, int q_of_10000)
{
    const size_t rank = (count * (size_t)q_of_10000 + 9999) / 10000;

    return rank >= 1 && rank <= logged_in ? sorted[rank - 1] : LS_NEVER_NS;
}

static enum ls_code sum_up(struct ls_morning *out, const struct ls_model *model, struct room *room,
                           struct ls_error *err)
{
    size_t count, in = 0;
    const struct ls_login *rows = ls_model_logins(model, &count);
    struct ls_quantiles quantiles;

    if (!room_for(room, count)) {
        return ls_error_set(err, LS_ENOMEM, "no memory to work out %zu logins", count);
    }
    for (size_t i = 0; i < count; i++) {
        if (rows[i].outcome == LS_OUTCOME_LOGGED_IN) {
            room->latencies[in++] = rows[i].done_ns - rows[i].due_ns;
        } else {
            out->by_reason[rows[i].reason]++;
        }
    }
    ls_quantiles_of(room->latencies, in, &quantiles);
    out->facts = *ls_model_facts(model);
    out->p50_ns = quantiles.p50;
    out->p90_ns = quantiles.p90;
    out->p95_ns = quantiles.p95;
    out->p99_ns = quantiles.p99;
    out->p99_9_ns = quantiles.p99_9;
    out->p100_ns = quantiles.p100;
    out->of_all_p50_ns = of_all(room->latencies, in, count, 5000);
    out->of_all_p95_ns = of_all(room->latencies, in, count, 9500);
    out->of_all_p99_ns = of_all(room->latencies, in, count, 9900);
    out->of_all_p100_ns = of_all(room->latencies, in, count, 10000);
    return LS_OK;
}

/* The schedule's own peak is known; whoever an event sends back may make another. */
static enum ls_code count_again(struct ls_morning *out, const struct ls_model *model,
                                const struct ls_mornings *mornings, int i, struct ls_error *err)
{
    const struct ls_schedule *schedule = ls_mornings_schedule(mornings, i);
    struct ls_load load;
    size_t count;
    enum ls_code code;

    (void)ls_model_logins(model, &count);
    if (count == schedule->count) {
        return LS_OK;
    }
    code = ls_model_load(&load, model, schedule, &mornings->scenario, err);
    if (code == LS_OK) {
        out->peak_minute_logins = load.peak_minute_logins;
    }
    return code;
}

static int64_t now_ns(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * LS_NS_PER_S + now.tv_nsec;
}

/* Only the caller's own thread tells how far it is. */
static enum ls_code tell(struct worker *worker, int64_t *told_ns)
{
    struct team *team = worker->team;
    const int64_t now = now_ns();

    if (worker->first > 0 || team->progress == NULL || now - *told_ns < PROGRESS_NS) {
        return LS_OK;
    }
    *told_ns = now;
    if (team->progress(atomic_load(&team->done), team->data) != 0) {
        return ls_error_set(&worker->err, LS_EINTERRUPTED, "the simulation was stopped");
    }
    return LS_OK;
}

/* Half of the mornings lie below the costs and half above, each by its own side of the interval. */
#define Z_95 1.959963984540054
#define CPU_LEAST 0.05
static double cpu_of(const struct team *team, int morning)
{
    const struct ls_cpu_doubt *doubt = team->doubt;
    const uint64_t seed = team->made->scenario.seed;
    double z, cpu;

    if (doubt == NULL || morning == 0) {
        return 1;
    }
    z = ls_normal_at(ls_random_unit(seed, LS_STREAM_COSTS, (uint64_t)morning, 0)) / Z_95;
    cpu = z < 0 ? 1 + z * (1 - doubt->low) : 1 + z * (doubt->high - 1);
    return cpu > CPU_LEAST ? cpu : CPU_LEAST;
}

static enum ls_code play_some(struct worker *worker)
{
    struct team *team = worker->team;
    const struct ls_mornings *mornings = team->made;
    struct room room = {0};
    struct ls_model *model;
    int64_t told_ns = now_ns() - PROGRESS_NS; /* of the first one at once */
    enum ls_code code = ls_model_new(&model, team->farm, &worker->err);

    for (int i = worker->first; i < mornings->count; i += team->threads) {
        team->out[i].played = false;
    }
    for (int i = worker->first; i < mornings->count && code == LS_OK && !atomic_load(&team->stop);
         i += team->threads) {
        (void)memset(&team->out[i], 0, sizeof team->out[i]); /* the same bytes by any threads */
        team->out[i].peak_minute_logins = mornings->played[i].peak_minute_logins;
        team->out[i].cpu = cpu_of(team, i);
        ls_model_set_cpu(model, team->out[i].cpu);
        code = ls_model_run(model, ls_mornings_schedule(mornings, i), mornings->played[i].seed,
                            &worker->err);
        if (code == LS_OK) {
            code = sum_up(&team->out[i], model, &room, &worker->err);
        }
        if (code == LS_OK) {
            code = count_again(&team->out[i], model, mornings, i, &worker->err);
        }
        if (code == LS_OK) {
            team->out[i].played = true;
            (void)atomic_fetch_add(&team->done, 1);
            code = tell(worker, &told_ns);
        }
    }
    free(room.latencies);
    ls_model_free(model);
    return code;
}

enum ls_code ls_mornings_play(const struct ls_mornings *mornings, const struct ls_model_wish *farm,
                              const struct ls_cpu_doubt *doubt, struct ls_morning *out,
                              int (*progress)(int done, void *data), void *data,
                              struct ls_error *err)
{
    struct team team = {.made = mornings,
                        .farm = farm,
                        .doubt = doubt,
                        .out = out,
                        .progress = progress,
                        .data = data,
                        .threads = mornings->threads,
                        .work = play_some};

    return work_together(&team, err);
}
