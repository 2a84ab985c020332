/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether results are shards of one storm. */
#include "loginstorm/merge.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VALUE_SIZE 104

static void put_text(char out[VALUE_SIZE], const char *text)
{
    (void)snprintf(out, VALUE_SIZE, "%.100s", text == NULL ? "none" : text);
}

static void put_name(const struct ls_result *result, char out[VALUE_SIZE])
{
    put_text(out, result->name);
}

static void put_digest(const struct ls_result *result, char out[VALUE_SIZE])
{
    put_text(out, result->sha256);
}

static void put_seed(const struct ls_result *result, char out[VALUE_SIZE])
{
    (void)snprintf(out, VALUE_SIZE, "%" PRIu64, result->seed);
}

static void put_users(const struct ls_result *result, char out[VALUE_SIZE])
{
    (void)snprintf(out, VALUE_SIZE, "%" PRId64, result->users);
}

static void put_speedup(const struct ls_result *result, char out[VALUE_SIZE])
{
    (void)snprintf(out, VALUE_SIZE, "%.15g", result->speedup);
}

static void put_target(const struct ls_result *result, char out[VALUE_SIZE])
{
    put_text(out, result->target);
}

static void put_count(const struct ls_result *result, char out[VALUE_SIZE])
{
    (void)snprintf(out, VALUE_SIZE, "%d", result->shard.count);
}

static void put_injectors(const struct ls_result *result, char out[VALUE_SIZE])
{
    (void)snprintf(out, VALUE_SIZE, "%d", result->injectors);
}

static void put_version(const struct ls_result *result, char out[VALUE_SIZE])
{
    put_text(out, result->shard.version);
}

static void put_library(const struct ls_result *result, char out[VALUE_SIZE])
{
    put_text(out, result->tls_library);
}

static void put_build(const struct ls_result *result, char out[VALUE_SIZE])
{
    put_text(out, result->tls_build);
}

/* What must be the same in all shards. What tells a user most stands first; the digest, which tells him least, where nothing
 * else differs. */
static const struct {
    const char *what;
    void (*put)(const struct ls_result *result, char out[VALUE_SIZE]);
} alike[] = {
    {"the scenario", put_name},
    {"the number of shards", put_count},
    {"the number of injectors a shard, by which users are split,", put_injectors},
    {"the seed", put_seed},
    {"the number of users", put_users},
    {"the speed-up", put_speedup},
    {"the target", put_target},
    {"the version of loginstorm", put_version},
    {"the TLS library", put_library},
    {"the TLS library's build", put_build},
    {"the scenario's sha256 (of its text and what its paths name)", put_digest},
};

static enum ls_code check_alike(const struct ls_result *a, const char *path_a,
                                const struct ls_result *b, const char *path_b, struct ls_error *err)
{
    for (size_t i = 0; i < sizeof alike / sizeof alike[0]; i++) {
        char one[VALUE_SIZE], other[VALUE_SIZE];

        alike[i].put(a, one);
        alike[i].put(b, other);
        if (strcmp(one, other) != 0) {
            return ls_error_set_at(err, path_b, 0, 0,
                                   "of another storm: %s is %s here, and %s in %.120s",
                                   alike[i].what, other, one, path_a);
        }
    }
    return LS_OK;
}

/* Figures that are added up: beyond any run's, and still far from what 64 bits hold. */
#define MOST (INT64_C(1) << 60)
#define SHARE_MOST 1e6
#define INJECTORS_MOST 256

static bool can_be_added(const struct ls_run *run)
{
    const int64_t values[] = {
        run->gateway_cpu_ns,
        run->injectors_cpu_ns,
        run->sessions_lost,
        run->kernel.listen_overflows,
        run->kernel.listen_drops,
        run->kernel.syn_retransmits,
        run->shard.gateway_user_ns,
        run->shard.gateway_system_ns,
        run->shard.gateway_baseline_ns,
        run->shard.gateway_baseline_error_ns,
        run->slice_ns,
    };
    /* A moment in 2100 is as good as none. */
    bool good = run->validity.injector_cpu_share <= SHARE_MOST &&
                run->shard.started_ns < 4 * (MOST - 1) && run->shard.start_at_ns < 4 * (MOST - 1);

    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        good = good && values[i] < MOST;
    }
    for (size_t i = 0; i < run->timeline_count; i++) {
        good = good && run->timeline[i].gateway_cpu_share <= SHARE_MOST;
    }
    return good;
}

static enum ls_code check_runs(const struct ls_result *result, const char *path,
                               struct ls_error *err)
{
    for (size_t i = 0; i < result->runs_count; i++) {
        const struct ls_run *run = &result->runs[i];

        if (!run->live || run->shard.started_ns <= 0) {
            return ls_error_set_at(err, path, 0, 0, "runs[%zu].shard: missing", i);
        }
        if (!can_be_added(run)) {
            return ls_error_set_at(err, path, 0, 0, "runs[%zu] has a figure that no run can have",
                                   i);
        }
    }
    return LS_OK;
}

static enum ls_code check_is_shard(const struct ls_result *result, const char *path,
                                   struct ls_error *err)
{
    if (result->merged_count > 0) {
        return ls_error_set_at(err, path, 0, 0, "no shard, but what was merged of %zu shards",
                               result->merged_count);
    }
    if (result->shard.count == 0) {
        return ls_error_set_at(err, path, 0, 0,
                               "no shard, but the whole of a %s: only what `run --shard I/N` "
                               "leaves is merged",
                               result->runs_count > 0 && !result->runs[0].live ? "simulation"
                                                                               : "storm");
    }
    if (result->injectors < 1 || result->injectors > INJECTORS_MOST) {
        return ls_error_set_at(err, path, 0, 0, "injectors: %d is out of range (1 to %d)",
                               result->injectors, INJECTORS_MOST);
    }
    return check_runs(result, path, err);
}

enum ls_code ls_merge_check(const struct ls_result *const *results, const char *const *paths,
                            size_t count, struct ls_error *err)
{
    enum ls_code code = LS_OK;

    for (size_t i = 0; code == LS_OK && i < count; i++) {
        code = check_is_shard(results[i], paths[i], err);
        if (code == LS_OK) {
            code = check_alike(results[0], paths[0], results[i], paths[i], err);
        }
        for (size_t j = 0; code == LS_OK && j < i; j++) {
            if (results[i]->shard.index == results[j]->shard.index) {
                code = ls_error_set_at(err, paths[i], 0, 0,
                                       "shard %d of %d a second time: it is in %.200s, too",
                                       results[i]->shard.index, results[i]->shard.count, paths[j]);
            }
        }
    }
    return code;
}
