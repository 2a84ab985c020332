/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * By a published capacity, "700 logins in 10 minutes": nothing is simulated; logins are counted in the
 * fullest stretch of that length, wherever it begins. What decides is that stretch of single mornings and
 * not of the mean curve, which half of all mornings exceed.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "loginstorm/units.h"
#include "plan/work.h"

/* The logins of a morning in the order of time, with those who have to come again. */
struct demand {
    int64_t *at_ns;
    size_t count, room;
    bool sorted;
};

static bool add(struct demand *demand, int64_t at_ns)
{
    if (demand->count == demand->room) {
        const size_t room = demand->room < 512 ? 1024 : demand->room * 2;
        int64_t *grown = calloc(room, sizeof *grown);

        if (grown == NULL) {
            return false;
        }
        if (demand->at_ns != NULL) {
            memcpy(grown, demand->at_ns, demand->count * sizeof *grown);
        }
        free(demand->at_ns);
        demand->at_ns = grown;
        demand->room = room;
    }
    demand->at_ns[demand->count++] = at_ns;
    return true;
}

/* Users who are in session at that moment. */
static int64_t in_session(const struct ls_scenario *scenario, const struct ls_schedule *schedule,
                          int64_t at_ns)
{
    const struct ls_login_wish *login = &scenario->login;
    int64_t count = 0;

    for (size_t i = 0; i < schedule->count && schedule->rows[i].at_ns < at_ns; i++) {
        count +=
            login->hold == LS_HOLD_UNTIL_END ||
            (login->hold == LS_HOLD_DURATION && schedule->rows[i].at_ns + login->hold_ns > at_ns);
    }
    return count;
}

/* A reconnect brings its share back over its time, a gateway's death those who were at it, at once. */
static bool add_returns(struct demand *demand, const struct ls_scenario *scenario,
                        const struct ls_schedule *schedule, const struct ls_event *event, int up)
{
    const bool reconnect = event->kind == LS_EVENT_RECONNECT;
    const double lost = event->gateways < up ? (double)event->gateways / up : 1;
    const double share = reconnect ? event->share : lost;
    const int64_t over_ns = reconnect ? event->duration_ns : scenario->login.retry_wait_ns;
    const int64_t back =
        (int64_t)((double)in_session(scenario, schedule, event->at_ns) * share + 0.5);

    for (int64_t i = 0; i < back; i++) {
        const double part = ((double)i + 0.5) / (double)back;

        if (!add(demand, event->at_ns + (int64_t)(part * (double)over_ns))) {
            return false;
        }
    }
    demand->sorted = demand->sorted && back == 0;
    return true;
}

static int by_time(const void *left, const void *right)
{
    const int64_t *a = left, *b = right;

    return (*a > *b) - (*a < *b);
}

/* up 0: without what dying gateways bring. */
static bool demand_fill(struct demand *demand, const struct ls_scenario *scenario,
                        const struct ls_schedule *schedule, int up)
{
    bool whole = true;

    demand->count = 0;
    demand->sorted = true;
    for (size_t i = 0; i < schedule->count && whole; i++) {
        whole = add(demand, schedule->rows[i].at_ns);
    }
    for (size_t i = 0; i < scenario->events_count && whole; i++) {
        if (scenario->events[i].kind == LS_EVENT_RECONNECT || up > 0) {
            whole = add_returns(demand, scenario, schedule, &scenario->events[i], up);
        }
    }
    if (whole && !demand->sorted && demand->at_ns != NULL) {
        qsort(demand->at_ns, demand->count, sizeof *demand->at_ns, by_time);
    }
    return whole;
}

/* Gateways that are up all the time from ... to ...: at least. */
static int up_between(const struct ls_scenario *scenario, int up, int64_t from_ns, int64_t to_ns)
{
    int64_t left = up;

    for (size_t i = 0; i < scenario->events_count; i++) {
        const struct ls_event *event = &scenario->events[i];

        if (event->kind == LS_EVENT_GATEWAY_DOWN && event->at_ns < to_ns &&
            (event->duration_ns == 0 || event->at_ns + event->duration_ns > from_ns)) {
            left -= event->gateways;
        }
    }
    return left > 0 ? (int)left : 0;
}

/* Moments are rounded to ns: what is so much nearer than a stretch is a stretch apart. */
#define ROUNDED_NS LS_NS_PER_US

/* The fullest stretch: logins for each gateway that is up; up 0: logins. */
static double fullest(const struct demand *demand, const struct ls_scenario *scenario,
                      int64_t in_ns, int up)
{
    double most = 0;
    size_t first = 0;

    for (size_t i = 0; i < demand->count; i++) {
        double here;

        while (demand->at_ns[i] - demand->at_ns[first] >= in_ns - ROUNDED_NS) {
            first++;
        }
        here = (double)(i + 1 - first);
        if (up > 0) {
            here /= up_between(scenario, up, demand->at_ns[first], demand->at_ns[i] + 1);
        }
        most = here > most ? here : most;
    }
    return most;
}

