/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "curve/frames.h"

#include <pcap/dlt.h>
#include <string.h>

#define TYPE_IP4 0x0800U
#define TYPE_IP6 0x86ddU
#define PORT_QUIC 443U
#define TAGS_MAX 4
#define EXTENSIONS_MAX 8

#define OTHER "no IP"
#define FRAGMENT "a fragment of an IP packet"

struct bytes {
    const uint8_t *at;
    size_t size;
};

static unsigned be16(const uint8_t *at)
{
    return (unsigned)at[0] << 8 | at[1];
}

static uint32_t be32(const uint8_t *at)
{
    return (uint32_t)be16(at) << 16 | be16(at + 2);
}

static bool pass(struct bytes *bytes, size_t size)
{
    if (bytes->size < size) {
        return false;
    }
    bytes->at += size;
    bytes->size -= size;
    return true;
}

/* What an IP packet says it has is less than what was captured where a device fills up short
 * packets; 0 where it leaves the cutting to the card. */
static void limit(struct bytes *bytes, size_t size)
{
    if (size > 0 && size < bytes->size) {
        bytes->size = size;
    }
}

static const char *read_tcp(struct segment *out, struct bytes bytes)
{
    const uint8_t *at = bytes.at;

    if (bytes.size < 20) {
        return FRAMES_CUT;
    }
    memcpy(out->ends + 32, at, 4);
    out->syn = (at[13] & 0x02) != 0;
    out->ack = (at[13] & 0x10) != 0;
    out->sequence = be32(at + 4) + (out->syn ? 1 : 0);
    if ((at[12] >> 4) < 5) {
        return "a TCP header that makes no sense";
    }
    if (!pass(&bytes, (size_t)(at[12] >> 4) * 4)) {
        bytes.size = 0; /* its options were cut, and all behind them */
    }
    out->data = bytes.at;
    out->size = bytes.size;
    return NULL;
}

static const char *read_transport(struct segment *out, unsigned protocol, struct bytes bytes)
{
    if (protocol == 6) {
        return read_tcp(out, bytes);
    }
    if (protocol == 17) {
        return bytes.size >= 4 && (be16(bytes.at) == PORT_QUIC || be16(bytes.at + 2) == PORT_QUIC)
                   ? "QUIC (UDP of port 443), which is not counted"
                   : "UDP";
    }
    return protocol == 1 || protocol == 58 ? "ICMP" : "neither TCP nor UDP";
}

static const char *read_ip4(struct segment *out, struct bytes bytes)
{
    const uint8_t *at = bytes.at;

    if (bytes.size < 20) {
        return FRAMES_CUT;
    }
    if (at[0] >> 4 != 4 || (at[0] & 15) < 5) {
        return OTHER;
    }
    if ((be16(at + 6) & 0x3fff) != 0) { /* more fragments, or not the first */
        return FRAGMENT;
    }
    memset(out->ends, 0, 32);
    memcpy(out->ends + 12, at + 12, 4);
    memcpy(out->ends + 28, at + 16, 4);
    limit(&bytes, be16(at + 2));
    return pass(&bytes, (size_t)(at[0] & 15) * 4) ? read_transport(out, at[9], bytes) : FRAMES_CUT;
}

static const char *read_ip6(struct segment *out, struct bytes bytes)
{
    const uint8_t *at = bytes.at;
    unsigned next;

    if (bytes.size < 40) {
        return FRAMES_CUT;
    }
    if (at[0] >> 4 != 6) {
        return OTHER;
    }
    memcpy(out->ends, at + 8, 32);
    next = at[6];
    limit(&bytes, be16(at + 4) == 0 ? 0 : be16(at + 4) + (size_t)40);
    (void)pass(&bytes, 40);
    for (int i = 0; i < EXTENSIONS_MAX; i++) {
        size_t size;

        /* Hop by hop, routing, destination, fragment, authentication. */
        if (next != 0 && next != 43 && next != 60 && next != 44 && next != 51) {
            return read_transport(out, next, bytes);
        }
        if (bytes.size < 8) {
            return FRAMES_CUT;
        }
        if (next == 44 && (be16(bytes.at + 2) & 0xfff9) != 0) {
            return FRAGMENT;
        }
        size = next == 44   ? 8
               : next == 51 ? ((size_t)bytes.at[1] + 2) * 4
                            : ((size_t)bytes.at[1] + 1) * 8;
        next = bytes.at[0];
        if (!pass(&bytes, size)) {
            return FRAMES_CUT;
        }
    }
    return "more IPv6 headers than there should be";
}

