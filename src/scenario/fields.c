/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenario/field.h"

#include "loginstorm/units.h"

#define IN(type, member)                                                                           \
    .at = offsetof(struct type, member), .size = sizeof(((struct type *)0)->member)
#define COUNT(type, member) .count_at = offsetof(struct type, member)
#define FIELDS(array) .fields = (array), .count = sizeof(array) / sizeof(array)[0]
#define MS LS_NS_PER_MS
#define DAY LS_NS_PER_DAY

static const char *const words_shape[] = {"uniform", "poisson", "normal",   "ramp",
                                          "burst",   "points",  "recorded", NULL};
static const char *const words_placement[] = {"random", "even", NULL};
static const char *const words_verify[] = {"chain", "leaf", "none", NULL};
static const char *const words_jitter[] = {"none", "equal", "full", NULL};
static const char *const words_close[] = {"fin", "reset", NULL};
static const char *const words_cpu[] = {"none", "embedded", "process", "exporter", NULL};
static const char *const words_send[] = {"leaf", "chain", NULL};
static const char *const words_profile[] = {"plain", "adcs-webserver", "adcs-v2", NULL};
static const char *const words_balancing[] = {"round_robin", "least_connections", "random",
                                              "source_hash", NULL};
static const char *const words_host[] = {"this-host", NULL};
static const char *const words_syn[] = {"linux", "classic", NULL};
static const char *const words_group[] = {"X25519",
                                          "P-256",
                                          "P-384",
                                          "P-521",
                                          "X25519MLKEM768",
                                          "SecP256r1MLKEM768",
                                          "SecP384r1MLKEM1024",
                                          NULL};
static const char *const words_cipher[] = {"TLS_AES_256_GCM_SHA384",
                                           "TLS_AES_128_GCM_SHA256",
                                           "TLS_CHACHA20_POLY1305_SHA256",
                                           "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
                                           "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
                                           "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
                                           "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
                                           "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
                                           "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
                                           NULL};
const char *const ls_words_key[] = {"rsa-2048",   "rsa-3072",   "rsa-4096", "ecdsa-p256",
                                    "ecdsa-p384", "ecdsa-p521", "ed25519",  "ml-dsa-44",
                                    "ml-dsa-65",  NULL};

static const struct ls_field window_fields[] = {
    {.key = "from",
     .kind = LS_KIND_CLOCK,
     IN(ls_scenario, from_ns),
     .fallback = "08:00",
     .doc = "time of day at which the window opens"},
    {.key = "to",
     .kind = LS_KIND_WINDOW_END,
     IN(ls_scenario, window_ns),
     .fallback = "09:00",
     .doc = "time of day at which it closes; at or before `from`: on the next day"},
    {.key = "timezone",
     .kind = LS_KIND_ZONE,
     IN(ls_scenario, timezone),
     .doc = "IANA timezone, like Europe/Paris; needed when a curve carries dates"},
};
static const struct ls_map window_map = {FIELDS(window_fields), .check = ls_check_window};

#define UNIFORM (1U << LS_SHAPE_UNIFORM)
#define POISSON (1U << LS_SHAPE_POISSON)
#define NORMAL (1U << LS_SHAPE_NORMAL)
#define RAMP (1U << LS_SHAPE_RAMP)
#define BURST (1U << LS_SHAPE_BURST)
#define POINTS (1U << LS_SHAPE_POINTS)
#define RECORDED (1U << LS_SHAPE_RECORDED)

