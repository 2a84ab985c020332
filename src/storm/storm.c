/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/storm.h"

#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loginstorm/engine.h"
#include "loginstorm/gateway.h"
#include "loginstorm/limit.h"
#include "storm/act.h"
#include "storm/clients.h"
#include "storm/identities.h"
#include "storm/target.h"

#define PROCESSES_MAX 256
#define SHARDS_MAX 4096

/* The cores that this process may use; none when the system does not say. */
static cpu_set_t usable_cores(void)
{
    cpu_set_t set;

    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) != 0) {
        CPU_ZERO(&set);
    }
    return set;
}

static bool core_is_the_gateways(const struct ls_scenario *scenario, int core)
{
    for (int i = 0; i < scenario->gateway.cores_count; i++) {
        if (scenario->gateway.cores[i] == core) {
            return true;
        }
    }
    return false;
}

int placement_worker_core(const struct ls_scenario *scenario, int worker)
{
    const struct ls_gateway_wish *gateway = &scenario->gateway;

    return gateway->cores_count == 0 ? -1 : gateway->cores[worker % gateway->cores_count];
}

/* A pinned gateway leaves the other cores to the injectors, so that neither takes the other's time.
 */
int placement_injector_core(const struct ls_scenario *scenario, int injector)
{
    const cpu_set_t usable = usable_cores();
    int free_cores[LS_CORES_MAX];
    int count = 0;

    if (scenario->gateway.cores_count == 0) {
        return -1;
    }
    for (int core = 0; core < CPU_SETSIZE && count < LS_CORES_MAX; core++) {
        if (CPU_ISSET((size_t)core, &usable) && !core_is_the_gateways(scenario, core)) {
            free_cores[count++] = core;
        }
    }
    return count == 0 ? -1 : free_cores[injector % count];
}

static enum ls_code check_cores(const struct ls_gateway_wish *gateway, struct ls_error *err)
{
    const cpu_set_t usable = usable_cores();

    for (int i = 0; i < gateway->cores_count; i++) {
        const int core = gateway->cores[i];

        if (core < 0 || core >= CPU_SETSIZE || !CPU_ISSET((size_t)core, &usable)) {
            return ls_error_set(err, LS_EINPUT,
                                "gateway.cores: core %d does not exist here, or may not be used; "
                                "see `nproc` and `taskset -p $$`",
                                core);
        }
    }
    return LS_OK;
}

enum ls_code ls_storm_check(const struct ls_scenario *scenario, int injectors, struct ls_error *err)
{
    const struct ls_gateway_wish *gateway = &scenario->gateway;
    enum ls_code code;

    if (injectors < 1 || injectors > PROCESSES_MAX) {
        return ls_error_set(err, LS_EUSAGE, "--injectors: %d is out of range (1 to %d)", injectors,
                            PROCESSES_MAX);
    }
    if (injectors > 1 && ls_scenario_is_closed(scenario)) {
        return ls_error_set(
            err, LS_EUSAGE,
            "--injectors: a closed loop has one injector, not %d: it keeps count of "
            "who is there, and is never ahead of the gateway",
            injectors);
    }
    if (gateway->workers > PROCESSES_MAX) {
        return ls_error_set(err, LS_EUSAGE, "gateway.workers: %d is out of range (1 to %d)",
                            gateway->workers, PROCESSES_MAX);
    }
    if (scenario->certificates_count == 0) {
        return ls_error_set(err, LS_EINPUT, "certificates: a storm needs at least one");
    }
    if (!gateway->embedded) {
        return LS_OK;
    }
    if (scenario->login.receive_bytes > LS_GATEWAY_ANSWER_MAX) {
        return ls_error_set(err, LS_EINPUT,
                            "login.request.receive: the embedded gateway answers with %" PRId64
                            " MiB at most",
                            LS_GATEWAY_ANSWER_MAX >> 20);
    }
    code = check_cores(gateway, err);
    return code == LS_OK ? identities_check(scenario, err) : code;
}

