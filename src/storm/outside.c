/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "storm/outside.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "loginstorm/units.h"
#include "storm/act.h"
#include "storm/target.h"

/* How often and how long the gateway is looked at before the storm. An exporter is asked as often
 * during the storm, so that what its answers cost is subtracted with the rest. */
#define LOCAL_MS 500
#define LOCAL_READINGS 7
#define EXPORTER_MS 2000
#define EXPORTER_READINGS 4
/* For the last reading, without which all others are worth little. */
#define LAST_TRIES 2

static bool is_exporter(const struct act *act)
{
    return act->wish->scenario->gateway.cpu_from == LS_CPU_EXPORTER;
}

int64_t outside_baseline_ns(const struct ls_scenario *scenario)
{
    switch (scenario->gateway.cpu_from) {
    case LS_CPU_NONE:
    case LS_CPU_EMBEDDED:
        return 0;
    case LS_CPU_EXPORTER:
        return LS_NS_PER_MS * (EXPORTER_READINGS - 1) * EXPORTER_MS;
    default:
        return LS_NS_PER_MS * (LOCAL_READINGS - 1) * LOCAL_MS;
    }
}

static size_t readings_wanted(const struct act *act)
{
    if (act->wish->outside_readings > 0) {
        return (size_t)act->wish->outside_readings;
    }
    return is_exporter(act) ? EXPORTER_READINGS : LOCAL_READINGS;
}

/* By their own clocks. */
static int64_t own_ns(struct act *act)
{
    int64_t user_ns, system_ns, sum_ns;

    ls_meter_self(&user_ns, &system_ns);
    sum_ns = user_ns + system_ns;
    for (int i = 0; i < act->injectors; i++) {
        child_read_cpu(act_injector(act, i));
        sum_ns += act_injector(act, i)->cpu_ns;
    }
    return sum_ns;
}

static bool counts_us_too(const struct act *act)
{
    const struct ls_watch_facts *facts = ls_watch_facts(act->outside.watch);

    return facts->whole_machine && facts->this_machine && !target_is_beyond(&act->target);
}

static void add_sample(struct act *act, const struct ls_watch_reading *reading)
{
    struct outside *outside = &act->outside;
    const struct ls_watch_reading *base = &outside->baseline[outside->baseline_count - 1];

    if (outside->samples_count == outside->samples_capacity) {
        const size_t capacity =
            outside->samples_capacity == 0 ? 256 : outside->samples_capacity * 2;
        struct ls_cpu_sample *samples =
            realloc(outside->samples, capacity * sizeof *outside->samples);

        if (samples == NULL) {
            return; /* a coarser picture */
        }
        outside->samples = samples;
        outside->samples_capacity = capacity;
    }
    outside->samples[outside->samples_count++] = (struct ls_cpu_sample){
        .at_ns = reading->at_ns - act->start_ns,
        .cpu_ns = reading->cpu_ns - base->cpu_ns -
                  (int64_t)(outside->idle * (double)(reading->at_ns - base->at_ns)),
    };
}

static void end_baseline(struct act *act)
{
    struct outside *outside = &act->outside;
    const struct ls_watch_reading *rows = outside->baseline;
    const size_t last = outside->baseline_count - 1;
    double squares = 0;

    outside->idle =
        (double)(rows[last].cpu_ns - rows[0].cpu_ns) / (double)(rows[last].at_ns - rows[0].at_ns);
    for (size_t i = 1; i <= last; i++) {
        const double cores = (double)(rows[i].cpu_ns - rows[i - 1].cpu_ns) /
                             (double)(rows[i].at_ns - rows[i - 1].at_ns);

        outside->idle_low = i == 1 || cores < outside->idle_low ? cores : outside->idle_low;
        outside->idle_high = i == 1 || cores > outside->idle_high ? cores : outside->idle_high;
        squares += (cores - outside->idle) * (cores - outside->idle);
    }
    outside->idle_error = last > 1 ? sqrt(squares / (double)(last * (last - 1))) : 0;
    outside->last = rows[last];
    outside->phase = OUTSIDE_BASED;
}

