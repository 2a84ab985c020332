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

#include "loginstorm/bursts.h"
#include "loginstorm/error.h"
#include "loginstorm/json.h"
#include "loginstorm/published.h"
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

/* So many of the logins took no longer than that: share of them, nearest rank. */
struct ls_point {
    double share;
    int64_t ns;
};

/* The whole curve: from the fastest (share 0) to the slowest (share 1, p100), five points for each
 * halving of what is slower still, so that p50, p90, p99, p99.9 and what is between are within reach
 * for any number of logins. No points: nobody, or a result made before there were any. */
#define LS_POINTS_MAX 160
struct ls_distribution {
    size_t points_count;
    struct ls_point points[LS_POINTS_MAX];
};

/* Sorts values in place. */
void ls_quantiles_of(int64_t *values, size_t count, struct ls_quantiles *out);

/* The value of rank ceil(per_mille_of_ten / 10,000 * count) of sorted values; count > 0, 0 < q <=
 * 10,000. */
int64_t ls_quantile_sorted(const int64_t *sorted, size_t count, int q_of_10000);

enum ls_verdict { LS_VALID, LS_SUSPECT, LS_INVALID };
/* "valid", "suspect", "invalid"; NULL for what is none. */
const char *ls_verdict_word(enum ls_verdict verdict);

/* In millionths of a core: above it an injector's users queue in it, too. */
#define LS_INJECTOR_SUSPECT 800000

#define LS_REASONS_MAX 32
struct ls_validity { /* the limits, with their reasons: the table in src/record/verdict.c */
    enum ls_verdict verdict;
    size_t reasons_count;
    char reasons[LS_REASONS_MAX][240]; /* one sentence each, with figure and limit, UTF-8 */
    struct ls_quantiles start_lag;     /* started - due, of those that were started */
    double injector_cpu_share; /* of one core: the busiest injector in its busiest second; negative
                                  when there was none */
    int64_t worst_stall_ns; /* longest time between two turns of an injector's loop with work due */
    int64_t clock_gap_ns;   /* longest time in which the host stood still (suspend, steal) */
    int64_t retransmitted;  /* connections with a TCP segment sent again */
    /* Of a shard, by how much later than agreed it began; of merged shards, from when the first of them began to
     * when the last did, by their clocks. Negative: it is no such storm, or nothing was agreed. */
    int64_t start_skew_ns;
    double gateway_waited_share; /* of the time in which the gateway wanted a core, the part in
                                    which something else held it; negative when not known */
    struct ls_quantiles login_without_retransmits;
};

/* CPU that a gateway had used by a moment, ns since the run's start. */
struct ls_cpu_sample {
    int64_t at_ns;
    int64_t cpu_ns;
};

/* What this machine's kernel counted while the run went on, of everything in its network namespace;
 * negative: not known. */
struct ls_kernel_counts {
    int64_t listen_overflows; /* turned away by a listener's full queue */
    int64_t listen_drops;     /* by a listener for any reason, those too */
    int64_t syn_retransmits;  /* SYNs and their answers that were sent again */
};

/* The CPU clock of an outside gateway as it was read: nothing is subtracted. */
struct ls_outside_clock {
    int64_t
        read_ns; /* from the last reading before the storm to the first one behind its last login; 0: not known */
    int64_t cpu_ns; /* that it went on meanwhile */
    int64_t
        tick_ns; /* all readings lie so far apart, or a multiple of it (to 1 us); 0: not known */
    int64_t restarts;    /* counters that began anew while they were read */
    int64_t back_ns;     /* by which counters stepped back, in all */
    double idle_cores;   /* before the storm */
    const char *counted; /* whose CPU that is, for people */
};

/* What the gateway said and what its clock showed, over the storm alone (key generation and start
 * excluded). */