enum ls_code ls_storm_check_shards(const struct ls_scenario *scenario,
                                   const struct ls_schedule *schedule, int injectors, int shards,
                                   struct ls_error *err)
{
    if (shards <= 1) {
        return LS_OK;
    }
    if (shards > SHARDS_MAX) {
        return ls_error_set(err, LS_EUSAGE, "--shard: %d shards are out of range (1 to %d)", shards,
                            SHARDS_MAX);
    }
    if (ls_scenario_is_closed(scenario)) {
        return ls_error_set(err, LS_EUSAGE,
                            "--shard: a closed loop is played by one machine: it keeps count of "
                            "who is there");
    }
    if (scenario->gateway.embedded) {
        return ls_error_set(err, LS_EINPUT,
                            "gateway.target: embedded: each of %d shards would storm a gateway of "
                            "its own; let them meet at one: HOST:PORT of yours, or of a "
                            "`loginstorm gateway` on another machine",
                            shards);
    }
    if ((size_t)shards * (size_t)injectors > schedule->count) {
        return ls_error_set(
            err, LS_EUSAGE, "--shard: %d shards of %d %s are more than there are users, %zu",
            shards, injectors, injectors == 1 ? "injector" : "injectors", schedule->count);
    }
    return LS_OK;
}

/* Of a shard, what the fullest of its injectors may hold. */
static int64_t open_at_once(const struct ls_scenario *scenario, const struct ls_schedule *schedule,
                            int injectors, int shard, int shards)
{
    int64_t most = 0;

    if (shards <= 1) {
        return ls_engine_open_max(scenario, schedule, 0, 1);
    }
    for (int i = 0; i < injectors; i++) {
        const int64_t one =
            ls_engine_open_max(scenario, schedule, shard * injectors + i, shards * injectors);

        most = one > most ? one : most;
    }
    return most;
}

enum ls_code ls_storm_check_files(const struct ls_scenario *scenario,
                                  const struct ls_schedule *schedule, int injectors, int shard,
                                  int shards, struct ls_error *err)
{
    return ls_limit_open_files(
        open_at_once(scenario, schedule, injectors, shard, shards),
        scenario->gateway.embedded ? "the embedded gateway" : "the injectors", err);
}

static void describe(char *out, size_t size, const char *what, int count,
                     int (*core_of)(const struct ls_scenario *, int),
                     const struct ls_scenario *scenario)
{
    size_t used = (size_t)snprintf(out, size, "%d %s%s", count, what, count == 1 ? "" : "s");

    for (int i = 0; i < count && used < size; i++) {
        const int core = core_of(scenario, i);

        if (core >= 0) {
            used += (size_t)snprintf(out + used, size - used, "%s %d",
                                     i > 0        ? ","
                                     : count == 1 ? " on core"
                                                  : " on cores",
                                     core);
        }
    }
}

void ls_storm_placement(const struct ls_scenario *scenario, int injectors, char *out, size_t size)
{
    char workers[300];
    char drivers[256];

    if (scenario->gateway.embedded) {
        describe(workers, sizeof workers, "worker", scenario->gateway.workers,
                 placement_worker_core, scenario);
    } else {
        (void)snprintf(workers, sizeof workers, "%s", scenario->gateway.target);
    }
    describe(drivers, sizeof drivers, "injector", injectors, placement_injector_core, scenario);
    (void)snprintf(out, size, "%s · %s", workers, drivers);
}

/* What all acts of a storm have in common. */
struct common {
    struct ls_identity *const *identities;
    struct ls_identity **clients;
    char *trust, *text;
};

static enum ls_code play(const struct ls_storm_wish *wish, int repeat, size_t certificate,
                         const struct common *common, struct ls_error *err)
{
    struct ls_identity *const *identities = common->identities;
    struct act act = {
        .wish = wish,
        .identities = identities,
        .identity = identities[certificate],
        .clients = common->clients,
        .trust = identities[certificate] != NULL ? identities[certificate]->trust : common->trust,
        .scenario_text = common->text,
        .certificate = certificate,
        .repeat = repeat,
    };
    enum ls_code code = act_run(&act, err);

    if (code == LS_OK) {
        code = act_measure(&act, err);
    }
    if (code == LS_OK && act.why.code != LS_OK) {
        *err = act.why;
        code = act.why.code;
    }
    act_clear(&act);
    return code;
}