static const struct ls_field wave_fields[] = {
    {.key = "shape",
     .kind = LS_KIND_WORD,
     .flags = LS_DECIDES,
     IN(ls_wave, shape),
     .words = words_shape,
     .fallback = "normal",
     .doc = "the curve along which users arrive"},
    {.key = "share",
     .kind = LS_KIND_SHARE,
     .flags = LS_WORKED_OUT,
     IN(ls_wave, share),
     .most = 1,
     .doc = "of the users; the shares of a list of shapes add up to 1"},
    {.key = "middle",
     .kind = LS_KIND_MOMENT,
     .flags = LS_WORKED_OUT,
     .cases = NORMAL,
     IN(ls_wave, middle_at_ns),
     .doc = "when the bell is highest; left out: the middle of the window"},
    {.key = "share_in_middle_sixth",
     .kind = LS_KIND_SHARE,
     .flags = LS_WORKED_OUT,
     .cases = NORMAL,
     IN(ls_wave, share_in_middle_sixth),
     .least = 0.01,
     .most = 0.99,
     .doc = "of the whole bell; 40% is what login studies find. Or give spread"},
    {.key = "spread",
     .kind = LS_KIND_SPREAD,
     .flags = LS_WORKED_OUT,
     .cases = NORMAL,
     IN(ls_wave, spread_ns),
     .low = MS,
     .high = 10 * DAY,
     .doc = "standard deviation of the bell, instead of share_in_middle_sixth"},
    {.key = "from_rate",
     .kind = LS_KIND_RATE,
     .flags = LS_REQUIRED,
     .cases = RAMP,
     IN(ls_wave, from_per_s),
     .most = 1e9,
     .doc = "rate at the window's start, like 10/min; only the ratio of the two matters"},
    {.key = "to_rate",
     .kind = LS_KIND_RATE,
     .flags = LS_REQUIRED,
     .cases = RAMP,
     IN(ls_wave, to_per_s),
     .most = 1e9,
     .doc = "rate at the window's end, like 200/min"},
    {.key = "at",
     .kind = LS_KIND_MOMENT,
     .flags = LS_REQUIRED,
     .cases = BURST,
     IN(ls_wave, burst_at_ns),
     .doc = "when the burst begins"},
    {.key = "over",
     .kind = LS_KIND_DURATION,
     .flags = LS_REQUIRED,
     .cases = BURST,
     IN(ls_wave, burst_over_ns),
     .high = DAY,
     .doc = "how long the burst takes, like 60s"},
    {.key = "points",
     .kind = LS_KIND_POINTS,
     .flags = LS_REQUIRED,
     .cases = POINTS,
     IN(ls_wave, points),
     COUNT(ls_wave, points_count),
     .high = 5000,
     .doc = "times and rates, like [[08:00, 20/min], [08:30, 250/min]]; linear in between"},
    {.key = "curve",
     .kind = LS_KIND_TEXT,
     .flags = LS_REQUIRED,
     .cases = RECORDED,
     IN(ls_wave, curve),
     .high = 4000,
     .doc = "path of a recorded curve"},
    {.key = "day",
     .kind = LS_KIND_DATE,
     .cases = RECORDED,
     IN(ls_wave, day),
     .doc = "the day of the curve to replay, like 2026-11-23"},
    {.key = "scale",
     .kind = LS_KIND_NUMBER,
     .cases = RECORDED,
     IN(ls_wave, scale),
     .least = 0.001,
     .most = 1000,
     .fallback = "1",
     .doc = "users for each user of the curve"},
    {.key = "placement",
     .kind = LS_KIND_WORD,
     .cases = ~RECORDED,
     IN(ls_wave, placement),
     .words = words_placement,
     .fallback = "random",
     .doc = "random: independent draws, as people come; even: at the curve's quantiles"},
};
static unsigned wave_which(const void *record)
{
    const struct ls_wave *wave = record;

    return (unsigned)wave->shape;
}
static const char *const wave_cases[] = {"shape uniform", "shape poisson", "shape normal",
                                         "shape ramp",    "shape burst",   "shape points",
                                         "shape recorded"};
static const struct ls_map wave_map = {FIELDS(wave_fields), .which = wave_which,
                                       .cases = wave_cases, .check = ls_check_wave};

