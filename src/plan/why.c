/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why no number of gateways meets the targets. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "loginstorm/result.h"
#include "plan/work.h"

static int64_t round_trips_ns(const struct ls_model_population *population)
{
    const struct ls_model_handshake *kind = &population->full;

    return (int64_t)population->connections * (2 + kind->through) * population->rtt_ns;
}

/* Of the populations: a login's way there and back, from the shortest to the longest. */
static void network_words(const struct ls_scene *scene, char *out, size_t size)
{
    int64_t least_ns = INT64_MAX, most_ns = 0;
    char least[32], most[32];

    for (size_t i = 0; i < scene->wish.populations_count; i++) {
        const int64_t ns = round_trips_ns(&scene->wish.populations[i]);

        least_ns = ns < least_ns ? ns : least_ns;
        most_ns = ns > most_ns ? ns : most_ns;
    }
    ls_format_ns(least_ns, least, sizeof least);
    ls_format_ns(most_ns, most, sizeof most);
    (void)snprintf(out, size, "%s%s%s", least, least_ns == most_ns ? "" : " to ",
                   least_ns == most_ns ? "" : most);
}

static void limit_words(double ns, char *out, size_t size)
{
    if (isinf(ns)) {
        (void)snprintf(out, size, "for ever");
    } else {
        ls_format_ns((int64_t)ns, out, size);
    }
}

static void missed_words(const struct stage *stage, const struct ls_plan_farm *ideal,
                         const struct ls_scene *scene, char *out, size_t size)
{
    const struct ls_plan_limit *limits = stage->plan->limits;
    const struct ls_plan_spread *quantiles[] = {&ideal->p50_ns, &ideal->p95_ns, &ideal->p99_ns,
                                                &ideal->p100_ns};
    char limit[32], takes[32], network[80], cpu[32];

    for (int t = LS_TARGET_LOGIN_P50; t <= LS_TARGET_LOGIN_P100; t++) {
        if ((ideal->missed & 1U << t) != 0) {
            limit_words(limits[t].limit, limit, sizeof limit);
            limit_words(quantiles[t]->most, takes, sizeof takes);
            network_words(scene, network, sizeof network);
            ls_format_ns((int64_t)ls_scene_login_cpu_ns(scene, &stage->scenario, true), cpu,
                         sizeof cpu);
            (void)snprintf(out, size,
                           "%s is to be within %s, but takes %s even where nobody waits for a "
                           "core: a login is %s of round trips and %s of the gateway's CPU%s",
                           ls_plan_target_word((enum ls_plan_target)t), limit, takes, network, cpu,
                           stage->scenario.events_count > 0 ? ", and the events do the rest" : "");
            return;
        }
    }
    if ((ideal->missed & 1U << LS_TARGET_FAILED) != 0) {
        (void)snprintf(out, size,
                       "%.3g %% of the logins fail even where nobody waits for a core, and %.3g %% "
                       "may: %s",
                       ideal->failed_share.most * 100, limits[LS_TARGET_FAILED].limit * 100,
                       ideal->timed_out.most > 0
                           ? "a login alone takes longer than its time-outs"
                           : "the events take gateways away that users are at");
        return;
    }
    (void)snprintf(out, size,
                   "a single login fills a core to %.3g %% of a minute, and %.3g %% are allowed",
                   ideal->cpu_peak_share.most * 100, limits[LS_TARGET_CPU_PEAK].limit * 100);
}

enum ls_code why_nothing(char **out, const struct stage *stage, const struct ls_plan_farm *ideal,
                         const struct ls_scene *scene, struct ls_error *err)
{
    char text[512];

    if (ideal == NULL) {
        (void)snprintf(text, sizeof text,
                       "as the farm's balancing spreads the logins, even %d gateways miss a target",
                       LS_PLAN_GATEWAYS_MAX);
    } else {
        missed_words(stage, ideal, scene, text, sizeof text);
    }
    *out = strdup(text);
    return *out == NULL ? ls_error_set(err, LS_ENOMEM, "no memory for a plan") : LS_OK;
}
