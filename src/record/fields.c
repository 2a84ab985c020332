/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/fields.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define RESULT(member) offsetof(struct ls_result, member), 0
#define RUN(member) offsetof(struct ls_run, member), 0
#define MOMENT(member) offsetof(struct ls_moment, member), 0

/* Beside these: format, version, runs[], comparison (null until something is compared) and
 * targets[{name,unit,limit,value,met}], unit "us" or "share". */
const struct field result_fields[] = {
    {"created", TEXT, RESULT(created)}, /* RFC 3339, UTC */
    {"scenario.name", TEXT, RESULT(name)},
    {"scenario.sha256", TEXT, RESULT(sha256)}, /* of the scenario as run */
    {"scenario.seed", SEED, RESULT(seed)},
    {"scenario.users", COUNT, RESULT(users)},
    {"scenario.window.from", CLOCK, RESULT(from_ns)},
    {"scenario.window.to", WINDOW_END, offsetof(struct ls_result, window_ns),
     offsetof(struct ls_result, from_ns)},
    {"scenario.window.timezone", TEXT, RESULT(timezone)},
    {"scenario.speedup", REAL, RESULT(speedup)},
    {"host.cpu", TEXT, RESULT(host_cpu)},
    {"host.cores", SMALL, RESULT(host_cores)},
    {"host.kernel", TEXT, RESULT(host_kernel)},
    {"host.tls_library", TEXT, RESULT(tls_library)},
    {"host.tls_build", TEXT, RESULT(tls_build)},
    {"injectors", SMALL, RESULT(injectors)},
    {"placement", TEXT, RESULT(placement)}, /* who ran on which core, for people */
    {"partial", FLAG, RESULT(partial)},     /* some run ended early */
};
const size_t result_fields_count = sizeof result_fields / sizeof result_fields[0];

