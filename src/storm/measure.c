/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From what an act's processes left behind to one measurement. */
#include "storm/act.h"

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

static void add_gateway(const struct act *act, struct ls_gateway_account *account)
{
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

/* Users of an injector that died, and all that were never started before an early end, are cut off.
 */
static enum ls_code cut_off_the_rest(const struct act *act, struct ls_record *record)
{
    const struct ls_schedule *schedule = act->wish->schedule;
    enum ls_code code = LS_OK;

    for (size_t i = 0; code == LS_OK && i < schedule->count; i++) {
        const struct ls_login row = {
            .due_ns = schedule->rows[i].due_ns,
            .started_ns = LS_NEVER_NS,
            .connected_ns = LS_NEVER_NS,
            .secured_ns = LS_NEVER_NS,
            .done_ns = act->over_ns,
            .population = schedule->rows[i].population,
            .outcome = LS_OUTCOME_CUT_OFF,
        };

        if (ls_record_outcome(record, i) == LS_OUTCOME_PENDING) {
            code = ls_record_login(record, i, &row);
        }
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
    code = ls_record_new(joined, act->wish->schedule->count, handshakes, err);
    for (int i = 0; code == LS_OK && i < act->injectors; i++) {
        code = ls_record_merge(*joined, act->records[i], err);
    }
    if (code == LS_OK && cut_off_the_rest(act, *joined) != LS_OK) {
        code = ls_error_set(err, LS_EBROKEN, "a login was decided twice");
    }
    return code;
}

enum ls_code act_measure(struct act *act, struct ls_error *err)
{
    const struct ls_scenario *scenario = act->wish->scenario;
    const struct ls_certificate *certificate = &scenario->certificates[act->certificate];
    struct ls_record *joined = NULL;
    struct ls_load load;
    struct ls_measurement measurement = {
        .certificate = certificate->name,
        .key = ls_key_name(certificate->key),
        .live = true,
        .speedup = scenario->speedup,
        .from_ns = scenario->from_ns,
        .window_ns = scenario->window_ns,
        .connections_per_login = (double)ls_engine_handshakes_max(scenario, act->wish->schedule) /
                                 (double)scenario->login.attempts /
                                 (double)act->wish->schedule->count,
        .partial = act->partial,
        .partial_why = act->partial ? act->why.text : NULL,
    };
    enum ls_code code = join_records(act, &joined, err);

    if (code == LS_OK) {
        measurement.record = joined;
        add_gateway(act, &measurement.gateway);
        measurement.injectors_cpu_ns = all_injectors(act);
        ls_schedule_load(act->wish->schedule, scenario, &load);
        measurement.peak_minute_at_ns = load.peak_minute_at_ns;
        measurement.peak_minute_logins = load.peak_minute_logins;
        measurement.peak_second_at_ns = load.peak_second_at_ns;
        measurement.peak_second_logins = load.peak_second_logins;
        for (int i = 0; i < act->injectors; i++) {
            const struct child *child = &act->children[act->workers + i];

            busiest_window(act, i, &measurement.injector_cpu_ns, &measurement.injector_wall_ns);
            measurement.sessions_lost += child->lost;
            measurement.worst_stall_ns = child->turn_ns > measurement.worst_stall_ns
                                             ? child->turn_ns
                                             : measurement.worst_stall_ns;
            measurement.clock_gap_ns =
                child->gap_ns > measurement.clock_gap_ns ? child->gap_ns : measurement.clock_gap_ns;
        }
        code = act->wish->measured(&measurement, act->wish->data, err);
    }
    ls_record_free(joined);
    return code;
}
