/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenario/fields.h"

#include "loginstorm/units.h"

static const char *const words_cpu[] = {"none", "embedded", "process", "exporter", "cgroup", NULL};
static const char *const words_proxy[] = {"none", "v2", NULL};
static const char *const words_send[] = {"leaf", "chain", NULL};
static const char *const words_profile[] = {"plain", "adcs-webserver", "adcs-v2", NULL};
static const char *const words_balancing[] = {"round_robin", "least_connections", "random",
                                              "source_hash", NULL};
static const char *const words_host[] = {"this-host", NULL};
static const char *const words_syn[] = {"linux", "classic", NULL};
const char *const ls_words_key[] = {"rsa-2048",   "rsa-3072",   "rsa-4096", "ecdsa-p256",
                                    "ecdsa-p384", "ecdsa-p521", "ed25519",  "ml-dsa-44",
                                    "ml-dsa-65",  NULL};

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
     .doc = "never more new ones in any second"},
    {.key = "max_open",
     .kind = LS_KIND_INTEGER,
     IN(ls_gateway_wish, max_open),
     .low = 1,
     .high = 1000000,
     .doc = "never more open ones at once"},
    {.key = "max_duration",
     .kind = LS_KIND_DURATION,
     IN(ls_gateway_wish, max_duration_ns),
     .low = LS_NS_PER_S,
     .high = LS_NS_PER_DAY,
     .doc = "never longer than this"},
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
     .doc = "process, cgroup or exporter"},
    {.key = "pid",
     .kind = LS_KIND_INTEGER,
     .cases = 1U << LS_CPU_PROCESS,
     IN(ls_gateway_wish, cpu_pid),
     .low = 1,
     .high = 4194304,
     .doc = "the gateway's process on this host, its children with it"},
    {.key = "url",
     .kind = LS_KIND_TEXT,
     .flags = LS_REQUIRED,
     .cases = 1U << LS_CPU_EXPORTER,
     IN(ls_gateway_wish, cpu_url),
     .high = 2000,
     .doc = "of the exporter's metrics, like http://gw1:9100/metrics"},
    {.key = "path",
     .kind = LS_KIND_TEXT,
     .flags = LS_REQUIRED,
     .cases = 1U << LS_CPU_CGROUP,
     IN(ls_gateway_wish, cpu_path),
     .high = 2000,
     .doc = "the gateway's cgroup (v2), like system.slice/nginx.service"},
    {.key = "process",
     .kind = LS_KIND_TEXT,
     .cases = 1U << LS_CPU_PROCESS | 1U << LS_CPU_EXPORTER,
     IN(ls_gateway_wish, cpu_process),
     .high = 200,
     .doc = "the name of the gateway's processes; of an exporter left out: the whole machine"},
};
static unsigned cpu_which(const void *record)
{
    const struct ls_gateway_wish *gateway = record;

    return (unsigned)gateway->cpu_from;
}
static const char *const cpu_cases[] = {"cpu none", "cpu embedded", "from: process",
                                        "from: exporter", "from: cgroup"};
static const struct ls_map cpu_map = {FIELDS(cpu_fields), .which = cpu_which, .cases = cpu_cases,
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
     .doc = "whether session tickets are given out (tls.resume needs them)"},
    {.key = "allow",
     .kind = LS_KIND_MAP,
     .cases = OUTSIDE,
     .map = &allow_map,
     .doc = "the permission to storm a gateway that is not ours"},
    {.key = "trust",
     .kind = LS_KIND_TEXT,
     .cases = OUTSIDE,
     IN(ls_gateway_wish, trust),
     .high = 4000,
     .doc = "path of the CAs (PEM) that users trust; left out: the system's"},
    {.key = "first_look",
     .kind = LS_KIND_SWITCH,
     .cases = OUTSIDE,
     IN(ls_gateway_wish, first_look),
     .fallback = "yes",
     .doc =
         "one handshake of each population before the storm, whose failure ends the run; no: for "
         "a gateway that is broken on purpose"},
    {.key = "proxy_protocol",
     .kind = LS_KIND_WORD,
     .cases = OUTSIDE,
     IN(ls_gateway_wish, proxy_v2),
     .words = words_proxy,
     .fallback = "none",
     .doc = "v2: each connection begins with a PROXY header, as a balancer in front would send it"},
    {.key = "proxy_sources",
     .kind = LS_KIND_TEXT,
     .flags = LS_WORKED_OUT,
     .cases = OUTSIDE,
     IN(ls_gateway_wish, proxy_sources),
     .high = 60,
     .doc =
         "the network that users come from by that header, each from an address of its own, like "
         "198.18.0.0/15 (which is the default: nobody's, for benchmarks)"},
    {.key = "cpu",
     .kind = LS_KIND_CPU,
     .flags = LS_WORKED_OUT,
     .map = &cpu_map,
     .doc = "where the gateway's CPU time is read: none, or a process, cgroup or exporter"},
};
static unsigned gateway_which(const void *record)
{
    const struct ls_gateway_wish *gateway = record;

    return gateway->embedded ? 0 : 1;
}
static const char *const gateway_cases[] = {"the embedded gateway", "an outside gateway"};
const struct ls_map ls_gateway_map = {FIELDS(gateway_fields), .which = gateway_which,
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
    {.key = "server_name",
     .kind = LS_KIND_TEXT,
     IN(ls_certificate, server_name),
     .high = 253,
     .doc = "what users ask for in its run (SNI and Host), instead of their population's name; the "
            "gateway shows all certificates "
            "that have one, each to who asks for it"},
    {.key = "chain",
     .kind = LS_KIND_TEXT,
     IN(ls_certificate, chain),
     .high = 4000,
     .doc = "instead of key: path of a certificate, its chain behind it (PEM)"},
    {.key = "private_key",
     .kind = LS_KIND_TEXT,
     IN(ls_certificate, private_key),
     .high = 4000,
     .doc = "path of its private key (PEM)"},
    {.key = "published",
     .kind = LS_KIND_MAP,
     .at = offsetof(struct ls_certificate, published),
     .map = &ls_published_map,
     .doc = "figures published elsewhere for such a certificate, shown beside ours"},
    {.key = "password_file",
     .kind = LS_KIND_TEXT,
     IN(ls_certificate, password_file),
     .high = 4000,
     .doc = "path of a file whose first line is the password of an encrypted private_key"},
    {.key = "password_env",
     .kind = LS_KIND_TEXT,
     IN(ls_certificate, password_env),
     .high = 200,
     .doc = "instead of password_file: a variable of the environment that holds it"},
    {.key = "trust",
     .kind = LS_KIND_TEXT,
     IN(ls_certificate, trust),
     .high = 4000,
     .doc = "path of the CA's certificate (PEM), for verify: chain; left out: the chain's last "
            "one, where that is a root"},
};
const struct ls_map ls_certificate_map = {FIELDS(certificate_fields),
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
const struct ls_map ls_issuer_map = {FIELDS(issuer_fields)};

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
const struct ls_map ls_farm_map = {FIELDS(farm_fields), .given = farm_given,
                                   .check = ls_check_farm};
