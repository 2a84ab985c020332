/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/cost.h"

#include <math.h>

#include "loginstorm/normal.h"
#include "loginstorm/units.h"

static double at_least_0(double x)
{
    return x > 0 ? x : 0;
}

static double part(double gap_ns, double warm_ns)
{
    return gap_ns / (gap_ns + warm_ns);
}

/* E[g / (g + warm)] of an exponential gap, by the middles of equally likely parts. */
#define PARTS 64
static double mean_part(double mean_gap_ns, double warm_ns)
{
    double sum = 0;

    for (int i = 0; i < PARTS; i++) {
        sum += part(-ls_log_of((i + 0.5) / PARTS) * mean_gap_ns, warm_ns);
    }
    return sum / PARTS;
}

/* Of a user's CPU, what lies between the flight and the Finished. */
#define TURN_SHARE 0.5

static double idle_part(const struct ls_cost_at *at, double warm_ns)
{
    const double share = at->core_share < 0 ? 0.5 : at->core_share < 1 ? at->core_share : 1;
    const double turn_ns = TURN_SHARE * at_least_0(at->client_ns);
    const double first = at->per_s > 0 ? mean_part(1e9 / at->per_s, warm_ns) : 1;

    return (1 - share) * (first + part(turn_ns, warm_ns));
}

struct fit {
    double busy_ns, wake_ns, warm_ns;
    double misses; /* sum of squares */
};

static struct fit fit_at(const struct ls_cost *row, double warm_ns)
{
    const double n = (double)row->at_count;
    struct fit fit = {.warm_ns = warm_ns};
    double x = 0, y = 0, xx = 0, xy = 0, spread;

    for (size_t i = 0; i < row->at_count; i++) {
        const double idle = idle_part(&row->at[i], warm_ns);

        x += idle;
        y += row->at[i].cpu_ns;
        xx += idle * idle;
        xy += idle * row->at[i].cpu_ns;
    }
    spread = n * xx - x * x;
    fit.wake_ns = spread > 1e-6 ? at_least_0((n * xy - x * y) / spread) : 0;
    fit.busy_ns = (y - fit.wake_ns * x) / n;
    for (size_t i = 0; i < row->at_count; i++) {
        const double miss =
            row->at[i].cpu_ns - fit.busy_ns - fit.wake_ns * idle_part(&row->at[i], warm_ns);

        fit.misses += miss * miss;
    }
    return fit;
}

static double least_cpu_ns(const struct ls_cost *row)
{
    double least_ns = row->at[0].cpu_ns;

    for (size_t i = 1; i < row->at_count; i++) {
        least_ns = row->at[i].cpu_ns < least_ns ? row->at[i].cpu_ns : least_ns;
    }
    return least_ns;
}

/* Beyond what was measured a line says nothing: a busy core is not taken to be much cheaper than the
 * cheapest load. */
#define CHEAPER 0.85
#define WARM_LEAST (20.0 * LS_NS_PER_US)
#define WARM_RATIO 1.25
#define WARM_TRIES 36 /* up to 50 ms */

static struct fit fit_loads(const struct ls_cost *row)
{
    const double least_ns = CHEAPER * least_cpu_ns(row);
    double warm_ns = WARM_LEAST;
    struct fit best = fit_at(row, warm_ns);

    for (int i = 1; i < WARM_TRIES; i++) {
        const struct fit fit = fit_at(row, warm_ns *= WARM_RATIO);

        if (fit.busy_ns >= least_ns && (fit.misses < best.misses || best.busy_ns < least_ns)) {
            best = fit;
        }
    }
    if (best.busy_ns < least_ns) {
        best.busy_ns = least_ns;
    }
    return best;
}

static struct ls_service law_of(const struct ls_spread *spread, double mean_ns)
{
    return spread->count > 0 ? ls_service_of_spread(spread, mean_ns)
                             : (struct ls_service){.law = LS_LAW_FIXED, .mean_ns = mean_ns};
}

#define MEDIAN_POINT 50
static double p50_of(const struct ls_spread *spread)
{
    return spread->count > 0      ? (double)spread->points_ns[MEDIAN_POINT]
           : spread->mean_ns >= 0 ? spread->mean_ns
                                  : -1;
}

/* A figure of a load, negative where it is not known. */
typedef double figure(const struct ls_cost_at *at);
static double client_of(const struct ls_cost_at *at)
{
    return at->client_ns;
}
static double connect_of(const struct ls_cost_at *at)
{
    return p50_of(&at->connect);
}

