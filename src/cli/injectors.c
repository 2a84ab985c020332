/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/injectors.h"

#include <inttypes.h>
#include <sched.h>
#include <string.h>

#include "cli/costs_here.h"
#include "cli/farm_costs.h"
#include "loginstorm/address.h"
#include "loginstorm/limit.h"
#include "loginstorm/tls.h"
#include "loginstorm/units.h"

/*
 * An injector's CPU for a handshake with its request and answer where this host has no cost profile: the least of three closed
 * loops of 20 users at a time against the embedded gateway (TLS 1.3, X25519, the chain checked; `injector.cpu_us_per_handshake` of
 * `run`), measured on a virtual machine of two cores of an Intel Xeon on which others worked, so rather too much than too little.
 * TLS 1.2 took up to a tenth more. An assumption for any other machine.
 */
#define ASSUMED_ON "a core of a server"
static const struct {
    const char *key;
    double us;
} assumed[] = {
    {"rsa-2048", 230},   {"rsa-3072", 340},   {"rsa-4096", 410}, {"ecdsa-p256", 240},
    {"ecdsa-p384", 320}, {"ecdsa-p521", 380}, {"ed25519", 280},
};
#define ASSUMED_MOST_US 410  /* of a key that is not known before the gateway shows it */
#define ASSUMED_HYBRID_US 90 /* more, of a post-quantum key share */

static double assumed_ns(const char *key, const struct ls_tls_wish *tls)
{
    const char *group = ls_tls_wish_group(tls);
    double us = ASSUMED_MOST_US;

    for (size_t i = 0; i < sizeof assumed / sizeof assumed[0]; i++) {
        us = key != NULL && strcmp(key, assumed[i].key) == 0 ? assumed[i].us : us;
    }
    us += group != NULL && strstr(group, "MLKEM") != NULL ? ASSUMED_HYBRID_US : 0;
    return us * (double)LS_NS_PER_US;
}

/* At the busiest of a row's loads, as an injector is at its limit; negative: it does not know. */
static double measured_ns(const struct ls_costs *costs, const char *key,
                          const struct ls_tls_wish *tls, bool resumed)
{
    struct ls_error err;
    bool exact;
    const struct ls_cost *row =
        costs == NULL || key == NULL
            ? NULL
            : ls_costs_find(costs, key, ls_tls_wish_group(tls), ls_tls_wish_version(tls), resumed,
                            &exact, &err);
    double ns = -1;

    for (size_t i = 0; row != NULL && i < row->at_count; i++) {
        ns = row->at[i].client_ns > 0 ? row->at[i].client_ns : ns;
    }
    return ns;
}

/* Mean over the connections of all populations. key NULL: not known. */
static double client_ns(const struct ls_scenario *scenario, const struct ls_costs *costs,
                        const char *key, bool *is_assumed)
{
    double sum = 0, weights = 0;

    for (size_t i = 0; i < scenario->populations_count; i++) {
        const struct ls_population *population = &scenario->populations[i];
        const double weight = population->share * population->connections;
        const double share = population->tls.resume_share;
        double full = measured_ns(costs, key, &population->tls, false), resumed = -1;

        if (full < 0) {
            full = assumed_ns(key, &population->tls);
            *is_assumed = true;
        }
        if (share > 0) {
            resumed = measured_ns(costs, key, &population->tls, true);
        }
        sum += weight * (resumed > 0 ? share * resumed + (1 - share) * full : full);
        weights += weight;
    }
    return weights > 0 ? sum / weights : 0;
}

/* What the dearest of the certificates takes; of an outside gateway that none is told of, the dearest that there is. */
static double dearest_ns(const struct ls_scenario *scenario, bool *is_assumed)
{
    struct ls_costs *costs = NULL;
    struct ls_error err;
    double most = 0;

    if (ls_costs_of_this_host(&costs, &err) != LS_OK) {
        costs = NULL;
    }
    for (size_t i = 0; i < scenario->certificates_count; i++) {
        struct ls_certificate certificate = scenario->certificates[i];
        const char *key = NULL;
        bool these = false;
        double ns;

        if (certificate.key != LS_KEY_FILE ||
            (ls_tls_start(&err) == LS_OK &&
             farm_certificate(&certificate, scenario, i, &err) == LS_OK &&
             certificate.key != LS_KEY_FILE)) {
            key = ls_key_name(certificate.key);
        }
        ns = client_ns(scenario, costs, key, &these);
        if (ns > most) {
            most = ns;
            *is_assumed = these;
        }
    }
    if (scenario->certificates_count == 0) {
        most = client_ns(scenario, costs, NULL, is_assumed);
    }
    ls_costs_free(costs);
    return most;
}

