/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "live/address.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "loginstorm/address.h"
#include "loginstorm/live.h"

/* What the kernel keeps for a browser that does not read, and for how long, in ms. */
#define SEND_BUFFER_BYTES (64 * 1024)
#define UNANSWERED_MS 30000
#define BACKLOG 32

static bool parse_port(const char *text, uint16_t *port)
{
    char *end;
    long value;

    if (*text < '0' || *text > '9') {
        return false;
    }
    value = strtol(text, &end, 10);
    *port = (uint16_t)value;
    return *end == '\0' && end - text <= 5 && value <= 65535;
}

enum ls_code address_parse(struct sockaddr_storage *address, const char *text, struct ls_error *err)
{
    struct sockaddr_in v4 = {.sin_family = AF_INET};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6};
    const char *said = text == NULL || text[0] == '\0' ? LS_LIVE_ADDRESS : text;
    const char *colon = strrchr(said, ':');
    const size_t length = colon == NULL ? 0 : (size_t)(colon - said);
    char host[64] = "127.0.0.1";
    uint16_t port;

    *address = (struct sockaddr_storage){0};
    if (!parse_port(colon == NULL ? said : colon + 1, &port) || length >= sizeof host) {
        return ls_error_set(err, LS_EUSAGE,
                            "--live: \"%.100s\" is not ADDRESS:PORT, like " LS_LIVE_ADDRESS, said);
    }
    if (length > 0) {
        (void)snprintf(host, sizeof host, "%.*s", (int)length, said);
    }
    if (strcmp(host, "localhost") == 0) {
        (void)snprintf(host, sizeof host, "127.0.0.1");
    }
    v4.sin_port = v6.sin6_port = htons(port);
    if (inet_pton(AF_INET, host, &v4.sin_addr) == 1) {
        memcpy(address, &v4, sizeof v4);
        return LS_OK;
    }
    if (host[0] == '[' && host[length - 1] == ']') {
        host[length - 1] = '\0';
        if (inet_pton(AF_INET6, host + 1, &v6.sin6_addr) == 1) {
            memcpy(address, &v6, sizeof v6);
            return LS_OK;
        }
    }
    return ls_error_set(err, LS_EUSAGE,
                        "--live: \"%.100s\" is no IP address with its port, like " LS_LIVE_ADDRESS
                        " or [::1]:8090",
                        said);
}

static socklen_t size_of(const struct sockaddr_storage *address)
{
    return address->ss_family == AF_INET6 ? sizeof(struct sockaddr_in6)
                                          : sizeof(struct sockaddr_in);
}

/* What failed, and what to do about it. */
static enum ls_code refuse(const struct sockaddr_storage *address, int why, struct ls_error *err)
{
    char said[LS_ADDRESS_PORT_SIZE];

    ls_address_port_text(address, said);
    if (why == EADDRINUSE) {
        return ls_error_set(err, LS_ECREATE,
                            "--live: %s is taken by another program (or another storm); say "
                            "another port, like --live=127.0.0.1:8091, or 0 for a free one",
                            said);
    }
    if (why == EADDRNOTAVAIL) {
        return ls_error_set(err, LS_ECREATE,
                            "--live: %s is no address of this machine; see `ip address`", said);
    }
    errno = why;
    return ls_error_set_errno(err, LS_ECREATE, "--live: cannot listen on %s", said);
}

enum ls_code address_listen(int *fd, struct sockaddr_storage *address, struct ls_error *err)
{
    const int on = 1, bytes = SEND_BUFFER_BYTES;
    const unsigned unanswered = UNANSWERED_MS;
    socklen_t size = sizeof *address;
    int why;

    *fd = socket(address->ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (*fd < 0) {
        return ls_error_set_errno(err, LS_ESYSTEM, "--live: no socket");
    }
    /* Connections inherit what a listener has. */
    (void)setsockopt(*fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    (void)setsockopt(*fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
    (void)setsockopt(*fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &unanswered, sizeof unanswered);
    if (bind(*fd, (const struct sockaddr *)address, size_of(address)) == 0 &&
        listen(*fd, BACKLOG) == 0 && getsockname(*fd, (struct sockaddr *)address, &size) == 0) {
        return LS_OK;
    }
    why = errno;
    (void)close(*fd);
    *fd = -1;
    return refuse(address, why, err);
}

void address_url(const struct sockaddr_storage *address, char *out, size_t size)
{
    struct sockaddr_storage shown = *address;
    char said[LS_ADDRESS_PORT_SIZE];

    if (shown.ss_family == AF_INET6) {
        struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)&shown;

        if (IN6_IS_ADDR_UNSPECIFIED(&v6->sin6_addr)) {
            v6->sin6_addr = in6addr_loopback;
        }
    } else {
        struct sockaddr_in *v4 = (struct sockaddr_in *)&shown;

        if (v4->sin_addr.s_addr == htonl(INADDR_ANY)) {
            v4->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        }
    }
    ls_address_port_text(&shown, said);
    (void)snprintf(out, size, "http://%s/", said);
}

bool address_is_own_host(const char *host)
{
    struct in_addr v4;
    char name_of[64];
    const char *colon;
    size_t length;

    if (host == NULL) {
        return true;
    }
    colon = strrchr(host, ':');
    length = colon == NULL || strchr(colon, ']') != NULL ? strlen(host) : (size_t)(colon - host);
    if (length >= sizeof name_of) {
        return false;
    }
    (void)snprintf(name_of, sizeof name_of, "%.*s", (int)length, host);
    return strcasecmp(name_of, "localhost") == 0 || strcmp(name_of, "[::1]") == 0 ||
           (inet_pton(AF_INET, name_of, &v4) == 1 && ntohl(v4.s_addr) >> 24 == 127);
}
