/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fuzz/peer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct peers peers;

    if (peers.client == NULL) {
        peers = new_peers();
    }
    fuzz(peers.client, peers.server, data, size);
    return 0;
}