static const struct ls_field tls_fields[] = {
    {.key = "versions",
     .kind = LS_KIND_VERSIONS,
     .fallback = "1.3",
     .doc = "TLS versions offered: [1.3], [1.2] or [1.2, 1.3]"},
    {.key = "groups",
     .kind = LS_KIND_WORDS,
     IN(ls_tls_wish, groups),
     .words = words_group,
     .fallback = "X25519, P-256",
     .doc = "key exchange groups offered, in order"},
    {.key = "key_shares",
     .kind = LS_KIND_WORDS,
     .flags = LS_WORKED_OUT,
     IN(ls_tls_wish, key_shares),
     .words = words_group,
     .doc = "groups whose keys go out with the Client Hello (TLS 1.3); left out: the first group"},
    {.key = "ciphers",
     .kind = LS_KIND_WORDS,
     .flags = LS_WORKED_OUT,
     IN(ls_tls_wish, ciphers),
     .words = words_cipher,
     .doc = "cipher suites offered, in order; left out: AES-256-GCM, then AES-128-GCM"},
    {.key = "resume",
     .kind = LS_KIND_SHARE,
     IN(ls_tls_wish, resume_share),
     .most = 1,
     .fallback = "0%",
     .doc = "share of the users who come with a ticket of an earlier session"},
    {.key = "server_name",
     .kind = LS_KIND_TEXT,
     IN(ls_tls_wish, server_name),
     .high = 253,
     .fallback = "gateway.loginstorm.test",
     .doc = "the name asked for, and checked (SNI)"},
    {.key = "verify",
     .kind = LS_KIND_WORD,
     IN(ls_tls_wish, verify),
     .words = words_verify,
     .fallback = "chain",
     .doc = "what the client checks of the certificate"},
};
static const struct ls_map tls_map = {FIELDS(tls_fields), .check = ls_check_tls};

static const struct ls_field network_fields[] = {
    {.key = "rtt",
     .kind = LS_KIND_DURATION,
     IN(ls_population, rtt_ns),
     .high = LS_NS_PER_MIN,
     .fallback = "0s",
     .doc = "round trip to the gateway"},
    {.key = "jitter",
     .kind = LS_KIND_DURATION,
     IN(ls_population, jitter_ns),
     .high = LS_NS_PER_MIN,
     .fallback = "0s",
     .doc = "how much the round trip varies"},
};
static const struct ls_map network_map = {FIELDS(network_fields)};

static const struct ls_field population_fields[] = {
    {.key = "name",
     .kind = LS_KIND_TEXT,
     IN(ls_population, name),
     .high = 80,
     .fallback = "users",
     .doc = "what the report calls these users"},
    {.key = "share",
     .kind = LS_KIND_SHARE,
     .flags = LS_WORKED_OUT,
     IN(ls_population, share),
     .most = 1,
     .doc = "of all users; the shares of all populations add up to 1"},
    {.key = "connections",
     .kind = LS_KIND_CONNECTIONS,
     IN(ls_population, connections),
     .low = 1,
     .high = 64,
     .fallback = "1",
     .doc = "TLS connections of a login, one after another, or a preset (assumed, not measured): "
            "ras-gateway 2, ras-direct 1, ras-html5 4, horizon 3, citrix-ica 3, rdg 2, vpn 1"},
    {.key = "tls",
     .kind = LS_KIND_MAP,
     .at = offsetof(struct ls_population, tls),
     .map = &tls_map,
     .doc = "how these users speak TLS"},
    {.key = "network",
     .kind = LS_KIND_MAP,
     .map = &network_map,
     .doc = "the way to the gateway, for the simulation"},
};
static const struct ls_map population_map = {FIELDS(population_fields),
                                             .check = ls_check_population};

static const struct ls_field request_fields[] = {
    {.key = "send",
     .kind = LS_KIND_SIZE,
     IN(ls_login_wish, send_bytes),
     .high = 1 << 30,
     .fallback = "0B",
     .doc = "bytes to the gateway, like 900B"},
    {.key = "receive",
     .kind = LS_KIND_SIZE,
     IN(ls_login_wish, receive_bytes),
     .high = 1 << 30,
     .fallback = "0B",
     .doc = "bytes from the gateway, like 6kB"},
};
static const struct ls_map request_map = {FIELDS(request_fields)};

static const struct ls_field timeouts_fields[] = {
    {.key = "connect",
     .kind = LS_KIND_DURATION,
     IN(ls_login_wish, connect_timeout_ns),
     .low = MS,
     .fallback = "5s",
     .doc = "for the TCP connection"},
    {.key = "handshake",
     .kind = LS_KIND_DURATION,
     IN(ls_login_wish, handshake_timeout_ns),
     .low = MS,
     .fallback = "10s",
     .doc = "for the TLS handshake"},
    {.key = "login",
     .kind = LS_KIND_DURATION,
     IN(ls_login_wish, login_timeout_ns),
     .low = MS,
     .fallback = "30s",
     .doc = "for the whole login, all attempts together"},
};
static const struct ls_map timeouts_map = {FIELDS(timeouts_fields)};

