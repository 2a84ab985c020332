/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_RESULT_H
#define LOGINSTORM_RESULT_H

/*
 * The result: what the records of a storm add up to. The file between measuring and reporting.
 *
 *     record (+ what the conductor saw) -> [result] -> result.json, samples.csv, ... -> report
 *
 * Quantiles are nearest-rank on sorted integers: the value at rank ceil(q * n), so p100 is a
 * latency that happened.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "loginstorm/error.h"
#include "loginstorm/json.h"
#include "loginstorm/record.h"

/* ns; all LS_NEVER_NS when count is 0. mean is rounded down. */
struct ls_quantiles {
    int64_t count;
    int64_t min, mean, p50, p90, p95, p99, p99_9, p100;
};

/* A duration for people, three significant digits: "4.12 ms", "812 µs", "1.90 s"; "-" for never.
 * UTF-8; size >= 32. */
void ls_format_ns(int64_t ns, char *out, size_t size);

/* text as one field of a CSV file (RFC 4180: quoted where it must be, never altered), on the heap;
 * NULL when there is no memory. */
char *ls_csv_field(const char *text);

/* Sorts values in place. */
void ls_quantiles_of(int64_t *values, size_t count, struct ls_quantiles *out);

/* The value of rank ceil(per_mille_of_ten / 10,000 * count) of sorted values; count > 0, 0 < q <=
 * 10,000. */
int64_t ls_quantile_sorted(const int64_t *sorted, size_t count, int q_of_10000);

enum ls_verdict { LS_VALID, LS_SUSPECT, LS_INVALID };
/* "valid", "suspect", "invalid"; NULL for what is none. */
const char *ls_verdict_word(enum ls_verdict verdict);

#define LS_REASONS_MAX 16
struct ls_validity { /* the limits, with their reasons: the table in src/record/verdict.c */
    enum ls_verdict verdict;
    size_t reasons_count;
    char reasons[LS_REASONS_MAX][160]; /* one sentence each, with figure and limit, UTF-8 */
    struct ls_quantiles start_lag;     /* started - due, of those that were started */
    double injector_cpu_share; /* of one core: the busiest injector in its busiest second; negative
                                  when there was none */
    int64_t worst_stall_ns; /* longest time between two turns of an injector's loop with work due */
    int64_t clock_gap_ns;   /* longest time in which the host stood still (suspend, steal) */
    int64_t retransmitted;  /* connections with a TCP segment sent again */
    double gateway_waited_share; /* of the time in which the gateway wanted a core, the part in
                                    which something else held it; negative when not known */
    struct ls_quantiles login_without_retransmits;
};

/* CPU that a gateway had used by a moment, ns since the run's start. */
struct ls_cpu_sample {
    int64_t at_ns;
    int64_t cpu_ns;
};

/* What the gateway said and what its clock showed, over the storm alone (key generation and start
 * excluded). */
struct ls_gateway_account {
    const char *source; /* "embedded" or "none" */
    int workers;
    int64_t cpu_ns, user_ns,
        system_ns;     /* all workers; user + system may differ from cpu by clock ticks */
    int64_t tls_ns;    /* thread CPU around the TLS steps alone */
    int64_t waited_ns; /* ready to run while something else held its core; in no CPU clock */
    int64_t accepted, server_flights, secured,
        failed;                          /* these three lines: negative when not known */
    const struct ls_cpu_sample *samples; /* ascending; may be empty */
    size_t samples_count;
};

/* One run (one certificate) as measured: the conductor fills it and keeps what it points to. */
struct ls_measurement {
    const char *certificate; /* its name in the scenario */
    const char *key;         /* "rsa-4096" */
    bool live;               /* else model */
    const struct ls_record *record;
    double speedup;
    int64_t from_ns, window_ns; /* of the scenario: time of day, length */
    struct ls_gateway_account gateway;
    int64_t injector_cpu_ns; /* the busiest injector in its busiest second, and how long that was */
    int64_t injector_wall_ns;
    double connections_per_login; /* of the scenario's populations; 0: as in the record */
    int64_t injectors_cpu_ns; /* all, from the start signal to the last decision; 0: not known */
    int64_t worst_stall_ns, clock_gap_ns;
    int64_t sessions_lost;   /* held sessions that ended before they should */
    bool partial;            /* ended early */
    const char *partial_why; /* "SIGINT", "the gateway died (signal 9)" or NULL */
    /* from the schedule, at the scenario's own pace */
    int64_t peak_minute_at_ns, peak_minute_logins, peak_second_at_ns, peak_second_logins;
};

struct ls_moment {
    int64_t at_ns; /* scenario time from the window's start: the slice's beginning */
    int64_t due, logged_in, failed;
    int64_t in_flight;        /* logins under way at the slice's end */
    int64_t p50_ns, p100_ns;  /* login latency of those done in the slice; LS_NEVER_NS when none */
    double gateway_cpu_share; /* cores used in the slice; negative when not known */
};

