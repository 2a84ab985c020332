/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An injector's process: one loop, one engine, one shard of the users, told when to start by the
 * conductor. */
#include "loginstorm/storm.h"

#include <inttypes.h>
#include <string.h>

#include "loginstorm/engine.h"
#include "loginstorm/tls.h"
#include "storm/job.h"
#include "storm/process.h"

#define TICK_MS 100

struct injector {
    uv_loop_t loop;
    struct control control;
    uv_timer_t ticker;
    struct ls_scenario *scenario;
    struct ls_schedule *schedule;
    struct ls_engine *engine;
    struct ls_engine_facts told;
    json_t *job;
};

static void send_tick(struct injector *injector)
{
    struct ls_engine_facts facts;

    ls_engine_facts(injector->engine, &facts);
    if (facts.started != injector->told.started || facts.decided != injector->told.decided) {
        injector->told = facts;
        control_send(&injector->control, "tick %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64,
                     facts.started, facts.logged_in, facts.failed, facts.in_flight);
    }
}

static void on_tick(uv_timer_t *ticker)
{
    send_tick(ticker->data);
}

static void on_decided(void *data)
{
    struct injector *injector = data;

    send_tick(injector);
    control_send(&injector->control, "decided");
}

static void on_closed(void *data)
{
    struct injector *injector = data;
    struct ls_engine_facts facts;

    send_tick(injector);
    ls_engine_facts(injector->engine, &facts);
    control_send(&injector->control, "facts %" PRId64 " %" PRId64 " %" PRId64, facts.worst_turn_ns,
                 facts.clock_gap_ns, facts.sessions_lost);
    if (facts.unrecorded > 0) {
        control_send(&injector->control, "error %d %" PRId64 " rows could not be recorded",
                     (int)LS_EBROKEN, facts.unrecorded);
    }
    uv_close((uv_handle_t *)&injector->ticker, NULL);
    control_close(&injector->control, NULL);
}

static void on_line(struct control *control, const struct control_line *line)
{
    struct injector *injector = control->data;
    struct ls_error err;

    if (injector->engine == NULL) {
        return;
    }
    if (strcmp(line->verb, "go") == 0 && line->count == 1) {
        (void)uv_timer_start(&injector->ticker, on_tick, TICK_MS, TICK_MS);
        if (ls_engine_start(injector->engine, line->numbers[0], &err) != LS_OK) {
            control_send(control, "error %d %s", (int)err.code, err.text);
            ls_engine_stop(injector->engine);
        }
    } else if (strcmp(line->verb, "release") == 0) {
        ls_engine_release(injector->engine);
    } else if (strcmp(line->verb, "stop") == 0) {
        ls_engine_stop(injector->engine);
    }
}

static void on_ended(struct control *control)
{
    struct injector *injector = control->data;

    if (injector->engine != NULL) {
        ls_engine_stop(injector->engine);
    }
}

static enum ls_code read_scenario(struct injector *injector, const char *text, struct ls_error *err)
{
    struct ls_errors errors = {0};
    enum ls_code code = ls_scenario_parse(&injector->scenario, "the conductor's scenario", text,
                                          strlen(text), NULL, 0, &errors);

    if (code != LS_OK) {
        *err = errors.item[0];
        return code;
    }
    return ls_schedule_build(&injector->schedule, injector->scenario, err);
}

static enum ls_code prepare(struct injector *injector, struct ls_error *err)
{
    const char *text;
    const char *trust;
    const char *address;
    json_int_t port;
    json_int_t shard;
    json_int_t shards;
    json_int_t core;
    struct sockaddr_in target;
    struct ls_engine_job wish;
    void *memory;
    size_t size;
    enum ls_code code;

    if (json_unpack(injector->job, "{s:s,s:s,s:s,s:I,s:I,s:I,s:I}", "scenario", &text, "trust",
                    &trust, "address", &address, "port", &port, "shard", &shard, "shards", &shards,
                    "core", &core) != 0 ||
        uv_ip4_addr(address, (int)port, &target) != 0) {
        return ls_error_set(err, LS_EBROKEN, "the conductor's job is not an injector's");
    }
    wish = (struct ls_engine_job){
        .trust = trust,
        .shard = (int)shard,
        .shards = (int)shards,
        .decided = on_decided,
        .closed = on_closed,
        .data = injector,
    };
    memcpy(&wish.target, &target, sizeof target);
    code = job_pin(core, err);
    if (code == LS_OK) {
        code = job_map(RECORD_FD, &memory, &size, err);
    }
    if (code == LS_OK) {
        code = ls_record_attach(&wish.record, memory, size, err);
    }
    if (code == LS_OK) {
        code = read_scenario(injector, text, err);
    }
    if (code == LS_OK) {
        code = ls_tls_start(err);
    }
    if (code != LS_OK) {
        return code;
    }
    wish.scenario = injector->scenario;
    wish.schedule = injector->schedule;
    return ls_engine_new(&injector->engine, &injector->loop, &wish, err);
}

int ls_storm_injector_main(void)
{
    struct injector injector = {.control = {.line = on_line, .ended = on_ended}};
    struct ls_error err;
    enum ls_code code;

    injector.control.data = &injector;
    (void)uv_loop_init(&injector.loop);
    code = process_start(&injector.control, &injector.loop, "storm-injector", &err);
    if (code == LS_OK) {
        code = job_read(&injector.job, &err);
    }
    if (code == LS_OK) {
        code = prepare(&injector, &err);
    }
    if (code != LS_OK) {
        return process_fail(&injector.control, &injector.loop, &err);
    }
    (void)uv_timer_init(&injector.loop, &injector.ticker);
    injector.ticker.data = &injector;
    control_send(&injector.control, "ready");
    (void)uv_run(&injector.loop, UV_RUN_DEFAULT);
    ls_engine_free(injector.engine);
    ls_schedule_free(injector.schedule);
    ls_scenario_free(injector.scenario);
    json_decref(injector.job);
    ls_tls_stop();
    (void)uv_loop_close(&injector.loop);
    return 0;
}
