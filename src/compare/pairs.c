/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compare/work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/failed.h"
#include "compare/noise.h"
#include "compare/statistics.h"
#include "loginstorm/student.h"

#define CONFIDENCE 0.95
#define BYTES_ALIKE 0.005
#define USERS_FOR_P99 100
#define USERS_FOR_P50 30

/* A logarithm of a ratio, before it is known how many others it shares its confidence with. */
struct estimate {
    bool known;
    double mean;
    double error, degrees; /* as the rounds show it */
    double beyond;         /* what is known beforehand to come on top */
};

bool note_add(struct ls_pair *pair, char *note)
{
    size_t count = 0;
    char **notes;

    while (pair->notes != NULL && pair->notes[count] != NULL) {
        count++;
    }
    notes = note == NULL ? NULL : realloc(pair->notes, (count + 2) * sizeof *notes);
    if (notes == NULL) {
        free(note);
        return false;
    }
    notes[count] = note;
    notes[count + 1] = NULL;
    pair->notes = notes;
    return true;
}

/* The logarithms of a side's rounds. false when a round has no such figure. */
static bool logs_of(const struct origin *origin, enum ls_figure figure, double *logs)
{
    for (size_t i = 0; i < origin->runs_count; i++) {
        if (!figure_scaled(origin->runs[i], figure, &logs[i])) {
            return false;
        }
    }
    return origin->runs_count > 0;
}

static const struct ls_run *round_of(const struct origin *origin, int repeat)
{
    for (size_t i = 0; i < origin->runs_count; i++) {
        if (origin->runs[i]->repeat == repeat) {
            return origin->runs[i];
        }
    }
    return NULL;
}

bool in_pair(const struct work *work, const struct ls_pair *pair, int side,
             const struct ls_run *run)
{
    const int other = side == pair->side ? pair->against : pair->side;

    return pair->method != LS_METHOD_PAIRED || round_of(&work->origins[other], run->repeat) != NULL;
}

/* Rounds in which both sides have a run that counts. */
static int common_rounds(const struct origin *a, const struct origin *b)
{
    int count = 0;

    for (size_t i = 0; i < a->runs_count; i++) {
        count += round_of(b, a->runs[i]->repeat) != NULL;
    }
    return count;
}

static void choose_method(const struct work *work, struct ls_pair *pair)
{
    const struct origin *a = &work->origins[pair->side], *b = &work->origins[pair->against];
    const int common = a->file == b->file ? common_rounds(a, b) : 0;

    if (a->runs_count == 0 || b->runs_count == 0) {
        pair->method = LS_METHOD_NONE;
    } else if (common >= 2) {
        pair->method = LS_METHOD_PAIRED;
        pair->rounds = common;
    } else {
        pair->rounds = (int)(a->runs_count < b->runs_count ? a->runs_count : b->runs_count);
        pair->method = a->file != b->file && pair->rounds >= 2 ? LS_METHOD_WELCH : LS_METHOD_SINGLE;
    }
}

static double busiest(const struct origin *origin)
{
    double most = 0;

    for (size_t i = 0; i < origin->runs_count; i++) {
        most = fmax(most, busiest_share(origin->runs[i]));
    }
    return most;
}

/* Welch and Satterthwaite, of what the rounds show; and what two storms differ by beyond that. */
static void estimate_welch(const struct origin *const *sides, const struct sample *samples,
                           enum ls_figure figure, struct estimate *out)
{
    double variance[2], lost = 0;

    for (int i = 0; i < 2; i++) {
        variance[i] = samples[i].variance / (double)samples[i].count;
        lost += variance[i] * variance[i] / (double)(samples[i].count - 1);
    }
    *out = (struct estimate){true, samples[0].mean - samples[1].mean,
                             sqrt(variance[0] + variance[1]), 1,
                             hypot(noise_of_storm(figure, busiest(sides[0])),
                                   noise_of_storm(figure, busiest(sides[1])))};
    if (lost > 0) {
        out->degrees = (variance[0] + variance[1]) * (variance[0] + variance[1]) / lost;
    }
}