struct ls_run {
    char *certificate, *key;
    bool live, partial;
    char *partial_why;
    struct ls_validity validity;
    int64_t total, logged_in, failed, cut_off;
    int64_t by_reason[LS_REASON_COUNT]; /* of failed logins */
    int64_t retried;                    /* logins that needed more than one attempt */
    int64_t sessions_lost;
    int64_t handshakes_total, handshakes_full, handshakes_resumed, handshakes_failed,
        handshakes_cut_off, hello_retries;
    int64_t handshakes_by_reason[LS_REASON_COUNT];
    struct ls_quantiles connect, handshake,
        login; /* connected-started, ended-connected (secured ones), done-due (logged in) */
    double client_hello_bytes, server_flight_bytes, to_gateway_bytes,
        from_gateway_bytes;      /* means a secured handshake; negative when there was none */
    struct ls_quantiles gave_up; /* done-due of those who failed */
    /* login latency over all who were decided, a failed one counting as longer than any: LS_NEVER_NS where so many failed */
    int64_t of_all_p50, of_all_p95, of_all_p99, of_all_p100;
    char *gateway_source;
    int gateway_workers;
    int64_t gateway_cpu_ns;  /* in all; negative when not known */
    double cpu_us_per_login; /* these are negative when not known */
    double cpu_us_per_handshake, user_us_per_handshake, system_us_per_handshake,
        tls_us_per_handshake;
    double capacity_per_s_per_core;
    int64_t injectors_cpu_ns; /* in all, and of all for each secured handshake, requests and
                                 answers included; negative when not known */
    double injector_us_per_handshake;
    int64_t wasted_handshakes; /* server flights that the gateway paid for and no user came in by;
                                  negative when not known */
    int64_t peak_minute_at_ns, peak_minute_logins, peak_second_at_ns, peak_second_logins;
    int64_t peak_in_flight; /* logins started and not done, measured in the run as it went */
    int64_t peak_handshakes_in_flight; /* connections between connect() and secured, the same way */
    double cores_at_peak_minute, cores_at_peak_second; /* at the scenario's own pace */
    struct ls_moment *timeline;
    size_t timeline_count;
    int64_t slice_ns; /* scenario time of one timeline row */
};

struct ls_target_outcome {
    char name[32];
    int64_t limit, value; /* ns for latencies, millionths for shares; value is negative when a run
                             does not know it, and the target then not met */
    bool is_share;
    bool met;
};

struct ls_result {
    char *created; /* RFC 3339, UTC */
    char *name, *sha256, *timezone;
    uint64_t seed;
    int64_t users;
    int64_t from_ns, window_ns;
    double speedup;
    char *host_cpu, *host_kernel, *tls_library, *tls_build;
    int host_cores;
    int injectors;
    char *placement; /* "1 worker on core 0 · 1 injector on core 1": for people */
    bool partial;
    char **notes; /* what the scenario asks for and this command leaves out; NULL-ended or NULL */
    struct ls_run *runs;
    size_t runs_count;
    struct ls_target_outcome *targets; /* the worst run counts; empty when the scenario has none */
    size_t targets_count;
};

/* Works one measurement out. Checks users = logged in + failed + cut off (LS_EBROKEN otherwise). */
LS_MUST_CHECK
enum ls_code ls_run_build(struct ls_run *run, const struct ls_measurement *measurement,
                          struct ls_error *err);
void ls_run_clear(struct ls_run *run);

void ls_result_free(struct ls_result *result); /* frees what it points to, and itself */

/*
 * "login_p99" <= limit over all runs (the worst counts); appended to result->targets. The names are
 * those of the scenario: login_p50 login_p95 login_p99 login_p100 (ns), failed (millionths of the
 * users), gateway_cpu_peak (millionths of the gateway's cores, one a worker, that the scenario's
 * fullest minute takes at its own pace). Another name: LS_EBROKEN.
 */
LS_MUST_CHECK
enum ls_code ls_result_add_target(struct ls_result *result, const char *name, int64_t limit,
                                  struct ls_error *err);

LS_MUST_CHECK
enum ls_code ls_result_to_json(const struct ls_result *result, json_t **root, struct ls_error *err);
LS_MUST_CHECK
enum ls_code ls_result_from_json(struct ls_result **out, const json_t *root, const char *path,
                                 struct ls_error *err);
LS_MUST_CHECK
enum ls_code ls_result_load(struct ls_result **out, const char *path, struct ls_error *err);

/* One run's rows, `certificate` in the first column; the header line only when with_header.
 * populations are the scenario's names by index, or NULL: the index itself. LS_EWRITE when the
 * stream does not take it all. */
LS_MUST_CHECK
enum ls_code ls_samples_write(FILE *stream, const char *certificate, const struct ls_record *record,
                              const char *const *populations, bool with_header,
                              struct ls_error *err);
LS_MUST_CHECK
enum ls_code ls_handshakes_write(FILE *stream, const char *certificate,
                                 const struct ls_record *record, bool with_header,
                                 struct ls_error *err);
LS_MUST_CHECK
enum ls_code ls_timeline_write(FILE *stream, const struct ls_run *run, int64_t from_ns,
                               bool with_header, struct ls_error *err);

#endif
