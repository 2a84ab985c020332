/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A result as metrics. Their names: the tables here and in metrics.c; each sample says by its labels of
 * which scenario, engine, certificate and round it is, so that the files of several storms may lie in
 * one folder. What is not known is not there.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "loginstorm/report.h"
#include "loginstorm/zone.h"
#include "report/metrics.h"

static const struct metric login_of_all = {
    "login_of_all_latency_seconds", "seconds",
    "From due to logged in, of all who were decided; who failed waited without end."};
static const struct metric by_reason = {"logins_failed", NULL, "Logins that failed, by reason."};
static const struct metric attempts_by_reason = {"handshakes_failed", NULL,
                                                 "Handshakes that failed, by reason."};
static const struct metric certificate_info = {"certificate_info", NULL,
                                               "1: a certificate that was played, and its key."};
static const struct metric valid = {"measurement_valid", NULL,
                                    "1: the measurement is valid; 0: it is suspect or invalid."};
static const struct metric verdict = {"measurement_verdict", NULL,
                                      "1 for the verdict on the measurement, 0 for the others."};

static void put_reasons_of(struct sheet *sheet, const struct ls_result *result, bool attempts)
{
    const struct metric *metric = attempts ? &attempts_by_reason : &by_reason;

    for (size_t i = 0; i < result->runs_count; i++) {
        const struct ls_run *run = &result->runs[i];
        const int64_t *counts = attempts ? run->handshakes_by_reason : run->by_reason;

        for (unsigned reason = 0; reason < LS_REASON_COUNT; reason++) {
            const struct labels labels = {.result = result,
                                          .run = run,
                                          .name = {"reason"},
                                          .value = {ls_reason_word((enum ls_reason)reason)}};

            sheet_put(sheet, metric, &labels, (double)counts[reason]);
        }
    }
}

static void put_login_of_all(struct sheet *sheet, const struct ls_result *result)
{
    for (size_t i = 0; i < result->runs_count; i++) {
        const struct ls_run *run = &result->runs[i];
        const struct labels labels = {.result = result, .run = run};
        const struct {
            const char *quantile;
            int64_t ns;
        } rows[] = {{"0.5", run->of_all_p50},
                    {"0.95", run->of_all_p95},
                    {"0.99", run->of_all_p99},
                    {"1", run->of_all_p100}};

        for (size_t q = 0; q < sizeof rows / sizeof rows[0]; q++) {
            if (rows[q].ns >= 0 || run->failed > 0) {
                sheet_put_quantile(sheet, &login_of_all, &labels, rows[q].quantile,
                                   rows[q].ns >= 0 ? rows[q].ns : INT64_MAX);
            }
        }
    }
}

static void put_verdicts_of(struct sheet *sheet, const struct ls_result *result)
{
    for (size_t i = 0; i < result->runs_count; i++) {
        const struct labels labels = {.result = result, .run = &result->runs[i]};

        if (result->runs[i].live) {
            sheet_put(sheet, &valid, &labels, result->runs[i].validity.verdict == LS_VALID);
        }
    }
    for (size_t i = 0; i < result->runs_count; i++) {
        for (enum ls_verdict v = LS_VALID; result->runs[i].live && v <= LS_INVALID; v++) {
            const struct labels labels = {.result = result,
                                          .run = &result->runs[i],
                                          .name = {"verdict"},
                                          .value = {ls_verdict_word(v)}};

            sheet_put(sheet, &verdict, &labels, result->runs[i].validity.verdict == v);
        }
    }
}

static void put_certificates(struct sheet *sheet, const struct ls_result *result)
{
    for (size_t i = 0; i < result->runs_count; i++) {
        const struct ls_run *run = &result->runs[i];
        const struct labels labels = {.result = result,
                                      .run = run,
                                      .name = {"key", "gateway"},
                                      .value = {run->key, run->gateway_source}};

        sheet_put(sheet, &certificate_info, &labels, 1);
    }
}

/* A simulation's: what its mornings stay at or below, and the middle of them. */
static const struct {
    const char *statistic;
    size_t offset;
} statistics[] = {
    {"median", offsetof(struct ls_range, median)},
    {"low", offsetof(struct ls_range, low)},
    {"high", offsetof(struct ls_range, high)},
    {"in_95_percent", offsetof(struct ls_range, in_95)},
    {"worst", offsetof(struct ls_range, worst)},
};

