/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "arrivals/fit_work.h"

#define UNKNOWNS_MAX 6
#define TURNS 1200
#define SPREAD_LEAST 1e-4
#define OVER_LEAST 1e-4

static double clamp(double low, double x, double high)
{
    return x < low ? low : x > high ? high : x;
}

double mix_burst_by(const struct mix *mix, double x)
{
    return clamp(0, (x - mix->burst_at) / mix->burst_over, 1);
}

static double bell_by(double z)
{
    return 0.5 * erfc(-z * M_SQRT1_2);
}

/* The unknowns of a kind of mix, in a row, in scales in which a step is as good as another. */
static size_t pack(const struct mix *mix, double *x)
{
    size_t n = 0;

    x[n++] = mix->middle;
    x[n++] = log(mix->spread);
    if (mix->floor_share > 0) {
        x[n++] = mix->floor_share;
    }
    if (mix->burst_share > 0) {
        x[n++] = mix->burst_share;
        x[n++] = mix->burst_at;
        x[n++] = log(mix->burst_over);
    }
    return n;
}

static void unpack(const double *x, struct mix *mix)
{
    size_t n = 0;

    mix->middle = clamp(0, x[n++], 1);
    mix->spread = clamp(SPREAD_LEAST, exp(clamp(-20, x[n++], 5)), 10);
    if (mix->floor_share > 0) {
        mix->floor_share = clamp(0.001, x[n++], 0.999);
    }
    if (mix->burst_share > 0) {
        mix->burst_share = clamp(0.001, x[n++], 0.999);
        mix->burst_at = clamp(0, x[n++], 1 - OVER_LEAST);
        mix->burst_over = clamp(OVER_LEAST, exp(clamp(-20, x[n], 0)), 1 - mix->burst_at);
    }
    if (mix->floor_share + mix->burst_share > 0.999) {
        const double whole = (mix->floor_share + mix->burst_share) / 0.999;

        mix->floor_share /= whole;
        mix->burst_share /= whole;
    }
}

/* The sum of the squared differences between the distribution functions. */
static double misfit(const struct work *work, const struct mix *mix)
{
    const double below = bell_by((0 - mix->middle) / mix->spread);
    const double mass = bell_by((1 - mix->middle) / mix->spread) - below;
    const double bell = 1 - mix->floor_share - mix->burst_share;
    double sum = 0;

    if (!(mass > 1e-9)) {
        return HUGE_VAL;
    }
    for (size_t i = 1; i < SLICES; i++) {
        const double x = (double)i / SLICES;
        double by = bell * (bell_by((x - mix->middle) / mix->spread) - below) / mass;

        by += mix->floor_share * x;
        if (mix->burst_share > 0) {
            by += mix->burst_share * mix_burst_by(mix, x);
        }
        sum += (by - work->by[i]) * (by - work->by[i]);
    }
    return sum;
}

struct corner {
    double x[UNKNOWNS_MAX];
    double misfit;
};

struct simplex {
    const struct work *work;
    struct mix kind;
    size_t unknowns;
    struct corner corners[UNKNOWNS_MAX + 1];
};

static void weigh(const struct simplex *simplex, struct corner *corner)
{
    struct mix mix = simplex->kind;

    unpack(corner->x, &mix);
    corner->misfit = misfit(simplex->work, &mix);
}

/* The best first, the worst last. */
static void sort(struct simplex *simplex)
{
    for (size_t i = 1; i <= simplex->unknowns; i++) {
        const struct corner corner = simplex->corners[i];
        size_t at = i;

        for (; at > 0 && corner.misfit < simplex->corners[at - 1].misfit; at--) {
            simplex->corners[at] = simplex->corners[at - 1];
        }
        simplex->corners[at] = corner;
    }
}

/* The worst corner, moved along the line through the middle of the others: 1 mirrors it. */
static struct corner moved(const struct simplex *simplex, double factor)
{
    const size_t n = simplex->unknowns;
    struct corner corner = {0};

    for (size_t k = 0; k < n; k++) {
        double middle = 0;

        for (size_t i = 0; i < n; i++) {
            middle += simplex->corners[i].x[k] / (double)n;
        }
        corner.x[k] = middle + factor * (middle - simplex->corners[n].x[k]);
    }
    weigh(simplex, &corner);
    return corner;
}

static void shrink(struct simplex *simplex)
{
    for (size_t i = 1; i <= simplex->unknowns; i++) {
        for (size_t k = 0; k < simplex->unknowns; k++) {
            simplex->corners[i].x[k] = 0.5 * (simplex->corners[i].x[k] + simplex->corners[0].x[k]);
        }
        weigh(simplex, &simplex->corners[i]);
    }
}

static void step(struct simplex *simplex)
{
    const size_t n = simplex->unknowns;
    const struct corner mirrored = moved(simplex, 1);

    if (mirrored.misfit < simplex->corners[0].misfit) {
        const struct corner further = moved(simplex, 2);

        simplex->corners[n] = further.misfit < mirrored.misfit ? further : mirrored;
    } else if (mirrored.misfit < simplex->corners[n - 1].misfit) {
        simplex->corners[n] = mirrored;
    } else {
        const struct corner nearer =
            moved(simplex, mirrored.misfit < simplex->corners[n].misfit ? 0.5 : -0.5);

        if (nearer.misfit < simplex->corners[n].misfit) {
            simplex->corners[n] = nearer;
        } else {
            shrink(simplex);
        }
    }
    sort(simplex);
}

static void search(const struct work *work, struct mix *mix)
{
    struct simplex simplex = {.work = work, .kind = *mix};
    double start[UNKNOWNS_MAX] = {0};

    simplex.unknowns = pack(mix, start);
    for (size_t i = 0; i <= simplex.unknowns; i++) {
        memcpy(simplex.corners[i].x, start, sizeof start);
        if (i > 0) {
            simplex.corners[i].x[i - 1] += i == 2 ? 0.3 : 0.03;
        }
        weigh(&simplex, &simplex.corners[i]);
    }
    sort(&simplex);
    for (int turn = 0; turn < TURNS; turn++) {
        const double spread = simplex.corners[simplex.unknowns].misfit - simplex.corners[0].misfit;

        if (!(spread > 1e-9 * simplex.corners[0].misfit)) {
            break;
        }
        step(&simplex);
    }
    unpack(simplex.corners[0].x, mix);
}

/* Mean and standard deviation: what a bell within the window would have, more or less. */
static void guess_bell(const struct work *work, struct mix *mix)
{
    double sum = 0, squares = 0;

    for (size_t i = 0; i < SLICES; i++) {
        const double x = ((double)i + 0.5) / SLICES;

        sum += work->count[i] * x;
        squares += work->count[i] * x * x;
    }
    sum /= (double)work->logins;
    squares = squares / (double)work->logins - sum * sum;
    mix->middle = sum;
    mix->spread = squares > 1e-6 ? sqrt(squares) : 1e-3;
}

void work_fit_mix(const struct work *work, struct mix *mix)
{
    guess_bell(work, mix);
    search(work, mix);
    search(work, mix); /* a fresh simplex, should the first have gone flat */
}
