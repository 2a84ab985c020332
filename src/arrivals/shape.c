/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "arrivals/shape.h"

#include <math.h>
#include <stdlib.h>

#include "loginstorm/normal.h"
#include "loginstorm/schedule.h"

static double between(double low, double x, double high)
{
    return x < low ? low : x > high ? high : x;
}

/* The piece of the curve between two points, cut at the window. */
struct line {
    double begin_ns, long_ns;
    double from, to; /* rates at its ends */
};

static struct line line_after(const struct shape *shape, size_t i)
{
    const struct ls_rate_point *a = &shape->points[i], *b = &shape->points[i + 1];
    const double a_ns = (double)a->at_ns, b_ns = (double)b->at_ns;
    const double begin_ns = between(0, a_ns, shape->window_ns);
    const double end_ns = between(0, b_ns, shape->window_ns);
    struct line line = {begin_ns, end_ns - begin_ns, a->per_s, b->per_s};

    if (!(line.long_ns > 0)) {
        line.long_ns = 0; /* a step, or outside the window */
        return line;
    }
    line.from += (b->per_s - a->per_s) * ((begin_ns - a_ns) / (b_ns - a_ns));
    line.to -= (b->per_s - a->per_s) * ((b_ns - end_ns) / (b_ns - a_ns));
    return line;
}

static double line_area(const struct line *line)
{
    return 0.5 * (line->from + line->to) * line->long_ns;
}

static enum ls_code lines_init(struct shape *shape, const char *name, struct ls_error *err)
{
    shape->kind = SHAPE_LINES;
    for (size_t i = 0; i < shape->points_count; i++) {
        if (!(shape->points[i].per_s >= 0) || !isfinite(shape->points[i].per_s)) {
            return ls_error_set(err, LS_EINPUT, "%s: a rate is negative or not a number", name);
        }
    }
    for (size_t i = 0; i + 1 < shape->points_count; i++) {
        struct line line;

        if (shape->points[i + 1].at_ns < shape->points[i].at_ns) {
            return ls_error_set(err, LS_EINPUT, "%s: the points are not in the order of time",
                                name);
        }
        line = line_after(shape, i);
        shape->area += line_area(&line);
    }
    if (!(shape->area > 0) || !isfinite(shape->area)) {
        return ls_error_set(err, LS_EINPUT, "%s: the rate is 0 in the whole window", name);
    }
    return LS_OK;
}

static enum ls_code bell_init(struct shape *shape, const struct ls_wave *wave, const char *name,
                              struct ls_error *err)
{
    double a, b;

    if (wave->spread_ns <= 0) {
        return ls_error_set(err, LS_EINPUT, "%s: the spread must be longer than 0s", name);
    }
    shape->kind = SHAPE_BELL;
    shape->middle_ns = (double)wave->middle_at_ns;
    shape->spread_ns = (double)wave->spread_ns;
    a = (0 - shape->middle_ns) / shape->spread_ns;
    b = (shape->window_ns - shape->middle_ns) / shape->spread_ns;
    shape->below_begin = ls_normal_below(a);
    shape->above_end = ls_normal_below(-b);
    /* By the tail that the window lies in: a difference of two numbers near 1 has no digits left.
     */
    if (a > 0) {
        shape->mass = ls_normal_below(-a) - shape->above_end;
    } else if (b < 0) {
        shape->mass = ls_normal_below(b) - shape->below_begin;
    } else {
        shape->mass = 1 - shape->below_begin - shape->above_end;
    }
    if (!(shape->mass > 0)) {
        return ls_error_set(err, LS_EINPUT, "%s: the bell lies outside the window", name);
    }
    return LS_OK;
}

static enum ls_code flat_init(struct shape *shape, double begin_ns, double end_ns, const char *name,
                              struct ls_error *err)
{
    if (!(end_ns >= begin_ns) || end_ns < 0 || begin_ns >= shape->window_ns) {
        return ls_error_set(err, LS_EINPUT, "%s: the burst lies outside the window", name);
    }
    shape->kind = SHAPE_FLAT;
    shape->begin_ns = between(0, begin_ns, shape->window_ns);
    shape->end_ns = between(0, end_ns, shape->window_ns);
    return LS_OK;
}

enum ls_code shape_init(struct shape *shape, const struct ls_wave *wave, int64_t window_ns,
                        const char *name, struct ls_error *err)
{
    *shape = (struct shape){.window_ns = (double)window_ns};
    switch (wave->shape) {
    case LS_SHAPE_UNIFORM:
    case LS_SHAPE_POISSON:
        return flat_init(shape, 0, shape->window_ns, name, err);
    case LS_SHAPE_BURST:
        return flat_init(shape, (double)wave->burst_at_ns,
                         (double)wave->burst_at_ns + (double)wave->burst_over_ns, name, err);
    case LS_SHAPE_NORMAL:
        return bell_init(shape, wave, name, err);
    case LS_SHAPE_RAMP:
        shape->ramp[0] = (struct ls_rate_point){0, wave->from_per_s};
        shape->ramp[1] = (struct ls_rate_point){window_ns, wave->to_per_s};
        shape->points = shape->ramp;
        shape->points_count = 2;
        return lines_init(shape, name, err);
    case LS_SHAPE_POINTS:
        shape->points = wave->points;
        shape->points_count = wave->points_count;
        return lines_init(shape, name, err);
    case LS_SHAPE_RECORDED:
        return ls_error_set(err, LS_EINPUT, "%s: a recorded curve is no formula", name);
    case LS_SHAPE_SEQUENCE:
    case LS_SHAPE_CLOSED:
        return ls_error_set(err, LS_EINPUT, "%s: a closed loop among open shapes; they do not mix",
                            name);
    }
    return ls_error_set(err, LS_EBROKEN, "%s: no such shape", name);
}