static const struct ls_field retry_fields[] = {
    {.key = "attempts",
     .kind = LS_KIND_INTEGER,
     IN(ls_login_wish, attempts),
     .low = 1,
     .high = 100,
     .fallback = "1",
     .doc = "in all; 1: a login that fails is not tried again"},
    {.key = "wait",
     .kind = LS_KIND_DURATION,
     IN(ls_login_wish, retry_wait_ns),
     .fallback = "2s",
     .doc = "before the second attempt"},
    {.key = "factor",
     .kind = LS_KIND_NUMBER,
     IN(ls_login_wish, retry_factor),
     .least = 1,
     .most = 100,
     .fallback = "2",
     .doc = "by which each further wait is longer"},
    {.key = "jitter",
     .kind = LS_KIND_WORD,
     IN(ls_login_wish, retry_jitter),
     .words = words_jitter,
     .fallback = "full",
     .doc = "full: anywhere up to the wait; equal: in its second half; none"},
};
static const struct ls_map retry_map = {FIELDS(retry_fields)};

static const struct ls_field login_fields[] = {
    {.key = "request",
     .kind = LS_KIND_MAP,
     .map = &request_map,
     .doc = "exchanged after the handshake of each connection; nothing: handshake only"},
    {.key = "hold",
     .kind = LS_KIND_HOLD,
     .fallback = "until_end",
     .doc = "how long a session stays: a duration, until_end, or none (closed at once)"},
    {.key = "timeouts",
     .kind = LS_KIND_MAP,
     .map = &timeouts_map,
     .doc = "after which a user gives up"},
    {.key = "retry", .kind = LS_KIND_MAP, .map = &retry_map, .doc = "what a user does then"},
    {.key = "close",
     .kind = LS_KIND_WORD,
     IN(ls_login_wish, close),
     .words = words_close,
     .fallback = "fin",
     .doc = "how a connection ends"},
};
static const struct ls_map login_map = {FIELDS(login_fields)};

static const struct ls_field allow_fields[] = {
    {.key = "addresses",
     .kind = LS_KIND_ADDRESSES,
     .flags = LS_REQUIRED,
     IN(ls_gateway_wish, allow_addresses),
     .doc = "IP addresses that the storm may go to, like [192.0.2.10]"},
    {.key = "authorised_by",
     .kind = LS_KIND_TEXT,
     .flags = LS_REQUIRED,
     IN(ls_gateway_wish, authorised_by),
     .high = 200,
     .doc = "who allowed it, and under which number"},
    {.key = "until",
     .kind = LS_KIND_DATE,
     .flags = LS_REQUIRED,
     IN(ls_gateway_wish, until),
     .doc = "the last day on which it is allowed, like 2026-12-31"},
    {.key = "max_connections_per_s",
     .kind = LS_KIND_INTEGER,
     IN(ls_gateway_wish, max_connections_per_s),
     .low = 1,
     .high = 1000000,
     .doc = "never more than these"},
};
static bool allow_given(const void *record)
{
    const struct ls_gateway_wish *gateway = record;

    return gateway->allow_addresses != NULL;
}
static const struct ls_map allow_map = {FIELDS(allow_fields), .given = allow_given};

