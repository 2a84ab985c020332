/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_CURVE_FRAMES_H
#define LOGINSTORM_CURVE_FRAMES_H

/*
 * A packet as a device saw it -> the TCP segment in it. Ethernet, Linux's "any" device, loopback and
 * bare IP, with VLAN tags; IPv4 and IPv6. Only what was captured is looked at, which may be less
 * than was sent.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FRAMES_ENDS 36
#define FRAMES_HELLO 6 /* bytes that tell a Client Hello */
#define FRAMES_CUT "a packet that was captured too short"

struct segment {
    uint8_t ends[FRAMES_ENDS]; /* the sender's address, the other's, their ports: one connection */
    uint32_t sequence;         /* of the first byte of data */
    bool syn, ack;
    const uint8_t *data;
    size_t size;
};

/* link: one of pcap's DLT_ numbers. */
bool frames_know(int link);

/* NULL, or why there is no segment, in a few static words. */
const char *frames_read(struct segment *out, int link, const uint8_t *bytes, size_t size);

/* Whether a client's TLS handshake begins with the segment. The first FRAMES_HELLO bytes suffice. */
bool frames_is_client_hello(const struct segment *segment);

#endif
