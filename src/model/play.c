/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Many mornings, played by several threads. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "loginstorm/normal.h"
#include "loginstorm/random.h"
#include "loginstorm/result.h"
#include "model/team.h"

#define TURN_USERS 65536 /* after so many a thread looks up from its morning */
#define PROGRESS_NS (100 * LS_NS_PER_MS)

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
                                const struct ls_mornings *mornings,
                                const struct ls_schedule *schedule, struct ls_error *err)
{
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
static void tell(struct worker *worker)
{
    struct team *team = worker->team;
    const int64_t now = now_ns();

    if (worker->first > 0 || team->progress == NULL || now - worker->told_ns < PROGRESS_NS) {
        return;
    }
    worker->told_ns = now;
    if (team->progress((double)atomic_load(&team->users) /
                           (double)ls_schedule_maker_users(team->made->maker),
                       team->data) != 0) {
        worker->stopped = true;
    }
}

/* So many users more have come. */
static void at_turn(size_t users, void *data)
{
    struct worker *worker = data;

    (void)atomic_fetch_add(&worker->team->users, (long long)users);
    worker->counted += (int64_t)users;
    tell(worker);
}

/* The schedule that lies there, or one that is made for this play and freed with it. */
static enum ls_code schedule_for(struct worker *worker, int i, struct ls_schedule **own,
                                 const struct ls_schedule **out)
{
    const struct ls_mornings *mornings = worker->team->made;
    struct ls_load load;
    enum ls_code code = LS_OK;

    *own = NULL;
    *out = ls_mornings_schedule(mornings, i);
    worker->team->out[i].peak_minute_logins = mornings->played[i].peak_minute_logins;
    if (*out == NULL) {
        code = ls_schedule_make(own, mornings->maker, mornings->played[i].seed, &worker->err);
        *out = *own;
    }
    if (*own != NULL) {
        ls_schedule_load(*own, &mornings->scenario, &load);
        worker->team->out[i].peak_minute_logins = load.peak_minute_logins;
    }
    return code;
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

static enum ls_code play_one(struct worker *worker, struct ls_model *model, struct room *room,
                             int i)
{
    struct team *team = worker->team;
    const struct ls_mornings *mornings = team->made;
    struct ls_morning *out = &team->out[i];
    struct ls_schedule *own;
    const struct ls_schedule *schedule;
    enum ls_code code;

    (void)memset(out, 0, sizeof *out); /* the same bytes by any threads */
    worker->counted = 0;
    out->cpu = cpu_of(team, i);
    ls_model_set_cpu(model, out->cpu);
    code = schedule_for(worker, i, &own, &schedule);
    if (code == LS_OK) {
        code = ls_model_run(model, schedule, mornings->played[i].seed, &worker->err);
    }
    if (code == LS_OK) {
        code = sum_up(out, model, room, &worker->err);
    }
    if (code == LS_OK) {
        code = count_again(out, model, mornings, schedule, &worker->err);
    }
    ls_schedule_free(own);
    if (code == LS_OK) {
        out->played = true;
        at_turn((size_t)(ls_schedule_maker_users(mornings->maker) - worker->counted), worker);
    }
    return code;
}

static enum ls_code play_some(struct worker *worker)
{
    struct team *team = worker->team;
    const struct ls_mornings *mornings = team->made;
    struct room room = {0};
    struct ls_model *model;
    enum ls_code code = ls_model_new(&model, team->farm, &worker->err);

    worker->told_ns = now_ns() - PROGRESS_NS; /* of the first one at once */
    for (int i = worker->first; i < mornings->count; i += team->threads) {
        team->out[i].played = false;
    }
    if (code == LS_OK) {
        ls_model_watch(model, TURN_USERS, at_turn, worker);
    }
    for (int i = worker->first; i < mornings->count && code == LS_OK && !atomic_load(&team->stop);
         i += team->threads) {
        code = play_one(worker, model, &room, i);
        if (code == LS_OK && worker->stopped) {
            code = ls_error_set(&worker->err, LS_EINTERRUPTED, "the simulation was stopped");
        }
    }
    free(room.latencies);
    ls_model_free(model);
    return code;
}

enum ls_code ls_mornings_play(const struct ls_mornings *mornings, const struct ls_model_wish *farm,
                              const struct ls_cpu_doubt *doubt, struct ls_morning *out,
                              int (*progress)(double done, void *data), void *data,
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
