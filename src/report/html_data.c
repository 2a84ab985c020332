/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What page.js draws, as JSON in the page. Its form is told at the head of page.js. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "report/grid.h"
#include "report/html_parts.h"

size_t html_shown(const struct ls_result *medians)
{
    return medians->runs_count < HTML_SHOWN ? medians->runs_count : HTML_SHOWN;
}

size_t html_steps(const struct ls_result *medians)
{
    const int64_t some = medians->users / 10;

    return some < HTML_STEPS_LEAST  ? HTML_STEPS_LEAST
           : some > HTML_STEPS_MOST ? HTML_STEPS_MOST
                                    : (size_t)some;
}

/* Exact: ns as µs with up to three decimals, as in result.json. */
static void put_us(struct page *page, int64_t ns)
{
    if (ns < 0) {
        html_raw(page, "null");
    } else if (ns % 1000 == 0) {
        (void)fprintf(page->out, "%" PRId64, ns / 1000);
    } else {
        (void)fprintf(page->out, "%" PRId64 ".%03d", ns / 1000, (int)(ns % 1000));
    }
}

static void put_real(struct page *page, double value)
{
    if (value >= 0 && isfinite(value)) {
        (void)fprintf(page->out, "%.6g", value);
    } else {
        html_raw(page, "null");
    }
}

enum field { AT, DUE, LOGGED_IN, FAILED, IN_FLIGHT, P50, P99, P100, CORES, FIELDS };
static const char *const field_names[FIELDS] = {"at",     "due",       "logged_in",
                                                "failed", "in_flight", "p50_us",
                                                "p99_us", "p100_us",   "gateway_cores"};

static void put_field(struct page *page, const struct grid_step *step, enum field field,
                      double at_s)
{
    const int64_t counts[] = {
        [DUE] = step->due,
        [LOGGED_IN] = step->logged_in,
        [FAILED] = step->failed,
        [IN_FLIGHT] = step->in_flight,
    };

    switch (field) {
    case AT:
        (void)fprintf(page->out, "%.10g", at_s);
        break;
    case DUE:
    case LOGGED_IN:
    case FAILED:
    case IN_FLIGHT:
        if (step->there) {
            (void)fprintf(page->out, "%" PRId64, counts[field]);
        } else {
            html_raw(page, "null");
        }
        break;
    case P50:
        put_us(page, step->p50_ns);
        break;
    case P99:
        put_us(page, step->p99_ns);
        break;
    case P100:
        put_us(page, step->p100_ns);
        break;
    default:
        put_real(page, step->cores);
    }
}

static void put_timeline(struct page *page, const struct ls_result *result,
                         const struct ls_run *run, const struct grid *grid, struct grid_step *steps)
{
    grid_fill(grid, run, steps);
    html_raw(page, ",\"timeline\":{");
    for (enum field f = AT; f < FIELDS; f++) {
        (void)fprintf(page->out, "%s\"%s\":[", f == AT ? "" : ",", field_names[f]);
        for (size_t i = 0; i < grid->count; i++) {
            const double at_s = ((double)result->from_ns + (double)grid->step_ns * (double)i) / 1e9;

            html_raw(page, i == 0 ? "" : ",");
            put_field(page, &steps[i], f, at_s);
        }
        html_raw(page, "]");
    }
    html_raw(page, "}");
}

static void put_point(struct page *page, double share, int64_t ns, bool first)
{
    if (ns < 0) {
        return;
    }
    (void)fprintf(page->out, "%s[%.9g,", first ? "" : ",", share);
    put_us(page, ns);
    html_raw(page, "]");
}

/* The whole curve where the result has it, else its quantiles. */
static void put_distribution(struct page *page, const struct ls_run *run)
{
    const struct ls_quantiles *q = &run->login;
    const struct ls_distribution *whole = &run->login_distribution;
    const double shares[] = {0, 0.5, 0.9, 0.95, 0.99, 0.999, 1};
    const int64_t values[] = {q->min, q->p50, q->p90, q->p95, q->p99, q->p99_9, q->p100};

    (void)fprintf(page->out, ",\"logged_in\":%" PRId64 ",\"distribution\":[", q->count);
    for (size_t i = 0; i < whole->points_count; i++) {
        put_point(page, whole->points[i].share, whole->points[i].ns, i == 0);
    }
    for (size_t i = 0; i < 7 && q->count > 0 && whole->points_count == 0; i++) {
        put_point(page, shares[i], values[i], i == 0);
    }
    html_raw(page, "]");
}

