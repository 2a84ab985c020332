/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/fields.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define RESULT(member) offsetof(struct ls_result, member), 0
#define RUN(member) offsetof(struct ls_run, member), 0
#define WAVE(member) offsetof(struct ls_wave_figures, member), 0
#define MOMENT(member) offsetof(struct ls_moment, member), 0

/* Beside these: format, version, runs[], comparison (null where there is one certificate only; its keys: comparison_json.c) and
 * targets[{name,unit,limit,value,met,missed_by,never}], unit "us" or "share",
 * missed_by: value - limit, else null; never: too many failed for the latency to have an end (older files have neither). */
const struct field result_fields[] = {
    {"created", TEXT, RESULT(created), "when it was made, RFC 3339, UTC"},
    {"scenario.name", TEXT, RESULT(name), "title of the scenario"},
    {"scenario.sha256", TEXT, RESULT(sha256), "of the scenario as run"},
    {"scenario.seed", SEED, RESULT(seed),
     "the same seed, the same users at the same moments; as text where it is beyond a 64-bit "
     "integer with a sign"},
    {"scenario.users", COUNT, RESULT(users), "who were to log in; of closed loops, logins"},
    {"scenario.loop", LOOP, RESULT(closed), "open arrivals, or closed loops"},
    {"scenario.window.from", WINDOW_BEGIN, offsetof(struct ls_result, from_ns),
     offsetof(struct ls_result, window_ns),
     "time of day at which the window begins; null in a closed loop"},
    {"scenario.window.to", WINDOW_END, offsetof(struct ls_result, window_ns),
     offsetof(struct ls_result, from_ns),
     "at which it ends, the next day where that is not after it; null in a closed loop"},
    {"scenario.window.timezone", TEXT, RESULT(timezone), "IANA name; null: not given"},
    {"scenario.speedup", REAL, RESULT(speedup), "times as dense as the scenario, as played"},
    {"scenario.resume_share", REAL, RESULT(resume_share),
     "of the users, who were to come with a ticket of an earlier session"},
    {"host.cpu", TEXT, RESULT(host_cpu), "model of the CPU that it ran on"},
    {"host.cores", SMALL, RESULT(host_cores), "of that host"},
    {"host.kernel", TEXT, RESULT(host_kernel), "its kernel"},
    {"host.tls_library", TEXT, RESULT(tls_library), "name and version"},
    {"host.tls_build", TEXT, RESULT(tls_build), "which build of it"},
    {"injectors", SMALL, RESULT(injectors), "processes that played the users"},
    {"placement", TEXT, RESULT(placement), "who ran on which core, for people"},
    {"partial", FLAG, RESULT(partial), "some run ended early"},
};
const size_t result_fields_count = sizeof result_fields / sizeof result_fields[0];