static const char *read_ip(struct segment *out, struct bytes bytes)
{
    if (bytes.size == 0) {
        return FRAMES_CUT;
    }
    return bytes.at[0] >> 4 == 4 ? read_ip4(out, bytes) : read_ip6(out, bytes);
}

/* Behind a type of Ethernet, where VLAN tags may come first. */
static const char *read_typed(struct segment *out, unsigned type, struct bytes bytes)
{
    for (int i = 0; i < TAGS_MAX && (type == 0x8100 || type == 0x88a8 || type == 0x9100); i++) {
        if (bytes.size < 4) {
            return FRAMES_CUT;
        }
        type = be16(bytes.at + 2);
        (void)pass(&bytes, 4);
    }
    return type == TYPE_IP4   ? read_ip4(out, bytes)
           : type == TYPE_IP6 ? read_ip6(out, bytes)
                              : OTHER;
}

/* A header with a type in it. */
static const char *read_framed(struct segment *out, struct bytes bytes, size_t header, size_t at)
{
    unsigned type;

    if (bytes.size < header) {
        return FRAMES_CUT;
    }
    type = be16(bytes.at + at);
    (void)pass(&bytes, header);
    return read_typed(out, type, bytes);
}

/* The family is in the byte order of the machine that captured, and IPv6 has a number of its own in
 * each system; what follows tells. */
static const char *read_loopback(struct segment *out, struct bytes bytes)
{
    uint32_t family;

    if (bytes.size < 4) {
        return FRAMES_CUT;
    }
    family = be32(bytes.at);
    family = family > 0xffff ? family >> 24 : family;
    (void)pass(&bytes, 4);
    return family == 2 || family == 10 || family == 24 || family == 28 || family == 30
               ? read_ip(out, bytes)
               : OTHER;
}

bool frames_know(int link)
{
    return link == DLT_EN10MB || link == DLT_LINUX_SLL || link == DLT_LINUX_SLL2 ||
           link == DLT_NULL || link == DLT_LOOP || link == DLT_RAW || link == DLT_IPV4 ||
           link == DLT_IPV6;
}

const char *frames_read(struct segment *out, int link, const uint8_t *bytes, size_t size)
{
    const struct bytes all = {bytes, size};

    switch (link) {
    case DLT_EN10MB:
        return read_framed(out, all, 14, 12);
    case DLT_LINUX_SLL:
        return read_framed(out, all, 16, 14);
    case DLT_LINUX_SLL2:
        return read_framed(out, all, 20, 0);
    case DLT_NULL:
    case DLT_LOOP:
        return read_loopback(out, all);
    default:
        return read_ip(out, all);
    }
}

/* A record of type handshake with the handshake's first message in it: RFC 8446, 4.1.2 and 5.1. An
 * encrypted record of TLS 1.2 has the same type, and random bytes behind it. */
bool frames_is_client_hello(const struct segment *segment)
{
    static const uint8_t change[] = {20, 3, 3, 0, 1, 1};
    const uint8_t *at = segment->data;
    size_t size = segment->size;

    /* Appendix D.4: what looks like a change of cipher stands before a second one. */
    if (size >= sizeof change && memcmp(at, change, sizeof change) == 0) {
        at += sizeof change;
        size -= sizeof change;
    }
    return size >= FRAMES_HELLO && at[0] == 22 && at[1] == 3 && at[2] <= 4 && at[5] == 1 &&
           be16(at + 3) >= 4 && be16(at + 3) <= 16384 && (size < 7 || at[6] == 0) &&
           (size < 9 || be16(at + 7) >= 38) && (size < 10 || at[9] == 3);
}
