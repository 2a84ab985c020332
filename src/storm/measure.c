/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From what an act's processes left behind to one measurement. */
#include "storm/act.h"

#include <stdlib.h>
#include <string.h>

#include "loginstorm/engine.h"
#include "loginstorm/units.h"

/* A mean over an hour would hide an injector that was full at 08:30, so the busiest second counts.
 */
#define WINDOW_NS LS_NS_PER_S

static void busiest_window(const struct act *act, int injector, int64_t *cpu_ns, int64_t *wall_ns)
{
    const size_t row = (size_t)act->injectors;
    const struct ls_cpu_sample *samples = act->injector_samples + injector;
    size_t first = 0;

    for (size_t i = 1; i < act->samples_count; i++) {
        const struct ls_cpu_sample *to = &samples[i * row];
        int64_t cpu;
        int64_t wall;

        while (to->at_ns - samples[(first + 1) * row].at_ns >= WINDOW_NS) {
            first++;
        }
        cpu = to->cpu_ns - samples[first * row].cpu_ns;
        wall = to->at_ns - samples[first * row].at_ns;
        if ((wall >= WINDOW_NS || i + 1 == act->samples_count) && wall > 0 &&
            (*wall_ns == 0 || (double)cpu / (double)wall > (double)*cpu_ns / (double)*wall_ns)) {
            *cpu_ns = cpu;
            *wall_ns = wall;
        }
    }
}

static int64_t all_injectors(const struct act *act)
{
    const size_t row = (size_t)act->injectors;
    int64_t cpu_ns = 0;

    for (size_t i = 0; act->samples_count > 0 && i < row; i++) {
        cpu_ns += act->injector_samples[(act->samples_count - 1) * row + i].cpu_ns -
                  act->injector_samples[i].cpu_ns;
    }
    return cpu_ns;
}

/* All workers' at the stride of the one who kept the fewest of them, so that each handshake
 * counts alike. */
static enum ls_code join_bursts(struct act *act, struct ls_gateway_account *account,
                                struct ls_error *err)
{
    size_t stride = 1, total = 0;

    for (int i = 0; i < act->workers; i++) {
        size_t count, own;

        (void)ls_bursts_rows(act->children[i].bursts, &count, &own);
        stride = own > stride ? own : stride;
        total += count;
    }
    act->bursts = calloc(total + 1, sizeof *act->bursts);
    if (act->bursts == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory for the CPU of %zu handshakes", total);
    }
    for (int i = 0; i < act->workers; i++) {
        account->bursts_count +=
            ls_bursts_copy(act->children[i].bursts, stride, act->bursts + account->bursts_count);
    }
    account->bursts = act->bursts;
    return LS_OK;
}

static void add_gateway(struct act *act, struct ls_gateway_account *account)
{
    if (act->workers == 0) {
        *account = (struct ls_gateway_account){
            .source = "none",
            .cpu_ns = -1,
            .user_ns = -1,
            .system_ns = -1,
            .tls_ns = -1,
            .waited_ns = -1,
            .accepted = -1,
            .server_flights = -1,
            .secured = -1,
            .failed = -1,
        };
        outside_account(act, account);
        return;
    }
    *account = (struct ls_gateway_account){
        .source = "embedded",
        .workers = act->workers,
        .cpu_ns = act->gateway_cpu_ns,
        .waited_ns = act->gateway_waited_ns,
        .samples = act->gateway_samples,
        .samples_count = act->samples_count,
    };
    for (int i = 0; i < act->workers; i++) {
        const struct child *child = &act->children[i];
        int64_t spent[ACCOUNT_NUMBERS];

        if (child->accounts < 2) {
            /* It died before it could say; only its CPU clock is known, read from outside. */
            account->user_ns = account->system_ns = account->tls_ns = -1;
            account->accepted = account->server_flights = account->secured = account->failed = -1;
            return;
        }
        for (int n = 0; n < ACCOUNT_NUMBERS; n++) {
            spent[n] = child->account[n] - child->baseline[n];
        }
        account->user_ns += spent[ACCOUNT_USER];
        account->system_ns += spent[ACCOUNT_SYSTEM];
        account->tls_ns += spent[ACCOUNT_TLS];
        account->accepted += spent[ACCOUNT_ACCEPTED];
        account->server_flights += spent[ACCOUNT_FLIGHTS];
        account->secured += spent[ACCOUNT_SECURED];
        account->failed += spent[ACCOUNT_FAILED];
    }
}

