/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/build.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Scratch for one run: the same arrays serve one figure after the other. */
struct bench {
    const struct ls_login *login;
    const struct ls_handshake *handshake;
    size_t logins, handshakes;
    int64_t *a, *b;      /* as long as the longer of the two tables */
    bool *retransmitted; /* by user */
};

double rounded(double value, int decimals)
{
    const double scale = pow(10, decimals);

    return round(value * scale) / scale;
}

static enum ls_code check_login(const struct ls_login *row, size_t user, struct ls_error *err)
{
    const bool done = row->outcome == LS_OUTCOME_LOGGED_IN;

    if (row->due_ns < 0 || row->outcome == LS_OUTCOME_PENDING ||
        row->outcome > LS_OUTCOME_CUT_OFF || row->reason >= LS_REASON_COUNT) {
        return ls_error_set(err, LS_EBROKEN, "user %zu has no end in the record", user);
    }
    if (row->outcome == LS_OUTCOME_FAILED && row->reason == LS_REASON_NONE) {
        return ls_error_set(err, LS_EBROKEN, "user %zu failed without a reason", user);
    }
    if (done &&
        (row->started_ns < 0 || row->done_ns < row->started_ns || row->done_ns < row->due_ns)) {
        return ls_error_set(err, LS_EBROKEN, "user %zu was logged in before he came", user);
    }
    return LS_OK;
}

static enum ls_code check_handshake(const struct ls_handshake *row, size_t i, size_t users,
                                    struct ls_error *err)
{
    if (row->user >= users || row->outcome == LS_OUTCOME_PENDING ||
        row->outcome > LS_OUTCOME_CUT_OFF || row->reason >= LS_REASON_COUNT ||
        row->started_ns < 0 || row->ended_ns < row->started_ns ||
        (row->connected_ns >= 0 &&
         (row->connected_ns < row->started_ns || row->ended_ns < row->connected_ns)) ||
        (row->connected_ns < 0 && row->outcome == LS_OUTCOME_LOGGED_IN)) {
        return ls_error_set(err, LS_EBROKEN, "handshake %zu cannot have happened so", i);
    }
    return LS_OK;
}

static enum ls_code check_rows(const struct bench *bench, struct ls_error *err)
{
    enum ls_code code = LS_OK;

    for (size_t i = 0; code == LS_OK && i < bench->logins; i++) {
        code = check_login(&bench->login[i], i, err);
    }
    for (size_t i = 0; code == LS_OK && i < bench->handshakes; i++) {
        code = check_handshake(&bench->handshake[i], i, bench->logins, err);
    }
    return code;
}

static enum ls_code count_logins(struct ls_run *run, const struct bench *bench,
                                 struct verdict_facts *facts, struct ls_error *err)
{
    run->total = (int64_t)bench->logins;
    for (size_t i = 0; i < bench->logins; i++) {
        const struct ls_login *row = &bench->login[i];
        const bool sent = row->started_ns >= 0;

        run->logged_in += row->outcome == LS_OUTCOME_LOGGED_IN;
        run->cut_off += row->outcome == LS_OUTCOME_CUT_OFF;
        if (row->outcome == LS_OUTCOME_FAILED) {
            run->failed++;
            run->by_reason[row->reason]++;
        }
        run->retried += row->attempts > 1;
        facts->early += sent && row->started_ns < row->due_ns;
        if (row->reason == LS_REASON_NEVER_SENT || (!sent && !run->partial)) {
            facts->never_sent++;
        } else if (ls_reason_ours((enum ls_reason)row->reason)) {
            facts->ours++;
        }
    }
    if (run->logged_in + run->failed + run->cut_off != run->total) {
        return ls_error_set(err, LS_EBROKEN, "the users do not add up");
    }
    return LS_OK;
}

static double mean_bytes(int64_t bytes, int64_t count)
{
    return count > 0 ? rounded((double)bytes / (double)count, 3) : -1;
}

/* Means over those that were secured; of tickets over those of whom they are known; of hello and
 * flight over full handshakes, since a ticket makes the one longer and spares the other the
 * certificate. */
