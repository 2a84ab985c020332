/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A curve of latencies as HdrHistogram prints one, for its plotter and others like it: columns of blanks and
 * figures, the last row without its fourth, comments behind. Values are in ms. The standard deviation that
 * others have in a comment is not there: it is not known.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "loginstorm/report.h"
#include "report/page.h"

/* How many took no longer than a point says: all but those behind it, as it was made. */
static int64_t count_at(double share, int64_t count)
{
    const int64_t slower = (int64_t)floor((double)count * (1 - share) + 1e-6);

    return slower < count ? count - slower : count > 0;
}

static void put_row(FILE *out, double share, int64_t ns, int64_t count)
{
    (void)fprintf(out, "%12.6f %14.12f %10" PRId64, (double)ns / 1e6, share,
                  count_at(share, count));
    if (share < 1) {
        (void)fprintf(out, " %14.2f", 1 / (1 - share));
    }
    (void)fputc('\n', out);
}

/* What a result from before there were curves has of them. */
static void put_quantile_rows(FILE *out, const struct ls_quantiles *q)
{
    const struct ls_point rows[] = {{0, q->min},    {0.5, q->p50},  {0.9, q->p90},
                                    {0.95, q->p95}, {0.99, q->p99}, {0.999, q->p99_9},
                                    {1, q->p100}};

    for (size_t i = 0; q->count > 0 && i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].ns >= 0) {
            put_row(out, rows[i].share, rows[i].ns, q->count);
        }
    }
}

enum ls_code ls_report_hgrm(const struct ls_run *run, enum ls_curve_of of, FILE *out,
                            struct ls_error *err)
{
    const bool login = of == LS_CURVE_OF_LOGIN;
    const struct ls_distribution *curve =
        login ? &run->login_distribution : &run->handshake_distribution;
    const struct ls_quantiles *q = login ? &run->login : &run->handshake;
    char *name = clean_text(run->certificate, true);

    if (name == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for the report");
    }
    (void)fprintf(out, "%12s %14s %10s %14s\n\n", "Value", "Percentile", "TotalCount",
                  "1/(1-Percentile)");
    for (size_t i = 0; i < curve->points_count; i++) {
        put_row(out, curve->points[i].share, curve->points[i].ns, q->count);
    }
    if (curve->points_count == 0) {
        put_quantile_rows(out, q);
    }
    if (q->count > 0) {
        (void)fprintf(out,
                      "#[Mean    = %12.3f]\n#[Max     = %12.3f, Total count    = %12" PRId64 "]\n",
                      (double)q->mean / 1e6, (double)q->p100 / 1e6, q->count);
    }
    (void)fprintf(out, "#[%s with %s, round %d, in ms]\n",
                  login ? "login, due to logged in" : "handshake, TCP to TLS", name, run->repeat);
    free(name);
    if (fflush(out) != 0 || ferror(out) != 0) {
        return ls_error_set_errno(err, LS_EWRITE, "cannot write the report");
    }
    return LS_OK;
}
