/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LS_MODEL_DRAW_H
#define LS_MODEL_DRAW_H

/* Service times: the inverse of a law at a draw of (seed, row, number). */

#include <stdint.h>

#include "loginstorm/model.h"

#define LOG_CELLS 128
struct drawer {
    uint64_t state; /* of the seed and the stream of service times */
    double log_of[LOG_CELLS], inverse[LOG_CELLS];
};

void drawer_init(struct drawer *drawer);
void drawer_seed(struct drawer *drawer, uint64_t seed);

/* log u, u in (0, 1], to 1e-16 of its value or of 1; the same bits on every machine. */
double drawer_log(const struct drawer *drawer, double u);

int64_t drawer_service_ns(const struct drawer *drawer, const struct ls_service *service,
                          uint64_t row, uint64_t number);

#endif
