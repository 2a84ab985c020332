/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A gateway worker's process: one loop, one core, told what to do by the conductor. */
#include "loginstorm/storm.h"

#include <inttypes.h>
#include <string.h>

#include "loginstorm/gateway.h"
#include "loginstorm/meter.h"
#include "storm/job.h"
#include "storm/process.h"

struct worker {
    uv_loop_t loop;
    struct control control;
    struct ls_gateway *gateway;
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
                 " %" PRId64,
                 user_ns, system_ns, counts.tls_ns, counts.accepted, counts.server_flights,
                 counts.secured, counts.failed);
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

static enum ls_code prepare(struct worker *worker, json_t *job, struct ls_error *err)
{
    char *key = NULL;
    char *chain = NULL;
    const char *address;
    json_int_t port;
    json_int_t backlog;
    json_int_t connections;
    json_int_t core;
    int tickets;
    struct sockaddr_in listen;
    struct ls_identity identity;
    struct ls_gateway_job wish;
    enum ls_code code;

    if (json_unpack(job, "{s:s,s:s,s:s,s:I,s:I,s:I,s:I,s:b}", "key", &key, "chain", &chain,
                    "address", &address, "port", &port, "backlog", &backlog, "connections",
                    &connections, "core", &core, "tickets", &tickets) != 0 ||
        uv_ip4_addr(address, (int)port, &listen) != 0) {
        return ls_error_set(err, LS_EBROKEN, "the conductor's job is not a gateway's");
    }
    identity = (struct ls_identity){.private_key = key, .chain = chain};
    wish = (struct ls_gateway_job){
        .identity = &identity,
        .backlog = (int)backlog,
        .tickets = tickets != 0,
        .connections_max = connections,
        .closed = on_closed,
        .data = worker,
    };
    memcpy(&wish.address, &listen, sizeof listen);
    code = job_pin(core, err);
    if (code == LS_OK) {
        code = ls_tls_start(err);
    }
    return code == LS_OK ? ls_gateway_new(&worker->gateway, &worker->loop, &wish, err) : code;
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
    json_decref(job);
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
