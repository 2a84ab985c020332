/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/network.h"

#include <arpa/inet.h>
#include <string.h>

#define V4_BITS 32
#define V6_BITS 128
#define V4_LEAST 8
#define V6_LEAST 16

/* One to three digits. */
static int read_bits(const char *text)
{
    int bits = 0;
    size_t i = 0;

    for (; text[i] >= '0' && text[i] <= '9' && i < 3; i++) {
        bits = bits * 10 + (text[i] - '0');
    }
    return i > 0 && text[i] == '\0' ? bits : -1;
}

static bool is_first(const struct ls_network *network, int width)
{
    for (int bit = network->bits; bit < width; bit++) {
        if ((network->bytes[bit / 8] >> (7 - bit % 8) & 1) != 0) {
            return false;
        }
    }
    return true;
}

bool ls_network_parse(const char *text, struct ls_network *network)
{
    const char *slash = strchr(text, '/');
    const size_t length = slash == NULL ? 0 : (size_t)(slash - text);
    char address[INET6_ADDRSTRLEN];

    *network = (struct ls_network){.v6 = strchr(text, ':') != NULL};
    if (length == 0 || length >= sizeof address) {
        return false;
    }
    memcpy(address, text, length);
    address[length] = '\0';
    network->bits = read_bits(slash + 1);
    return inet_pton(network->v6 ? AF_INET6 : AF_INET, address, network->bytes) == 1 &&
           network->bits >= (network->v6 ? V6_LEAST : V4_LEAST) &&
           network->bits <= (network->v6 ? V6_BITS : V4_BITS) &&
           is_first(network, network->v6 ? V6_BITS : V4_BITS);
}

void ls_network_host(const struct ls_network *network, uint32_t number, uint8_t bytes[16])
{
    const int width = network->v6 ? V6_BITS : V4_BITS;
    const int free_bits = width - network->bits;
    const uint64_t all = UINT64_C(1) << (free_bits < V4_BITS ? free_bits : V4_BITS);
    uint64_t host = all > 2 ? 1 + number % (all - 2) : number % all;

    memcpy(bytes, network->bytes, sizeof network->bytes);
    for (int at = width / 8 - 1; host > 0; at--) {
        bytes[at] |= (uint8_t)(host & 0xff);
        host >>= 8;
    }
}
