/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef LOGINSTORM_SCENARIO_H
#define LOGINSTORM_SCENARIO_H

/*
 * A scenario: what a YAML file says about a morning, checked, with all defaults filled in, and
 * read-only from then on.
 *
 *     YAML text -> [scenario] -> schedule -> engine / model -> samples -> result -> report
 *
 * Times of day inside the window are offsets from its start (…_at_ns), so that a window across
 * midnight needs no care.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "loginstorm/error.h"
#include "loginstorm/published.h"

enum ls_shape {
    LS_SHAPE_UNIFORM,
    LS_SHAPE_POISSON,
    LS_SHAPE_NORMAL,
    LS_SHAPE_RAMP,
    LS_SHAPE_BURST,
    LS_SHAPE_POINTS,
    LS_SHAPE_RECORDED,
    /* Closed loops: who comes next waits for one before him, not for a moment of the day. */
    LS_SHAPE_SEQUENCE, /* one after another, as a loop around curl does */
    LS_SHAPE_CLOSED,   /* so many at a time, as ab does */
};
enum ls_placement { LS_PLACEMENT_RANDOM, LS_PLACEMENT_EVEN };

struct ls_rate_point {
    int64_t at_ns;
    double per_s;
};

/* One wave of arrivals. Several open ones add up by their shares; several closed loops are played one
 * after another. Fields that a shape does not use are 0. */
struct ls_wave {
    enum ls_shape shape;
    enum ls_placement placement;
    double share;         /* of the users; over all waves 1. Negative where several recorded
                             curves say themselves how many users they bring */
    int64_t middle_at_ns; /* normal */
    int64_t spread_ns;    /* normal: standard deviation (worked out from share_in_middle_sixth where
                             that was given) */
    double share_in_middle_sixth;       /* normal: as given or defaulted; 0 when spread was given */
    double from_per_s, to_per_s;        /* ramp; only the ratio matters, `users` is always kept */
    int64_t burst_at_ns, burst_over_ns; /* burst */
    struct ls_rate_point *points;       /* points: ascending; rates between are linear */
    size_t points_count;
    char *curve;      /* recorded: path as written (ls_scenario_path finds it) */
    char *day;        /* recorded: "YYYY-MM-DD", "average", "worst", or NULL: the only one */
    double scale;     /* recorded: not above 0 where it was not given */
    int64_t requests; /* closed loops: logins in all (of a sequence: its runs) ... */
    int concurrency;  /* ... and at a time (of a sequence: 1) */
};

/* What users ask for where nothing says; no gateway of anybody's has it (RFC 2606). */
#define LS_SERVER_NAME_DEFAULT "gateway.loginstorm.test"

enum ls_tls_version { LS_TLS_1_2, LS_TLS_1_3 };
enum ls_verify { LS_VERIFY_CHAIN, LS_VERIFY_LEAF, LS_VERIFY_NONE };

/* What a client shows to a gateway that asks for a certificate: paths, as those of a certificate from
 * files. All NULL: nothing. */
struct ls_client_wish {
    char *chain, *private_key;
    char *password_file, *password_env; /* one of them, or NULL */
};

/* Names of groups and ciphers as the scenario writes them: "X25519", "TLS_AES_256_GCM_SHA384".
 * NULL-ended lists, never NULL themselves. key_shares is empty where only TLS 1.2 is spoken, which
 * has none; ciphers holds suites of each version that is offered. */
struct ls_tls_wish {
    enum ls_tls_version min, max;
    char **groups;
    char **key_shares;
    char **ciphers;
    double resume_share;
    char *server_name;
    enum ls_verify verify;
    char **alpn; /* offered, in order; NULL: the extension is left out */
    struct ls_client_wish client;
};

/* What a handshake of such users with the embedded gateway comes to: the newest version of theirs ("1.2",
 * "1.3"), and the group whose key they send first ("X25519"). Both belong to wish. */
const char *ls_tls_wish_version(const struct ls_tls_wish *wish);
const char *ls_tls_wish_group(const struct ls_tls_wish *wish);

struct ls_population {
    char *name;
    double share;    /* over all populations 1 */
    int connections; /* TLS connections a login, one after another */
    struct ls_tls_wish tls;
    int64_t rtt_ns, jitter_ns; /* for the simulation */
};

enum ls_hold { LS_HOLD_NONE, LS_HOLD_UNTIL_END, LS_HOLD_DURATION };
enum ls_jitter { LS_JITTER_NONE, LS_JITTER_EQUAL, LS_JITTER_FULL };
enum ls_close { LS_CLOSE_FIN, LS_CLOSE_RESET };

#define LS_REQUEST_PATH_MAX 500

