/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_NETWORK_H
#define LOGINSTORM_NETWORK_H

/*
 * A range of IP addresses as it is written: "198.18.0.0/15", "2001:2::/48".
 *
 *     scenario -> [network] -> the source that a user's PROXY header names
 */

#include <stdbool.h>
#include <stdint.h>

struct ls_network {
    uint8_t bytes[16]; /* of the first address; IPv4 in the first four */
    int bits;          /* that all addresses have in common */
    bool v6;
};

/* False for what is none: no address, no length (8 to 32, of IPv6 16 to 128), bits behind the length. */
bool ls_network_parse(const char *text, struct ls_network *network);

/* The number-th host (from 0) in it, and from the first one again when there are no more: neither the
 * range's own address nor its last one, where it has others. */
void ls_network_host(const struct ls_network *network, uint32_t number, uint8_t bytes[16]);

#endif