static int cores_here(void)
{
    cpu_set_t set;

    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

void advise(struct advice *out, const struct ls_scenario *scenario,
            const struct ls_schedule *schedule, const struct ls_target *target)
{
    *out = (struct advice){.closed = schedule->waves_count > 0,
                           .speedup = scenario->speedup,
                           .cores = cores_here(),
                           .loopback =
                               target->count == 0 || ls_address_is_loopback(&target->addresses[0])};
    out->means = (struct ls_means){
        .ports = ls_limit_ports(""),
        .open_files = ls_limit_open_files_most(),
        .time_wait_ns = ls_limit_time_wait_ns("", out->loopback),
        .targets = target->count > 0 ? target->count : 1,
        .client_ns = dearest_ns(scenario, &out->assumed),
    };
    ls_engine_need(&out->need, scenario, schedule, &out->means);
}

static const char *plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

/* "6,200 handshakes in the fullest second at 60 times its pace, 352 µs of CPU each (this host's cost profile), where one may
 * take 80 % of a core" */
static void why_cpu(const struct advice *advice, char *out, size_t size)
{
    char count[32], pace[64] = "";

    ls_format_count(advice->need.handshakes, count, sizeof count);
    if (advice->speedup > 1 || advice->speedup < 1) {
        (void)snprintf(pace, sizeof pace, " at %g times its pace", advice->speedup);
    }
    (void)snprintf(out, size,
                   "%s handshake%s in the fullest second%s (whenever it begins), at %.0f µs of CPU "
                   "each (%s), and one "
                   "may take %d %% of a core",
                   count, plural(advice->need.handshakes), pace, advice->means.client_ns / 1e3,
                   advice->assumed ? "assumed, of " ASSUMED_ON
                                     "; `loginstorm calibrate` measures it"
                                   : "this host's cost profile",
                   LS_INJECTOR_SUSPECT / 10000);
}

static void why_files(const struct advice *advice, char *out, size_t size)
{
    char open[32], files[32];

    ls_format_count(advice->need.open, open, sizeof open);
    ls_format_count(advice->means.open_files, files, sizeof files);
    (void)snprintf(out, size, "%s connections open at once, and one may have %s (`ulimit -n`)",
                   open, files);
}

static void why_injectors(const struct advice *advice, char *out, size_t size)
{
    if (advice->need.by_files > advice->need.by_cpu) {
        why_files(advice, out, size);
    } else if (advice->closed) {
        (void)snprintf(out, size,
                       "a closed loop has one, and is as fast as it and the gateway are");
    } else {
        why_cpu(advice, out, size);
    }
}

static void why_sources(const struct advice *advice, char *out, size_t size)
{
    const int64_t most =
        advice->means.ports < LS_PORTS_PER_SOURCE ? advice->means.ports : LS_PORTS_PER_SOURCE;
    char ports[32], each[32], left[32];

    ls_format_count(advice->need.ports, ports, sizeof ports);
    ls_format_count(most * advice->means.targets, each, sizeof each);
    ls_format_duration(advice->means.time_wait_ns, left, sizeof left);
    (void)snprintf(
        out, size,
        "%s port%s at once, should every login last as long as its time-outs allow, with those of "
        "connections closed less than %s ago, and one has %s",
        ports, plural(advice->need.ports), left, each);
}

void advice_write(const struct advice *advice, const char *begin, FILE *out)
{
    const struct ls_need *need = &advice->need;
    char why[512];

    why_injectors(advice, why, sizeof why);
    (void)fprintf(out, "%sit takes %d injector%s: %s\n", begin, need->injectors,
                  plural(need->injectors), why);
    why_sources(advice, why, sizeof why);
    (void)fprintf(out, "%sand %d source address%s%s: %s\n", begin, need->sources,
                  need->sources == 1 ? "" : "es",
                  need->sources == 1 ? ""
                  : advice->loopback ? ", which loopback has"
                                     : ", a machine each (`run --shard`)",
                  why);
}

void advice_warn(const struct advice *advice, int injectors, int machines)
{
    const struct ls_need *need = &advice->need;
    char why[512];

    if (need->injectors > injectors * machines) {
        const bool fits = (need->injectors + machines - 1) / machines <= advice->cores;

        why_injectors(advice, why, sizeof why);
        (void)fprintf(stderr, "loginstorm: note: it takes %d injectors and has %d (%s): %s\n",
                      need->injectors, injectors * machines,
                      fits ? "--injectors" : "more cores, or more machines by --shard", why);
    }
    if (!advice->loopback && need->sources > machines) {
        why_sources(advice, why, sizeof why);
        (void)fprintf(
            stderr,
            "loginstorm: note: it takes %d source addresses and has %d (a machine each, by "
            "--shard): %s\n",
            need->sources, machines, why);
    }
}
