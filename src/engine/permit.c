/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a storm may go, and how fast. Whatever a caller was told: a machine that did not ask for it
 * never gets one. */
#include "engine/login.h"

#include <stdlib.h>
#include <string.h>

#include "loginstorm/address.h"
#include "loginstorm/units.h"

bool ls_address_is_permitted(const struct ls_scenario *scenario,
                             const struct sockaddr_storage *address)
{
    char *const *allowed = scenario->gateway.allow_addresses;
    struct sockaddr_storage named;

    if (ls_address_is_loopback(address)) {
        return true;
    }
    while (allowed != NULL && *allowed != NULL) {
        if (ls_address_parse(&named, *allowed++) && ls_address_is_same(&named, address)) {
            return true;
        }
    }
    return false;
}

enum ls_code permit_check(const struct ls_engine *engine, struct ls_error *err)
{
    const struct ls_target *target = &engine->job.target;

    if (target->count < 1 || target->count > LS_TARGETS_MAX) {
        return ls_error_set(err, LS_EINPUT, "a storm goes to 1 to %d addresses, not %d",
                            LS_TARGETS_MAX, target->count);
    }
    for (int i = 0; i < target->count; i++) {
        if (!ls_address_is_permitted(engine->job.scenario, &target->addresses[i])) {
            return ls_error_set(err, LS_EINPUT,
                                "a storm goes to loopback addresses (127.0.0.0/8 or ::1), and to "
                                "those that the scenario's gateway.allow names");
        }
    }
    return LS_OK;
}

enum ls_code permit_prepare(struct ls_engine *engine, struct ls_error *err)
{
    const size_t most = (size_t)engine->job.connections_per_s;

    if (most == 0) {
        return LS_OK;
    }
    engine->begun_ns = calloc(most, sizeof *engine->begun_ns);
    if (engine->begun_ns == NULL) {
        return ls_error_set(err, LS_ENOMEM, "no memory to hold %zu connections a second", most);
    }
    for (size_t i = 0; i < most; i++) {
        engine->begun_ns[i] = INT64_MIN;
    }
    return LS_OK;
}

/* The cap holds in any second, wherever it begins: the connection that is so many back must be a
 * second old. */
static bool takes_its_turn(struct ls_engine *engine, int64_t now_ns)
{
    int64_t *oldest;

    if (engine->begun_ns == NULL) {
        return true;
    }
    oldest = &engine->begun_ns[engine->begun % (uint64_t)engine->job.connections_per_s];
    if (*oldest > now_ns - LS_NS_PER_S) {
        return false;
    }
    *oldest = now_ns;
    engine->begun++;
    return true;
}

const struct sockaddr *permit_address(struct ls_engine *engine, const struct slot *slot,
                                      int64_t now_ns)
{
    const struct ls_target *target = &engine->job.target;
    const unsigned turn = slot->user + (slot->row.attempts > 0 ? slot->row.attempts - 1U : 0);
    const struct sockaddr_storage *address = &target->addresses[turn % (unsigned)target->count];

    if (!ls_address_is_permitted(engine->job.scenario, address) ||
        !takes_its_turn(engine, now_ns)) {
        return NULL;
    }
    return (const struct sockaddr *)address;
}