/* Seconds with decimals lose a part of a microsecond on the way, so that nothing finer is told. */
static void find_tick(struct outside *outside, int64_t cpu_ns)
{
    const int64_t step_ns = cpu_ns - outside->raw_ns;
    int64_t step_us = (step_ns + LS_NS_PER_US / 2) / LS_NS_PER_US;

    while (step_us > 0) {
        const int64_t rest = outside->tick_us % step_us;

        outside->tick_us = step_us;
        step_us = rest;
    }
    outside->raw_ns = cpu_ns;
}

static void on_read(const struct ls_watch_reading *given, void *data)
{
    struct act *act = data;
    struct outside *outside = &act->outside;
    struct ls_watch_reading reading = *given;

    find_tick(outside, given->cpu_ns);
    if (counts_us_too(act)) {
        const int64_t now_ns = own_ns(act);

        if (outside->baseline_count == 0) {
            outside->own_base_ns = now_ns;
        }
        reading.cpu_ns -= now_ns - outside->own_base_ns;
        reading.user_ns = reading.system_ns = -1;
    }
    outside->why.code = LS_OK;
    if (outside->phase == OUTSIDE_BASELINE) {
        /* Two of one moment would make no rate. */
        if (outside->baseline_count == 0 ||
            reading.at_ns > outside->baseline[outside->baseline_count - 1].at_ns) {
            outside->baseline[outside->baseline_count++] = reading;
        }
        if (outside->baseline_count == readings_wanted(act)) {
            (void)uv_timer_stop(&outside->timer);
            end_baseline(act);
            outside->moved(act);
        }
        return;
    }
    if (outside->phase == OUTSIDE_BASED || outside->phase == OUTSIDE_LAST) {
        outside->last = reading;
        add_sample(act, &reading);
    }
    if (outside->phase == OUTSIDE_LAST && outside->stale) {
        outside->stale = false;
        ls_watch_ask(outside->watch);
    } else if (outside->phase == OUTSIDE_LAST) {
        outside->phase = OUTSIDE_OVER;
        outside->moved(act);
    }
}

static void on_failed(const struct ls_error *why, void *data)
{
    struct act *act = data;
    struct outside *outside = &act->outside;

    if (outside->why.code == LS_OK) {
        outside->why = *why;
    }
    if (outside->phase == OUTSIDE_BASELINE) {
        (void)uv_timer_stop(&outside->timer);
        outside->moved(act);
    } else if (outside->phase == OUTSIDE_LAST &&
               (outside->stale || ++outside->tries < LAST_TRIES)) {
        outside->stale = false;
        ls_watch_ask(outside->watch);
    } else if (outside->phase == OUTSIDE_LAST) {
        outside->phase = OUTSIDE_OVER;
        outside->moved(act);
    }
}

enum ls_code outside_start(struct act *act, void (*moved)(struct act *act), struct ls_error *err)
{
    const struct ls_gateway_wish *gateway = &act->wish->scenario->gateway;
    struct ls_watch_wish wish = {
        .from = gateway->cpu_from == LS_CPU_PROCESS  ? LS_WATCH_PROCESS
                : gateway->cpu_from == LS_CPU_CGROUP ? LS_WATCH_CGROUP
                                                     : LS_WATCH_EXPORTER,
        .pid = (pid_t)gateway->cpu_pid,
        .process = gateway->cpu_process,
        .path = gateway->cpu_path,
        .url = gateway->cpu_url,
        .read = on_read,
        .failed = on_failed,
        .data = act,
    };
    struct outside *outside = &act->outside;
    struct ls_error why;
    enum ls_code code;

    if (gateway->cpu_from == LS_CPU_NONE || gateway->cpu_from == LS_CPU_EMBEDDED) {
        return LS_OK;
    }
    code = ls_watch_new(&outside->watch, &act->loop, &wish, &why);
    if (code != LS_OK) {
        return ls_error_set(err, code, "gateway.cpu: %s", why.text);
    }
    (void)uv_timer_init(&act->loop, &outside->timer);
    outside->timer.data = act;
    outside->open = true;
    outside->moved = moved;
    return LS_OK;
}

static void ask(struct act *act)
{
    act->outside.asked_ns = ls_now_ns();
    ls_watch_ask(act->outside.watch);
}