static const struct ls_field cpu_fields[] = {
    {.key = "from",
     .kind = LS_KIND_WORD,
     .flags = LS_REQUIRED | LS_DECIDES,
     IN(ls_gateway_wish, cpu_from),
     .words = words_cpu,
     .doc = "process or exporter"},
    {.key = "pid",
     .kind = LS_KIND_INTEGER,
     .cases = 1U << LS_CPU_PROCESS,
     IN(ls_gateway_wish, cpu_pid),
     .low = 1,
     .high = 4194304,
     .doc = "the gateway's process on this host"},
    {.key = "url",
     .kind = LS_KIND_TEXT,
     .flags = LS_REQUIRED,
     .cases = 1U << LS_CPU_EXPORTER,
     IN(ls_gateway_wish, cpu_url),
     .high = 2000,
     .doc = "of the exporter's metrics"},
    {.key = "process",
     .kind = LS_KIND_TEXT,
     .cases = 1U << LS_CPU_PROCESS | 1U << LS_CPU_EXPORTER,
     IN(ls_gateway_wish, cpu_process),
     .high = 200,
     .doc = "the name of the gateway's process"},
};
static unsigned cpu_which(const void *record)
{
    const struct ls_gateway_wish *gateway = record;

    return (unsigned)gateway->cpu_from;
}
static const char *const cpu_cases[] = {"cpu none", "cpu embedded", "from: process",
                                        "from: exporter"};
const struct ls_map ls_cpu_map = {FIELDS(cpu_fields), .which = cpu_which, .cases = cpu_cases,
                                  .check = ls_check_cpu};

#define EMBEDDED 1U
#define OUTSIDE 2U
static const struct ls_field gateway_fields[] = {
    {.key = "target",
     .kind = LS_KIND_TARGET,
     .flags = LS_DECIDES,
     IN(ls_gateway_wish, target),
     .fallback = "embedded",
     .doc = "embedded, or the address of a gateway, like 127.0.0.1:8443"},
    {.key = "workers",
     .kind = LS_KIND_INTEGER,
     .cases = EMBEDDED,
     IN(ls_gateway_wish, workers),
     .low = 1,
     .high = LS_CORES_MAX,
     .fallback = "1",
     .doc = "processes of the embedded gateway, a core each"},
    {.key = "cores",
     .kind = LS_KIND_CORES,
     .cases = EMBEDDED,
     IN(ls_gateway_wish, cores),
     .doc = "the core of each worker, like [0]; left out: not pinned"},
    {.key = "backlog",
     .kind = LS_KIND_INTEGER,
     .cases = EMBEDDED,
     IN(ls_gateway_wish, backlog),
     .low = 1,
     .high = 1000000,
     .fallback = "4096",
     .doc = "connections that may wait to be accepted"},
    {.key = "tickets",
     .kind = LS_KIND_SWITCH,
     .cases = EMBEDDED,
     IN(ls_gateway_wish, tickets),
     .fallback = "off",
     .doc = "whether session tickets are given out"},
    {.key = "allow",
     .kind = LS_KIND_MAP,
     .cases = OUTSIDE,
     .map = &allow_map,
     .doc = "the permission to storm a gateway that is not ours"},
    {.key = "cpu",
     .kind = LS_KIND_CPU,
     .flags = LS_WORKED_OUT,
     .map = &ls_cpu_map,
     .doc = "where the gateway's CPU time is read: none, or a process or exporter"},
};
static unsigned gateway_which(const void *record)
{
    const struct ls_gateway_wish *gateway = record;

    return gateway->embedded ? 0 : 1;
}
static const char *const gateway_cases[] = {"the embedded gateway", "an outside gateway"};
static const struct ls_map gateway_map = {FIELDS(gateway_fields), .which = gateway_which,
                                          .cases = gateway_cases, .check = ls_check_gateway};

static const struct ls_field certificate_fields[] = {
    {.key = "name",
     .kind = LS_KIND_TEXT,
     .flags = LS_WORKED_OUT,
     IN(ls_certificate, name),
     .high = 80,
     .doc = "what the report calls it; left out: the key's word"},
    {.key = "key",
     .kind = LS_KIND_WORD,
     .flags = LS_WORKED_OUT,
     IN(ls_certificate, key),
     .words = ls_words_key,
     .doc = "the kind of a key that is made for the run"},
    {.key = "chain",
     .kind = LS_KIND_TEXT,
     IN(ls_certificate, chain),
     .high = 4000,
     .doc = "instead of key: path of a certificate with its chain (PEM)"},
    {.key = "private_key",
     .kind = LS_KIND_TEXT,
     IN(ls_certificate, private_key),
     .high = 4000,
     .doc = "path of its private key (PEM)"},
};
static const struct ls_map certificate_map = {FIELDS(certificate_fields),
                                              .check = ls_check_certificate};

