/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_COSTS_H
#define LOGINSTORM_COSTS_H

/*
 * The cost profile: what one TLS handshake cost a gateway in CPU, as it was measured. The file
 * between `calibrate` (or any live storm) and the farm in virtual time.
 *
 *     calibrate -> costs.json -.
 *     run -> result.json ------`-> [costs] -> model, plan
 *
 * All CPU is that of one core of the host in `host_cpu`, in ns; another host's is a multiple of it.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "loginstorm/error.h"
#include "loginstorm/json.h"
#include "loginstorm/result.h"

/* A distribution as a profile keeps it: nearest-rank quantiles at 0 (the least), 1, 2, ... 100 %. */
#define LS_SPREAD_POINTS 101
struct ls_spread {
    int64_t count; /* samples that it was made of; 0: only the mean is known */
    double mean_ns;
    int64_t points_ns[LS_SPREAD_POINTS];
};

/* Sorts values in place. count 0 gives an unknown spread (mean_ns and all points negative). */
void ls_spread_of(struct ls_spread *out, int64_t *values, size_t count);

/* From the quantiles that a result keeps: they are met exactly, and between two of them lies a
 * straight line. */
void ls_spread_of_quantiles(struct ls_spread *out, const struct ls_quantiles *quantiles);

/* A kind of handshake at one load. What is not known is negative. */
struct ls_cost_at {
    double per_s;      /* handshakes a second that were offered */
    double core_share; /* of its core that the gateway was busy: 0..1 */
    int64_t handshakes;
    double
        cpu_ns; /* the gateway's whole CPU (user and system) for each, request and answer with it */
    double user_ns, system_ns, tls_ns;
    double cpu_low_ns, cpu_high_ns; /* a 95 % interval of cpu_ns, over rounds */
    /* CPU inside the TLS library for single handshakes: from a Client Hello's arrival to the server's first flight, and all the
     * rest up to where it is secured. Their means add up to tls_ns, less what requests and goodbyes
     * take in there. */
    struct ls_spread hello, finish;
    double client_ns; /* the injector's CPU for each, request and answer with it */
    /* What a user saw, idle waits and both CPUs within: TCP, hello to secured, due to logged in. */
    struct ls_spread connect, handshake, login;
    int rounds;              /* that it is made of */
    enum ls_verdict verdict; /* the worst of them */
};

/* Of a gateway that is not ours: the line that the cost is the slope of, its CPU in cores over handshakes a second. */
struct ls_cost_point {
    double offered_per_s, per_s, cores;
    double residual_cores; /* cores less those of the line */
};
struct ls_cost_line {
    char *gateway;                          /* HOST:PORT */
    char *clock;                            /* "process", "cgroup" or "exporter" */
    char *counted;                          /* "process 4711 and its children" */
    double idle_cores, idle_low, idle_high; /* the intercept with its 95 % interval; any sign */
    double r2;
    struct ls_cost_point *points; /* in the order in which they were played */
    size_t points_count;          /* 0: the cost is of no line */
};

#define LS_COST_LOADS_MAX 8
struct ls_cost {
    char *certificate;    /* its name where it was measured, for people */
    char *key;            /* "ecdsa-p256" */
    char *group;          /* "X25519"; NULL: whatever the users of that storm took */
    char *version;        /* "1.2" or "1.3"; NULL likewise */
    bool resumed;         /* by a ticket; else full */
    double resumed_share; /* of a storm that mixed both (then it is of no one kind); else 0 or 1 */
    /* Of the request behind each handshake; 0 and 0: none. Negative: not known. */
    int64_t send_bytes, receive_bytes;
    struct ls_cost_at at[LS_COST_LOADS_MAX]; /* ascending by core_share */
    size_t at_count;
    struct ls_cost_line line;
};

/* What `openssl speed` says of a host: signatures a second of one core. */
#define LS_SPEED_KEYS                                                                              \
    7 /* LS_KEY_RSA_2048 ... LS_KEY_ED25519, in the order of the scenario's keys */
struct ls_openssl_speed {
    char *version;                    /* "3.0.19"; NULL: it names none */
    double sign_per_s[LS_SPEED_KEYS]; /* negative: no line of that kind */
};

