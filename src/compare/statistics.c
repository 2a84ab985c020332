/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compare/statistics.h"

void sample_of(const double *values, size_t count, struct sample *out)
{
    double sum = 0, squares = 0;

    *out = (struct sample){.count = count};
    for (size_t i = 0; i < count; i++) {
        sum += values[i];
    }
    out->mean = count > 0 ? sum / (double)count : 0;
    for (size_t i = 0; i < count; i++) {
        squares += (values[i] - out->mean) * (values[i] - out->mean);
    }
    out->variance = count > 1 ? squares / (double)(count - 1) : 0;
}
