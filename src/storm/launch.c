/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How an act's processes come to be: their memory, their jobs, their start. */
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "loginstorm/engine.h"
#include "loginstorm/gateway.h"
#include "loginstorm/name.h"
#include "loginstorm/random.h"
#include "storm/act.h"
#include "storm/identities.h"
#include "storm/job.h"
#include "storm/target.h"

/* An even part of the cap each, so that all together keep it. */
static int64_t shard_cap(const struct act *act)
{
    struct target_caps caps;

    if (!target_is_beyond(&act->target)) {
        return 0;
    }
    target_caps(act->wish->scenario, &caps);
    return target_part(caps.connections_per_s, act->share.of);
}

/* [{"key": PEM, "chain": PEM} or null, ...], one a population; NULL: no memory. */
static json_t *clients_json(const struct act *act)
{
    json_t *list = json_array();
    bool whole = list != NULL;

    for (size_t i = 0; whole && act->clients != NULL && i < act->wish->scenario->populations_count;
         i++) {
        const struct ls_identity *client = act->clients[i];
        json_t *item = client == NULL ? json_null()
                                      : json_pack("{s:s, s:s}", "key", client->private_key, "chain",
                                                  client->chain);

        whole = json_array_append_new(list, item) == 0;
    }
    if (!whole) {
        json_decref(list);
        return NULL;
    }
    return list;
}

static json_t *injector_job(const struct act *act, int i)
{
    const struct ls_scenario *scenario = act->wish->scenario;
    char host[TARGET_HOST_SIZE] = "";
    const char *port;
    json_t *addresses = json_array();
    bool whole = addresses != NULL;

    for (int n = 0; whole && n < act->target.count; n++) {
        char hex[2 * sizeof act->target.addresses[0] + 1];

        job_hex((const uint8_t *)&act->target.addresses[n], sizeof act->target.addresses[0], hex);
        whole = json_array_append_new(addresses, json_string(hex)) == 0;
    }
    if (!whole) {
        json_decref(addresses);
        return NULL;
    }
    if (!scenario->gateway.embedded) {
        target_host(scenario, host, &port);
        if (ls_name_is_address(host)) {
            host[0] = '\0'; /* no name that a server could be asked for */
        }
    }
    return json_pack("{s:s,s:s*,s:s*,s:s*,s:o,s:o,s:I,s:i,s:i,s:I,s:i}", "scenario",
                     act->scenario_text, "server_name",
                     scenario->certificates[act->certificate].server_name, "trust", act->trust,
                     "host", scenario->gateway.embedded ? NULL : host, "addresses", addresses,
                     "clients", clients_json(act), "connections_per_s", (json_int_t)shard_cap(act),
                     "shard", (int)act->share.first + i, "shards", (int)act->share.of, "machine",
                     (json_int_t)act->share.count, "core", placement_injector_core(scenario, i));
}

/* The schedule in memory that every injector maps. */
static enum ls_code share_schedule(const struct ls_schedule *schedule, int *fd,
                                   struct ls_error *err)
{
    void *memory = NULL;
    size_t size = ls_schedule_size(schedule);
    enum ls_code code = job_memory(fd, "loginstorm-schedule", size, err);

    if (code == LS_OK) {
        code = job_map(*fd, &memory, &size, err);
    }
    if (code == LS_OK) {
        ls_schedule_copy(schedule, memory);
        (void)munmap(memory, size);
    }
    return code;
}

enum ls_code act_start_injectors(struct act *act, struct ls_error *err)
{
    const struct ls_storm_wish *wish = act->wish;
    const int64_t handshakes = ls_engine_handshakes_max(wish->scenario, wish->schedule);
    int schedule_fd = -1;
    enum ls_code code = share_schedule(wish->schedule, &schedule_fd, err);