/* Of one of a side's runs, were they as far apart as the house has seen them. */
static double run_variance(const struct origin *origin, enum ls_figure figure)
{
    const double noise = noise_of_run(figure, busiest(origin));
    double sampling = 0;

    for (size_t i = 0; i < origin->runs_count; i++) {
        sampling = fmax(sampling, sampling_error(origin->runs[i], figure));
    }
    return noise * noise + sampling * sampling;
}

static void estimate_paired(const struct origin *a, const struct origin *b, enum ls_figure figure,
                            double *logs, struct estimate *out)
{
    struct sample sample;
    size_t count = 0;

    for (size_t i = 0; i < a->runs_count; i++) {
        const struct ls_run *other = round_of(b, a->runs[i]->repeat);
        double value, base;

        if (other != NULL && figure_scaled(a->runs[i], figure, &value) &&
            figure_scaled(other, figure, &base)) {
            logs[count++] = value - base;
        }
    }
    sample_of(logs, count, &sample);
    if (count == 2) {
        /* One degree of freedom hides a cost that is many times another. */
        *out = (struct estimate){true, sample.mean, 0, 1,
                                 fmax(sqrt((run_variance(a, figure) + run_variance(b, figure)) / 2),
                                      sqrt(sample.variance / 2))};
        return;
    }
    *out = (struct estimate){count >= 2, sample.mean, sqrt(sample.variance / (double)count),
                             (double)count - 1, 0};
}

static void estimate(const struct work *work, const struct ls_pair *pair, enum ls_figure figure,
                     double *logs, struct estimate *out)
{
    const struct origin *const sides[] = {&work->origins[pair->side],
                                          &work->origins[pair->against]};
    struct sample samples[2];

    *out = (struct estimate){0};
    if (pair->method == LS_METHOD_PAIRED) {
        estimate_paired(sides[0], sides[1], figure, logs, out);
        return;
    }
    for (int i = 0; i < 2; i++) {
        if (!logs_of(sides[i], figure, logs)) {
            return;
        }
        sample_of(logs, sides[i]->runs_count, &samples[i]);
    }
    if (pair->method == LS_METHOD_WELCH) {
        estimate_welch(sides, samples, figure, out);
        return;
    }
    *out = (struct estimate){true, samples[0].mean - samples[1].mean, 0, 1,
                             sqrt(run_variance(sides[0], figure) / (double)sides[0]->runs_count +
                                  run_variance(sides[1], figure) / (double)sides[1]->runs_count)};
}

static bool set_why(struct ls_compared *compared, const char *why)
{
    compared->why = sentence("%s", why);
    return compared->why != NULL;
}

/* Where noise is assumed: it was seen with quantiles that have users on both sides of them. NULL when
 * there are enough of them. */
static const char *too_few(const struct work *work, const struct ls_pair *pair,
                           enum ls_figure figure)
{
    const bool assumed = pair->method == LS_METHOD_SINGLE || pair->rounds == 2;
    int64_t fewest = INT64_MAX;

    for (int i = 0; assumed && i < 2; i++) {
        const int side = i == 0 ? pair->side : pair->against;
        const struct origin *origin = &work->origins[side];

        for (size_t r = 0; r < origin->runs_count; r++) {
            if (in_pair(work, pair, side, origin->runs[r]) &&
                origin->runs[r]->login.count < fewest) {
                fewest = origin->runs[r]->login.count;
            }
        }
    }
    return figure == LS_FIGURE_LOGIN_P99 && fewest < USERS_FOR_P99
               ? "the p99 of fewer than 100 logins is the slowest of them"
           : figure == LS_FIGURE_LOGIN_P50 && fewest < USERS_FOR_P50
               ? "the p50 of fewer than 30 logins says little of the next run's"
               : NULL;
}

