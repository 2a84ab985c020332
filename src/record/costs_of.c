/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A live result as a cost profile. */
#include "record/costs.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loginstorm/student.h"
#include "record/build.h"
#include "record/fields.h"

static int ascending(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;

    return (a > b) - (a < b);
}

/* Negative when there is none. */
static double median(double *values, size_t count)
{
    if (count == 0) {
        return -1;
    }
    qsort(values, count, sizeof *values, ascending);
    return count % 2 == 1 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

static void interval(struct ls_cost_at *at, const double *values, size_t count)
{
    double mean = 0, squares = 0, half;

    at->cpu_low_ns = at->cpu_high_ns = -1;
    if (count < 2) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        mean += values[i] / (double)count;
    }
    for (size_t i = 0; i < count; i++) {
        squares += (values[i] - mean) * (values[i] - mean);
    }
    half = ls_student_at(0.975, (double)(count - 1)) *
           sqrt(squares / (double)(count - 1) / (double)count);
    /* A median may lie outside; what is given as the cost must not. */
    at->cpu_low_ns = fmax(0, fmin(mean - half, at->cpu_ns));
    at->cpu_high_ns = fmax(mean + half, at->cpu_ns);
}

/* The load that a handshake met, in the mean over them: for each slice how many were due in it. */
static double load_met(const struct ls_run *run, double speedup, bool cpu)
{
    const double slice_s = speedup > 0 ? (double)run->slice_ns / (double)LS_NS_PER_S / speedup : 0;
    const double connections =
        run->logged_in > 0
            ? (double)(run->handshakes_full + run->handshakes_resumed) / (double)run->logged_in
            : 0;
    double sum = 0, due = 0;

    for (size_t i = 0; i < run->timeline_count; i++) {
        const struct ls_moment *moment = &run->timeline[i];
        const double share = moment->gateway_cpu_share / fmax(1, run->gateway_workers);
        const double per_s = (double)moment->due * connections / slice_s;

        if (moment->due > 0 && (cpu ? share >= 0 : slice_s > 0 && per_s < 1e9)) {
            sum += (double)moment->due * (cpu ? fmin(1, share) : per_s);
            due += (double)moment->due;
        }
    }
    return due > 0 ? rounded(sum / due, 6) : -1;
}

static bool counts(const struct ls_run *run)
{
    return run->live && !run->partial && run->validity.verdict != LS_INVALID &&
           run->cpu_us_per_handshake > 0 && run->cpu_us_per_handshake * 1000 < US_REAL_MOST_NS &&
           run->handshakes_full + run->handshakes_resumed > 0;
}

enum figure { CPU, USER, SYSTEM, TLS, CLIENT, PER_S, CORE_SHARE };

static double figure_of(const struct ls_run *run, enum figure figure, double speedup)
{
    switch (figure) {
    case CPU:
        return run->cpu_us_per_handshake * 1000;
    case USER:
        return run->user_us_per_handshake * 1000;
    case SYSTEM:
        return run->system_us_per_handshake * 1000;
    case TLS:
        return run->tls_us_per_handshake * 1000;
    case CLIENT:
        return run->injector_us_per_handshake * 1000;
    case PER_S:
        return load_met(run, speedup, false);
    case CORE_SHARE:
        return load_met(run, speedup, true);
    }
    return -1;
}

/* The figure of each round that counts and knows it; none is so large in a run that was measured. */
static size_t gather(const struct ls_run *const *rounds, size_t count, enum figure figure,
                     double speedup, double *values)
{
    size_t gathered = 0;

    for (size_t i = 0; i < count; i++) {
        const double value = counts(rounds[i]) ? figure_of(rounds[i], figure, speedup) : -1;

        if (value >= 0 && value < US_REAL_MOST_NS) {
            values[gathered++] = value;
        }
    }
    return gathered;
}

static const size_t quantile_offsets[] = {
    offsetof(struct ls_quantiles, min), offsetof(struct ls_quantiles, mean),
    offsetof(struct ls_quantiles, p50), offsetof(struct ls_quantiles, p90),
    offsetof(struct ls_quantiles, p95), offsetof(struct ls_quantiles, p99),
    offsetof(struct ls_quantiles, p100)};

