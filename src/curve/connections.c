/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "curve/connections.h"

#include <stdlib.h>

#include "curve/siphash.h"

#define WAYS 8

struct connection {
    uint64_t hash; /* 0: free */
    uint32_t sequence;
    uint32_t seen; /* by the clock, which counts what was kept */
};

enum ls_code connections_init(struct connections *connections, struct ls_error *err)
{
    connections->clock = 0;
    connections->entries = calloc(CONNECTIONS_MAX, sizeof *connections->entries);
    return connections->entries == NULL
               ? ls_error_set(err, LS_ENOMEM, "no memory for the last connections")
               : LS_OK;
}

void connections_free(struct connections *connections)
{
    free(connections->entries);
    connections->entries = NULL;
}

enum connections_kind connections_see(struct connections *connections, const void *ends,
                                      size_t size, uint32_t sequence, uint32_t span)
{
    static const uint64_t key[2] = {0, 0}; /* nobody's secret: it only spreads */
    const uint64_t hash = siphash(key, ends, size) | 1;
    struct connection *set = &connections->entries[(hash >> 32) % (CONNECTIONS_MAX / WAYS) * WAYS];
    struct connection *oldest = set;

    for (size_t i = 0; i < WAYS; i++) {
        const uint32_t ahead = sequence - set[i].sequence;

        if (set[i].hash == hash && ahead == 0) {
            return CONNECTION_AGAIN;
        }
        if (set[i].hash == hash && (ahead <= span || 0U - ahead <= span)) {
            return CONNECTION_NEAR;
        }
        if (set[i].hash == hash || set[i].hash == 0) {
            oldest = &set[i];
            break;
        }
        if (connections->clock - set[i].seen > connections->clock - oldest->seen) {
            oldest = &set[i];
        }
    }
    *oldest = (struct connection){hash, sequence, connections->clock++};
    return CONNECTION_NEW;
}