/* The findings that need no interval. Returns false when there is no memory; *open when an interval
 * is wanted. */
static bool judge_plainly(const struct work *work, const struct ls_pair *pair,
                          const struct grounds *grounds, enum ls_figure figure,
                          const struct estimate *estimate, struct ls_compared *compared, bool *open)
{
    double value, base;
    const char *why = ls_figure_is_cpu(figure)    ? grounds->cpu
                      : figure == LS_FIGURE_BYTES ? grounds->bytes
                                                  : grounds->latency;

    *open = false;
    if (!pair_value(work, pair, pair->side, figure, &value) ||
        !pair_value(work, pair, pair->against, figure, &base)) {
        return false;
    }
    *compared = (struct ls_compared){
        .finding = LS_NOT_KNOWN, .ratio = -1, .low = -1, .high = -1, .value = value, .base = base};
    if (why[0] != '\0') {
        compared->finding = LS_NOT_COMPARED;
        return set_why(compared, why);
    }
    if (figure == LS_FIGURE_FAILED && value >= 0 && base >= 0) {
        compared->finding = LS_NOT_SHOWN;
        compared->ratio = base > 0 ? value / base : -1;
        *open = value > 0 || base > 0;
        return true;
    }
    if (!(value > 0) || !(base > 0)) {
        return true;
    }
    if (figure == LS_FIGURE_BYTES) {
        compared->ratio = value / base;
        compared->finding = fabs(compared->ratio - 1) <= BYTES_ALIKE ? LS_NOT_SHOWN
                            : compared->ratio < 1                    ? LS_LESS
                                                                     : LS_MORE;
        return true;
    }
    if (!estimate->known) {
        return true;
    }
    compared->ratio = exp(estimate->mean);
    if (figure == LS_FIGURE_LOGIN_P100 && pair->method == LS_METHOD_SINGLE) {
        compared->finding = LS_NOT_JUDGED;
        return set_why(compared, "the slowest login of a single run says nothing of the next run");
    }
    why = too_few(work, pair, figure);
    if (why != NULL) {
        compared->finding = LS_NOT_JUDGED;
        return set_why(compared, why);
    }
    *open = true;
    return true;
}

static double reach_of(const struct estimate *estimate, double p)
{
    return hypot(ls_student_at(p, estimate->degrees) * estimate->error,
                 ls_student_at(p, HUGE_VAL) * estimate->beyond);
}

static void judge_interval(const struct estimate *estimate, double p, struct ls_compared *compared)
{
    const double reach = reach_of(estimate, p);

    compared->low = exp(estimate->mean - reach);
    compared->high = exp(estimate->mean + reach);
    compared->finding = compared->high < 1 ? LS_LESS : compared->low > 1 ? LS_MORE : LS_NOT_SHOWN;
}

/* Where a queue was as long as it gets, its length says so little that an interval with 1 in it is
 * no finding; the reader is told so beside figures that look far apart. */
static bool explain_queue(const struct work *work, struct ls_pair *pair, enum ls_figure figure)
{
    struct ls_compared *compared = &pair->figure[figure];
    const int full = busiest(&work->origins[pair->side]) >= BUSY_MOST      ? pair->side
                     : busiest(&work->origins[pair->against]) >= BUSY_MOST ? pair->against
                                                                           : -1;
    char name[128];

    if (full < 0 || ls_figure_is_cpu(figure) || figure == LS_FIGURE_FAILED ||
        compared->finding != LS_NOT_SHOWN || pair->method == LS_METHOD_PAIRED) {
        return true;
    }
    side_name(work, (size_t)full, name, sizeof name);
    compared->finding = LS_NOT_JUDGED;
    compared->why = sentence("the gateway of %s was full, and how long such a queue gets in one "
                             "run says little of the next: more rounds, more workers or a lower "
                             "--speedup tell more",
                             name);
    return compared->why != NULL;
}