/* Between the loads, straight over the logarithm of their rates. */
static double figure_at(const struct ls_cost *row, figure *of, double per_s)
{
    const struct ls_cost_at *below = &row->at[0], *above = &row->at[row->at_count - 1];
    double x;

    for (size_t i = 0; i < row->at_count; i++) {
        const struct ls_cost_at *at = &row->at[i];

        if (at->per_s <= per_s && at->per_s > below->per_s) {
            below = at;
        }
        if (at->per_s >= per_s && at->per_s < above->per_s) {
            above = at;
        }
    }
    if (per_s <= below->per_s || below->per_s <= 0 || above->per_s <= below->per_s) {
        return of(per_s > above->per_s ? above : below);
    }
    if (per_s >= above->per_s) {
        return of(above);
    }
    x = ls_log_of(per_s / below->per_s) / ls_log_of(above->per_s / below->per_s);
    return of(below) + x * (of(above) - of(below));
}

/* The share of the TLS library's CPU that lies before the flight, where a profile does not say: key
 * share and signature against a MAC or two. */
#define HELLO_SHARE 0.85
/* And that of a gateway's whole CPU that is the TLS library's. */
#define TLS_SHARE 0.8

static void fill_gateway(struct cost *out, const struct ls_cost *row, double factor)
{
    const struct ls_cost_at *busy = &row->at[row->at_count - 1];
    const struct fit fit = fit_loads(row);
    const double both_ns = busy->hello.mean_ns + busy->finish.mean_ns;
    double tls_share = TLS_SHARE, hello_share = HELLO_SHARE, tls_ns;

    if (busy->tls_ns >= 0 && busy->tls_ns < busy->cpu_ns) {
        tls_share = busy->tls_ns / busy->cpu_ns;
    }
    if (busy->hello.mean_ns >= 0 && busy->finish.mean_ns >= 0 && both_ns > 0) {
        hello_share = busy->hello.mean_ns / both_ns;
    }
    tls_ns = tls_share * fit.busy_ns;
    out->hello = law_of(&busy->hello, hello_share * tls_ns * factor);
    out->finish = law_of(&busy->finish, (1 - hello_share) * tls_ns * factor);
    out->beside_ns = (fit.busy_ns - tls_ns) * factor;
    out->wake_ns = fit.wake_ns * factor;
    out->warm_ns = fit.warm_ns;
}

void cost_of_row(struct cost *out, const struct ls_cost *row, double factor, double per_s)
{
    const struct ls_cost_at *calm = &row->at[0];
    const double login_ns = p50_of(&calm->login);
    double connect_ns;

    *out = (struct cost){.waits = 1};
    fill_gateway(out, row, factor);
    out->calm_client_ns = at_least_0(calm->client_ns);
    out->calm_gap_ns = calm->per_s > 0 ? 1e9 / calm->per_s : 1e9;
    out->connect_ns = p50_of(&calm->connect);
    out->handshake_ns = p50_of(&calm->handshake);
    out->after_ns =
        login_ns >= 0
            ? at_least_0(login_ns - at_least_0(out->connect_ns) - at_least_0(out->handshake_ns))
            : -1;
    out->client_ns = out->calm_client_ns;
    if (per_s > 0) {
        out->client_ns = at_least_0(figure_at(row, client_of, per_s));
        connect_ns = figure_at(row, connect_of, per_s);
        if (connect_ns > 0 && out->connect_ns > 0) {
            out->waits = connect_ns / out->connect_ns;
        }
    }
}

void cost_of_law(struct cost *out, const struct ls_farm *farm, double factor)
{
    static const enum ls_law laws[] = {
        [LS_COST_FIXED] = LS_LAW_FIXED,
        [LS_COST_EXPONENTIAL] = LS_LAW_EXPONENTIAL,
        [LS_COST_LOGNORMAL] = LS_LAW_LOGNORMAL,
    };

    *out = (struct cost){
        .hello = {.law = laws[farm->cost_kind],
                  .mean_ns = (double)farm->cost_ns * factor,
                  .scv = farm->cost_scv},
        .connect_ns = -1,
        .handshake_ns = -1,
        .after_ns = -1,
        .waits = 1,
    };
}

double cost_wake_ns(const struct cost *cost, double gap_ns)
{
    return cost->wake_ns > 0 ? cost->wake_ns * part(gap_ns, cost->warm_ns) : 0;
}
