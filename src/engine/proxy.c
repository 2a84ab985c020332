/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The PROXY protocol, version 2: who it is that a balancer forwards. The gateway must expect it. */
#include <string.h>

#include "engine/login.h"

#define VERSION_2_PROXY 0x21
#define TCP_OVER_V4 0x11
#define TCP_OVER_V6 0x21
/* Ports that clients are given: 16,384 of them. */
#define FIRST_PORT 49152
#define PORTS 16384

/* "::ffff:192.0.2.1" */
static void map_v4(uint8_t bytes[16])
{
    memmove(bytes + 12, bytes, 4);
    memset(bytes, 0, 10);
    memset(bytes + 10, 0xff, 2);
}

size_t ls_proxy_header(uint8_t out[LS_PROXY_HEADER_MAX], const struct ls_network *sources,
                       uint32_t user, const struct sockaddr_storage *target)
{
    static const uint8_t signature[12] = {'\r', '\n', '\r', '\n', 0,   '\r',
                                          '\n', 'Q',  'U',  'I',  'T', '\n'};
    const bool to_v6 = target->ss_family == AF_INET6;
    const bool v6 = to_v6 || sources->v6;
    const size_t size = v6 ? 16 : 4;
    uint8_t from[16], to[16] = {0};
    const uint16_t port = (uint16_t)(FIRST_PORT + user % PORTS);
    in_port_t to_port;
    uint8_t *at = out + 16;

    ls_network_host(sources, user, from);
    if (to_v6) {
        memcpy(to, &((const struct sockaddr_in6 *)target)->sin6_addr, 16);
        to_port = ((const struct sockaddr_in6 *)target)->sin6_port;
    } else {
        memcpy(to, &((const struct sockaddr_in *)target)->sin_addr, 4);
        to_port = ((const struct sockaddr_in *)target)->sin_port;
    }
    if (v6 && !sources->v6) {
        map_v4(from);
    }
    if (v6 && !to_v6) {
        map_v4(to);
    }
    memcpy(out, signature, sizeof signature);
    out[12] = VERSION_2_PROXY;
    out[13] = v6 ? TCP_OVER_V6 : TCP_OVER_V4;
    out[14] = 0;
    out[15] = (uint8_t)(2 * size + 4);
    memcpy(at, from, size);
    memcpy(at + size, to, size);
    at += 2 * size;
    at[0] = (uint8_t)(port >> 8);
    at[1] = (uint8_t)port;
    memcpy(at + 2, &to_port, 2);
    return (size_t)(at + 4 - out);
}

enum ls_code proxy_prepare(struct ls_engine *engine, struct ls_error *err)
{
    const struct ls_gateway_wish *gateway = &engine->job.scenario->gateway;

    if (gateway->proxy_v2 && !ls_network_parse(gateway->proxy_sources, &engine->proxy)) {
        return ls_error_set(err, LS_EINPUT, "gateway.proxy_sources is no network");
    }
    return LS_OK;
}

enum ls_code proxy_begin(const struct ls_engine *engine, struct ls_wire *wire, uint32_t user)
{
    struct sockaddr_storage target = {0};
    int size = sizeof target;
    uint8_t header[LS_PROXY_HEADER_MAX];

    if (!engine->job.scenario->gateway.proxy_v2) {
        return LS_OK;
    }
    if (uv_tcp_getpeername(&wire->tcp, (struct sockaddr *)&target, &size) != 0) {
        return LS_OK; /* it has gone already, as the next read will tell */
    }
    return ls_wire_preface(wire, header, ls_proxy_header(header, &engine->proxy, user, &target));
}
