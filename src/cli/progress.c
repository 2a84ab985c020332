/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/progress.h"

#include <stdlib.h>
#include <string.h>

#include "cli/print.h"
#include "loginstorm/units.h"

#define REDRAW_NS (200 * LS_NS_PER_MS)
#define LINE_NS (10 * LS_NS_PER_S)

enum ls_code progress_init(struct progress *progress, const struct options *options,
                           const struct ls_scenario *scenario, const struct ls_schedule *schedule,
                           struct ls_error *err)
{
    *progress = (struct progress){
        .scenario = scenario,
        .schedule = schedule,
        .silent = options->quiet,
        .repeats = options->repeat,
        .is_terminal = redraws(stderr),
        .latencies = malloc((schedule->count + 1) * sizeof *progress->latencies),
        .shown_ns = ls_now_ns(),
    };
    look_of(&progress->look, stderr, options);
    if (progress->latencies == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for %zu users", schedule->count);
    }
    return LS_OK;
}

void progress_end(struct progress *progress)
{
    if (progress->line_open) {
        (void)fputs("\r\033[K", stderr);
        progress->line_open = false;
    }
}

void progress_clear(struct progress *progress)
{
    progress_end(progress);
    free(progress->latencies);
    progress->latencies = NULL;
}

static void show(struct progress *progress, const char *line)
{
    if (progress->is_terminal) {
        (void)fprintf(stderr, "\r\033[K%s", line);
        progress->line_open = true;
    } else {
        (void)fprintf(stderr, "%s\n", line);
    }
    (void)fflush(stderr);
    progress->shown_ns = ls_now_ns();
}

void progress_step(struct progress *progress, const char *text)
{
    if (!progress->silent) {
        show(progress, text);
    }
}

/* Running p50 and the picture so far, from the rows that are there already. */
static int64_t scan(struct progress *progress, const struct ls_storm_view *view)
{
    const double slice_ns =
        (double)progress->scenario->window_ns / progress->scenario->speedup / PROGRESS_SLICES;
    const bool closed = progress->schedule->waves_count > 0;
    struct ls_quantiles quantiles;
    size_t found = 0;

    memset(progress->slices, 0, sizeof progress->slices);
    for (size_t r = 0; r < view->records_count; r++) {
        size_t count = 0;
        const struct ls_login *rows =
            view->records[r] == NULL ? NULL : ls_record_logins(view->records[r], &count);

        for (size_t i = view->share.first + r; i < count; i += view->share.of) {
            size_t slice;

            if (ls_record_outcome(view->records[r], i) != LS_OUTCOME_LOGGED_IN) {
                continue;
            }
            progress->latencies[found++] = rows[i].done_ns - rows[i].due_ns;
            if (closed) {
                continue;
            }
            slice = (size_t)((double)rows[i].done_ns / slice_ns);
            progress->slices[slice < PROGRESS_SLICES ? slice : PROGRESS_SLICES - 1]++;
        }
    }
    ls_quantiles_of(progress->latencies, found, &quantiles);
    return quantiles.p50;
}

static void count_rate(struct progress *progress, const struct ls_storm_view *view)
{
    const int64_t over_ns = view->run_ns - progress->rate_from_ns;

    if (view->logged_in < progress->rate_from_logins || over_ns < 0) {
        /* The next certificate has begun. */
        progress->per_s = 0;
        progress->rate_from_ns = view->run_ns;
        progress->rate_from_logins = view->logged_in;
    } else if (over_ns >= LS_NS_PER_S) {
        progress->per_s =
            (double)(view->logged_in - progress->rate_from_logins) * 1e9 / (double)over_ns;
        progress->rate_from_ns = view->run_ns;
        progress->rate_from_logins = view->logged_in;
    }
}

void progress_view(struct progress *progress, const struct ls_storm_view *view)
{
    const struct ls_scenario *scenario = progress->scenario;
    const struct ls_schedule *schedule = progress->schedule;
    const int64_t every_ns = progress->is_terminal ? REDRAW_NS : LINE_NS;
    const int64_t run_ns = view->run_ns > 0 ? view->run_ns : 0;
    const int64_t last_due_ns = schedule->rows[schedule->count - 1].due_ns;
    struct ls_progress now = {
        .certificate = scenario->certificates[view->certificate].name,
        .at_ns = scenario->from_ns + (int64_t)((double)run_ns * scenario->speedup),
        .logged_in = view->logged_in,
        .failed = view->failed,
        .in_flight = view->in_flight,
        .users = (int64_t)ls_share_rows(&view->share, schedule->count),
        .left_ns = last_due_ns > run_ns ? last_due_ns - run_ns : 0,
        .slices = progress->slices,
        .slices_count = PROGRESS_SLICES,
    };
    char line[512], name[160];

    if (progress->repeats > 1) {
        (void)snprintf(name, sizeof name, "%d/%d %.140s", view->repeat, progress->repeats,
                       now.certificate);
        now.certificate = name;
    }
    if (schedule->waves_count > 0) { /* no clock, no end that is known */
        now.at_ns = now.left_ns = -1;
        now.slices_count = 0;
    }
    count_rate(progress, view);
    if (progress->silent || ls_now_ns() - progress->shown_ns < every_ns) {
        return;
    }
    now.per_s = progress->per_s;
    now.p50_ns = scan(progress, view);
    ls_report_progress(&now, &progress->look, line, sizeof line);
    show(progress, line);
}