/* Whoever was due when his injector had died, and the storm went on, was not sent. Whether one who was due before that had been
 * sent died with it. */
static bool never_sent(const struct act *act, size_t user)
{
    const struct child *injector =
        act_injector(act, (int)(user % act->share.of - act->share.first));
    const int64_t due_ns = act->wish->schedule->rows[user].due_ns;

    return act->wish->schedule->waves_count == 0 && injector->gone &&
           due_ns > injector->gone_ns - act->start_ns && act->over_ns - due_ns > LS_NEVER_SENT_NS;
}

/* Users of an injector that died, and all that were never started before an early end. */
static enum ls_code cut_off_the_rest(const struct act *act, struct ls_record *record)
{
    const struct ls_schedule *schedule = act->wish->schedule;
    enum ls_code code = LS_OK;

    for (size_t i = 0; code == LS_OK && i < ls_share_rows(&act->share, schedule->count); i++) {
        const size_t user = ls_share_user(&act->share, i);
        struct ls_login row = {
            /* In a closed loop nobody is due before he can come. */
            .due_ns = schedule->waves_count > 0 && act->over_ns > 0 ? act->over_ns
                                                                    : schedule->rows[user].due_ns,
            .started_ns = LS_NEVER_NS,
            .connected_ns = LS_NEVER_NS,
            .secured_ns = LS_NEVER_NS,
            .done_ns = act->over_ns,
            .population = schedule->rows[user].population,
            .outcome = LS_OUTCOME_CUT_OFF,
        };

        if (ls_record_outcome(record, i) != LS_OUTCOME_PENDING) {
            continue;
        }
        if (never_sent(act, user)) {
            row.outcome = LS_OUTCOME_FAILED;
            row.reason = LS_REASON_NEVER_SENT;
        }
        code = ls_record_login(record, i, &row);
    }
    return code;
}

static enum ls_code join_records(struct act *act, struct ls_record **joined, struct ls_error *err)
{
    size_t handshakes = 0;
    enum ls_code code;

    for (int i = 0; i < act->injectors; i++) {
        size_t count;

        (void)ls_record_handshakes(act->records[i], &count);
        handshakes += count;
    }
    code = ls_record_new(joined, ls_share_rows(&act->share, act->wish->schedule->count), handshakes,
                         err);
    for (int i = 0; code == LS_OK && i < act->injectors; i++) {
        code = ls_record_gather(*joined, act->records[i], &act->share, err);
    }
    if (code == LS_OK && cut_off_the_rest(act, *joined) != LS_OK) {
        code = ls_error_set(err, LS_EBROKEN, "a login was decided twice");
    }
    return code;
}

/* The schedule's closed loops, as the record's room knows them. */
static void played(const struct ls_schedule *schedule, struct ls_played_wave *waves)
{
    for (size_t i = 0; i < schedule->waves_count; i++) {
        const struct ls_loop_wave *wave = &schedule->waves[i];

        waves[i] = (struct ls_played_wave){
            .sequence = wave->shape == LS_SHAPE_SEQUENCE,
            .first = wave->first,
            .count = wave->count,
            .concurrency = wave->concurrency,
        };
    }
}

static struct ls_kernel_counts count_kernel(const struct act *act)
{
    struct ls_kernel_traces traces;

    ls_meter_kernel(&traces);
    ls_meter_kernel_since(&act->kernel_base, &traces);
    return (struct ls_kernel_counts){
        .listen_overflows = traces.listen_overflows,
        .listen_drops = traces.listen_drops,
        .syn_retransmits = traces.syn_retransmits,
    };
}