/* The baseline of a side: see ls_compare. */
static int baseline_of(const struct work *work, size_t side)
{
    const struct ls_comparison *comparison = work->comparison;

    for (size_t i = 0; work->origins[side].file > 0 && i < side; i++) {
        if (work->origins[i].file == 0 &&
            strcmp(comparison->sides[i].certificate, comparison->sides[side].certificate) == 0) {
            return (int)i;
        }
    }
    return 0;
}

struct bench {
    double *logs;
    struct estimate *estimates; /* by pair, then by figure */
    bool *open;
};

/* at: the pair's place on the bench. A rival is judged by what a choice hangs on. */
static bool judge_pair(struct work *work, const struct bench *bench, struct ls_pair *pair,
                       size_t at, bool rival)
{
    struct grounds grounds;

    choose_method(work, pair);
    if (!grounds_of(work, pair, &grounds)) {
        return false;
    }
    if (pair->method == LS_METHOD_PAIRED && pair->rounds == 2 &&
        !note_add(pair, sentence("two rounds show too little of how much rounds differ: that is "
                                 "assumed, or what the two show where it is more; --repeat 5 "
                                 "measures it"))) {
        return false;
    }
    if (!rival) {
        work->origins[pair->side].unlike = grounds.unlike;
    }
    for (int f = 0; f < LS_FIGURE_COUNT; f++) {
        const size_t i = at * LS_FIGURE_COUNT + (size_t)f;
        const enum ls_figure figure = (enum ls_figure)f;

        estimate(work, pair, figure, bench->logs, &bench->estimates[i]);
        if (!judge_plainly(work, pair, &grounds, figure, &bench->estimates[i], &pair->figure[f],
                           &bench->open[i])) {
            return false;
        }
        bench->open[i] = bench->open[i] && !(rival && figure == LS_FIGURE_LOGIN_P100);
        work->comparison->judged += bench->open[i] && figure_is_judged(figure);
    }
    return true;
}

/* Other logins cost something else, whatever their certificate. */
static bool same_scenario(const struct origin *a, const struct origin *b)
{
    const char *one = a->result->sha256, *other = b->result->sha256;

    return a->file == b->file || (one != NULL && other != NULL && strcmp(one, other) == 0);
}

static bool judge_pairs(struct work *work, const struct bench *bench)
{
    struct ls_comparison *comparison = work->comparison;

    for (size_t side = 1; side < comparison->sides_count; side++) {
        struct ls_pair *pair = &comparison->pairs[comparison->pairs_count++];
        struct origin *origin = &work->origins[side];
        const struct ls_side *sides = comparison->sides;

        pair->side = (int)side;
        pair->against = baseline_of(work, side);
        if (!judge_pair(work, bench, pair, side - 1, false)) {
            return false;
        }
        origin->candidate = pair->against == 0 && !origin->unlike &&
                            bench->open[(side - 1) * LS_FIGURE_COUNT + LS_FIGURE_CPU_HANDSHAKE] &&
                            same_scenario(work->origins, origin) &&
                            (strcmp(sides[side].key, sides[0].key) != 0 ||
                             strcmp(sides[side].certificate, sides[0].certificate) != 0);
        work->origins[0].candidate = work->origins[0].candidate || origin->candidate;
    }
    return true;
}

/* Which of two candidates is the baseline must not decide which of them is recommended. */
static bool judge_rivals(struct work *work, const struct bench *bench)
{
    const size_t pairs = work->comparison->pairs_count;

    for (size_t one = 1; one < work->comparison->sides_count; one++) {
        for (size_t other = 1; other < one; other++) {
            struct ls_pair *pair = &work->rivals[work->rivals_count];

            if (!work->origins[one].candidate || !work->origins[other].candidate) {
                continue;
            }
            *pair = (struct ls_pair){.side = (int)one, .against = (int)other};
            work->rivals_count++;
            if (!judge_pair(work, bench, pair, pairs + work->rivals_count - 1, true)) {
                return false;
            }
        }
    }
    return true;
}

