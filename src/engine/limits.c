/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ports and descriptors, before the start. */
#include "engine/login.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "loginstorm/limit.h"
#include "loginstorm/units.h"

/* Beyond this many ports of one source address connect() itself slows down to 0.5-1 ms (measured);
 * of 28,203 in all. */
#define PORTS_PER_SOURCE 10000
#define SOURCES_MAX 254

/* How long a user can have descriptors open at the most. */
static int64_t stay_ns(const struct ls_scenario *scenario)
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

int64_t ls_engine_open_max(const struct ls_scenario *scenario, const struct ls_schedule *schedule,
                           int shard, int shards)
{
    const int64_t stay = stay_ns(scenario);
    const size_t step = (size_t)shards;
    int64_t open = 0;
    int64_t most = 0;
    size_t first = (size_t)shard;

    for (size_t i = first; i < schedule->count; i += step) {
        const struct ls_arrival *row = &schedule->rows[i];

        open += scenario->populations[row->population].connections;
        while (row->due_ns - schedule->rows[first].due_ns > stay) {
            open -= scenario->populations[schedule->rows[first].population].connections;
            first += step;
        }
        most = open > most ? open : most;
    }
    return most;
}

static bool is_loopback(const struct sockaddr_storage *target)
{
    const struct sockaddr_in *in = (const struct sockaddr_in *)target;
    const struct sockaddr_in6 *in6 = (const struct sockaddr_in6 *)target;

    if (target->ss_family == AF_INET) {
        return ntohl(in->sin_addr.s_addr) >> IN_CLASSA_NSHIFT == IN_LOOPBACKNET;
    }
    return target->ss_family == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&in6->sin6_addr);
}

/* How many ports the kernel gives to connections from one address; its usual range when it does not
 * say. */
static int64_t ports_of_an_address(void)
{
    const int64_t usual = 60999 - 32768 + 1;
    FILE *file = fopen("/proc/sys/net/ipv4/ip_local_port_range", "re");
    char line[64] = "";
    char *rest;
    int64_t first;
    int64_t last;

    if (file == NULL) {
        return usual;
    }
    (void)!fgets(line, sizeof line, file);
    (void)fclose(file);
    first = strtoll(line, &rest, 10);
    last = strtoll(rest, NULL, 10);
    return first > 0 && last >= first && last < 65536 ? last - first + 1 : usual;
}

/* Spreads a large storm over source addresses, and refuses one that no spreading makes room for. */
static enum ls_code prepare_ports(struct ls_engine *engine, struct ls_error *err)
{
    const struct ls_scenario *scenario = engine->job.scenario;
    const int64_t connections = ls_engine_handshakes_max(scenario, engine->job.schedule);
    const int64_t at_once = ls_engine_open_max(scenario, engine->job.schedule, 0, 1);
    const int64_t ports = ports_of_an_address();
    const int64_t each = ports < PORTS_PER_SOURCE ? ports : PORTS_PER_SOURCE;
    /* Only one version's loopback has addresses to spread over. */
    const int64_t most = engine->job.target.ss_family == AF_INET ? SOURCES_MAX : 1;
    int64_t sources = (connections + each - 1) / each;

    if (at_once > ports * most) {
        return ls_error_set(err, LS_ELIMIT,
                            "this storm may hold %" PRId64
                            " connections open at once, but the local ports of %" PRId64
                            " source addresses are enough for %" PRId64
                            ": widen net.ipv4.ip_local_port_range, or use fewer --users",
                            at_once, most, ports * most);
    }
    sources = sources < most ? sources : most;
    engine->sources = sources > 1 ? (int)sources : 0;
    return LS_OK;
}

enum ls_code limits_prepare(struct ls_engine *engine, struct ls_error *err)
{
    enum ls_code code;

    /* Whatever a caller was told: a machine that did not ask for it never gets a storm. */
    if (!is_loopback(&engine->job.target)) {
        return ls_error_set(err, LS_EINPUT,
                            "a storm goes to loopback addresses alone (127.0.0.0/8 or ::1)");
    }
    code = prepare_ports(engine, err);
    if (code != LS_OK) {
        return code;
    }
    return ls_limit_open_files(ls_engine_open_max(engine->job.scenario, engine->job.schedule,
                                                  engine->job.shard, engine->job.shards),
                               "an injector of this storm", err);
}