static void count_bytes(struct ls_run *run, const struct bench *bench)
{
    int64_t hello = 0, flight = 0, to = 0, from = 0, tickets = 0, secured = 0, full = 0,
            knowing = 0;

    for (size_t i = 0; i < bench->handshakes; i++) {
        const struct ls_handshake *row = &bench->handshake[i];

        if (row->outcome != LS_OUTCOME_LOGGED_IN || row->no_bytes != 0) {
            continue;
        }
        secured++;
        if (row->resumed == 0) {
            full++;
            hello += row->client_hello_bytes;
            flight += row->server_flight_bytes;
        }
        to += row->sent_bytes;
        from += row->received_bytes;
        if (row->ticket_bytes >= 0) {
            knowing++;
            tickets += row->ticket_bytes;
        }
    }
    run->client_hello_bytes = mean_bytes(hello, full);
    run->server_flight_bytes = mean_bytes(flight, full);
    run->to_gateway_bytes = mean_bytes(to, secured);
    run->from_gateway_bytes = mean_bytes(from, secured);
    run->ticket_bytes = mean_bytes(tickets, knowing);
}

/* Whoever reads a Client Hello at all answers it, if by an alert. */
static bool is_unanswered(const struct ls_handshake *row)
{
    switch ((enum ls_reason)row->reason) {
    case LS_REASON_HANDSHAKE_TIMEOUT:
    case LS_REASON_HANDSHAKE_RESET:
    case LS_REASON_HANDSHAKE_CLOSED:
    case LS_REASON_LOGIN_TIMEOUT:
        return row->received_bytes == 0 && row->client_hello_bytes > LS_LONG_HELLO_BYTES;
    default:
        return false;
    }
}

static void count_handshakes(struct ls_run *run, struct bench *bench, struct verdict_facts *facts)
{
    for (size_t i = 0; i < bench->handshakes; i++) {
        const struct ls_handshake *row = &bench->handshake[i];

        run->handshakes_total++;
        run->hello_retries += row->hello_retry != 0;
        if (row->retransmits > 0) {
            run->validity.retransmitted++;
            bench->retransmitted[row->user] = true;
        }
        if (row->outcome == LS_OUTCOME_LOGGED_IN) {
            const bool resumed = row->resumed != 0;

            run->handshakes_resumed += resumed;
            run->handshakes_full += !resumed;
            run->handshakes_offered += row->offered != 0;
            facts->unasked += resumed && row->offered == 0;
        } else if (row->outcome == LS_OUTCOME_FAILED) {
            run->handshakes_failed++;
            run->handshakes_by_reason[row->reason]++;
            run->long_hellos_unanswered += run->live && is_unanswered(row);
            facts->ours += ls_reason_ours((enum ls_reason)row->reason) &&
                           !ls_reason_ours((enum ls_reason)bench->login[row->user].reason);
        } else {
            run->handshakes_cut_off++;
        }
    }
    count_bytes(run, bench);
}

/* The nearest rank among the logged in (sorted) and the failed, who stand behind them all. */
static int64_t of_all(const int64_t *sorted, size_t logged_in, int64_t failed, int q_of_10000)
{
    const int64_t count = (int64_t)logged_in + failed;
    const int64_t rank = (count * q_of_10000 + 9999) / 10000;

    return rank >= 1 && rank <= (int64_t)logged_in ? sorted[rank - 1] : LS_NEVER_NS;
}