static const struct ls_field issuer_fields[] = {
    {.key = "key",
     .kind = LS_KIND_WORD,
     IN(ls_issuer, key),
     .words = ls_words_key,
     .fallback = "rsa-2048",
     .doc = "the issuer's kind of key"},
    {.key = "send",
     .kind = LS_KIND_WORD,
     IN(ls_issuer, send),
     .words = words_send,
     .fallback = "leaf",
     .doc = "what the gateway sends: the leaf alone, or the issuer with it"},
    {.key = "profile",
     .kind = LS_KIND_WORD,
     IN(ls_issuer, profile),
     .words = words_profile,
     .fallback = "plain",
     .doc = "the extensions of the certificates"},
};
static const struct ls_map issuer_map = {FIELDS(issuer_fields)};

static const struct ls_field pace_fields[] = {
    {.key = "speedup",
     .kind = LS_KIND_NUMBER,
     IN(ls_scenario, speedup),
     .least = 0.001,
     .most = 100000,
     .fallback = "1",
     .doc = "60: one hour in one minute; 1 is real time"},
};
static const struct ls_map pace_map = {FIELDS(pace_fields)};

#define BY_FACTOR 1U
#define BY_SPEED 2U
static const struct ls_field farm_cpu_fields[] = {
    {.key = "openssl_speed",
     .kind = LS_KIND_TEXT,
     .flags = LS_DECIDES,
     .cases = 0,
     IN(ls_farm, openssl_speed),
     .high = 4000,
     .doc = "path of an `openssl speed` output of the gateway, instead of a factor"},
    {.key = "relative_to",
     .kind = LS_KIND_WORD,
     .cases = BY_FACTOR,
     .words = words_host,
     .fallback = "this-host",
     .doc = "what the factor compares with"},
    {.key = "factor",
     .kind = LS_KIND_NUMBER,
     .cases = BY_FACTOR,
     IN(ls_farm, cpu_factor),
     .least = 0.01,
     .most = 100,
     .fallback = "1",
     .doc = "speed of a gateway's core against that; 0.6 is slower"},
};
static unsigned farm_cpu_which(const void *record)
{
    const struct ls_farm *farm = record;

    return farm->openssl_speed == NULL ? 0 : 1;
}
static const char *const farm_cpu_cases[] = {"a factor", "openssl_speed"};
static const struct ls_map farm_cpu_map = {FIELDS(farm_cpu_fields), .which = farm_cpu_which,
                                           .cases = farm_cpu_cases, .check = ls_check_farm_cpu};

static const struct ls_field farm_fields[] = {
    {.key = "gateways",
     .kind = LS_KIND_INTEGER,
     IN(ls_farm, gateways),
     .low = 1,
     .high = 10000,
     .fallback = "1",
     .doc = "gateways in the farm"},
    {.key = "cores",
     .kind = LS_KIND_INTEGER,
     IN(ls_farm, cores),
     .low = 1,
     .high = 1024,
     .fallback = "2",
     .doc = "cores of each"},
    {.key = "cpu", .kind = LS_KIND_MAP, .map = &farm_cpu_map, .doc = "how fast a core is"},
    {.key = "balancing",
     .kind = LS_KIND_WORD,
     IN(ls_farm, balancing),
     .words = words_balancing,
     .fallback = "round_robin",
     .doc = "who gets the next connection"},
    {.key = "backlog",
     .kind = LS_KIND_INTEGER,
     IN(ls_farm, backlog),
     .low = 1,
     .high = 1000000,
     .fallback = "511",
     .doc = "connections that may wait at a gateway"},
    {.key = "costs",
     .kind = LS_KIND_COSTS,
     .flags = LS_WORKED_OUT,
     .doc = "CPU of a handshake: a cost profile or result.json (left out: this host's), or "
            "{fixed: 17.5ms}, {exponential: 10ms}, {lognormal: {mean: 10ms, scv: 1}}"},
    {.key = "login_cpu",
     .kind = LS_KIND_DURATION,
     IN(ls_farm, login_cpu_ns),
     .high = LS_NS_PER_H,
     .fallback = "0s",
     .doc = "further CPU of a login beside TLS"},
    {.key = "drops_closed",
     .kind = LS_KIND_SWITCH,
     IN(ls_farm, drops_closed),
     .fallback = "no",
     .doc = "yes: a gateway notices that a client left, and does not begin its handshake"},
    {.key = "syn_retries",
     .kind = LS_KIND_WORD,
     IN(ls_farm, classic_syn_retries),
     .words = words_syn,
     .fallback = "linux",
     .doc = "linux: after 1 2 3 4 5 s, then doubling; classic: after 1 3 7 15 s"},
    {.key = "capacity",
     .kind = LS_KIND_CAPACITY,
     .doc = "a published capacity of a gateway instead of CPU costs, like 700 in 10m"},
    {.key = "spare",
     .kind = LS_KIND_INTEGER,
     IN(ls_farm, spare),
     .high = 10000,
     .fallback = "0",
     .doc = "gateways that may be down"},
};
static bool farm_given(const void *record)
{
    const struct ls_farm *farm = record;

    return farm->given;
}
static const struct ls_map farm_map = {FIELDS(farm_fields), .given = farm_given,
                                       .check = ls_check_farm};