/* A signal that came between two acts; it waited. */
static enum ls_code take_signal(struct ls_error *err)
{
    const struct timespec now = {0};
    sigset_t set;
    int number;

    storm_signals(&set);
    number = sigtimedwait(&set, NULL, &now);
    if (number < 0) {
        return LS_OK;
    }
    return ls_error_set(err, number == SIGINT ? LS_EINTERRUPTED : LS_ETERMINATED, "%s",
                        number == SIGINT ? "SIGINT" : "SIGTERM");
}

/* While an act is worked out and written, a signal has to wait: it would leave half a file behind
 * and lose what was measured. During an act the act itself listens. */
static enum ls_code play_all(const struct ls_storm_wish *wish, const struct common *common,
                             struct ls_error *err)
{
    const size_t certificates = wish->scenario->certificates_count;
    const size_t acts = certificates * (size_t)(wish->repeat > 0 ? wish->repeat : 1);
    sigset_t set, before;
    enum ls_code code = LS_OK;

    storm_signals(&set);
    (void)sigprocmask(SIG_BLOCK, &set, &before);
    for (size_t i = 0; code == LS_OK && i < acts; i++) {
        const size_t certificate = i % certificates;

        code = play(wish, (int)(i / certificates) + 1, certificate, common, err);
        if (code == LS_OK) {
            code = take_signal(err);
        }
    }
    (void)sigprocmask(SIG_SETMASK, &before, NULL);
    return code;
}

enum ls_code ls_storm_identities(const struct ls_storm_wish *wish, struct ls_identity **identities,
                                 struct ls_error *err)
{
    return identities_make(wish, identities, err);
}

/* Of an outside gateway: whom its users trust, and what they show. */
static enum ls_code prepare_outside(const struct ls_storm_wish *wish, struct common *common,
                                    struct ls_error *err)
{
    enum ls_code code;

    if (wish->target == NULL) {
        return ls_error_set(err, LS_EBROKEN, "a storm without a target");
    }
    code = target_trust(&common->trust, wish->scenario, err);
    return code == LS_OK ? clients_load(&common->clients, wish->scenario, err) : code;
}

enum ls_code ls_storm_run(const struct ls_storm_wish *wish, struct ls_error *err)
{
    const size_t count = wish->scenario->certificates_count;
    struct ls_identity **identities = calloc(count, sizeof(struct ls_identity *));
    struct common common = {.identities = wish->identities == NULL ? identities : wish->identities};
    size_t size;
    enum ls_code code = ls_storm_check(wish->scenario, wish->injectors, err);

    if (code == LS_OK) {
        code = ls_storm_check_shards(wish->scenario, wish->schedule, wish->injectors, wish->shards,
                                     err);
    }
    if (code == LS_OK && identities == NULL) {
        code = ls_error_set(err, LS_ENOMEM, "no memory for %zu certificates", count);
    }
    if (code == LS_OK) {
        code = ls_scenario_text(wish->scenario, &common.text, &size, err);
    }
    if (code == LS_OK) {
        /* The processes inherit it; and a limit that is too low is better known before keys are made. All connections may
         * meet at one worker, should the kernel's hash send them there. */
        code = ls_storm_check_files(wish->scenario, wish->schedule, wish->injectors, wish->shard,
                                    wish->shards, err);
    }
    if (code == LS_OK && !wish->scenario->gateway.embedded) {
        code = prepare_outside(wish, &common, err);
    } else if (code == LS_OK && wish->identities == NULL) {
        code = identities_make(wish, identities, err);
    }
    if (code == LS_OK) {
        code = play_all(wish, &common, err);
    }
    for (size_t i = 0; identities != NULL && i < count; i++) {
        ls_identity_free(identities[i]);
    }
    free(identities);
    clients_free(common.clients, wish->scenario);
    free(common.trust);
    free(common.text);
    return code;
}
