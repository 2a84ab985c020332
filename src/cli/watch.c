/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/watch.h"

#include <stdlib.h>
#include <string.h>

#include "cli/print.h"
#include "loginstorm/report.h"
#include "loginstorm/units.h"

#define EVERY_NS LS_NS_PER_S

/* What writes into a stream, as text on the heap. */
static enum ls_code text_of(char **text, size_t *bytes, const struct ls_result *result, int cores,
                            struct ls_error *err)
{
    FILE *stream = open_memstream(text, bytes);
    enum ls_code code;

    if (stream == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for the live page");
    }
    code = result != NULL ? ls_report_live_html(result, "events", cores, stream, err)
                          : ls_report_live_policy(stream, err);
    if (fclose(stream) != 0 && code == LS_OK) {
        code = ls_error_set(err, LS_ENOMEM, "no memory for the live page");
    }
    return code;
}

static enum ls_code open_page(struct watch *watch, const struct options *options,
                              const struct ls_result *result, struct ls_error *err)
{
    const struct ls_gateway_wish *gateway = &watch->scenario->gateway;
    char *page = NULL, *policy = NULL;
    size_t page_bytes = 0, policy_bytes;
    enum ls_code code =
        text_of(&page, &page_bytes, result, gateway->embedded ? gateway->workers : 0, err);

    if (code == LS_OK) {
        code = text_of(&policy, &policy_bytes, NULL, 0, err);
    }
    if (code == LS_OK) {
        const struct ls_live_wish wish = {
            .address = options->live, .page = page, .page_bytes = page_bytes, .policy = policy};

        code = ls_live_open(&watch->live, &wish, err);
    }
    free(page);
    free(policy);
    return code;
}

static void say_where(const struct ls_live *live)
{
    (void)fprintf(stderr, "live page: %s\n", ls_live_url(live));
    if (ls_live_is_public(live)) {
        (void)fprintf(stderr, "warning: everybody who reaches this machine's address can look at "
                              "that page; it asks nobody who he is\n");
    }
    (void)fflush(stderr);
}

enum ls_code watch_open(struct watch *watch, const struct options *options,
                        const struct ls_scenario *scenario, const struct ls_schedule *schedule,
                        const struct ls_result *result, struct ls_error *err)
{
    enum ls_code code;

    *watch = (struct watch){.scenario = scenario, .schedule = schedule};
    if (options->live == NULL) {
        return LS_OK;
    }
    watch->seen = calloc(schedule->count + 1, sizeof *watch->seen);
    watch->latencies = calloc(schedule->count + 1, sizeof *watch->latencies);
    watch->start_lags = calloc(schedule->count + 1, sizeof *watch->start_lags);
    if (watch->seen == NULL || watch->latencies == NULL || watch->start_lags == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for %zu users", schedule->count);
    }
    code = open_page(watch, options, result, err);
    if (code == LS_OK) {
        say_where(watch->live);
    }
    return code;
}

void watch_step(struct watch *watch, const char *text)
{
    if (watch->live != NULL) {
        ls_live_step(watch->live, text);
    }
}

/* Another run has begun. */
static void begin(struct watch *watch, const struct ls_storm_view *view)
{
    watch->point = (struct ls_live_point){
        .certificate = view->certificate,
        .name = watch->scenario->certificates[view->certificate].name,
        .repeat = view->repeat,
    };
    memset(watch->seen, 0, watch->schedule->count * sizeof *watch->seen);
    watch->open = watch->due = watch->lags_count = 0;
    watch->cpu_ns = watch->cpu_at_ns = 0;
}

