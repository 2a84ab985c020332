/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/gateway_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "loginstorm/units.h"

enum ls_code gateway_parse_address(const char *option, const char *text,
                                   struct sockaddr_storage *address, struct ls_error *err)
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
                            "--%s: \"%.100s\" is not ADDRESS:PORT, like 127.0.0.1:8443", option,
                            text);
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
        return ls_error_set(err, LS_EUSAGE, "--%s: \"%s\" is no IP address", option, host);
    }
    return LS_OK;
}

/* Workers of one storm share a port; two gateways that nobody meant to share one would each get
 * some of the clients. So this one must have its address to itself. */
enum ls_code gateway_have_alone(const char *text, const struct sockaddr_storage *address,
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

void gateway_say_counts(const struct ls_gateway_counts *counts, int64_t user_ns, int64_t system_ns,
                        FILE *out)
{
    (void)fprintf(out,
                  "%" PRId64 " connections, %" PRId64 " secured, %" PRId64 " failed, %" PRId64
                  " requests; CPU %.3f s user, %.3f s system",
                  counts->accepted, counts->secured, counts->failed, counts->requests,
                  (double)user_ns / 1e9, (double)system_ns / 1e9);
}
