/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/draw.h"

#include <math.h>
#include <string.h>

#include "loginstorm/normal.h"
#include "loginstorm/random.h"

static const double ln2 = 0.69314718055994530942;

void drawer_init(struct drawer *drawer)
{
    for (int i = 0; i < LOG_CELLS; i++) {
        const double middle = 1 + (i + 0.5) / LOG_CELLS;

        drawer->inverse[i] = 1 / middle;
        drawer->log_of[i] = -ls_log_of(drawer->inverse[i]);
    }
}

void drawer_seed(struct drawer *drawer, uint64_t seed)
{
    drawer->state = ls_random_stream(seed, LS_STREAM_SERVICE);
}

/* u = 2^e m; m lies within 1/256 of the middle of its cell, whose log is known, and the rest is a
 * short series. */
double drawer_log(const struct drawer *drawer, double u)
{
    uint64_t bits;
    int exponent;
    double m, r;
    unsigned cell;

    memcpy(&bits, &u, sizeof bits);
    exponent = (int)(bits >> 52) - 1023;
    cell = (unsigned)(bits >> 45) & (LOG_CELLS - 1);
    bits = (bits & UINT64_C(0xfffffffffffff)) | UINT64_C(0x3ff0000000000000);
    memcpy(&m, &bits, sizeof m);
    r = m * drawer->inverse[cell] - 1;
    return exponent * ln2 +
           (drawer->log_of[cell] +
            r * (1 +
                 r * (-1.0 / 2 + r * (1.0 / 3 + r * (-1.0 / 4 + r * (1.0 / 5 + r * (-1.0 / 6)))))));
}

/* Within its last hundredth a measured law rises to its one greatest sample: far less than straight, or
 * that sample would weigh as much as half a hundredth of them all. */
#define LAST_CELL_POWER 9

static double spread_at(const struct ls_spread *spread, double u)
{
    const double x = u * (LS_SPREAD_POINTS - 1);
    const int cell = (int)x;
    const int64_t low_ns = spread->points_ns[cell];
    const double rise_ns = (double)(spread->points_ns[cell + 1] - low_ns);
    double f = x - cell;

    if (cell == LS_SPREAD_POINTS - 2) {
        const double f3 = f * f * f;

        f = f3 * f3 * f3;
    }
    return (double)low_ns + f * rise_ns;
}

static double mean_of_spread(const struct ls_spread *spread)
{
    double sum = 0;

    for (int i = 0; i + 1 < LS_SPREAD_POINTS; i++) {
        const double low = (double)spread->points_ns[i];
        const double high = (double)spread->points_ns[i + 1];
        const double weight = i == LS_SPREAD_POINTS - 2 ? 1.0 / (LAST_CELL_POWER + 1) : 0.5;

        sum += low + weight * (high - low);
    }
    return sum / (LS_SPREAD_POINTS - 1);
}

struct ls_service ls_service_of_spread(const struct ls_spread *spread, double mean_ns)
{
    const double own_ns = mean_of_spread(spread);

    return (struct ls_service){.law = own_ns > 0 ? LS_LAW_SPREAD : LS_LAW_FIXED,
                               .mean_ns = mean_ns,
                               .spread = spread,
                               .stretch = own_ns > 0 ? mean_ns / own_ns : 1};
}

static double lognormal_at(const struct ls_service *service, double u)
{
    const double s2 = ls_log_of(1 + service->scv);

    return service->mean_ns * ls_exp_of(sqrt(s2) * ls_normal_at(u) - s2 / 2);
}

int64_t drawer_service_ns(const struct drawer *drawer, const struct ls_service *service,
                          uint64_t row, uint64_t number)
{
    double u, ns = service->mean_ns;

    if (service->law != LS_LAW_FIXED && service->mean_ns > 0) {
        u = ls_random_unit_in(drawer->state, row, number);
        switch (service->law) {
        case LS_LAW_EXPONENTIAL:
            ns = -drawer_log(drawer, u) * service->mean_ns;
            break;
        case LS_LAW_LOGNORMAL:
            ns = lognormal_at(service, u);
            break;
        case LS_LAW_SPREAD:
            ns = spread_at(service->spread, u) * service->stretch;
            break;
        case LS_LAW_FIXED:
            break;
        }
    }
    return (int64_t)(ns + 0.5);
}
