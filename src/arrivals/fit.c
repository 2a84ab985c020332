/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/fit.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "arrivals/fit_work.h"
#include "arrivals/shape.h"
#include "loginstorm/units.h"

#define LOGINS_LEAST 10
#define LOOKED_AT                                                                                  \
    100000 /* moments at which a distance is taken; it is exact to a share of 1 by this */

double ls_fit_limit(int64_t logins)
{
    const double root = sqrt((double)logins);

    return 1.3581 / (root + 0.12 + 0.11 / root);
}

double ls_fit_share_by(const struct ls_fit_try *tried, int64_t window_ns, double at_ns)
{
    double sum = 0;

    for (size_t i = 0; i < tried->waves_count; i++) {
        sum += tried->waves[i].share * ls_wave_share_by(&tried->waves[i], window_ns, at_ns);
    }
    return sum;
}

/* Of many logins only every so many-th is looked at; between two of those both functions only rise,
 * by that share at most. */
static double distance_of(const struct ls_fit_try *tried, const struct ls_schedule *schedule,
                          int64_t window_ns)
{
    const size_t every = schedule->count / LOOKED_AT + 1;
    const double n = (double)schedule->count;
    struct shape shapes[LS_FIT_WAVES_MAX];
    double most = 0;

    for (size_t w = 0; w < tried->waves_count; w++) {
        if (shape_init(&shapes[w], &tried->waves[w], window_ns, "", NULL) != LS_OK) {
            return 1;
        }
    }
    for (size_t i = 0; i < schedule->count; i += every) {
        double by = 0;

        for (size_t w = 0; w < tried->waves_count; w++) {
            by +=
                tried->waves[w].share * shape_share_by(&shapes[w], (double)schedule->rows[i].at_ns);
        }
        most = fmax(most, fmax(fabs(by - (double)i / n), fabs(by - ((double)i + 1) / n)));
    }
    return most;
}

/* What a person would write: whole seconds, or thousandths of them in a short window. */
static int64_t unit_of(int64_t window_ns)
{
    return window_ns >= 10 * LS_NS_PER_MIN ? LS_NS_PER_S : LS_NS_PER_MS;
}

static int64_t rounded(double share, int64_t window_ns)
{
    const int64_t unit = unit_of(window_ns);

    return llround(share * (double)window_ns / (double)unit) * unit;
}

/* To a thousandth of the users. */
static double rounded_share(double share)
{
    return (double)llround(share * 1000) / 1000;
}

static void add_burst(struct ls_fit_try *tried, const struct mix *mix, int64_t window_ns)
{
    const int64_t unit = unit_of(window_ns);
    struct ls_wave *wave = &tried->waves[tried->waves_count];
    const double share = rounded_share(mix->burst_share);

    *wave = (struct ls_wave){
        .shape = LS_SHAPE_BURST,
        .share = share,
        .burst_at_ns = rounded(mix->burst_at, window_ns),
        .burst_over_ns = rounded(mix->burst_over, window_ns),
    };
    if (wave->burst_over_ns < unit) {
        wave->burst_over_ns = unit;
    }
    if (wave->burst_at_ns + wave->burst_over_ns > window_ns) {
        wave->burst_at_ns = window_ns - wave->burst_over_ns;
    }
    tried->waves[0].share -= share;
    tried->waves_count++;
}

static void try_mix(struct ls_fit_try *tried, const struct work *work, struct mix mix)
{
    const int64_t unit = unit_of(work->window_ns);

    work_fit_mix(work, &mix);
    tried->waves_count = 1;
    tried->waves[0] = (struct ls_wave){
        .shape = LS_SHAPE_NORMAL,
        .share = 1,
        .middle_at_ns = rounded(mix.middle, work->window_ns),
        .spread_ns = rounded(mix.spread, work->window_ns),
    };
    if (tried->waves[0].spread_ns < unit) {
        tried->waves[0].spread_ns = unit;
    }
    if (tried->waves[0].middle_at_ns >= work->window_ns) {
        tried->waves[0].middle_at_ns = work->window_ns - unit;
    }
    if (mix.floor_share > 0) {
        const double share = rounded_share(mix.floor_share);

        tried->waves[tried->waves_count++] =
            (struct ls_wave){.shape = LS_SHAPE_UNIFORM, .share = share};
        tried->waves[0].share -= share;
    }
    if (mix.burst_share > 0) {
        add_burst(tried, &mix, work->window_ns);
    }
}

/* A rate to three digits, as a count a minute; a thousandth of the highest is none. */
static double rounded_rate(double per_s, double highest_per_s)
{
    const double per_min = per_s * 60;
    double digit;

    if (!(per_s > highest_per_s / 1000)) {
        return 0;
    }
    digit = pow(10, floor(log10(per_min)) - 2);
    return floor(per_min / digit + 0.5) * digit / 60;
}