    for (int i = 0; code == LS_OK && i < act->injectors; i++) {
        code =
            child_give_record(act_injector(act, i), wish->schedule->count, (size_t)handshakes, err);
        act->records[i] = act_injector(act, i)->record;
        act_injector(act, i)->schedule_fd = schedule_fd;
        if (code == LS_OK) {
            code = child_start(act_injector(act, i), &act->loop, wish->program,
                               LS_STORM_INJECTOR_COMMAND, injector_job(act, i), err);
        }
    }
    if (schedule_fd >= 0) {
        (void)close(schedule_fd);
    }
    return code;
}

/* [{"key": PEM, "chain": PEM}, ...], the default first; NULL: no memory. */
static json_t *shown_by(const struct act *act, struct ls_error *err)
{
    const struct ls_scenario *scenario = act->wish->scenario;
    const struct ls_identity **shown = calloc(scenario->certificates_count, sizeof *shown);
    json_t *list = json_array();
    size_t count = 0;
    bool whole = shown != NULL && list != NULL;

    if (whole) {
        whole = identities_shown(scenario, act->identities, act->certificate, shown, &count, err) ==
                LS_OK;
    }
    for (size_t i = 0; whole && i < count; i++) {
        whole = json_array_append_new(list, json_pack("{s:s,s:s}", "key", shown[i]->private_key,
                                                      "chain", shown[i]->chain)) == 0;
    }
    free(shown);
    if (!whole) {
        json_decref(list);
        return NULL;
    }
    return list;
}

enum ls_code act_start_gateway(struct act *act, struct ls_error *err)
{
    const struct ls_gateway_wish *gateway = &act->wish->scenario->gateway;
    const struct sockaddr_in *address = (const struct sockaddr_in *)&act->target.addresses[0];
    /* All of them may meet at one worker, should the kernel's hash send them there. */
    const int64_t connections = ls_engine_open_max(act->wish->scenario, act->wish->schedule, 0, 1);
    /* One for all workers, who take each other's tickets. */
    uint8_t key[LS_TICKET_KEY_BYTES] = {0};
    char ticket_key[2 * LS_TICKET_KEY_BYTES + 1];
    enum ls_code code = ls_random_bytes(key, sizeof key, err);

    job_hex(key, sizeof key, ticket_key);
    for (int i = 0; code == LS_OK && i < act->workers; i++) {
        json_t *job =
            json_pack("{s:o,s:s,s:i,s:i,s:I,s:i,s:b,s:s}", "identities", shown_by(act, err),
                      "address", "127.0.0.1", "port", (int)ntohs(address->sin_port), "backlog",
                      gateway->backlog, "connections", (json_int_t)connections, "core",
                      placement_worker_core(act->wish->scenario, i), "tickets",
                      (int)gateway->tickets, "ticket_key", ticket_key);

        code = child_give_bursts(act_worker(act, i), err);
        if (code == LS_OK) {
            code = child_start(act_worker(act, i), &act->loop, act->wish->program,
                               LS_STORM_WORKER_COMMAND, job, err);
        } else {
            job_forget(job);
        }
    }
    return code;
}

enum ls_code act_prepare(struct act *act, const struct child_calls *calls, struct ls_error *err)
{
    const struct ls_storm_wish *wish = act->wish;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};

    act->workers = wish->scenario->gateway.embedded ? wish->scenario->gateway.workers : 0;
    act->injectors = wish->injectors;
    act->children = calloc((size_t)act->workers + (size_t)act->injectors, sizeof *act->children);
    act->records = calloc((size_t)act->injectors, sizeof *act->records);
    if (act->children == NULL || act->records == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for the processes of a storm");
    }
    for (int i = 0; i < act->workers + act->injectors; i++) {
        act->children[i] = (struct child){
            .calls = calls,
            .data = act,
            .is_worker = i < act->workers,
            .record_fd = -1,
            .schedule_fd = -1,
        };
    }
    if (!wish->scenario->gateway.embedded) {
        act->target = *wish->target;
        return LS_OK;
    }
    memcpy(&act->target.addresses[0], &address, sizeof address);
    act->target.count = 1;
    return ls_gateway_reserve(&act->reserved_fd, &act->target.addresses[0], err);
}
