/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LS_TESTS_MODEL_KIT_H
#define LS_TESTS_MODEL_KIT_H

/* Small farms for the tests of the model: one population, one step, nothing on the way, unless a
 * test says more. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "loginstorm/model.h"
#include "loginstorm/random.h"
#include "loginstorm/units.h"

struct kit {
    struct ls_model_population population;
    struct ls_model_wish wish;
    struct ls_schedule *schedule;
};

/* A login of one connection, whose one burst has that law. Nobody gives up, any number may wait. */
static inline void kit_init(struct kit *kit, struct ls_service service)
{

    *kit = (struct kit){
        .population = {.connections = 1,
                       .full = {.steps = {{.burst = service}}, .steps_count = 1, .tls13 = true}},
        .wish = {.populations_count = 1,
                 .login = {.hold = LS_HOLD_NONE,
                           .connect_timeout_ns = INT64_MAX,
                           .handshake_timeout_ns = INT64_MAX,
                           .login_timeout_ns = INT64_MAX,
                           .attempts = 1,
                           .retry_factor = 1},
                 .farm = {.gateways = 1, .cores = 1, .backlog = -1},
                 .speedup = 1},
    };
    kit->wish.populations = &kit->population;
}

static inline struct ls_schedule *kit_schedule(struct kit *kit, size_t count)
{
    free(kit->schedule);
    kit->schedule = calloc(1, sizeof *kit->schedule + count * sizeof kit->schedule->rows[0]);
    if (kit->schedule == NULL) {
        abort();
    }
    kit->schedule->count = count;
    return kit->schedule;
}

/* A Poisson process of that rate, as many as the schedule has rows. */
static inline void kit_poisson(struct kit *kit, size_t count, double mean_gap_ns, uint64_t seed)
{
    struct ls_schedule *schedule = kit_schedule(kit, count);
    double at_ns = 0;

    for (size_t i = 0; i < count; i++) {
        at_ns -= log(ls_random_unit(seed, LS_STREAM_ARRIVAL, i, 0)) * mean_gap_ns;
        schedule->rows[i].at_ns = schedule->rows[i].due_ns = (int64_t)at_ns;
    }
}

static inline void kit_free(struct kit *kit)
{
    free(kit->schedule);
    kit->schedule = NULL;
}

#endif
