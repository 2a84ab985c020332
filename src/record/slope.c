/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/slope.h"

#include <math.h>
#include <stdio.h>

enum figure {
    NO_HANDSHAKE,
    FAILED,
    OTHER_KIND,
    BEHIND,
    SHORT,
    FULL, /* up to here of a point, from here on of all of them */
    RATES,
    RANGE,
    TICK,
    FLAT,
    WIDE,
    BELOW_ZERO,
    FAR,
    BENT,
    FIGURES,
};

#define BEHIND_MOST 0.05

enum unit { PART, TIMES, COUNT, FACT };

/*
 * When there is no cost. A figure above its limit (of RATES and RANGE: below it) refuses the line.
 *
 * Why these: a handshake that failed cost CPU that is divided by others, and one of another kind costs ten times as much
 * or as little, so of both no more is let pass than moves the slope by a percent. Users who pile up show a gateway that is
 * full: its CPU then says how many cores it has and not what a handshake costs; so do cores that are nearly all taken.
 * Where a fifth of the handshakes a second is missing though users came and went, the clock was read long before or behind
 * the step (an exporter that takes its time), and the rate is one of idle time, too.
 * Below twice the lowest rate, or with fewer than four, a line goes through anything. A clock whose tick is
 * more than a fiftieth of what it is to tell apart draws stairs. What a plan is made of should be known to a tenth: that
 * decides about a gateway of ten. A gateway cannot take less than nothing: a line that begins there is bent, by
 * more than a twentieth of its rise it matters. A point further off than a tenth of the rise is another gateway, or
 * something else that ran there. Where a further handshake costs a fifth more at one end than at the other there is no one cost;
 * that this is not noise the interval of the parabola's last term says, which is told with it.
 */
static const struct rule {
    enum figure figure;
    enum unit unit;
    double limit;
    const char *subject, *why;
} rules[] = {
    {NO_HANDSHAKE, FACT, 0, "a rate at which no handshake came through", "nothing was measured"},
    {FAILED, PART, 0.001, "handshakes and logins that failed",
     "they cost CPU that the others would be charged with"},
    {OTHER_KIND, PART, 0.001, "handshakes of the other kind (full or resumed)",
     "they cost another CPU"},
    {BEHIND, PART, BEHIND_MOST,
     "users who piled up (how much longer the last tenth took than the first, of the time in which "
     "they came)",
     "the gateway, or what lies before it, did not keep up"},
    {SHORT, PART, 0.2, "handshakes a second, short of what was offered",
     "the readings of the CPU lie outside the step: is the exporter slow? Offer each rate for "
     "longer (--seconds)"},
    {FULL, PART, 0.9, "the cores that are there, taken", "a full gateway shows how much it has"},
    {RATES, COUNT, LS_SLOPE_RATES, "different rates",
     "a line goes through any two, and three tell no bend"},
    {RANGE, TIMES, 2, "the highest rate reached, of the lowest",
     "a slope over so little is one of noise"},
    {TICK, PART, 0.02, "one step of the CPU clock, of the rise from the lowest rate to the highest",
     "it is too coarse: offer each rate for longer, or higher ones"},
    {FLAT, FACT, 0, "CPU that does not rise with the handshakes",
     "the slope's 95 % interval holds 0: is that the gateway's CPU?"},
    {WIDE, PART, 0.1, "the slope's 95 % interval, to either side",
     "offer each rate for longer, or when the gateway has nothing else to do"},
    {BELOW_ZERO, PART, 0.05, "how far below 0 the line begins, of its rise",
     "no gateway takes less than nothing, so it is no line"},
    {FAR, PART, 0.1, "the point furthest from the line, of its rise",
     "something else took or gave CPU there"},
    {BENT, PART, 0.2,
     "what a further handshake costs more or less at the highest rate than at the lowest, by a "
     "parabola through the points",
     "there is no one cost: measure around the rate that matters (--rates)"},
};

double ls_slope_per_s(const struct ls_slope_point *point)
{
    return point->seconds > 0 ? (double)point->handshakes / point->seconds : 0;
}

double ls_slope_cores(const struct ls_slope_point *point)
{
    return point->seconds > 0 ? point->cpu_s / point->seconds : 0;
}

static double part(double of, double whole)
{
    return whole > 0 ? of / whole : 0;
}

/* What one point says by itself. */
static double figure_at(enum figure figure, const struct ls_slope_point *point, double cores)
{
    const double handshakes = (double)point->handshakes;

    switch (figure) {
    case NO_HANDSHAKE:
        return point->handshakes <= 0 || !(point->seconds > 0);
    case FAILED:
        return part((double)point->failed, handshakes + (double)point->failed);
    case OTHER_KIND:
        return part((double)point->other_kind, handshakes);
    case BEHIND:
        return point->behind_share;
    case SHORT: /* of users who piled up the rate is short, too */
        return point->seconds > 0 && point->behind_share <= BEHIND_MOST
                   ? 1 - part((handshakes + (double)point->failed) / point->seconds,
                              point->offered_per_s)
                   : 0;
    case FULL:
        return part(ls_slope_cores(point), cores);
    default:
        return 0;
    }
}

struct ends {
    double low_per_s, high_per_s, low_cpu_s, high_cpu_s, furthest;
    const struct ls_slope_point *far;
    size_t rates;
};