const struct field run_fields[] = {
    {"certificate", NAME, RUN(certificate), "its name in the scenario"},
    {"key", NAME, RUN(key), "kind of its key, like rsa-4096"},
    {"repeat", SMALL, RUN(repeat), "the round of `--repeat` that it was, from 1"},
    {"engine", ENGINE, RUN(live), "a storm, or the model in virtual time"},
    {"partial", FLAG, RUN(partial), "this run ended early"},
    {"partial_why", TEXT, RUN(partial_why), "why, for people"},
    {"validity.verdict", VERDICT, RUN(validity.verdict), "may the measurement be trusted"},
    {"validity.reasons", SENTENCES, RUN(validity), "why it may not, a sentence each"},
    {"validity.start_lag_us", QUANTILES, RUN(validity.start_lag),
     "from when a user was due to the first connect()"},
    {"validity.injector_cpu_share", KNOWN_REAL, RUN(validity.injector_cpu_share),
     "of one core, the busiest injector in its busiest second"},
    {"validity.gateway_waited_share", KNOWN_REAL, RUN(validity.gateway_waited_share),
     "of the time in which the gateway wanted a core, the part in which something else had it"},
    {"validity.worst_stall_us", US, RUN(validity.worst_stall_ns),
     "longest time between two turns of an injector's loop with work due"},
    {"validity.clock_gap_us", US, RUN(validity.clock_gap_ns),
     "longest time in which the host stood still"},
    {"validity.start_skew_us", US_SINCE, RUN(validity.start_skew_ns),
     "of a shard, by how much later than agreed it began; of merged shards, from the first start "
     "to the last, by "
     "their clocks; null: no shards, or nothing was agreed; older files do not have it"},
    {"validity.retransmitted_connections", COUNT, RUN(validity.retransmitted),
     "with a TCP segment sent again"},
    {"validity.login_without_retransmits_us", QUANTILES, RUN(validity.login_without_retransmits),
     "login latency of the users none of whose connections sent a segment again"},
    {"validity.kernel_listen_overflows", COUNT_SINCE, RUN(kernel.listen_overflows),
     "connections that a full queue of a listener on this machine turned away during the run, of "
     "all processes; null where that is not known, which older files do not have either"},
    {"validity.kernel_listen_drops", COUNT_SINCE, RUN(kernel.listen_drops),
     "the same, dropped by listeners for any reason"},
    {"validity.kernel_syn_retransmits", COUNT_SINCE, RUN(kernel.syn_retransmits),
     "the same, SYNs and their answers that were sent again"},
    {"logins.total", COUNT, RUN(total), "= logged_in + failed + cut_off, exactly"},
    {"logins.logged_in", COUNT, RUN(logged_in), "who came in"},
    {"logins.failed", COUNT, RUN(failed), "who gave up, with their last attempt's reason"},
    {"logins.cut_off", COUNT, RUN(cut_off), "who were under way when the run ended"},
    {"logins.retried", COUNT, RUN(retried), "took more than one attempt"},
    {"logins.by_reason", BY_REASON, RUN(by_reason), "of the failed; those that are not zero"},
    {"sessions_lost", COUNT, RUN(sessions_lost), "held sessions that ended too early"},
    {"handshakes.total", COUNT, RUN(handshakes_total),
     "attempts: = full + resumed + failed + cut_off, exactly"},
    {"handshakes.full", COUNT, RUN(handshakes_full), "secured with a full handshake"},
    {"handshakes.resumed", COUNT, RUN(handshakes_resumed), "secured with a ticket"},
    {"handshakes.offered", COUNT, RUN(handshakes_offered), "of those two: brought a ticket"},
    {"handshakes.failed", COUNT, RUN(handshakes_failed), "did not get there"},
    {"handshakes.cut_off", COUNT, RUN(handshakes_cut_off), "were under way when the run ended"},
    {"handshakes.hello_retry", COUNT, RUN(hello_retries), "of total: took a hello retry"},
    {"handshakes.by_reason", BY_REASON, RUN(handshakes_by_reason),
     "of the failed; those that are not zero"},
    {"handshakes.long_hello_unanswered", COUNT_SINCE, RUN(long_hellos_unanswered),
     "of the failed: a Client Hello with a post-quantum key share, to which not a byte came but a "
     "reset or an end; older files do not have it"},
    {"latency_us.connect", QUANTILES, RUN(connect), "connect() to TCP"},
    {"latency_us.handshake", QUANTILES, RUN(handshake), "TCP to TLS"},
    {"latency_us.login", QUANTILES, RUN(login), "due to logged in"},
    {"latency_us.gave_up", QUANTILES, RUN(gave_up), "due to the end, of those who failed"},
    {"latency_us.login_of_all.p50", US, RUN(of_all_p50),
     "over all who were decided, a failed one counting as longer than any: null where so many "
     "failed"},
    {"latency_us.login_of_all.p95", US, RUN(of_all_p95), "the same"},
    {"latency_us.login_of_all.p99", US, RUN(of_all_p99), "the same"},
    {"latency_us.login_of_all.p100", US, RUN(of_all_p100), "the same"},
    {"bytes.client_hello", KNOWN_REAL, RUN(client_hello_bytes),
     "mean of the full handshakes, of TLS records without headers of TCP and IP; both hellos after "
     "a hello retry"},
    {"bytes.server_flight", KNOWN_REAL, RUN(server_flight_bytes),
     "the same, Server Hello to Finished"},
    {"bytes.tickets", KNOWN_REAL, RUN(ticket_bytes),
     "NewSessionTicket messages, mean over those who know"},
    {"bytes.per_handshake_to_gateway", KNOWN_REAL, RUN(to_gateway_bytes),
     "all of a secured handshake, mean"},
    {"bytes.per_handshake_from_gateway", KNOWN_REAL, RUN(from_gateway_bytes),
     "server flight and tickets, mean"},
    {"gateway.source", TEXT, RUN(gateway_source),
     "embedded, model, or none where its CPU is not known"},
    {"gateway.workers", SMALL, RUN(gateway_workers),
     "processes, each on a core; of a simulation, cores"},
    {"gateway.cpu_us", US, RUN(gateway_cpu_ns), "all of its CPU over the storm"},
    {"gateway.cpu_us_per_login", KNOWN_REAL, RUN(cpu_us_per_login),
     "per handshake, times a login's connections"},
    {"gateway.cpu_us_per_handshake.user", KNOWN_REAL, RUN(user_us_per_handshake), "in user mode"},
    {"gateway.cpu_us_per_handshake.system", KNOWN_REAL, RUN(system_us_per_handshake),
     "in system mode"},
    {"gateway.cpu_us_per_handshake.total", KNOWN_REAL, RUN(cpu_us_per_handshake),
     "all of it / handshakes that it sent its flight for"},
    {"gateway.tls_us_per_handshake", KNOWN_REAL, RUN(tls_us_per_handshake), "the TLS steps alone"},
    {"gateway.capacity_handshakes_per_s_per_core", KNOWN_REAL, RUN(capacity_per_s_per_core),
     "what one core carries, by cpu_us_per_handshake"},
    {"gateway.wasted_handshakes", KNOWN_COUNT, RUN(wasted_handshakes),
     "server flights that nobody came in by"},
    {"injector.cpu_us", US, RUN(injectors_cpu_ns), "all injectors over the storm"},
    {"injector.cpu_us_per_handshake", KNOWN_REAL, RUN(injector_us_per_handshake),
     "that / secured handshakes: what the load itself cost"},
    {"load.peak_minute", CLOCK, RUN(peak_minute_at_ns),
     "time of day of the fullest minute, at the scenario's own pace; null in a closed loop"},
    {"load.peak_minute_logins", KNOWN_COUNT, RUN(peak_minute_logins), "due in it"},
    {"load.peak_second", CLOCK, RUN(peak_second_at_ns), "the same of the fullest second"},
    {"load.peak_second_logins", KNOWN_COUNT, RUN(peak_second_logins), "due in it"},
    {"load.peak_in_flight", COUNT, RUN(peak_in_flight),
     "logins under way at once at most, as played"},
    {"load.peak_handshakes_in_flight", COUNT, RUN(peak_handshakes_in_flight),
     "connections before TLS at once at most, as played"},
    {"load.cores_at_peak_minute", KNOWN_REAL, RUN(cores_at_peak_minute),
     "CPU seconds a second, at the scenario's own pace: logins there x CPU a login"},
    {"load.cores_at_peak_second", KNOWN_REAL, RUN(cores_at_peak_second),
     "the same of the fullest second"},
    {"shown", SHOWN, RUN(shown),
     "what an outside gateway showed to who looked before the storm; null: it is no such gateway, "
     "or nobody looked"},
    {"published.source", TEXT, RUN(published.source),
     "who measured what the scenario says that others measured; null where it says nothing"},
    {"published.handshake_mean_us", US, RUN(published.handshake_mean_ns),
     "their mean of a handshake"},
    {"published.rate_per_s", KNOWN_REAL, RUN(published.rate_per_s), "their logins a second"},
    {"published.secured_p50_us", US, RUN(published.secured_p50_ns),
     "their median from start to TLS"},
    {"published.login_p50_us", US, RUN(published.login_p50_ns), "their median of a login"},
    {"published.login_p100_us", US, RUN(published.login_p100_ns), "their slowest login"},
    {"published.client_hello_bytes", KNOWN_COUNT, RUN(published.client_hello_bytes),
     "their Client Hello"},
    {"published.server_flight_bytes", KNOWN_COUNT, RUN(published.server_flight_bytes),
     "their server flight"},
    {"timeline_slice_us", US, RUN(slice_ns), "scenario time of one row of the timeline"},
};
const size_t run_fields_count = sizeof run_fields / sizeof run_fields[0];