static void on_timer(uv_timer_t *timer)
{
    ask(timer->data);
}

void outside_take_baseline(struct act *act)
{
    struct outside *outside = &act->outside;
    const uint64_t every_ms = is_exporter(act) ? EXPORTER_MS : LOCAL_MS;
    char text[128];

    if (outside->watch == NULL) {
        return;
    }
    (void)snprintf(text, sizeof text,
                   "reading what the gateway's CPU does before the storm: %d seconds",
                   (int)((readings_wanted(act) - 1) * every_ms / 1000));
    act->wish->step(text, act->wish->data);
    outside->phase = OUTSIDE_BASELINE;
    (void)uv_timer_start(&outside->timer, on_timer, 0, every_ms);
}

bool outside_has_base(const struct act *act)
{
    return act->outside.watch == NULL || act->outside.phase > OUTSIDE_BASELINE;
}

void outside_sample(struct act *act)
{
    const struct outside *outside = &act->outside;

    if (outside->watch == NULL || outside->phase != OUTSIDE_BASED ||
        (is_exporter(act) && ls_now_ns() - outside->asked_ns < EXPORTER_MS * LS_NS_PER_MS)) {
        return;
    }
    ask(act);
}

int64_t outside_cpu_ns(const struct act *act)
{
    const struct outside *outside = &act->outside;

    return outside->samples_count == 0 || is_exporter(act)
               ? -1
               : outside->samples[outside->samples_count - 1].cpu_ns;
}

void outside_finish(struct act *act)
{
    struct outside *outside = &act->outside;

    if (outside->watch == NULL || outside->phase != OUTSIDE_BASED) {
        return;
    }
    /* One that is under way may have been answered before the end: what it says is not the last word. */
    outside->stale = ls_watch_is_asking(outside->watch);
    outside->phase = OUTSIDE_LAST;
    ask(act);
}

bool outside_is_busy(const struct act *act)
{
    return act->outside.watch != NULL &&
           (act->outside.phase == OUTSIDE_LAST || ls_watch_is_asking(act->outside.watch));
}

void outside_give_up(struct act *act)
{
    struct outside *outside = &act->outside;

    if (!outside_is_busy(act)) {
        return;
    }
    if (outside->why.code == LS_OK) {
        (void)ls_error_set(&outside->why, LS_EUNREACHABLE,
                           "%.200s had not answered when the run ended",
                           act->wish->scenario->gateway.cpu_url);
    }
    outside->phase = OUTSIDE_OVER;
    ls_watch_close(outside->watch);
}

LS_PRINTF(2, 3)
static void note(struct outside *outside, const char *fmt, ...)
{
    size_t count = 0;
    va_list args;

    while (outside->notes[count] != NULL) {
        count++;
    }
    if (count == OUTSIDE_NOTES_MAX) {
        return;
    }
    va_start(args, fmt);
    (void)vsnprintf(outside->texts[count], sizeof outside->texts[count], fmt, args);
    va_end(args);
    outside->notes[count] = outside->texts[count];
}

static void note_source(struct act *act, const struct ls_watch_facts *facts)
{
    struct outside *outside = &act->outside;
    char most[64] = "", text[32];

    if (facts->most > 0) {
        (void)snprintf(most, sizeof most, ", %" PRId64 " at once at most", facts->most);
    }
    note(outside, "the gateway's CPU is that of %s%s; it is %s", facts->counted, most,
         act->wish->shards > 1
             ? "for all shards' users, and `loginstorm merge` divides it by their handshakes"
             : "divided by the handshakes that came through, since what others cost it is not "
               "known");
    if (facts->whole_machine) {
        note(outside, "whatever else runs on the gateway's machine is in its CPU%s%s",
             counts_us_too(act)
                 ? ", but for our own processes, which run there, too: what they took "
                   "by their own clocks is subtracted"
                 : "",
             counts_us_too(act) && act->wish->shards > 1
                 ? "; those of other shards that run there are not"
                 : "");
    }
    if (facts->offset_from != NULL) {
        const bool ahead = facts->offset_ns >= 0;

        ls_format_ns(ahead ? facts->offset_ns : -facts->offset_ns, text, sizeof text);
        note(outside, "the exporter's clock is %s %s ours (by %s)", text,
             ahead ? "ahead of" : "behind", facts->offset_from);
    }
}

