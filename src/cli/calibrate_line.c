/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the points of a gateway that is not ours come to: lines, a cost profile, and a table for people. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/calibrate_outside.h"
#include "cli/host.h"
#include "cli/print.h"
#include "loginstorm/units.h"

/* Its processes run here: so many cores are there for them. */
static bool is_here(const struct ls_scenario *scenario)
{
    return scenario->gateway.cpu_from == LS_CPU_PROCESS ||
           scenario->gateway.cpu_from == LS_CPU_CGROUP;
}

bool outside_judge(struct outside *outside)
{
    const struct calibration *calibration = outside->calibration;
    const bool here = is_here(calibration->scenario);
    bool holds = true;

    for (size_t k = 0; k < calibration->kinds_count; k++) {
        struct side *side = &outside->sides[k];
        const struct ls_slope_facts facts = {
            .tick_s = (double)side->tick_ns / 1e9,
            .cores = here ? (double)sysconf(_SC_NPROCESSORS_ONLN) : 0,
        };

        ls_slope_judge(&side->slope, side->points, side->count, &facts);
        holds = holds && side->slope.refusals_count == 0;
    }
    return holds;
}

/* Of TLS 1.3 without a second hello it is the one whose key was sent; otherwise who looked first saw it, as one of the first
 * population. NULL: not known. */
static const char *group_of(const struct outside *outside, const struct kind *kind,
                            const struct side *side)
{
    const struct ls_tls_wish *tls = &kind->population.tls;
    const struct ls_population *first = &outside->calibration->scenario->populations[0];
    const struct ls_shown *shown = &outside->shown[kind->certificate];

    if (side->tls13 == side->handshakes && side->retried == 0 && tls->key_shares[0] != NULL &&
        tls->key_shares[1] == NULL) {
        return tls->key_shares[0];
    }
    if (tls->groups[0] != NULL && tls->groups[1] == NULL) {
        return tls->groups[0];
    }
    return first->tls.groups == tls->groups && shown->group[0] != '\0' ? shown->group : NULL;
}

static const char *version_of(const struct side *side)
{
    return side->tls13 == side->handshakes ? "1.3" : side->tls13 == 0 ? "1.2" : NULL;
}

static bool copy(char **out, const char *text)
{
    *out = text == NULL ? NULL : strdup(text);
    return text == NULL || *out != NULL;
}

static bool fill_line(struct ls_cost_line *line, const struct outside *outside,
                      const struct side *side)
{
    const struct ls_slope *slope = &side->slope;

    line->idle_cores = slope->line.intercept;
    line->idle_low = slope->line.intercept - slope->intercept_half;
    line->idle_high = slope->line.intercept + slope->intercept_half;
    line->r2 = slope->line.r2;
    line->points = calloc(side->count, sizeof *line->points);
    if (line->points == NULL) {
        return false;
    }
    line->points_count = side->count;
    for (size_t i = 0; i < side->count; i++) {
        const double per_s = ls_slope_per_s(&side->points[i]);
        const double cores = ls_slope_cores(&side->points[i]);

        line->points[i] = (struct ls_cost_point){
            .offered_per_s = side->points[i].offered_per_s,
            .per_s = per_s,
            .cores = fmax(0, cores),
            .residual_cores = cores - ls_line_at(&slope->line, per_s),
        };
    }
    return copy(&line->gateway, outside->calibration->scenario->gateway.target) &&
           copy(&line->clock, side->clock) && copy(&line->counted, side->counted);
}

/* Valid: what a run's own limits are about are latencies, and of a slope others say whether it holds. One load, which a line has: the TLS library's part, user and system, and the latencies (which have the network in them)
 * are not known. */
static void fill_load(struct ls_cost_at *at, const struct outside *outside, const struct side *side)
{
    const struct ls_slope *slope = &side->slope;

    *at = (struct ls_cost_at){
        .per_s = slope->line.mean_x,
        .core_share = -1,
        .cpu_ns = slope->line.slope * 1e9,
        .cpu_low_ns = fmax(0, (slope->line.slope - slope->slope_half) * 1e9),
        .cpu_high_ns = (slope->line.slope + slope->slope_half) * 1e9,
        .user_ns = -1,
        .system_ns = -1,
        .tls_ns = -1,
        .client_ns = side->client_ns > 0 ? side->client_ns / (double)side->handshakes : -1,
        .rounds = outside->passes,
        .verdict = LS_VALID,
    };
    for (size_t i = 0; i < side->count; i++) {
        at->handshakes += side->points[i].handshakes;
    }
    ls_spread_of(&at->hello, NULL, 0);
    ls_spread_of(&at->finish, NULL, 0);
    ls_spread_of(&at->connect, NULL, 0);
    ls_spread_of(&at->handshake, NULL, 0);
    ls_spread_of(&at->login, NULL, 0);
}

static bool add_kind(struct ls_costs *costs, const struct outside *outside, size_t k)
{
    const struct ls_scenario *scenario = outside->calibration->scenario;
    const struct kind *kind = &outside->calibration->kinds[k];
    const struct side *side = &outside->sides[k];
    struct ls_cost *row = &costs->rows[costs->count++];

    row->resumed_share = kind->population.tls.resume_share;
    row->resumed = kind->population.tls.resume_share > 0;
    row->send_bytes = scenario->login.send_bytes;
    row->receive_bytes = scenario->login.receive_bytes;
    row->at_count = 1;
    fill_load(&row->at[0], outside, side);
    return copy(&row->certificate, scenario->certificates[kind->certificate].name) &&
           copy(&row->key, side->key) && copy(&row->group, group_of(outside, kind, side)) &&
           copy(&row->version, version_of(side)) && fill_line(&row->line, outside, side);
}

