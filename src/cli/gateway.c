/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <uv.h>

#include "cli/print.h"
#include "cli/shown.h"
#include "loginstorm/gateway.h"
#include "loginstorm/limit.h"
#include "loginstorm/meter.h"
#include "loginstorm/units.h"

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

static enum ls_code parse_address(const char *text, struct sockaddr_storage *address,
                                  struct ls_error *err)
{
    const char *colon = strrchr(text, ':');
    char host[64];
    char *end = NULL;
    long port = colon == NULL ? -1 : strtol(colon + 1, &end, 10);
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;

    if (colon == NULL || end == colon + 1 || *end != '\0' || port < 0 || port > 65535 ||
        colon - text >= (ptrdiff_t)sizeof host) {
        return ls_error_set(err, LS_EUSAGE,
                            "--listen: \"%.100s\" is not ADDRESS:PORT, like 127.0.0.1:8443", text);
    }
    (void)snprintf(host, sizeof host, "%.*s", (int)(colon - text), text);
    if (host[0] == '[' && host[strlen(host) - 1] == ']') {
        host[strlen(host) - 1] = '\0';
        memmove(host, host + 1, strlen(host));
    }
    if (strcmp(host, "localhost") == 0) {
        (void)snprintf(host, sizeof host, "127.0.0.1");
    }
    if (uv_ip4_addr(host, (int)port, &v4) == 0) {
        memcpy(address, &v4, sizeof v4);
    } else if (uv_ip6_addr(host, (int)port, &v6) == 0) {
        memcpy(address, &v6, sizeof v6);
    } else {
        return ls_error_set(err, LS_EUSAGE, "--listen: \"%s\" is no IP address", host);
    }
    return LS_OK;
}

/* Workers of one storm share a port; two gateways that nobody meant to share one would each get
 * some of the clients. So this one must have its address to itself. */
static enum ls_code have_alone(const char *text, const struct sockaddr_storage *address,
                               struct ls_error *err)
{
    const socklen_t size =
        address->ss_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
    const int on = 1;
    const int fd = socket(address->ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    enum ls_code code = LS_OK;

    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
        bind(fd, (const struct sockaddr *)address, size) != 0) {
        code = ls_error_set_errno(err, LS_ECREATE, "cannot listen on %s", text);
    }
    if (fd >= 0) {
        (void)close(fd);
    }
    return code;
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
    enum ls_code code = parse_address(options->listen, &job.address, err);

    if (code == LS_OK) {
        code = have_alone(options->listen, &job.address, err);
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
    char host[64] = "";
    int port;

    ls_gateway_address(standing->gateway, &address);
    shown_say(&standing->shown, options, stdout);
    if (address.ss_family == AF_INET6) {
        const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)&address;

        (void)uv_ip6_name(v6, host, sizeof host);
        port = ntohs(v6->sin6_port);
        (void)printf(" on [%s]:%d; Ctrl-C ends it\n", host, port);
    } else {
        const struct sockaddr_in *v4 = (const struct sockaddr_in *)&address;

        (void)uv_ip4_name(v4, host, sizeof host);
        port = ntohs(v4->sin_port);
        (void)printf(" on %s:%d; Ctrl-C ends it\n", host, port);
    }
    (void)fflush(stdout);
}

static void say_what_was(const struct standing *standing)
{
    struct ls_gateway_counts counts;
    int64_t user_ns;
    int64_t system_ns;

    ls_gateway_counts(standing->gateway, &counts);
    ls_meter_self(&user_ns, &system_ns);
    (void)printf("%" PRId64 " connections, %" PRId64 " secured, %" PRId64 " failed, %" PRId64
                 " requests; CPU %.3f s user, %.3f s system (the key's making included)\n",
                 counts.accepted, counts.secured, counts.failed, counts.requests,
                 (double)user_ns / 1e9, (double)system_ns / 1e9);
}

int command_gateway(const struct options *options)
{
    struct standing standing = {0};
    struct ls_error err;
    int status = 0;

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