static struct ends ends_of(const struct ls_slope *slope, const struct ls_slope_point *points,
                           size_t count)
{
    struct ends ends = {.low_per_s = HUGE_VAL};

    for (size_t i = 0; i < count; i++) {
        const double per_s = ls_slope_per_s(&points[i]);
        const double miss = fabs(ls_slope_cores(&points[i]) - ls_line_at(&slope->line, per_s));
        bool seen = false;

        for (size_t k = 0; k < i; k++) {
            seen = seen || fabs(points[k].offered_per_s - points[i].offered_per_s) < 1e-9;
        }
        ends.rates += !seen;
        if (per_s < ends.low_per_s) {
            ends.low_per_s = per_s;
            ends.low_cpu_s = points[i].cpu_s;
        }
        if (per_s > ends.high_per_s) {
            ends.high_per_s = per_s;
            ends.high_cpu_s = points[i].cpu_s;
        }
        if (miss > ends.furthest || ends.far == NULL) {
            ends.furthest = miss;
            ends.far = &points[i];
        }
    }
    return ends;
}

/* What all of them say together; 0 where there is nothing to say. */
static double figure_of(enum figure figure, const struct ls_slope *slope, const struct ends *ends,
                        const struct ls_slope_facts *facts)
{
    const struct ls_line *line = &slope->line;
    const double rise = line->slope * (ends->high_per_s - ends->low_per_s);

    switch (figure) {
    case RATES:
        return (double)ends->rates;
    case RANGE:
        return part(ends->high_per_s, ends->low_per_s);
    case TICK:
        return part(facts->tick_s, ends->high_cpu_s - ends->low_cpu_s);
    case FLAT:
        return line->count == 0 || !(line->slope > slope->slope_half);
    case WIDE:
        return part(slope->slope_half, line->slope);
    case BELOW_ZERO:
        return line->intercept + slope->intercept_half < 0 ? part(-line->intercept, rise) : 0;
    case FAR:
        return part(ends->furthest, rise);
    case BENT:
        return fabs(slope->bend_share) > slope->bend_half ? fabs(slope->bend_share) : 0;
    default:
        return 0;
    }
}

static void put_value(enum unit unit, double value, char *out, size_t size)
{
    if (unit == PART) {
        (void)snprintf(out, size, "%.3g %%", value * 100);
    } else {
        (void)snprintf(out, size, unit == TIMES ? "%.3g times" : "%.0f", value);
    }
}

static void refuse(struct ls_slope *slope, const struct rule *rule, double value,
                   const struct ls_slope_point *point)
{
    const bool below = rule->figure == RATES || rule->figure == RANGE;
    char where[48] = "", shown[32], limit[32], *out;

    out = slope->refusals[slope->refusals_count++];
    if (point != NULL) {
        (void)snprintf(where, sizeof where, " at %.4g a second", point->offered_per_s);
    }
    put_value(rule->unit, value, shown, sizeof shown);
    put_value(rule->unit, rule->limit, limit, sizeof limit);
    if (rule->unit == FACT) {
        (void)snprintf(out, sizeof slope->refusals[0], "%s%s: %s", rule->subject, where, rule->why);
    } else {
        (void)snprintf(out, sizeof slope->refusals[0], "%s%s: %s, %s %s: %s", rule->subject, where,
                       shown, below ? "below" : "above", limit, rule->why);
    }
}

/* A sentence a figure: the worst point's. */
static void judge_points(struct ls_slope *slope, const struct rule *rule,
                         const struct ls_slope_point *points, size_t count, double cores)
{
    const struct ls_slope_point *worst = NULL;
    double most = rule->limit;

    for (size_t i = 0; i < count; i++) {
        const double value = figure_at(rule->figure, &points[i], cores);

        if (value > most) {
            most = value;
            worst = &points[i];
        }
    }
    if (worst != NULL) {
        refuse(slope, rule, most, worst);
    }
}

static void judge_all(struct ls_slope *slope, const struct rule *rule, const struct ends *ends,
                      const struct ls_slope_facts *facts)
{
    const double value = figure_of(rule->figure, slope, ends, facts);
    const bool below = rule->figure == RATES || rule->figure == RANGE;

    if (below ? value < rule->limit : value > rule->limit) {
        refuse(slope, rule, value, rule->figure == FAR ? ends->far : NULL);
    }
}

static void fit(struct ls_slope *slope, const struct ls_slope_point *points, size_t count)
{
    double x[LS_SLOPE_POINTS_MAX], y[LS_SLOPE_POINTS_MAX];

    for (size_t i = 0; i < count; i++) {
        x[i] = ls_slope_per_s(&points[i]);
        y[i] = ls_slope_cores(&points[i]);
    }
    if (ls_line_fit(&slope->line, x, y, count)) {
        slope->slope_half = ls_line_half(slope->line.slope_error, count - 2);
        slope->intercept_half = ls_line_half(slope->line.intercept_error, count - 2);
    }
}

void ls_slope_judge(struct ls_slope *out, const struct ls_slope_point *points, size_t count,
                    const struct ls_slope_facts *facts)
{
    struct ends ends;

    _Static_assert(FIGURES == LS_SLOPE_REFUSALS_MAX, "room for every sentence");
    *out = (struct ls_slope){0};
    if (count <= LS_SLOPE_POINTS_MAX) {
        fit(out, points, count);
    }
    ends = ends_of(out, points, count);
    if (out->line.has_curve && out->line.slope > 0) {
        const double range = 2 * (ends.high_per_s - ends.low_per_s) / out->line.slope;

        out->bend_share = out->line.curve * range;
        out->bend_half = ls_line_half(out->line.curve_error, out->line.count - 3) * range;
    }
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        if (rules[i].figure <= FULL) {
            judge_points(out, &rules[i], points, count, facts->cores);
        } else {
            judge_all(out, &rules[i], &ends, facts);
        }
    }
}

bool ls_slope_is_bad(const struct ls_slope_point *point)
{
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        if (rules[i].figure < FULL && figure_at(rules[i].figure, point, 0) > rules[i].limit) {
            return true;
        }
    }
    return false;
}
