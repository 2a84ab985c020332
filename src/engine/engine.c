/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/engine.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/login.h"
#include "loginstorm/tls.h"
#include "loginstorm/units.h"

#define HEARTBEAT_MS 100

static void free_slots(struct ls_engine *engine)
{
    for (size_t i = 0; engine->slots != NULL && i < engine->slots_count; i++) {
        ls_tls_session_free(engine->slots[i].session);
    }
    free(engine->slots);
}

static void free_profiles(struct ls_engine *engine)
{
    for (size_t i = 0; i < engine->profiles_count; i++) {
        ls_tls_context_free(engine->profiles[i].context);
        free(engine->profiles[i].request);
    }
    free(engine->profiles);
}

struct ls_tls_client_wish ls_engine_client_wish(const struct ls_tls_wish *tls,
                                                const char *server_name, const char *trust)
{
    static const enum ls_tls_check checks[] = {
        [LS_VERIFY_CHAIN] = LS_CHECK_CHAIN,
        [LS_VERIFY_LEAF] = LS_CHECK_LEAF,
        [LS_VERIFY_NONE] = LS_CHECK_NONE,
    };

    return (struct ls_tls_client_wish){
        .tls12 = tls->min == LS_TLS_1_2,
        .tls13 = tls->max == LS_TLS_1_3,
        .groups = (const char *const *)tls->groups,
        .key_shares = (const char *const *)tls->key_shares,
        .ciphers = (const char *const *)tls->ciphers,
        .server_name = server_name,
        .check = checks[tls->verify],
        .trust = trust,
        .tickets = tls->resume_share > 0,
        .alpn = (const char *const *)tls->alpn,
    };
}

const char *ls_engine_asked_name(const char *server_name, const struct ls_tls_wish *tls,
                                 const char *host)
{
    const char *name = tls->server_name;

    if (server_name != NULL) {
        return server_name;
    }
    if (host != NULL && (name == NULL || strcmp(name, LS_SERVER_NAME_DEFAULT) == 0)) {
        name = host;
    }
    return name == NULL || name[0] == '\0' ? NULL : name;
}

static enum ls_code profile_init(struct profile *profile, const struct ls_engine_job *job,
                                 size_t index, struct ls_error *err)
{
    const struct ls_population *population = &job->scenario->populations[index];
    const struct ls_tls_wish *tls = &population->tls;
    const struct ls_login_wish *login = &job->scenario->login;
    const char *name = ls_engine_asked_name(job->server_name, tls, job->host);
    struct ls_tls_client_wish wish = ls_engine_client_wish(tls, name, job->trust);
    enum ls_code code;

    wish.identity = job->clients == NULL ? NULL : job->clients[index];
    code = ls_tls_client_new(&profile->context, &wish, err);
    profile->connections = population->connections;
    if (code == LS_OK && (login->send_bytes > 0 || login->receive_bytes > 0)) {
        code = request_build(&profile->request, login, job->scenario->gateway.embedded, name, err);
        profile->request_size = (size_t)login->send_bytes;
        profile->http = !job->scenario->gateway.embedded;
    }
    return code;
}

static enum ls_code prepare_profiles(struct ls_engine *engine, struct ls_error *err)
{
    const struct ls_scenario *scenario = engine->job.scenario;
    enum ls_code code = LS_OK;

    engine->profiles = calloc(scenario->populations_count, sizeof *engine->profiles);
    if (engine->profiles == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for the populations");
    }
    engine->profiles_count = scenario->populations_count;
    for (size_t i = 0; code == LS_OK && i < engine->profiles_count; i++) {
        code = profile_init(&engine->profiles[i], &engine->job, i, err);
    }
    return code;
}

static enum ls_code prepare_slots(struct ls_engine *engine, struct ls_error *err)
{
    const struct ls_engine_job *job = &engine->job;
    const size_t shard = (size_t)job->shard;
    const size_t shards = (size_t)job->shards;
    const size_t users = job->schedule->count;

    engine->slots_count = users / shards + (shard < users % shards ? 1 : 0);
    engine->slots = calloc(engine->slots_count + 1, sizeof *engine->slots);
    if (engine->slots == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for %zu users", engine->slots_count);
    }
    for (size_t i = 0; i < engine->slots_count; i++) {
        struct slot *slot = &engine->slots[i];
        const struct ls_arrival *arrival;

        slot->engine = engine;
        slot->user = (uint32_t)(shard + i * shards);
        arrival = &job->schedule->rows[slot->user];
        slot->row = (struct ls_login){
            .due_ns = arrival->due_ns,
            .started_ns = LS_NEVER_NS,
            .connected_ns = LS_NEVER_NS,
            .secured_ns = LS_NEVER_NS,
            .done_ns = LS_NEVER_NS,
            .population = arrival->population,
        };
    }
    return LS_OK;
}

int64_t ls_engine_handshakes_max(const struct ls_scenario *scenario,
                                 const struct ls_schedule *schedule)
{
    int64_t count = 0;

    for (size_t i = 0; i < schedule->count; i++) {
        count += scenario->populations[schedule->rows[i].population].connections;
    }
    return count * scenario->login.attempts;
}

