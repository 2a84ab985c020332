/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LS_REPORT_SHEET_H
#define LS_REPORT_SHEET_H

/*
 * Lines of the text format that Prometheus and OpenMetrics share: private to this room. Gauges and
 * summaries alone: a counter's TYPE line is read as another name by the one than by the other, and
 * what a storm counted is no counter (the next storm may count less).
 */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "loginstorm/result.h"

struct metric {
    const char *name; /* behind "loginstorm_" */
    const char *unit; /* which the name then ends in; NULL: none, or not at its end */
    const char *help;
};

/* The labels of a sample: who it is of, then its own, by name and value. */
#define LABELS_MAX 6
struct labels {
    const struct ls_result *result;
    const struct ls_run *run;           /* NULL: of the result as a whole */
    const struct ls_wave_figures *wave; /* of run's; NULL: none */
    const char *name[LABELS_MAX], *value[LABELS_MAX];
};

struct sheet {
    FILE *out;
    const char *headed; /* the metric whose head stands last */
};

/* A gauge's line, and the head before a metric's first. Whoever puts a metric puts all of it before the
 * next. */
void sheet_put(struct sheet *sheet, const struct metric *metric, const struct labels *labels,
               double value);
/* The same of ns, in seconds to the last digit; INT64_MAX is without end. */
void sheet_put_ns(struct sheet *sheet, const struct metric *metric, const struct labels *labels,
                  int64_t ns);
/* All lines of a summary, of times in seconds. */
void sheet_put_summary(struct sheet *sheet, const struct metric *metric,
                       const struct labels *labels, const struct ls_quantiles *q);
/* One quantile of a summary that has neither sum nor count, as "0.99". */
void sheet_put_quantile(struct sheet *sheet, const struct metric *metric,
                        const struct labels *labels, const char *quantile, int64_t ns);

/* Puts name="value" with what must be escaped. */
void sheet_put_label(struct sheet *sheet, const char *name, const char *value, bool first);

#endif
