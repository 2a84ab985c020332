/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/engine.h"

#include <stdlib.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "engine/login.h"
#include "loginstorm/tls.h"
#include "loginstorm/units.h"

/* Users started in one go before the sockets are looked at again: about 1 ms of connect() calls. */
#define STARTS_PER_TURN 64

#define HEARTBEAT_MS 100

static void free_profiles(struct ls_engine *engine)
{
    for (size_t i = 0; i < engine->profiles_count; i++) {
        ls_tls_context_free(engine->profiles[i].context);
        free(engine->profiles[i].request);
    }
    free(engine->profiles);
}

static enum ls_code profile_init(struct profile *profile, const struct ls_engine_job *job,
                                 const struct ls_population *population, struct ls_error *err)
{
    const struct ls_tls_wish *tls = &population->tls;
    const struct ls_login_wish *login = &job->scenario->login;
    static const enum ls_tls_check checks[] = {
        [LS_VERIFY_CHAIN] = LS_CHECK_CHAIN,
        [LS_VERIFY_LEAF] = LS_CHECK_LEAF,
        [LS_VERIFY_NONE] = LS_CHECK_NONE,
    };
    const struct ls_tls_client_wish wish = {
        .tls12 = tls->min == LS_TLS_1_2,
        .tls13 = tls->max == LS_TLS_1_3,
        .groups = (const char *const *)tls->groups,
        .key_shares = (const char *const *)tls->key_shares,
        .ciphers = (const char *const *)tls->ciphers,
        .server_name = tls->server_name,
        .check = checks[tls->verify],
        .trust = job->trust,
    };
    enum ls_code code = ls_tls_client_new(&profile->context, &wish, err);

    profile->connections = population->connections;
    if (code == LS_OK && (login->send_bytes > 0 || login->receive_bytes > 0)) {
        code = request_build(&profile->request, login->send_bytes, login->receive_bytes,
                             tls->server_name, err);
        profile->request_size = (size_t)login->send_bytes;
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
        code = profile_init(&engine->profiles[i], &engine->job, &scenario->populations[i], err);
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

/* Starts whoever is due. Called by the pacer, and between two pieces of TLS work so that those
 * never make a user late. */
static void start_due(void *data)
{
    struct ls_engine *engine = data;
    int64_t now_ns = ls_now_ns() - engine->start_ns;

    for (int n = 0; n < STARTS_PER_TURN && engine->next < engine->slots_count && !engine->ending;
         n++) {
        struct slot *slot = &engine->slots[engine->next];

        if (slot->row.due_ns > now_ns) {
            return;
        }
        engine->next++;
        slot_start(slot);
        now_ns = ls_now_ns() - engine->start_ns;
    }
}

/* Sets the timer for the next user: a timerfd, since libuv's own timers know milliseconds only. */
static int arm_pacer(struct ls_engine *engine)
{
    struct itimerspec next = {0};
    int64_t at_ns;

    if (engine->next < engine->slots_count && !engine->ending) {
        at_ns = engine->start_ns + engine->slots[engine->next].row.due_ns;
        at_ns = at_ns > 1 ? at_ns : 1; /* 0 would disarm it */
        next.it_value.tv_sec = at_ns / LS_NS_PER_S;
        next.it_value.tv_nsec = at_ns % LS_NS_PER_S;
    }
    return timerfd_settime(engine->pacer_fd, TFD_TIMER_ABSTIME, &next, NULL);
}

static void on_pacer(uv_poll_t *pacer, int status, int events)
{
    struct ls_engine *engine = pacer->data;

    (void)status;
    (void)events;
    start_due(engine);
    (void)arm_pacer(engine); /* makes it unreadable, too: no need to read it */
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
    engine->pacer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    if (engine->pacer_fd < 0) {
        return ls_error_set_errno(err, LS_ESYSTEM, "no timer for the schedule");
    }
    if (uv_poll_init(engine->loop, &engine->pacer, engine->pacer_fd) != 0) {
        (void)close(engine->pacer_fd);
        engine->pacer_fd = -1;
        return ls_error_set(err, LS_ESYSTEM, "no timer for the schedule in the loop");
    }
    (void)uv_timer_init(engine->loop, &engine->heartbeat);
    engine->pacer.data = engine;
    engine->heartbeat.data = engine;
    ls_hub_init(&engine->hub, engine->loop, &engine_calls);
    engine->hub.between = start_due;
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
    code = prepare_profiles(engine, err);
    if (code == LS_OK) {
        code = prepare_slots(engine, err);
    }
    if (code == LS_OK) {
        code = limits_prepare(engine, err);
    }
    if (code == LS_OK) {
        code = prepare_clocks(engine, err);
    }
    if (code != LS_OK) {
        free(engine->slots);
        free_profiles(engine);
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
    if (uv_poll_start(&engine->pacer, UV_READABLE, on_pacer) != 0 ||
        uv_timer_start(&engine->heartbeat, on_heartbeat, HEARTBEAT_MS, HEARTBEAT_MS) != 0 ||
        arm_pacer(engine) != 0) {
        return ls_error_set_errno(err, LS_ESYSTEM, "cannot start the schedule's timer");
    }
    if (engine->slots_count == 0) {
        engine->job.decided(engine->job.data);
    }
    return LS_OK;
}

void engine_check_closed(struct ls_engine *engine)
{
    if (engine->ending && engine->open_connections == 0 && !engine->told_closed) {
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
    free(engine->slots);
    free_profiles(engine);
    free(engine);
}
