/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_METER_EXPOSITION_H
#define LOGINSTORM_METER_EXPOSITION_H

/* Prometheus's text format (and what of OpenMetrics looks like it), a sample at a time, of foreign
 * bytes: nothing is copied, and only what is asked for is unescaped. */

#include <stdbool.h>
#include <stddef.h>

struct exposition {
    const char *at, *end;
    int line; /* of the sample last given, from 1 */
};

struct exposition_sample {
    const char *name;
    size_t name_size;
    const char *labels; /* between the braces */
    size_t labels_size;
    double value;
};

enum exposition_step { EXPOSITION_SAMPLE, EXPOSITION_END, EXPOSITION_BROKEN /* at `line` */ };

enum exposition_step exposition_next(struct exposition *text, struct exposition_sample *out);

bool exposition_is(const struct exposition_sample *sample, const char *name);

/* A label's value, unescaped and ended, cut to size; false: it has none of that name. */
bool exposition_label(const struct exposition_sample *sample, const char *name, char *out,
                      size_t size);

#endif