static void note_baseline(struct outside *outside, const struct ls_gateway_account *account)
{
    const struct ls_watch_reading *rows = outside->baseline;
    char over[32], idle[32], error[32];

    ls_format_ns(rows[outside->baseline_count - 1].at_ns - rows[0].at_ns, over, sizeof over);
    ls_format_ns(account->baseline_ns < 0 ? 0 : account->baseline_ns, idle, sizeof idle);
    ls_format_ns(account->baseline_error_ns, error, sizeof error);
    note(outside,
         "before the storm the gateway took %.1f %% of a core (from %.1f to %.1f %%, %zu readings "
         "in "
         "%s); so much is subtracted: %s, certain to %s",
         outside->idle * 100, outside->idle_low * 100, outside->idle_high * 100,
         outside->baseline_count, over, idle, error);
}

static void note_unknown(struct act *act)
{
    struct outside *outside = &act->outside;
    const int64_t since_ns = outside->last.at_ns - act->start_ns;
    char since[32];

    ls_format_ns(since_ns > 0 ? since_ns : 0, since, sizeof since);
    note(outside, "the gateway's CPU is not known from %s of the run on: %s", since,
         outside->why.code != LS_OK ? outside->why.text : "the storm ended before it was read");
}

void outside_account(struct act *act, struct ls_gateway_account *account)
{
    struct outside *outside = &act->outside;
    const enum ls_cpu_source from = act->wish->scenario->gateway.cpu_from;
    const struct ls_watch_reading *base, *last = &outside->last;
    int64_t cpu_ns;

    if (outside->watch == NULL || outside->phase < OUTSIDE_BASED) {
        return;
    }
    base = &outside->baseline[outside->baseline_count - 1];
    account->source = from == LS_CPU_PROCESS  ? "process"
                      : from == LS_CPU_CGROUP ? "cgroup"
                                              : "exporter";
    account->samples = outside->samples;
    account->samples_count = outside->samples_count;
    account->whole_machine = ls_watch_facts(outside->watch)->whole_machine;
    account->clock = (struct ls_outside_clock){
        .tick_ns = outside->tick_us * LS_NS_PER_US,
        .restarts = ls_watch_facts(outside->watch)->restarts,
        .back_ns = ls_watch_facts(outside->watch)->back_ns,
        .idle_cores = outside->idle,
        .counted = ls_watch_facts(outside->watch)->counted,
    };
    account->baseline_ns = (int64_t)(outside->idle * (double)(last->at_ns - base->at_ns));
    account->baseline_error_ns =
        (int64_t)(outside->idle_error * (double)(last->at_ns - base->at_ns));
    cpu_ns = last->cpu_ns - base->cpu_ns - account->baseline_ns;
    note_source(act, ls_watch_facts(outside->watch));
    if (outside->phase != OUTSIDE_OVER || outside->why.code != LS_OK) {
        note_unknown(act);
        return;
    }
    account->clock.read_ns = last->at_ns - base->at_ns;
    account->clock.cpu_ns = last->cpu_ns - base->cpu_ns;
    note_baseline(outside, account);
    if (cpu_ns <= 0) {
        note(outside,
             "the gateway took no more CPU than before the storm, so nothing can be said of "
             "what a handshake costs it");
        return;
    }
    account->cpu_ns = cpu_ns;
    if (last->user_ns >= base->user_ns && base->user_ns >= 0 && last->cpu_ns > base->cpu_ns) {
        account->user_ns = (int64_t)((double)cpu_ns * (double)(last->user_ns - base->user_ns) /
                                     (double)(last->cpu_ns - base->cpu_ns));
        account->system_ns = cpu_ns - account->user_ns;
    }
}

void outside_close(struct act *act)
{
    if (act->outside.watch != NULL) {
        ls_watch_close(act->outside.watch);
    }
    if (act->outside.open) {
        uv_close((uv_handle_t *)&act->outside.timer, NULL);
        act->outside.open = false;
    }
}

void outside_clear(struct act *act)
{
    ls_watch_free(act->outside.watch);
    free(act->outside.samples);
}