/* waves[] of a run, none in an open loop. Beside these: handshakes_us, of a sequence of up to 100 each
 * one in its order, else empty. */
const struct field wave_fields[] = {
    {"shape", WAVE_SHAPE, WAVE(sequence), "one login after another, or several at a time"},
    {"logins", COUNT, WAVE(logins), "asked for"},
    {"concurrency", COUNT, WAVE(concurrency), "at a time"},
    {"logged_in", COUNT, WAVE(logged_in), "who came in"},
    {"failed", COUNT, WAVE(failed), "who did not"},
    {"cut_off", COUNT, WAVE(cut_off), "who were under way when the run ended"},
    {"duration_us", US, WAVE(duration_ns), "first start to last end"},
    {"logins_per_s", KNOWN_REAL, WAVE(logins_per_s), "logged in / duration"},
    {"latency_us.secured", QUANTILES, WAVE(secured), "start to TLS"},
    {"latency_us.handshake", QUANTILES, WAVE(handshake), "TCP to TLS"},
    {"latency_us.login", QUANTILES, WAVE(login), "start to logged in"},
};
const size_t wave_fields_count = sizeof wave_fields / sizeof wave_fields[0];

/* Beside these: `at`, the time of day in the scenario at which the slice begins (of a closed loop, the time
 * since its start). */
const struct field moment_fields[] = {
    {"due", COUNT, MOMENT(due), "logins due in the slice"},
    {"logged_in", COUNT, MOMENT(logged_in), "who came in"},
    {"failed", COUNT, MOMENT(failed), "who did not"},
    {"in_flight", COUNT, MOMENT(in_flight), "due and not done at the slice's end"},
    {"peak_in_flight", COUNT_SINCE, MOMENT(peak_in_flight),
     "the most of them at any moment of the slice; older files do not have it"},
    {"p50_us", US, MOMENT(p50_ns), "login latency of those done in the slice"},
    {"p99_us", US_SINCE, MOMENT(p99_ns), "the same; older files do not have it"},
    {"p100_us", US, MOMENT(p100_ns), "the same"},
    {"gateway_cpu_share", KNOWN_REAL, MOMENT(gateway_cpu_share), "cores used"},
};
const size_t moment_fields_count = sizeof moment_fields / sizeof moment_fields[0];

const char *ls_verdict_word(enum ls_verdict verdict)
{
    static const char *const words[] = {"valid", "suspect", "invalid"};

    return (unsigned)verdict < sizeof words / sizeof words[0] ? words[verdict] : NULL;
}

const char *choice_word(enum kind kind, bool yes)
{
    switch (kind) {
    case ENGINE:
        return yes ? "live" : "model";
    case LOOP:
        return yes ? "closed" : "open";
    default:
        return yes ? "sequence" : "closed";
    }
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
