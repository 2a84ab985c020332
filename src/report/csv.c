/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "loginstorm/report.h"

/* How a member of struct ls_run becomes a cell; what is not known is an empty one. */
enum kind { COUNT, US, REAL, CLOCK, SHARE };

/* Heading, with its unit, and where the figure is. Before these come who and how (see put_run). */
static const struct {
    const char *heading;
    enum kind kind;
    size_t offset;
} figures[] = {
    {"users", COUNT, offsetof(struct ls_run, total)},
    {"logged_in", COUNT, offsetof(struct ls_run, logged_in)},
    {"failed", COUNT, offsetof(struct ls_run, failed)},
    {"cut_off", COUNT, offsetof(struct ls_run, cut_off)},
    {"retried", COUNT, offsetof(struct ls_run, retried)},
    {"sessions_lost", COUNT, offsetof(struct ls_run, sessions_lost)},
    {"handshakes", COUNT, offsetof(struct ls_run, handshakes_total)},
    {"handshakes_resumed", COUNT, offsetof(struct ls_run, handshakes_resumed)},
    {"tickets_offered", COUNT, offsetof(struct ls_run, handshakes_offered)},
    {"handshakes_failed", COUNT, offsetof(struct ls_run, handshakes_failed)},
    {"connect_p50_us", US, offsetof(struct ls_run, connect.p50)},
    {"connect_p99_us", US, offsetof(struct ls_run, connect.p99)},
    {"handshake_p50_us", US, offsetof(struct ls_run, handshake.p50)},
    {"handshake_p99_us", US, offsetof(struct ls_run, handshake.p99)},
    {"login_mean_us", US, offsetof(struct ls_run, login.mean)},
    {"login_p50_us", US, offsetof(struct ls_run, login.p50)},
    {"login_p90_us", US, offsetof(struct ls_run, login.p90)},
    {"login_p95_us", US, offsetof(struct ls_run, login.p95)},
    {"login_p99_us", US, offsetof(struct ls_run, login.p99)},
    {"login_p99_9_us", US, offsetof(struct ls_run, login.p99_9)},
    {"login_p100_us", US, offsetof(struct ls_run, login.p100)},
    {"cpu_us_per_login", REAL, offsetof(struct ls_run, cpu_us_per_login)},
    {"cpu_us_per_handshake", REAL, offsetof(struct ls_run, cpu_us_per_handshake)},
    {"user_us_per_handshake", REAL, offsetof(struct ls_run, user_us_per_handshake)},
    {"system_us_per_handshake", REAL, offsetof(struct ls_run, system_us_per_handshake)},
    {"tls_us_per_handshake", REAL, offsetof(struct ls_run, tls_us_per_handshake)},
    {"handshakes_per_s_per_core", REAL, offsetof(struct ls_run, capacity_per_s_per_core)},
    {"peak_minute", CLOCK, offsetof(struct ls_run, peak_minute_at_ns)},
    {"peak_minute_logins", COUNT, offsetof(struct ls_run, peak_minute_logins)},
    {"peak_second_logins", COUNT, offsetof(struct ls_run, peak_second_logins)},
    {"cores_at_peak_minute", REAL, offsetof(struct ls_run, cores_at_peak_minute)},
    {"cores_at_peak_second", REAL, offsetof(struct ls_run, cores_at_peak_second)},
    {"peak_logins_in_flight", COUNT, offsetof(struct ls_run, peak_in_flight)},
    {"peak_handshakes_in_flight", COUNT, offsetof(struct ls_run, peak_handshakes_in_flight)},
    {"client_hello_bytes", REAL, offsetof(struct ls_run, client_hello_bytes)},
    {"server_flight_bytes", REAL, offsetof(struct ls_run, server_flight_bytes)},
    {"ticket_bytes", REAL, offsetof(struct ls_run, ticket_bytes)},
    {"to_gateway_bytes_per_handshake", REAL, offsetof(struct ls_run, to_gateway_bytes)},
    {"from_gateway_bytes_per_handshake", REAL, offsetof(struct ls_run, from_gateway_bytes)},
    {"wasted_handshakes", COUNT, offsetof(struct ls_run, wasted_handshakes)},
    {"start_lag_p99_us", US, offsetof(struct ls_run, validity.start_lag.p99)},
    {"injector_cpu_share", REAL, offsetof(struct ls_run, validity.injector_cpu_share)},
    {"injector_cpu_us_per_handshake", REAL, offsetof(struct ls_run, injector_us_per_handshake)},
    {"retransmitted_connections", COUNT, offsetof(struct ls_run, validity.retransmitted)},
    /* a simulation's: over all its mornings */
    {"mornings", COUNT, offsetof(struct ls_run, mornings.count)},
    {"mornings_login_p50_median_us", US, offsetof(struct ls_run, mornings.login_p50.median)},
    {"mornings_login_p99_median_us", US, offsetof(struct ls_run, mornings.login_p99.median)},
    {"mornings_login_p99_in_95_percent_us", US, offsetof(struct ls_run, mornings.login_p99.in_95)},
    {"mornings_login_p100_median_us", US, offsetof(struct ls_run, mornings.login_p100.median)},
    {"mornings_login_p100_in_95_percent_us", US,
     offsetof(struct ls_run, mornings.login_p100.in_95)},
    {"mornings_failed_share_in_95_percent", SHARE,
     offsetof(struct ls_run, mornings.failed_share.in_95)},
    {"mornings_gateway_peak_share_in_95_percent", SHARE,
     offsetof(struct ls_run, mornings.gateway_peak_share.in_95)},
};
#define FIGURES (sizeof figures / sizeof figures[0])