static void add_injectors(const struct act *act, struct ls_measurement *to)
{
    to->injectors_cpu_ns = all_injectors(act);
    for (int i = 0; i < act->injectors; i++) {
        const struct child *child = act_injector(act, i);

        busiest_window(act, i, &to->injector_cpu_ns, &to->injector_wall_ns);
        to->sessions_lost += child->lost;
        to->worst_stall_ns =
            child->turn_ns > to->worst_stall_ns ? child->turn_ns : to->worst_stall_ns;
        to->clock_gap_ns = child->gap_ns > to->clock_gap_ns ? child->gap_ns : to->clock_gap_ns;
    }
}

static struct ls_shard_run shard_run(const struct act *act,
                                     const struct ls_gateway_account *gateway)
{
    struct ls_shard_run shard = act->shard;

    shard.gateway_user_ns = gateway->user_ns;
    shard.gateway_system_ns = gateway->system_ns;
    shard.gateway_baseline_ns = gateway->baseline_ns;
    shard.gateway_baseline_error_ns = gateway->baseline_error_ns;
    shard.gateway_whole_machine = gateway->whole_machine;
    return shard;
}

void ls_storm_describe(struct ls_measurement *measurement, const struct ls_scenario *scenario,
                       const struct ls_schedule *schedule, size_t certificate)
{
    struct ls_load load;

    ls_schedule_load(schedule, scenario, &load);
    measurement->certificate = scenario->certificates[certificate].name;
    measurement->published = &scenario->certificates[certificate].published;
    measurement->speedup = scenario->speedup;
    measurement->from_ns = scenario->from_ns;
    measurement->window_ns = scenario->window_ns;
    measurement->connections_per_login = (double)ls_engine_handshakes_max(scenario, schedule) /
                                         (double)scenario->login.attempts / (double)schedule->count;
    measurement->peak_minute_at_ns = load.peak_minute_at_ns;
    measurement->peak_minute_logins = load.peak_minute_logins;
    measurement->peak_second_at_ns = load.peak_second_at_ns;
    measurement->peak_second_logins = load.peak_second_logins;
}

enum ls_code act_measure(struct act *act, struct ls_error *err)
{
    const struct ls_scenario *scenario = act->wish->scenario;
    const struct ls_certificate *certificate = &scenario->certificates[act->certificate];
    struct ls_record *joined = NULL;
    struct ls_played_wave waves[LS_WAVES_MAX];
    const struct ls_shown *shown =
        act->wish->shown != NULL && act->wish->shown[act->certificate].chain_length > 0
            ? &act->wish->shown[act->certificate]
            : NULL;
    struct ls_measurement measurement = {
        .key = act->identity != NULL                    ? act->identity->key
               : shown != NULL && shown->key[0] != '\0' ? shown->key
               : certificate->key != LS_KEY_FILE        ? ls_key_name(certificate->key)
                                                        : "outside",
        .shown = shown,
        .repeat = act->repeat,
        .live = true,
        .waves = waves,
        .waves_count = act->wish->schedule->waves_count,
        .kernel = count_kernel(act),
        .partial = act->partial,
        .partial_why = act->partial ? act->why.text : NULL,
        .share = act->share,
        .start_skew_ns = act->late_ns,
    };
    enum ls_code code = join_records(act, &joined, err);

    ls_storm_describe(&measurement, scenario, act->wish->schedule, act->certificate);
    if (code == LS_OK) {
        measurement.record = joined;
        played(act->wish->schedule, waves);
        add_gateway(act, &measurement.gateway);
        measurement.notes = act->outside.notes;
        if (act->wish->shards > 0) {
            measurement.shard = shard_run(act, &measurement.gateway);
        }
        code = join_bursts(act, &measurement.gateway, err);
    }
    if (code == LS_OK) {
        add_injectors(act, &measurement);
        code = act->wish->measured(&measurement, act->wish->data, err);
    }
    ls_record_free(joined);
    return code;
}