struct ls_gateway_account {
    const char *source; /* "embedded", "process", "cgroup", "exporter" or "none" */
    int workers;
    int64_t cpu_ns, user_ns,
        system_ns;  /* all workers; user + system may differ from cpu by clock ticks; of an outside
                          gateway negative when not known */
    int64_t tls_ns; /* thread CPU around the TLS steps alone */
    int64_t waited_ns; /* ready to run while something else held its core; in no CPU clock */
    int64_t accepted, server_flights, secured,
        failed;                          /* these three lines: negative when not known */
    const struct ls_cpu_sample *samples; /* ascending; may be empty */
    size_t samples_count;
    /* TLS CPU of single handshakes that were secured, evenly out of all of them; may be empty */
    const struct ls_burst *bursts;
    size_t bursts_count;
    /* Of an outside gateway: what it took anyway, which is in cpu_ns no more, how far that may be off,
     * and whether that is of all programs on its machine. */
    int64_t baseline_ns, baseline_error_ns;
    bool whole_machine;
    struct ls_outside_clock clock;
};

/* A closed loop that was played: logins first to first + count - 1, `concurrency` at a time. */
struct ls_played_wave {
    bool sequence; /* one after another; else as many at a time as it says, which may be 1 too */
    size_t first, count;
    int64_t concurrency;
};

/* What an outside gateway showed to who looked before the storm. */
struct ls_shown {
    char key[24];      /* of its certificate: "rsa-4096"; "" where the kind is not known here */
    char version[8];   /* of that handshake: "1.3" */
    char group[24];    /* "X25519" */
    char expires[16];  /* the certificate's last day, "2027-01-31"; "" where that cannot be read */
    int chain_length;  /* certificates that were sent; 0: nobody looked */
    int64_t days_left; /* whole days until then; negative: it has expired */
};

/* A storm that several machines play, a share of its users each, which is a shard: this result is of one of them. */
#define LS_HOST_SIZE 65
#define LS_VERSION_SIZE 32
struct ls_shard {
    int index, count;              /* shard `index` of `count`, from 1; count 0: it is no shard */
    char host[LS_HOST_SIZE];       /* the machine's own name */
    char version[LS_VERSION_SIZE]; /* of loginstorm */
    /* The clock's error as its keeper (NTP) has it, or as it was measured against the first shard's; negative: nobody
     * keeps it. */
    int64_t clock_error_ns;
    int64_t clock_ahead_ns,
        clock_behind_ns; /* of the first shard's, one of them; negative: not measured */
};

/* The moments of a shard's run, on the clock on the wall (ns since 1970, UTC), and what its machine alone read of a
 * gateway that all shards storm. */
struct ls_shard_run {
    int64_t start_at_ns; /* agreed; negative: it began when it was ready */
    int64_t started_ns;  /* of merged ones the first of them; 0: it is no shard's */
    int64_t gateway_user_ns, gateway_system_ns; /* negative: not known */
    int64_t gateway_baseline_ns, gateway_baseline_error_ns;
    bool gateway_whole_machine;
};

/* One of the shards that a result was merged of. */
struct ls_merged {
    bool missing;
    char host[LS_HOST_SIZE]; /* "" where it is missing */
    /* As in struct ls_shard; negative: not known. */
    int64_t clock_error_ns, clock_ahead_ns, clock_behind_ns;
    /* Of its runs the worst: by how much later than agreed it began, and the p99 of its users' start lag. */
    int64_t start_skew_ns, start_lag_p99_ns;
};

