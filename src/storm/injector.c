/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An injector's process: one loop, one engine, one shard of the users, told when to start by the
 * conductor. */
#include "loginstorm/storm.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "loginstorm/engine.h"
#include "loginstorm/limit.h"
#include "loginstorm/tls.h"
#include "storm/job.h"
#include "storm/process.h"

#define TICK_MS 100

struct injector {
    uv_loop_t loop;
    struct control control;
    uv_timer_t ticker;
    struct ls_scenario *scenario;
    const struct ls_schedule *schedule; /* in memory shared with the conductor */
    struct ls_engine *engine;
    struct ls_engine_facts told;
    json_t *job;
    struct ls_identity *shown; /* by each population, and pointers to those that show something */
    const struct ls_identity **clients;
    size_t clients_count;
};

static void send_tick(struct injector *injector)
{
    struct ls_engine_facts facts;

    ls_engine_facts(injector->engine, &facts);
    if (facts.tickets_fetched != injector->told.tickets_fetched) {
        control_send(&injector->control, "fetching %" PRId64, facts.tickets_fetched);
        injector->told.tickets_fetched = facts.tickets_fetched;
    }
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

static void on_fetched(const struct ls_error *why, void *data)
{
    struct injector *injector = data;

    send_tick(injector);
    if (why == NULL) {
        control_send(&injector->control, "fetched");
    } else {
        control_send(&injector->control, "error %d %s", (int)why->code, why->text);
        ls_engine_stop(injector->engine);
    }
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
    if (strcmp(line->verb, "fetch") == 0) {
        (void)uv_timer_start(&injector->ticker, on_tick, TICK_MS, TICK_MS);
        if (ls_engine_fetch(injector->engine, &err) != LS_OK) {
            control_send(control, "error %d %s", (int)err.code, err.text);
            ls_engine_stop(injector->engine);
        }
    } else if (strcmp(line->verb, "go") == 0 && line->count == 1) {
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
    }
    return code;
}

static enum ls_code read_schedule(struct injector *injector, struct ls_error *err)
{
    void *memory;
    size_t size;
    enum ls_code code = job_map(SCHEDULE_FD, &memory, &size, err);

    return code == LS_OK ? ls_schedule_attach(&injector->schedule, memory, size, err) : code;
}

static bool read_target(const json_t *addresses, struct ls_target *target)
{
    const size_t count = json_array_size(addresses);

    for (size_t i = 0; i < count && count <= LS_TARGETS_MAX; i++) {
        const char *hex = json_string_value(json_array_get(addresses, i));

        if (hex == NULL ||
            !job_unhex(hex, (uint8_t *)&target->addresses[i], sizeof target->addresses[i])) {
            return false;
        }
    }
    target->count = (int)count;
    return count <= LS_TARGETS_MAX;
}

/* What users of a population show; where they show nothing, nothing. */
static bool copy_client(struct ls_identity *out, const json_t *item)
{
    const char *key = json_string_value(json_object_get(item, "key"));
    const char *chain = json_string_value(json_object_get(item, "chain"));

    if (key == NULL || chain == NULL) {
        return true;
    }
    out->private_key = strdup(key);
    out->chain = strdup(chain);
    return out->private_key != NULL && out->chain != NULL;
}

static void free_clients(struct injector *injector)
{
    for (size_t i = 0; injector->shown != NULL && i < injector->clients_count; i++) {
        free(injector->shown[i].private_key);
        free(injector->shown[i].chain);
    }
    free(injector->shown);
    free(injector->clients);
}

static enum ls_code read_clients(struct injector *injector, const json_t *list,
                                 struct ls_error *err)
{
    const size_t count = json_array_size(list);
    bool whole;

    if (count != 0 && count != injector->scenario->populations_count) {
        return ls_error_set(err, LS_EBROKEN, "the conductor's job has other populations");
    }
    injector->clients_count = count;
    injector->shown = calloc(count + 1, sizeof *injector->shown);
    injector->clients = calloc(count + 1, sizeof *injector->clients);
    whole = injector->shown != NULL && injector->clients != NULL;
    for (size_t i = 0; whole && i < count; i++) {
        whole = copy_client(&injector->shown[i], json_array_get(list, i));
        injector->clients[i] = injector->shown[i].chain == NULL ? NULL : &injector->shown[i];
    }
    return whole ? LS_OK : ls_error_set(err, LS_ENOMEM, "no memory for the users' certificates");
}

static enum ls_code read_morning(struct injector *injector, const char *text, const json_t *clients,
                                 struct ls_error *err)
{
    enum ls_code code = read_scenario(injector, text, err);

    if (code == LS_OK) {
        code = read_clients(injector, clients, err);
    }
    return code == LS_OK ? read_schedule(injector, err) : code;
}

static enum ls_code attach_record(struct ls_record **record, struct ls_error *err)
{
    void *memory;
    size_t size;
    const enum ls_code code = job_map(RECORD_FD, &memory, &size, err);

    return code == LS_OK ? ls_record_attach(record, memory, size, err) : code;
}

static enum ls_code prepare(struct injector *injector, struct ls_error *err)
{
    const char *text;
    const char *server_name = NULL;
    const char *trust = NULL;
    const char *host = NULL;
    json_t *addresses;
    json_t *clients;
    json_int_t connections_per_s;
    json_int_t shard;
    json_int_t shards;
    json_int_t machine;
    json_int_t core;
    struct ls_engine_job wish;
    enum ls_code code;

    if (json_unpack(injector->job, "{s:s,s?s,s?s,s?s,s:o,s:o,s:I,s:I,s:I,s:I,s:I}", "scenario",
                    &text, "server_name", &server_name, "trust", &trust, "host", &host, "addresses",
                    &addresses, "clients", &clients, "connections_per_s", &connections_per_s,
                    "shard", &shard, "shards", &shards, "machine", &machine, "core", &core) != 0 ||
        machine < 1 || shard < 0 || shards <= shard) {
        return ls_error_set(err, LS_EBROKEN, "the conductor's job is not an injector's");
    }
    wish = (struct ls_engine_job){
        .server_name = server_name,
        .trust = trust,
        .host = host,
        .connections_per_s = connections_per_s,
        .shard = (int)shard,
        .shards = (int)shards,
        .machine = {.first = (size_t)(shard / machine * machine),
                    .count = (size_t)machine,
                    .of = (size_t)shards},
        .fetched = on_fetched,
        .decided = on_decided,
        .closed = on_closed,
        .data = injector,
    };
    if (!read_target(addresses, &wish.target)) {
        return ls_error_set(err, LS_EBROKEN, "the conductor's job has no address");
    }
    code = ls_limit_to_core(core, "an injector", err);
    if (code == LS_OK) {
        code = attach_record(&wish.record, err);
    }
    if (code == LS_OK) {
        code = read_morning(injector, text, clients, err);
    }
    if (code == LS_OK) {
        code = ls_tls_start(err);
    }
    if (code != LS_OK) {
        return code;
    }
    wish.scenario = injector->scenario;
    wish.schedule = injector->schedule;
    wish.clients = injector->clients_count > 0 ? injector->clients : NULL;
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
    ls_scenario_free(injector.scenario);
    free_clients(&injector);
    json_decref(injector.job);
    ls_tls_stop();
    (void)uv_loop_close(&injector.loop);
    return 0;
}
