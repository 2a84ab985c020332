/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "curve/rises.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "loginstorm/units.h"

static const char *const ways[] = {"counter", "increase", "rate", "gauge"};
#define WAYS (sizeof ways / sizeof ways[0])

enum ls_code rises_init(struct rises *rises, struct sink *sink, struct ls_error *err)
{
    const char *wanted = sink->wish->count;
    size_t way = 0;

    while (wanted != NULL && way < WAYS && strcmp(ways[way], wanted) != 0) {
        way++;
    }
    if (way == WAYS) {
        return ls_error_set(err, LS_EUSAGE, "--count: \"%.40s\" is none of " RISES_WORDS, wanted);
    }
    *rises = (struct rises){
        .sink = sink,
        .way = (enum rises_way)way,
        .is_told = wanted != NULL,
        .all_named = true,
    };
    sink->adds_up = true;
    return LS_OK;
}

void rises_free(struct rises *rises)
{
    slots_free(&rises->slots);
}

/* Whether a value is of the time before its sample, not a state at it. */
static bool is_amount(const struct rises *rises)
{
    return rises->way == RISES_INCREASE || rises->way == RISES_RATE;
}

void rises_begin_series(struct rises *rises)
{
    rises->series++;
    rises->samples = 0;
    rises->has_last = false;
}

static bool ends_with(const char *text, const char *end)
{
    const size_t size = strlen(text);

    return size > strlen(end) && strcmp(text + size - strlen(end), end) == 0;
}

void rises_end_series(struct rises *rises, const char *name)
{
    if (!ends_with(name, "_total") && !ends_with(name, "_count")) {
        rises->all_named = false;
    }
    if (rises->samples == 1 && !is_amount(rises)) {
        rises->sink->skip(rises->sink, "a series of one sample, which has no increase", "", 0);
    }
}

/* From the last sample to this one. */
static enum ls_code take_step(struct rises *rises, int64_t at_ns, double value,
                              struct ls_error *err)
{
    const int64_t way_ns = at_ns - rises->last_ns;
    double amount = value - rises->last;

    rises->steps++;
    if (amount < 0) {
        rises->falls++;
        rises->shallow_falls += value > rises->last / 2;
        amount = rises->way == RISES_GAUGE ? 0 : value; /* it began again at 0 */
    }
    if (rises->step_ns == 0 || way_ns < rises->step_ns) {
        rises->step_ns = way_ns;
    }
    return is_amount(rises) ? LS_OK : slots_add(&rises->slots, rises->last_ns, at_ns, amount, err);
}

enum ls_code rises_sample(struct rises *rises, int64_t at_ns, double value, struct ls_error *err)
{
    enum ls_code code = LS_OK;

    if (rises->has_last && at_ns <= rises->last_ns) {
        rises->sink->skip(rises->sink, "a sample that is not after the one before it", "", 0);
        return LS_OK;
    }
    rises->samples++;
    rises->fractions += value > floor(value);
    if (rises->has_last) {
        code = take_step(rises, at_ns, value, err);
    }
    if (code == LS_OK && is_amount(rises)) {
        /* Of the step before it, which is known when all are there. */
        code = slots_add(&rises->slots, 0, at_ns, value, err);
    }
    rises->has_last = true;
    rises->last_ns = at_ns;
    rises->last = value;
    return code;
}

/* Counters rise but where their process began again; rates and gauges fall as often as they rise. */
static enum ls_code check_counter(const struct rises *rises, struct ls_error *err)
{
    const char *why = NULL;
    char text[96], step[32];

    if (rises->way != RISES_COUNTER || rises->is_told || rises->all_named) {
        return LS_OK;
    }
    if (rises->fractions > 0) {
        why = "it has values that are not whole";
    } else if (rises->shallow_falls > 0 || (rises->falls > 1 && rises->falls > rises->steps / 10)) {
        (void)snprintf(text, sizeof text, "its values fall at %" PRId64 " of %" PRId64 " steps",
                       rises->falls, rises->steps);
        why = text;
    }
    ls_format_duration(rises->step_ns > 0 ? rises->step_ns : LS_NS_PER_MIN, step, sizeof step);
    return why == NULL ? LS_OK
                       : ls_error_set_at(
                             err, rises->sink->path, 0, 0,
                             "it does not look like a counter (%s): say --count increase, as of "
                             "increase(x[%s]), rate (per second), gauge, or counter",
                             why, step);
}