#define MORNINGS(member) offsetof(struct ls_run, mornings.member)
#define ALL_OF                                                                                     \
    {"mornings_login_of_all_latency_seconds", "seconds",                                           \
     "Percentiles of a simulated morning, of all who were decided, over all mornings."},           \
        NS
#define LOGIN_OF                                                                                   \
    {"mornings_login_latency_seconds", "seconds",                                                  \
     "Percentiles of a simulated morning, of the logged in, over all mornings."},                  \
        NS
static const struct figure ranges[] = {
    {LOGIN_OF, MORNINGS(login_p50), "percentile", "p50"},
    {LOGIN_OF, MORNINGS(login_p95), "percentile", "p95"},
    {LOGIN_OF, MORNINGS(login_p99), "percentile", "p99"},
    {LOGIN_OF, MORNINGS(login_p100), "percentile", "p100"},
    {ALL_OF, MORNINGS(of_all_p50), "percentile", "p50"},
    {ALL_OF, MORNINGS(of_all_p95), "percentile", "p95"},
    {ALL_OF, MORNINGS(of_all_p99), "percentile", "p99"},
    {ALL_OF, MORNINGS(of_all_p100), "percentile", "p100"},
    {{"mornings_failed_ratio", "ratio", "Logins that failed, of all, over all mornings."},
     SHARE,
     MORNINGS(failed_share),
     NULL,
     NULL},
    {{"mornings_gateway_peak_ratio", "ratio",
      "Of one gateway's cores in its fullest minute, over all mornings."},
     SHARE,
     MORNINGS(gateway_peak_share),
     NULL,
     NULL},
    {{"mornings_peak_minute_logins", NULL, "Logins of the fullest minute, over all mornings."},
     COUNT,
     MORNINGS(peak_minute_logins),
     NULL,
     NULL},
};
#define RANGES (sizeof ranges / sizeof ranges[0])

static void put_range(struct sheet *sheet, const struct figure *figure,
                      const struct ls_result *result, const struct ls_run *run)
{
    const char *range = (const char *)run + figure->offset;

    for (size_t i = 0; i < sizeof statistics / sizeof statistics[0]; i++) {
        const int64_t value = *(const int64_t *)(const void *)(range + statistics[i].offset);
        const struct labels labels = {.result = result,
                                      .run = run,
                                      .name = {"mornings", figure->label},
                                      .value = {statistics[i].statistic, figure->value}};

        if (figure->kind == NS) {
            sheet_put_ns(sheet, &figure->metric, &labels, value >= 0 ? value : INT64_MAX);
        } else if (value >= 0) {
            sheet_put(sheet, &figure->metric, &labels,
                      figure->kind == SHARE ? (double)value / 1e6 : (double)value);
        }
    }
}

static void put_mornings_of(struct sheet *sheet, const struct ls_result *result)
{
    static const struct metric count = {"mornings", NULL, "Mornings that were simulated."};

    for (size_t i = 0; i < result->runs_count; i++) {
        const struct ls_run *run = &result->runs[i];

        if (run->mornings.count > 0) {
            sheet_put(sheet, &count, &(struct labels){.result = result, .run = run},
                      (double)run->mornings.count);
        }
    }
    for (size_t r = 0, end; r < RANGES; r = end) {
        end = family_end(ranges, RANGES, r);
        for (size_t i = 0; i < result->runs_count * (end - r); i++) {
            const struct ls_run *run = &result->runs[i / (end - r)];

            if (run->mornings.count > 0) {
                put_range(sheet, &ranges[r + i % (end - r)], result, run);
            }
        }
    }
}

static const struct metric target_met = {"target_met", NULL,
                                         "1: the target was met; 0: it was missed."};
static const struct metric target_metrics[2][2] = {
    {{"target_limit_seconds", "seconds", "What the scenario asks of a latency."},
     {"target_limit_ratio", "ratio", "What the scenario asks of a share."}},
    {{"target_value_seconds", "seconds", "What became of it; without end where so many failed."},
     {"target_value_ratio", "ratio", "What became of it."}},
};

/* A file of another's making may say a target twice. */
static bool is_first(const struct ls_result *result, size_t which)
{
    for (size_t i = 0; i < which; i++) {
        if (strcmp(result->targets[i].name, result->targets[which].name) == 0) {
            return false;
        }
    }
    return true;
}