/* The medians of the rounds' quantiles; which: connect, handshake or login of a run. */
static void latency_of(struct ls_spread *out, const struct ls_run *const *rounds, size_t count,
                       size_t which, double *values)
{
    struct ls_quantiles medians = {0};

    for (size_t q = 0; q < sizeof quantile_offsets / sizeof quantile_offsets[0]; q++) {
        int64_t middle;
        size_t gathered = 0;

        for (size_t i = 0; i < count; i++) {
            const char *of = (const char *)rounds[i] + which;
            int64_t ns;

            memcpy(&ns, of + quantile_offsets[q], sizeof ns);
            if (counts(rounds[i]) && ns >= 0) {
                values[gathered++] = (double)ns;
            }
        }
        middle = (int64_t)median(values, gathered);
        memcpy((char *)&medians + quantile_offsets[q], &middle, sizeof middle);
    }
    for (size_t i = 0; i < count; i++) {
        struct ls_quantiles one;

        memcpy(&one, (const char *)rounds[i] + which, sizeof one);
        medians.count += counts(rounds[i]) ? one.count : 0;
    }
    ls_spread_of_quantiles(out, &medians);
}

static bool work_out(struct ls_cost_at *out, const struct ls_run *const *rounds, size_t count,
                     double speedup, double *values)
{
    size_t gathered = gather(rounds, count, CPU, speedup, values);

    *out = (struct ls_cost_at){.rounds = (int)gathered};
    if (gathered == 0) {
        return false;
    }
    out->cpu_ns = median(values, gathered);
    interval(out, values, gathered);
    out->user_ns = median(values, gather(rounds, count, USER, speedup, values));
    out->system_ns = median(values, gather(rounds, count, SYSTEM, speedup, values));
    out->tls_ns = median(values, gather(rounds, count, TLS, speedup, values));
    out->client_ns = median(values, gather(rounds, count, CLIENT, speedup, values));
    out->per_s = median(values, gather(rounds, count, PER_S, speedup, values));
    out->core_share = median(values, gather(rounds, count, CORE_SHARE, speedup, values));
    for (size_t i = 0; i < count; i++) {
        if (counts(rounds[i])) {
            out->handshakes += rounds[i]->handshakes_full + rounds[i]->handshakes_resumed;
            out->verdict = rounds[i]->validity.verdict > out->verdict ? rounds[i]->validity.verdict
                                                                      : out->verdict;
        }
    }
    ls_spread_of(&out->hello, NULL, 0);
    ls_spread_of(&out->finish, NULL, 0);
    latency_of(&out->connect, rounds, count, offsetof(struct ls_run, connect), values);
    latency_of(&out->handshake, rounds, count, offsetof(struct ls_run, handshake), values);
    latency_of(&out->login, rounds, count, offsetof(struct ls_run, login), values);
    return true;
}

bool ls_cost_at_of(struct ls_cost_at *out, const struct ls_run *const *rounds, size_t count,
                   double speedup)
{
    double *values = calloc(count + 1, sizeof *values);
    const bool good = values != NULL && work_out(out, rounds, count, speedup, values);

    free(values);
    return good;
}

/* Whether an earlier run is of the same certificate, which then has its row. */
static bool seen(const struct ls_result *result, size_t at)
{
    for (size_t i = 0; i < at; i++) {
        if (strcmp(result->runs[i].certificate, result->runs[at].certificate) == 0 &&
            strcmp(result->runs[i].key, result->runs[at].key) == 0) {
            return true;
        }
    }
    return false;
}

static bool leave_out(struct ls_costs *costs, const struct ls_run *run)
{
    const char *why = run->partial                          ? "ended early"
                      : run->validity.verdict == LS_INVALID ? "invalid"
                      : run->gateway_cpu_ns < 0             ? "the gateway's CPU is not known"
                                                            : "no handshake";
    char *before = costs->left_out;
    const int length = asprintf(&costs->left_out, "%s%s%s (%s)", before == NULL ? "" : before,
                                before == NULL ? "" : ", ", run->certificate, why);

    free(before);
    if (length < 0) {
        costs->left_out = NULL;
    }
    return length >= 0;
}

