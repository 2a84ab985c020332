/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <signal.h>

#include <uv.h>

#include "cli/gateway_parts.h"
#include "cli/print.h"
#include "loginstorm/limit.h"

struct standing {
    uv_loop_t loop;
    uv_signal_t interrupt, terminate;
    struct ls_gateway *gateway;
    struct shown_list shown;
};

void help_gateway(FILE *out)
{
    (void)fprintf(
        out, "\nSeveral certificates: each --key (or --chain) begins the next one, and the --name "
             "behind it is its own:\n"
             "  --key rsa-4096 --name a.example --key ecdsa-p256 --name b.example\n"
             "A client gets the one whose certificate is for the name that it asks for (SNI); who "
             "asks for another name,\nor for none, gets the first.\n");
}

static void on_closed(void *data)
{
    struct standing *standing = data;

    uv_close((uv_handle_t *)&standing->interrupt, NULL);
    uv_close((uv_handle_t *)&standing->terminate, NULL);
}

static void on_signal(uv_signal_t *handle, int number)
{
    struct standing *standing = handle->data;

    (void)number;
    ls_gateway_stop(standing->gateway);
}

static enum ls_code stand_up(struct standing *standing, const struct options *options,
                             struct ls_error *err)
{
    struct ls_gateway_job job = {
        .backlog = options->backlog,
        .tls.tickets = options->tickets,
        .closed = on_closed,
        .data = standing,
    };
    enum ls_code code = gateway_parse_address("listen", options->listen, &job.address, err);

    if (code == LS_OK) {
        code = gateway_have_alone(options->listen, &job.address, err);
    }
    if (code == LS_OK) {
        code = ls_limit_to_core(options->core, "--core", err);
        if (code == LS_EINPUT) {
            code = err->code = LS_EUSAGE; /* it came from the command line, not from a file */
        }
    }
    if (code == LS_OK) {
        code = ls_tls_start(err);
    }
    if (code == LS_OK) {
        code = shown_make(&standing->shown, options, err);
    }
    if (code == LS_OK && options->trust != NULL) {
        code = shown_write_trust(&standing->shown, options->trust, err);
    }
    if (code == LS_OK) {
        job.tls.identity = standing->shown.identities[0];
        job.tls.others = (const struct ls_identity *const *)(standing->shown.identities + 1);
        job.tls.others_count = standing->shown.count - 1;
    }
    return code == LS_OK ? ls_gateway_new(&standing->gateway, &standing->loop, &job, err) : code;
}

static void say_where(const struct standing *standing, const struct options *options)
{
    struct sockaddr_storage address;
    char text[LS_ADDRESS_PORT_SIZE];

    ls_gateway_address(standing->gateway, &address);
    ls_address_port_text(&address, text);
    shown_say(&standing->shown, options, stdout);
    (void)printf(" on %s; Ctrl-C ends it\n", text);
    (void)fflush(stdout);
}

static void say_what_was(const struct standing *standing)
{
    struct ls_gateway_counts counts;
    int64_t user_ns;
    int64_t system_ns;

    ls_gateway_counts(standing->gateway, &counts);
    ls_meter_self(&user_ns, &system_ns);
    gateway_say_counts(&counts, user_ns, system_ns, stdout);
    (void)printf(" (the key's making included)\n");
}

int command_gateway(const struct options *options)
{
    struct standing standing = {0};
    struct ls_error err;
    int status = 0;

    if (options->workers != 1 || options->metrics != NULL) {
        return gateway_stand_many(options);
    }
    (void)uv_loop_init(&standing.loop);
    (void)uv_signal_init(&standing.loop, &standing.interrupt);
    (void)uv_signal_init(&standing.loop, &standing.terminate);
    standing.interrupt.data = &standing;
    standing.terminate.data = &standing;
    if (stand_up(&standing, options, &err) == LS_OK) {
        (void)uv_signal_start(&standing.interrupt, on_signal, SIGINT);
        (void)uv_signal_start(&standing.terminate, on_signal, SIGTERM);
        say_where(&standing, options);
        (void)uv_run(&standing.loop, UV_RUN_DEFAULT);
        say_what_was(&standing);
    } else {
        status = print_error(&err);
        on_closed(&standing);
        (void)uv_run(&standing.loop, UV_RUN_DEFAULT);
    }
    ls_gateway_free(standing.gateway);
    shown_clear(&standing.shown);
    ls_tls_stop();
    (void)uv_loop_close(&standing.loop);
    return status;
}
