/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How an act's processes come to be: their memory, their jobs, their start. */
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#include "loginstorm/engine.h"
#include "loginstorm/gateway.h"
#include "storm/act.h"

static json_t *injector_job(const struct act *act, int i)
{
    const struct sockaddr_in *address = (const struct sockaddr_in *)&act->address;

    return json_pack("{s:s,s:s,s:s,s:i,s:i,s:i,s:i}", "scenario", act->scenario_text, "trust",
                     act->identity->trust, "address", "127.0.0.1", "port",
                     (int)ntohs(address->sin_port), "shard", i, "shards", act->injectors, "core",
                     placement_injector_core(act->wish->scenario, i));
}

enum ls_code act_start_injectors(struct act *act, struct ls_error *err)
{
    const struct ls_storm_wish *wish = act->wish;
    const int64_t handshakes = ls_engine_handshakes_max(wish->scenario, wish->schedule);
    enum ls_code code = LS_OK;

    for (int i = 0; code == LS_OK && i < act->injectors; i++) {
        code =
            child_give_record(act_injector(act, i), wish->schedule->count, (size_t)handshakes, err);
        act->records[i] = act_injector(act, i)->record;
        if (code == LS_OK) {
            code = child_start(act_injector(act, i), &act->loop, wish->program,
                               LS_STORM_INJECTOR_COMMAND, injector_job(act, i), err);
        }
    }
    return code;
}

enum ls_code act_start_gateway(struct act *act, struct ls_error *err)
{
    const struct ls_gateway_wish *gateway = &act->wish->scenario->gateway;
    const struct sockaddr_in *address = (const struct sockaddr_in *)&act->address;
    /* All of them may meet at one worker, should the kernel's hash send them there. */
    const int64_t connections = ls_engine_open_max(act->wish->scenario, act->wish->schedule, 0, 1);
    enum ls_code code = LS_OK;

    for (int i = 0; code == LS_OK && i < act->workers; i++) {
        json_t *job = json_pack(
            "{s:s,s:s,s:s,s:i,s:i,s:I,s:i,s:b}", "key", act->identity->private_key, "chain",
            act->identity->chain, "address", "127.0.0.1", "port", (int)ntohs(address->sin_port),
            "backlog", gateway->backlog, "connections", (json_int_t)connections, "core",
            placement_worker_core(act->wish->scenario, i), "tickets", (int)gateway->tickets);

        code = child_start(act_worker(act, i), &act->loop, act->wish->program,
                           LS_STORM_WORKER_COMMAND, job, err);
    }
    return code;
}

enum ls_code act_prepare(struct act *act, const struct child_calls *calls, struct ls_error *err)
{
    const struct ls_storm_wish *wish = act->wish;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};

    act->workers = wish->scenario->gateway.workers;
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
        };
    }
    memcpy(&act->address, &address, sizeof address);
    return ls_gateway_reserve(&act->reserved_fd, &act->address, err);
}