static enum ls_code fullest_all(double *out, const struct ls_scenario *scenario,
                                const struct ls_mornings *mornings, int count, int64_t in_ns,
                                int up, struct ls_error *err)
{
    struct demand demand = {0};
    bool whole = true;

    for (int i = 0; i < count && whole; i++) {
        whole = demand_fill(&demand, scenario, ls_mornings_schedule(mornings, i), up);
        out[i] = whole ? fullest(&demand, scenario, in_ns, up) : 0;
    }
    free(demand.at_ns);
    return whole ? LS_OK : ls_error_set(err, LS_ENOMEM, "no memory for a plan");
}

enum ls_code capacity_play(struct ls_plan_farm *out, struct stage *stage,
                           const struct ls_mornings *mornings, int count, const struct size *size,
                           struct ls_error *err)
{
    const struct ls_plan_capacity *capacity = &stage->plan->capacity;
    const struct ls_plan_spread unknown = {-1, -1};
    double *shares = calloc((size_t)count + 1, sizeof *shares);
    enum ls_code code = LS_OK;
    int met = 0;

    *out = (struct ls_plan_farm){
        .users = (int64_t)ls_mornings_schedule(mornings, 0)->count,
        .gateways = size->gateways,
        .cores = size->cores,
        .mornings = count,
        .p50_ns = unknown,
        .p95_ns = unknown,
        .p99_ns = unknown,
        .p100_ns = unknown,
        .failed_share = unknown,
        .cpu_peak_share = unknown,
        .syn_dropped = unknown,
        .timed_out = unknown,
        .attempts = unknown,
    };
    for (int t = 0; t < LS_PLAN_TARGETS; t++) {
        out->met[t] = -1;
    }
    if (shares == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for a plan");
    }
    code = fullest_all(shares, &stage->scenario, mornings, count, capacity->in_ns, size->gateways,
                       err);
    for (int i = 0; i < count && code == LS_OK; i++) {
        shares[i] /= (double)capacity->logins;
        met += shares[i] <= 1;
    }
    if (code == LS_OK) {
        out->capacity_share = spread_of(shares, count);
        out->capacity_met = (double)met / count;
        out->missed = met < mornings_needed(count) ? 1U << LS_PLAN_TARGETS : 0;
        out->why = out->missed != 0 ? LS_BREAK_CAPACITY : LS_BREAK_NONE;
    }
    free(shares);
    return code;
}

/* Fine enough that what lies between two steps is nothing beside a login. */
#define STEPS 20000

/* Of the curve that all mornings are drawn from; negative where none is known. */
static double of_mean_curve(const struct ls_scenario *scenario, int64_t users, int64_t in_ns)
{
    double most = 0;

    for (size_t i = 0; i < scenario->events_count; i++) {
        if (scenario->events[i].kind == LS_EVENT_RECONNECT) {
            return -1;
        }
    }
    for (int s = 0; s < STEPS; s++) {
        const double from_ns = (double)scenario->window_ns * s / STEPS;
        double share = 0;

        for (size_t i = 0; i < scenario->waves_count; i++) {
            const struct ls_wave *wave = &scenario->waves[i];
            const double to_ns = fmin(from_ns + (double)in_ns, (double)scenario->window_ns);

            share += wave->share * (ls_wave_share_by(wave, scenario->window_ns, to_ns) -
                                    ls_wave_share_by(wave, scenario->window_ns, from_ns));
        }
        if (!isfinite(share)) {
            return -1;
        }
        most = fmax(most, share);
    }
    return most * (double)users;
}

enum ls_code capacity_measure(struct stage *stage, struct ls_error *err)
{
    struct ls_plan *plan = stage->plan;
    struct ls_plan_capacity *capacity = &plan->capacity;
    const int count = plan->mornings;
    double *values = calloc((size_t)count + 1, sizeof *values);
    struct ls_plan_spread spread;
    enum ls_code code;

    if (values == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for a plan");
    }
    code = fullest_all(values, &stage->scenario, stage->many, count, capacity->in_ns, 0, err);
    if (code == LS_OK) {
        spread = spread_of(values, count); /* sorted from here */
        capacity->median = spread.median;
        capacity->most = spread.most;
        capacity->low = values[(int)(0.025 * count)];
        capacity->high = values[(int)ceil(0.975 * count) - 1];
        capacity->mean = of_mean_curve(&stage->scenario, plan->users, capacity->in_ns);
    }
    free(values);
    return code;
}