const struct field run_fields[] = {
    {"certificate", NAME, RUN(certificate)},
    {"key", NAME, RUN(key)},
    {"engine", ENGINE, RUN(live)}, /* "live" or "model" */
    {"partial", FLAG, RUN(partial)},
    {"partial_why", TEXT, RUN(partial_why)},
    {"validity.verdict", VERDICT, RUN(validity.verdict)}, /* "valid", "suspect" or "invalid" */
    {"validity.reasons", SENTENCES, RUN(validity)},
    /* from when a user was due to the first connect() */
    {"validity.start_lag_us", QUANTILES, RUN(validity.start_lag)},
    /* of one core, the busiest injector */
    {"validity.injector_cpu_share", KNOWN_REAL, RUN(validity.injector_cpu_share)},
    {"validity.gateway_waited_share", KNOWN_REAL, RUN(validity.gateway_waited_share)},
    {"validity.worst_stall_us", US, RUN(validity.worst_stall_ns)},
    {"validity.clock_gap_us", US, RUN(validity.clock_gap_ns)},
    {"validity.retransmitted_connections", COUNT, RUN(validity.retransmitted)},
    /* login latency of the users none of whose connections sent a segment again */
    {"validity.login_without_retransmits_us", QUANTILES, RUN(validity.login_without_retransmits)},
    /* total = logged_in + failed + cut_off, exactly */
    {"logins.total", COUNT, RUN(total)},
    {"logins.logged_in", COUNT, RUN(logged_in)},
    {"logins.failed", COUNT, RUN(failed)},
    {"logins.cut_off", COUNT, RUN(cut_off)},
    {"logins.retried", COUNT, RUN(retried)}, /* took more than one attempt */
    {"logins.by_reason", BY_REASON, RUN(by_reason)},
    {"sessions_lost", COUNT, RUN(sessions_lost)}, /* held sessions that ended too early */
    /* attempts: total = full + resumed + failed + cut_off, exactly */
    {"handshakes.total", COUNT, RUN(handshakes_total)},
    {"handshakes.full", COUNT, RUN(handshakes_full)},
    {"handshakes.resumed", COUNT, RUN(handshakes_resumed)},
    {"handshakes.failed", COUNT, RUN(handshakes_failed)},
    {"handshakes.cut_off", COUNT, RUN(handshakes_cut_off)},
    {"handshakes.hello_retry", COUNT, RUN(hello_retries)}, /* of total */
    {"handshakes.by_reason", BY_REASON, RUN(handshakes_by_reason)},
    /* connect(): to TCP; handshake: TCP to TLS; login: due to logged in */
    {"latency_us.connect", QUANTILES, RUN(connect)},
    {"latency_us.handshake", QUANTILES, RUN(handshake)},
    {"latency_us.login", QUANTILES, RUN(login)},
    /* the same for those who failed, and for all of them, a failed one counting as longer than any */
    {"latency_us.gave_up", QUANTILES, RUN(gave_up)},
    {"latency_us.login_of_all.p50", US, RUN(of_all_p50)},
    {"latency_us.login_of_all.p95", US, RUN(of_all_p95)},
    {"latency_us.login_of_all.p99", US, RUN(of_all_p99)},
    {"latency_us.login_of_all.p100", US, RUN(of_all_p100)},
    /* means a secured handshake */
    {"bytes.client_hello", KNOWN_REAL, RUN(client_hello_bytes)},
    {"bytes.server_flight", KNOWN_REAL, RUN(server_flight_bytes)},
    {"bytes.per_handshake_to_gateway", KNOWN_REAL, RUN(to_gateway_bytes)},
    {"bytes.per_handshake_from_gateway", KNOWN_REAL, RUN(from_gateway_bytes)},
    {"gateway.source", TEXT, RUN(gateway_source)},
    {"gateway.workers", SMALL, RUN(gateway_workers)},
    {"gateway.cpu_us", US, RUN(gateway_cpu_ns)}, /* all of it, over the storm */
    /* all of it / handshakes that it sent its flight for; that times a login's connections */
    {"gateway.cpu_us_per_login", KNOWN_REAL, RUN(cpu_us_per_login)},
    {"gateway.cpu_us_per_handshake.user", KNOWN_REAL, RUN(user_us_per_handshake)},
    {"gateway.cpu_us_per_handshake.system", KNOWN_REAL, RUN(system_us_per_handshake)},
    {"gateway.cpu_us_per_handshake.total", KNOWN_REAL, RUN(cpu_us_per_handshake)},
    {"gateway.tls_us_per_handshake", KNOWN_REAL, RUN(tls_us_per_handshake)},
    {"gateway.capacity_handshakes_per_s_per_core", KNOWN_REAL, RUN(capacity_per_s_per_core)},
    /* server flights that nobody came in by */
    {"gateway.wasted_handshakes", KNOWN_COUNT, RUN(wasted_handshakes)},
    /* all injectors over the storm, / secured handshakes: what the load itself cost */
    {"injector.cpu_us", US, RUN(injectors_cpu_ns)},
    {"injector.cpu_us_per_handshake", KNOWN_REAL, RUN(injector_us_per_handshake)},
    /* at the scenario's own pace, but for the two peaks in flight, which the run itself had */
    {"load.peak_minute", CLOCK, RUN(peak_minute_at_ns)},
    {"load.peak_minute_logins", COUNT, RUN(peak_minute_logins)},
    {"load.peak_second", CLOCK, RUN(peak_second_at_ns)},
    {"load.peak_second_logins", COUNT, RUN(peak_second_logins)},
    {"load.peak_in_flight", COUNT, RUN(peak_in_flight)},                       /* logins */
    {"load.peak_handshakes_in_flight", COUNT, RUN(peak_handshakes_in_flight)}, /* connections */
    /* CPU seconds a second: logins there x CPU a login */
    {"load.cores_at_peak_minute", KNOWN_REAL, RUN(cores_at_peak_minute)},
    {"load.cores_at_peak_second", KNOWN_REAL, RUN(cores_at_peak_second)},
    {"timeline_slice_us", US, RUN(slice_ns)}, /* scenario time of one row of the timeline */
};
const size_t run_fields_count = sizeof run_fields / sizeof run_fields[0];

