/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A gateway worker's process: one loop, one core, told what to do by the conductor. */
#include "loginstorm/storm.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "loginstorm/gateway.h"
#include "loginstorm/limit.h"
#include "loginstorm/meter.h"
#include "storm/job.h"
#include "storm/process.h"

struct worker {
    uv_loop_t loop;
    struct control control;
    struct ls_gateway *gateway;
    struct ls_bursts *bursts; /* in memory shared with the conductor */
};

static void send_account(struct worker *worker)
{
    struct ls_gateway_counts counts;
    int64_t user_ns;
    int64_t system_ns;

    ls_gateway_counts(worker->gateway, &counts);
    ls_meter_self(&user_ns, &system_ns);
    control_send(&worker->control,
                 "account %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64
                 " %" PRId64 " %" PRId64,
                 user_ns, system_ns, counts.tls_ns, counts.accepted, counts.server_flights,
                 counts.secured, counts.failed, counts.open);
}

static void on_line(struct control *control, const struct control_line *line)
{
    struct worker *worker = control->data;

    if (strcmp(line->verb, "account") == 0) {
        send_account(worker);
    } else if (strcmp(line->verb, "stop") == 0 && worker->gateway != NULL) {
        ls_gateway_stop(worker->gateway);
    }
}

static void on_ended(struct control *control)
{
    struct worker *worker = control->data;

    if (worker->gateway != NULL) {
        ls_gateway_stop(worker->gateway);
    }
}

static void on_closed(void *data)
{
    struct worker *worker = data;

    control_close(&worker->control, NULL);
}

/* What the job shows, in memory of which `*memory` is to be freed; the PEM texts stay the job's. */
static enum ls_code take_identities(struct ls_tls_server_wish *wish, json_t *list, void **memory,
                                    struct ls_error *err)
{
    const size_t count = json_array_size(list);
    struct ls_identity *identities;
    const struct ls_identity **others;

    *memory = calloc(count + 1, sizeof *identities + sizeof *others);
    if (*memory == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for %zu certificates", count);
    }
    identities = *memory;
    others = (const struct ls_identity **)(identities + count);
    for (size_t i = 0; i < count; i++) {
        if (json_unpack(json_array_get(list, i), "{s:s,s:s}", "key", &identities[i].private_key,
                        "chain", &identities[i].chain) != 0) {
            return ls_error_set(err, LS_EBROKEN, "the conductor's job is not a gateway's");
        }
        others[i] = &identities[i];
    }
    if (count == 0) {
        return ls_error_set(err, LS_EBROKEN, "the conductor's job is not a gateway's");
    }
    wish->identity = identities;
    wish->others = others + 1;
    wish->others_count = count - 1;
    return LS_OK;
}

static enum ls_code attach_bursts(struct worker *worker, struct ls_error *err)
{
    void *memory;
    size_t size;
    enum ls_code code = job_map(RECORD_FD, &memory, &size, err);

    return code == LS_OK ? ls_bursts_attach(&worker->bursts, memory, size, err) : code;
}

static enum ls_code prepare(struct worker *worker, json_t *job, struct ls_error *err)
{
    json_t *shown;
    void *memory = NULL;
    const char *address;
    json_int_t port;
    json_int_t backlog;
    json_int_t connections;
    json_int_t core;
    int tickets;
    const char *hex;
    uint8_t ticket_key[LS_TICKET_KEY_BYTES];
    struct sockaddr_in listen;
    struct ls_gateway_job wish;
    enum ls_code code;

    if (json_unpack(job, "{s:o,s:s,s:I,s:I,s:I,s:I,s:b,s:s}", "identities", &shown, "address",
                    &address, "port", &port, "backlog", &backlog, "connections", &connections,
                    "core", &core, "tickets", &tickets, "ticket_key", &hex) != 0 ||
        !job_unhex(hex, ticket_key, sizeof ticket_key) ||
        uv_ip4_addr(address, (int)port, &listen) != 0) {
        return ls_error_set(err, LS_EBROKEN, "the conductor's job is not a gateway's");
    }
    code = attach_bursts(worker, err);
    if (code != LS_OK) {
        return code;
    }
    wish = (struct ls_gateway_job){
        .tls = {.tickets = tickets != 0, .ticket_key = ticket_key},
        .backlog = (int)backlog,
        .connections_max = connections,
        .bursts = worker->bursts,
        .closed = on_closed,
        .data = worker,
    };
    memcpy(&wish.address, &listen, sizeof listen);
    code = ls_limit_to_core(core, "a gateway worker", err);
    if (code == LS_OK) {
        code = ls_tls_start(err);
    }
    if (code == LS_OK) {
        code = take_identities(&wish.tls, shown, &memory, err);
    }
    if (code == LS_OK) {
        code = ls_gateway_new(&worker->gateway, &worker->loop, &wish, err);
    }
    free(memory);
    return code;
}

int ls_storm_worker_main(void)
{
    struct worker worker = {.control = {.line = on_line, .ended = on_ended}};
    struct ls_error err;
    json_t *job = NULL;
    enum ls_code code;

    worker.control.data = &worker;
    (void)uv_loop_init(&worker.loop);
    code = process_start(&worker.control, &worker.loop, "storm-gateway", &err);
    if (code == LS_OK) {
        code = job_read(&job, &err);
    }
    if (code == LS_OK) {
        code = prepare(&worker, job, &err);
    }
    job_forget(job);
    if (code != LS_OK) {
        return process_fail(&worker.control, &worker.loop, &err);
    }
    control_send(&worker.control, "ready");
    (void)uv_run(&worker.loop, UV_RUN_DEFAULT);
    ls_gateway_free(worker.gateway);
    ls_tls_stop();
    (void)uv_loop_close(&worker.loop);
    return 0;
}
