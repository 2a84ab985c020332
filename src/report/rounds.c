/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/rounds.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Figures that are the median of the rounds, and those that are the worst of them: a failure in one
 * round of five would vanish from a median. */
static const size_t median_times[] = {
    offsetof(struct ls_run, connect.p50),   offsetof(struct ls_run, connect.p99),
    offsetof(struct ls_run, handshake.p50), offsetof(struct ls_run, handshake.p99),
    offsetof(struct ls_run, login.p50),     offsetof(struct ls_run, login.p99),
    offsetof(struct ls_run, login.p100),
};
static const size_t median_reals[] = {
    offsetof(struct ls_run, cpu_us_per_login),
    offsetof(struct ls_run, cpu_us_per_handshake),
    offsetof(struct ls_run, user_us_per_handshake),
    offsetof(struct ls_run, system_us_per_handshake),
    offsetof(struct ls_run, tls_us_per_handshake),
    offsetof(struct ls_run, capacity_per_s_per_core),
    offsetof(struct ls_run, cores_at_peak_minute),
    offsetof(struct ls_run, cores_at_peak_second),
    offsetof(struct ls_run, client_hello_bytes),
    offsetof(struct ls_run, server_flight_bytes),
    offsetof(struct ls_run, ticket_bytes),
    offsetof(struct ls_run, to_gateway_bytes),
    offsetof(struct ls_run, from_gateway_bytes),
};
static const size_t median_wave_times[] = {
    offsetof(struct ls_wave_figures, handshake.mean),
    offsetof(struct ls_wave_figures, secured.p50),
    offsetof(struct ls_wave_figures, login.p50),
    offsetof(struct ls_wave_figures, login.p100),
};
static const size_t median_wave_reals[] = {offsetof(struct ls_wave_figures, logins_per_s)};

static int ascending(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;

    return (a > b) - (a < b);
}

/* Times are below 2^53 ns, so a double holds them. Negative when that round has no end. */
static double median(double *values, size_t count)
{
    double middle;

    if (count == 0) {
        return -1;
    }
    qsort(values, count, sizeof *values, ascending);
    middle = count % 2 == 1 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
    return isinf(middle) ? -1 : middle;
}

/* 2: whole and to be trusted, as a comparison wants it; 1: whole; 0: ended early. */
static int worth(const struct ls_run *run)
{
    return run->partial ? 0 : run->validity.verdict == LS_INVALID ? 1 : 2;
}

/* The rounds that the comparison takes; where it has none, the best there are. */
static bool counts(const struct ls_result *result, const struct ls_run *run, const char *name)
{
    int best = 0;

    for (size_t i = 0; i < result->runs_count; i++) {
        if (strcmp(result->runs[i].certificate, name) == 0 && worth(&result->runs[i]) > best) {
            best = worth(&result->runs[i]);
        }
    }
    return strcmp(run->certificate, name) == 0 && worth(run) == best;
}

/* Where a run keeps its figures: itself, or one of its closed loops. NULL where it has not so many. */
#define OF_THE_RUN SIZE_MAX
static const char *figures_in(const struct ls_run *run, size_t wave)
{
    if (wave == OF_THE_RUN) {
        return (const char *)run;
    }
    return wave < run->waves_count ? (const char *)&run->waves[wave] : NULL;
}

/* The median of one figure over the rounds that know it; negative when none does. A time that a
 * round does not have is that of a round in which nobody came so far: longer than any. */
static double median_over(const struct ls_result *result, const char *name, size_t wave,
                          size_t offset, bool is_time, double *values)
{
    size_t count = 0;

    for (size_t i = 0; i < result->runs_count; i++) {
        const char *figures = figures_in(&result->runs[i], wave);
        int64_t time;
        double value;

        if (figures == NULL || !counts(result, &result->runs[i], name)) {
            continue;
        }
        memcpy(&time, figures + offset, sizeof time);
        memcpy(&value, figures + offset, sizeof value);
        value = !is_time ? value : time >= 0 ? (double)time : HUGE_VAL;
        if (value >= 0) {
            values[count++] = value;
        }
    }
    return median(values, count);
}

/* Puts medians over what into has of the run, or of one wave. */
static void take_times(const struct ls_result *result, const char *name, size_t wave,
                       const size_t *offsets, size_t count, char *into, double *values)
{
    for (size_t i = 0; i < count; i++) {
        const int64_t time = (int64_t)median_over(result, name, wave, offsets[i], true, values);

        memcpy(into + offsets[i], &time, sizeof time);
    }
}

static void take_reals(const struct ls_result *result, const char *name, size_t wave,
                       const size_t *offsets, size_t count, char *into, double *values)
{
    for (size_t i = 0; i < count; i++) {
        const double real = median_over(result, name, wave, offsets[i], false, values);

        memcpy(into + offsets[i], &real, sizeof real);
    }
}

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* A copy of the loops, without the single handshakes, which are those of one round. */
static bool take_waves(const struct ls_result *result, struct ls_run *into, double *values)
{
    const struct ls_wave_figures *from = into->waves;

    into->waves = calloc(into->waves_count + 1, sizeof *into->waves);
    for (size_t w = 0; into->waves != NULL && w < into->waves_count; w++) {
        into->waves[w] = from[w];
        into->waves[w].each_ns = NULL;
        into->waves[w].each_count = 0;
        take_times(result, into->certificate, w, median_wave_times, COUNT(median_wave_times),
                   (char *)&into->waves[w], values);
        take_reals(result, into->certificate, w, median_wave_reals, COUNT(median_wave_reals),
                   (char *)&into->waves[w], values);
    }
    return into->waves != NULL;
}

