/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

_Static_assert(LS_ADDRESS_SIZE == INET6_ADDRSTRLEN, "as inet_ntop wants it");

static const struct in_addr *v4_of(const struct sockaddr_storage *address)
{
    return &((const struct sockaddr_in *)address)->sin_addr;
}

static const struct in6_addr *v6_of(const struct sockaddr_storage *address)
{
    return &((const struct sockaddr_in6 *)address)->sin6_addr;
}

bool ls_address_parse(struct sockaddr_storage *out, const char *text)
{
    struct sockaddr_in v4 = {.sin_family = AF_INET};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6};

    *out = (struct sockaddr_storage){.ss_family = AF_UNSPEC};
    if (inet_pton(AF_INET, text, &v4.sin_addr) == 1) {
        memcpy(out, &v4, sizeof v4);
        return true;
    }
    if (inet_pton(AF_INET6, text, &v6.sin6_addr) == 1) {
        memcpy(out, &v6, sizeof v6);
        return true;
    }
    return false;
}

bool ls_address_is_loopback(const struct sockaddr_storage *address)
{
    if (address->ss_family == AF_INET) {
        return ntohl(v4_of(address)->s_addr) >> IN_CLASSA_NSHIFT == IN_LOOPBACKNET;
    }
    return address->ss_family == AF_INET6 && IN6_IS_ADDR_LOOPBACK(v6_of(address));
}

bool ls_address_is_same(const struct sockaddr_storage *a, const struct sockaddr_storage *b)
{
    if (a->ss_family != b->ss_family) {
        return false;
    }
    if (a->ss_family == AF_INET) {
        return v4_of(a)->s_addr == v4_of(b)->s_addr;
    }
    return a->ss_family == AF_INET6 && IN6_ARE_ADDR_EQUAL(v6_of(a), v6_of(b));
}

void ls_address_text(const struct sockaddr_storage *address, char out[LS_ADDRESS_SIZE])
{
    const void *bytes = address->ss_family == AF_INET6 ? (const void *)v6_of(address)
                                                       : (const void *)v4_of(address);

    if (inet_ntop(address->ss_family, bytes, out, LS_ADDRESS_SIZE) == NULL) {
        out[0] = '\0';
    }
}

void ls_address_port_text(const struct sockaddr_storage *address, char out[LS_ADDRESS_PORT_SIZE])
{
    const bool v6 = address->ss_family == AF_INET6;
    const in_port_t port = v6 ? ((const struct sockaddr_in6 *)address)->sin6_port
                              : ((const struct sockaddr_in *)address)->sin_port;
    char text[LS_ADDRESS_SIZE];

    ls_address_text(address, text);
    (void)snprintf(out, LS_ADDRESS_PORT_SIZE, v6 ? "[%s]:%d" : "%s:%d", text, ntohs(port));
}