static void measure_logins(struct ls_run *run, const struct bench *bench)
{
    size_t lag = 0, latency = 0, flight = 0;

    for (size_t i = 0; i < bench->logins; i++) {
        const struct ls_login *row = &bench->login[i];

        if (row->started_ns >= 0 && run->waves_count == 0 && run->live) {
            bench->a[lag++] = row->started_ns > row->due_ns ? row->started_ns - row->due_ns : 0;
        }
        if (row->outcome == LS_OUTCOME_LOGGED_IN) {
            bench->b[latency++] = row->done_ns - row->due_ns;
        }
    }
    ls_quantiles_of(bench->a, lag, &run->validity.start_lag);
    ls_quantiles_of(bench->b, latency, &run->login);
    distribution_of(&run->login_distribution, bench->b, latency);
    run->of_all_p50 = of_all(bench->b, latency, run->failed, 5000);
    run->of_all_p95 = of_all(bench->b, latency, run->failed, 9500);
    run->of_all_p99 = of_all(bench->b, latency, run->failed, 9900);
    run->of_all_p100 = of_all(bench->b, latency, run->failed, 10000);
    latency = 0;
    for (size_t i = 0; i < bench->logins; i++) {
        const struct ls_login *row = &bench->login[i];

        if (row->outcome == LS_OUTCOME_FAILED) {
            bench->b[latency++] = row->done_ns - row->due_ns;
        }
    }
    ls_quantiles_of(bench->b, latency, &run->gave_up);
    latency = 0;
    for (size_t i = 0; i < bench->logins; i++) {
        const struct ls_login *row = &bench->login[i];

        if (row->outcome == LS_OUTCOME_LOGGED_IN && !bench->retransmitted[i]) {
            bench->b[latency++] = row->done_ns - row->due_ns;
        }
    }
    ls_quantiles_of(bench->b, latency, &run->validity.login_without_retransmits);
    for (size_t i = 0; i < bench->logins; i++) {
        const struct ls_login *row = &bench->login[i];

        if (row->started_ns >= 0 && row->done_ns >= row->started_ns) {
            bench->a[flight] = row->started_ns;
            bench->b[flight++] = row->done_ns;
        }
    }
    run->peak_in_flight = peak_overlap(bench->a, bench->b, flight);
}

static void measure_handshakes(struct ls_run *run, const struct bench *bench)
{
    size_t connected = 0, secured = 0;

    for (size_t i = 0; i < bench->handshakes; i++) {
        const struct ls_handshake *row = &bench->handshake[i];

        if (row->connected_ns >= 0) {
            bench->a[connected++] = row->connected_ns - row->started_ns;
        }
        if (row->outcome == LS_OUTCOME_LOGGED_IN) {
            bench->b[secured++] = row->ended_ns - row->connected_ns;
        }
    }
    ls_quantiles_of(bench->a, connected, &run->connect);
    ls_quantiles_of(bench->b, secured, &run->handshake);
    distribution_of(&run->handshake_distribution, bench->b, secured);
    for (size_t i = 0; i < bench->handshakes; i++) {
        bench->a[i] = bench->handshake[i].started_ns;
        bench->b[i] = bench->handshake[i].ended_ns;
    }
    run->peak_handshakes_in_flight = peak_overlap(bench->a, bench->b, bench->handshakes);
}

/* Whole ns each, as µs; negative when nothing was done for that CPU, or it is not known. */
static double us_each(int64_t ns, int64_t count)
{
    return count > 0 && ns >= 0 ? round((double)ns / (double)count) / 1000.0 : -1;
}

/* User and system are told apart by the kernel's clock ticks, 4 or 10 ms each: below a second of CPU that is a guess. */
#define SPLIT_FROM_NS LS_NS_PER_S

/* How many connections a login makes; from those who got in where the measurement does not say. */
static double connections_of(const struct ls_run *run, const struct ls_measurement *measurement)
{
    const double secured = (double)(run->handshakes_full + run->handshakes_resumed);

    if (measurement->connections_per_login > 0) {
        return measurement->connections_per_login;
    }
    return run->logged_in > 0 ? secured / (double)run->logged_in : 0;
}

/* In millionths. */
static int64_t part_of(int64_t part_ns, int64_t whole_ns)
{
    return part_ns > 0 && whole_ns > 0
               ? (int64_t)fmin(1e6, round((double)part_ns / (double)whole_ns * 1e6))
               : 0;
}

/* Its CPU is that of users, too, who are not in the record. */
static bool is_shared(const struct ls_measurement *measurement)
{
    return measurement->gateway_shared || measurement->share.count < measurement->share.of;
}

static void cost_gateway(struct ls_run *run, const struct ls_measurement *measurement,
                         struct verdict_facts *facts)
{
    const struct ls_gateway_account *gateway = &measurement->gateway;
    const int64_t secured = run->handshakes_full + run->handshakes_resumed;
    const bool known =
        gateway->source != NULL && strcmp(gateway->source, "none") != 0 && gateway->cpu_ns >= 0;
    const int64_t paid = !known || is_shared(measurement)    ? 0
                         : gateway->server_flights > secured ? gateway->server_flights
                                                             : secured;
    const bool split = gateway->cpu_ns >= SPLIT_FROM_NS;
    const double connections = connections_of(run, measurement);

