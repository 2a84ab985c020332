/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compare/noise.h"

#include <math.h>

/*
 * How far one run of the same certificate under the same schedule is from the next, as a standard
 * deviation of the logarithm (0.10 is about 10 %), and how far one storm's rounds are together from
 * another's.
 *
 * Seen on a virtual machine of two cores that compiled meanwhile (load 8 to 12), the storm's
 * processes under real-time scheduling so that their runs were valid or suspect: ten runs each of
 * RSA 4096 and P-256, 100 logins a second. CPU a handshake 0.04 (RSA) and 0.12 (P-256, whose
 * handshakes are short and so feel caches and wake-ups more), login p50 0.13, p99 0.25, p100 0.63
 * with a gateway that was idle most of the time. Three storms after each other had their mean CPU of
 * P-256 within 0.04 and their p50 within 0.11 of each other. A quiet machine has less; repeats show it, a floor
 * must not.
 */
static const struct {
    double run, storm;
} noises[LS_FIGURE_COUNT] = {
    [LS_FIGURE_LOGIN_P50] = {0.15, 0.06},
    [LS_FIGURE_LOGIN_P99] = {0.40, 0.10},
    [LS_FIGURE_LOGIN_P100] = {0.60, 0.30},
    [LS_FIGURE_CPU_HANDSHAKE] = {0.10, 0.05},
    [LS_FIGURE_CPU_LOGIN] = {0.10, 0.05},
    [LS_FIGURE_CAPACITY] = {0.10, 0.05},
    [LS_FIGURE_CORES] = {0.10, 0.05},
    /* Of the arcsine of the root of the share. With an overloaded gateway (growth is 20) it is 0.17:
     * five rounds of RSA 3072, played as twice the load of a core, lost 240 to 585 of 900. */
    [LS_FIGURE_FAILED] = {0.0085, 0.0040},
};

/* A queue grows by 1 / (1 - busy), and so does what a little more or less CPU makes of it: with RSA
 * 4096 at nine tenths of its core the p50 of the same runs was 0.59 apart. */
static double growth(enum ls_figure figure, double busy)
{
    const bool is_latency = !ls_figure_is_cpu(figure) && figure != LS_FIGURE_BYTES;

    return is_latency ? 1 / (1 - fmin(fmax(busy, 0), BUSY_MOST)) : 1;
}

static double us_of(int64_t ns)
{
    return ns < 0 ? -1 : (double)ns / 1000;
}

double figure_of(const struct ls_run *run, enum ls_figure figure)
{
    switch (figure) {
    case LS_FIGURE_LOGIN_P50:
        return us_of(run->of_all_p50);
    case LS_FIGURE_LOGIN_P99:
        return us_of(run->of_all_p99);
    case LS_FIGURE_LOGIN_P100:
        return us_of(run->of_all_p100);
    case LS_FIGURE_CPU_HANDSHAKE:
        return run->cpu_us_per_handshake;
    case LS_FIGURE_CPU_LOGIN:
        return run->cpu_us_per_login;
    case LS_FIGURE_CAPACITY:
        return run->capacity_per_s_per_core;
    case LS_FIGURE_CORES:
        /* As in the result, without its rounding to millionths. */
        return run->cpu_us_per_login < 0 || run->peak_minute_logins < 0
                   ? -1
                   : (double)run->peak_minute_logins * run->cpu_us_per_login / 60e6;
    case LS_FIGURE_BYTES:
        return run->to_gateway_bytes < 0 || run->from_gateway_bytes < 0
                   ? -1
                   : run->to_gateway_bytes + run->from_gateway_bytes;
    case LS_FIGURE_FAILED:
        return run->logged_in + run->failed > 0
                   ? (double)run->failed / (double)(run->logged_in + run->failed)
                   : -1;
    case LS_FIGURE_COUNT:
        break;
    }
    return -1;
}

/* A share is nothing that grows by factors: its arcsine of the root varies alike whatever it is
 * (F. J. Anscombe, Biometrika 35, 1948). */
bool figure_scaled(const struct ls_run *run, enum ls_figure figure, double *scaled)
{
    const double value = figure_of(run, figure);

    if (figure == LS_FIGURE_FAILED) {
        const double decided = (double)(run->logged_in + run->failed);

        *scaled = asin(sqrt(((double)run->failed + 0.375) / (decided + 0.75)));
        return value >= 0;
    }
    *scaled = value > 0 ? log(value) : 0;
    return value > 0;
}

bool figure_is_judged(enum ls_figure figure)
{
    return figure == LS_FIGURE_LOGIN_P50 || figure == LS_FIGURE_LOGIN_P99 ||
           figure == LS_FIGURE_LOGIN_P100 || figure == LS_FIGURE_CPU_HANDSHAKE ||
           figure == LS_FIGURE_FAILED;
}

double noise_of_run(enum ls_figure figure, double busy)
{
    return noises[figure].run * growth(figure, busy);
}

double noise_of_storm(enum ls_figure figure, double busy)
{
    return noises[figure].storm * growth(figure, busy);
}

double busiest_share(const struct ls_run *run)
{
    double most = 0;

    for (size_t i = 0; i < run->timeline_count; i++) {
        most = fmax(most, run->timeline[i].gateway_cpu_share);
    }
    return run->gateway_workers > 0 ? most / run->gateway_workers : most;
}

/* Growth of the logarithm for each unit of rank between two quantiles of the run. */
static double slope(int64_t from_ns, int64_t to_ns, double ranks)
{
    return from_ns > 0 && to_ns > from_ns ? log((double)to_ns / (double)from_ns) / ranks : 0;
}

/* The rank of the q-quantile among n has a standard deviation of sqrt(q (1 - q) / n); the quantiles
 * above it say what such a step of rank is worth, and rise faster than those below. */
double sampling_error(const struct ls_run *run, enum ls_figure figure)
{
    const struct ls_quantiles *login = &run->login;
    const double n = (double)login->count;

    if (figure == LS_FIGURE_FAILED) {
        return 0.5 / sqrt(fmax(1, (double)(run->logged_in + run->failed)));
    }
    if (login->count < 1) {
        return 0;
    }
    if (figure == LS_FIGURE_LOGIN_P50) {
        return sqrt(0.25 / n) * slope(login->p50, login->p90, 0.40);
    }
    if (figure == LS_FIGURE_LOGIN_P99) {
        const double near = slope(login->p99, login->p99_9, 0.009);
        const double far = slope(login->p99, login->p100, 0.01);

        return sqrt(0.0099 / n) * (near > far || login->count >= 10000 ? near : far);
    }
    return 0;
}