enum ls_code shape_index(struct shape *shape, struct ls_error *err)
{
    if (shape->kind != SHAPE_LINES) {
        return LS_OK;
    }
    shape->areas = calloc(shape->points_count, sizeof *shape->areas);
    if (shape->areas == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for a curve of %zu points",
                            shape->points_count);
    }
    for (size_t i = 0; i + 1 < shape->points_count; i++) {
        const struct line line = line_after(shape, i);

        shape->areas[i + 1] = shape->areas[i] + line_area(&line);
    }
    return LS_OK;
}

void shape_free(struct shape *shape)
{
    free(shape->areas);
    shape->areas = NULL;
}

/* The last piece that begins with less than area before it, and that area. */
static size_t line_holding(const struct shape *shape, double area, double *before)
{
    size_t low = 0, high = shape->points_count - 1;

    if (shape->areas == NULL) {
        size_t best = 0;
        double sum = 0;

        *before = 0;
        for (size_t i = 0; i < high && sum < area; i++) {
            const struct line line = line_after(shape, i);

            best = i;
            *before = sum;
            sum += line_area(&line);
        }
        return best;
    }
    while (high - low > 1) {
        const size_t i = low + (high - low) / 2;

        if (shape->areas[i] < area) {
            low = i;
        } else {
            high = i;
        }
    }
    *before = shape->areas[low];
    return low;
}

static double lines_at(const struct shape *shape, double share)
{
    const double area = share * shape->area;
    double before, rest, root, x;
    struct line line;

    line = line_after(shape, line_holding(shape, area, &before));
    rest = area - before;
    if (!(rest > 0)) {
        return line.begin_ns; /* share 0: the piece may have no length to divide by */
    }
    /* from x + (to - from) / (2 long) x^2 = rest, in the form that does not cancel. */
    root = line.from * line.from + 2 * (line.to - line.from) / line.long_ns * rest;
    x = 2 * rest / (line.from + sqrt(root > 0 ? root : 0));
    return between(line.begin_ns, line.begin_ns + x, line.begin_ns + line.long_ns);
}

static double lines_share_by(const struct shape *shape, double at_ns)
{
    double sum = 0;

    for (size_t i = 0; i + 1 < shape->points_count; i++) {
        const struct line line = line_after(shape, i);
        const double x = between(0, at_ns - line.begin_ns, line.long_ns);

        if (line.long_ns > 0) {
            sum += x * (line.from + 0.5 * (line.to - line.from) * (x / line.long_ns));
        }
    }
    return between(0, sum / shape->area, 1);
}

static double bell_at(const struct shape *shape, double share)
{
    /* From the nearer tail, so that both halves of the bell are each other's mirror. */
    const double below = shape->below_begin + share * shape->mass;
    const double z = below <= 0.5 ? ls_normal_at(below)
                                  : -ls_normal_at(shape->above_end + (1 - share) * shape->mass);

    return between(0, shape->middle_ns + shape->spread_ns * z, shape->window_ns);
}

static double bell_share_by(const struct shape *shape, double at_ns)
{
    const double z = (at_ns - shape->middle_ns) / shape->spread_ns;
    const double share = z < 0 ? (ls_normal_below(z) - shape->below_begin) / shape->mass
                               : 1 - (ls_normal_below(-z) - shape->above_end) / shape->mass;

    return between(0, share, 1);
}

double shape_at(const struct shape *shape, double share)
{
    switch (shape->kind) {
    case SHAPE_FLAT:
        return shape->begin_ns + share * (shape->end_ns - shape->begin_ns);
    case SHAPE_BELL:
        return bell_at(shape, share);
    case SHAPE_LINES:
        return lines_at(shape, share);
    }
    return 0;
}

double shape_share_by(const struct shape *shape, double at_ns)
{
    if (at_ns < 0) {
        return 0;
    }
    if (at_ns >= shape->window_ns) {
        return 1;
    }
    switch (shape->kind) {
    case SHAPE_FLAT:
        if (at_ns >= shape->end_ns) {
            return 1;
        }
        return at_ns <= shape->begin_ns
                   ? 0
                   : (at_ns - shape->begin_ns) / (shape->end_ns - shape->begin_ns);
    case SHAPE_BELL:
        return bell_share_by(shape, at_ns);
    case SHAPE_LINES:
        return lines_share_by(shape, at_ns);
    }
    return 0;
}

double ls_wave_share_by(const struct ls_wave *wave, int64_t window_ns, double at_ns)
{
    struct shape shape;

    if (shape_init(&shape, wave, window_ns, "", NULL) != LS_OK) {
        return (double)NAN;
    }
    return shape_share_by(&shape, at_ns);
}

double ls_wave_at(const struct ls_wave *wave, int64_t window_ns, double share)
{
    struct shape shape;

    if (shape_init(&shape, wave, window_ns, "", NULL) != LS_OK) {
        return (double)NAN;
    }
    return shape_at(&shape, share);
}
