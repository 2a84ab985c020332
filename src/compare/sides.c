/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compare/work.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/noise.h"

char *sentence(const char *fmt, ...)
{
    va_list args;
    char *text = NULL;
    int length;

    va_start(args, fmt);
    length = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (text != NULL) {
        va_start(args, fmt);
        (void)vsnprintf(text, (size_t)length + 1, fmt, args);
        va_end(args);
    }
    return text;
}

void side_name(const struct work *work, size_t side, char *out, size_t size)
{
    const char *certificate = work->comparison->sides[side].certificate;

    if (work->wish->count > 1) {
        (void)snprintf(out, size, "%.100s [%zu]", certificate, work->origins[side].file + 1);
    } else {
        (void)snprintf(out, size, "%.100s", certificate);
    }
}

static bool counts(const struct ls_run *run)
{
    return !run->partial && run->validity.verdict != LS_INVALID;
}

/* "2 of 5 runs: round 3 is invalid (why)": the first of them stands for all, which the report of
 * their own result has. */
static bool leave_out(const struct ls_result *result, struct ls_side *side, bool repeated)
{
    const struct ls_run *first = NULL;
    const char *why;
    char round[32] = "";
    int all = 0;

    for (size_t i = 0; i < result->runs_count; i++) {
        const struct ls_run *run = &result->runs[i];

        if (strcmp(run->certificate, side->certificate) == 0) {
            all++;
            first = first == NULL && !counts(run) ? run : first;
        }
    }
    if (first == NULL) {
        return true;
    }
    why = first->partial                      ? first->partial_why
          : first->validity.reasons_count > 0 ? first->validity.reasons[0]
                                              : NULL;
    if (repeated) {
        (void)snprintf(round, sizeof round, "round %d ", first->repeat);
    }
    side->left_out =
        sentence("%d of %d run%s: %s%s%s%s%s", all - side->rounds, all, all == 1 ? "" : "s", round,
                 first->partial ? "ended early" : "is invalid", why != NULL ? " (" : "",
                 why != NULL ? why : "", why != NULL ? ")" : "");
    return side->left_out != NULL;
}

static void take_run(struct origin *origin, struct ls_side *side, const struct ls_run *run)
{
    if (!run->partial) {
        origin->whole[origin->whole_count++] = run;
    }
    if (!counts(run)) {
        return;
    }
    origin->runs[origin->runs_count++] = run;
    if (side->rounds == 0 || run->validity.verdict > side->verdict) {
        side->verdict = run->validity.verdict;
    }
    side->rounds++;
}

/* Geometric means over the runs that count, of bytes over all whole ones where none counts; not
 * known where one of them does not know. */
/* Of shares the mean, of others the geometric one; not known where a run does not know. */
static double mean_of(const struct ls_run **runs, size_t count, enum ls_figure figure)
{
    const bool is_share = figure == LS_FIGURE_FAILED;
    double sum = 0;

    for (size_t i = 0; i < count; i++) {
        const double value = figure_of(runs[i], figure);

        if (value < 0) {
            return -1;
        }
        sum += is_share ? value : log(value);
    }
    if (count < 2) { /* fifteen digits are what a file keeps; one run is its own mean to the last */
        return count == 0 ? -1 : figure_of(runs[0], figure);
    }
    return is_share ? sum / (double)count : exp(sum / (double)count);
}

bool pair_value(const struct work *work, const struct ls_pair *pair, int side,
                enum ls_figure figure, double *value)
{
    const struct origin *origin = &work->origins[side];
    const struct ls_run **runs;
    size_t count = 0;

    *value = work->comparison->sides[side].value[figure];
    if (pair->method != LS_METHOD_PAIRED || figure == LS_FIGURE_BYTES) {
        return true;
    }
    runs = calloc(origin->runs_count + 1, sizeof *runs);
    for (size_t i = 0; runs != NULL && i < origin->runs_count; i++) {
        if (in_pair(work, pair, side, origin->runs[i])) {
            runs[count++] = origin->runs[i];
        }
    }
    if (runs == NULL) {
        return false;
    }
    *value = mean_of(runs, count, figure);
    free(runs);
    return true;
}

static void take_values(const struct origin *origin, struct ls_side *side)
{
    for (int f = 0; f < LS_FIGURE_COUNT; f++) {
        const bool by_whole = f == LS_FIGURE_BYTES && origin->runs_count == 0;
        const struct ls_run **runs = by_whole ? origin->whole : origin->runs;
        const size_t count = by_whole ? origin->whole_count : origin->runs_count;

        side->value[f] = mean_of(runs, count, (enum ls_figure)f);
    }
}

static bool add_side(struct work *work, size_t file, const char *certificate)
{
    const struct ls_result *result = work->wish->results[file];
    struct ls_comparison *comparison = work->comparison;
    struct ls_side *side = &comparison->sides[comparison->sides_count];
    struct origin *origin = &work->origins[comparison->sides_count];
    bool repeated = false;

    comparison->sides_count++;
    *origin = (struct origin){.result = result, .file = file};
    *side = (struct ls_side){.verdict = LS_INVALID, .speedup = result->speedup};
    side->number = work->wish->count > 1 ? (int)file + 1 : 0;
    side->certificate = strdup(certificate);
    side->file = work->wish->count > 1 ? strdup(work->wish->names[file]) : NULL;
    origin->runs = calloc(result->runs_count, sizeof(const struct ls_run *));
    origin->whole = calloc(result->runs_count, sizeof(const struct ls_run *));
    if (side->certificate == NULL || origin->runs == NULL || origin->whole == NULL ||
        (work->wish->count > 1 && side->file == NULL)) {
        return false;
    }
    for (size_t i = 0; i < result->runs_count; i++) {
        repeated = repeated || result->runs[i].repeat > 1;
    }
    for (size_t i = 0; i < result->runs_count; i++) {
        const struct ls_run *run = &result->runs[i];

        if (strcmp(run->certificate, certificate) != 0) {
            continue;
        }
        if (side->key == NULL) {
            side->key = strdup(run->key);
            side->peak_minute_at_ns = run->peak_minute_at_ns;
        }
        if (side->key == NULL) {
            return false;
        }
        take_run(origin, side, run);
    }
    take_values(origin, side);
    return leave_out(result, side, repeated);
}

static bool is_new(const struct ls_result *result, size_t run)
{
    for (size_t i = 0; i < run; i++) {
        if (strcmp(result->runs[i].certificate, result->runs[run].certificate) == 0) {
            return false;
        }
    }
    return true;
}

bool sides_gather(struct work *work)
{
    size_t most = 0;

    for (size_t file = 0; file < work->wish->count; file++) {
        most += work->wish->results[file]->runs_count;
    }
    work->comparison->sides = calloc(most + 1, sizeof *work->comparison->sides);
    work->comparison->pairs = calloc(most + 1, sizeof *work->comparison->pairs);
    work->origins = calloc(most + 1, sizeof *work->origins);
    if (work->comparison->sides == NULL || work->comparison->pairs == NULL ||
        work->origins == NULL) {
        return false;
    }
    for (size_t file = 0; file < work->wish->count; file++) {
        const struct ls_result *result = work->wish->results[file];

        for (size_t run = 0; run < result->runs_count; run++) {
            if (is_new(result, run) && !add_side(work, file, result->runs[run].certificate)) {
                return false;
            }
        }
    }
    return true;
}