/* What a run came to under a target, into one of the metrics: NULL is met or not. */
static void put_target(struct sheet *sheet, const struct ls_target_outcome *one,
                       const struct labels *labels, int what, bool of_shares)
{
    const struct metric *metric = what == 2 ? &target_met : &target_metrics[what][of_shares];
    const int64_t value = what == 0 ? one->limit : one->never ? INT64_MAX : one->value;

    if (what == 2) {
        if (ls_target_judgement(one) != LS_TARGET_NOT_JUDGED) {
            sheet_put(sheet, metric, labels, one->met);
        }
    } else if (value >= 0 && one->is_share == of_shares) {
        if (of_shares) {
            sheet_put(sheet, metric, labels, (double)value / 1e6);
        } else {
            sheet_put_ns(sheet, metric, labels, value);
        }
    }
}

static void put_targets_of(struct sheet *sheet, const struct ls_result *result)
{
    static const struct {
        int what; /* limit, value, met */
        bool of_shares;
    } metrics[] = {{2, false}, {0, false}, {0, true}, {1, false}, {1, true}};

    for (size_t m = 0; m < sizeof metrics / sizeof metrics[0]; m++) {
        for (size_t i = 0; i < result->runs_count * result->targets_count; i++) {
            const size_t t = i % result->targets_count;
            const struct ls_target_outcome *target = &result->targets[t];
            const struct labels labels = {.result = result,
                                          .run = &result->runs[i / result->targets_count],
                                          .name = {"target"},
                                          .value = {target->name}};
            struct ls_target_outcome one = *target;

            ls_run_target(labels.run, &one);
            if (is_first(result, t)) {
                put_target(sheet, &one, &labels, metrics[m].what, metrics[m].of_shares);
            }
        }
    }
}

/* The next number of so many digits, and what stands behind it. */
static bool take(const char **text, int digits, char behind, int *number)
{
    *number = 0;
    for (int i = 0; i < digits; i++) {
        if ((*text)[i] < '0' || (*text)[i] > '9') {
            return false;
        }
        *number = *number * 10 + ((*text)[i] - '0');
    }
    if ((*text)[digits] != behind) {
        return false;
    }
    *text += digits + 1;
    return true;
}

/* Of "2026-11-30T07:55:00Z"; nothing where it is anything else. */
static void put_created(struct sheet *sheet, const struct ls_result *result)
{
    static const struct metric created = {"created_timestamp_seconds", "seconds",
                                          "When the result was made."};
    const struct labels labels = {.result = result};
    const char *text = result->created;
    struct ls_civil civil = {0};
    int64_t ns;

    if (text != NULL && take(&text, 4, '-', &civil.year) && take(&text, 2, '-', &civil.month) &&
        take(&text, 2, 'T', &civil.day) && take(&text, 2, ':', &civil.hour) &&
        take(&text, 2, ':', &civil.minute) && take(&text, 2, 'Z', &civil.second) && *text == '\0' &&
        ls_civil_utc_ns(&civil, &ns) && ns >= 0) {
        sheet_put_ns(sheet, &created, &labels, ns);
    }
}

static void put_storm(struct sheet *sheet, const struct ls_result *result)
{
    static const struct metric info = {"storm_info", NULL,
                                       "1: a storm, where it ran, and its TLS library."};
    const struct labels labels = {.result = result,
                                  .name = {"cpu", "kernel", "tls_library", "tls_build", "timezone"},
                                  .value = {result->host_cpu, result->host_kernel,
                                            result->tls_library, result->tls_build,
                                            result->timezone}};

    sheet_put(sheet, &info, &labels, 1);
    put_created(sheet, result);
}

enum ls_code ls_report_openmetrics(const struct ls_result *result, FILE *out, struct ls_error *err)
{
    struct sheet sheet = {.out = out};

    put_storm(&sheet, result);
    put_certificates(&sheet, result);
    put_verdicts_of(&sheet, result);
    put_targets_of(&sheet, result);
    put_all_figures(&sheet, result);
    put_login_of_all(&sheet, result);
    put_reasons_of(&sheet, result, false);
    put_reasons_of(&sheet, result, true);
    put_mornings_of(&sheet, result);
    (void)fputs("# EOF\n", out);
    if (fflush(out) != 0 || ferror(out) != 0) {
        return ls_error_set_errno(err, LS_EWRITE, "cannot write the metrics");
    }
    return LS_OK;
}