    if (known && gateway->whole_machine) {
        facts->beside = part_of(gateway->baseline_ns, gateway->baseline_ns + gateway->cpu_ns);
    }
    facts->apart = known ? measurement->gateway_apart : 0;
    facts->restarts = known ? gateway->clock.restarts : 0;
    facts->back_ns = known ? gateway->clock.back_ns : 0;
    facts->uneven = known ? part_of(gateway->baseline_error_ns, gateway->cpu_ns) : 0;
    run->gateway_workers = gateway->workers;
    run->gateway_cpu_ns = known ? gateway->cpu_ns : -1;
    run->cpu_us_per_login =
        paid > 0 && connections > 0
            ? round((double)gateway->cpu_ns * connections / (double)paid) / 1000.0
            : -1;
    run->cpu_us_per_handshake = us_each(gateway->cpu_ns, paid);
    run->user_us_per_handshake = us_each(split ? gateway->user_ns : -1, paid);
    run->system_us_per_handshake = us_each(split ? gateway->system_ns : -1, paid);
    run->tls_us_per_handshake = us_each(gateway->tls_ns, paid);
    run->capacity_per_s_per_core =
        run->cpu_us_per_handshake > 0
            ? rounded((double)paid * (double)LS_NS_PER_S / (double)gateway->cpu_ns, 3)
            : -1;
    run->wasted_handshakes = -1;
    if (known && gateway->server_flights >= 0) {
        run->wasted_handshakes =
            gateway->server_flights > secured ? gateway->server_flights - secured : 0;
    }
    run->cores_at_peak_minute = run->cores_at_peak_second = -1;
    if (run->cpu_us_per_login >= 0 && run->peak_minute_logins >= 0) {
        run->cores_at_peak_minute =
            rounded((double)run->peak_minute_logins * run->cpu_us_per_login / 60e6, 6);
        run->cores_at_peak_second =
            rounded((double)run->peak_second_logins * run->cpu_us_per_login / 1e6, 6);
    }
}

static void cost_injectors(struct ls_run *run, const struct ls_measurement *measurement)
{
    const int64_t secured = run->handshakes_full + run->handshakes_resumed;

    run->injectors_cpu_ns = measurement->injectors_cpu_ns > 0 ? measurement->injectors_cpu_ns : -1;
    run->injector_us_per_handshake = us_each(run->injectors_cpu_ns, secured);
}

static enum ls_code copy_facts(struct ls_run *run, const struct ls_measurement *from,
                               struct ls_error *err)
{
    const char *source = from->gateway.source == NULL ? "none" : from->gateway.source;

    run->certificate = strdup(from->certificate);
    run->key = strdup(from->key);
    run->gateway_source = strdup(source);
    run->partial_why = from->partial_why == NULL ? NULL : strdup(from->partial_why);
    if (from->shown != NULL) {
        run->shown = *from->shown;
    }
    run->published = (struct ls_published){NULL, -1, -1, -1, -1, -1, -1, -1};
    if (from->published != NULL && from->published->source != NULL) {
        run->published = *from->published;
        run->published.source = strdup(from->published->source);
        if (run->published.source == NULL) {
            return ls_error_set(err, LS_ENOMEM, "no memory for a published figure's source");
        }
    }
    if (run->certificate == NULL || run->key == NULL || run->gateway_source == NULL ||
        (from->partial_why != NULL && run->partial_why == NULL)) {
        return ls_error_set(err, LS_ENOMEM, "no memory for a run's names");
    }
    run->repeat = from->repeat > 0 ? from->repeat : 1;
    run->live = from->live;
    run->partial = from->partial;
    run->sessions_lost = from->sessions_lost;
    run->peak_minute_at_ns = from->peak_minute_at_ns;
    run->peak_minute_logins = from->peak_minute_logins;
    run->peak_second_at_ns = from->peak_second_at_ns;
    run->peak_second_logins = from->peak_second_logins;
    run->validity.injector_cpu_share = -1;
    if (from->injector_wall_ns > 0) {
        run->validity.injector_cpu_share =
            rounded((double)from->injector_cpu_ns / (double)from->injector_wall_ns, 6);
    }
    run->validity.gateway_waited_share = -1;
    if (from->gateway.cpu_ns > 0 && from->gateway.waited_ns >= 0 && strcmp(source, "none") != 0) {
        run->validity.gateway_waited_share =
            rounded((double)from->gateway.waited_ns /
                        (double)(from->gateway.waited_ns + from->gateway.cpu_ns),
                    6);
    }
    run->long_hellos_unanswered = from->live ? 0 : -1;
    run->kernel = from->live ? from->kernel : (struct ls_kernel_counts){-1, -1, -1};
    run->validity.worst_stall_ns = from->worst_stall_ns;
    run->validity.clock_gap_ns = from->clock_gap_ns;
    run->validity.start_skew_ns = from->shard.started_ns > 0 ? from->start_skew_ns : LS_NEVER_NS;
    run->shard = from->shard;
    return LS_OK;
}