/* A process that was stopped or starved shows in the wall clock, but not in its CPU clock. */
static void on_heartbeat(uv_timer_t *timer)
{
    struct ls_engine *engine = timer->data;
    const int64_t now_ns = ls_now_ns();
    const int64_t cpu_ns = ls_thread_cpu_ns();
    const int64_t late_ns = now_ns - engine->beat_ns - HEARTBEAT_MS * LS_NS_PER_MS;
    const int64_t gap_ns = late_ns - (cpu_ns - engine->beat_cpu_ns);

    if (gap_ns > engine->facts.clock_gap_ns) {
        engine->facts.clock_gap_ns = gap_ns;
    }
    engine->beat_ns = now_ns;
    engine->beat_cpu_ns = cpu_ns;
}

static enum ls_code prepare_clocks(struct ls_engine *engine, struct ls_error *err)
{
    const enum ls_code code = pace_prepare(engine, err);

    if (code != LS_OK) {
        return code;
    }
    (void)uv_timer_init(engine->loop, &engine->heartbeat);
    engine->heartbeat.data = engine;
    ls_hub_init(&engine->hub, engine->loop, &engine_calls);
    engine->hub.between = pace_start_due;
    engine->hub.between_data = engine;
    for (size_t i = 0; i < engine->slots_count; i++) {
        slot_timer_init(&engine->slots[i]);
    }
    return LS_OK;
}

enum ls_code ls_engine_new(struct ls_engine **out, uv_loop_t *loop, const struct ls_engine_job *job,
                           struct ls_error *err)
{
    struct ls_engine *engine = calloc(1, sizeof *engine);
    enum ls_code code;

    *out = NULL;
    if (engine == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for the engine");
    }
    engine->job = *job;
    engine->loop = loop;
    engine->pacer_fd = -1;
    code = pace_check(job, err);
    if (code == LS_OK) {
        code = prepare_profiles(engine, err);
    }
    if (code == LS_OK) {
        code = prepare_slots(engine, err);
    }
    if (code == LS_OK) {
        code = limits_prepare(engine, err);
    }
    if (code == LS_OK) {
        code = proxy_prepare(engine, err);
    }
    if (code == LS_OK) {
        code = prepare_clocks(engine, err);
    }
    if (code != LS_OK) {
        free_slots(engine);
        free_profiles(engine);
        free(engine->begun_ns);
        free(engine);
        return code;
    }
    *out = engine;
    return LS_OK;
}

enum ls_code ls_engine_start(struct ls_engine *engine, int64_t start_ns, struct ls_error *err)
{
    engine->start_ns = start_ns;
    engine->started = true;
    engine->beat_ns = ls_now_ns();
    engine->beat_cpu_ns = ls_thread_cpu_ns();
    if (uv_timer_start(&engine->heartbeat, on_heartbeat, HEARTBEAT_MS, HEARTBEAT_MS) != 0 ||
        pace_start(engine) != 0) {
        return ls_error_set_errno(err, LS_ESYSTEM, "cannot start the schedule's timer");
    }
    if (engine->slots_count == 0) {
        engine->job.decided(engine->job.data);
    }
    return LS_OK;
}

void engine_check_closed(struct ls_engine *engine)
{
    if (engine->ending && engine->open_connections == 0 && !tickets_under_way(engine) &&
        !engine->told_closed) {
        engine->told_closed = true;
        uv_close((uv_handle_t *)&engine->pacer, NULL);
        uv_close((uv_handle_t *)&engine->heartbeat, NULL);
        ls_hub_stop(&engine->hub);
        engine->job.closed(engine->job.data);
    }
}

static void end(struct ls_engine *engine, void (*each)(struct slot *slot))
{
    /* The turn that closes thousands of sessions is no stall of the storm. */
    ls_engine_facts(engine, &engine->facts);
    engine->ending = true;
    engine->ended_ns = ls_now_ns() - engine->start_ns;
    tickets_stop(engine);
    (void)uv_poll_stop(&engine->pacer);
    (void)uv_timer_stop(&engine->heartbeat);
    for (size_t i = 0; i < engine->slots_count; i++) {
        each(&engine->slots[i]);
        uv_close((uv_handle_t *)&engine->slots[i].timer, NULL);
    }
    engine_check_closed(engine);
}

static void let_go(struct slot *slot)
{
    (void)uv_timer_stop(&slot->timer);
    slot->state = SLOT_DONE;
    slot_close(slot, slot->engine->job.scenario->login.close == LS_CLOSE_RESET);
}

void ls_engine_release(struct ls_engine *engine)
{
    if (!engine->ending) {
        end(engine, let_go);
    }
}

void ls_engine_stop(struct ls_engine *engine)
{
    if (!engine->ending) {
        end(engine, slot_cut_off);
    }
}

void ls_engine_facts(const struct ls_engine *engine, struct ls_engine_facts *facts)
{
    *facts = engine->facts;
    if (!engine->ending) {
        facts->worst_turn_ns = engine->hub.worst_turn_ns;
    }
}

void ls_engine_free(struct ls_engine *engine)
{
    if (engine == NULL) {
        return;
    }
    if (engine->pacer_fd >= 0) {
        (void)close(engine->pacer_fd);
    }
    free_slots(engine);
    free_profiles(engine);
    free(engine->tickets);
    free(engine->begun_ns);
    free(engine);
}