struct ls_login_wish {
    int64_t send_bytes, receive_bytes; /* both 0: handshake only */
    char *path;                        /* what an outside gateway is asked for */
    enum ls_hold hold;
    int64_t hold_ns;
    int64_t connect_timeout_ns, handshake_timeout_ns, login_timeout_ns;
    int attempts; /* in all, at least 1 */
    int64_t retry_wait_ns;
    double retry_factor;
    enum ls_jitter retry_jitter;
    enum ls_close close;
};

#define LS_CORES_MAX 256
enum ls_cpu_source { LS_CPU_NONE, LS_CPU_EMBEDDED, LS_CPU_PROCESS, LS_CPU_EXPORTER, LS_CPU_CGROUP };

struct ls_gateway_wish {
    bool embedded;
    char *target; /* "embedded" or HOST:PORT */
    int workers;
    int cores[LS_CORES_MAX];
    int cores_count; /* 0: not pinned */
    int backlog;
    bool tickets;
    char **allow_addresses; /* NULL-ended, or NULL */
    char *authorised_by, *until;
    int64_t max_connections_per_s, max_open; /* 0: as the program's caps have it */
    int64_t max_duration_ns;
    char *trust;         /* path of the CAs of an outside gateway; NULL: the system's */
    bool first_look;     /* before the storm, whether users could log in at all */
    bool proxy_v2;       /* each connection begins with a PROXY header ... */
    char *proxy_sources; /* ... whose source is a host of this network, by the user's number */
    enum ls_cpu_source cpu_from;
    int64_t cpu_pid;
    char *cpu_process, *cpu_url, *cpu_path; /* NULL where its source has none */
};

/* Key kinds in the order of the format's list; ls_key_name gives the scenario's word ("rsa-4096").
 */
enum ls_key {
    LS_KEY_RSA_2048,
    LS_KEY_RSA_3072,
    LS_KEY_RSA_4096,
    LS_KEY_ECDSA_P256,
    LS_KEY_ECDSA_P384,
    LS_KEY_ECDSA_P521,
    LS_KEY_ED25519,
    LS_KEY_ML_DSA_44,
    LS_KEY_ML_DSA_65,
    LS_KEY_FILE, /* from chain and private_key */
};
const char *ls_key_name(enum ls_key key);

/* Why users with those settings cannot log in to a certificate of such a key ("rsa-4096", ...; static
 * text), or NULL: they can. Nothing is said of "file". */
const char *ls_key_refusal(const char *key, const struct ls_tls_wish *tls);

struct ls_certificate {
    char *name;
    enum ls_key key;
    struct ls_published published;
    char *
        server_name; /* what users ask for in this certificate's run, instead of their population's name;
                          NULL: that */
    char *chain, *private_key;          /* paths, for LS_KEY_FILE; so are those below */
    char *password_file, *password_env; /* of an encrypted private key; one of them, or NULL */
    char *trust;                        /* the CA's certificate, or NULL */
    /* Where it stands, for messages about its files: the scenario's path or "--set ..." (NULL: it was not read),
     * and line and column there, 0 where there are none. */
    char *origin;
    int line, column;
};

enum ls_issuer_send { LS_SEND_LEAF, LS_SEND_CHAIN };
enum ls_profile { LS_PROFILE_PLAIN, LS_PROFILE_ADCS_WEBSERVER, LS_PROFILE_ADCS_V2 };
struct ls_issuer {
    enum ls_key key;
    enum ls_issuer_send send;
    enum ls_profile profile;
};

enum ls_balancing { LS_ROUND_ROBIN, LS_LEAST_CONNECTIONS, LS_RANDOM, LS_SOURCE_HASH };
enum ls_cost_kind { LS_COST_PROFILE, LS_COST_FIXED, LS_COST_EXPONENTIAL, LS_COST_LOGNORMAL };

struct ls_farm {
    bool given;
    int gateways, cores;
    double cpu_factor; /* relative to this host */
    char *openssl_speed;
    enum ls_balancing balancing;
    int backlog;
    enum ls_cost_kind cost_kind;
    char *costs;     /* path, for LS_COST_PROFILE, or NULL: this host's */
    int64_t cost_ns; /* fixed value or mean */
    double cost_scv;
    int64_t login_cpu_ns;
    bool drops_closed;
    bool classic_syn_retries;
    int64_t capacity_logins, capacity_in_ns; /* 0: none given */
    int spare;
};

enum ls_event_kind { LS_EVENT_GATEWAY_DOWN, LS_EVENT_RECONNECT };
struct ls_event {
    enum ls_event_kind kind;
    int64_t at_ns;
    int64_t gateways;    /* gateway_down: how many */
    double share;        /* reconnect */
    int64_t duration_ns; /* for: / over: */
};