/* The row of all rounds of runs[at]'s certificate; rounds has room for them. */
static bool add_row(struct ls_costs *costs, const struct ls_result *result, size_t at,
                    const struct ls_run **rounds)
{
    const struct ls_run *run = &result->runs[at];
    struct ls_cost *row = &costs->rows[costs->count];
    int64_t resumed = 0, all = 0;
    size_t count = 0;

    for (size_t i = at; i < result->runs_count; i++) {
        const struct ls_run *other = &result->runs[i];

        if (strcmp(other->certificate, run->certificate) == 0 &&
            strcmp(other->key, run->key) == 0) {
            rounds[count++] = other;
            resumed += counts(other) ? other->handshakes_resumed : 0;
            all += counts(other) ? other->handshakes_full + other->handshakes_resumed : 0;
        }
    }
    if (all == 0) {
        return leave_out(costs, run);
    }
    row->resumed_share = (double)resumed / (double)all;
    row->resumed = resumed == all;
    row->send_bytes = row->receive_bytes = -1;
    row->at_count = 1;
    costs->count++;
    return ls_cost_at_of(&row->at[0], rounds, count, result->speedup) &&
           text_copy(&row->certificate, run->certificate) && text_copy(&row->key, run->key);
}

static bool copy_host(struct ls_costs *costs, const struct ls_result *result)
{
    costs->host_cores = result->host_cores;
    costs->factor = costs->low = costs->high = 1;
    ls_spread_of(&costs->pauses, NULL, 0);
    costs->pauses_per_s = -1;
    for (size_t i = 0; i < LS_SPEED_KEYS; i++) {
        costs->openssl.sign_per_s[i] = -1;
    }
    return text_copy(&costs->source, "run") && text_copy(&costs->created, result->created) &&
           text_copy(&costs->host_cpu, result->host_cpu) &&
           text_copy(&costs->host_kernel, result->host_kernel) &&
           text_copy(&costs->tls_library, result->tls_library) &&
           text_copy(&costs->tls_build, result->tls_build);
}

static enum ls_code fill(struct ls_costs *costs, const struct ls_result *result,
                         const struct ls_run **rounds, struct ls_error *err)
{
    bool whole = costs->rows != NULL && rounds != NULL && copy_host(costs, result);

    for (size_t i = 0; whole && i < result->runs_count; i++) {
        whole = seen(result, i) || add_row(costs, result, i, rounds);
    }
    if (!whole) {
        return ls_error_set(err, LS_ENOMEM, "no memory for the cost profile");
    }
    if (costs->count == 0) {
        return ls_error_set_at(err, "", 0, 0, "no run in it tells what a handshake costs: %.300s",
                               costs->left_out == NULL ? "there is none" : costs->left_out);
    }
    return LS_OK;
}

enum ls_code ls_costs_of_result(struct ls_costs **out, const struct ls_result *result,
                                struct ls_error *err)
{
    struct ls_costs *costs;
    const struct ls_run **rounds;
    enum ls_code code;

    *out = NULL;
    for (size_t i = 0; i < result->runs_count; i++) {
        if (!result->runs[i].live) {
            return ls_error_set_at(err, "", 0, 0,
                                   "a simulated result is no cost profile: a cost has to be "
                                   "measured, by `loginstorm calibrate` or `loginstorm run`");
        }
    }
    costs = calloc(1, sizeof *costs);
    if (costs == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for the cost profile");
    }
    costs->rows = calloc(result->runs_count + 1, sizeof *costs->rows);
    rounds = calloc(result->runs_count + 1, sizeof *rounds);
    code = fill(costs, result, rounds, err);
    free(rounds);
    if (code != LS_OK) {
        ls_costs_free(costs);
        return code;
    }
    *out = costs;
    return LS_OK;
}