static void forget(char **text)
{
    free(*text);
    *text = NULL;
}

/* Of the gateway's machine, and not of who storms it; its TLS library is not ours in any case. */
static void forget_host(struct ls_costs *costs, const struct ls_scenario *scenario)
{
    forget(&costs->tls_library);
    forget(&costs->tls_build);
    if (!is_here(scenario)) {
        forget(&costs->host_cpu);
        forget(&costs->host_kernel);
        costs->host_cores = 0;
    }
}

enum ls_code outside_costs(struct ls_costs **out, struct outside *outside, struct ls_error *err)
{
    struct calibration *calibration = outside->calibration;
    struct ls_costs *costs = calloc(1, sizeof *costs);
    bool whole = costs != NULL;

    *out = NULL;
    if (whole) {
        costs->factor = costs->low = costs->high = 1;
        costs->source = strdup("outside");
        costs->rows = calloc(calibration->kinds_count, sizeof *costs->rows);
        costs->openssl = calibration->openssl;
        calibration->openssl = (struct ls_openssl_speed){0};
        costs->pauses_per_s = -1;
        ls_spread_of(&costs->pauses, NULL, 0);
        whole = costs->source != NULL && costs->rows != NULL && host_of_costs(costs, err) == LS_OK;
    }
    for (size_t k = 0; whole && k < calibration->kinds_count; k++) {
        whole = add_kind(costs, outside, k);
    }
    if (!whole) {
        ls_costs_free(costs);
        return ls_error_set(err, LS_ENOMEM, "no memory for the cost profile");
    }
    forget_host(costs, calibration->scenario);
    *out = costs;
    return LS_OK;
}

static void print_points(const struct side *side, FILE *out)
{
    (void)fprintf(out, "%11s %13s %9s %9s\n", "offered", "handshakes/s", "cores", "residual");
    for (size_t i = 0; i < side->count; i++) {
        const double per_s = ls_slope_per_s(&side->points[i]);
        const double cores = ls_slope_cores(&side->points[i]);
        char residual[32] = "-";

        if (side->slope.line.count > 0) {
            (void)snprintf(residual, sizeof residual, "%+.4f",
                           cores - ls_line_at(&side->slope.line, per_s));
        }
        (void)fprintf(out, "%11.1f %13.1f %9.4f %9s\n", side->points[i].offered_per_s, per_s, cores,
                      residual);
    }
}

static void print_line(const struct side *side, const struct ls_report_look *look, FILE *out)
{
    const struct ls_slope *slope = &side->slope;
    const char *us = look->utf8 ? "\xc2\xb5s" : "us", *around = look->utf8 ? "\xc2\xb1" : "+-";
    char carries[32];

    ls_format_count(llround(1 / slope->line.slope), carries, sizeof carries);
    (void)fprintf(out, "a handshake: %.1f %s %s %.1f (95 %%), so one core carries %s/s\n",
                  slope->line.slope * 1e6, us, around, slope->slope_half * 1e6, carries);
    (void)fprintf(out,
                  "with nobody coming: %.4f cores %s %.4f by the line, %.4f as read before; R2 "
                  "%.5f\n",
                  slope->line.intercept, around, slope->intercept_half, side->idle_cores,
                  slope->line.r2);
    (void)fprintf(out,
                  "by a parabola through these points a further handshake costs %.1f %% %s %s %.1f "
                  "at the highest rate than at the lowest%s\n",
                  fabs(slope->bend_share) * 100, slope->bend_share < 0 ? "less" : "more", around,
                  slope->bend_half * 100,
                  fabs(slope->bend_share) > slope->bend_half ? "" : ", which may be chance");
}

static void print_outcome(const struct side *side, const struct ls_report_look *look, FILE *out)
{
    const struct ls_slope *slope = &side->slope;

    if (slope->refusals_count == 0) {
        print_line(side, look, out);
        return;
    }
    for (size_t i = 0; i < slope->refusals_count; i++) {
        (void)fprintf(out, "no line: %s\n", slope->refusals[i]);
    }
    for (size_t i = 0; i < side->why_count; i++) {
        (void)fprintf(out, "%s\n", side->why[i]);
    }
}

void outside_table(const struct outside *outside, bool all, FILE *out)
{
    const struct calibration *calibration = outside->calibration;
    struct ls_report_look look;
    char text[1024];

    look_of(&look, out, calibration->options);
    ls_storm_target_text(&outside->target, calibration->scenario, text, sizeof text);
    (void)fprintf(out, "%s\n", text);
    if (outside->sides[0].counted[0] != '\0') {
        (void)fprintf(out, "the gateway's CPU is that of %s\n", outside->sides[0].counted);
    }
    for (size_t k = 0; k < calibration->kinds_count; k++) {
        const struct side *side = &outside->sides[k];

        (void)fprintf(out, "\n%s (%s)\n", calibration->kinds[k].name, side->key);
        print_points(side, out);
        if (all) {
            print_outcome(side, &look, out);
        }
    }
    (void)fputc('\n', out);
}