/* A limit that was not given is negative. */
struct ls_targets {
    int64_t login_p50_ns, login_p95_ns, login_p99_ns, login_p100_ns;
    double failed_share, gateway_cpu_peak_share;
};

struct ls_scenario {
    char *name;
    int64_t users; /* 0: as many as the recorded curves hold, times their scales; of closed loops
                      the sum of their requests */
    uint64_t seed;
    bool seed_drawn;   /* not in the file: drawn by the loader */
    int64_t from_ns;   /* time of day at which the window opens */
    int64_t window_ns; /* both 0 in a closed loop, which has no window */
    char *timezone;    /* NULL when not given */
    struct ls_wave *waves;
    size_t waves_count;
    struct ls_population *populations;
    size_t populations_count;
    struct ls_login_wish login;
    struct ls_gateway_wish gateway;
    struct ls_certificate *certificates;
    size_t certificates_count; /* 0 only for an outside gateway */
    struct ls_issuer issuer;
    double speedup;
    struct ls_farm farm;
    struct ls_event *events;
    size_t events_count;
    struct ls_targets targets;
    char *folder; /* of its file; NULL: the current one */
    void *memory; /* owns every pointer above */
};

/* What the command line changes: "arrivals.middle=08:20", "users=600", "populations.0.share=0.5".
 */
struct ls_scenario_change {
    const char *path;
    const char *value;
};

/* Those of a command line, in its order. Zeroed: none. */
#define LS_SCENARIO_CHANGES_MAX 64
struct ls_scenario_changes {
    struct ls_scenario_change list[LS_SCENARIO_CHANGES_MAX];
    size_t count;
    char paths[LS_SCENARIO_CHANGES_MAX][256]; /* of list, where ls_scenario_changes_set took them */
};

/* path and value must stay. LS_EUSAGE: too many. */
LS_MUST_CHECK
enum ls_code ls_scenario_changes_add(struct ls_scenario_changes *changes, const char *path,
                                     const char *value, struct ls_error *err);
/* "PATH=VALUE", which must stay. LS_EUSAGE also where it is none. */
LS_MUST_CHECK
enum ls_code ls_scenario_changes_set(struct ls_scenario_changes *changes, const char *text,
                                     struct ls_error *err);

/*
 * Loads path ("-" is stdin; at most 1 MiB), applies the changes, types, checks and fills in
 * defaults. On failure *out is NULL and errors holds what is wrong, in the order of the file, the
 * user's line and column with each (a wrong change has the path
 * "--set users=x"). LS_EINPUT, LS_ENOINPUT or LS_ENOMEM.
 */
LS_MUST_CHECK
enum ls_code ls_scenario_load(struct ls_scenario **out, const char *path,
                              const struct ls_scenario_change *changes, size_t changes_count,
                              struct ls_errors *errors);

/* The same from text; path is for messages. */
LS_MUST_CHECK
enum ls_code ls_scenario_parse(struct ls_scenario **out, const char *path, const char *text,
                               size_t size, const struct ls_scenario_change *changes,
                               size_t changes_count, struct ls_errors *errors);
void ls_scenario_free(struct ls_scenario *scenario);

/* Whether its arrivals are closed loops: then all of them are. */
bool ls_scenario_is_closed(const struct ls_scenario *scenario);
bool ls_shape_is_closed(enum ls_shape shape);

/*
 * The scenario with every default and change filled in, as YAML that parses to the same scenario
 * again (tested). This is what `check` shows and what lies in a run's folder. with_notes adds what
 * a field means, as comments.
 */
LS_MUST_CHECK
enum ls_code ls_scenario_write(const struct ls_scenario *scenario, bool with_notes, FILE *stream,
                               struct ls_error *err);

/* The same as NUL-ended text that the caller frees, without notes: what a digest is taken of, and what a process is handed. */
LS_MUST_CHECK
enum ls_code ls_scenario_text(const struct ls_scenario *scenario, char **text, size_t *size,
                              struct ls_error *err);

/* Where a file that the scenario names is: a relative path begins at the folder of the scenario's
 * own file, so that both can be moved together. LS_ERANGE when that is longer than size. */
LS_MUST_CHECK
enum ls_code ls_scenario_path(const struct ls_scenario *scenario, const char *path, char *out,
                              size_t size, struct ls_error *err);

/* The JSON Schema of the format, made from the table that the parser reads by. */
LS_MUST_CHECK
enum ls_code ls_scenario_write_schema(FILE *stream, struct ls_error *err);

#endif