/* One run (one certificate) as measured: the conductor fills it and keeps what it points to. */
struct ls_measurement {
    const char *certificate; /* its name in the scenario */
    const char *key;         /* "rsa-4096" */
    int repeat;              /* which round of a repeated storm, from 1; 0 is 1 */
    bool live;               /* else model */
    const struct ls_record *record;
    /* Whose rows these are. Where that are not all users, the gateway's CPU is for more than they did, and is divided
     * by nothing. */
    struct ls_share share;
    bool gateway_shared; /* so it is for another reason */
    /* Millionths of the most that several read of its CPU, by which the least is below that; 0: it was read once. */
    int64_t gateway_apart;
    struct ls_shard_run shard;
    int64_t start_skew_ns; /* as in ls_validity */
    double speedup;
    int64_t from_ns, window_ns; /* of the scenario: time of day, length */
    struct ls_gateway_account gateway;
    int64_t injector_cpu_ns; /* the busiest injector in its busiest second, and how long that was */
    int64_t injector_wall_ns;
    double connections_per_login; /* of the scenario's populations; 0: as in the record */
    int64_t injectors_cpu_ns; /* all, from the start signal to the last decision; 0: not known */
    int64_t worst_stall_ns, clock_gap_ns;
    int64_t sessions_lost; /* held sessions that ended before they should */
    struct ls_kernel_counts kernel;
    bool partial;             /* ended early */
    const char *partial_why;  /* "SIGINT", "the gateway died (signal 9)" or NULL */
    const char *const *notes; /* what a reader of its figures must know; NULL-ended, or NULL */
    const struct ls_published *published; /* NULL: nothing */
    const struct ls_shown *shown;         /* NULL: nobody looked */
    const struct ls_played_wave *waves;   /* of closed loops, in their order; none: an open loop */
    size_t waves_count;
    /* from the schedule, at the scenario's own pace; negative in a closed loop */
    int64_t peak_minute_at_ns, peak_minute_logins, peak_second_at_ns, peak_second_logins;
};

struct ls_moment {
    int64_t at_ns; /* scenario time from the window's start: the slice's beginning */
    int64_t due, logged_in, failed;
    int64_t in_flight;      /* logins due and not done at the slice's end */
    int64_t peak_in_flight; /* the most of them at any moment of the slice; negative: not known, in
                               results made before it was there */
    int64_t p50_ns, p99_ns, p100_ns; /* login latency of those done in the slice; LS_NEVER_NS when
                                        none; p99 also in results made before it was there */
    double gateway_cpu_share;        /* cores used in the slice; negative when not known */
};

/* A closed loop as measured. The latencies are of the logged in, and of the first connection of each. */
struct ls_wave_figures {
    bool sequence;
    int64_t logins, concurrency; /* as asked for */
    int64_t logged_in, failed, cut_off;
    int64_t duration_ns;           /* first start to last end; LS_NEVER_NS when nobody came */
    double logins_per_s;           /* logged in / duration; negative when there is none */
    struct ls_quantiles secured;   /* start to TLS: TCP and TLS together (what ab calls Connect) */
    struct ls_quantiles handshake; /* TCP to TLS */
    struct ls_quantiles login;     /* start to logged in */
    int64_t
        *each_ns; /* handshakes of a sequence in their order, LS_NEVER_NS where there was none; NULL
                         where they are more than LS_EACH_MAX */
    size_t each_count;
};
#define LS_EACH_MAX 100

/* A figure over many mornings, by nearest ranks: latencies in ns, LS_NEVER_NS where so many failed that
 * there is no end (longer than any), shares in millionths. */
struct ls_range {
    int64_t median, low, high; /* the middle 95 % of the mornings lie between these */
    int64_t in_95;             /* what 95 % of them stay at or below */
    int64_t worst;
};

/* Sorts values in place; negative ones are the largest, and unknown. count 0: all is unknown. */
void ls_range_of(struct ls_range *out, int64_t *values, size_t count);

/* A simulated run's mornings: the first is the run, the others differ by their seeds. */
struct ls_run_mornings {
    int64_t count;                                               /* 0: this is no simulation */
    struct ls_range login_p50, login_p95, login_p99, login_p100; /* of the logged in */
    struct ls_range of_all_p50, of_all_p95, of_all_p99, of_all_p100;
    struct ls_range failed_share;       /* of the logins */
    struct ls_range peak_minute_logins; /* negative in a closed loop */
    struct ls_range gateway_peak_share; /* of one gateway's cores, in its own fullest minute */
    /* Of the first: logins of users who had to come again after an event, and how many users
     * those were. Each such login is a row of its own behind the schedule's. */
    int64_t returned, returned_users;
};

