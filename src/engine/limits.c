/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ports and descriptors, before the start. */
#include "engine/login.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "loginstorm/address.h"
#include "loginstorm/limit.h"
#include "loginstorm/need.h"
#include "loginstorm/units.h"

#define SOURCES_MAX 254

int64_t stay_ns(const struct ls_scenario *scenario)
{
    const struct ls_login_wish *login = &scenario->login;

    switch (login->hold) {
    case LS_HOLD_NONE:
        return login->login_timeout_ns;
    case LS_HOLD_DURATION:
        return login->hold_ns > INT64_MAX - login->login_timeout_ns
                   ? INT64_MAX
                   : login->login_timeout_ns + login->hold_ns;
    case LS_HOLD_UNTIL_END:
        break;
    }
    return INT64_MAX;
}

/* Who has gone leaves connections behind whose last bytes are still on their way, so each place of a closed
 * loop counts twice. */
static int64_t open_max_of_loops(const struct ls_scenario *scenario,
                                 const struct ls_schedule *schedule)
{
    int64_t most = 0;
    int64_t connections = 1;

    for (size_t i = 0; i < scenario->populations_count; i++) {
        const int64_t these = scenario->populations[i].connections;

        connections = these > connections ? these : connections;
    }
    for (size_t i = 0; i < schedule->waves_count; i++) {
        const struct ls_loop_wave *wave = &schedule->waves[i];
        const int64_t places = 2 * (int64_t)wave->concurrency;
        const int64_t users = (int64_t)wave->count < places ? (int64_t)wave->count : places;

        most = users * connections > most ? users * connections : most;
    }
    return most;
}

static size_t next_of(const struct ls_share *share, size_t user)
{
    return ls_share_user(share, ls_share_rows(share, user) + 1);
}

int64_t window_most(const struct ls_scenario *scenario, const struct ls_schedule *schedule,
                    const struct ls_share *share, int64_t window_ns)
{
    int64_t open = 0;
    int64_t most = 0;
    size_t first = ls_share_user(share, 0);

    for (size_t i = first; i < schedule->count; i = next_of(share, i)) {
        const struct ls_arrival *row = &schedule->rows[i];

        open += scenario->populations[row->population].connections;
        while (row->due_ns - schedule->rows[first].due_ns > window_ns) {
            open -= scenario->populations[schedule->rows[first].population].connections;
            first = next_of(share, first);
        }
        most = open > most ? open : most;
    }
    return most;
}

static int64_t open_max_of_share(const struct ls_scenario *scenario,
                                 const struct ls_schedule *schedule, const struct ls_share *share)
{
    return schedule->waves_count > 0 ? open_max_of_loops(scenario, schedule)
                                     : window_most(scenario, schedule, share, stay_ns(scenario));
}

int64_t ls_engine_open_max(const struct ls_scenario *scenario, const struct ls_schedule *schedule,
                           int shard, int shards)
{
    return open_max_of_share(
        scenario, schedule,
        &(struct ls_share){.first = (size_t)shard, .count = 1, .of = (size_t)shards});
}

/* Spreads a large storm over source addresses, and refuses one that no spreading makes room for. */
static enum ls_code prepare_ports(struct ls_engine *engine, struct ls_error *err)
{
    const struct ls_scenario *scenario = engine->job.scenario;
    const int64_t connections = ls_engine_handshakes_max(scenario, engine->job.schedule) +
                                ls_engine_resuming(scenario, engine->job.schedule);
    const int64_t at_once = open_max_of_share(scenario, engine->job.schedule, &engine->job.machine);
    const int64_t ports = ls_limit_ports("");
    const int64_t each = ports < LS_PORTS_PER_SOURCE ? ports : LS_PORTS_PER_SOURCE;
    const struct sockaddr_storage *target = &engine->job.target.addresses[0];
    /* Only one version's loopback has addresses to spread over. Each of several targets has all
     * ports. */
    const bool spreads = target->ss_family == AF_INET && ls_address_is_loopback(target);
    const int64_t most = spreads ? SOURCES_MAX : engine->job.target.count;
    int64_t sources = (connections + each - 1) / each;

    if (at_once > ports * most) {
        return ls_error_set(err, LS_ELIMIT,
                            "this storm may hold %" PRId64
                            " connections open at once, but the local ports of %" PRId64
                            " %s addresses are enough for %" PRId64
                            ": widen net.ipv4.ip_local_port_range, or use fewer --users",
                            at_once, most, spreads ? "source" : "target", ports * most);
    }
    sources = sources < most ? sources : most;
    engine->sources = spreads && sources > 1 ? (int)sources : 0;
    return LS_OK;
}

const struct sockaddr *engine_source(struct ls_engine *engine, struct sockaddr_in *out)
{
    if (engine->sources == 0) {
        return NULL;
    }
    *out = (struct sockaddr_in){
        .sin_family = AF_INET,
        .sin_addr.s_addr =
            htonl(INADDR_LOOPBACK + (uint32_t)(engine->connects++ % (uint64_t)engine->sources)),
    };
    return (const struct sockaddr *)out;
}

enum ls_code limits_prepare(struct ls_engine *engine, struct ls_error *err)
{
    enum ls_code code;

    code = permit_check(engine, err);
    if (code != LS_OK) {
        return code;
    }
    code = permit_prepare(engine, err);
    if (code == LS_OK) {
        code = prepare_ports(engine, err);
    }
    if (code != LS_OK) {
        return code;
    }
    return ls_limit_open_files(ls_engine_open_max(engine->job.scenario, engine->job.schedule,
                                                  engine->job.shard, engine->job.shards),
                               "an injector of this storm", err);
}