static void put_integer(enum kind kind, int64_t value, FILE *out)
{
    char clock[16];

    if (value < 0) {
        (void)fputc(',', out);
    } else if (kind == SHARE) {
        (void)fprintf(out, ",%.15g", (double)value / 1e6);
    } else if (kind == CLOCK) {
        ls_format_clock(value, 0, clock, sizeof clock);
        (void)fprintf(out, ",%s", clock);
    } else if (kind == US && value % 1000 != 0) {
        (void)fprintf(out, ",%" PRId64 ".%03d", value / 1000, (int)(value % 1000));
    } else {
        (void)fprintf(out, ",%" PRId64, kind == US ? value / 1000 : value);
    }
}

static void put_figure(size_t which, const struct ls_run *run, FILE *out)
{
    const char *at = (const char *)run + figures[which].offset;
    int64_t integer;
    double real;

    if (figures[which].kind == REAL) {
        memcpy(&real, at, sizeof real);
        if (real < 0) {
            (void)fputc(',', out);
        } else {
            (void)fprintf(out, ",%.15g", real);
        }
        return;
    }
    memcpy(&integer, at, sizeof integer);
    if (figures[which].offset >= offsetof(struct ls_run, mornings) && run->mornings.count == 0) {
        integer = -1; /* a live run has none of these */
    }
    put_integer(figures[which].kind, integer, out);
}

/* A target's unit is its name's, so that a column means the same in every file. */
static const char *unit_of(const char *target)
{
    return strncmp(target, "login_", 6) == 0 ? "us" : "share";
}

static const struct ls_target_outcome *find_target(const struct ls_result *result, const char *name)
{
    for (size_t i = 0; i < result->targets_count; i++) {
        if (strcmp(result->targets[i].name, name) == 0) {
            return &result->targets[i];
        }
    }
    return NULL;
}

/* Two cells a target: what the scenario asks for, and by how much this run missed it; 0 where it met it,
 * inf where so many failed that there is no figure. */
static void put_targets_of(const struct ls_result *result, const struct ls_run *run, FILE *out)
{
    const char *name;

    for (size_t i = 0; (name = ls_target_name(i)) != NULL; i++) {
        const struct ls_target_outcome *target = find_target(result, name);
        struct ls_target_outcome one;
        enum kind kind;

        if (target == NULL) {
            (void)fputs(",,", out);
            continue;
        }
        one = *target;
        kind = one.is_share ? SHARE : US;
        ls_run_target(run, &one);
        put_integer(kind, one.limit, out);
        if (ls_target_judgement(&one) == LS_TARGET_NOT_JUDGED) {
            (void)fputc(',', out);
        } else if (one.never) {
            (void)fputs(",inf", out);
        } else {
            put_integer(kind, one.met ? 0 : ls_target_excess(&one), out);
        }
    }
}

static bool put_run(const struct ls_result *result, const struct ls_run *run, FILE *out)
{
    const char *verdict = ls_verdict_word(run->validity.verdict);
    char *certificate = ls_csv_field(run->certificate);
    char *key = ls_csv_field(run->key);
    const bool whole = certificate != NULL && key != NULL;

    if (whole) {
        (void)fprintf(out, "%s,%s,%s,%s,%s,%.15g", certificate, key, run->live ? "live" : "model",
                      verdict != NULL ? verdict : "", run->partial ? "yes" : "no", result->speedup);
        for (size_t i = 0; i < FIGURES; i++) {
            put_figure(i, run, out);
        }
        put_targets_of(result, run, out);
        (void)fprintf(out, ",%d\n", run->repeat);
    }
    free(certificate);
    free(key);
    return whole;
}

enum ls_code ls_report_csv(const struct ls_result *result, FILE *out, struct ls_error *err)
{
    (void)fputs("certificate,key,engine,verdict,partial,speedup", out);
    for (size_t i = 0; i < FIGURES; i++) {
        (void)fprintf(out, ",%s", figures[i].heading);
    }
    for (size_t i = 0; ls_target_name(i) != NULL; i++) {
        const char *name = ls_target_name(i), *unit = unit_of(name);

        (void)fprintf(out, ",target_%s_limit_%s,target_%s_missed_by_%s", name, unit, name, unit);
    }
    (void)fputs(",repeat\n", out);
    for (size_t i = 0; i < result->runs_count; i++) {
        if (!put_run(result, &result->runs[i], out)) {
            return ls_error_set(err, LS_ENOMEM, "no memory for the report");
        }
    }
    if (fflush(out) != 0 || ferror(out) != 0) {
        return ls_error_set_errno(err, LS_EWRITE, "cannot write the report");
    }
    return LS_OK;
}