static void take_medians(const struct ls_result *result, struct ls_run *into, double *values)
{
    take_times(result, into->certificate, OF_THE_RUN, median_times, COUNT(median_times),
               (char *)into, values);
    take_reals(result, into->certificate, OF_THE_RUN, median_reals, COUNT(median_reals),
               (char *)into, values);
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static void take_worst(struct ls_run *into, const struct ls_run *run)
{
    struct ls_validity *worst = &into->validity;
    const struct ls_validity *one = &run->validity;

    into->logged_in = run->logged_in < into->logged_in ? run->logged_in : into->logged_in;
    into->failed = larger(into->failed, run->failed);
    into->long_hellos_unanswered =
        larger(into->long_hellos_unanswered, run->long_hellos_unanswered);
    into->kernel.listen_overflows =
        larger(into->kernel.listen_overflows, run->kernel.listen_overflows);
    into->kernel.listen_drops = larger(into->kernel.listen_drops, run->kernel.listen_drops);
    into->kernel.syn_retransmits =
        larger(into->kernel.syn_retransmits, run->kernel.syn_retransmits);
    for (size_t w = 0; w < into->waves_count && w < run->waves_count; w++) {
        struct ls_wave_figures *wave = &into->waves[w];

        wave->logged_in =
            run->waves[w].logged_in < wave->logged_in ? run->waves[w].logged_in : wave->logged_in;
        wave->failed = larger(wave->failed, run->waves[w].failed);
    }
    into->peak_in_flight = larger(into->peak_in_flight, run->peak_in_flight);
    into->peak_handshakes_in_flight =
        larger(into->peak_handshakes_in_flight, run->peak_handshakes_in_flight);
    into->partial = into->partial || run->partial;
    worst->verdict = one->verdict > worst->verdict ? one->verdict : worst->verdict;
    worst->start_lag.p99 = larger(worst->start_lag.p99, one->start_lag.p99);
    worst->retransmitted += one->retransmitted;
    if (one->injector_cpu_share > worst->injector_cpu_share) {
        worst->injector_cpu_share = one->injector_cpu_share;
    }
}

static bool fold(struct rounds *rounds, const struct ls_result *result)
{
    double *values = calloc(result->runs_count + 1, sizeof *values);
    struct ls_result *medians = &rounds->medians;

    for (size_t i = 0; values != NULL && i < result->runs_count; i++) {
        const struct ls_run *run = &result->runs[i];
        size_t at = 0;

        while (at < medians->runs_count &&
               strcmp(medians->runs[at].certificate, run->certificate) != 0) {
            at++;
        }
        if (at < medians->runs_count) {
            take_worst(&medians->runs[at], run);
            continue;
        }
        medians->runs[at] = *run;
        medians->runs[at].validity.reasons_count = 0; /* the rounds have them */
        if (!take_waves(result, &medians->runs[at], values)) {
            free(values);
            return false;
        }
        medians->runs_count++;
        take_medians(result, &medians->runs[at], values);
    }
    free(values);
    return values != NULL;
}

/* How many rounds of each certificate are in its medians, and whether all of them are. */
static void count_rounds(struct rounds *rounds, const struct ls_result *result)
{
    for (size_t m = 0; m < rounds->medians.runs_count; m++) {
        const char *name = rounds->medians.runs[m].certificate;
        int all = 0, taken = 0;

        for (size_t i = 0; i < result->runs_count; i++) {
            all += strcmp(result->runs[i].certificate, name) == 0;
            taken += counts(result, &result->runs[i], name);
        }
        rounds->fewest = m == 0 || taken < rounds->fewest ? taken : rounds->fewest;
        rounds->taken = taken > rounds->taken ? taken : rounds->taken;
        rounds->left_out += all - taken;
    }
}

bool rounds_init(struct rounds *rounds, const struct ls_result *result)
{
    struct ls_result *named = &rounds->named;

    *rounds = (struct rounds){
        .most = 1, .fewest = 1, .taken = 1, .medians = *result, .named = *result, .whole = result};
    for (size_t i = 0; i < result->runs_count; i++) {
        rounds->most =
            result->runs[i].repeat > rounds->most ? result->runs[i].repeat : rounds->most;
    }
    if (rounds->most == 1) {
        return true;
    }
    rounds->medians.runs_count = named->runs_count = 0;
    rounds->medians.runs = calloc(result->runs_count + 1, sizeof *named->runs);
    named->runs = calloc(result->runs_count + 1, sizeof *named->runs);
    if (rounds->medians.runs == NULL || named->runs == NULL || !fold(rounds, result)) {
        return false;
    }
    count_rounds(rounds, result);
    for (size_t i = 0; i < result->runs_count; i++) {
        const size_t size = strlen(result->runs[i].certificate) + 32;

        named->runs[i] = result->runs[i];
        named->runs[i].certificate = malloc(size);
        if (named->runs[i].certificate == NULL) {
            return false;
        }
        named->runs_count++;
        (void)snprintf(named->runs[i].certificate, size, "%s, round %d",
                       result->runs[i].certificate, result->runs[i].repeat);
    }
    return true;
}

void rounds_clear(struct rounds *rounds)
{
    if (rounds->most > 1) {
        for (size_t i = 0; rounds->named.runs != NULL && i < rounds->named.runs_count; i++) {
            free(rounds->named.runs[i].certificate);
        }
        for (size_t i = 0; rounds->medians.runs != NULL && i < rounds->medians.runs_count; i++) {
            free(rounds->medians.runs[i].waves);
        }
        free(rounds->named.runs);
        free(rounds->medians.runs);
    }
    *rounds = (struct rounds){0};
}
