/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a play takes, known before it is begun. */
#include "loginstorm/mornings.h"
#include "model/work.h"

static int64_t connections_most(const struct ls_scenario *scenario)
{
    int64_t most = 1;

    for (size_t i = 0; i < scenario->populations_count; i++) {
        const int64_t these = scenario->populations[i].connections;

        most = these > most ? these : most;
    }
    return most;
}

/* Of a login that fails at its last connection each time. */
static int64_t handshakes_most(const struct ls_scenario *scenario)
{
    return connections_most(scenario) * scenario->login.attempts;
}

/* Each event sends back so many of those who are in, as another row each. */
static double rows_of(const struct ls_scenario *scenario, int64_t users)
{
    double share = 1;

    for (size_t i = 0; i < scenario->events_count; i++) {
        const struct ls_event *event = &scenario->events[i];

        share += event->kind == LS_EVENT_RECONNECT ? event->share
                 : event->gateways < scenario->farm.gateways
                     ? (double)event->gateways / scenario->farm.gateways
                     : 1;
    }
    return share * (double)users;
}

int64_t ls_model_memory(const struct ls_scenario *scenario, int64_t users, bool keep_handshakes)
{
    const double rows = rows_of(scenario, users);
    const double connections = (double)connections_most(scenario);
    const double bursts = (double)users * connections * LS_MODEL_STEPS_MAX * sizeof(int64_t);
    double each = sizeof(struct ls_login) + sizeof(struct state);

    if (keep_handshakes) {
        each += (double)handshakes_most(scenario) * sizeof(struct ls_handshake);
    }
    if (scenario->farm.balancing == LS_LEAST_CONNECTIONS) {
        /* A place for each of who is still there, and when he leaves it, where that is known. */
        each += scenario->login.hold == LS_HOLD_NONE ? 0 : connections * sizeof(struct place);
        each += scenario->login.hold == LS_HOLD_DURATION ? connections * sizeof(struct event) : 0;
    }
    if (scenario->events_count > 0) {
        each += sizeof(struct event);
    }
    return (int64_t)(rows * each + (bursts < BURSTS_BYTES_MOST ? bursts : BURSTS_BYTES_MOST));
}

void ls_model_rows(const struct ls_scenario *scenario, int64_t users, size_t *logins,
                   size_t *handshakes)
{
    *logins = (size_t)rows_of(scenario, users);
    *handshakes = *logins * (size_t)handshakes_most(scenario);
}