static void say_counted(const struct rises *rises)
{
    struct sink *sink = rises->sink;
    char step[32], series[48];

    ls_format_duration(rises->step_ns, step, sizeof step);
    (void)snprintf(series, sizeof series, "%" PRId64 " series%s", rises->series,
                   rises->series == 1 ? "" : " added up");
    if (rises->way == RISES_INCREASE) {
        (void)snprintf(sink->counted, sizeof sink->counted,
                       "values as increases, each of the %s before it, %s", step, series);
    } else if (rises->way == RISES_RATE) {
        (void)snprintf(sink->counted, sizeof sink->counted,
                       "values as rates per second, each of the %s before it, %s", step, series);
    } else if (rises->way == RISES_GAUGE) {
        (void)snprintf(sink->counted, sizeof sink->counted,
                       "rises of a gauge every %s, so that more may have come, %s", step, series);
    } else {
        (void)snprintf(sink->counted, sizeof sink->counted,
                       "increases of a counter every %s (%s), %s, %" PRId64 " reset%s", step,
                       rises->is_told     ? "as told"
                       : rises->all_named ? "by its name"
                                          : "taken for one, since it hardly falls",
                       series, rises->falls, rises->falls == 1 ? "" : "s");
    }
}

/* An answer does not say of which range its query was, and values look the same whatever it was. */
static void say_range(const struct rises *rises)
{
    char text[200], step[32];

    ls_format_duration(rises->step_ns, step, sizeof step);
    if (rises->way == RISES_INCREASE) {
        (void)snprintf(text, sizeof text,
                       "right for increase(x[%s]) alone, as long as the step: with a longer range "
                       "each login is counted several times, with a shorter one some are missed",
                       step);
    } else if (rises->way == RISES_RATE) {
        (void)snprintf(
            text, sizeof text,
            "meant for rate(x[%s]), as long as the step: with a longer range the peak is "
            "flatter than it was, and later",
            step);
    } else {
        return;
    }
    rises->sink->note(rises->sink, text);
}

static void say_notes(const struct rises *rises)
{
    const struct slots *slots = &rises->slots;
    const int64_t step_ns = rises->step_ns;
    char text[200], step[32];
    int64_t longer = 0;

    ls_format_duration(step_ns, step, sizeof step);
    for (size_t i = 0; i < slots->count; i++) {
        const int64_t way_ns = slots->rows[i].from_ns > 0
                                   ? slots->rows[i].to_ns - slots->rows[i].from_ns
                               : i > 0 ? slots->rows[i].to_ns - slots->rows[i - 1].to_ns
                                       : step_ns;

        longer += way_ns - step_ns > step_ns / 2;
    }
    if (longer > 0 && (rises->way == RISES_COUNTER || rises->way == RISES_GAUGE)) {
        (void)snprintf(text, sizeof text,
                       "intervals between samples that are longer than the step of %s: %" PRId64
                       "; what came in one is spread over the whole of it",
                       step, longer);
        rises->sink->note(rises->sink, text);
    } else if (longer > 0) {
        (void)snprintf(text, sizeof text,
                       "places where samples are missing: %" PRId64 "; nothing is counted there",
                       longer);
        rises->sink->note(rises->sink, text);
    }
    if (rises->shallow_falls > 0 && rises->way == RISES_COUNTER) {
        (void)snprintf(text, sizeof text,
                       "falls by less than half: %" PRId64 ", as of a sum of counters one of which "
                       "began again; too much is counted there: ask for sum(increase(x[1m])), and "
                       "--count increase",
                       rises->shallow_falls);
        rises->sink->note(rises->sink, text);
    }
}

/* What is below one is carried to the next interval, so that the sum stays right. */
static enum ls_code give_counts(struct rises *rises, struct ls_error *err)
{
    const struct slots *slots = &rises->slots;
    const double times =
        rises->way == RISES_RATE ? (double)rises->step_ns / (double)LS_NS_PER_S : 1;
    enum ls_code code = LS_OK;
    double sum = 0;
    int64_t given = 0;

    for (size_t i = 0; i < slots->count && code == LS_OK; i++) {
        const struct slot *slot = &slots->rows[i];
        struct event event = {.is_count = true, .has_until = true};

        sum += slot->amount * times;
        if (sum > RISES_MAX) {
            return ls_error_set_at(err, rises->sink->path, 0, 0, "more logins than can be counted");
        }
        event.stamp.is_utc_ns = event.until.is_utc_ns = true;
        event.until.utc_ns = slot->to_ns;
        event.stamp.utc_ns = slot->from_ns > 0 ? slot->from_ns : slot->to_ns - rises->step_ns;
        event.count = llround(sum) - given;
        given += event.count;
        code = rises->sink->event(rises->sink, &event, err);
    }
    return code;
}

enum ls_code rises_end(struct rises *rises, struct ls_error *err)
{
    enum ls_code code;

    if (rises->slots.count == 0) {
        return LS_OK;
    }
    code = check_counter(rises, err);
    if (code == LS_OK && rises->step_ns == 0) {
        code = ls_error_set_at(err, rises->sink->path, 0, 0,
                               "one sample a series does not tell how long its step is");
    }
    if (code == LS_OK) {
        slots_sort(&rises->slots);
        say_counted(rises);
        say_range(rises);
        say_notes(rises);
        code = give_counts(rises, err);
    }
    return code;
}