/* A post-quantum key share alone is longer (X25519MLKEM768: 1,216 bytes), and no other Client Hello
 * of ours comes near it. */
#define LS_LONG_HELLO_BYTES 1200

struct ls_run {
    char *certificate, *key;
    int repeat; /* which round of a repeated storm, from 1 */
    bool live, partial;
    char *partial_why;
    struct ls_validity validity;
    int64_t total, logged_in, failed, cut_off;
    int64_t by_reason[LS_REASON_COUNT]; /* of failed logins */
    int64_t retried;                    /* logins that needed more than one attempt */
    int64_t sessions_lost;
    int64_t handshakes_total, handshakes_full, handshakes_resumed, handshakes_failed,
        handshakes_cut_off, hello_retries;
    int64_t
        handshakes_offered; /* of full and resumed: they brought a ticket of an earlier session */
    int64_t handshakes_by_reason[LS_REASON_COUNT];
    /* Of the failed: their Client Hello was longer than LS_LONG_HELLO_BYTES, and not a byte came to
     * it but a reset or an end; negative when not known. */
    int64_t long_hellos_unanswered;
    struct ls_kernel_counts kernel;
    struct ls_quantiles connect, handshake,
        login; /* connected-started, ended-connected (secured ones), done-due (logged in) */
    struct ls_distribution handshake_distribution, login_distribution; /* of the same */
    /* means a secured handshake, of hello and flight a full one, as its row in record.h says; negative when there was none (of
     * tickets: none that knows). The two last are all of a handshake: hello to Finished, and flight
     * with tickets. */
    double client_hello_bytes, server_flight_bytes, ticket_bytes, to_gateway_bytes,
        from_gateway_bytes;
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
    int64_t peak_minute_at_ns, peak_minute_logins, peak_second_at_ns,
        peak_second_logins; /* negative in a closed loop */
    int64_t peak_in_flight; /* logins started and not done, measured in the run as it went */
    int64_t peak_handshakes_in_flight; /* connections between connect() and secured, the same way */
    double cores_at_peak_minute, cores_at_peak_second; /* at the scenario's own pace */
    struct ls_published published;
    struct ls_shown shown;
    struct ls_wave_figures *waves; /* of closed loops; none: an open loop */
    size_t waves_count;
    struct ls_moment *timeline;
    size_t timeline_count;
    int64_t slice_ns; /* scenario time of one timeline row */
    struct ls_run_mornings mornings;
    struct ls_shard_run shard;
};

struct ls_target_outcome {
    char name[32];
    int64_t limit, value; /* ns for latencies, millionths for shares; value is negative when it is
                             not known, and the target then not met */
    bool is_share;
    bool met;
    bool never; /* so many failed that the latency has no end: known, and missed */
};

struct ls_comparison;

struct ls_result {
    char *created; /* RFC 3339, UTC */
    char *name, *sha256, *timezone;
    uint64_t seed;
    int64_t users;
    bool closed;                /* closed loops, else open arrivals */
    int64_t from_ns, window_ns; /* of a closed loop 0, and its timelines count from its start */
    double speedup;
    double resume_share; /* of the users: who were to come with a ticket of an earlier session */
    char *host_cpu, *host_kernel, *tls_library, *tls_build;
    int host_cores;
    int injectors;
    char *costs;     /* of a simulation: where its handshakes' costs are from, for people; NULL */
    char *target;    /* "embedded", or the outside gateway's HOST:PORT; NULL in results made before
                        there were others */
    char *placement; /* "1 worker on core 0 · 1 injector on core 1": for people */
    struct ls_shard shard;
    struct ls_merged *merged; /* shard by shard; NULL: it was not merged */
    size_t merged_count;
    bool partial;
    char **notes; /* what the scenario asks for and this command leaves out, and what was done with
                     recorded curves; NULL-ended or NULL */
    struct ls_run *runs;
    size_t runs_count;
    struct ls_target_outcome *targets; /* the worst run counts, of a simulation as 95 % of its
                                          mornings stay at or below; empty when the scenario has none */
    size_t targets_count;
    struct ls_comparison *comparison; /* of its certificates (comparison.h); NULL: none */
};