static bool judge_all(struct work *work, const struct bench *bench)
{
    struct ls_comparison *comparison = work->comparison;
    double p;

    if (!judge_pairs(work, bench) || !judge_rivals(work, bench)) {
        return false;
    }
    p = 1 - (1 - CONFIDENCE) / 2 / (comparison->judged > 0 ? comparison->judged : 1);
    for (size_t i = 0; i < comparison->pairs_count + work->rivals_count; i++) {
        struct ls_pair *pair = i < comparison->pairs_count
                                   ? &comparison->pairs[i]
                                   : &work->rivals[i - comparison->pairs_count];

        for (int f = 0; f < LS_FIGURE_COUNT; f++) {
            const size_t at = i * LS_FIGURE_COUNT + (size_t)f;

            if (bench->open[at] && f == LS_FIGURE_FAILED) {
                const double reach = reach_of(&bench->estimates[at], p);

                if (!judge_failed(work, pair, 2 * (1 - p), bench->estimates[at].mean - reach,
                                  bench->estimates[at].mean + reach, &pair->figure[f])) {
                    return false;
                }
            } else if (bench->open[at]) {
                judge_interval(&bench->estimates[at], p, &pair->figure[f]);
            }
            if (bench->open[at] && !explain_queue(work, pair, (enum ls_figure)f)) {
                return false;
            }
        }
        if (!judge_ends(work, pair)) {
            return false;
        }
    }
    return true;
}

enum ls_finding finding_between(const struct work *work, size_t one, size_t other,
                                enum ls_figure figure)
{
    static const enum ls_finding turned[] = {
        [LS_NOT_KNOWN] = LS_NOT_KNOWN,
        [LS_NOT_COMPARED] = LS_NOT_COMPARED,
        [LS_NOT_JUDGED] = LS_NOT_JUDGED,
        [LS_NOT_SHOWN] = LS_NOT_SHOWN,
        [LS_LESS] = LS_MORE,
        [LS_MORE] = LS_LESS,
    };
    const struct ls_comparison *comparison = work->comparison;

    for (size_t i = 0; i < comparison->pairs_count + work->rivals_count; i++) {
        const struct ls_pair *pair = i < comparison->pairs_count
                                         ? &comparison->pairs[i]
                                         : &work->rivals[i - comparison->pairs_count];

        if ((size_t)pair->side == one && (size_t)pair->against == other) {
            return pair->figure[figure].finding;
        }
        if ((size_t)pair->side == other && (size_t)pair->against == one) {
            return turned[pair->figure[figure].finding];
        }
    }
    return LS_NOT_KNOWN;
}

bool pairs_judge(struct work *work)
{
    const size_t sides = work->comparison->sides_count;
    const size_t pairs = sides * (sides + 1) / 2 + 1; /* with the rivals; more than there are */
    size_t most = 1;
    struct bench bench;
    bool good;

    for (size_t i = 0; i < work->comparison->sides_count; i++) {
        most = work->origins[i].runs_count > most ? work->origins[i].runs_count : most;
    }
    bench = (struct bench){calloc(most, sizeof *bench.logs),
                           calloc(pairs * LS_FIGURE_COUNT, sizeof *bench.estimates),
                           calloc(pairs * LS_FIGURE_COUNT, sizeof *bench.open)};
    work->rivals = calloc(pairs, sizeof *work->rivals);
    work->comparison->confidence = CONFIDENCE;
    good = bench.logs != NULL && bench.estimates != NULL && bench.open != NULL &&
           work->rivals != NULL && judge_all(work, &bench);
    free(bench.logs);
    free(bench.estimates);
    free(bench.open);
    return good;
}