/* [share, low, median, high] in µs: the middle 95 % of the mornings. */
static void put_band(struct page *page, const struct ls_run_mornings *mornings)
{
    const double shares[] = {0.5, 0.95, 0.99, 1};
    const struct ls_range *ranges[] = {&mornings->login_p50, &mornings->login_p95,
                                       &mornings->login_p99, &mornings->login_p100};
    bool first = true;

    html_raw(page, ",\"band\":[");
    for (size_t i = 0; i < 4 && mornings->count > 1; i++) {
        if (ranges[i]->low < 0 || ranges[i]->median < 0 || ranges[i]->high < 0) {
            continue;
        }
        (void)fprintf(page->out, "%s[%.9g,", first ? "" : ",", shares[i]);
        put_us(page, ranges[i]->low);
        html_raw(page, ",");
        put_us(page, ranges[i]->median);
        html_raw(page, ",");
        put_us(page, ranges[i]->high);
        html_raw(page, "]");
        first = false;
    }
    html_raw(page, "]");
}

static void put_run(struct page *page, const struct ls_result *result, const struct ls_run *run,
                    const struct grid *grid, struct grid_step *steps)
{
    html_raw(page, "\n{\"name\":");
    json_text(page, run->certificate);
    (void)fprintf(page->out, ",\"cores\":%d", run->gateway_workers);
    put_timeline(page, result, run, grid, steps);
    put_distribution(page, run);
    put_band(page, &run->mornings);
    html_raw(page, "}");
}

void html_result_data(struct page *page, const struct ls_result *medians, const char *stream,
                      int cores)
{
    const size_t shown = html_shown(medians);
    const struct grid grid = grid_of(medians, shown, html_steps(medians));
    struct grid_step *steps = calloc(grid.count + 1, sizeof *steps);

    if (steps == NULL) {
        page->no_memory = true;
        return;
    }
    html_data_begin(page);
    (void)fprintf(page->out,
                  "{\"version\":1,\"kind\":\"result\",\"from_s\":%.10g,\"to_s\":%.10g,"
                  "\"closed\":%s,\"step_s\":%.10g,\"stream\":",
                  (double)medians->from_ns / 1e9,
                  ((double)medians->from_ns + (double)medians->window_ns) / 1e9,
                  medians->closed ? "true" : "false",
                  stream == NULL    ? (double)grid.step_ns / 1e9
                  : medians->closed ? 1
                                    : medians->speedup);
    if (stream != NULL) {
        json_text(page, stream);
    } else {
        html_raw(page, "null");
    }
    (void)fprintf(page->out, ",\"cores\":%d,\"runs\":[", cores);
    for (size_t i = 0; i < shown; i++) {
        html_raw(page, i == 0 ? "" : ",");
        put_run(page, medians, &medians->runs[i], &grid, steps);
    }
    html_raw(page, "]}");
    html_data_end(page);
    free(steps);
}

/* ------------------------------------------------------------------------------------- of a plan */

static void put_farm(struct page *page, const struct ls_plan_farm *farm, int spare, bool first)
{
    if (farm->users <= 0) {
        return;
    }
    (void)fprintf(page->out, "%s{\"users\":%" PRId64 ",\"gateways\":%d", first ? "" : ",",
                  farm->users, farm->gateways + spare);
    html_raw(page, ",\"p99_us\":");
    put_real(page, farm->p99_ns.most / 1000);
    html_raw(page, ",\"peak_share\":");
    put_real(page, farm->cpu_peak_share.most);
    html_raw(page, ",\"capacity_share\":");
    put_real(page, farm->capacity_share.most);
    html_raw(page, "}");
}

static void put_row(struct page *page, const struct ls_plan *plan, const struct ls_plan_row *row)
{
    html_raw(page, "\n{\"name\":");
    json_text(page, row->certificate != NULL ? row->certificate : "any certificate");
    html_raw(page, ",\"cliff\":[");
    for (int i = 0; i < LS_PLAN_CLIFF && row->gateways > 0; i++) {
        put_farm(page, &row->cliff[i], plan->spare, i == 0);
    }
    if (row->gateways > 0) {
        put_farm(page, &row->edge, plan->spare, row->cliff[0].users <= 0);
    }
    html_raw(page, "],\"farms\":[");
    put_farm(page, &row->one_less, plan->spare, true);
    if (row->gateways > 0) {
        put_farm(page, &row->cliff[0], plan->spare, row->one_less.users <= 0);
    }
    html_raw(page, "]}");
}

void html_plan_data(struct page *page, const struct ls_plan *plan)
{
    html_data_begin(page);
    (void)fprintf(
        page->out,
        "{\"version\":1,\"kind\":\"plan\",\"users\":%" PRId64 ",\"p99_limit_us\":", plan->users);
    put_real(page, plan->limits[LS_TARGET_LOGIN_P99].limit / 1000);
    html_raw(page, ",\"peak_limit\":");
    put_real(page, plan->limits[LS_TARGET_CPU_PEAK].limit);
    html_raw(page, ",\"rows\":[");
    for (size_t i = 0; i < plan->rows_count && i < HTML_SHOWN; i++) {
        html_raw(page, i == 0 ? "" : ",");
        put_row(page, plan, &plan->rows[i]);
    }
    html_raw(page, "]}");
    html_data_end(page);
}