/* Takes the login rows that are over and were not yet: of those who are due, which keeps this to who is under way. */
static size_t take_rows(struct watch *watch, const struct ls_storm_view *view)
{
    const bool closed = watch->schedule->waves_count > 0;
    const size_t end = closed ? watch->schedule->count : watch->due;
    size_t found = 0;

    for (size_t user = watch->open; user < end; user++) {
        const struct ls_record *record;
        const struct ls_login *row;
        size_t count;

        if (!ls_share_has(&view->share, user)) {
            watch->seen[user] = true;
            continue;
        }
        record = view->records[user % view->share.of - view->share.first];
        if (watch->seen[user] || record == NULL ||
            ls_record_outcome(record, user) == LS_OUTCOME_PENDING) {
            continue;
        }
        watch->seen[user] = true;
        row = &ls_record_logins(record, &count)[user];
        if (row->outcome == LS_OUTCOME_LOGGED_IN) {
            watch->latencies[found++] = row->done_ns - row->due_ns;
        } else if (row->outcome == LS_OUTCOME_FAILED && row->reason < LS_REASON_COUNT) {
            watch->point.by_reason[row->reason]++;
        }
        if (row->started_ns >= 0) {
            watch->start_lags[watch->lags_count++] = row->started_ns - row->due_ns;
        }
    }
    while (watch->open < end && watch->seen[watch->open]) {
        watch->open++;
    }
    return found;
}

static size_t due_by(const struct ls_schedule *schedule, int64_t run_ns, size_t due)
{
    while (due < schedule->count && schedule->rows[due].due_ns <= run_ns) {
        due++;
    }
    return due;
}

static void count(struct watch *watch, const struct ls_storm_view *view)
{
    struct ls_live_point *point = &watch->point;
    const bool closed = watch->schedule->waves_count > 0;
    const int64_t over_ns = view->run_ns - watch->cpu_at_ns;
    struct ls_quantiles quantiles;

    point->run_ns = view->run_ns;
    point->at_ns = closed ? -1 : (int64_t)((double)view->run_ns * watch->scenario->speedup);
    watch->due = closed ? 0 : due_by(watch->schedule, view->run_ns, watch->due);
    point->due = closed ? -1 : (int64_t)ls_share_rows(&view->share, watch->due);
    point->started = view->started;
    point->logged_in = view->logged_in;
    point->failed = view->failed;
    point->in_flight = view->in_flight;
    ls_quantiles_of(watch->latencies, take_rows(watch, view), &quantiles);
    point->p50_ns = quantiles.p50;
    point->p99_ns = quantiles.p99;
    point->p100_ns = quantiles.p100;
    ls_quantiles_of(watch->start_lags, watch->lags_count, &quantiles);
    point->start_lag_p99_ns = quantiles.p99;
    point->gateway_cores = over_ns > 0 && view->gateway_cpu_ns >= 0
                               ? (double)(view->gateway_cpu_ns - watch->cpu_ns) / (double)over_ns
                               : -1;
    watch->cpu_ns = view->gateway_cpu_ns;
    watch->cpu_at_ns = view->run_ns;
}

void watch_view(struct watch *watch, const struct ls_storm_view *view)
{
    const struct ls_live_point *last = &watch->point;
    const int64_t over = view->logged_in + view->failed;
    const bool is_last = over == (int64_t)ls_share_rows(&view->share, watch->schedule->count) &&
                         over != last->logged_in + last->failed;

    if (watch->live == NULL || view->run_ns < 0) {
        return;
    }
    if (last->certificate != view->certificate || last->repeat != view->repeat) {
        begin(watch, view);
    } else if (view->run_ns / EVERY_NS == last->run_ns / EVERY_NS && !is_last) {
        return;
    }
    count(watch, view);
    ls_live_point(watch->live, &watch->point);
}

void watch_end(struct watch *watch, const char *report, const struct ls_error *why)
{
    struct ls_error err;

    if (ls_live_end(watch->live, report, why == NULL ? NULL : why->text, &err) != LS_OK) {
        (void)print_error(&err);
    }
    free(watch->seen);
    free(watch->latencies);
    free(watch->start_lags);
    *watch = (struct watch){0};
}
