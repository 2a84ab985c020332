/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <uv.h>

#include "cli/print.h"
#include "loginstorm/file.h"
#include "loginstorm/gateway.h"
#include "loginstorm/meter.h"
#include "loginstorm/units.h"

struct standing {
    uv_loop_t loop;
    uv_signal_t interrupt, terminate;
    struct ls_gateway *gateway;
    struct ls_identity *identity;
};

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

static enum ls_code keep_on_core(int core, struct ls_error *err)
{
    cpu_set_t set;

    if (core < 0) {
        return LS_OK;
    }
    CPU_ZERO(&set);
    if (core < CPU_SETSIZE) {
        CPU_SET((size_t)core, &set);
    }
    if (sched_setaffinity(0, sizeof set, &set) != 0) {
        return ls_error_set(err, LS_EUSAGE,
                            "--core: core %d does not exist here, or may not be used", core);
    }
    return LS_OK;
}

static enum ls_code write_trust(const char *path, const char *pem, struct ls_error *err)
{
    struct ls_file file;
    enum ls_code code = ls_file_create(&file, path, err);

    if (code != LS_OK) {
        return code;
    }
    (void)fputs(pem, file.stream);
    return ls_file_commit(&file, err);
}

static enum ls_code stand_up(struct standing *standing, const struct options *options,
                             struct ls_error *err)
{
    const struct ls_identity_wish identity = {
        .key = options->key, .issuer_key = "rsa-2048", .name = options->name};
    struct ls_gateway_job job = {
        .backlog = options->backlog,
        .tickets = options->tickets,
        .closed = on_closed,
        .data = standing,
    };
    enum ls_code code = parse_address(options->listen, &job.address, err);

    if (code == LS_OK) {
        code = have_alone(options->listen, &job.address, err);
    }
    if (code == LS_OK) {
        code = keep_on_core(options->core, err);
    }
    if (code == LS_OK) {
        code = ls_tls_start(err);
    }
    if (code == LS_OK) {
        code = ls_identity_new(&standing->identity, &identity, err);
        if (code == LS_EINPUT) {
            code = err->code = LS_EUSAGE; /* the wish came from the command line, not from a file */
        }
    }
    if (code == LS_OK && options->trust != NULL) {
        code = write_trust(options->trust, standing->identity->trust, err);
    }
    job.identity = standing->identity;
    return code == LS_OK ? ls_gateway_new(&standing->gateway, &standing->loop, &job, err) : code;
}

static void say_where(const struct standing *standing, const struct options *options)
{
    struct sockaddr_storage address;
    char host[64] = "";
    int port;

    ls_gateway_address(standing->gateway, &address);
    if (address.ss_family == AF_INET6) {
        const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)&address;

        (void)uv_ip6_name(v6, host, sizeof host);
        port = ntohs(v6->sin6_port);
        (void)printf("%s on [%s]:%d; Ctrl-C ends it\n", options->key, host, port);
    } else {
        const struct sockaddr_in *v4 = (const struct sockaddr_in *)&address;

        (void)uv_ip4_name(v4, host, sizeof host);
        port = ntohs(v4->sin_port);
        (void)printf("%s on %s:%d; Ctrl-C ends it\n", options->key, host, port);
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
    ls_identity_free(standing.identity);
    ls_tls_stop();
    (void)uv_loop_close(&standing.loop);
    return status;
}
