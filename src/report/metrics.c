/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/metrics.h"

#include <string.h>

#define RESULT(member) offsetof(struct ls_result, member)
#define RUN(member) offsetof(struct ls_run, member)
#define WAVE(member) offsetof(struct ls_wave_figures, member)
#define OUTCOME(what)                                                                              \
    {"logins", NULL, "Logins of the storm by outcome."}, COUNT, RUN(what), "outcome"
#define HANDSHAKES(what)                                                                           \
    {"handshakes", NULL, "TLS handshakes of the storm, each attempt, by outcome."}, COUNT,         \
        RUN(handshakes_##what), "outcome"

#define WIRE {"handshake_wire_bytes", "bytes", "All TLS records of a handshake, mean."}, REAL
#define MODE                                                                                       \
    {"gateway_cpu_mode_seconds_per_handshake", NULL, "The same in user and system mode."}, US

/* Of the result as a whole. */
static const struct figure result_figures[] = {
    {{"users", NULL, "Users of the scenario; of closed loops, logins."},
     COUNT,
     RESULT(users),
     NULL,
     NULL},
    {{"speedup_ratio", "ratio", "How many times as dense as the scenario it was played."},
     REAL,
     RESULT(speedup),
     NULL,
     NULL},
    {{"window_seconds", "seconds", "Length of the scenario's window; 0 of closed loops."},
     NS,
     RESULT(window_ns),
     NULL,
     NULL},
    {{"resume_ratio", "ratio", "Of the users, who were to come with a ticket."},
     REAL,
     RESULT(resume_share),
     NULL,
     NULL},
    {{"injectors", NULL, "Processes that played the users."}, SMALL, RESULT(injectors), NULL, NULL},
    {{"partial", NULL, "1: some run ended early."}, FLAG, RESULT(partial), NULL, NULL},
};

/* Of each run. */
static const struct figure run_figures[] = {
    {OUTCOME(logged_in), "logged_in"},
    {OUTCOME(failed), "failed"},
    {OUTCOME(cut_off), "cut_off"},
    {{"logins_retried", NULL, "Logins that took more than one attempt."},
     COUNT,
     RUN(retried),
     NULL,
     NULL},
    {{"sessions_lost", NULL, "Held sessions that ended before they should."},
     COUNT,
     RUN(sessions_lost),
     NULL,
     NULL},
    {HANDSHAKES(full), "full"},
    {HANDSHAKES(resumed), "resumed"},
    {HANDSHAKES(failed), "failed"},
    {HANDSHAKES(cut_off), "cut_off"},
    {{"handshakes_with_ticket", NULL, "Secured handshakes that brought a ticket."},
     COUNT,
     RUN(handshakes_offered),
     NULL,
     NULL},
    {{"handshakes_hello_retry", NULL, "Handshakes that took a hello retry."},
     COUNT,
     RUN(hello_retries),
     NULL,
     NULL},
    {{"handshakes_wasted", NULL, "Handshakes that the gateway paid for and nobody came in by."},
     COUNT,
     RUN(wasted_handshakes),
     NULL,
     NULL},
    {{"connect_latency_seconds", "seconds", "From connect() to TCP."},
     SUMMARY,
     RUN(connect),
     NULL,
     NULL},
    {{"handshake_latency_seconds", "seconds", "From TCP to the end of the TLS handshake."},
     SUMMARY,
     RUN(handshake),
     NULL,
     NULL},
    {{"login_latency_seconds", "seconds",
      "From the moment a user was due to logged in, of the logged in."},
     SUMMARY,
     RUN(login),
     NULL,
     NULL},
    {{"login_given_up_seconds", "seconds", "From due to the end, of those who failed."},
     SUMMARY,
     RUN(gave_up),
     NULL,
     NULL},
    {{"handshake_client_hello_bytes", "bytes", "Client Hello of a full handshake, mean."},
     REAL,
     RUN(client_hello_bytes),
     NULL,
     NULL},
    {{"handshake_server_flight_bytes", "bytes", "Server Hello to Finished of a full one, mean."},
     REAL,
     RUN(server_flight_bytes),
     NULL,
     NULL},
    {{"handshake_ticket_bytes", "bytes", "Session tickets, mean."},
     REAL,
     RUN(ticket_bytes),
     NULL,
     NULL},
    {WIRE, RUN(to_gateway_bytes), "direction", "to_gateway"},
    {WIRE, RUN(from_gateway_bytes), "direction", "from_gateway"},
    {{"gateway_workers", NULL, "Processes, or simulated cores, of the gateway."},
     SMALL,
     RUN(gateway_workers),
     NULL,
     NULL},
    {{"gateway_cpu_seconds", "seconds", "CPU that the gateway took over the storm."},
     NS,
     RUN(gateway_cpu_ns),
     NULL,
     NULL},
    {{"gateway_cpu_seconds_per_login", NULL, "CPU of the gateway for a login, mean."},
     US,
     RUN(cpu_us_per_login),
     NULL,
     NULL},
    {{"gateway_cpu_seconds_per_handshake", NULL, "CPU of the gateway for a handshake, mean."},
     US,
     RUN(cpu_us_per_handshake),
     NULL,
     NULL},
    {MODE, RUN(user_us_per_handshake), "mode", "user"},
    {MODE, RUN(system_us_per_handshake), "mode", "system"},
    {{"gateway_tls_seconds_per_handshake", NULL, "CPU of the TLS steps alone, mean."},
     US,
     RUN(tls_us_per_handshake),
     NULL,
     NULL},
    {{"gateway_core_handshakes_per_second", NULL, "What one core carries, by that CPU."},
     REAL,
     RUN(capacity_per_s_per_core),
     NULL,
     NULL},
    {{"injector_cpu_seconds", "seconds", "CPU of all injectors over the storm."},
     NS,
     RUN(injectors_cpu_ns),
     NULL,
     NULL},
    {{"injector_cpu_seconds_per_handshake", NULL, "CPU of all injectors for a handshake, mean."},
     US,
     RUN(injector_us_per_handshake),
     NULL,
     NULL},
    {{"peak_minute_clock_seconds", "seconds", "Time of day of the scenario's fullest minute."},
     NS,
     RUN(peak_minute_at_ns),
     NULL,
     NULL},
    {{"peak_minute_logins", NULL, "Logins due in it, at the scenario's own pace."},
     COUNT,
     RUN(peak_minute_logins),
     NULL,
     NULL},
    {{"peak_second_logins", NULL, "Logins due in the fullest second, at the scenario's own pace."},
     COUNT,
     RUN(peak_second_logins),
     NULL,
     NULL},
    {{"peak_logins_in_flight", NULL, "Most logins under way at once, as played."},
     COUNT,
     RUN(peak_in_flight),
     NULL,
     NULL},
    {{"peak_handshakes_in_flight", NULL, "Most handshakes under way at once, as played."},
     COUNT,
     RUN(peak_handshakes_in_flight),
     NULL,
     NULL},
    {{"gateway_cores_at_peak_minute", NULL,
      "Cores that the fullest minute takes, at the scenario's own pace."},
     REAL,
     RUN(cores_at_peak_minute),
     NULL,
     NULL},
    {{"gateway_cores_at_peak_second", NULL,
      "Cores that the fullest second takes, at the scenario's own pace."},
     REAL,
     RUN(cores_at_peak_second),
     NULL,
     NULL},
    {{"run_partial", NULL, "1: the run ended early."}, FLAG, RUN(partial), NULL, NULL},
};

/* Of each live run: may it be trusted. */
static const struct figure live_figures[] = {
    {{"start_lag_seconds", "seconds", "From the moment a user was due to the first connect()."},
     SUMMARY,
     RUN(validity.start_lag),
     NULL,
     NULL},
    {{"injector_cpu_ratio", "ratio",
      "Of its core, what the busiest injector took in its busiest second."},
     REAL,
     RUN(validity.injector_cpu_share),
     NULL,
     NULL},
    {{"gateway_waited_ratio", "ratio",
      "Of the time in which the gateway wanted a core, the part in which it had none."},
     REAL,
     RUN(validity.gateway_waited_share),
     NULL,
     NULL},
    {{"injector_worst_stall_seconds", "seconds", "Longest stall of an injector with work due."},
     NS,
     RUN(validity.worst_stall_ns),
     NULL,
     NULL},
    {{"clock_gap_seconds", "seconds", "Longest time in which the host stood still."},
     NS,
     RUN(validity.clock_gap_ns),
     NULL,
     NULL},
    {{"connections_retransmitted", NULL, "Connections with a TCP segment sent again."},
     COUNT,
     RUN(validity.retransmitted),
     NULL,
     NULL},
};

#define LOOP_OUTCOME(what)                                                                         \
    {"loop_logins", NULL, "Logins of a closed loop by outcome."}, COUNT, WAVE(what), "outcome"

/* Of each closed loop of each run. */
static const struct figure wave_figures[] = {
    {LOOP_OUTCOME(logged_in), "logged_in"},
    {LOOP_OUTCOME(failed), "failed"},
    {LOOP_OUTCOME(cut_off), "cut_off"},
    {{"loop_concurrency", NULL, "Logins at a time."}, COUNT, WAVE(concurrency), NULL, NULL},
    {{"loop_duration_seconds", "seconds", "From the first start to the last end."},
     NS,
     WAVE(duration_ns),
     NULL,
     NULL},
    {{"loop_logins_per_second", NULL, "Logged in, by that duration."},
     REAL,
     WAVE(logins_per_s),
     NULL,
     NULL},
    {{"loop_secured_latency_seconds", "seconds", "From start to TLS, of the logged in."},
     SUMMARY,
     WAVE(secured),
     NULL,
     NULL},
    {{"loop_handshake_latency_seconds", "seconds", "From TCP to TLS, of the logged in."},
     SUMMARY,
     WAVE(handshake),
     NULL,
     NULL},
    {{"loop_login_latency_seconds", "seconds", "From start to logged in."},
     SUMMARY,
     WAVE(login),
     NULL,
     NULL},
};

static void put_integer(struct sheet *sheet, const struct figure *figure,
                        const struct labels *labels, int64_t value)
{
    if (value >= 0 && figure->kind == NS) {
        sheet_put_ns(sheet, &figure->metric, labels, value);
    } else if (value >= 0) {
        sheet_put(sheet, &figure->metric, labels,
                  figure->kind == SHARE ? (double)value / 1e6 : (double)value);
    }
}

static void put_real(struct sheet *sheet, const struct figure *figure, const struct labels *labels,
                     double value)
{
    if (value >= 0) {
        sheet_put(sheet, &figure->metric, labels, figure->kind == US ? value / 1e6 : value);
    }
}

static void put_figure(struct sheet *sheet, const struct figure *figure, const void *base,
                       struct labels labels)
{
    const void *at = (const char *)base + figure->offset;

    labels.name[0] = figure->label;
    labels.value[0] = figure->value;
    switch (figure->kind) {
    case COUNT:
    case SHARE:
    case NS:
        put_integer(sheet, figure, &labels, *(const int64_t *)at);
        break;
    case SMALL:
        put_integer(sheet, figure, &labels, *(const int *)at);
        break;
    case FLAG:
        put_integer(sheet, figure, &labels, *(const bool *)at ? 1 : 0);
        break;
    case US:
    case REAL:
        put_real(sheet, figure, &labels, *(const double *)at);
        break;
    case SUMMARY:
        sheet_put_summary(sheet, &figure->metric, &labels, at);
        break;
    }
}

size_t family_end(const struct figure *figures, size_t count, size_t from)
{
    size_t end = from + 1;

    while (end < count && strcmp(figures[end].metric.name, figures[from].metric.name) == 0) {
        end++;
    }
    return end;
}

static void put_of_run(struct sheet *sheet, const struct ls_run *run, bool waves,
                       const struct figure *from, const struct figure *end, struct labels labels)
{
    if (!waves) {
        for (const struct figure *figure = from; figure < end; figure++) {
            put_figure(sheet, figure, run, labels);
        }
    }
    for (size_t w = 0; waves && w < run->waves_count; w++) {
        labels.wave = &run->waves[w];
        for (const struct figure *figure = from; figure < end; figure++) {
            put_figure(sheet, figure, &run->waves[w], labels);
        }
    }
}

/* A metric at a time, over all runs. */
static void put_figures(struct sheet *sheet, const struct ls_result *result,
                        const struct figure *figures, size_t count)
{
    for (size_t from = 0, end; from < count; from = end) {
        end = family_end(figures, count, from);
        for (size_t i = 0; i < result->runs_count; i++) {
            const struct ls_run *run = &result->runs[i];

            if (figures == live_figures && !run->live) {
                continue;
            }
            put_of_run(sheet, run, figures == wave_figures, &figures[from], &figures[end],
                       (struct labels){.result = result, .run = run});
        }
    }
}

void put_all_figures(struct sheet *sheet, const struct ls_result *result)
{
    for (size_t i = 0; i < sizeof result_figures / sizeof result_figures[0]; i++) {
        put_figure(sheet, &result_figures[i], result, (struct labels){.result = result});
    }
    put_figures(sheet, result, run_figures, sizeof run_figures / sizeof run_figures[0]);
    put_figures(sheet, result, live_figures, sizeof live_figures / sizeof live_figures[0]);
    put_figures(sheet, result, wave_figures, sizeof wave_figures / sizeof wave_figures[0]);
}