#define DOWN 1U
#define RECONNECT 2U
static const struct ls_field event_fields[] = {
    {.key = "at",
     .kind = LS_KIND_MOMENT,
     .flags = LS_REQUIRED,
     IN(ls_event, at_ns),
     .doc = "when it happens"},
    {.key = "gateway_down",
     .kind = LS_KIND_INTEGER,
     .flags = LS_DECIDES,
     IN(ls_event, gateways),
     .low = 1,
     .high = 10000,
     .doc = "how many gateways go down; their users reconnect"},
    {.key = "reconnect",
     .kind = LS_KIND_SHARE,
     .flags = LS_DECIDES,
     IN(ls_event, share),
     .least = 0.0001,
     .most = 1,
     .doc = "share of the users in session who come again"},
    {.key = "for",
     .kind = LS_KIND_DURATION,
     .flags = LS_REQUIRED,
     .cases = DOWN,
     IN(ls_event, duration_ns),
     .doc = "how long they stay down"},
    {.key = "over",
     .kind = LS_KIND_DURATION,
     .cases = RECONNECT,
     IN(ls_event, duration_ns),
     .fallback = "0s",
     .doc = "the time over which they come"},
};
static unsigned event_which(const void *record)
{
    const struct ls_event *event = record;

    return event->gateways > 0 ? 0 : 1;
}
static const char *const event_cases[] = {"gateway_down", "reconnect"};
static const struct ls_map event_map = {FIELDS(event_fields), .which = event_which,
                                        .cases = event_cases, .check = ls_check_event};

static const struct ls_field target_fields[] = {
    {.key = "login_p50",
     .kind = LS_KIND_DURATION,
     .flags = LS_NEGATIVE,
     IN(ls_targets, login_p50_ns),
     .doc = "the most that the median login may take"},
    {.key = "login_p95",
     .kind = LS_KIND_DURATION,
     .flags = LS_NEGATIVE,
     IN(ls_targets, login_p95_ns),
     .doc = "of 100 logins, 95 are at least this fast"},
    {.key = "login_p99",
     .kind = LS_KIND_DURATION,
     .flags = LS_NEGATIVE,
     IN(ls_targets, login_p99_ns),
     .doc = "of 100 logins, 99 are at least this fast"},
    {.key = "login_p100",
     .kind = LS_KIND_DURATION,
     .flags = LS_NEGATIVE,
     IN(ls_targets, login_p100_ns),
     .doc = "the most that any login may take"},
    {.key = "failed",
     .kind = LS_KIND_SHARE,
     .flags = LS_NEGATIVE,
     IN(ls_targets, failed_share),
     .most = 1,
     .doc = "share of the logins that may fail"},
    {.key = "gateway_cpu_peak",
     .kind = LS_KIND_SHARE,
     .flags = LS_NEGATIVE,
     IN(ls_targets, gateway_cpu_peak_share),
     .most = 1,
     .doc = "the most that the gateway's cores may be busy"},
};
static bool targets_given(const void *record)
{
    const struct ls_targets *t = record;

    return t->login_p50_ns >= 0 || t->login_p95_ns >= 0 || t->login_p99_ns >= 0 ||
           t->login_p100_ns >= 0 || t->failed_share >= 0 || t->gateway_cpu_peak_share >= 0;
}
static const struct ls_map targets_map = {FIELDS(target_fields), .given = targets_given};