struct ls_costs {
    char *path; /* where it was read from, for messages; NULL: it was not */
    /* "calibrate", "outside": likewise, of a gateway that is not ours, "run", or "published": by hand, of others'
     * figures */
    char *source;
    char *created; /* RFC 3339, UTC */
    char *host_cpu, *host_kernel, *tls_library, *tls_build;
    int host_cores;
    /* All CPU below is multiplied by factor; its true value lies between factor * low and factor *
     * high (1, 1, 1 on this host). `translation` says by what, for people; NULL: by nothing. */
    double factor, low, high;
    char *translation;
    char *left_out; /* what is not among the rows and why, for people; NULL: nothing */
    struct ls_openssl_speed openssl; /* of this host, for a translation; version NULL: not known */
    /* How long, and how often a second, a core of the host that was wanted did nothing for whoever
     * wanted it: what a hypervisor and the kernel take. In every CPU clock, and in every latency of a live
     * storm. pauses.count 0: not known. */
    struct ls_spread pauses;
    double pauses_per_s;
    struct ls_cost *rows;
    size_t count;
};

void ls_costs_free(struct ls_costs *costs); /* what it points to, and itself */

/* path is a cost profile, or a live result.json (each run gives a row with one load). LS_ENOINPUT,
 * LS_EINPUT with path and what is wrong. */
LS_MUST_CHECK
enum ls_code ls_costs_load(struct ls_costs **out, const char *path, struct ls_error *err);
LS_MUST_CHECK
enum ls_code ls_costs_of_result(struct ls_costs **out, const struct ls_result *result,
                                struct ls_error *err);
LS_MUST_CHECK
enum ls_code ls_costs_to_json(const struct ls_costs *costs, json_t **root, struct ls_error *err);
LS_MUST_CHECK
enum ls_code ls_costs_from_json(struct ls_costs **out, const json_t *root, const char *path,
                                struct ls_error *err);

/*
 * The row that comes nearest to a handshake of that kind, or NULL with the reason in err (LS_EINPUT),
 * which says what the profile has: key must be the same, so must resumed (a row of both kinds mixed is of
 * neither); group and version where the row has them (a wish of NULL takes any). *exact tells
 * whether the row has all that was wished for.
 */
const struct ls_cost *ls_costs_find(const struct ls_costs *costs, const char *key,
                                    const char *group, const char *version, bool resumed,
                                    bool *exact, struct ls_error *err);

/* What a gateway that is not ours takes with nobody logging in is in no handshake's cost, and a farm in virtual time does
 * without it: a clause that says how much that is, of the row with the most. False for other costs, and where it is
 * below a hundredth of a core. size >= 200 */
bool ls_costs_idle_text(const struct ls_costs *costs, char *out, size_t size);

/* Costs on another CPU: a core there is `speed` times as fast as here (0.6 is slower). One factor is
 * right for no two kinds of work at once, so the true value lies within 20 % of it (speed 1: as
 * before). LS_EINPUT for a speed that no CPU has. */
LS_MUST_CHECK
enum ls_code ls_costs_scale(struct ls_costs *costs, double speed, struct ls_error *err);

/*
 * Costs on another CPU, each key kind by its own ratio of signatures a second in the `openssl speed`
 * of both hosts, here (NULL: costs->openssl) and there (there_path for messages). The same version of
 * OpenSSL on both: within 20 %. Refused with LS_EINPUT, and costs are as before, where the versions
 * differ (then a handshake has to be measured there) or where one of them has no line of a row's kind. Latencies
 * and the injector's CPU stay those of the measurement.
 */
LS_MUST_CHECK
enum ls_code ls_costs_translate(struct ls_costs *costs, const struct ls_openssl_speed *here,
                                const struct ls_openssl_speed *there, const char *there_path,
                                struct ls_error *err);

/* Reads what `openssl speed rsa ecdsa eddsa` printed, as a table or with -mr, the version from
 * its own first line or from that of `openssl version`. Other lines are passed over; LS_EINPUT when
 * there is no line of a signature at all. */
LS_MUST_CHECK
enum ls_code ls_openssl_speed_parse(struct ls_openssl_speed *out, const char *path,
                                    const char *text, size_t size, struct ls_error *err);
LS_MUST_CHECK
enum ls_code ls_openssl_speed_load(struct ls_openssl_speed *out, const char *path,
                                   struct ls_error *err);
void ls_openssl_speed_clear(struct ls_openssl_speed *speed);

/* "rsa-2048", ...: the key kind of sign_per_s[i]. */
const char *ls_openssl_speed_key(size_t i);

/*
 * Works one load out of its rounds: medians, with a 95 % interval of their mean from two rounds on.
 * Rounds that are invalid or ended early are left out; false when none is left that knows the
 * gateway's CPU. The spreads of hello and finish are not known from runs (their caller has the samples), and those
 * of latencies are the median of the rounds' quantiles.
 */
bool ls_cost_at_of(struct ls_cost_at *out, const struct ls_run *const *rounds, size_t count,
                   double speedup);

/* The JSON Schema (draft 7) of its file. */
LS_MUST_CHECK
enum ls_code ls_costs_write_schema(FILE *stream, struct ls_error *err);

#endif