/* Works one measurement out. Checks users = logged in + failed + cut off (LS_EBROKEN otherwise). */
LS_MUST_CHECK
enum ls_code ls_run_build(struct ls_run *run, const struct ls_measurement *measurement,
                          struct ls_error *err);
/* Bytes that it takes beside the record and the run, at the most. */
int64_t ls_run_memory(size_t logins, size_t handshakes);
void ls_run_clear(struct ls_run *run);

/* The cores that the scenario's fullest minute wants when it is played `speedup` times as dense, where
 * that is more than the gateway has: its queue is then the speed-up's. 0 where it is not, at the
 * scenario's own pace, and where it is not known. */
double ls_run_overrun(const struct ls_run *run, double speedup);

void ls_result_free(struct ls_result *result); /* frees what it points to, and itself */

/*
 * "login_p99" <= limit over all runs (the worst counts); appended to result->targets. The names are
 * those of the scenario: login_p50 login_p95 login_p99 login_p100 (ns), failed (millionths of the
 * users), gateway_cpu_peak (millionths of the gateway's cores, one a worker, that the scenario's
 * fullest minute takes at its own pace). Another name: LS_EBROKEN. What was not played to its end
 * (result->partial is to be set before) has met nothing: not known, where no whole run missed it.
 */
LS_MUST_CHECK
enum ls_code ls_result_add_target(struct ls_result *result, const char *name, int64_t limit,
                                  struct ls_error *err);

/* The targets that there are, from 0; NULL beyond the last. */
const char *ls_target_name(size_t which);

/* One of a result's targets (name and limit are set) held against one run alone: fills value, met and
 * never. */
void ls_run_target(const struct ls_run *run, struct ls_target_outcome *target);

enum ls_judgement { LS_TARGET_MET, LS_TARGET_MISSED, LS_TARGET_NOT_JUDGED };
enum ls_judgement ls_target_judgement(const struct ls_target_outcome *target);

/* By how much it was missed, in the limit's unit; negative where it was not, where that is not known, and
 * where so many failed that there is no value. */
int64_t ls_target_excess(const struct ls_target_outcome *target);

LS_MUST_CHECK
enum ls_code ls_result_to_json(const struct ls_result *result, json_t **root, struct ls_error *err);
LS_MUST_CHECK
enum ls_code ls_result_from_json(struct ls_result **out, const json_t *root, const char *path,
                                 struct ls_error *err);

/* The JSON Schema (draft 7) of result.json. What it refuses is refused by ls_result_from_json, too, which
 * knows more: that points ascend, that a slice begins where it must. */
LS_MUST_CHECK
enum ls_code ls_result_write_schema(FILE *stream, struct ls_error *err);

/* One run's rows, `certificate` in the first column and its round in the last; the header line only
 * when with_header. share: whose rows they are (NULL: of all users). populations are the scenario's names by index, or NULL: the index itself. LS_EWRITE when the
 * stream does not take it all. */
LS_MUST_CHECK
enum ls_code ls_samples_write(FILE *stream, const char *certificate, int repeat,
                              const struct ls_record *record, const struct ls_share *share,
                              const char *const *populations, bool with_header,
                              struct ls_error *err);
LS_MUST_CHECK
enum ls_code ls_handshakes_write(FILE *stream, const char *certificate, int repeat,
                                 const struct ls_record *record, const struct ls_share *share,
                                 bool with_header, struct ls_error *err);
LS_MUST_CHECK
enum ls_code ls_timeline_write(FILE *stream, const struct ls_run *run, int64_t from_ns,
                               bool with_header, struct ls_error *err);

#endif