/* Beside these: `at`, the time of day in the scenario at which the slice begins. */
const struct field moment_fields[] = {
    {"due", COUNT, MOMENT(due)},
    {"logged_in", COUNT, MOMENT(logged_in)},
    {"failed", COUNT, MOMENT(failed)},
    {"in_flight", COUNT, MOMENT(in_flight)}, /* due and not done at the slice's end */
    {"p50_us", US, MOMENT(p50_ns)},
    {"p100_us", US, MOMENT(p100_ns)},
    {"gateway_cpu_share", KNOWN_REAL, MOMENT(gateway_cpu_share)}, /* cores used */
};
const size_t moment_fields_count = sizeof moment_fields / sizeof moment_fields[0];

const char *ls_verdict_word(enum ls_verdict verdict)
{
    static const char *const words[] = {"valid", "suspect", "invalid"};

    return (unsigned)verdict < sizeof words / sizeof words[0] ? words[verdict] : NULL;
}

const char *outcome_word(enum ls_outcome outcome)
{
    static const char *const words[] = {"pending", "logged_in", "failed", "cut_off"};

    return (unsigned)outcome < sizeof words / sizeof words[0] ? words[outcome] : NULL;
}

void clock_write(int64_t since_midnight_ns, char *out, size_t size)
{
    const int64_t fraction_ns = since_midnight_ns % LS_NS_PER_S;
    size_t length;

    ls_format_clock(since_midnight_ns, since_midnight_ns % LS_NS_PER_MIN != 0, out, size);
    if (fraction_ns != 0) {
        length = strlen(out);
        (void)snprintf(out + length, size - length, ".%09" PRId64, fraction_ns);
        for (length = strlen(out); out[length - 1] == '0'; length--) {
            out[length - 1] = '\0';
        }
    }
}

/* Two digits below limit. */
static bool two_digits(const char **text, int64_t limit, int64_t *value)
{
    const char *c = *text;

    if (c[0] < '0' || c[0] > '9' || c[1] < '0' || c[1] > '9') {
        return false;
    }
    *value = (c[0] - '0') * 10 + (c[1] - '0');
    *text += 2;
    return *value < limit;
}

bool clock_read(const char *text, int64_t *since_midnight_ns)
{
    int64_t hour, minute, second = 0, fraction = 0;

    if (!two_digits(&text, 24, &hour) || *text++ != ':' || !two_digits(&text, 60, &minute)) {
        return false;
    }
    if (*text == ':') {
        text++;
        if (!two_digits(&text, 60, &second)) {
            return false;
        }
        if (*text == '.') {
            int64_t worth = LS_NS_PER_S / 10;

            for (text++; *text >= '0' && *text <= '9' && worth > 0; worth /= 10) {
                fraction += (*text++ - '0') * worth;
            }
        }
    }
    *since_midnight_ns =
        hour * LS_NS_PER_H + minute * LS_NS_PER_MIN + second * LS_NS_PER_S + fraction;
    return *text == '\0';
}

void slice_clock(int64_t from_ns, const struct ls_run *run, const struct ls_moment *moment,
                 char *out, size_t size)
{
    const int64_t at_ns = from_ns + moment->at_ns;
    const bool minutes = run->slice_ns % LS_NS_PER_MIN == 0 && from_ns % LS_NS_PER_MIN == 0;

    ls_format_clock(at_ns, !minutes, out, size);
    if (run->slice_ns % LS_NS_PER_S != 0 || from_ns % LS_NS_PER_S != 0) {
        const size_t length = strlen(out);

        (void)snprintf(out + length, size - length, ".%d",
                       (int)(at_ns % LS_NS_PER_S / (100 * LS_NS_PER_MS)));
    }
}
