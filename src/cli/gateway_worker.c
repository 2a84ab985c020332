/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One worker of `gateway --workers`: a process that came by fork, on a core of its own, and the reading of it from outside. */
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>

#include "cli/gateway_parts.h"
#include "cli/print.h"
#include "loginstorm/limit.h"

#define POST_MS 100

struct worker {
    uv_loop_t loop;
    uv_signal_t interrupt, terminate;
    uv_prepare_t turn;
    uv_timer_t clock;
    struct ls_gateway *gateway;
    struct worker_post *post;
    bool stopped;
};

static void on_turn(uv_prepare_t *handle)
{
    struct worker *worker = handle->data;

    ls_gateway_counts(worker->gateway, &worker->post->counts);
}

static void on_clock(uv_timer_t *handle)
{
    struct worker *worker = handle->data;

    ls_meter_self(&worker->post->user_ns, &worker->post->system_ns);
}

static void close_handles(struct worker *worker)
{
    uv_close((uv_handle_t *)&worker->interrupt, NULL);
    uv_close((uv_handle_t *)&worker->terminate, NULL);
    uv_close((uv_handle_t *)&worker->turn, NULL);
    uv_close((uv_handle_t *)&worker->clock, NULL);
}

static void on_closed(void *data)
{
    close_handles(data);
}

static void on_signal(uv_signal_t *handle, int number)
{
    struct worker *worker = handle->data;

    (void)number;
    /* Ctrl-C comes from the terminal and from the conductor. */
    if (!worker->stopped) {
        worker->stopped = true;
        ls_gateway_stop(worker->gateway);
    }
}

static void init_handles(struct worker *worker)
{
    (void)uv_loop_init(&worker->loop);
    (void)uv_signal_init(&worker->loop, &worker->interrupt);
    (void)uv_signal_init(&worker->loop, &worker->terminate);
    (void)uv_prepare_init(&worker->loop, &worker->turn);
    (void)uv_timer_init(&worker->loop, &worker->clock);
    worker->interrupt.data = worker->terminate.data = worker->turn.data = worker->clock.data =
        worker;
}

int gateway_worker_main(const struct options *options, const struct shown_list *shown,
                        const struct sockaddr_storage *address, const uint8_t *ticket_key, int core,
                        struct worker_post *post)
{
    struct worker worker = {.post = post};
    struct ls_gateway_job job = {
        .tls = {.identity = shown->identities[0],
                .others = (const struct ls_identity *const *)(shown->identities + 1),
                .others_count = shown->count - 1,
                .tickets = options->tickets,
                .ticket_key = ticket_key},
        .address = *address,
        .backlog = options->backlog,
        .closed = on_closed,
        .data = &worker,
    };
    struct ls_error err;
    int status = 0;
    enum ls_code code = ls_limit_to_core(core, "a gateway worker", &err);

    (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
    init_handles(&worker);
    if (code == LS_OK) {
        code = ls_gateway_new(&worker.gateway, &worker.loop, &job, &err);
    }
    if (code == LS_OK) {
        (void)uv_signal_start(&worker.interrupt, on_signal, SIGINT);
        (void)uv_signal_start(&worker.terminate, on_signal, SIGTERM);
        (void)uv_prepare_start(&worker.turn, on_turn);
        (void)uv_timer_start(&worker.clock, on_clock, POST_MS, POST_MS);
        __atomic_store_n(&post->ready, 1, __ATOMIC_RELEASE);
        (void)uv_run(&worker.loop, UV_RUN_DEFAULT);
        ls_gateway_counts(worker.gateway, &post->counts);
    } else {
        status = print_error(&err);
        close_handles(&worker);
        (void)uv_run(&worker.loop, UV_RUN_DEFAULT);
    }
    ls_gateway_free(worker.gateway);
    (void)uv_loop_close(&worker.loop);
    return status;
}

/* Both only go up, and come to the whole. */
void gateway_worker_keep(struct gateway_worker *worker, int64_t cpu_ns, int64_t system_ns)
{
    const int64_t most_ns = cpu_ns - worker->system_ns;
    const int64_t user_ns = cpu_ns - system_ns < most_ns ? cpu_ns - system_ns : most_ns;

    worker->user_ns = user_ns > worker->user_ns ? user_ns : worker->user_ns;
    if (cpu_ns - worker->user_ns > worker->system_ns) {
        worker->system_ns = cpu_ns - worker->user_ns;
    }
}

/* The whole by its own clock, to the ns, and the system's part as it last said. */
void gateway_worker_read(struct gateway_worker *worker)
{
    int64_t cpu_ns;

    if (!worker->gone && ls_meter_cpu_ns(&worker->meter, &cpu_ns) == LS_OK) {
        gateway_worker_keep(worker, cpu_ns, worker->post->system_ns);
    }
}

void gateway_worker_counts(const struct gateway_worker *worker, struct ls_gateway_counts *counts)
{
    *counts = (struct ls_gateway_counts){
        .accepted = worker->post->counts.accepted,
        .server_flights = worker->post->counts.server_flights,
        .secured = worker->post->counts.secured,
        .failed = worker->post->counts.failed,
        .requests = worker->post->counts.requests,
        .open = worker->gone ? 0 : worker->post->counts.open,
        .tls_ns = worker->post->counts.tls_ns,
    };
}