static const struct ls_field scenario_fields[] = {
    {.key = "loginstorm",
     .kind = LS_KIND_VERSION,
     .flags = LS_REQUIRED,
     .doc = "version of this format: 1"},
    {.key = "name",
     .kind = LS_KIND_TEXT,
     .flags = LS_WORKED_OUT,
     IN(ls_scenario, name),
     .high = 200,
     .doc = "title of the reports; left out: the file's name"},
    {.key = "users",
     .kind = LS_KIND_INTEGER,
     .flags = LS_WORKED_OUT,
     IN(ls_scenario, users),
     .low = 1,
     .high = 10000000,
     .doc = "how many users log in"},
    {.key = "seed",
     .kind = LS_KIND_INTEGER,
     .flags = LS_WORKED_OUT,
     IN(ls_scenario, seed),
     .high = INT64_MAX,
     .doc = "same seed, same morning; left out: drawn, and shown"},
    {.key = "window",
     .kind = LS_KIND_MAP,
     .map = &window_map,
     .doc = "the part of the day in which users log in"},
    {.key = "arrivals",
     .kind = LS_KIND_ONE_OR_MORE,
     .flags = LS_DEFAULT_ONE,
     IN(ls_scenario, waves),
     COUNT(ls_scenario, waves_count),
     .item_size = sizeof(struct ls_wave),
     .high = 64,
     .map = &wave_map,
     .check_list = ls_check_waves,
     .doc = "how users come: one shape, or a list of shapes with shares"},
    {.key = "populations",
     .kind = LS_KIND_LIST,
     .flags = LS_DEFAULT_ONE,
     IN(ls_scenario, populations),
     COUNT(ls_scenario, populations_count),
     .item_size = sizeof(struct ls_population),
     .high = 256,
     .map = &population_map,
     .check_list = ls_check_populations,
     .doc = "who logs in"},
    {.key = "login",
     .kind = LS_KIND_MAP,
     .at = offsetof(struct ls_scenario, login),
     .map = &login_map,
     .doc = "what a login is"},
    {.key = "gateway",
     .kind = LS_KIND_MAP,
     .at = offsetof(struct ls_scenario, gateway),
     .map = &gateway_map,
     .doc = "what is logged in to"},
    {.key = "certificates",
     .kind = LS_KIND_LIST,
     IN(ls_scenario, certificates),
     COUNT(ls_scenario, certificates_count),
     .item_size = sizeof(struct ls_certificate),
     .high = 64,
     .map = &certificate_map,
     .check_list = ls_check_certificates,
     .doc = "each gets the same storm in turn; the first is the baseline"},
    {.key = "issuer",
     .kind = LS_KIND_MAP,
     .at = offsetof(struct ls_scenario, issuer),
     .map = &issuer_map,
     .doc = "who signs the certificates"},
    {.key = "pace", .kind = LS_KIND_MAP, .map = &pace_map, .doc = "how fast the clock runs"},
    {.key = "farm",
     .kind = LS_KIND_MAP,
     .at = offsetof(struct ls_scenario, farm),
     .map = &farm_map,
     .doc = "the farm to plan, in virtual time"},
    {.key = "events",
     .kind = LS_KIND_LIST,
     IN(ls_scenario, events),
     COUNT(ls_scenario, events_count),
     .item_size = sizeof(struct ls_event),
     .high = 256,
     .map = &event_map,
     .doc = "what goes wrong meanwhile"},
    {.key = "targets",
     .kind = LS_KIND_MAP,
     .at = offsetof(struct ls_scenario, targets),
     .map = &targets_map,
     .doc = "what must be kept; missed: exit status 99"},
};
const struct ls_map ls_scenario_map = {FIELDS(scenario_fields), .check = ls_check_scenario};