static void try_points(struct ls_fit_try *tried, struct ls_rate_point *points, const double *at,
                       const double *rates, size_t count, int64_t window_ns)
{
    const double slice_s = (double)window_ns / SLICES / 1e9;
    double highest = 0;

    for (size_t i = 0; i < count; i++) {
        highest = fmax(highest, rates[i] / slice_s);
    }
    for (size_t i = 0; i < count; i++) {
        points[i].at_ns = rounded(at[i], window_ns);
        points[i].per_s = rounded_rate(rates[i] / slice_s, highest);
    }
    points[count - 1].at_ns = window_ns;
    tried->waves_count = 1;
    tried->waves[0] = (struct ls_wave){
        .shape = LS_SHAPE_POINTS, .share = 1, .points = points, .points_count = count};
}

struct fitting {
    struct ls_fit *fit;
    const struct ls_schedule *schedule;
    struct work *work;
};

/* Keeps a try; true when it is the one. */
static bool keep(struct fitting *fitting, const char *name)
{
    struct ls_fit *fit = fitting->fit;
    struct ls_fit_try *tried = &fit->tries[fit->tries_count];

    tried->name = name;
    tried->distance = distance_of(tried, fitting->schedule, fitting->work->window_ns);
    if (tried->distance < fit->tries[fit->chosen].distance) {
        fit->chosen = fit->tries_count;
    }
    fit->fits = tried->distance <= fit->limit;
    fit->tries_count++;
    return fit->fits;
}

static bool keep_mix(struct fitting *fitting, const char *name, bool on_floor, bool burst)
{
    struct ls_fit *fit = fitting->fit;
    struct mix mix = burst ? fitting->work->burst : (struct mix){0};

    if (burst && !fitting->work->has_burst) {
        return false;
    }
    mix.floor_share = on_floor ? 0.1 : 0;
    try_mix(&fit->tries[fit->tries_count], fitting->work, mix);
    return keep(fitting, name);
}

/* As few points as it takes, or as many as there may be: one more at a time, where it is needed. */
static bool keep_points(struct fitting *fitting)
{
    struct ls_fit *fit = fitting->fit;
    const int64_t window_ns = fitting->work->window_ns;
    struct ls_fit_try *tried = &fit->tries[fit->tries_count];
    double at[LS_FIT_POINTS_MAX] = {0, 0.25, 0.5, 0.75, 1};
    double rates[LS_FIT_POINTS_MAX];
    size_t count = 5;

    for (;;) {
        work_fit_points(fitting->work, at, rates, count);
        try_points(tried, fit->points, at, rates, count, window_ns);
        if (count == LS_FIT_POINTS_MAX ||
            distance_of(tried, fitting->schedule, window_ns) <= fit->limit ||
            !work_split(fitting->work, at, rates, count)) {
            break;
        }
        count++;
    }
    return keep(fitting, "points");
}

static void try_all(struct fitting *fitting)
{
    struct ls_fit *fit = fitting->fit;

    fit->tries[0].waves_count = 1;
    fit->tries[0].waves[0] = (struct ls_wave){.shape = LS_SHAPE_UNIFORM, .share = 1};
    fit->tries[0].distance = 2;
    (void)(keep(fitting, "uniform") || keep_mix(fitting, "normal", false, false) ||
           keep_mix(fitting, "normal and uniform", true, false) ||
           keep_mix(fitting, "normal and burst", false, true) ||
           keep_mix(fitting, "normal, uniform and burst", true, true) || keep_points(fitting));
}

static void count_slices(struct work *work, const struct ls_schedule *schedule)
{
    for (size_t i = 0; i < schedule->count; i++) {
        const double x = (double)schedule->rows[i].at_ns / (double)work->window_ns * (double)SLICES;

        work->count[x < SLICES ? (size_t)x : SLICES - 1]++;
    }
    for (size_t i = 0; i < SLICES; i++) {
        work->by[i + 1] = work->by[i] + work->count[i] / (double)work->logins;
    }
}

enum ls_code ls_fit_new(struct ls_fit **out, const struct ls_schedule *schedule, int64_t window_ns,
                        struct ls_error *err)
{
    const int64_t count = (int64_t)schedule->count;
    const int64_t known = schedule->recorded > 0 ? schedule->recorded : count;
    struct ls_fit *fit;
    struct work *work;

    *out = NULL;
    if (known < LOGINS_LEAST) {
        return ls_error_set(err, LS_EINPUT, "%" PRId64 " login%s no curve; it takes %d", known,
                            known == 1 ? " describes" : "s describe", LOGINS_LEAST);
    }
    fit = calloc(1, sizeof *fit);
    work = calloc(1, sizeof *work);
    if (fit == NULL || work == NULL) {
        free(fit);
        free(work);
        return ls_error_set(err, LS_ENOMEM, "no memory to fit a curve");
    }
    fit->logins = count;
    fit->limit = ls_fit_limit(known);
    work->window_ns = window_ns;
    work->logins = fit->logins;
    count_slices(work, schedule);
    work_find_burst(work);
    try_all(&(struct fitting){fit, schedule, work});
    free(work);
    *out = fit;
    return LS_OK;
}

void ls_fit_free(struct ls_fit *fit)
{
    free(fit);
}