static enum ls_code work_out(struct ls_run *run, const struct ls_measurement *measurement,
                             struct bench *bench, struct ls_error *err)
{
    struct verdict_facts facts = {0};
    enum ls_code code = check_rows(bench, err);

    if (code == LS_OK) {
        code = copy_facts(run, measurement, err);
    }
    if (code == LS_OK) {
        code = count_logins(run, bench, &facts, err);
    }
    if (code != LS_OK) {
        return code;
    }
    code = waves_build(run, measurement, err);
    if (code != LS_OK) {
        return code;
    }
    count_handshakes(run, bench, &facts);
    measure_logins(run, bench);
    measure_handshakes(run, bench);
    cost_gateway(run, measurement, &facts);
    cost_injectors(run, measurement);
    code = timeline_build(run, measurement, err);
    if (code == LS_OK) {
        verdict_reach(run, &facts);
    }
    return code;
}

/* Two numbers and a mark for each row of the longer table; beside them what sorting takes, or the timeline. */
int64_t ls_run_memory(size_t logins, size_t handshakes)
{
    const int64_t longer = (int64_t)(logins > handshakes ? logins : handshakes);
    const int64_t number = sizeof(int64_t);
    const int64_t sorting = 2 * number * longer, timeline = 5 * number * (int64_t)logins;

    return longer * (2 * number + (int64_t)sizeof(bool)) +
           (sorting > timeline ? sorting : timeline);
}

enum ls_code ls_run_build(struct ls_run *run, const struct ls_measurement *measurement,
                          struct ls_error *err)
{
    struct bench bench;
    size_t longer;
    enum ls_code code;

    *run = (struct ls_run){0};
    bench.login = ls_record_logins(measurement->record, &bench.logins);
    bench.handshake = ls_record_handshakes(measurement->record, &bench.handshakes);
    longer = (bench.logins > bench.handshakes ? bench.logins : bench.handshakes) + 1;
    bench.a = calloc(longer, sizeof *bench.a);
    bench.b = calloc(longer, sizeof *bench.b);
    bench.retransmitted = calloc(longer, sizeof *bench.retransmitted);
    if (bench.a == NULL || bench.b == NULL || bench.retransmitted == NULL) {
        code = ls_error_set(err, LS_ENOMEM, "no memory to work out %zu logins", bench.logins);
    } else if (!(measurement->speedup > 0) || measurement->window_ns < 0) {
        code = ls_error_set(err, LS_EBROKEN, "a run needs a speedup and a window");
    } else {
        code = work_out(run, measurement, &bench, err);
    }
    free(bench.a);
    free(bench.b);
    free(bench.retransmitted);
    if (code != LS_OK) {
        ls_run_clear(run);
    }
    return code;
}

void ls_run_clear(struct ls_run *run)
{
    free(run->certificate);
    free(run->key);
    free(run->partial_why);
    free(run->gateway_source);
    free(run->published.source);
    for (size_t i = 0; run->waves != NULL && i < run->waves_count; i++) {
        free(run->waves[i].each_ns);
    }
    free(run->waves);
    free(run->timeline);
    *run = (struct ls_run){0};
}
