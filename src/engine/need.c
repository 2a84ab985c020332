/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loginstorm/need.h"

#include <limits.h>
#include <math.h>

#include "engine/login.h"
#include "loginstorm/result.h"

/* Of who is due at both ends of it, too. */
static int64_t begun_within(const struct ls_scenario *scenario, const struct ls_schedule *schedule,
                            int64_t within_ns)
{
    return window_most(scenario, schedule, &(struct ls_share){.count = 1, .of = 1}, within_ns);
}

static int64_t ports_of(const struct ls_scenario *scenario, const struct ls_schedule *schedule,
                        const struct ls_means *means)
{
    const int64_t all = ls_engine_handshakes_max(scenario, schedule);
    const int64_t wait_ns = scenario->login.close == LS_CLOSE_RESET ? 0 : means->time_wait_ns;
    const int64_t stay = stay_ns(scenario);
    int64_t begun;

    if (schedule->waves_count > 0 || stay > INT64_MAX - wait_ns) {
        return all;
    }
    begun = begun_within(scenario, schedule, stay + wait_ns) * scenario->login.attempts;
    return begun < all ? begun : all;
}

static int times(double whole, double part)
{
    const double count = ceil(whole / part - 1e-9);

    return count < 1 ? 1 : count > INT_MAX ? INT_MAX : (int)count;
}

void ls_engine_need(struct ls_need *out, const struct ls_scenario *scenario,
                    const struct ls_schedule *schedule, const struct ls_means *means)
{
    const int64_t each = means->ports < LS_PORTS_PER_SOURCE ? means->ports : LS_PORTS_PER_SOURCE;
    const bool closed = schedule->waves_count > 0;

    *out = (struct ls_need){
        .open = ls_engine_open_max(scenario, schedule, 0, 1),
        .ports = ports_of(scenario, schedule, means),
        .handshakes = closed ? -1 : begun_within(scenario, schedule, LS_NS_PER_S - 1),
        .cores = -1,
        .by_cpu = 1,
    };
    if (!closed) {
        out->cores = (double)out->handshakes * means->client_ns / (double)LS_NS_PER_S;
        out->by_cpu = times(out->cores, LS_INJECTOR_SUSPECT / 1e6);
    }
    out->by_files =
        times((double)out->open, (double)(means->open_files > 0 ? means->open_files : 1));
    out->injectors = out->by_cpu > out->by_files ? out->by_cpu : out->by_files;
    out->sources = times((double)out->ports, (double)(each > 0 ? each : 1) * means->targets);
}
